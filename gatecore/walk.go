package gatecore

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts judges a list of statements in order and returns the flow of their output. The text
// of the output is known only if there is one statement.
func (j *judge) stmts(sc *scope, list []*syntax.Stmt) flow {
	var out flow
	for i, s := range list {
		f := j.stmt(sc, s)
		if i == 0 {
			out = f
			continue
		}
		known := out.known && f.known && len(out.text)+len(f.text) <= maxWordBytes
		text := ""
		if known {
			text = out.text + f.text
		}
		out = out.join(f)
		out.known, out.text = known, text
	}
	return out
}

func (j *judge) stmt(sc *scope, s *syntax.Stmt) flow {
	if s == nil {
		return flow{}
	}
	if s.Background || s.Coprocess || s.Disown {
		sc = sc.clone()
		sc.bg = true
	}
	call, simple := s.Cmd.(*syntax.CallExpr)
	if simple || s.Cmd == nil {
		return j.call(sc, s, call)
	}
	in, pipeOut := sc.in, sc.pipeOut
	r := j.redirects(sc, s.Redirs)
	if r.input {
		sc.in = r.in
	}
	if r.output {
		sc.pipeOut = false
	}
	f := j.compound(sc, s)
	sc.in, sc.pipeOut = in, pipeOut
	j.tainted(sc, &r, f)
	if r.output {
		return flow{known: true}
	}
	return f
}

// maybe judges statements that may not run.
func (j *judge) maybe(sc *scope, list []*syntax.Stmt) flow {
	sc.cond++
	dir, lost := sc.dir, sc.dirLost
	f := j.stmts(sc, list)
	sc.cond--
	if sc.dir != dir && list != nil {
		sc.dir, sc.dirLost = dir, true
	}
	sc.dirLost = sc.dirLost || lost
	f.known = false
	return f
}

func (j *judge) compound(sc *scope, s *syntax.Stmt) flow {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return j.binary(sc, c)
	case *syntax.Block:
		return j.stmts(sc, c.Stmts)
	case *syntax.Subshell:
		return j.stmts(sc.clone(), c.Stmts)
	case *syntax.IfClause:
		return j.ifClause(sc, c)
	case *syntax.WhileClause:
		j.loopVars(sc, c.Do)
		if endless(c) && spawns(c.Do) {
			j.fireNode(ruleBomb, s)
		}
		return j.repeated(sc, func() flow {
			f := j.stmts(sc, c.Cond)
			return j.maybe(sc, c.Do).join(f)
		})
	case *syntax.ForClause:
		return j.forClause(sc, c)
	case *syntax.CaseClause:
		return j.caseClause(sc, c)
	case *syntax.FuncDecl:
		j.funcDecl(sc, c)
		return flow{known: true}
	case *syntax.ArithmCmd:
		if a, b := int(c.Pos().Offset()), int(c.End().Offset()); a < b && b <= len(j.text) && strings.Contains(j.text[a:b], "<<") {
			j.fireNode(ruleArith, c) // two subshells and a here-document to a POSIX shell
		}
		j.arith(sc, c.X)
		return flow{known: true}
	case *syntax.TestClause:
		j.testExpr(sc, c.X)
		return flow{known: true}
	case *syntax.DeclClause:
		return j.declare(sc, s, c)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			j.arith(sc, x)
		}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return j.stmt(sc, c.Stmt)
		}
	case *syntax.CoprocClause:
		if c.Stmt != nil {
			cl := sc.clone()
			cl.in = flow{piped: true}
			j.stmt(cl, c.Stmt)
		}
	default:
		j.fireNode(ruleNode, s)
	}
	return flow{}
}

func (j *judge) binary(sc *scope, c *syntax.BinaryCmd) flow {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		f := j.stmt(sc, c.X)
		// After || the left side failed and what it set or where it went is unsure; after && it succeeded.
		if c.Op == syntax.AndStmt {
			g := j.stmt(sc, c.Y)
			known, text := f.known && g.known, f.text+g.text
			f = f.join(g)
			f.known, f.text = known && len(text) <= maxWordBytes, text
			return f
		}
		f = f.join(j.maybe(sc, []*syntax.Stmt{c.Y}))
		f.known = false
		return f
	}
	left := sc.clone()
	left.pipeOut = true
	j.bombSide(sc)
	f := j.stmt(left, c.X)
	right := sc.clone()
	for k, v := range left.files {
		right.note(k, v)
	}
	right.in = f
	right.in.piped = true
	g := j.stmt(right, c.Y)
	sc.files = right.files
	return f.join(g).only(g)
}

