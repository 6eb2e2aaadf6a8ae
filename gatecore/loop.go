package gatecore

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
