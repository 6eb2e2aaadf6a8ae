package audit

import "sync"

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

// shapesByByte finds the candidates for a first byte. Built when the first text is masked, not at every start.
var shapesByByte = sync.OnceValue(func() *[256][]shape {
	var t [256][]shape
	for _, s := range shapes {
		t[s.prefix[0]] = append(t[s.prefix[0]], s)
	}
	return &t
})

// secretNames are the words that make a name the name of a secret wherever they stand in it, once _ - . are taken out.
var secretNames = sync.OnceValue(func() [][]byte {
	return bytesOf(
		"password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential",
		"accountkey", "encryptionkey", "signingkey", "masterkey", "authkey", "licensekey", "passwort", "connectionstring",
		"xamzsignature", "xamzcredential", "sharedkey", "subscriptionkey", "webhookkey", "servicekey", "clientkey", "deploykey",
		"secretkey", "requirepass", "masterauth")
})

// secretEnd reports words that do so as the last part of a name.
func secretEnd(s string) bool {
	switch s {
	case "pass", "pwd", "pw", "auth", "pat", "psw", "jwt", "cred", "creds", "sig", "signature", "sas", "otp", "pin", "bearer",
		"sessionid", "sid", "cookie", "csrf", "xsrf", "hmac", "salt", "pepper", "pgpassword", "passcode":
		return true
	}
	return false
}

// harmlessEnd reports words that as the last part take the suspicion away: they name a place, a kind or a measure, not the secret.
func harmlessEnd(s string) bool {
	switch s {
	case "file", "path", "dir", "name", "id", "url", "uri", "count", "length", "len", "type", "size", "ttl", "expiry", "expires",
		"policy", "stdin", "limit", "env", "fd", "prompt", "endpoint", "arn", "ref", "helper", "store", "manager", "class", "provider",
		"version", "age", "min", "max", "tokens", "tokenizer", "format", "mode", "enabled", "required", "region", "host", "port",
		"user", "username", "command", "cmd", "in", "out", "keyout", "algorithm", "alg", "scope", "scopes", "field", "header",
		"filename", "filepath", "pathname", "dirname", "tokenize", "tokenization", "secrets", "passwordfile", "authentication",
		"plugin", "js", "py", "go", "ts", "md", "sh", "yml", "yaml", "txt", "test", "spec", "json":
		return true
	}
	return false
}

// harmlessValue reports what people write instead of a secret.
func harmlessValue(s string) bool {
	switch s {
	case "true", "false", "null", "none", "nil", "yes", "no", "on", "off", "undefined", "None", "True", "False", "NULL", "required",
		"optional", "string", "ok", "OK", "valid", "invalid", "missing", "expired", "unset", "empty", "unknown":
		return true
	}
	return false
}

// sentenceWord reports words that begin what is said about a secret, behind "token: ". What is not among them counts as the secret.
func sentenceWord(s string) bool {
	switch s {
	case "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "cannot", "could", "did", "do", "does", "expected", "for",
		"from", "has", "have", "holds", "if", "in", "invalid", "is", "it", "its", "may", "missing", "must", "not", "of", "on", "or",
		"please", "should", "that", "the", "their", "there", "these", "they", "this", "to", "unexpected", "use", "was", "we", "were",
		"when", "which", "will", "with", "without", "you", "your":
		return true
	}
	return false
}

// switchVerb reports words that begin the names of options that say what is to be done about a secret, and take no value.
func switchVerb(s string) bool {
	switch s {
	case "no", "ask", "show", "prompt", "skip", "hide", "require", "enable", "disable", "reset", "generate", "print", "list",
		"keep", "without", "allow", "clear", "rotate":
		return true
	}
	return false
}

// secretHeader reports headers whose whole value is a secret. Names with a secret word in them are found by secretName.
func secretHeader(s string) bool {
	switch s {
	case "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth", "x-access-key", "apikey", "api-key",
		"ocp-apim-subscription-key", "x-goog-api-key", "x-functions-key", "x-auth-key", "x-figma-token":
		return true
	}
	return false
}

// secretOptions are the short options of a program that take a secret: pairs of a letter and how it takes it. "" is none.
type secretOptions string

// how says how an option takes a secret, in one letter; "" if it does not.
func (o secretOptions) how(letter byte) string {
	for i := 0; i+1 < len(o); i += 2 {
		if o[i] == letter {
			return string(o[i+1 : i+2])
		}
	}
	return ""
}

// attached says for which programs a short option takes a secret. The option's value may be glued on or be the next
// word; "c" only where it has an =; "=" means glued only (mysql -p NAME asks for the password, and NAME is a database).
func attached(program string) secretOptions {
	switch program {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlshow", "mysqlbinlog", "mysqlslap", "mysqlsh",
		"mysqlpump", "mycli", "mariadb", "mariadb-dump", "mariadb-admin", "mariadb-backup", "xtrabackup", "7z", "7za", "7zz", "7zr",
		"rar", "unrar":
		return "p="
	case "sshpass", "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "cqlsh", "docker login",
		"podman login", "nerdctl login", "buildah login", "skopeo login", "crane login", "oras login", "helm login", "az login",
		"oc login", "cf login", "crackmapexec", "netexec", "evil-winrm", "hydra", "conjur":
		return "pn"
	case "redis-cli", "valkey-cli":
		return "an"
	case "ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami":
		return "wn"
	case "ldappasswd":
		return "wnsnan"
	case "unzip", "zip", "sqlcmd", "bcp", "isql", "mosquitto_pub", "mosquitto_sub", "ipmitool":
		return "Pn"
	case "influx", "doctl":
		return "tn"
	case "lftp":
		return "uu"
	case "curl":
		return "uuUubc"
	case "http", "https", "xh", "xhs":
		return "au"
	case "smbclient", "rpcclient":
		return "Uu"
	case "ab":
		return "AuPu"
	case "openssl":
		return "knKn"
	case "ssh-keygen":
		return "NnPn"
	case "snmpwalk", "snmpget":
		return "AnXn"
	}
	return ""
}

func bytesOf(words ...string) (all [][]byte) {
	for _, w := range words {
		all = append(all, []byte(w))
	}
	return all
}
