package audit

import (
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// Secrets in tests are put together from parts, so that scanners of repositories do not take them for leaked ones.
const (
	r20 = "Zq8Xw2Lm9Kp4Rt6Yb1Nc"
	r40 = r20 + "7Hv3Jd5Gs0Fa2Qe8Wu6T"
)

// secretsMustNotAppear: text with the secret written as ‹…›; everything outside of it must stay as it is.
var secretsMustNotAppear = []struct{ name, text string }{
	// short and long options
	{"mysql -p glued", "mysql -u root -p‹hunter2› shop"},
	{"mysql -p glued and quoted", "mysql -u root -p'‹hunter2›' shop"},
	{"mysql -p in double quotes", `mysqldump -p"‹hunter2›" shop > dump.sql`},
	{"mysql behind sudo and docker", "sudo docker exec db mysql -p‹hunter2› -e 'show tables'"},
	{"mysql by its path", "/usr/bin/mysql -p‹hunter2›"},
	{"mysql inside sh -c", `sh -c "mysql -p‹hunter2› shop"`},
	{"mysql behind a separator", "cd /tmp; mysql -p‹hunter2›; ls"},
	{"sshpass with a word", "sshpass -p ‹hunter2› ssh host uptime"},
	{"sshpass glued", "sshpass -p‹hunter2› ssh host uptime"},
	{"redis-cli", "redis-cli -h cache -a ‹hunter2› ping"},
	{"an option named like a program", "redis-cli -a‹b› -a‹hunter2› -h cache"},
	{"ldapsearch", "ldapsearch -x -D cn=admin -w ‹hunter2› -b dc=x"},
	{"docker login", "docker login -u bob -p ‹hunter2› registry.example.org"},
	{"long option with a word", "tool --password ‹hunter2› --verbose"},
	{"long option with =", "tool --password=‹hunter2› --verbose"},
	{"long option quoted with blanks", `tool --password "‹correct› ‹horse› ‹battery›" --verbose`},
	{"long option, = and quotes", `tool --password='‹hunter2›' go`},
	{"long option on the next line", "tool --token \\\n  ‹hunter2›"},
	{"api key", "tool --api-key ‹hunter2abc›"},
	{"client secret", "az login --client-secret ‹hunter2›"},
	{"one dash", "Connect-Thing -Password ‹hunter2›"},
	{"part plain, part quoted", `tool --password=‹abc›"‹def›"‹ghi› next`},
	{"symbols in the password", "tool --password=‹p@ss!w0rd#1,2:3?› next"},
	{"letters beyond ASCII", "tool --password=‹пароль› next"},
	{"escaped character", `tool --password=‹abc›\‹!def› next`},
	{"curl -u", "curl -u bob:‹hunter2› https://example.org/"},
	{"curl -u quoted", "curl -u 'bob:‹hunter2›' https://example.org/"},
	{"curl --user", "curl --user bob:‹hunter2› https://example.org/"},
	{"curl in a group of options", "curl -sSu bob:‹hunter2› https://example.org/"},
	{"openssl pass:", "openssl rsa -in k.pem -passin pass:‹hunter2› -out o.pem"},
	{"cmdkey", "cmdkey /add:host /user:bob /pass:‹hunter2›"},
	{"zip", "zip -P ‹hunter2› out.zip a b"},
	{"7z", "7z a -p‹hunter2› out.7z a"},
	{"secure string", `ConvertTo-SecureString "‹hunter2›" -AsPlainText -Force`},
	{"secure string with -String", `ConvertTo-SecureString -String '‹hunter2›' -AsPlainText -Force`},
	// assignments
	{"environment", "DB_PASSWORD=‹hunter2› ./run"},
	{"export in quotes", `export API_TOKEN="‹hunter2› ‹abc›"`},
	{"AWS secret key", "AWS_SECRET_ACCESS_KEY=‹" + r40 + "› aws s3 ls"},
	{"docker -e", "docker run -e POSTGRES_PASSWORD=‹hunter2› postgres"},
	{"docker -e quoted with blanks", `docker run -e "POSTGRES_PASSWORD=‹my› ‹pass› ‹word›" postgres`},
	{"suffix PASS", "SMTP_PASS=‹hunter2› ./run"},
	{"PGPASSWORD", "PGPASSWORD=‹hunter2› psql -h db"},
	{"PowerShell variable", `$token = "‹hunter2›"; Get-Thing`},
	{"PowerShell environment", `$env:API_KEY="‹hunter2›"`},
	{"cmd set", "set PASSWORD=‹hunter2›"},
	{"setx", "setx API_TOKEN ‹hunter2›"},
	{"fish", "set -x API_TOKEN ‹hunter2›"},
	{"config set", "aws configure set aws_secret_access_key ‹" + r40 + "›"},
	{"npm config", "npm config set //registry.example.org/:_authToken ‹" + r40 + "›"},
	{"default of a variable", `psql "${DB_PASSWORD:-‹hunter2›}"`},
	{"camel case", "java -DdbPassword=‹hunter2› -jar a.jar"},
	{"dotted", "java -Dspring.datasource.password=‹hunter2› -jar a.jar"},
	{"connection string", `dotnet run --db "Server=db;Uid=sa;Pwd=‹hunter2›;Encrypt=true"`},
	{"azure storage", "CS='DefaultEndpointsProtocol=https;AccountName=x;AccountKey=‹" + r40 + "==›;EndpointSuffix=core'"},
	{"ini in a here document", "cat > f <<E\npassword = ‹hunter2›\nE"},
	{"yaml in a here document", "cat > f <<E\ndb:\n  password: ‹hunter2›\nE"},
	{"python", `python3 -c "client(api_key='‹hunter2›', debug=True)"`},
	// data
	{"JSON in single quotes", `curl -d '{"user":"bob","password":"‹hunter2›"}' https://example.org`},
	{"JSON with blanks", `curl -d '{"password" : "‹correct› ‹horse›", "a":1}' https://example.org`},
	{"JSON with an escaped quote", `curl -d '{"password":"‹pa›\"‹ss›","a":1}' https://example.org`},
	{"JSON in double quotes", `curl -d "{\"password\":\"‹hunter2›\",\"a\":1}" https://example.org`},
	{"JSON in a here document", "curl -d @- <<E\n{\"token\": \"‹hunter2›\"}\nE"},
	{"JSON number", `curl -d '{"pin":‹123456›}' https://example.org`},
	{"query parameter", "curl 'https://example.org/?a=1&token=‹hunter2›&b=2'"},
	{"signature", "curl 'https://x.blob.core.windows.net/c?sv=1&sig=‹" + r20 + "%3D›&se=2'"},
	{"form data", "curl -d 'user=bob&password=‹hunter2›&x=1' https://example.org"},
	{"XML", "curl -d '<a><password>‹hunter2›</password></a>' https://example.org"},
	// headers
	{"bearer", `curl -H "Authorization: Bearer ‹` + r40 + `›" https://example.org`},
	{"bearer, short", `curl -H 'Authorization: Bearer ‹abc›' https://example.org`},
	{"basic", `curl -H 'authorization: Basic ‹Ym9iOmh1bnRlcjI=›' https://example.org`},
	{"scheme without a header", `echo 'Bearer ‹abcdefgh1234›'`},
	{"no scheme", `curl -H 'Authorization: ‹hunter2›' https://example.org`},
	{"header without a blank", `curl -H "Authorization:Bearer ‹hunter2›" https://example.org`},
	{"proxy", `curl -H 'Proxy-Authorization: Basic ‹Ym9iOng=›' https://example.org`},
	{"x-api-key", `curl -H 'X-Api-Key: ‹hunter2›' https://example.org`},
	{"private token", `curl -H "PRIVATE-TOKEN: ‹hunter2›" https://example.org`},
	{"cookies", `curl -H 'Cookie: ‹a=b›; ‹sid=xyz123›' https://example.org`},
	{"httpie", `http GET example.org Authorization:"Bearer ‹hunter2›"`},
	// URLs
	{"password in a URL", "git clone https://bob:‹hunter2›@example.org/x.git"},
	{"token as user", "git clone https://‹" + r40 + "›@example.org/x.git"},
	{"database", "psql postgres://app:‹hunter2›@db:5432/shop"},
	{"slash in the password", "psql postgres://app:‹hun/ter2›@db/shop"},
	{"@ in the password", "psql postgres://app:‹hun@ter2›@db/shop"},
	{"redis without a user", "redis-cli -u redis://:‹hunter2›@cache:6379/0"},
	{"x-access-token", "git push https://x-access-token:‹" + r20 + "›@github.com/a/b"},
	// shapes
	{"GitHub", "echo gh" + "p_‹" + r40 + "›"},
	{"GitHub fine-grained", "gh auth --x github" + "_pat_‹" + r40 + "›"},
	{"GitLab", "curl x?z=glp" + "at-‹" + r20 + "›"},
	{"OpenAI", "echo 'sk" + "-proj-‹" + r40 + "›'"},
	{"Anthropic", "echo sk" + "-ant-‹api03-" + r40 + "›"},
	{"Slack", "echo xo" + "xb-‹123456789012-" + r20 + "›"},
	{"Slack hook", "curl https://hooks.slack.com/ser" + "vices/T‹0123/B0456/" + r20 + "›"},
	{"Slack hook of short parts", "curl hooks.slack.com/ser" + "vices/T‹0123/B0456/Zq8XV2Lm9›"},
	{"AWS key id", "echo AK" + "IA‹Q3EGRIT5EXAMPLE1›"},
	{"Google", "echo AI" + "za‹" + r40 + "›"},
	{"Stripe", "echo sk" + "_live_‹" + r20 + "›"},
	{"npm", "echo np" + "m_‹" + r40 + "›"},
	{"Hugging Face", "HF=h" + "f_‹" + r40 + "›"},
	{"JWT", "echo ey" + "J‹hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0." + r40 + "›"},
	{"Telegram", "curl https://api.telegram.org/bot123456789:‹AAF" + r40 + "›/getMe"},
	{"Vault", "VT=hv" + "s.‹" + r40 + "›"},
	{"private key", "cat <<E\n-----BEGIN RSA PRIVATE KEY-----\n‹" + r40 + r20 + "›\n‹" + r20 + "›\n‹ab1=›\n-----END RSA PRIVATE KEY-----\nE"},
	{"private key on one line", `echo "-----BEGIN PRIVATE KEY-----\n‹` + r40 + r20 + `›\n‹` + r40 + `›\n-----END PRIVATE KEY-----"`},
	{"encrypted private key", "cat <<E\n-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB\n\n‹" + r40 + "›\n-----END RSA PRIVATE KEY-----\nE"},
	// a name, a colon and a blank
	{"colon and blank alone", "password: ‹hunter2pw›"},
	{"colon and blank in a command", "echo password: ‹hunter2pw› >> notes"},
	{"colon and blank in quotes", `echo "password: ‹hunter2pw›" >> notes`},
	{"colon and blank in capitals", "PASSWORD: ‹hunter2pw›"},
	{"colon and blank, first letter large", "Token: ‹abc›"},
	{"blank, colon, blank", "password : ‹hunter2pw›"},
	{"blanks around =", "password = ‹hunter2pw›"},
	{"blanks around = in capitals", "API_KEY = ‹abc›"},
	{"colon without a blank", "password:‹hunter2›"},
	{"value in quotes behind a colon", "token: '‹a› ‹b›'"},
	{"flow mapping", "echo {user: bob, password: ‹hunter2›}"},
	{"flow mapping in a here document", "cat <<E\nauth: {user: bob, password: ‹hunter2›}\nE"},
	{"yaml, first line of a here document", "cat > f <<E\npassword: ‹hunter2›\nE"},
	{"yaml list", "cat > f <<E\n- token: ‹hunter2›\nE"},
	{"two words", "echo 'api key: ‹hunter2›'"},
	{"two words in capitals", "echo Secret Key = ‹hunter2›"},
	{"several on a line", "echo user: bob, password: ‹hunter2,› pin: ‹1234›"},
	{"secret behind a word of prose", "echo the password: ‹hunter2›"},
	{"a pass phrase that begins like a sentence", "passphrase: ‹the›"},
	{"JSON in capitals", `curl -d '{"PassWord": "‹hunter2›"}' h`},
	{"JSON without quotes around names", `curl -d '{token: "‹hunter2›"}' h`},
	{"Kubernetes", "cat <<E\n- name: DB_PASSWORD\n  value: ‹hunter2›\nE"},
	{"parameter store", "aws ssm put-parameter --name /app/db_password --value ‹hunter2›"},
	{"name and value in JSON", `x '{"name":"API_TOKEN","value":"‹hunter2›"}'`},
	{"stack parameter", "aws cloudformation create-stack --parameters ParameterKey=DBPassword,ParameterValue=‹hunter2›"},
	{"secret string", "aws secretsmanager create-secret --name x --secret-string ‹hunter2›"},
	{"SQL", `psql -c "ALTER USER bob WITH PASSWORD '‹hunter2›'"`},
	{"SQL in small letters", `psql -c "create role bob login password '‹hunter2›'"`},
	{"SQL of short words", "e \"USER b IDENTIFIED BY '‹h›'"},
	{"MySQL", `mysql -e "CREATE USER bob IDENTIFIED BY '‹hunter2›'"`},
	{"netrc", "echo 'machine h login bob password ‹hunter2›' >> .netrc"},
	{"mysqladmin", "mysqladmin -u root password ‹hunter2›"},
	{"redis", "redis-cli config set requirepass ‹hunter2›"},
	// letter case
	{"long option in capitals", "tool --PASSWORD ‹hunter2›"},
	{"long option of mixed case", "tool --Api-Key=‹hunter2›"},
	{"putty", "plink -pw ‹hunter2› host"},
	{"header in capitals", `curl -H "AUTHORIZATION: BEARER ‹hunter2›" h`},
	{"scheme in capitals", "echo BEARER ‹abcdefgh1234›"},
	{"program in capitals", `MYSQL.EXE -u root -p‹hunter2›`},
	{"secure string in small letters", `convertto-securestring -string '‹hunter2›' -asplaintext`},
	{"set in capitals", "SETX API_TOKEN ‹hunter2›"},
	// input
	{"secure string assigned", `$Password = ConvertTo-SecureString '‹hunter2›' -AsPlainText -Force`},
	{"JSON in the open", `{"token":"‹abc›","user":"bob","n":1}`},
	{"JSON in a here document, more members", "curl -d @- <<E\n{\"a\":1,\"token\": \"‹hun› ‹ter2›\",\"user\":\"bob\"}\nE"},
	{"quoted value of a header's name", `api-key: "‹abc› ‹def›"`},
	{"YAML block", "cat > f <<E\npassword: |\n  ‹hunter2pw›\nE"},
	{"YAML folded block", "cat > f <<E\n  token: >-\n    ‹hunter2pw›\nE"},
	{"cookie option", `curl -b "‹session=abc›" h`},
	{"cookie option without quotes", `curl -b ‹session=abc› h`},
	{"pass phrase of words", `echo "passphrase: ‹correct› horse"`},
	{"chpasswd", `echo "root:‹hunter2›" | chpasswd`},
	{"password from echo", "echo ‹hunter2› | docker login -u bob --password-stdin"},
	{"sudo -S", "echo '‹hunter2›' | sudo -S apt update"},
	{"here string", "sudo -S apt update <<< ‹hunter2›"},
}

// mustStay: not one byte may be covered.
var mustStay = []struct{ name, text string }{
	{"mkdir -p", "mkdir -p dir/sub"},
	{"ssh port", "ssh -p 22 host"},
	{"docker ports", "docker run -p 8080:80 nginx"},
	{"docker user", "docker run --user 1000:1000 nginx"},
	{"mysql asks", "mysql -u root -p shop"},
	{"password file", "tool --password-file /run/secrets/db"},
	{"password from standard input", "docker login -u bob --password-stdin < f"},
	{"substitution", "tool --password=$(cat /run/secrets/db) go"},
	{"substitution in quotes", `tool --password "$(rm -rf /)" go`},
	{"backquotes", "tool --password=`rm -rf /` go"},
	{"mysql substitution", "mysql -p$(rm -rf /)"},
	{"variable", "tool --password=$DB_PASSWORD go"},
	{"variable in quotes", `tool --password "$password" go`},
	{"variable in braces", `curl -H "Authorization: Bearer ${TOKEN}" https://example.org`},
	{"variable in a URL", "git clone https://bob:$TOKEN@example.org/x"},
	{"command behind an empty value", "PASSWORD= ; rm -rf /"},
	{"command behind an empty assignment", "PASSWORD= rm -rf /"},
	{"working directory", "PWD=/tmp make"},
	{"git hash", "git show 3a2ca56d9f0c4f1be7d1a3d0a8a7e3ce1a2b3c4d"},
	{"image tag", "docker pull secret:latest"},
	{"npm script", "npm run token:refresh"},
	{"grep", "grep -rn 'password' src/"},
	{"grep with =", "grep -rn password= src/"},
	{"grep with colon", "grep -n 'token:' config.yml"},
	{"max tokens", `curl -d '{"max_tokens": 1000}' http://127.0.0.1:1/`},
	{"secret name", "kubectl get secret db -o yaml"},
	{"build secret", "docker build --secret id=npm,src=.npmrc ."},
	{"plain URL with port", "curl http://127.0.0.1:8155/v1/systemone"},
	{"URL with @ in the path", "curl https://example.org:8080/@types/node"},
	{"ssh remote", "git clone git@github.com:a/b.git"},
	{"user without password", "curl https://bob@example.org/"},
	{"boolean", "x --token=false --password=true"},
	{"function call", `python3 -c "password = getpass()"`},
	{"method call", `python3 -c "token = os.environ.get('T')"`},
	{"public key", "-----BEGIN PUBLIC KEY-----\n" + r40 + "\n-----END PUBLIC KEY-----"},
	{"scikit", "pip install sk-learn-contrib-something-long"},
	{"key id", "gpg --recv-keys 0xDEADBEEFCAFE1234"},
	{"Rust path", "cargo doc token::Token"},
	{"prose", "the table does not know this command"},
	{"reason", "removes a tree; use git clean -n first"},
	{"a command behind what looks like an open quote", `echo "password='"; rm -rf /; echo "'"`},
	{"quote that only cmd.exe does not know", `set password='& del /s /q C:\ &'`},
	{"process substitution", "tool --token=<(rm -rf /)"},
	{"bearer of news", "echo bearer of bad news"},
	{"echo", "echo hello world | tee f"},
	{"already masked", "mysql -p**** --password=**** https://bob:****@x/"},
	{"prompt", `read -s -p "Password: " pw`},
	{"prompt without quotes", "read -p Password: -s pw"},
	{"prompt at the end", "echo -n password: "},
	{"prompt, then a command", "echo Password: ; rm -rf /"},
	{"prompt, then the next line", "echo password:\nrm -rf /"},
	{"limit of tokens", "tool --token-limit 5 --max-tokens: 7"},
	{"said about a token", "token: is not valid for this host"},
	{"said about a secret in two words", "the api key: must be sent in a header"},
	{"state of a token", "token: expired"},
	{"variable behind a colon", `echo "password: $DB_PASSWORD"`},
	{"substitution behind a colon", `echo "password: $(rm -rf /)"`},
	{"cookie file", "curl -b cookies.txt -c cookies.txt h"},
	{"cmdlet", "$token = Get-Secret -Vault x"},
	{"commit about auth", `git commit -m "auth: add the login form"`},
	{"commit about a token", `git commit -m "fix token: handle expiry"`},
	{"command behind what looks like a block", "password: |\n  rm -rf /"},
	{"pattern", "sed 's/password: .*//' f"},
	{"port behind a blank", "docker run secret :8080"},
	{"asks for passwords", "ansible-playbook --ask-pass --ask-become-pass site.yml"},
	{"shows a token", "gh auth status --show-token host"},
	{"key of no secret", "key: value"},
	{"press a key", "echo 'any key: continue'"},
	{"value of no secret", "aws ssm put-parameter --name /app/colour --value blue"},
	{"password in prose", "echo reset the password before noon"},
	{"password option of another program", `grep "password" 'my file'`},
	{"by quotes", `echo "sorted by 'name'"`},
	{"command hidden behind a key block", "-----BEGIN PRIVATE KEY-----\nrm -rf / ; reboot"},
}

// unmark returns the text of a row without marks, what Mask must make of it, and its secrets.
func unmark(row string) (text, want string, secrets []string) {
	var t, w strings.Builder
	for {
		before, rest, ok := strings.Cut(row, "‹")
		t.WriteString(before)
		w.WriteString(before)
		if !ok {
			return t.String(), w.String(), secrets
		}
		secret, after, _ := strings.Cut(rest, "›")
		t.WriteString(secret)
		w.WriteString("****")
		secrets = append(secrets, secret)
		row = after
	}
}

func TestMaskHidesSecretsAndNothingElse(t *testing.T) {
	for _, row := range secretsMustNotAppear {
		t.Run(row.name, func(t *testing.T) {
			is := is.New(t)
			text, want, _ := unmark(row.text)
			got := Mask(text)
			is.Equal(got, want)      // the secret is gone and the rest stays
			is.Equal(Mask(got), got) // masking again changes nothing
		})
	}
}

func TestMaskLeavesHarmlessTextAlone(t *testing.T) {
	for _, row := range mustStay {
		t.Run(row.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(Mask(row.text), row.text) // nothing covered
		})
	}
}

