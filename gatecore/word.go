package gatecore

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// dynMark stands in a resolved text for bytes that are not known. NUL cannot be in a
// shell word, and hygiene removes it from the input.
const dynMark = "\x00"

// word is one field that a program would be given.
type word struct {
	text     string
	dyn      bool  // holds dynMark
	split    bool  // an unquoted dynamic part: may be any number of words
	globAt   int   // 1 + index of the first unquoted glob character; 0 = none
	computed bool  // some part came from an expansion
	quoted   bool  // some part was quoted
	shape    shape // of its unknown parts
	flow     flow
	start    int
	end      int
}

// prefix is the part of the text before the first unknown byte.
func (w *word) prefix() string {
	if i := strings.IndexByte(w.text, 0); i >= 0 {
		return w.text[:i]
	}
	return w.text
}

// optionLike reports whether the word may be or begin with a dash.
func (w *word) optionLike() bool {
	p := w.prefix()
	if w.globAt > 0 && w.globAt-1 < len(p) {
		p = p[:w.globAt-1]
	}
	if w.shape != anyShape && w.globAt == 0 { // the unknown parts may be empty: then the rest begins the word
		return strings.HasPrefix(strings.TrimLeft(w.text, dynMark), "-")
	}
	return p == "" && (w.dyn || w.globAt > 0) || strings.HasPrefix(p, "-") || w.split
}

// show is the word for people.
func (w *word) show() string { return strings.ReplaceAll(w.text, dynMark, "…") }

// builder puts the fields of one shell word together.
type builder struct {
	j    *judge
	sc   *scope
	out  []word
	buf  []byte
	cur  word
	open bool // cur has begun
	all  bool // in double quotes or where no splitting happens
	node *syntax.Word
}

func (b *builder) lit(s string) {
	if s != "" {
		b.open = true
		b.buf = append(b.buf, s...)
	}
}

func (b *builder) unknown(split bool) {
	b.cur.shape = anyShape
	b.open = true
	b.buf = append(b.buf, 0)
	b.cur.dyn, b.cur.computed = true, true
	b.cur.split = b.cur.split || split
}

func (b *builder) globChar(c byte) {
	if b.cur.globAt == 0 {
		b.cur.globAt = len(b.buf) + 1
	}
	b.open = true
	b.buf = append(b.buf, c)
}

func (b *builder) flush() {
	if !b.open {
		return
	}
	b.cur.text = string(b.buf)
	b.j.wordB -= len(b.buf)
	b.cur.start, b.cur.end = int(b.node.Pos().Offset()), int(b.node.End().Offset())
	b.out = append(b.out, b.cur)
	keep := b.cur.flow
	b.cur, b.open, b.buf = word{computed: b.cur.computed, flow: keep}, false, b.buf[:0]
}

// expansion adds the value of an expansion: split and globbed unless quoted.
func (b *builder) expansion(v value, quoted bool) {
	shape := b.shapeWith(v, quoted)
	defer func() { b.cur.shape = shape }()
	b.cur.computed = true
	b.cur.flow = b.cur.flow.join(v.flow)
	if quoted || b.all {
		b.open = b.open || quoted
		if i := strings.IndexAny(v.text, "*?["); v.glob && i >= 0 && b.cur.globAt == 0 {
			b.cur.globAt = len(b.buf) + i + 1
		}
		b.valueText(v, false)
		return
	}
	ifs := b.j.ifs(b.sc)
	rest := v.text
	for rest != "" {
		i := strings.IndexAny(rest, ifs)
		if i < 0 {
			b.valueText(value{text: rest, dyn: v.dyn}, true)
			return
		}
		b.valueText(value{text: rest[:i], dyn: v.dyn}, true)
		b.flush()
		rest = strings.TrimLeft(rest[i:], ifs)
	}
	if v.glob && b.cur.globAt == 0 && b.open {
		b.cur.globAt = 1
	}
}

func (b *builder) valueText(v value, unquoted bool) {
	for i := 0; i < len(v.text); i++ {
		switch c := v.text[i]; {
		case c == 0:
			b.unknown(unquoted)
		case unquoted && (c == '*' || c == '?' || c == '['):
			b.globChar(c)
		default:
			b.open = true
			b.buf = append(b.buf, c)
		}
	}
}

// ifs returns the characters that split unquoted expansions.
func (j *judge) ifs(sc *scope) string {
	if v, ok := sc.vars["IFS"]; ok && len(v) > 0 {
		return v[0].text + " \t\n"
	}
	return " \t\n"
}

// fields resolves a list of words to the fields a program would get.
func (j *judge) fields(sc *scope, ws []*syntax.Word) []word {
	b := builder{j: j, sc: sc, out: j.mem.words.take(len(ws))[:0]}
	for _, w := range ws {
		b.word(w)
	}
	return b.out
}

