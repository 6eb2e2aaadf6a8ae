package gatecore

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// shell judges a call of a shell: -c text, a script, or its standard input.
func (j *judge) shell(sc *scope, inv *invocation, out *flow) bool {
	j.options(sc, inv, false, out)
	if sc.netOpen && !inv.has("-c") {
		j.fire("net.reverse-shell", inv.words[0].start, inv.end())
	}
	out.shell = !sc.in.known && len(inv.operands) == 0
	c := sc.process()
	c.hasArgs, c.arg0 = false, nil
	if inv.cmd.lang != l0.ShellText {
		j.fireWhy(ruleShell, inv.words[0].start, inv.end(), inv.cmd.why, inv.cmd.instead)
	}
	if inv.has("-c") || inv.has("--command") {
		text := inv.value("--command")
		args := inv.operands
		if text == nil {
			if len(args) == 0 {
				j.fire(ruleOperands, inv.words[0].start, inv.end())
				return false
			}
			text, args = args[0].w, args[1:]
		}
		if len(args) > 0 {
			c.hasArgs, c.arg0 = true, args[0].w
			for _, a := range args[1:] {
				c.args = append(c.args, *a.w)
			}
		}
		p := j.enter("text", text.start, text.end, nil)
		*out = j.shellText(c, text).join(*out)
		j.leave(p)
		return false
	}
	if len(inv.operands) > 0 && !inv.has("-s") {
		w := inv.operands[0].w
		if inv.has("-n") && inv.cmd.lang == l0.ShellText && !inv.has("-i") && !w.dyn {
			*out = out.join(j.readFile(sc, w)) // reads the script without running it
			return false
		}
		j.fire(ruleShell, inv.words[0].start, inv.end())
		j.runsFile(sc, w)
		j.runsText(sc, w, nil)
		if w.flow.known {
			j.nested(c, w.flow.text, w.start, w.end)
		}
		if w.text == "/dev/stdin" || w.text == "-" || w.text == "/dev/fd/0" {
			j.stdinCode(c, inv)
		}
		return false
	}
	j.stdinCode(c, inv)
	return false
}

// stdinCode judges code that arrives on standard input.
func (j *judge) stdinCode(sc *scope, inv *invocation) {
	a, b := inv.words[0].start, inv.end()
	in := sc.in
	sc.in = flow{}
	if !in.known && in.text != "" && in.text != dynMark { // the part that is known can still be denied
		j.muted++
		if inv.cmd.class == l0.Interpreter {
			j.code(sc.clone(), inv, &word{text: in.text, start: a, end: b})
		} else {
			j.nested(sc.clone(), in.text, a, b)
		}
		j.muted--
	}
	switch {
	case in.known:
		if in.network {
			j.fire(ruleFetched, a, b)
		}
		if in.decoded {
			j.fire(ruleDecoded, a, b)
		}
		if inv.cmd.class == l0.Interpreter {
			w := word{text: in.text, start: a, end: b}
			j.code(sc, inv, &w)
		} else {
			j.nested(sc, in.text, a, b)
		}
	case in.network:
		j.fire(ruleFetched, a, b)
	case in.decoded:
		j.fire(ruleDecoded, a, b)
	case in.piped:
		j.fire(rulePiped, a, b)
	default:
		j.fire(ruleInteractive, a, b)
	}
}

// interpreter judges code that reaches an interpreter through a pipe, a file or a substitution.
func (j *judge) interpreter(sc *scope, inv *invocation) {
	for i := range inv.opts {
		if u := &inv.opts[i]; u.o != nil && u.o.eff&effCode != 0 {
			if u.val.flow.network {
				j.fire(ruleFetched, u.at.start, u.val.end)
			}
			if u.val.flow.decoded {
				j.fire(ruleDecoded, u.at.start, u.val.end)
			}
			return
		}
	}
	if len(inv.operands) > 0 && inv.operands[0].w.text != "-" {
		j.runsFile(sc, inv.operands[0].w)
		j.runsText(sc, inv.operands[0].w, inv)
		j.runsAddress(inv)
		if w := inv.operands[0].w; w.flow.known {
			c := word{text: w.flow.text, start: w.start, end: w.end}
			j.code(sc, inv, &c)
		}
		return
	}
	if w := inv.value("-m"); w != nil && stdinIsData[w.text] && inv.cmd.lang == l0.Python {
		return
	}
	if sc.in.piped {
		j.stdinCode(sc.clone(), inv)
	}
}

