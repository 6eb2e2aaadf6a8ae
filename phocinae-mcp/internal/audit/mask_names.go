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
	if at := skipBlanks(s, j); (name == "Bearer" || name == "bearer") && at > j && looksRandom(s[at:]) {
		m.trigger(at, 'w') // the scheme without its header
		return
	}
	sep, value, blanks := separator(s, j)
	isOption := s[i] == '-'
	switch {
	case sep == 0 && isOption:
		m.optionValue(f, name, j)
	case sep == 0:
		m.bareName(f, name, i, j)
	case sep == '>' && (i == 0 || s[i-1] != '<'):
	case sep == ':':
		m.colon(f, name, i, value, blanks)
	case secretName(name) && !(pwdName(name) && value < len(s) && strings.IndexByte("/$~.", s[value]) >= 0):
		m.trigger(value, 'w')
	case isOption && f.tool != nil && userOption(name) && f.tool['u'] == "u":
		m.trigger(value, 'u')
	}
}

func pwdName(name string) bool { return name == "PWD" || name == "OLDPWD" }

func userOption(name string) bool { return name == "user" || name == "proxy-user" }

// colon decides about name:value.
func (m *masker) colon(f *frame, name string, i, value int, blanks bool) {
	s := m.s
	lower := strings.ToLower(name)
	quoted := f.close == '\'' || f.close == '"'
	switch {
	case secretHeaders[lower]:
		m.trigger(value, 'h')
	case !secretName(name):
	case value >= len(s):
	case strings.HasPrefix(lower, "x-") || strings.HasSuffix(lower, "-token") && quoted:
		m.trigger(value, 'h')
	case valueQuoted(s, value), blanks && (quoted || lineStart(s, i)):
		m.trigger(value, 'w')
	case blanks:
	case f.program == "openssl" && name == "pass", i > 0 && s[i-1] == '/' && (i == 1 || blank(s[i-2])):
		m.trigger(value, 'w')
	case looksRandom(s[value:]):
		m.trigger(value, 'w')
	}
}

func valueQuoted(s string, i int) bool {
	for i < len(s) && s[i] == '\\' {
		i++
	}
	return i < len(s) && (s[i] == '"' || s[i] == '\'')
}

func lineStart(s string, i int) bool {
	for i > 0 && (s[i-1] == ' ' || s[i-1] == '\t' || s[i-1] == '"' || s[i-1] == '-') {
		i--
	}
	return i > 0 && s[i-1] == '\n'
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
		if after > k && k == j && c == ':' {
			return 0, 0, false
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
		return c, end, end > v || k > j // a quoted name is data, like one with a blank behind its colon
	case '>':
		if after == j {
			return '>', after + 1, false
		}
	}
	return 0, 0, false
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
	if harmlessEnds[string(end)] {
		return false
	}
	if secretEnds[string(end)] {
		return true
	}
	if len(hump) < len(last) {
		end = lowered(room[:0], hump)
		if harmlessEnds[string(end)] {
			return false
		}
		if secretEnds[string(end)] {
			return true
		}
	}
	flat := lowered(room[:0], name)
	for _, w := range secretNames {
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
