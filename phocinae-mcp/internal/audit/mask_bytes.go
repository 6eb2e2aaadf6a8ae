package audit

import "strings"

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
