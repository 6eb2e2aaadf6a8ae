package gatecore

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call judges a simple command, once for every reading of its ambiguous words.
func (j *judge) call(sc *scope, s *syntax.Stmt, c *syntax.CallExpr) flow {
	var out flow
	mode, sites, mul := j.mode, j.sites, j.modeMul
	for m := 0; ; m++ {
		j.mode, j.sites, j.modeMul = m, nil, 1
		f := j.callOnce(sc, s, c, m)
		if m == 0 {
			out = f
		} else {
			known := out.known && f.known && out.text == f.text
			out = out.join(f)
			out.known = known
		}
		total := 1
		for _, n := range j.sites {
			if total *= n; total > maxModes {
				total = maxModes
				j.muteless(s)
				break
			}
		}
		if m+1 >= total || j.steps < 0 {
			break
		}
	}
	j.mode, j.sites, j.modeMul = mode, sites, mul
	return out
}

// muteless notes that not every reading of a statement was judged.
func (j *judge) muteless(s *syntax.Stmt) { j.fireNode(ruleBudget, s) }

func (j *judge) callOnce(sc *scope, s *syntax.Stmt, c *syntax.CallExpr, m int) flow {
	if j.steps--; j.steps < 0 {
		j.fireNode(ruleBudget, s)
		return flow{}
	}
	in, pipeOut := sc.in, sc.pipeOut
	r := j.redirects(sc, s.Redirs)
	if r.input {
		sc.in = r.in
	}
	if r.output {
		sc.pipeOut = false
	}
	var f flow
	if c != nil {
		open := sc.netOpen
		sc.netOpen = open || r.network
		f = j.simple(sc, s, c, m)
		// exec keeps its redirections.
		sc.netOpen = open || r.network && len(c.Args) > 0 && wordIs(c.Args[0], "exec")
	} else {
		f = flow{known: true}
		if r.input { // $(<file)
			f = sc.in
		}
	}
	sc.in, sc.pipeOut = in, pipeOut
	j.tainted(sc, &r, f)
	if r.network && f.secret {
		j.fireNode(ruleExfil, s)
	}
	if r.output {
		return flow{known: true}
	}
	return f
}

func (j *judge) simple(sc *scope, s *syntax.Stmt, c *syntax.CallExpr, m int) flow {
	env := j.assignments(sc, c.Assigns)
	if len(c.Args) == 0 {
		var taint flow
		for _, e := range env {
			j.assignEnv(sc, e, m)
			taint = taint.join(e.val.flow)
		}
		return flow{known: true}
	}
	end := int(s.End().Offset())
	ws := j.fields(sc, c.Args)
	p := j.enter("command", int(c.Pos().Offset()), end, ws)
	f := j.run(sc, ws, env)
	j.leave(p)
	if len(env) > 0 && dynamicArgs(c.Args) {
		// An assignment in front does not change how the same command's words expand in
		// bash, but readers disagree; both are judged.
		with := sc.clone()
		for _, e := range env {
			with.set(e.name, value{text: e.val.text, dyn: e.val.dyn, flow: e.val.flow}, false)
		}
		j.run(with, j.fields(with, c.Args), env)
	}
	return f
}

func dynamicArgs(ws []*syntax.Word) bool {
	for _, w := range ws {
		for _, p := range w.Parts {
			switch p.(type) {
			case *syntax.Lit, *syntax.SglQuoted:
			default:
				return true
			}
		}
	}
	return false
}

func (j *judge) assignments(sc *scope, as []*syntax.Assign) []envVar {
	if len(as) == 0 {
		return nil
	}
	env := make([]envVar, 0, len(as))
	for _, a := range as {
		if a.Index != nil {
			j.substitutions(sc, a.Index)
		}
		var elems []word
		if a.Array != nil {
			for _, e := range a.Array.Elems {
				if e.Value != nil {
					elems = append(elems, j.fields(sc, []*syntax.Word{e.Value})...)
				}
				if e.Index != nil {
					j.substitutions(sc, e.Index)
				}
			}
		}
		if a.Name == nil {
			continue
		}
		if a.Array != nil {
			sc.setArray(a.Name.Value, elems, a.Append)
		}
		e := envVar{name: a.Name.Value, raw: a}
		if a.Value != nil {
			e.val = j.single(sc, a.Value)
			e.num = sc.numeric(a.Value) || e.val.wholeShape() == tameNumber
		}
		if a.Append {
			if old, ok := sc.vars[e.name]; ok && len(old) == 1 {
				e.val.text, e.val.dyn, e.val.shape = old[0].text+e.val.text, e.val.dyn || old[0].dyn, anyShape
				e.num = e.num && (old[0].num || isDigits(old[0].text))
			} else {
				e.val.text, e.val.dyn, e.val.shape, e.num = dynMark+e.val.text, true, anyShape, false
			}
		}
		if a.Array != nil || a.Index != nil {
			e.val.text, e.val.dyn, e.val.shape, e.num = dynMark, true, anyShape, false
		}
		e.val.start, e.val.end = int(a.Pos().Offset()), int(a.End().Offset())
		env = append(env, e)
	}
	return env
}

// setArray keeps the elements of an array.
func (s *scope) setArray(name string, elems []word, add bool) {
	if len(s.arrays) >= maxNoted && s.arrays[name] == nil || add && len(s.arrays[name]) >= maxNoted {
		return
	}
	m := make(map[string][]word, len(s.arrays)+1)
	maps.Copy(m, s.arrays)
	if add {
		elems = append(slices.Clone(m[name]), elems...)
	}
	m[name] = elems[:min(len(elems), maxNoted)]
	s.arrays = m
}

// assignEnv performs an assignment that stands alone.
func (j *judge) assignEnv(sc *scope, e envVar, m int) {
	if envRisk(e.name, false) != envInert {
		j.fire(ruleEnv, e.val.start, e.val.end)
		j.document(sc, e.val.text, e.val.start, e.val.end)
		j.helperText(sc, e)
	}
	j.historyOff(e.name, &e.val)
	sc.set(e.name, value{text: e.val.text, dyn: e.val.dyn, num: e.num, shape: e.val.wholeShape(), glob: e.val.globAt > 0, flow: e.val.flow}, sc.cond > 0 || m > 0)
}

// helperText judges the value of a variable that names a program, for deny.
func (j *judge) helperText(sc *scope, e envVar) {
	j.denyOnly(sc, strings.TrimLeft(e.val.text, "!|- "), &e.val)
	if e.val.flow.known && e.val.flow.text != "" {
		j.denyOnly(sc, e.val.flow.text, &e.val) // BASH_ENV=<(…)
	}
}

// denyOnly judges text for deny and leaves undecided findings out.
func (j *judge) denyOnly(sc *scope, text string, w *word) {
	if !strings.ContainsAny(text, " \t\n;&|$`/") && !strings.Contains(text, "(") {
		return
	}
	j.muted++
	c := sc.clone()
	c.in = flow{}
	j.nested(c, text, w.start, w.end)
	j.muted--
}