// only keeps the taint of f and the text of g.
func (f flow) only(g flow) flow {
	f.text, f.known, f.piped, f.listing, f.shape, f.numbered = g.text, g.known, g.piped, g.listing, g.shape, g.numbered
	return f
}

func (s *scope) note(path string, f flow) {
	m := make(map[string]flow, len(s.files)+1)
	for k, v := range s.files {
		m[k] = v
	}
	m[path] = m[path].join(f)
	s.files = m
}

func (j *judge) ifClause(sc *scope, c *syntax.IfClause) flow {
	var f flow
	for first := true; c != nil; c, first = c.Else, false {
		if first {
			f = j.stmts(sc, c.Cond)
		} else {
			f = f.join(j.maybe(sc, c.Cond))
		}
		f = f.join(j.maybe(sc, c.Then))
	}
	f.known = false
	return f
}

// loopVars makes variables that a loop body assigns uncertain before its first command.
func (j *judge) loopVars(sc *scope, body []*syntax.Stmt) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Assign:
				if n.Name != nil && len(sc.vars[n.Name.Value]) > 0 && n.Value != nil {
					sc.set(n.Name.Value, value{text: dynMark, dyn: true, num: sc.numeric(n.Value)}, true)
				}
			case *syntax.CmdSubst, *syntax.Subshell:
				return false
			}
			return true
		})
	}
}

func (j *judge) forClause(sc *scope, c *syntax.ForClause) flow {
	j.loopVars(sc, c.Do)
	var before []value
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		vals := j.loopValues(sc, l)
		if c.Select {
			j.fireNode(ruleInteractive, l)
			vals = append(vals, value{text: dynMark, dyn: true})
		}
		before = sc.vars[l.Name.Value]
		if sc.vars == nil || sc.shared {
			sc.set(l.Name.Value, value{}, false)
		}
		if !slices.Equal(before, vals) {
			sc.changes++
		}
		sc.vars[l.Name.Value] = vals
		guardName(j, l.Name)
	case *syntax.CStyleLoop:
		j.arith(sc, l.Init)
		j.arith(sc, l.Cond)
		j.arith(sc, l.Post)
	}
	f := j.repeated(sc, func() flow { return j.maybe(sc, c.Do) })
	if l, ok := c.Loop.(*syntax.WordIter); ok && slices.ContainsFunc(before, func(v value) bool { return !slices.Contains(sc.vars[l.Name.Value], v) }) && maybeEmpty(l) {
		for _, v := range before { // an empty list leaves the variable as it was
			sc.set(l.Name.Value, v, true)
		}
	}
	return f
}

// maybeEmpty reports a list of a loop that can turn out to have no words.
func maybeEmpty(l *syntax.WordIter) bool {
	return len(l.Items) == 0 || dynamicArgs(l.Items)
}

// maxPasses is how often a loop is read; each pass shows what one variable may take over from another in the one before.
const maxPasses = 4

// repeated reads what runs more than once until nothing that it sets changes it any more: in the second round a command
// sees what a later one has set in the first.
func (j *judge) repeated(sc *scope, read func() flow) flow {
	sc.loops++
	defer func() { sc.loops-- }()
	changes, widen := sc.changes, sc.widen
	f := read()
	for n := 1; sc.changes != changes && n < maxPasses && j.steps >= 0; n++ {
		sc.widenAll()
		changes, sc.widen = sc.changes, true
		j.aside(func() { f = f.join(read()) })
	}
	if sc.changes != changes {
		j.fire(ruleBudget, 0, len(j.text)) // a later pass could still show a value that was not judged
	}
	sc.widen = widen
	return f
}

