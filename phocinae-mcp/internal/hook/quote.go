package hook

import "strings"

// quoteWords writes words as one POSIX shell command that a shell reads back as exactly these words. Words that could be read as
// anything but themselves (an assignment, a reserved word, a pattern) are quoted.
func quoteWords(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if plainWord(w) && (i > 0 || !reserved(w)) {
			b.WriteString(w)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return b.String()
}

func plainWord(w string) bool {
	for i := range len(w) {
		c := w[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case strings.IndexByte("_@%+:,./-", c) >= 0:
		default:
			return false
		}
	}
	return w != ""
}

// reserved reports words that mean something else at the head of a command.
func reserved(w string) bool {
	switch w {
	case "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for", "in", "function", "select", "time", "coproc",
		"repeat", "foreach", "end", "nocorrect":
		return true
	}
	return false
}
