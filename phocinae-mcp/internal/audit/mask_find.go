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

// looksRandom reports whether the word at the beginning of s has at least 8 characters and a digit: enough to take
// image:tag and task:name for what they are.
func looksRandom(s string) bool {
	n, digit := 0, false
	for n < len(s) && n < 64 && secretWidth(s[n:]) == 1 && s[n] != '/' {
		digit = digit || s[n] >= '0' && s[n] <= '9'
		n++
	}
	return n >= 8 && digit
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

// program remembers which program's options follow.
func (m *masker) program(f *frame, name string, i, j int) {
	if f.wordStart || i > 0 && (m.s[i-1] == '/' || m.s[i-1] == '\\') {
		base := strings.TrimSuffix(name, ".exe")
		if tool, ok := attached[base]; ok {
			f.tool, f.program = tool, base
			return
		}
		switch base {
		case "docker", "podman", "nerdctl", "buildah", "skopeo", "crane", "oras", "helm", "az", "oc", "cf":
			f.program = base
		case "login":
			if tool, ok := attached[f.program+" login"]; ok {
				f.tool = tool
			}
		case "set", "setx", "setenv", "config":
			f.set = true
		case "chpasswd", "--password-stdin", "--stdin":
			f.stdin = true
		case "sudo":
			f.program = "sudo"
		case "echo", "printf":
			f.echo = m.feeds(j)
		case "ConvertTo-SecureString":
			at := skipBlanks(m.s, j)
			if rest, ok := strings.CutPrefix(m.s[at:], "-String"); ok {
				at = skipBlanks(m.s, len(m.s)-len(rest))
			}
			m.trigger(at, 'w')
		}
		if m.s[i] != '-' && f.close != '\'' && f.close != '"' {
			f.whole = false
		}
	}
}

// stdinReaders are the words of commands that read a secret from their input.
var stdinReaders = []string{"chpasswd", "--password-stdin", "--stdin", "sudo -S", "sudo -kS", "passwd ", "smbpasswd", "cryptsetup", "--passphrase-fd", "--with-token"}

// feeds reports how the words of an echo are to be covered: its pipe must lead to a command that reads a secret.
func (m *masker) feeds(j int) byte {
	line := m.s[j:min(len(m.s), j+1024)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	_, pipe, ok := strings.Cut(line, "|")
	if !ok {
		return 0
	}
	if n := strings.IndexAny(pipe, ";&"); n >= 0 {
		pipe = pipe[:n]
	}
	for _, w := range stdinReaders {
		if strings.Contains(pipe, w) {
			if w == "chpasswd" {
				return 'u'
			}
			return 'w'
		}
	}
	return 0
}

// option handles short options that take a secret, glued on or as the next word.
func (m *masker) option(f *frame, i int) {
	s := m.s
	if i+1 >= len(s) {
		return
	}
	letter := s[i+1]
	if letter == 'S' && f.program == "sudo" || strings.HasPrefix(s[i:], "--password-stdin") || strings.HasPrefix(s[i:], "--stdin") {
		f.stdin = true
	}
	f.whole = letter == 'e' || strings.HasPrefix(s[i:], "--env") || strings.HasPrefix(s[i:], "--build-arg") || strings.HasPrefix(s[i:], "--set")
	if f.tool == nil || letter == '-' {
		return
	}
	how := f.tool[letter]
	value := i + 2
	if how == "" {
		how, value = m.cluster(f, i)
	}
	if how == "" || value >= len(s) {
		return
	}
	kind := byte('w')
	if how == "u" {
		kind = 'u'
	}
	if !blank(s[value]) {
		if strings.IndexByte(";|&<>)\n", s[value]) < 0 && s[value] != f.close {
			m.trigger(value, kind)
		}
		return
	}
	if how != "=" {
		m.nextWord(value, kind)
	}
}

// cluster finds an option that takes a secret at the end of a group such as -sku.
func (m *masker) cluster(f *frame, i int) (how string, value int) {
	s := m.s
	j := i + 1
	for j < len(s) && j-i < 8 && (s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z') {
		j++
	}
	if j-i < 3 || j < len(s) && !blank(s[j]) || f.tool[s[j-1]] != "u" {
		return "", 0
	}
	return "u", j
}

// nextWord puts the trigger on the word after blanks, unless it is another option.
func (m *masker) nextWord(j int, kind byte) {
	at := skipBlanks(m.s, j)
	if strings.HasPrefix(m.s[at:], "\\\n") {
		at = skipBlanks(m.s, at+2)
	}
	if at >= len(m.s) || at == j || strings.IndexByte("-;|&<>)\n", m.s[at]) >= 0 {
		return
	}
	m.trigger(at, kind)
}

// optionValue handles --password VALUE.
func (m *masker) optionValue(f *frame, name string, j int) {
	if userOption(name) && f.tool != nil && f.tool['u'] == "u" {
		m.nextWord(j, 'u')
		return
	}
	if len(name) < 3 || !secretName(name) || strings.HasPrefix(strings.ToLower(name), "no-") {
		return
	}
	at := skipBlanks(m.s, j)
	for _, field := range []string{"id=", "source=", "type=", "src="} { // build secrets are named, not given
		if strings.HasPrefix(m.s[at:], field) {
			return
		}
	}
	m.nextWord(j, 'w')
}

// bareName handles `config set NAME VALUE`.
func (m *masker) bareName(f *frame, name string, i, j int) {
	if f.set && j < len(m.s) && blank(m.s[j]) && (i == 0 || blank(m.s[i-1]) || m.s[i-1] == ':' || m.s[i-1] == '/') && secretName(name) {
		m.nextWord(j, 'w')
	}
}

// shape covers the token of a known vendor that begins at i and returns its end, or i.
func (m *masker) shape(i int) int {
	s := m.s
	for _, sh := range shapesByByte[s[i]] {
		if !strings.HasPrefix(s[i:], sh.prefix) {
			continue
		}
		at := i + len(sh.prefix)
		n, digit := 0, false
		for at+n < len(s) && (n < sh.min || sh.digit && !digit && n < 256) && inClass(s[at+n], sh.class) {
			digit = digit || s[at+n] >= '0' && s[at+n] <= '9'
			n++
		}
		if n < sh.min || sh.digit && !digit {
			continue
		}
		end := at + n
		for end < len(s) && (inClass(s[end], sh.class) || wordByte(s[end]) || s[end] == '-') {
			end++
		}
		for k := at; k < end; k++ {
			m.mark(k)
		}
		return end
	}
	return i
}

func inClass(c, class byte) bool {
	alnum := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	switch class {
	case 'a':
		return alnum
	case 'A':
		return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z'
	case 'x':
		return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
	case 'd':
		return alnum || c == '_' || c == '-' || c == '.'
	case 'p':
		return alnum || c == '_' || c == '-' || c == '/'
	}
	return alnum || c == '_' || c == '-'
}

// botToken covers the second half of 123456789:AA… (Telegram).
func (m *masker) botToken(name string, j int) bool {
	digits := strings.TrimPrefix(name, "bot")
	if len(digits) < 8 || len(digits) > 10 || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	s := m.s
	if j+31 >= len(s) || s[j] != ':' {
		return false
	}
	end := j + 1
	for end < len(s) && inClass(s[end], 'w') {
		end++
	}
	if end-j-1 < 30 {
		return false
	}
	for k := j + 1; k < end; k++ {
		m.mark(k)
	}
	return true
}

// url covers the password in the authority that begins at i, behind "://".
func (m *masker) url(i int) int {
	s := m.s
	end := authorityEnd(s, i)
	colon, at := strings.IndexByte(s[i:end], ':'), strings.LastIndexByte(s[i:end], '@')
	if colon >= 0 {
		colon += i
	}
	if at >= 0 {
		at += i
	}
	if at < 0 && colon >= 0 && end < len(s) && strings.IndexByte("/?#", s[end]) >= 0 && strings.Trim(s[colon+1:end], "0123456789") != "" {
		at = m.lateAt(end) // a password with a slash in it that nobody escaped
		if at >= 0 {
			at += strings.LastIndexByte(s[at:authorityEnd(s, at)], '@') // and perhaps an @ as well
		}
	}
	switch {
	case at < 0:
		return i
	case colon >= 0 && colon < at:
		m.hideSpan(colon+1, at)
	case at-i >= 20 && strings.ContainsAny(s[i:at], "0123456789"):
		m.hideSpan(i, at)
	default:
		return i
	}
	return at
}

// authorityEnd is where the authority of an address that begins at i, or a part of it, ends.
func authorityEnd(s string, i int) int {
	if n := strings.IndexAny(s[i:], " \t\r\n'\"`<>|;()/?#\\"); n >= 0 {
		return i + n
	}
	return len(s)
}

// lateAt finds the next '@' of the word. The place of the last search is kept, so that many "://" in one word cost no
// more than one.
func (m *masker) lateAt(i int) int {
	if m.nextAt < i {
		m.nextAt = i
		for m.nextAt < len(m.s) && m.s[m.nextAt] != '@' && strings.IndexByte(" \t\r\n'\"`<>|;()", m.s[m.nextAt]) < 0 {
			m.nextAt++
		}
	}
	if m.nextAt < len(m.s) && m.s[m.nextAt] == '@' {
		return m.nextAt
	}
	return -1
}

// hideSpan covers what can be secret in a span without quotes; variables with upper-case names stay.
func (m *masker) hideSpan(i, end int) {
	s := m.s
	for i < end {
		if s[i] == '$' {
			j := i + 1
			if j < end && s[j] == '{' {
				j++
			}
			k := identEnd(s[:end], j)
			if allCaps(s[j:k]) || i > 0 && s[i-1] == ':' && (k == end || k == end-1 && s[k] == '}') {
				i = k
				continue
			}
			i = j
			continue
		}
		n := secretWidth(s[i:end])
		for k := i; k < i+n; k++ {
			m.mark(k)
		}
		i += max(n, -n)
	}
}

const pemOpen = "-----BEGIN "

// pem covers the body of a private key block that begins at i and returns where it ends.
func (m *masker) pem(i int) int {
	s := m.s
	head := s[i:min(len(s), i+80)]
	n := strings.Index(head, "PRIVATE KEY")
	if n < 0 {
		return i
	}
	close := strings.Index(head[n:], "-----")
	if close < 0 {
		return i
	}
	i += n + close + 5
	long := false // a short run is a key's last line only after a long one
	for i < len(s) {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
			continue
		case c == '\\' && i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 'r' || s[i+1] == '\n'):
			i += 2
			continue
		}
		j := i
		for j < len(s) && (inClass(s[j], 'a') || s[j] == '+' || s[j] == '/' || s[j] == '=') {
			j++
		}
		switch {
		case j == i:
			return i
		case j < len(s) && (s[j] == '-' || s[j] == ':') && pemHeader(s[i:]) > 0:
			i += pemHeader(s[i:])
			continue
		case j-i < 16 && !long:
			return i
		}
		long = j-i >= 16
		for k := i; k < j; k++ {
			m.mark(k)
		}
		i = j
	}
	return i
}