// plantings are the ways FuzzMask hides its secret in.
var plantings = []string{
	"mysql -pSECRET", "tool --password SECRET", "tool --token='SECRET' x", `TOKEN="SECRET" x`, "https://u:SECRET@h/",
	`{"password":"SECRET"}`, "password: SECRET", "Token = SECRET", "PASSWORD : 'SECRET'", "curl -H 'Authorization: Bearer SECRET'", "gh" + "p_SECRET", "curl -u a:SECRET h", "x?access_token=SECRET&a=1",
}

func FuzzMask(f *testing.F) {
	for _, row := range secretsMustNotAppear {
		text, _, _ := unmark(row.text)
		f.Add(text)
	}
	for _, row := range mustStay {
		f.Add(row.text)
	}
	const secret = "Xq7vT2mKp9RzL4wB8nYc3dHs6"
	f.Fuzz(func(t *testing.T, text string) {
		got := Mask(text)
		if again := Mask(got); again != got {
			t.Fatalf("not stable: %q -> %q -> %q", text, got, again)
		}
		if mask(text) != got {
			t.Fatalf("the short way differs: %q", text)
		}
		if keep(text) != keep(got) {
			t.Fatalf("a mask covered more than a secret's characters: %q -> %q", text, got)
		}
		// A secret on a line of its own, behind whatever came before as long as no quote of that is open.
		if strings.ContainsAny(text, "'\"`\\$({") || strings.Contains(text, "-----") || strings.Contains(text, secret) {
			return
		}
		for _, p := range plantings {
			if out := Mask(text + "\n" + strings.ReplaceAll(p, "SECRET", secret)); strings.Contains(out, secret) {
				t.Fatalf("%q shows in %q", secret, out)
			}
		}
	})
}

