package audit

import (
	"bytes"
	"strings"
)

// small appends name in small letters, at most as much of it as b has room for: the names looked for are shorter.
func small(b []byte, name string) []byte {
	for i := 0; i < len(name) && len(b) < cap(b); i++ {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		b = append(b, c)
	}
	return b
}

// program remembers which program's options follow.
func (m *masker) program(f *frame, name string, i, j int) {
	if m.s[i] == '-' {
		return // -ab is an option, whatever program has that name
	}
	if f.wordStart || i > 0 && (m.s[i-1] == '/' || m.s[i-1] == '\\') {
		var room [24]byte
		base := bytes.TrimSuffix(small(room[:0], name), []byte(".exe"))
		if tool := attached(string(base)); tool != "" {
			f.tool, f.program = tool, string(base)
			return
		}
		switch string(base) {
		case "docker", "podman", "nerdctl", "buildah", "skopeo", "crane", "oras", "helm", "az", "oc", "cf":
			f.program = string(base)
		case "login":
			if tool := attached(f.program + " login"); tool != "" {
				f.tool = tool
			}
		case "set", "setx", "setenv", "config":
			f.set = true
		case "chpasswd":
			f.stdin = true
		case "sudo":
			f.program = "sudo"
		case "echo", "printf":
			f.echo = m.feeds(j)
		case "convertto-securestring":
			at := skipBlanks(m.s, j)
			if end := at + len("-String"); end <= len(m.s) && strings.EqualFold(m.s[at:end], "-String") {
				at = skipBlanks(m.s, end)
			}
			m.trigger(at, 'w')
		}
		if f.close != '\'' && f.close != '"' {
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
	if f.tool == "" || letter == '-' {
		return
	}
	how := f.tool.how(letter)
	value := i + 2
	if how == "" {
		how, value = m.cluster(f, i)
	}
	if how == "" || value >= len(s) {
		return
	}
	kind := byte('w')
	switch how {
	case "u":
		kind = 'u'
	case "c": // cookies, or the name of a file
		kind = 'h'
		at := skipBlanks(s, value)
		if word := s[at:min(len(s), at+256)]; !strings.Contains(word[:wordEnd(word)], "=") {
			return
		}
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

// wordEnd is where the first word of s ends, quotes not counted.
func wordEnd(s string) int {
	if n := strings.IndexAny(strings.TrimLeft(s, "'\""), " \t\r\n'\";|&<>"); n >= 0 {
		return n + len(s) - len(strings.TrimLeft(s, "'\""))
	}
	return len(s)
}

// cluster finds an option that takes a secret at the end of a group such as -sku.
func (m *masker) cluster(f *frame, i int) (how string, value int) {
	s := m.s
	j := i + 1
	for j < len(s) && j-i < 8 && (s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z') {
		j++
	}
	if j-i < 3 || j < len(s) && !blank(s[j]) || f.tool.how(s[j-1]) != "u" {
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
	if userOption(name) && f.tool.how('u') == "u" {
		m.nextWord(j, 'u')
		return
	}
	if len(name) < 3 && !strings.EqualFold(name, "pw") || !secretName(name) || switchName(name) {
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

// switchName reports an option that only speaks of a secret: --ask-pass takes no value.
func switchName(name string) bool {
	verb, _, found := strings.Cut(name, "-")
	return found && switchVerb(strings.ToLower(verb))
}
