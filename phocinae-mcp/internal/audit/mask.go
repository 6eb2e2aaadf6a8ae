package audit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mask returns text with what looks like a secret replaced by "****", once for each run of characters.
//
// It knows the shapes of well-known vendors' tokens, passwords in URLs, private key blocks, Authorization and cookie
// headers, and values that stand behind a secret's name: assignments, JSON and XML members, query parameters, long
// options, and the short options of programs known to take a password that way. It reads the text as a shell does
// (quotes, substitutions, separators), so that a mask ends where the word ends: it never covers blanks, quotes,
// separators, redirections, $(…) or `…`; a command cannot be made invisible by putting it behind "password=".
//
// Mask(Mask(s)) = Mask(s), the length of a secret is not shown, and the time is linear in the length of the text. What
// Mask cannot know is a secret that neither looks like one nor stands behind a name (`login bob hunter2`).
func Mask(text string) string {
	if dull(text) {
		return text
	}
	return mask(text)
}

func mask(text string) string {
	m := masker{s: text, triggerAt: -1}
	m.stack = append(m.room[:0], frame{wordStart: true})
	for i := 0; i < len(text); {
		i = m.step(i)
	}
	return m.result()
}

// dullWords are words, by their first letter, without which a name and a blank mean nothing, and the beginnings of
// tokens that consist of short runs.
var dullWords = [256][]string{'s': {"set", "services/T"}, 'c': {"config"}, 'b': {"bearer"}, 'p': {"passw"}, 'a': {"api/webhooks/"}, 'i': {"identified"}}

// dull reports, in a fraction of the time of reading, that nothing in s can be a secret: no character that could bind
// a value to a name, and no run long enough for a token.
func dull(s string) bool {
	run := 0
	for i := range len(s) {
		switch class := byteClass[s[i]]; {
		case class&classBinds != 0:
			return false
		case class&className == 0:
			run = 0
			continue
		}
		if run++; run >= 12 {
			return false
		}
	}
	for i := range len(s) {
		for _, w := range dullWords[s[i]|0x20] {
			if len(s)-i >= len(w) && strings.EqualFold(s[i:i+len(w)], w) {
				return false
			}
		}
	}
	return true
}

// masker reads a text once from left to right.
type masker struct {
	s           string
	hide        []bool // per byte; nil until something is hidden
	stack       []frame
	room        [8]frame
	triggerAt   int  // where a value begins, found by looking ahead; -1: nowhere
	triggerKind byte // cover kind of that value
	nextAt      int  // first '@' at or after the place last asked about
}

// frame is one level of quoting or substitution.
type frame struct {
	close     byte // what ends it: ' " ` ) } or 0 for the text itself
	start     int  // first byte inside
	cover     cover
	tool      secretOptions // short options of the program named last in this command
	program   string
	set       bool // the command has a word like set or config: NAME VALUE may follow
	stdin     bool // the command reads a secret from its input
	echo      byte // kind of cover for the words of an echo that feeds such a command
	wordStart bool
	whole     bool // the word before says that this quoted text is one assignment
}

// cover says how the bytes of a frame are hidden at the moment.
type cover struct {
	kind   byte // 0 no, 'w' word, 'u' word after its first colon, 'q' the whole frame, 'h' header value, 'i' inner quotes
	inner  byte // 'i': the quote that ends it
	slash  int  // 'i': backslashes before that quote
	begun  bool // something was covered or kept since the cover began
	scheme bool // 'h': one blank may be passed (Bearer TOKEN)
}

const maxFrames = 64

func (m *masker) top() *frame { return &m.stack[len(m.stack)-1] }

// step handles the text at i and returns where to go on.
func (m *masker) step(i int) int {
	f := m.top()
	if i == m.triggerAt {
		m.triggerAt = -1
		if next, ok := m.begin(f, i, m.triggerKind); ok {
			return next
		}
	}
	if f.close != 0 && m.s[i] == f.close {
		return m.pop(i)
	}
	if f.cover.kind != 0 {
		return m.covered(f, i)
	}
	return m.plain(f, i)
}