// pemHeader returns the length of the header line at the beginning of s, 0 if it is none.
func pemHeader(s string) int {
	for _, name := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:"} {
		if strings.HasPrefix(s, name) {
			line := s[:min(len(s), 160)]
			if n := strings.IndexAny(line, "\n\\'\";"); n >= 0 {
				return n
			}
			return len(line)
		}
	}
	return 0
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

const (
	classWord  = 1 << iota // [A-Za-z0-9_]
	className              // these and - .
	classBinds             // can bind a value to a name, or begin a place where one stands
)

// byteClass is made once and never changed.
var byteClass = func() (t [256]byte) {
	for c := range 256 {
		b := byte(c)
		if inClass(b, 'a') || b == '_' {
			t[c] = classWord | className
		}
		if b == '-' || b == '.' {
			t[c] = className
		}
		if strings.IndexByte("=:-<>|{@", b) >= 0 {
			t[c] |= classBinds
		}
	}
	return t
}()

func nameByte(c byte) bool { return byteClass[c]&className != 0 }

func wordByte(c byte) bool { return byteClass[c]&classWord != 0 }

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

func identEnd(s string, i int) int {
	for i < len(s) && wordByte(s[i]) {
		i++
	}
	return i
}

func allCaps(s string) bool {
	if len(s) < 2 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && c != '_' && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return true
}
