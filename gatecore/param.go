package gatecore

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// choose returns one of n possible values for this reading and notes that there were several.
func (j *judge) choose(n int) int {
	if n <= 1 {
		return 0
	}
	j.sites = append(j.sites, n)
	if j.modeMul <= 0 {
		j.modeMul = 1
	}
	i := j.mode / j.modeMul % n
	if j.modeMul < 1<<20 {
		j.modeMul *= n
	}
	return i
}

// lookup returns what a parameter holds. ok is false if it may be unset or anything.
func (j *judge) lookup(sc *scope, name string) (value, bool) {
	if v := sc.vars[name]; len(v) > 0 {
		return v[j.choose(len(v))], true
	}
	switch name {
	case "HOME":
		return value{text: j.home(sc)}, true
	case "PWD":
		if sc.dir != "" && !sc.dirLost {
			return value{text: sc.dir}, true
		}
	case "IFS":
		return value{text: " \t\n"}, true
	case "SHELL", "BASH":
		return value{text: "/bin/bash"}, true
	case "TMPDIR", "TMP", "TEMP":
		return value{text: "/tmp"}, true
	case "?", "#", "$": // never empty
		return value{text: someNumber, dyn: true, shape: tameNumber}, true
	case "!": // empty without a job
		return value{text: dynMark, dyn: true, shape: tameNumber}, true
	case "UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO", "BASHPID", "SHLVL", "COLUMNS", "LINES", "EPOCHSECONDS":
		return value{text: "1" + dynMark, dyn: true}, true
	case "-":
		return value{text: "h" + dynMark, dyn: true}, true
	case "0":
		if a := sc.arg0; a != nil {
			return value{text: a.text, dyn: a.dyn, glob: a.globAt > 0, flow: a.flow}, true
		}
		return value{text: "bash"}, true
	}
	if sc.hasArgs && len(name) > 0 && name[0] >= '1' && name[0] <= '9' {
		if n, err := strconv.Atoi(name); err == nil {
			if n <= len(sc.args) {
				a := sc.args[n-1]
				return value{text: a.text, dyn: a.dyn, glob: a.globAt > 0, flow: a.flow}, true
			}
			return value{}, true
		}
	}
	v := value{text: dynMark, dyn: true, flow: flow{key: lists.keys.match(name)}}
	if len(name) > 0 && name[0] >= '1' && name[0] <= '9' {
		v.shape = sc.argForm
	}
	return v, false
}

func (b *builder) param(p *syntax.ParamExp, quoted bool) {
	j, sc := b.j, b.sc
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	a, e := int(p.Pos().Offset()), int(p.End().Offset())
	if p.Index != nil {
		j.substitutions(sc, p.Index)
		j.index(sc, p.Index, a, e)
		if elems := sc.arrays[name]; len(elems) > 0 && p.Exp == nil && p.Slice == nil && p.Repl == nil && !p.Length {
			b.elements(p.Index, elems, quoted)
			return
		}
		b.expansion(value{text: dynMark, dyn: true}, quoted && !strings.Contains(name, "@"))
		return
	}
	if p.Excl && p.Names == 0 {
		v, _ := j.lookup(sc, name)
		j.document(sc, v.text, a, e)
		j.fire(ruleIndirect, a, e)
		b.unknown(!quoted)
		return
	}
	if p.Names != 0 || p.Flags != nil || p.NestedParam != nil || len(p.Modifiers) > 0 || p.Width || p.IsSet || name == "" {
		b.unknown(!quoted)
		return
	}
	if (name == "@" || name == "*") && p.Exp == nil && p.Slice == nil && p.Repl == nil && !p.Length {
		b.positional(name == "@", quoted)
		return
	}
	v, known := j.lookup(sc, name)
	switch {
	case p.Length:
		b.expansion(value{text: "1" + dynMark, dyn: true}, true)
	case p.Slice != nil:
		j.arith(sc, p.Slice.Offset)
		j.arith(sc, p.Slice.Length)
		b.expansion(slice(v, p.Slice), quoted)
	case p.Repl != nil:
		from, to := j.single(sc, p.Repl.Orig), j.single(sc, p.Repl.With)
		b.expansion(replace(v, from, to, p.Repl.All), quoted)
	case p.Exp != nil:
		b.operator(p, v, known, quoted, a, e)
	default:
		b.expansion(v, quoted)
	}
}

// index fires for subscripts that bash evaluates as arithmetic over variables.
func (j *judge) index(sc *scope, x syntax.ArithmExpr, a, b int) {
	w, ok := x.(*syntax.Word)
	if !ok {
		j.fire(ruleIndirect, a, b)
		return
	}
	s := w.Lit()
	if s == "@" || s == "*" {
		return
	}
	if _, err := strconv.Atoi(s); err == nil {
		return
	}
	j.fire(ruleIndirect, a, b)
	for _, v := range sc.vars[s] {
		j.document(sc, v.text, a, b)
	}
}

func (b *builder) positional(each, quoted bool) {
	if !b.sc.hasArgs {
		b.expansion(value{text: dynMark, dyn: true, shape: b.sc.argForm}, false)
		return
	}
	b.words(b.sc.args, each, quoted)
}

