package gatecore

import (
	"slices"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// optUse is one option as it was given.
type optUse struct {
	o      *option  // nil if unknown
	name   string   // as given, canonical if known
	cands  []string // what an ambiguous beginning could mean
	val    word
	hasVal bool
	split  bool // the name in front of the value may become several words
	at     *word
}

type operand struct {
	w    *word
	role role
}

// invocation is a simple command read by its program's grammar.
type invocation struct {
	prog     *program
	cmd      *command
	root     *command
	words    []word // program name first
	opts     []optUse
	operands []operand
	dash     int // number of operands before --, or -1
	cmdAt    int // index in words of a wrapped command, or 0
	unknown  int // unknown options
	dry      bool
	read     bool  // the text it runs was read in full
	sub      *word // the word that is no listed subcommand
	dir      string
	dirSet   bool
	dirLost  bool
}

type parser struct {
	inv    *invocation
	active []*node
	top    [1]*node // room for the usual active
	sealed bool     // the subcommand is decided
	words  []word
	i      int
}

// parseInvocation reads the words after the program name.
func (j *judge) parseInvocation(prog *program, ws []word) *invocation {
	prog.ready()
	inv := j.mem.invocations.one()
	*inv = invocation{prog: prog, root: prog.root.cmd.ready(), words: ws, dash: -1}
	options := 0
	for i := 1; i < len(ws); i++ {
		if t := ws[i].text; t != "" && (t[0] == '-' || t[0] == '+') {
			options++
		}
	}
	inv.opts, inv.operands = j.mem.opts.take(options)[:0], j.mem.operands.take(len(ws))[:0]
	p := parser{inv: inv, words: ws, top: [1]*node{prog.root}}
	p.active = p.top[:]
	p.sealed = len(prog.root.kids) == 0 && len(prog.root.globs) == 0
	inv.cmd = prog.root.cmd
	p.run()
	inv.roles()
	inv.dry = inv.dryRun()
	return inv
}

func (p *parser) run() {
	inv := p.inv
	ended := false
	best, bestOps := p.inv.prog.root, 0
	for p.i = 1; p.i < len(p.words); p.i++ {
		w := &p.words[p.i]
		if !ended && p.option(w) {
			continue
		}
		if !ended && w.text == "--" && inv.prog.style != l0.Raw && inv.prog.style != l0.Windows {
			ended = true
			if p.sealed {
				inv.dash = len(inv.operands)
			}
			continue
		}
		if !p.sealed {
			if next := step(p.active, w); len(next) > 0 {
				p.active = next
				inv.operands = append(inv.operands, operand{w: w})
				if n := defined(next); n != nil {
					best, bestOps = n, len(inv.operands)
				}
				inv.cmd = best.cmd.ready()
				continue
			}
			p.seal(best, bestOps)
			if best == inv.prog.root {
				inv.sub = w
			}
			if ended {
				inv.dash = len(inv.operands)
			}
		}
		inv.operands = append(inv.operands, operand{w: w})
		if sig := &inv.cmd.sig; sig.cmd >= 0 && len(inv.operands) > sig.cmd {
			inv.cmdAt = p.i
			return
		}
		if inv.prog.style == l0.POSIX || inv.prog.style == l0.Raw {
			ended = true
			if inv.dash < 0 {
				inv.dash = len(inv.operands) // the first operand could still turn out to be an option
			}
		}
	}
	if !p.sealed {
		if len(inv.operands) > bestOps && best == inv.prog.root {
			inv.sub = inv.operands[bestOps].w
		}
		p.seal(best, bestOps)
	}
}

// seal decides the subcommand; words after it are operands.
func (p *parser) seal(best *node, used int) {
	p.sealed = true
	p.inv.cmd = best.cmd.ready()
	p.inv.operands = append([]operand(nil), p.inv.operands[used:]...)
	p.active = []*node{best}
}

func step(active []*node, w *word) []*node {
	if w.dyn {
		return nil
	}
	var next []*node
	for _, n := range active {
		// An exact word is preferred to a globbed one, and an earlier word decides before a later one.
		if k := n.kids[w.text]; k != nil {
			next = append(next, k)
		}
		for _, g := range n.globs {
			if glob(g.pattern, w.text) {
				next = append(next, g.node)
			}
		}
	}
	return next
}

func defined(ns []*node) *node {
	for _, n := range ns {
		if n.cmd != nil {
			return n
		}
	}
	return nil
}

func (p *parser) find(name string) *option {
	for _, n := range p.active {
		if n.cmd != nil {
			if o := n.cmd.ready().opts.find(name); o != nil {
				return o
			}
		}
	}
	if p.inv.prog.anywhere {
		return p.inv.root.opts.find(name)
	}
	return nil
}

func (p *parser) numeric() *option {
	for _, n := range p.active {
		if n.cmd != nil && n.cmd.ready().opts.number != nil {
			return n.cmd.ready().opts.number
		}
	}
	return nil
}

func (p *parser) abbreviated(name string) []string {
	var out []string
	for _, n := range p.active {
		if n.cmd != nil {
			out = append(out, n.cmd.ready().opts.abbreviated(name)...)
		}
	}
	if p.inv.prog.anywhere && (len(p.active) != 1 || p.active[0] != p.inv.prog.root) {
		out = append(out, p.inv.root.opts.abbreviated(name)...)
	}
	return out
}

// option reads w as an option and reports whether it is one.
func (p *parser) option(w *word) bool {
	t := w.text
	if i := strings.IndexByte(t, '='); i > 0 && t[0] != '-' {
		if o := p.find(t[:i+1]); o != nil {
			p.use(o, w, tail(w, i+1), true)
			return true
		}
	}
	switch {
	case p.inv.prog.style == l0.Windows:
		return p.windowsOption(w)
	case p.inv.prog.style == l0.Raw:
		return p.rawOption(w)
	case len(t) < 2 || t[0] != '-' && t[0] != '+':
		return false
	case t == "--":
		return false
	case t[0] == '+':
		if o := p.find(t); o != nil {
			p.use(o, w, word{}, false)
			return true
		}
		if len(t) > 1 && p.find(t[:2]) != nil {
			p.bundle(w)
			return true
		}
		return false
	case p.inv.prog.style == l0.SingleDash:
		p.single(w)
	case strings.HasPrefix(t, "--"):
		p.long(w, t)
	default:
		if i := strings.IndexByte(t, '='); i > 2 {
			if o := p.find(t[:i]); o != nil {
				p.use(o, w, tail(w, i+1), true)
				return true
			}
		}
		if o := p.find(t); o != nil && len(t) > 2 {
			p.useNext(o, w)
			return true
		}
		p.bundle(w)
	}
	return true
}

func (p *parser) use(o *option, at *word, val word, has bool) {
	p.inv.opts = append(p.inv.opts, optUse{o: o, name: o.name, val: val, hasVal: has, at: at})
}

func (p *parser) unknownOption(name string, at *word, cands []string) {
	p.inv.unknown++
	p.inv.opts = append(p.inv.opts, optUse{name: name, at: at, cands: cands})
}

// useNext takes the next word as the value if one is required.
func (p *parser) useNext(o *option, at *word) {
	if o.arity == twoValues && p.i+2 < len(p.words) {
		p.i += 2
		p.use(o, at, p.words[p.i], true)
		p.inv.opts[len(p.inv.opts)-1].split = p.words[p.i-1].split
		return
	}
	if o.arity == needsValue && p.i+1 < len(p.words) {
		p.i++
		p.use(o, at, p.words[p.i], true)
		return
	}
	p.use(o, at, word{}, false)
}

// tail is the part of a word after a constant beginning.
func tail(w *word, from int) word {
	v := *w
	v.text = w.text[from:]
	if v.globAt > 0 {
		v.globAt = max(1, v.globAt-from)
	}
	return v
}

func (p *parser) long(w *word, t string) {
	name, _, has := strings.Cut(t, "=")
	if has {
		if o := p.find(t); o != nil && o.name == t { // one value is listed for itself
			p.use(o, w, word{}, false)
			return
		}
	}
	o := p.find(name)
	if o != nil && strings.HasSuffix(o.name, "-") {
		p.use(o, w, word{}, false) // a --no-* prefix
		return
	}
	if at := strings.Index(name, dynMark); o == nil && at > 3 { // what is not known may be nothing, or the rest of a longer name
		p.unknownOption(name, w, append(p.abbreviated(name[:at]), name[:at]))
		return
	} else if o == nil && at < 0 {
		cands := p.abbreviated(name)
		if len(cands) != 1 {
			p.unknownOption(name, w, cands)
			return
		}
		o = p.find(cands[0])
	}
	switch {
	case o == nil:
		p.unknownOption(name, w, nil)
	case has && (o.arity == noValue || o.arity == twoValues):
		p.unknownOption(name, w, []string{o.name})
	case has:
		p.use(o, w, tail(w, len(name)+1), true)
	default:
		p.useNext(o, w)
	}
}

func (p *parser) single(w *word) {
	name, _, has := strings.Cut(w.text, "=")
	if has {
		if o := p.find(w.text); o != nil && o.name == w.text { // one value is listed for itself
			p.use(o, w, word{}, false)
			return
		}
	}
	o := p.find(name)
	if o == nil && strings.HasPrefix(name, "--") {
		o = p.find(name[1:])
	}
	if o == nil && p.numeric() != nil && strings.Trim(name, "-0123456789") == "" {
		o = p.numeric()
	}
	switch {
	case o == nil:
		p.unknownOption(name, w, nil)
	case has:
		p.use(o, w, tail(w, len(name)+1), true)
	default:
		p.useNext(o, w)
	}
}

func (p *parser) bundle(w *word) {
	t := w.text
	for k := 1; k < len(t); k++ {
		name := t[:1] + t[k:k+1]
		o := p.find(name)
		if o == nil && t[k] >= '0' && t[k] <= '9' {
			if n := p.numeric(); n != nil {
				for k+1 < len(t) && t[k+1] >= '0' && t[k+1] <= '9' {
					k++
				}
				p.use(n, w, word{}, false)
				continue
			}
		}
		switch {
		case o == nil:
			p.unknownOption(name, w, nil)
		case o.arity == noValue:
			p.use(o, w, word{}, false)
		case k+1 < len(t):
			from := k + 1
			p.use(o, w, tail(w, from), true)
			return
		default:
			p.useNext(o, w)
			return
		}
	}
}

// rawOption: leading words that the program lists are options, all else is data.
func (p *parser) rawOption(w *word) bool {
	if len(p.inv.operands) > 0 || len(w.text) < 2 || w.text[0] != '-' {
		return false
	}
	for k := 1; k < len(w.text); k++ {
		if p.find(w.text[:1]+w.text[k:k+1]) == nil {
			return false
		}
	}
	p.bundle(w)
	return true
}

func (p *parser) windowsOption(w *word) bool {
	t := strings.ToLower(w.text)
	if len(t) < 2 || t[0] != '-' && t[0] != '/' {
		return false
	}
	name, rest := t, ""
	if i := strings.IndexAny(t, ":="); i > 0 {
		name, rest = t[:i], t[i+1:]
	}
	o := p.find(name)
	if o == nil && t[0] == '/' {
		return p.slashes(w, t)
	}
	if o == nil {
		cands := p.abbreviated(name)
		if len(cands) != 1 {
			p.unknownOption(name, w, cands)
			return true
		}
		o = p.find(cands[0])
	}
	if rest != "" {
		p.use(o, w, tail(w, len(name)+1), true)
	} else {
		p.useNext(o, w)
	}
	return true
}

// slashes reads /s/q, and leaves /a/path an operand.
func (p *parser) slashes(w *word, t string) bool {
	parts := strings.Split(t[1:], "/")
	for _, s := range parts {
		if len(s) != 1 || p.find("/"+s) == nil {
			return false
		}
	}
	for _, s := range parts {
		p.use(p.find("/"+s), w, word{}, false)
	}
	return true
}

// roles gives every operand its role in the command's signature.
func (inv *invocation) roles() {
	sig := &inv.cmd.sig
	shift := 0
	if len(inv.cmd.supplied) > 0 && inv.hasAny(inv.cmd.supplied) {
		shift = 1
	}
	n := len(inv.operands)
	if shift == 1 && len(sig.slots) > 0 {
		s := *sig
		s.slots = s.slots[1:]
		s.min = max(0, s.min-sig.slots[0].min)
		if s.max >= 0 && sig.slots[0].max >= 0 {
			s.max -= sig.slots[0].max
		}
		for i := range inv.operands {
			inv.operands[i].role = s.role(i, n)
		}
		return
	}
	for i := range inv.operands {
		inv.operands[i].role = sig.role(i, n)
	}
}

// has reports whether an option of that name was given.
func (inv *invocation) has(name string) bool {
	for i := range inv.opts {
		if inv.opts[i].name == name {
			return true
		}
	}
	return false
}

func (inv *invocation) hasAny(names []string) bool {
	for _, n := range names {
		if inv.has(n) {
			return true
		}
	}
	return false
}

// count is how often options of these names were given.
func (inv *invocation) count(names ...string) (n int) {
	for i := range inv.opts {
		if slices.Contains(names, inv.opts[i].name) {
			n++
		}
	}
	return n
}

func (inv *invocation) value(names ...string) *word {
	for i := range inv.opts {
		for _, n := range names {
			if inv.opts[i].name == n && inv.opts[i].hasVal {
				return &inv.opts[i].val
			}
		}
	}
	return nil
}

// given reports whether a use is what a rule's option test asks for.
func (u *optUse) given(t *optionTest) bool {
	same := u.name == t.name || strings.EqualFold(u.name, t.name) && len(t.name) > 2
	if !same {
		for _, c := range u.cands {
			same = same || c == t.name
		}
	}
	if !same || !t.valued {
		return same
	}
	return u.hasVal && (u.val.dyn || glob(t.value, u.val.text) || glob(t.value, strings.ToLower(u.val.text)))
}

func (inv *invocation) test(g group) bool {
	for i := range g {
		for k := range inv.opts {
			if inv.opts[k].given(&g[i]) {
				return true
			}
		}
	}
	return false
}
