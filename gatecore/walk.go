package gatecore

import (
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
