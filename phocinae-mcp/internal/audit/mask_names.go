package audit

import (
	"bytes"
	"strings"
)

// name looks at the name that begins at i: is a secret's value behind it? The value's place is left in m.trigger.
func (m *masker) name(f *frame, i int) {
	s := m.s
	j := i
	for j < len(s) && nameByte(s[j]) {
		j++
	}
	name := strings.TrimLeft(s[i:j], "-.")
	if name == "" || len(name) > 128 {
		return
	}
	m.program(f, name, i, j)
	if m.botToken(name, j) {
		return
	}
	if at := skipBlanks(s, j); at > j && strings.EqualFold(name, "bearer") && looksRandom(s[at:]) {
		m.trigger(at, 'w') // the scheme without its header
		return
	}
	sep, value, blanks := separator(s, j)
	if m.spoken(f, name, i, j, sep, value) {
		return
	}
	isOption := s[i] == '-'
	switch {
	case sep == 0 && isOption:
		m.optionValue(f, name, j)
	case sep == 0:
		m.bareName(f, name, i, j)
	case sep == '>' && (i == 0 || s[i-1] != '<'):
	case sep == ':':
		m.colon(f, name, i, j, value, blanks)
	case i > 0 && s[i-1] == '$' && cmdlet(s[min(value, len(s)):]): // $token = Get-Secret x: what follows is a command
	case secretName(name) && !(pwdName(name) && value < len(s) && strings.IndexByte("/$~.", s[value]) >= 0):
		m.trigger(value, 'w')
	case isOption && userOption(name) && f.tool.how('u') == "u":
		m.trigger(value, 'u')
	}
}

func pwdName(name string) bool { return name == "PWD" || name == "OLDPWD" }

func userOption(name string) bool { return name == "user" || name == "proxy-user" }

// colon decides about name:value.
func (m *masker) colon(f *frame, name string, i, end, value int, blanks bool) {
	s := m.s
	lower := strings.ToLower(name)
	quoted := f.close == '\'' || f.close == '"'
	switch {
	case secretHeader(lower):
		m.trigger(value, 'h')
	case !secretName(name):
	case value >= len(s):
	case strings.HasPrefix(lower, "x-") || strings.HasSuffix(lower, "-token") && quoted:
		m.trigger(value, 'h')
	case quoted && f.start == i && end < len(s) && s[end] == f.close && (s[value] == '"' || s[value] == '\''):
		m.trigger(value+1, 'q') // a member of JSON in the open: behind the value's quote the next one begins
	case valueQuoted(s, value):
		m.trigger(value, 'w')
	case blanks && block(s, i, value) > 0:
		m.trigger(block(s, i, value), 'w')
	case blanks && (prose(s[value:]) || !passName(lower) && saying(s[value:]) || s[value] == '{' || strings.HasPrefix(s[value:], ".*") || s[value] == '-' && !quoted): // a mapping; read -p Token: -s: an option
	case blanks:
		m.trigger(value, 'w')
	case f.program == "openssl" && name == "pass", i > 0 && s[i-1] == '/' && (i == 1 || blank(s[i-2])):
		m.trigger(value, 'w')
	case looksRandom(s[value:]), passName(lower) && withDigit(s[value:]):
		m.trigger(value, 'w')
	}
}

// cmdlet reports whether s begins with the name of a PowerShell command, such as ConvertTo-SecureString.
func cmdlet(s string) bool {
	n := 0
	for n < len(s) && n < 32 && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return n > 1 && n+1 < len(s) && s[n] == '-' && s[n+1] >= 'A' && s[n+1] <= 'Z'
}

// block is where the text of a YAML block (|, >-) begins whose name stands at i and whose sign stands at value, 0 if
// there is none. The line must be indented further, and look like a secret: behind a pipe a command could stand.
func block(s string, i, value int) int {
	if s[value] != '|' && s[value] != '>' {
		return 0
	}
	j := value + 1
	if j < len(s) && (s[j] == '-' || s[j] == '+') {
		j++
	}
	j = skipBlanks(s, j)
	if j >= len(s) || s[j] != '\n' {
		return 0
	}
	at, indent := skipBlanks(s, j+1), 0
	for i > 0 && s[i-1] == ' ' && indent < 64 {
		i, indent = i-1, indent+1
	}
	if at-j-1 <= indent || !looksRandom(s[at:]) {
		return 0
	}
	return at
}