// pop leaves a frame. A word cover outside goes on: in pass"word" both parts are one word.
func (m *masker) pop(i int) int {
	m.stack = m.stack[:len(m.stack)-1]
	m.top().wordStart = false
	return i + 1
}

func (m *masker) push(close byte, start int, c cover) {
	if len(m.stack) >= maxFrames {
		return
	}
	outer := m.top()
	f := frame{close: close, start: start, cover: c, wordStart: true}
	if close == '"' || close == '\'' {
		f.tool, f.program, f.echo = outer.tool, outer.program, 0
		f.whole = outer.whole
	}
	outer.wordStart = false
	m.stack = append(m.stack, f)
}

// plain reads text that is not covered.
func (m *masker) plain(f *frame, i int) int {
	s, c := m.s, m.s[i]
	if f.wordStart && f.echo != 0 && strings.IndexByte(" \t\r\n;|&<>-", c) < 0 {
		f.wordStart = false
		f.cover = cover{kind: f.echo}
		return i
	}
	if n := m.lex(f, i, cover{}); n > 0 {
		return n
	}
	switch c {
	case ' ', '\t', '\r':
		f.wordStart = true
		return i + 1
	case ';', '|', '&', '\n':
		f.tool, f.program, f.set, f.stdin, f.echo, f.wordStart, f.whole = "", "", false, false, 0, true, false
		return i + 1
	case '<':
		if strings.HasPrefix(s[i:], "<<<") && f.stdin {
			m.trigger(skipBlanks(s, i+3), 'w')
			return i + 3
		}
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			return m.url(i + 3)
		}
	case '-':
		if strings.HasPrefix(s[i:], pemOpen) {
			if n := m.pem(i); n > i {
				return n
			}
		}
	}
	if f.wordStart && c == '-' {
		m.option(f, i)
	}
	if nameByte(c) && (i == 0 || !nameByte(s[i-1])) {
		m.name(f, i)
	}
	if wordByte(c) && (i == 0 || !wordByte(s[i-1])) && m.triggerAt != i {
		if n := m.shape(i); n > i {
			f.wordStart = false
			return n
		}
	}
	f.wordStart = false
	i++
	for i < len(s) && wordByte(s[i]) && wordByte(s[i-1]) && i != m.triggerAt {
		i++ // inside of a word nothing begins
	}
	return i
}

// lex handles quotes, substitutions and escapes; 0 means that i is none of them. c is the cover of the text around:
// quotes inside a covered word are covered, substitutions never.
func (m *masker) lex(f *frame, i int, c cover) int {
	s := m.s
	quoted := f.close == '\'' || f.close == '"'
	inner := cover{}
	switch c.kind {
	case 'w', 'h':
		inner.kind = 'q'
	case 'u':
		inner.kind = 'u'
	}
	switch b := s[i]; {
	case b == '\\' && f.close != '\'':
		if i+1 < len(s) && s[i+1] < utf8.RuneSelf {
			if c.kind != 0 && c.kind != 'u' && s[i+1] != '\n' {
				m.hideByte(i + 1)
			}
			f.wordStart = f.wordStart && s[i+1] == '\n'
			return i + 2
		}
		return i + 1
	case (b == '\'' || b == '"') && !quoted:
		m.push(b, i+1, inner)
		return i + 1
	case b == '`' && f.close != '\'':
		m.push('`', i+1, cover{})
		return i + 1
	case b == '$' && f.close != '\'':
		return m.dollar(f, i, c)
	case b == '(' && !quoted:
		m.push(')', i+1, cover{})
		return i + 1
	}
	return 0
}