// keep returns what no mask may cover, in order.
func keep(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n'\"`;|&<>()$\\", r) {
			return r
		}
		return -1
	}, s)
}

func BenchmarkMask(b *testing.B) {
	for name, text := range map[string]string{
		"dull":   "git status",
		"short":  "git status --short",
		"secret": `curl -s -H "Authorization: Bearer ` + r40 + `" -d '{"a":1,"password":"x1"}' https://u:p@example.org/x?token=abc`,
		"long":   strings.Repeat("echo the quick brown fox --flag=value | grep fox; ", 400),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Mask(text)
			}
		})
	}
}

// TestMaskIsLinear holds the worst inputs known to the price of ordinary ones, with a wide margin.
func TestMaskIsLinear(t *testing.T) {
	for _, unit := range []string{
		"a://", "password=", `password="$(`, "-----BEGIN PRIVATE KEY-----", "sk-", "echo |", "mysql -p ", "${", "((", `\\`, "://u:", "echo a|chpasswd;", "bot12345678:",
		"name: token value: ", "identified by '", "api key: ", "password: |\n  ", "curl -b ", "token: a b ",
	} {
		// The best of several tries: a machine that is busy with something else makes single ones slow.
		short, long := 0.0, 0.0
		slow := func() bool { return long > short*8*6 && long > 0.05 }
		for try := range 12 {
			a, b := clock(strings.Repeat(unit, 4<<10)), clock(strings.Repeat(unit, 32<<10))
			if try == 0 || a < short {
				short = a
			}
			if try == 0 || b < long {
				long = b
			}
			if try >= 2 && !slow() {
				break
			}
		}
		if slow() {
			t.Errorf("%q: 8 times the text took %.0f times as long (%.3f s)", unit, long/short, long)
		}
	}
}

func clock(text string) float64 {
	start := time.Now()
	Mask(text)
	return time.Since(start).Seconds()
}
