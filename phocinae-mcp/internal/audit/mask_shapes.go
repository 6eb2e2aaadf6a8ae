package audit

// A shape is the look of one vendor's token: a fixed beginning, then at least Min characters of a class. The beginnings
// are those that the vendors publish so that scanners can find leaked tokens. The beginning stays visible: it says
// which vendor's secret stood there.
type shape struct {
	prefix string
	min    int
	class  byte // 'w' [A-Za-z0-9_-], 'a' [A-Za-z0-9], 'A' [A-Z0-9], 'x' hex, 'd' [A-Za-z0-9._-], 'p' [A-Za-z0-9/_-]
	digit  bool // must hold a digit: the beginning alone could start an ordinary word
}

var shapes = []shape{
	{"ghp_", 20, 'w', false},
	{"gho_", 20, 'w', false},
	{"ghu_", 20, 'w', false},
	{"ghs_", 20, 'd', false},
	{"ghr_", 20, 'w', false},
	{"github_pat_", 20, 'w', false},
	{"glpat-", 16, 'd', false},
	{"gldt-", 16, 'w', false},
	{"glrt-", 16, 'd', false},
	{"glptt-", 16, 'w', false},
	{"glcbt-", 16, 'w', false},
	{"glft-", 16, 'w', false},
	{"glsoat-", 16, 'w', false},
	{"glagent-", 16, 'w', false},
	{"gloas-", 16, 'w', false},
	{"glsa_", 20, 'w', false},
	{"glc_", 20, 'w', true},
	{"sk-ant-", 16, 'w', false},
	{"sk-proj-", 16, 'w', false},
	{"sk-or-", 20, 'w', true},
	{"sk-", 20, 'w', true},
	{"sk_live_", 12, 'w', false},
	{"sk_test_", 12, 'w', false},
	{"rk_live_", 12, 'w', false},
	{"rk_test_", 12, 'w', false},
	{"whsec_", 16, 'w', false},
	{"xoxb-", 10, 'w', false},
	{"xoxp-", 10, 'w', false},
	{"xoxa-", 10, 'w', false},
	{"xoxr-", 10, 'w', false},
	{"xoxs-", 10, 'w', false},
	{"xoxe-", 10, 'w', false},
	{"xoxe.", 10, 'd', false},
	{"xapp-", 10, 'w', false},
	{"AKIA", 12, 'A', false},
	{"ASIA", 12, 'A', false},
	{"ABIA", 12, 'A', true},
	{"ACCA", 12, 'A', true},
	{"AIza", 30, 'w', false},
	{"ya29.", 16, 'd', false},
	{"GOCSPX-", 16, 'w', false},
	{"npm_", 30, 'a', false},
	{"pypi-", 40, 'w', false},
	{"rubygems_", 32, 'x', false},
	{"dckr_pat_", 16, 'w', false},
	{"dckr_oat_", 16, 'w', false},
	{"hf_", 28, 'a', false},
	{"gsk_", 30, 'a', false},
	{"xai-", 40, 'w', false},
	{"pplx-", 30, 'a', false},
	{"nvapi-", 30, 'w', false},
	{"r8_", 30, 'a', false},
	{"SG.", 40, 'd', false},
	{"key-", 32, 'x', false},
	{"shpat_", 24, 'a', false},
	{"shpss_", 24, 'a', false},
	{"shpca_", 24, 'a', false},
	{"shppa_", 24, 'a', false},
	{"dop_v1_", 32, 'x', false},
	{"doo_v1_", 32, 'x', false},
	{"dor_v1_", 32, 'x', false},
	{"lin_api_", 20, 'a', false},
	{"ntn_", 30, 'a', false},
	{"figd_", 20, 'w', false},
	{"PMAK-", 30, 'w', false},
	{"sq0atp-", 16, 'w', false},
	{"sq0csp-", 16, 'w', false},
	{"AGE-SECRET-KEY-1", 40, 'A', false},
	{"hvs.", 16, 'w', false},
	{"hvb.", 16, 'w', false},
	{"hvr.", 16, 'w', false},
	{"tskey-", 12, 'w', true},
	{"dp.pt.", 20, 'a', false},
	{"dp.st.", 20, 'd', false},
	{"sntrys_", 20, 'w', false},
	{"sntryu_", 20, 'w', false},
	{"ATATT3", 30, 'w', false},
	{"ATCTT3", 30, 'w', false},
	{"ATBB", 24, 'a', true},
	{"CFPAT-", 20, 'w', false},
	{"LTAI", 12, 'a', true},
	{"AKID", 28, 'a', true},
	{"oy2", 43, 'a', true},
	{"secret_", 32, 'a', true},
	{"pul-", 32, 'x', false},
	{"EAACEdEose0cBA", 10, 'a', false},
	{"phc_", 30, 'a', false},
	{"phx_", 30, 'a', false},
	{"sbp_", 32, 'x', false},
	{"vercel_", 24, 'a', true},
	{"fo1_", 30, 'w', false},
	{"FlyV1", 30, 'w', true},
	{"rnd_", 24, 'a', true},
	{"ops_eyJ", 40, 'w', false},
	{"bkua_", 30, 'x', false},
	{"eyJ", 30, 'd', false},
	{"services/T", 20, 'p', false},
	{"api/webhooks/", 20, 'p', false},
	{"tvly-", 20, 'w', true},
	{"sk_", 32, 'a', true},
}