// dollar passes a variable by, and enters a substitution.
func (m *masker) dollar(f *frame, i int, c cover) int {
	s := m.s
	if i+1 >= len(s) {
		return i + 1
	}
	switch s[i+1] {
	case '(':
		m.push(')', i+2, cover{})
		return i + 2
	case '\'':
		if f.close == 0 || f.close == ')' || f.close == '`' {
			return i + 1 // $'…' is read as '…'
		}
	case '{':
		j := identEnd(s, i+2)
		inner := cover{}
		if c.kind == 'w' || c.kind == 'q' || c.kind == 'h' || secretName(s[i+2:j]) {
			inner.kind = 'q'
		}
		for k := 0; k < 2 && j < len(s) && strings.IndexByte(":-=+?", s[j]) >= 0; k++ {
			j++
		}
		m.push('}', j, inner)
		return j
	}
	if c.kind == 0 {
		return i + 1
	}
	j := i + 1
	for j < len(s) && j-i < 256 && (wordByte(s[j]) || s[j] == ':' && j+1 < len(s) && wordByte(s[j+1])) {
		j++
	}
	if !c.begun && m.ends(f, j) || allCaps(s[i+1:j]) {
		f.cover.begun = true
		return j
	}
	f.cover.begun = true
	return i + 1
}

// ends reports whether a value could end at j.
func (m *masker) ends(f *frame, j int) bool {
	return j >= len(m.s) || m.s[j] == f.close || strings.IndexByte(" \t\r\n;|&<>)", m.s[j]) >= 0
}

// covered reads text inside a value.
func (m *masker) covered(f *frame, i int) int {
	s, b := m.s, m.s[i]
	c := &f.cover
	if c.kind == 'i' && (b == '\\' || b == c.inner) {
		j := i
		for j < len(s) && s[j] == '\\' {
			j++
		}
		switch {
		case j >= len(s) || s[j] != c.inner: // an escape of something else
		case j-i == c.slash:
			*c = cover{}
			return j + 1
		case f.close != c.inner:
			return j + 1
		}
	}
	if m.stops(f, i) {
		*c = cover{}
		return i
	}
	if c.kind == 'u' {
		if n := m.lex(f, i, *c); n > 0 {
			return n
		}
		if b == ':' || b == '%' {
			*c = cover{kind: 'w'}
			if f.close == '\'' || f.close == '"' {
				c.kind = 'q'
			}
		}
		return i + 1
	}
	if n := m.lex(f, i, *c); n > 0 {
		return n
	}
	n := secretWidth(s[i:])
	if n < 0 {
		c.begun = c.begun || b > ' '
		return i - n
	}
	for k := i; k < i+n; k++ {
		m.mark(k)
	}
	c.begun = true
	return i + n
}

// stops reports whether the cover of f ends before i.
func (m *masker) stops(f *frame, i int) bool {
	s, b := m.s, m.s[i]
	c := &f.cover
	if b == '\n' {
		return true
	}
	quoted := f.close == '\'' || f.close == '"'
	switch c.kind {
	case 'q', 'i':
		return (b == ';' || b == '|' || b == '&') && (i+1 >= len(s) || blank(s[i+1]) || blank(s[i-1]))
	case 'h':
		switch {
		case blank(b) && c.scheme:
			c.scheme = false
			return false
		case blank(b) || b == ';' || b == ',':
			return !pairFollows(s, i)
		case b == '|' || b == '&' || b == '<' || b == '>':
			return true
		case quoted:
			return false
		}
		return b == ')'
	}
	if blank(b) || strings.IndexByte(";|&<>)", b) >= 0 {
		return true
	}
	if quoted && (b == '\'' || b == '"') {
		return true
	}
	return b == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\' && quoted)
}

// pairFollows reports whether after blanks and one ; or , another name=value of a header comes.
func pairFollows(s string, i int) bool {
	j := skipBlanks(s, i)
	if j < len(s) && (s[j] == ';' || s[j] == ',') {
		j = skipBlanks(s, j+1)
	} else if i == 0 || (s[i-1] != ';' && s[i-1] != ',') {
		return false
	}
	end := j
	for end < len(s) && end-j < 64 && nameByte(s[end]) {
		end++
	}
	return end > j && end < len(s) && s[end] == '='
}

