package gatecore

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// hygiene looks at the raw text. It returns the text to read; its findings are added to the
// reading and never replace it.
func (j *judge) hygiene(s string) string {
	if !utf8.ValidString(s) {
		j.fire(ruleUTF8, 0, len(s))
		s = strings.ToValidUTF8(s, "\uFFFD")
		j.fixed, j.spanA, j.spanB = true, 0, len(j.src)
	}
	if strings.IndexByte(s, 0) >= 0 {
		j.fire(ruleNUL, 0, len(s))
		s = strings.ReplaceAll(s, "\x00", "")
		j.fixed, j.spanA, j.spanB = true, 0, len(j.src)
	}
	if len(s) > maxCodePoints && utf8.RuneCountInString(s) > maxCodePoints {
		j.fire(ruleLong, 0, len(s))
		s = firstRunes(s, maxCodePoints)
	}
	if i := strings.IndexFunc(s, invisible); i >= 0 {
		_, n := utf8.DecodeRuneInString(s[i:])
		j.fire(ruleInvisible, i, i+n)
	}
	if i := strings.IndexByte(s, '\r'); i >= 0 {
		if !plainCRLF(s) {
			j.fire(ruleCR, i, i+1)
		}
		s = strings.ReplaceAll(s, "\r\n", "\n")
		j.fixed, j.spanA, j.spanB = true, 0, len(j.src)
	}
	return s
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// plainCRLF reports whether every line ends CRLF (the last may have no end) and nothing in the
// text gives a carriage return a meaning.
func plainCRLF(s string) bool {
	if strings.Contains(s, "\\\r") || strings.Contains(s, "<<") {
		return false
	}
	for line := range strings.SplitSeq(s, "\r\n") {
		// A redirection at the end of a line would go to a file whose name ends in the carriage return.
		f := strings.Fields(line)
		if strings.ContainsAny(strings.Join(f[max(0, len(f)-2):], ""), "<>") {
			return false
		}
	}
	return strings.Count(s, "\r") == strings.Count(s, "\r\n") && strings.Count(s, "\n") == strings.Count(s, "\r\n")
}

// invisible reports runes that a person does not see or that reorder what is seen.
func invisible(r rune) bool {
	if r < 0x7f {
		return r < 0x20 && r != '\n' && r != '\t' && r != '\r'
	}
	switch {
	case r >= 0x7f && r < 0xa0, r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f,
		r == 0x3164, r == 0xffa0, r >= 0xe0000 && r <= 0xe0fff, r == 0x2800:
		return true
	}
	return unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029
}

var openerWords = [...]string{"if", "case", "while", "until", "for", "select", "then", "do"}

// openers counts what can nest. It over-counts: quotes are not looked at.
func openers(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(' || c == '{' || c == '`':
			n++
		case c >= 'a' && c <= 'w' && (i == 0 || !tokenByte(s[i-1])):
			k := i
			for k < len(s) && tokenByte(s[k]) {
				k++
			}
			for _, w := range openerWords {
				if s[i:k] == w {
					n++
				}
			}
			i = k - 1
		}
	}
	return n
}

func tokenByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/'
}

func (j *judge) level() *levelParsers {
	for len(j.parsers) <= j.depth {
		j.parsers = append(j.parsers, levelParsers{})
	}
	return &j.parsers[j.depth]
}

func (j *judge) parser(posix bool) *syntax.Parser {
	l := j.level()
	if posix {
		if l.posix == nil {
			l.posix = syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangPOSIX))
		}
		return l.posix
	}
	if l.bash == nil {
		l.bash = syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash))
	}
	return l.bash
}

func (j *judge) recoverer() *syntax.Parser {
	l := j.level()
	if l.recover == nil {
		l.recover = syntax.NewParser(syntax.KeepComments(true), syntax.RecoverErrors(20))
	}
	return l.recover
}

// script reads text as a shell would and judges every statement of it.
func (j *judge) script(sc *scope, text string) flow {
	n := openers(text)
	if n > maxOpeners {
		j.fire(ruleOpeners, 0, len(text))
		j.lines(sc, text)
		return flow{}
	}
	if list := plainText(text, &j.mem.plain); list != nil && !posixDiffers(text) {
		return j.stmts(sc, list) // nothing in it calls for a guard or a second reading
	}
	f, err := j.parser(false).Parse(strings.NewReader(text), "")
	if err != nil {
		j.fire(ruleSyntax, 0, len(text))
		j.broken(sc, text)
	}
	var out flow
	if at := splitToken(text); at >= 0 {
		j.fire(ruleNode, at, at+2)
		j.denyOnlyText(sc, strings.ReplaceAll(text, "\\\n", ""))
	}
	if err == nil {
		if at := j.guards(f, text); at >= 0 {
			j.denyOnlyText(sc, text[:at]+"\\"+text[at:])
		}
		if !j.posix && posixDiffers(text) {
			j.posixReading(sc.clone(), text)
		}
		out = j.stmts(sc, f.Stmts)
	}
	return out
}

// splitToken returns where a backslash-newline stands inside an operator or an expansion, as in $\<newline>(ls): shells
// remove it first and read one token, the parser reads two. -1 if nowhere.
func splitToken(s string) int {
	for i := 1; i+2 < len(s); i++ {
		if s[i] != '\\' || s[i+1] != '\n' || s[i-1] == '\\' {
			continue
		}
		next := s[i+2]
		switch prev := s[i-1]; {
		case prev == '$' && next != ' ' && next != '\t' && next != '\n',
			strings.IndexByte("<>&|;([{!", prev) >= 0 && strings.IndexByte("<>&|;([{\\-", next) >= 0:
			return i
		}
	}
	return -1
}

// denyOnlyText judges another form of the text for deny.
func (j *judge) denyOnlyText(sc *scope, text string) {
	j.muted++
	j.nested(sc.clone(), text, 0, len(j.text))
	j.muted--
}

// posixDiffers reports whether text holds a form that POSIX shells read otherwise.
func posixDiffers(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		switch s[i] {
		case '$':
			if s[i+1] == '\'' || s[i+1] == '[' || s[i+1] == '"' {
				return true
			}
		case '[', '(':
			if s[i+1] == s[i] {
				return true
			}
		case '&':
			if s[i+1] == '>' {
				return true
			}
		case '|':
			if s[i+1] == '&' {
				return true
			}
		case '<', '>':
			if s[i+1] == '(' || s[i+1] == '<' && strings.HasPrefix(s[i:], "<<<") {
				return true
			}
		case '=':
			if s[i+1] == '(' {
				return true
			}
		case 'f':
			if strings.HasPrefix(s[i:], "function") {
				return true
			}
		}
	}
	return false
}

// dollarQuotes makes of bash's $'…' and $"…" what POSIX shells read: a dollar sign in front of plain quotes.
var dollarQuotes = strings.NewReplacer(`$'`, `\$'`, `$"`, `\$"`)

// posixReading judges the text as a POSIX shell reads it. What does not parse there would not run
// there; the statements before the error are still judged for deny.
func (j *judge) posixReading(sc *scope, text string) {
	if !j.spend(len(text)) {
		return
	}
	j.posix = true
	defer func() { j.posix = false }()
	stmts, err := statements(j.parser(true), text)
	if err != nil {
		// dash complains about a form such as ${x/a/b} only when it comes to it, so what its quotes let run counts.
		j.rewritten(sc, text, dollarQuotes)
		j.muted++
		defer func() { j.muted-- }()
	}
	j.stmts(sc, stmts)
}

// spend takes n bytes from the budget of re-parsed text.
func (j *judge) spend(n int) bool {
	j.reparse -= n
	if j.reparse < 0 {
		j.fire(ruleBudget, 0, len(j.text))
		return false
	}
	return true
}

// statements returns the statements before the first error, and that error.
func statements(p *syntax.Parser, text string) (before []*syntax.Stmt, failed error) {
	for s, err := range p.StmtsSeq(strings.NewReader(text)) {
		// No break: the sequence may yield its error twice, and yielding after a break is a panic (mvdan/sh v3.14.1).
		switch {
		case err != nil && failed == nil:
			failed = err
		case failed == nil:
			before = append(before, s)
		}
	}
	return before, failed
}

// broken reads text that does not parse, for deny only: the statements before the error, each
// later line by itself, and a recovered tree.
func (j *judge) broken(sc *scope, text string) {
	j.muted++
	defer func() { j.muted-- }()
	if !j.spend(2 * len(text)) {
		return
	}
	before, _ := statements(j.parser(false), text)
	j.stmts(sc.clone(), before)
	j.recovered(sc.clone(), text)
	j.lines(sc, text)
	// The parser wants plain names behind a declaration, bash takes any word: read it as a builtin called by another.
	j.rewritten(sc, text, declarations)
}

// rewritten judges the text in another form that says the same to a shell, if r, which only inserts, finds anything in it and the
// parser can read it then.
func (j *judge) rewritten(sc *scope, text string, r *strings.Replacer) {
	form := r.Replace(text)
	if len(form) == len(text) || !j.spend(len(form)) {
		return
	}
	if f, err := j.parser(false).Parse(strings.NewReader(form), ""); err == nil {
		j.stmts(sc.clone(), f.Stmts)
	}
}

var declarations = strings.NewReplacer("export ", "command export ", "declare ", "command declare ", "typeset ", "command typeset ", "readonly ", "command readonly ", "local ", "command local ")

func (j *judge) recovered(sc *scope, text string) {
	before := *j
	defer func() {
		// A guessed tree can hold nil nodes anywhere. It only serves deny, and the
		// finding that the text is broken stands. Everything but the findings goes back to what it was; no parser is
		// trusted after a panic. Memory that the tree took stays taken.
		if recover() != nil {
			findings, steps := j.findings, j.steps
			*j = before
			j.findings, j.steps, j.parsers = findings, steps, nil
		}
	}()
	if f, err := j.recoverer().Parse(strings.NewReader(text), ""); err == nil && f != nil {
		j.stmts(sc, f.Stmts)
	}
}

// lines judges every line by itself, for deny only.
func (j *judge) lines(sc *scope, text string) {
	j.muted++
	defer func() { j.muted-- }()
	sc = sc.clone()
	for n := 0; text != "" && n < 400; n++ {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if strings.TrimSpace(line) == "" || openers(line) > maxOpeners || !j.spend(len(line)) {
			continue
		}
		f, err := j.parser(false).Parse(strings.NewReader(line), "")
		if err == nil {
			j.stmts(sc, f.Stmts)
			continue
		}
		before, _ := statements(j.parser(false), line)
		j.stmts(sc, before)
	}
}

// nested judges text that was made from a word: it carries the word's span.
func (j *judge) nested(sc *scope, text string, a, b int) flow {
	if strings.TrimSpace(text) == "" {
		return flow{known: true}
	}
	if j.depth+1 >= maxDepth || !j.spend(len(text)) {
		j.fire(ruleBudget, a, b)
		return flow{}
	}
	a, b = j.span(a, b)
	fixed, sa, sb, outer := j.fixed, j.spanA, j.spanB, j.text
	j.fixed, j.spanA, j.spanB, j.text = true, a, b, text
	mode, sites, mul := j.mode, j.sites, j.modeMul
	j.depth++
	if strings.Contains(text, dynMark) {
		j.fire(ruleCodeDyn, a, b)
		text = strings.ReplaceAll(text, dynMark, "${_unknown}")
	}
	out := j.script(sc, text)
	if j.at.Dialect == AutoDialect && looksWindows(text) {
		j.muted++ // for deny, as at the top
		j.windows(text, false)
		j.windows(text, true)
		j.muted--
	}
	j.depth--
	j.mode, j.sites, j.modeMul = mode, sites, mul
	j.fixed, j.spanA, j.spanB, j.text = fixed, sa, sb, outer
	return out
}

// document judges the substitutions of a string that bash expands once more.
func (j *judge) document(sc *scope, text string, a, b int) {
	if !strings.ContainsAny(text, "$`") {
		return
	}
	if j.depth+1 >= maxDepth || !j.spend(len(text)) || openers(text) > maxOpeners {
		j.fire(ruleBudget, a, b)
		return
	}
	text = strings.ReplaceAll(text, dynMark, "_")
	a, b = j.span(a, b)
	fixed, sa, sb, outer := j.fixed, j.spanA, j.spanB, j.text
	j.fixed, j.spanA, j.spanB, j.text = true, a, b, text
	j.depth++
	w, err := j.parser(false).Document(strings.NewReader(text))
	if err != nil {
		j.fire(ruleSyntax, a, b)
	} else if w != nil {
		j.substitutions(sc, w)
	}
	j.depth--
	j.fixed, j.spanA, j.spanB, j.text = fixed, sa, sb, outer
}

func validName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func nameStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
