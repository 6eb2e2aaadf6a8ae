package audit

import "strings"

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

// shape covers the token of a known vendor that begins at i and returns its end, or i.
func (m *masker) shape(i int) int {
	s := m.s
	for _, sh := range shapesByByte()[s[i]] {
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