// shapesByByte finds the candidates for a first byte. Built once, never changed.
var shapesByByte = func() (t [256][]shape) {
	for _, s := range shapes {
		t[s.prefix[0]] = append(t[s.prefix[0]], s)
	}
	return t
}()

// secretNames are the words that make a name the name of a secret wherever they stand in it, once _ - . are taken out.
var secretNames = bytesOf(
	"password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential",
	"accountkey", "encryptionkey", "signingkey", "masterkey", "authkey", "licensekey", "passwort", "connectionstring",
	"xamzsignature", "xamzcredential", "sharedkey", "subscriptionkey", "webhookkey", "servicekey", "clientkey", "deploykey",
	"secretkey", "requirepass", "masterauth")

// secretEnds are words that do so as the last part of a name.
var secretEnds = map[string]bool{
	"pass": true, "pwd": true, "pw": true, "auth": true, "pat": true, "psw": true, "jwt": true, "cred": true, "creds": true,
	"sig": true, "signature": true, "sas": true, "otp": true, "pin": true, "bearer": true, "sessionid": true, "sid": true, "cookie": true,
	"csrf": true, "xsrf": true, "hmac": true, "salt": true, "pepper": true, "pgpassword": true, "passcode": true,
}

// harmlessEnds as the last part take the suspicion away: they name a place, a kind or a measure, not the secret.
var harmlessEnds = map[string]bool{
	"file": true, "path": true, "dir": true, "name": true, "id": true, "url": true, "uri": true, "count": true, "length": true, "len": true,
	"type": true, "size": true, "ttl": true, "expiry": true, "expires": true, "policy": true, "stdin": true, "limit": true, "env": true,
	"fd": true, "prompt": true, "endpoint": true, "arn": true, "ref": true, "helper": true, "store": true, "manager": true, "class": true,
	"provider": true, "version": true, "age": true, "min": true, "max": true, "tokens": true, "tokenizer": true, "format": true, "mode": true,
	"enabled": true, "required": true, "region": true, "host": true, "port": true, "user": true, "username": true, "command": true, "cmd": true,
	"in": true, "out": true, "keyout": true, "algorithm": true, "alg": true, "scope": true, "scopes": true, "field": true, "header": true,
	"filename": true, "filepath": true, "pathname": true, "dirname": true, "tokenize": true, "tokenization": true, "secrets": true, "passwordfile": true,
	"authentication": true, "plugin": true, "js": true, "py": true, "go": true, "ts": true, "md": true, "sh": true, "yml": true, "yaml": true,
	"txt": true, "test": true, "spec": true, "json": true,
}

// harmlessValues are what people write instead of a secret.
var harmlessValues = map[string]bool{
	"true": true, "false": true, "null": true, "none": true, "nil": true, "yes": true, "no": true, "on": true, "off": true, "undefined": true,
	"None": true, "True": true, "False": true, "NULL": true, "required": true, "optional": true, "string": true,
	"ok": true, "OK": true, "valid": true, "invalid": true, "missing": true, "expired": true, "unset": true, "empty": true, "unknown": true,
}

// sentenceWords begin what is said about a secret, behind "token: ". What is not among them counts as the secret.
var sentenceWords = map[string]bool{
	"a": true, "an": true, "and": true, "any": true, "are": true, "as": true, "at": true, "be": true, "by": true, "can": true, "cannot": true,
	"could": true, "did": true, "do": true, "does": true, "expected": true, "for": true, "from": true, "has": true, "have": true, "holds": true,
	"if": true, "in": true, "invalid": true, "is": true, "it": true, "its": true, "may": true, "missing": true, "must": true, "not": true,
	"of": true, "on": true, "or": true, "please": true, "should": true, "that": true, "the": true, "their": true, "there": true, "these": true,
	"they": true, "this": true, "to": true, "unexpected": true, "use": true, "was": true, "we": true, "were": true, "when": true, "which": true,
	"will": true, "with": true, "without": true, "you": true, "your": true,
}