// widenAll leaves of a variable that can be anything only that.
func (s *scope) widenAll() {
	m := make(map[string][]value, len(s.vars))
	for name, vals := range s.vars {
		if i := slices.IndexFunc(vals, value.anything); i >= 0 && len(vals) > 1 {
			one := vals[i]
			for _, v := range vals {
				one.flow = one.flow.join(v.flow)
			}
			vals = []value{one}
		}
		m[name] = vals
	}
	s.vars, s.shared = m, false
}

// anything reports a value of which nothing is known.
func (v value) anything() bool { return v.dyn && v.text == dynMark && !v.num && v.shape == anyShape }

// guardName refuses loops over variables that change how later commands run.
func guardName(j *judge, name *syntax.Lit) {
	if envRisk(name.Value, false) != envInert {
		j.fireNode(ruleEnv, name)
	}
}

func (j *judge) loopValues(sc *scope, l *syntax.WordIter) []value {
	if !l.InPos.IsValid() {
		if sc.hasArgs {
			var vals []value
			for _, a := range sc.args {
				vals = append(vals, value{text: a.text, dyn: a.dyn, flow: a.flow})
			}
			if len(vals) > 0 && len(vals) < maxModes {
				return vals
			}
		}
		return []value{{text: dynMark, dyn: true}}
	}
	var vals []value
	var risky flow
	num := !slices.ContainsFunc(l.Items, func(w *syntax.Word) bool { return !sc.numeric(w) })
	for _, w := range j.fields(sc, l.Items) {
		risky = risky.join(w.flow)
		vals = append(vals, value{text: w.text, dyn: w.dyn, num: num, shape: w.wholeShape(), glob: w.globAt > 0, flow: w.flow})
	}
	vals = dedupe(vals)
	if len(vals) > maxModes {
		vals = append(worst(j, sc, vals, maxModes-1), value{text: dynMark, dyn: true, num: num, flow: risky})
	}
	if len(vals) == 0 {
		vals = []value{{}}
	}
	return vals
}

func dedupe(vals []value) []value {
	if len(vals) < 2 {
		return vals
	}
	seen := make(map[string]bool, len(vals))
	out := vals[:0]
	for _, v := range vals {
		if !seen[v.text] {
			seen[v.text] = true
			out = append(out, v)
		}
	}
	return out
}

// worst keeps the values a rule is most likely to object to.
func worst(j *judge, sc *scope, vals []value, n int) []value {
	var bad, rest []value
	for _, v := range vals {
		w := word{text: v.text, dyn: v.dyn}
		if j.classOf(sc, &w).treeDenied() || strings.ContainsAny(v.text, " \t-;|&$`") {
			bad = append(bad, v)
		} else {
			rest = append(rest, v)
		}
	}
	out := append(bad, rest...)
	return out[:min(n, len(out))]
}

func (j *judge) caseClause(sc *scope, c *syntax.CaseClause) flow {
	var f flow
	j.single(sc, c.Word)
	for _, it := range c.Items {
		for _, p := range it.Patterns {
			j.single(sc, p)
		}
		f = f.join(j.maybe(sc, it.Stmts))
	}
	f.known = false
	return f
}

// hiddenProcess judges process substitutions in a pattern of [[, where the parser sees plain text.
func (j *judge) hiddenProcess(sc *scope, w *syntax.Word) {
	for _, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			if g, isGlob := p.(*syntax.ExtGlob); isGlob {
				lit = g.Pattern
			}
		}
		if lit == nil {
			continue
		}
		for i := 0; i+1 < len(lit.Value); i++ {
			if (lit.Value[i] == '<' || lit.Value[i] == '>') && lit.Value[i+1] == '(' {
				j.fireNode(ruleNode, w)
				j.denyOnlyText(sc, strings.TrimRight(lit.Value[i+2:], ")"))
			}
		}
	}
}