// runsAddress denies a module that deno or bun fetches by its address, except from the registries they are made for.
func (j *judge) runsAddress(inv *invocation) {
	w := inv.operands[0].w
	host, _, _ := strings.Cut(w.text[strings.Index(w.text, "://")+1:], "?")
	switch inv.prog.name {
	case "deno", "bun":
		if (strings.HasPrefix(w.text, "http://") || strings.HasPrefix(w.text, "https://")) && !strings.HasPrefix(host, "//deno.land/") && !strings.HasPrefix(host, "//jsr.io/") {
			j.fire(ruleFetched, w.start, w.end)
		}
	}
}

// stdinIsData are modules of Python that read standard input without running it.
var stdinIsData = map[string]bool{"json.tool": true, "json": true, "base64": true, "tokenize": true}

// declare judges export, declare, local and their kin in their clause form.
func (j *judge) declare(sc *scope, s *syntax.Stmt, c *syntax.DeclClause) flow {
	ws := []word{{text: c.Variant.Value, start: int(c.Pos().Offset()), end: int(c.Variant.End().Offset())}}
	var out flow
	plain := true
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			ws = append(ws, j.fields(sc, []*syntax.Word{a.Value})...)
			continue
		}
		env := j.assignments(sc, []*syntax.Assign{a})
		for _, e := range env {
			w := e.val
			if a.Naked {
				w.text = e.name
			} else {
				w.text = e.name + "=" + w.text
			}
			w.flow = flow{network: w.flow.network, decoded: w.flow.decoded, secret: w.flow.secret}
			ws = append(ws, w)
		}
		plain = plain && a.Array == nil
	}
	p := j.enter("command", ws[0].start, int(s.End().Offset()), ws)
	j.declareWords(sc, ws, &out)
	j.leave(p)
	return out
}

// declareWords judges a declaration builtin given as words.
func (j *judge) declareWords(sc *scope, ws []word, out *flow) {
	export := ws[0].text == "export"
	integer, print, array := false, false, false
	names := 0
	for i := 1; i < len(ws); i++ {
		w := &ws[i]
		if strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "+") {
			for _, r := range w.text[1:] {
				switch r {
				case 'x':
					export = true
				case 'i':
					integer = true
				case 'p':
					print = true
				case 'g', 'r', 'l', 'u', 't', '-':
				case 'a', 'A':
					array = true
				default: // -n makes a nameref, -f functions
					j.fire(ruleBuiltin, w.start, w.end)
				}
			}
			continue
		}
		names++
		if _, text, has := strings.Cut(w.text, "="); has && (strings.HasPrefix(text, "(") || array && w.dyn) {
			j.document(sc, text, w.start, w.end) // bash reads a quoted (…) as the elements of an array
			j.fire(ruleIndirect, w.start, w.end)
		}
		j.declareName(sc, w, export, integer)
	}
	if names == 0 && ws[0].text != "local" {
		_ = print
		j.fire(ruleSecrets, ws[0].start, ws[len(ws)-1].end)
		out.secret = true
	}
}

func (j *judge) declareName(sc *scope, w *word, export, integer bool) {
	name, text, has := strings.Cut(w.text, "=")
	if !validName(name) {
		j.document(sc, name, w.start, w.end)
		j.fire(ruleIndirect, w.start, w.end)
		return
	}
	if envRisk(name, export) != envInert {
		j.fire(ruleEnv, w.start, w.end)
		t := tail(w, min(len(w.text), len(name)+1))
		j.denyOnly(sc, strings.TrimPrefix(t.text, "!"), &t)
	}
	if !has {
		return
	}
	v := tail(w, len(name)+1)
	j.historyOff(name, &v)
	if integer {
		j.evaluated(sc, &v)
	}
	sc.assign(name, value{text: text, dyn: strings.Contains(text, dynMark), flow: w.flow})
}