// switchVerbs begin the names of options that say what is to be done about a secret, and take no value.
var switchVerbs = map[string]bool{
	"no": true, "ask": true, "show": true, "prompt": true, "skip": true, "hide": true, "require": true, "enable": true, "disable": true,
	"reset": true, "generate": true, "print": true, "list": true, "keep": true, "without": true, "allow": true, "clear": true, "rotate": true,
}

// headers whose whole value is a secret. Names with a secret word in them are found by secretName.
var secretHeaders = map[string]bool{
	"authorization": true, "proxy-authorization": true, "cookie": true, "set-cookie": true, "x-api-key": true, "x-auth": true, "x-access-key": true,
	"apikey": true, "api-key": true, "ocp-apim-subscription-key": true, "x-goog-api-key": true, "x-functions-key": true, "x-auth-key": true, "x-figma-token": true,
}

// attached says for which programs a short option takes a secret. The option's value may be glued on or be the next
// word; "c" only where it has an =; "=" means glued only (mysql -p NAME asks for the password, and NAME is a database).
var attached = map[string]map[byte]string{
	"mysql": {'p': "="}, "mysqldump": {'p': "="}, "mysqladmin": {'p': "="}, "mysqlimport": {'p': "="}, "mysqlcheck": {'p': "="}, "mysqlshow": {'p': "="},
	"mysqlbinlog": {'p': "="}, "mysqlslap": {'p': "="}, "mysqlsh": {'p': "="}, "mysqlpump": {'p': "="}, "mycli": {'p': "="},
	"mariadb": {'p': "="}, "mariadb-dump": {'p': "="}, "mariadb-admin": {'p': "="}, "mariadb-backup": {'p': "="}, "xtrabackup": {'p': "="},
	"7z": {'p': "="}, "7za": {'p': "="}, "7zz": {'p': "="}, "7zr": {'p': "="}, "rar": {'p': "="}, "unrar": {'p': "="},
	"sshpass": {'p': "n"}, "mongo": {'p': "n"}, "mongosh": {'p': "n"}, "mongodump": {'p': "n"}, "mongorestore": {'p': "n"}, "mongoexport": {'p': "n"}, "mongoimport": {'p': "n"},
	"redis-cli": {'a': "n"}, "valkey-cli": {'a': "n"}, "ldapsearch": {'w': "n"}, "ldapadd": {'w': "n"}, "ldapmodify": {'w': "n"}, "ldapdelete": {'w': "n"}, "ldappasswd": {'w': "n", 's': "n", 'a': "n"}, "ldapwhoami": {'w': "n"},
	"unzip": {'P': "n"}, "zip": {'P': "n"}, "sqlcmd": {'P': "n"}, "bcp": {'P': "n"}, "isql": {'P': "n"}, "mosquitto_pub": {'P': "n"}, "mosquitto_sub": {'P': "n"}, "ipmitool": {'P': "n"},
	"cqlsh": {'p': "n"}, "influx": {'t': "n"}, "lftp": {'u': "u"},
	"curl": {'u': "u", 'U': "u", 'b': "c"}, "http": {'a': "u"}, "https": {'a': "u"}, "xh": {'a': "u"}, "xhs": {'a': "u"}, "smbclient": {'U': "u"}, "rpcclient": {'U': "u"}, "ab": {'A': "u", 'P': "u"},
	"docker login": {'p': "n"}, "podman login": {'p': "n"}, "nerdctl login": {'p': "n"}, "buildah login": {'p': "n"}, "skopeo login": {'p': "n"}, "crane login": {'p': "n"}, "oras login": {'p': "n"}, "helm login": {'p': "n"},
	"az login": {'p': "n"}, "oc login": {'p': "n"}, "cf login": {'p': "n"}, "openssl": {'k': "n", 'K': "n"}, "ssh-keygen": {'N': "n", 'P': "n"},
	"snmpwalk": {'A': "n", 'X': "n"}, "snmpget": {'A': "n", 'X': "n"}, "crackmapexec": {'p': "n"}, "netexec": {'p': "n"}, "evil-winrm": {'p': "n"}, "hydra": {'p': "n"},
	"conjur": {'p': "n"}, "doctl": {'t': "n"},
}

func bytesOf(words ...string) (all [][]byte) {
	for _, w := range words {
		all = append(all, []byte(w))
	}
	return all
}