// saying reports whether s begins with two plain words in small letters, as in "auth: add the login form": a token is no
// such word. A pass phrase may be.
func saying(s string) bool {
	n := 0
	for n < len(s) && n < 32 && s[n] >= 'a' && s[n] <= 'z' {
		n++
	}
	return n > 1 && n+1 < len(s) && s[n] == ' ' && s[n+1] >= 'a' && s[n+1] <= 'z'
}

// passName reports a lower-case name that nobody gives to anything but a password.
func passName(lower string) bool {
	return strings.Contains(lower, "passw") || strings.Contains(lower, "passphrase") || lower == "pwd"
}

// withDigit reports whether the word at the beginning of s has at least four characters and a digit: password:hunter2 is
// a value, password:reset a task.
func withDigit(s string) bool {
	n, digit := 0, false
	for n < len(s) && n < 64 && secretWidth(s[n:]) == 1 && s[n] != '/' {
		digit = digit || s[n] >= '0' && s[n] <= '9'
		n++
	}
	return n >= 4 && digit
}

// prose reports whether s goes on like a sentence about a secret, which a value does not: "token: is missing".
func prose(s string) bool {
	n := 0
	for n < len(s) && n < 16 && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	if !sentenceWord(strings.ToLower(s[:n])) {
		return false
	}
	next := skipBlanks(s, n)
	return next > n && next < len(s) && (s[next]|0x20 >= 'a' && s[next]|0x20 <= 'z' || s[next] >= '0' && s[next] <= '9')
}

func valueQuoted(s string, i int) bool {
	for i < len(s) && s[i] == '\\' {
		i++
	}
	return i < len(s) && (s[i] == '"' || s[i] == '\'')
}

// separator reads what stands between a name that ends at j and its value. sep is 0 when there is none.
func separator(s string, j int) (sep byte, value int, blanks bool) {
	k := j
	for k < len(s) && k-j < 8 && s[k] == '\\' {
		k++
	}
	if k < len(s) && (s[k] == '"' || s[k] == '\'') {
		k++ // the name was quoted
	} else {
		k = j
	}
	after := skipBlanks(s, k)
	if after-k > 32 || after >= len(s) {
		return 0, 0, false
	}
	switch c := s[after]; c {
	case '=', ':':
		if after > k && k == j && c == ':' && (after+1 >= len(s) || !blank(s[after+1])) {
			return 0, 0, false // `secret :8080`; but "password : x" is data
		}
		v := after + 1
		for v < len(s) && v-after < 3 && (s[v] == '=' || s[v] == '>' && c == '=') {
			v++
		}
		if c == ':' && v < len(s) && (s[v] == ':' || strings.HasPrefix(s[v:], "//")) {
			return 0, 0, false
		}
		end := skipBlanks(s, v)
		if end > v && c == '=' && after == k && k == j {
			return '=', v, false // NAME= cmd: an empty value in a shell
		}
		return c, end, end > v || after > j // a quoted name is data, like one with a blank behind its colon
	case '>':
		if after == j {
			return '>', after + 1, false
		}
	}
	return 0, 0, false
}

// spokenFirst holds the first letters of the names that spoken knows.
var spokenFirst = [256]byte{'k': 1, 'p': 1, 'c': 1, 'v': 1, 's': 1, 'b': 1}