// elements expands an array whose elements are known; guard.assignment keeps it from ever being allowed.
func (b *builder) elements(index syntax.ArithmExpr, elems []word, quoted bool) {
	lit := ""
	if w, ok := index.(*syntax.Word); ok {
		lit = w.Lit()
	}
	switch n, err := strconv.Atoi(lit); {
	case lit == "@" || lit == "*":
		b.cur.computed = true
		b.words(elems, lit == "@", quoted)
	case err == nil && n >= 0 && n < len(elems):
		b.words(elems[n:n+1], false, quoted)
	default:
		b.expansion(value{text: dynMark, dyn: true}, quoted)
	}
}

func (b *builder) words(ws []word, each, quoted bool) {
	for i := range ws {
		w := &ws[i]
		if i > 0 {
			if each || !quoted {
				b.flush()
			} else {
				b.lit(" ")
			}
		}
		b.expansion(value{text: w.text, dyn: w.dyn, glob: w.globAt > 0, flow: w.flow}, quoted)
	}
}

func slice(v value, s *syntax.Slice) value {
	n := len(v.text)
	num := func(x syntax.ArithmExpr, def int) (int, bool) {
		if x == nil {
			return def, true
		}
		sign := 1
		if u, ok := x.(*syntax.UnaryArithm); ok && u.Op == syntax.Minus {
			sign, x = -1, u.X
		}
		if p, ok := x.(*syntax.ParenArithm); ok {
			return numLit(p.X, sign)
		}
		return numLit(x, sign)
	}
	off, ok1 := num(s.Offset, 0)
	length, ok2 := num(s.Length, n)
	if !ok1 || !ok2 || v.dyn {
		return value{text: dynMark, dyn: true, flow: v.flow}
	}
	if off < 0 {
		off += n
	}
	if off < 0 || off > n {
		return value{flow: v.flow}
	}
	end := off + length
	if length < 0 {
		end = n + length
	}
	end = min(max(end, off), n)
	return value{text: v.text[off:end], flow: v.flow}
}

func numLit(x syntax.ArithmExpr, sign int) (int, bool) {
	if u, ok := x.(*syntax.UnaryArithm); ok && u.Op == syntax.Minus {
		x, sign = u.X, -sign
	}
	w, ok := x.(*syntax.Word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(w.Lit())
	return sign * n, err == nil
}

func replace(v value, from, to word, all bool) value {
	if v.dyn || from.dyn || from.globAt > 0 || from.text == "" || strings.HasPrefix(from.text, "#") || strings.HasPrefix(from.text, "%") {
		return value{text: dynMark, dyn: true, flow: v.flow.join(to.flow)}
	}
	n := 1
	if all {
		n = -1
	}
	s := strings.Replace(v.text, from.text, to.text, n)
	if len(s) > maxWordBytes {
		return value{text: dynMark, dyn: true}
	}
	return value{text: s, dyn: strings.Contains(s, dynMark), flow: v.flow.join(to.flow)}
}

func (b *builder) operator(p *syntax.ParamExp, v value, known, quoted bool, a, e int) {
	j, sc := b.j, b.sc
	arg := word{}
	if p.Exp.Word != nil {
		arg = j.single(sc, p.Exp.Word)
		if t := hiddenProcessText(p.Exp.Word); t != "" {
			j.muted++
			j.nested(sc.clone(), t, a, e)
			j.muted--
		}
	}
	alt := value{text: arg.text, dyn: arg.dyn, flow: arg.flow, glob: arg.globAt > 0}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if known && v.text != "" && !v.dyn {
			if j.choose(2) == 1 {
				v = alt
			}
		} else if known && v.text == "" {
			v = alt
		} else if j.choose(2) == 0 {
			v = alt
		}
		if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
			sc.set(p.Param.Value, v, true)
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if j.choose(2) == 0 {
			v = alt
		} else {
			v = value{}
		}
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		v = trimmed(v, arg, true)
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		v = trimmed(v, arg, false)
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		v = cased(v, p.Exp.Op, p.Exp.Word != nil && arg.text != "")
	default: // ${x@P} and its kin
		j.document(sc, v.text, a, e)
		j.fire(ruleIndirect, a, e)
		v = value{text: dynMark, dyn: true, flow: v.flow}
	}
	b.expansion(v, quoted)
}

func trimmed(v value, pat word, front bool) value {
	if v.dyn || pat.dyn || pat.globAt > 0 || strings.ContainsAny(pat.text, "*?[") {
		if front || !v.dyn && v.text == "" {
			return value{text: dynMark, dyn: true, flow: v.flow}
		}
		// What is cut from the end leaves a beginning of the value.
		return value{text: dynMark, dyn: true, flow: v.flow}
	}
	if front {
		v.text = strings.TrimPrefix(v.text, pat.text)
	} else {
		v.text = strings.TrimSuffix(v.text, pat.text)
	}
	return v
}

func cased(v value, op syntax.ParExpOperator, pattern bool) value {
	if v.dyn || pattern {
		return value{text: dynMark, dyn: true, flow: v.flow}
	}
	first, rest := v.text, ""
	if (op == syntax.UpperFirst || op == syntax.LowerFirst) && len(v.text) > 1 {
		first, rest = v.text[:1], v.text[1:]
	}
	if op == syntax.UpperFirst || op == syntax.UpperAll {
		first = strings.ToUpper(first)
	} else {
		first = strings.ToLower(first)
	}
	v.text = first + rest
	return v
}