// word appends the fields of one word, brace expansion included.
func (b *builder) word(w *syntax.Word) {
	b.node = w
	if b.j.wordB < 0 {
		b.j.fire(ruleBudget, int(w.Pos().Offset()), int(w.End().Offset()))
		b.unknown(true)
		b.flush()
		return
	}
	if len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(l.Value, "\\{*?[~") {
			// The common case: a plain word needs no builder.
			b.j.wordB -= len(l.Value)
			b.out = append(b.out, word{text: l.Value, start: int(l.ValuePos.Offset()), end: int(l.ValueEnd.Offset())})
			return
		}
	}
	if !hasBrace(w) {
		b.parts(w.Parts)
		b.finish()
		return
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(split) {
		b.parts(w.Parts)
		b.finish()
		return
	}
	lists := b.braces(split.Parts)
	for _, parts := range lists {
		b.cur.computed = true
		b.parts(parts)
		b.finish()
	}
}

func (b *builder) finish() {
	b.flush()
	b.cur, b.open, b.buf = word{}, false, b.buf[:0]
}

// single resolves a word without brace expansion, splitting or globbing (assignments, redirections, here-strings).
func (j *judge) single(sc *scope, w *syntax.Word) word {
	if w == nil {
		return word{}
	}
	b := builder{j: j, sc: sc, node: w, all: true, open: true}
	b.parts(w.Parts)
	b.open = true
	b.flush()
	return b.out[0]
}

func (b *builder) parts(parts []syntax.WordPart) {
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.literal(p.Value, i == 0, i+1 < len(parts))
		case *syntax.SglQuoted:
			b.open, b.cur.quoted = true, true
			if p.Dollar && !b.j.posix {
				b.ansi(p.Value)
			} else {
				if p.Dollar {
					b.lit("$")
				}
				b.lit(p.Value)
			}
		case *syntax.DblQuoted:
			b.open, b.cur.quoted = true, true
			b.quoted(p.Parts)
		case *syntax.BraceExp: // inside an element that was not expanded
			b.unknown(true)
		default:
			b.expand(p, false)
		}
	}
}

func (b *builder) quoted(parts []syntax.WordPart) {
	for _, p := range parts {
		if l, ok := p.(*syntax.Lit); ok {
			b.lit(unescape(l.Value, "$`\"\\"))
			continue
		}
		b.expand(p, true)
	}
}

// unescape removes backslashes before the characters in set, and escaped newlines.
func unescape(s, set string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var sb strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == '\n' {
				i++
				continue
			}
			if strings.IndexByte(set, s[i+1]) >= 0 {
				i++
			}
		}
		sb.WriteByte(s[i])
	}
	return sb.String()
}

func (b *builder) literal(s string, first, more bool) {
	i := 0
	if first && len(s) > 0 && s[0] == '~' {
		i = b.tilde(s, more)
	}
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i++; i >= len(s) {
				b.lit("\\")
			} else if s[i] != '\n' {
				b.cur.quoted = true
				b.open = true
				b.buf = append(b.buf, s[i])
			}
		case '[':
			if strings.IndexByte(s[i:], ']') < 0 && !more {
				b.lit("[")
				continue
			}
			b.globChar(c)
		case '*', '?':
			b.globChar(c)
		default:
			b.open = true
			b.buf = append(b.buf, c)
		}
	}
}

// tilde replaces a tilde prefix and returns its length.
func (b *builder) tilde(s string, more bool) int {
	n := strings.IndexByte(s, '/')
	if n < 0 {
		if n = len(s); more {
			b.unknown(false)
			return 1
		}
	}
	switch name := s[1:n]; {
	case name == "":
		b.lit(b.j.home(b.sc))
	case name == "+":
		if b.sc.dir == "" || b.sc.dirLost {
			b.unknown(false)
		} else {
			b.lit(b.sc.dir)
		}
	case name == "-" || strings.ContainsAny(name, "\\*?[") || name[0] >= '0' && name[0] <= '9':
		b.unknown(false)
	case name == "root":
		b.lit("/root")
	default:
		b.lit("/home/" + name)
	}
	return n
}

// home is the home directory, "~" if the caller did not say.
func (j *judge) home(sc *scope) string {
	if v := sc.vars["HOME"]; len(v) == 1 && !v[0].dyn {
		return v[0].text
	}
	if j.at.Home != "" {
		return path.Clean(j.at.Home)
	}
	return "~"
}

