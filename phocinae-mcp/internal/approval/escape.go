package approval

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible reports whether r shows as itself and moves nothing around it.
func visible(r rune) bool {
	switch r {
	case ' ':
		return true
	case '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2800', '\u3164', '\uffa0': // blank, although letters, marks or symbols
		return false
	}
	switch {
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		return false
	}
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Zs, unicode.Cf, unicode.Co)
}

// escapeTo writes s as one line: what is not visible is written as an escape, so that it can neither hide nor rearrange
// its neighbours. Bytes that are not UTF-8 appear as \xNN.
func escapeTo(b *strings.Builder, s string) {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(b, `\x%02x`, s[i])
		case visible(r):
			b.WriteString(s[i : i+n])
		default:
			escapeRune(b, r)
		}
		i += n
	}
}

func escapeRune(b *strings.Builder, r rune) {
	switch r {
	case '\n':
		b.WriteString(`\n`)
	case '\r':
		b.WriteString(`\r`)
	case '\t':
		b.WriteString(`\t`)
	default:
		fmt.Fprintf(b, `\u{%X}`, r)
	}
}

// Escape returns s as one line that can be shown to a person.
func Escape(s string) string {
	var b strings.Builder
	escapeTo(&b, s)
	return b.String()
}

// quoteWidth is the longest quoted line, in characters. A viewer that wraps by itself would start a row with foreign text.
const quoteWidth = 96

// quote writes foreign text so that no row of it can be taken for the gate's own: every line begins with a mark, and long
// lines are broken with another mark.
func quote(b *strings.Builder, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		rest := []rune(Escape(line))
		mark := "> "
		for {
			n := min(len(rest), quoteWidth)
			b.WriteString(mark)
			b.WriteString(string(rest[:n]))
			b.WriteByte('\n')
			rest = rest[n:]
			if len(rest) == 0 {
				break
			}
			mark = ">+ "
		}
	}
}

// foreignHosts finds words that look like host names and hold letters outside ASCII: such a letter can be made to look
// like another one.
func foreignHosts(command string) []string {
	var out []string
	seen := map[string]bool{}
	words := strings.FieldsFunc(command, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("/'\"`()<>|&;,=@:?#\\$[]{}", r)
	})
	for _, w := range words {
		if !strings.Contains(w, ".") && !strings.Contains(command, "://"+w) && !strings.Contains(command, "@"+w) {
			continue
		}
		if !seen[w] && strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII }) {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// spell writes s with every character outside ASCII as an escape.
func spell(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r > ' ' && r < unicode.MaxASCII {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%X}`, r)
		}
	}
	return b.String()
}