// spoken handles names that are not written in one word with their separator, and reports whether it found a value:
//
//	api key: X               the name in two words
//	name: DB_PASS, value: X  the name as a value itself, as Kubernetes and parameter stores write it
//	PASSWORD 'X', IDENTIFIED BY 'X'   SQL
//	login bob password X     .netrc
func (m *masker) spoken(f *frame, name string, i, j int, sep byte, value int) bool {
	s := m.s
	if len(name) > 20 || spokenFirst[name[0]|0x20] == 0 {
		return false
	}
	var room [24]byte
	switch word := string(lowered(room[:0], name)); word {
	case "key", "phrase", "code":
		if sep != 0 && secretName(wordBefore(s, i)+name) && !prose(s[value:]) {
			m.trigger(value, 'w')
			return true
		}
	case "value", "parametervalue", "secretstring":
		if sep == 0 {
			value = skipBlanks(s, j)
		}
		if (sep != 0 || s[i] == '-' && value > j && value < len(s)) && (word == "secretstring" || namedBefore(s, i)) {
			m.trigger(value, 'w')
			return true
		}
	case "password", "passwd", "by":
		at := skipBlanks(s, j)
		if sep != 0 || at == j || at >= len(s) || s[i] == '-' {
			return false
		}
		quoted := f.close == '\'' || f.close == '"'
		sql := quoted && s[at] != f.close && valueQuoted(s, at) && (word != "by" || strings.Contains(strings.ToLower(s[max(0, i-64):i]), "identified"))
		netrc := word == "password" && strings.Contains(s[max(0, i-96):i], "login ")
		mysqladmin := word == "password" && (f.program == "mysqladmin" || f.program == "mariadb-admin")
		if sql || netrc || mysqladmin {
			m.nextWord(j, 'w')
			return true
		}
	}
	return false
}

// wordBefore is the name that stands one blank before i, or "".
func wordBefore(s string, i int) string {
	end := i
	for end > 0 && i-end < 2 && (s[end-1] == ' ' || s[end-1] == '\t') {
		end--
	}
	start := end
	for start > 0 && end-start < 24 && nameByte(s[start-1]) {
		start--
	}
	if end == i || start == end {
		return ""
	}
	return s[start:end]
}

// namedBefore reports whether a little before i something is named like a secret: name: DB_PASSWORD.
func namedBefore(s string, i int) bool {
	var words [12]string
	n := 0
	for end := i; end > 0 && i-end < 96 && n < len(words); {
		start := end
		for start > 0 && i-start < 128 && nameByte(s[start-1]) {
			start--
		}
		if start == end {
			end--
			continue
		}
		words[n] = s[start:end]
		n++
		end = start
	}
	for k := 1; k < n; k++ { // words[k] stands before words[k-1]
		switch strings.ToLower(strings.TrimLeft(words[k], "-")) {
		case "name", "key", "parameterkey", "parametername", "variable":
			for _, w := range words[:k] {
				if secretName(strings.Trim(w, "-.")) {
					return true
				}
			}
			return false
		}
	}
	return false
}

// bareName handles `config set NAME VALUE`.
func (m *masker) bareName(f *frame, name string, i, j int) {
	if f.set && j < len(m.s) && blank(m.s[j]) && (i == 0 || blank(m.s[i-1]) || m.s[i-1] == ':' || m.s[i-1] == '/') && secretName(name) {
		m.nextWord(j, 'w')
	}
}

// secretName reports whether name is the name of a secret.
func secretName(name string) bool {
	if name == "" || len(name) > 128 {
		return false
	}
	last := name[strings.LastIndexAny(name, "_-.")+1:]
	hump := lastHump(last)
	var room [128]byte
	end := lowered(room[:0], last)
	if harmlessEnd(string(end)) {
		return false
	}
	if secretEnd(string(end)) {
		return true
	}
	if len(hump) < len(last) {
		end = lowered(room[:0], hump)
		if harmlessEnd(string(end)) {
			return false
		}
		if secretEnd(string(end)) {
			return true
		}
	}
	flat := lowered(room[:0], name)
	for _, w := range secretNames() {
		if bytes.Contains(flat, w) {
			return true
		}
	}
	return false
}

// lowered appends the letters and digits of name in lower case.
func lowered(b []byte, name string) []byte {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			b = append(b, c|0x20)
		case c != '_' && c != '-' && c != '.':
			b = append(b, c)
		}
	}
	return b
}

// lastHump returns the last part of a camelCase word.
func lastHump(s string) string {
	for i := len(s) - 1; i > 0; i-- {
		if s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			return s[i:]
		}
	}
	return s
}

var schemes = []string{"bearer", "basic", "token", "digest", "negotiate", "ntlm", "apikey", "api-key", "key", "aws4-hmac-sha256", "hmac", "jwt", "oauth", "ssws", "dpop"}

// schemeEnd returns the end of an authentication scheme that is followed by one blank and more.
func schemeEnd(s string, i int) int {
	for _, scheme := range schemes {
		j := i + len(scheme)
		if j+1 < len(s) && s[j] == ' ' && strings.EqualFold(s[i:j], scheme) {
			return j
		}
	}
	return i
}