func (j *judge) testExpr(sc *scope, x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		j.testExpr(sc, x.X)
		j.testExpr(sc, x.Y)
		if w, ok := x.Y.(*syntax.Word); ok {
			j.hiddenProcess(sc, w)
		}
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			j.evaluatedTest(sc, x.X)
			j.evaluatedTest(sc, x.Y)
		}
	case *syntax.UnaryTest:
		j.testExpr(sc, x.X)
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			j.evaluatedTest(sc, x.X)
		}
	case *syntax.ParenTest:
		j.testExpr(sc, x.X)
	case *syntax.Word:
		j.single(sc, x)
	case nil:
	default:
		j.fireNode(ruleNode, x)
	}
}

func (j *judge) funcDecl(sc *scope, c *syntax.FuncDecl) {
	if c.Name == nil || c.Body == nil {
		j.fireNode(ruleNode, c)
		return
	}
	name := c.Name.Value
	if callsItself(c.Body, name) {
		j.fireNode(ruleBomb, c)
		return
	}
	m := make(map[string]*syntax.Stmt, len(sc.funcs)+1)
	for k, v := range sc.funcs {
		m[k] = v
	}
	if m[name] != c.Body {
		sc.changes++
	}
	m[name] = c.Body
	sc.funcs = m
	if j.depth+1 >= maxDepth {
		j.fire(ruleBudget, int(c.Pos().Offset()), int(c.End().Offset()))
		return
	}
	// Judged once with unknown arguments, because a persistent shell may call it later.
	body := sc.clone()
	body.args, body.hasArgs, body.in = nil, false, flow{}
	if j.set.program(name) == nil { // a later call by this name is a call of an unknown program
		body.argForm = tameWords
	}
	body.calling = append(append([]string(nil), sc.calling...), name)
	j.depth++
	j.stmt(body, c.Body)
	j.depth--
}

// endless reports a loop whose condition always holds.
func endless(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	call, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || c.Cond[0].Negated {
		return false
	}
	if c.Until {
		return wordIs(call.Args[0], "false")
	}
	return len(call.Args) == 1 && (wordIs(call.Args[0], "true") || wordIs(call.Args[0], ":"))
}

// spawns reports statements that start processes in the background and neither wait nor leave the loop.
func spawns(list []*syntax.Stmt) bool {
	background := false
	for _, s := range list {
		if s.Background {
			background = true
			continue
		}
		held := false
		syntax.Walk(s, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				for _, name := range [...]string{"wait", "sleep", "break", "exit", "return", "read", "timeout", "inotifywait"} {
					held = held || wordIs(c.Args[0], name)
				}
			}
			return !held
		})
		if held {
			return false
		}
	}
	return background
}

// callsItself reports a body that runs name in a pipe or in the background.
func callsItself(body *syntax.Stmt, name string) bool {
	found := false
	calls := func(n syntax.Node) bool {
		hit := false
		syntax.Walk(n, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && wordIs(c.Args[0], name) {
				hit = true
			}
			return !hit
		})
		return hit
	}
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			if (n.Op == syntax.Pipe || n.Op == syntax.PipeAll) && calls(n) {
				found = true
			}
		case *syntax.Stmt:
			if n.Background && calls(n) {
				found = true
			}
		}
		return !found
	})
	return found
}

func wordIs(w *syntax.Word, s string) bool {
	var sb strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			sb.WriteString(strings.ReplaceAll(p.Value, "\\", ""))
		case *syntax.SglQuoted:
			sb.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok {
					sb.WriteString(l.Value)
				}
			}
		}
	}
	return sb.String() == s
}

// bombSide exists for the rule on functions that call themselves while their body is judged.
func (j *judge) bombSide(*scope) {}

// redirected is what the redirections of one statement do.
type redirected struct {
	input   bool // standard input is replaced
	in      flow
	output  bool // standard output goes to a file
	targets []word
	network bool
}

func (j *judge) redirects(sc *scope, rs []*syntax.Redirect) redirected {
	var r redirected
	for _, d := range rs {
		j.redirect(sc, d, &r)
	}
	return r
}

