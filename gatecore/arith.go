package gatecore

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arith judges what arithmetic evaluates: substitutions in it, and the strings that its variables hold.
func (j *judge) arith(sc *scope, x syntax.ArithmExpr) {
	if x == nil {
		return
	}
	j.substitutions(sc, x)
	syntax.Walk(x, func(n syntax.Node) bool {
		a, b := 0, 0
		if n != nil {
			a, b = int(n.Pos().Offset()), int(n.End().Offset())
		}
		switch n := n.(type) {
		case *syntax.Lit:
			for _, v := range sc.vars[strings.TrimPrefix(n.Value, "$")] {
				j.document(sc, v.text, a, b)
				if strings.ContainsAny(v.text, "[$`") || (v.dyn || v.glob) && !v.num {
					j.fire(ruleIndirect, a, b)
				}
			}
		case *syntax.SglQuoted:
			j.document(sc, n.Value, a, b)
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		}
		return true
	})
}

// evaluatedTest is an operand of [[ that bash evaluates as arithmetic or as a name with subscript.
func (j *judge) evaluatedTest(sc *scope, x syntax.TestExpr) {
	w, ok := x.(*syntax.Word)
	if !ok {
		return
	}
	v := j.single(sc, w)
	if !sc.numeric(w) {
		j.evaluated(sc, &v)
	}
}

// evaluated judges a string that bash evaluates again. Plain names and numbers are inert.
func (j *judge) evaluated(sc *scope, w *word) {
	t := w.text
	if t == "" || strings.Trim(t, "0123456789-+ \x00") == "" && !strings.HasPrefix(t, dynMark) {
		return
	}
	if validName(t) {
		for _, v := range sc.vars[t] {
			j.document(sc, v.text, w.start, w.end)
			if strings.ContainsAny(v.text, "[$`") || (v.dyn || v.glob) && !v.num {
				j.fire(ruleIndirect, w.start, w.end)
			}
		}
		return
	}
	j.document(sc, t, w.start, w.end)
	j.fire(ruleIndirect, w.start, w.end)
}

// numeric reports whether a word is a number whatever happens: arithmetic runs no code in it. A variable that holds
// anything else is evaluated again by bash, subscripts and the substitutions in them included (bash(1), "ARITHMETIC
// EVALUATION").
func (s *scope) numeric(w *syntax.Word) bool {
	if w == nil || len(w.Parts) == 0 {
		return false
	}
	for _, p := range w.Parts {
		if !s.numericPart(p) {
			return false
		}
	}
	return true
}

func (s *scope) numericPart(p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.Lit:
		return isDigits(p.Value)
	case *syntax.SglQuoted:
		return isDigits(p.Value)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			if !s.numericPart(q) {
				return false
			}
		}
		return len(p.Parts) > 0
	case *syntax.ArithmExp:
		return true
	case *syntax.ParamExp:
		return s.numericParam(p)
	case *syntax.CmdSubst:
		return len(p.Stmts) == 1 && counts(p.Stmts[0])
	}
	return false
}

func (s *scope) numericParam(p *syntax.ParamExp) bool {
	if p.Length {
		return true
	}
	if p.Param == nil || p.Excl || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Exp != nil || p.Names != 0 {
		return false
	}
	switch p.Param.Value {
	case "#", "?", "$", "!", "RANDOM", "SECONDS", "LINENO", "EPOCHSECONDS", "UID", "EUID", "PPID":
		return len(s.vars[p.Param.Value]) == 0
	}
	vals := s.vars[p.Param.Value]
	for _, v := range vals {
		if !v.num && (v.dyn || !isDigits(v.text)) {
			return false
		}
	}
	return len(vals) > 0
}

// counts reports a pipeline that prints numbers: a counting program at its end, or at its start with nothing behind it but
// programs that cut.
func counts(s *syntax.Stmt) bool {
	if len(s.Redirs) > 0 && !onlyInput(s.Redirs) {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return countingCall(c)
	case *syntax.BinaryCmd:
		if c.Op != syntax.Pipe {
			return false
		}
		return counts(c.Y) || counts(c.X) && cutsOnly(c.Y)
	}
	return false
}

func onlyInput(redirs []*syntax.Redirect) bool {
	for _, r := range redirs {
		if r.Op != syntax.RdrIn && (r.N == nil || r.N.Value != "2") {
			return false
		}
	}
	return true
}

// countingCall reports a call of a program that prints nothing but numbers (and, wc with operands, names behind them,
// where arithmetic stops at the first word).
func countingCall(c *syntax.CallExpr) bool {
	if len(c.Assigns) > 0 || len(c.Args) == 0 {
		return false
	}
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = a.Lit()
	}
	has := func(options ...string) bool {
		for _, a := range args[1:] {
			for _, o := range options {
				if a == o {
					return true
				}
			}
		}
		return false
	}
	switch args[0] {
	case "wc", "nproc":
		return true
	case "seq":
		return !slices.ContainsFunc(c.Args[1:], func(w *syntax.Word) bool { return !isDigits(strings.TrimPrefix(w.Lit(), "-")) })
	case "grep", "egrep", "fgrep":
		// With several files a name stands before the count.
		return (has("-c", "--count") && len(args) <= 4 || has("-ch", "-hc")) && !has("-H", "--with-filename", "-r", "-R") &&
			!strings.ContainsAny(c.Args[len(args)-1].Lit(), "*?[")
	case "git":
		return has("rev-list") && has("--count")
	case "id":
		return has("-u", "-g")
	case "stat":
		return has("-c%s", "-f%z") || len(args) == 4 && (args[1] == "-c" && args[2] == "%s" || args[1] == "-f" && args[2] == "%z")
	case "tput":
		return has("cols", "lines")
	case "date":
		return len(args) == 2 && numericFormat(args[1])
	}
	return false
}

// numericFormat reports a date format of digits only.
func numericFormat(f string) bool {
	f, ok := strings.CutPrefix(f, "+")
	if !ok || f == "" {
		return false
	}
	for len(f) > 0 {
		if len(f) < 2 || f[0] != '%' || !strings.ContainsRune("sNYymdHMSjue", rune(f[1])) {
			return false
		}
		f = f[2:]
	}
	return true
}

func cutsOnly(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Assigns) > 0 || len(s.Redirs) > 0 {
		return false
	}
	switch c.Args[0].Lit() {
	case "head", "tail":
		return true
	case "tr":
		return len(c.Args) == 3 && strings.HasSuffix(strings.Trim(c.Args[1].Lit(), "-c"), "d")
	case "xargs":
		return len(c.Args) == 1
	case "cut", "awk":
		last, ok := c.Args[len(c.Args)-1].Parts[0].(*syntax.SglQuoted)
		return c.Args[len(c.Args)-1].Lit() == "-f1" || ok && last.Value == "{print $1}"
	}
	return false
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