// ansi decodes the escapes of $'…'.
func (b *builder) ansi(s string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.buf = append(b.buf, s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'a':
			b.buf = append(b.buf, 7)
		case 'b':
			b.buf = append(b.buf, 8)
		case 'e', 'E':
			b.buf = append(b.buf, 27)
		case 'f':
			b.buf = append(b.buf, 12)
		case 'n':
			b.buf = append(b.buf, '\n')
		case 'r':
			b.buf = append(b.buf, '\r')
		case 't':
			b.buf = append(b.buf, '\t')
		case 'v':
			b.buf = append(b.buf, 11)
		case 'c':
			if i+1 < len(s) {
				i++
				b.code(rune(s[i] & 0x1f))
			}
		case 'x', 'u', 'U':
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			n := digitsIn(s[i+1:], digits, 16)
			if n == 0 {
				b.buf = append(b.buf, '\\', c)
				continue
			}
			v, _ := strconv.ParseUint(s[i+1:i+1+n], 16, 32)
			i += n
			if c == 'x' {
				b.byteValue(byte(v)) //nolint:gosec // bash keeps the low byte
			} else {
				b.code(rune(v)) //nolint:gosec // at most eight digits; what is no character becomes U+FFFD
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := digitsIn(s[i:], 3, 8)
			v, _ := strconv.ParseUint(s[i:i+n], 8, 32)
			i += n - 1
			b.byteValue(byte(v)) //nolint:gosec // bash keeps the low byte
		case '\\', '\'', '"', '?':
			b.buf = append(b.buf, c)
		default:
			b.buf = append(b.buf, '\\', c)
		}
	}
}

func (b *builder) byteValue(c byte) {
	if c == 0 {
		b.unknown(false) // bash ends the string here, other shells do not
		return
	}
	b.buf = append(b.buf, c)
}

func (b *builder) code(r rune) {
	if r == 0 {
		b.unknown(false)
		return
	}
	b.buf = append(b.buf, string(r)...)
}

func digitsIn(s string, limit, base int) int {
	n := 0
	for n < len(s) && n < limit {
		c := s[n] | 0x20
		ok := s[n] >= '0' && s[n] <= '7' || base == 16 && (s[n] >= '8' && s[n] <= '9' || c >= 'a' && c <= 'f')
		if !ok {
			break
		}
		n++
	}
	return n
}

func (b *builder) expand(p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.ParamExp:
		b.param(p, quoted)
	case *syntax.CmdSubst:
		b.cmdSubst(p, quoted)
	case *syntax.ArithmExp:
		b.j.arith(b.sc, p.X)
		b.expansion(value{text: someNumber, dyn: true, shape: tameNumber}, true)
	case *syntax.ProcSubst:
		b.procSubst(p)
	case *syntax.ExtGlob:
		b.unknown(true)
	case *syntax.SglQuoted:
		b.lit(p.Value)
	default:
		b.unknown(true)
	}
}

func (b *builder) cmdSubst(p *syntax.CmdSubst, quoted bool) {
	sc := b.sc.clone()
	sc.in, sc.pipeOut = flow{}, false
	f := b.j.deeper(sc, p.Stmts)
	v := value{text: dynMark, dyn: true, shape: f.shape, flow: flow{network: f.network, decoded: f.decoded, secret: f.secret, key: f.key, local: f.local, listing: f.listing}}
	if f.known {
		v.text = strings.TrimRight(f.text, "\n")
		v.dyn = strings.Contains(v.text, dynMark)
	}
	b.expansion(v, quoted)
}

func (b *builder) procSubst(p *syntax.ProcSubst) {
	sc := b.sc.clone()
	sc.in = flow{}
	if p.Op == syntax.CmdOut {
		sc.in = flow{piped: true}
		if b.sc.in.tainted() {
			sc.in = sc.in.join(b.sc.in)
		}
	}
	f := b.j.deeper(sc, p.Stmts)
	b.cur.computed, b.cur.quoted = true, true
	b.cur.flow = b.cur.flow.join(f)
	if p.Op == syntax.CmdIn {
		b.cur.flow.piped = true
		b.cur.flow.text, b.cur.flow.known = f.text, f.known
	}
	b.lit("/dev/fd/63")
}

// deeper judges statements inside a substitution, within the depth limit.
func (j *judge) deeper(sc *scope, stmts []*syntax.Stmt) flow {
	if j.depth+1 >= maxDepth {
		j.fire(ruleBudget, 0, len(j.text))
		return flow{}
	}
	mode, sites, mul := j.mode, j.sites, j.modeMul
	j.depth++
	f := j.stmts(sc, stmts)
	j.depth--
	j.mode, j.sites, j.modeMul = mode, sites, mul
	return f
}

// substitutions judges every command and process substitution below a node.
func (j *judge) substitutions(sc *scope, n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			c := sc.clone()
			c.in = flow{}
			j.deeper(c, n.Stmts)
			return false
		case *syntax.ProcSubst:
			c := sc.clone()
			c.in = flow{piped: n.Op == syntax.CmdOut}
			j.deeper(c, n.Stmts)
			return false
		case *syntax.ParamExp:
			b := builder{j: j, sc: sc, node: &syntax.Word{Parts: []syntax.WordPart{n}}}
			b.param(n, true)
			return false
		}
		return true
	})
}
