package audit

import (
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendEscaped appends s as the inside of a JSON string. Beyond what JSON demands it escapes everything that can
// change how a terminal or an editor shows the rest of the line: DEL, C1 controls, bidirectional and zero-width
// characters, line separators, tags. Bytes that are not UTF-8 become \ufffd.
func appendEscaped(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			b = append(b, s[start:i]...)
			b = appendEscapedByte(b, c)
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if (r != utf8.RuneError || n > 1) && !hidden(r) {
			i += n
			continue
		}
		b = append(b, s[start:i]...)
		b = appendUnicodeEscape(b, r)
		i += n
		start = i
	}
	return append(b, s[start:]...)
}

func appendEscapedByte(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

func appendUnicodeEscape(b []byte, r rune) []byte {
	if r >= 0x10000 {
		r -= 0x10000
		b = appendUnicodeEscape(b, 0xd800+(r>>10))
		return appendUnicodeEscape(b, 0xdc00+(r&0x3ff))
	}
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// hidden reports whether r, which is not ASCII, is invisible or moves its neighbours.
func hidden(r rune) bool {
	switch {
	case r <= 0x9f, // C1
		r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0,
		r == 0x180e, r >= 0x17b4 && r <= 0x17b5,
		r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// Escape returns s with every character that could change how a terminal shows its surroundings written as \n, \t,
// \xNN or \u{N}; backslashes stay single. It is for eyes, not for reading back.
func Escape(s string) string {
	var b []byte
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		bad := r < 0x20 || r == 0x7f || (r == utf8.RuneError && n == 1) || (r >= 0x80 && hidden(r))
		if bad && b == nil {
			b = append(make([]byte, 0, len(s)+16), s[:i]...)
		}
		switch {
		case !bad:
			if b != nil {
				b = append(b, s[i:i+n]...)
			}
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case n == 1:
			b = append(b, '\\', 'x', hexDigits[s[i]>>4], hexDigits[s[i]&15])
		default:
			b = append(b, `\u{`...)
			b = appendHex(b, uint32(r)) //nolint:gosec // a rune of a decoded text is not negative
			b = append(b, '}')
		}
		i += n
	}
	if b == nil {
		return s
	}
	return string(b)
}

func appendHex(b []byte, v uint32) []byte {
	shift := 28
	for shift > 0 && v>>shift == 0 {
		shift -= 4
	}
	for ; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[v>>shift&15])
	}
	return b
}