func (j *judge) redirect(sc *scope, d *syntax.Redirect, r *redirected) {
	a, e := int(d.Pos().Offset()), int(d.End().Offset())
	if d.N != nil && strings.HasPrefix(d.N.Value, "{") {
		j.fire(ruleNode, a, e) // {name}> assigns a variable
	}
	switch d.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		_, quoted := plainDelimiter(d.Word)
		r.input, r.in = true, flow{piped: true, known: true}
		if d.Hdoc != nil {
			r.in.text, r.in = j.heredoc(sc, d.Hdoc, quoted, r.in)
			if d.Op == syntax.DashHdoc {
				r.in.text = stripTabs(r.in.text)
			}
		}
		r.in.known = !strings.Contains(r.in.text, dynMark)
		return
	case syntax.WordHdoc:
		w := j.single(sc, d.Word)
		r.input, r.in = true, flow{piped: true, text: w.text + "\n", known: !w.dyn}.join(w.flow)
		return
	}
	ws := j.fields(sc, []*syntax.Word{d.Word})
	if len(ws) == 0 {
		ws = []word{{text: "", start: a, end: e}}
	}
	for i := range ws {
		j.redirectTo(sc, d, &ws[i], r)
	}
}

func stripTabs(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}

func (j *judge) heredoc(sc *scope, body *syntax.Word, quoted bool, in flow) (string, flow) {
	if quoted {
		var sb strings.Builder
		for _, p := range body.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				sb.WriteString(l.Value)
			}
		}
		in.text = sb.String()
		return in.text, in
	}
	b := builder{j: j, sc: sc, node: body, all: true, open: true}
	for _, p := range body.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			b.lit(unescape(l.Value, "$`\\"))
			continue
		}
		b.expand(p, true)
	}
	b.open = true
	b.flush()
	in = in.join(b.out[0].flow)
	in.text = b.out[0].text
	return in.text, in
}

func (j *judge) redirectTo(sc *scope, d *syntax.Redirect, w *word, r *redirected) {
	fd := ""
	if d.N != nil {
		fd = d.N.Value
	}
	switch d.Op {
	case syntax.RdrIn:
		if fd == "" || fd == "0" {
			r.input = true
			r.in = j.fileFlow(sc, w)
			r.in.piped = true
		} else {
			j.readFile(sc, w)
		}
		j.netFile(w, r)
		return
	case syntax.DplIn, syntax.DplOut:
		t := strings.TrimSuffix(w.text, "-")
		if strings.Trim(t, "0123456789") == "" && !w.dyn {
			if sc.netOpen && d.Op == syntax.DplIn {
				r.input, r.in = true, flow{piped: true, network: true}
			}
			r.network = r.network || sc.netOpen && t != "1" && t != "2" && t != "0" && t != ""
			return
		}
		if d.Op == syntax.DplIn {
			j.fire(ruleDynWord, w.start, w.end)
			return
		}
	case syntax.RdrInOut:
		r.input, r.in = fd == "" || fd == "0", j.fileFlow(sc, w)
		r.in.piped = true
	}
	if d.Op != syntax.RdrInOut && (fd == "" || fd == "1") || d.Op == syntax.RdrAll || d.Op == syntax.AppAll {
		r.output = !terminal(w.text)
	}
	r.targets = append(r.targets, *w)
	j.netFile(w, r)
	j.writeTarget(sc, w, d.Op == syntax.AppOut || d.Op == syntax.AppAll)
}

// terminal reports output names that are still the command's own output.
func terminal(s string) bool { return s == "/dev/stdout" || s == "/dev/fd/1" || s == "/dev/tty" }

// netFile notes bash's network redirections.
func (j *judge) netFile(w *word, r *redirected) {
	if strings.HasPrefix(w.text, "/dev/tcp/") || strings.HasPrefix(w.text, "/dev/udp/") {
		j.fire(ruleNetFile, w.start, w.end)
		r.network = true
		r.in.network = true
	}
}

// tainted follows where a statement's output goes: into a network redirection or into files.
func (j *judge) tainted(sc *scope, r *redirected, out flow) {
	for i := range r.targets {
		w := &r.targets[i]
		if r.network && out.secret {
			j.fire(ruleExfil, w.start, w.end)
		}
		if !out.tainted() && (!out.known || out.text == "") {
			continue
		}
		if p := j.resolve(sc, w); p != "" {
			if out.tainted() {
				sc.note(p, out)
			}
			if out.known {
				sc.wrote(p, out.text)
			}
		}
	}
}