// begin starts the cover of a value at i, unless the value is plainly no secret.
func (m *masker) begin(f *frame, i int, kind byte) (next int, ok bool) {
	s := m.s
	if i >= len(s) || (f.close != 0 && s[i] == f.close) {
		return i, false
	}
	if kind == 'h' {
		if f.close != '\'' && f.close != '"' && (s[i] == '\'' || s[i] == '"') {
			m.trigger(i+1, 'h') // Authorization:"Bearer …": the value begins inside the quotes
			return i, false
		}
		f.cover = cover{kind: 'h'}
		if j := schemeEnd(s, i); j > i {
			f.cover.scheme = true
			f.wordStart = false
			return j, true
		}
		if f.close != 0 && f.start == i {
			f.cover.kind = 'q' // the quotes hold the value alone
		}
		return i, false
	}
	if f.close == '\'' || f.close == '"' {
		j := i
		for j < len(s) && s[j] == '\\' {
			j++
		}
		if j < len(s) && (s[j] == '"' || s[j] == '\'') && (j > i || s[j] != f.close) {
			if m.harmless(j+1) || kind == 'u' {
				return i, false
			}
			f.cover = cover{kind: 'i', inner: s[j], slash: j - i}
			return j + 1, true
		}
	}
	at := i
	if s[i] == '"' || s[i] == '\'' {
		at++
	}
	if m.harmless(at) {
		return i, false
	}
	if kind == 'w' && f.whole && (f.close == '\'' || f.close == '"') {
		kind = 'q'
	}
	f.cover = cover{kind: kind}
	f.wordStart = false
	return i, false
}

// harmless reports whether the value at i is a placeholder or a call of a function.
func (m *masker) harmless(i int) bool {
	s := m.s
	if i >= len(s) || s[i] == '(' || s[i] == '<' || s[i] == '[' {
		return true
	}
	j := i
	for j < len(s) && j-i < 64 && (wordByte(s[j]) || s[j] == '.') {
		j++
	}
	if j < len(s) && s[j] == '(' && j > i {
		return true
	}
	return harmlessValue(s[i:j]) && (j >= len(s) || strings.IndexByte(" \t\r\n;|&<>()'\"`\\,}", s[j]) >= 0)
}

// trigger remembers that a value begins at i.
func (m *masker) trigger(i int, kind byte) { m.triggerAt, m.triggerKind = i, kind }

func (m *masker) hideByte(i int) {
	if secretWidth(m.s[i:i+1]) != 1 {
		return
	}
	m.mark(i)
}

func (m *masker) mark(i int) {
	if m.hide == nil {
		m.hide = make([]bool, len(m.s))
	}
	m.hide[i] = true
}

// result writes every hidden run as one mark.
func (m *masker) result() string {
	if m.hide == nil {
		return m.s
	}
	var b strings.Builder
	b.Grow(len(m.s))
	for i := 0; i < len(m.s); {
		j := i
		for j < len(m.s) && m.hide[j] == m.hide[i] {
			j++
		}
		if m.hide[i] {
			b.WriteString("****")
		} else {
			b.WriteString(m.s[i:j])
		}
		i = j
	}
	return b.String()
}

// secretWidth returns the width of the character at the beginning of s if a secret could be made of it, and minus
// the width otherwise.
func secretWidth(s string) int {
	c := s[0]
	if c < utf8.RuneSelf {
		if c <= ' ' || c == 0x7f || strings.IndexByte("'\"`;|&<>()$\\*{}", c) >= 0 {
			return -1
		}
		return 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError || hidden(r) || !unicode.IsPrint(r) || unicode.IsSpace(r) {
		return -n
	}
	return n
}
