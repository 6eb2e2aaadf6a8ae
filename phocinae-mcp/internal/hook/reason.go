package hook

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxReason bounds a reason in bytes of its JSON form; hosts cut or refuse longer ones.
const maxReason = 1900

const product = "phocinae-mcp"

// decisionText renders a decision for the person or model that reads it. It is never empty.
func decisionText(d Decision) string {
	var b strings.Builder
	switch d.Verdict {
	case Allow:
		b.WriteString(product + " allows this command")
	case Ask:
		b.WriteString(product + " wants a person to decide about this command")
	default:
		b.WriteString(product + " refused this command")
	}
	details(&b, d)
	return clean(b.String(), maxReason)
}

// unaskedText renders an ask for a host that has no way to ask. How to go on comes last and must survive a long reason.
func unaskedText(d Decision, h Host) string {
	how := fmt.Sprintf(" A hook of %s cannot ask: a person who agrees can run the command in their own terminal, or add a rule for it to the gate's table. Do not retry it in another form.", hostTitle(h))
	var b strings.Builder
	b.WriteString(product + " refused this command: it needs a person's approval")
	details(&b, d)
	return clean(b.String(), maxReason-len(how)) + how
}

func details(b *strings.Builder, d Decision) {
	if s := strings.TrimSpace(d.Reason); s != "" {
		b.WriteString(": " + strings.TrimRight(s, ". "))
	}
	if d.Rule != "" {
		b.WriteString(" [" + d.Rule + "]")
	}
	b.WriteString(".")
	if s := strings.TrimSpace(d.Instead); s != "" {
		b.WriteString(" Instead: " + s)
	}
}

// failureText renders a refusal that says nothing about the command, only that it could not be judged.
func failureText(why string) string {
	why = strings.TrimRight(strings.TrimSpace(why), ". ")
	if why == "" {
		why = "unknown failure"
	}
	const tail = ". This says nothing about the command itself; run phocinae-mcp doctor to find out what is wrong."
	return clean(product+" could not judge this call and refuses it: "+why, maxReason-len(tail)) + tail
}

func hostTitle(h Host) string {
	switch h {
	case Claude:
		return "Claude Code"
	case Codex:
		return "Codex"
	case Gemini:
		return "Gemini CLI"
	case Copilot:
		return "Copilot"
	case Cursor:
		return "Cursor"
	}
	return "this host"
}

func trimPrefix(err error) string { return strings.TrimPrefix(err.Error(), "hook: ") }

// clean makes s safe to show: valid UTF-8, with control, bidirectional and other invisible characters as escapes, and at most limit bytes as JSON.
func clean(s string, limit int) string {
	const mark = "…"
	var b strings.Builder
	size, cut := 0, 0 // bytes as JSON; where to cut if it does not fit
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		piece := s[i : i+n]
		switch {
		case r == utf8.RuneError && n == 1:
			piece = fmt.Sprintf(`\x%02x`, s[i])
		case invisible(r):
			piece = escape(r)
		}
		i += n
		if size += jsonSize(piece); size > limit {
			return b.String()[:cut] + mark
		}
		b.WriteString(piece)
		if size+len(mark) <= limit {
			cut = b.Len()
		}
	}
	return b.String()
}

func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || (unicode.Is(unicode.Zs, r) && r != ' ')
}

func escape(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// jsonSize is the length of s inside a JSON string; invisible characters are already gone.
func jsonSize(s string) int { return len(s) + strings.Count(s, `\`) + strings.Count(s, `"`) }
