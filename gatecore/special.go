package gatecore

import (
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// special handles what grammar cannot say. It returns false if the command is
// judged completely and the rest of invoke is to be left out.
func (j *judge) special(sc *scope, inv *invocation, env []envVar, out *flow) bool {
	switch inv.cmd.special {
	case l0.Find:
		j.find(sc, inv, out)
		return false
	case l0.Env:
		return j.env(sc, inv, env, out)
	case l0.Xargs:
		return j.xargs(sc, inv, out)
	case l0.Parallel:
		return j.parallel(sc, inv)
	case l0.CommandName:
		if inv.has("-v") || inv.has("-V") {
			return false
		}
	case l0.Watch:
		if !inv.has("-x") && !inv.has("--exec") && inv.cmdAt > 0 {
			j.inner(sc.process(), func(c *scope) { j.nested(c, plainJoin(inv.words[inv.cmdAt:]), inv.words[0].start, inv.end()) })
			return true
		}
	case l0.SSH:
		if len(inv.operands) > 1 && inv.cmdAt > 0 {
			j.remoteText(sc, inv, inv.words[inv.cmdAt:])
		}
		return true
	case l0.Exec:
		if inv.cmdAt == 0 {
			j.fire(ruleBuiltin, inv.words[0].start, inv.end())
			return false
		}
	case l0.Busybox:
		if inv.cmdAt > 0 {
			*out = out.join(j.run(sc.process(), inv.words[inv.cmdAt:], nil))
			return false
		}
	case l0.Eval:
		j.eval(sc, inv, out)
		return false
	case l0.Source:
		j.source(sc, inv)
		return false
	case l0.Trap:
		if len(inv.operands) > 0 {
			j.nested(sc.clone(), inv.operands[0].w.text, inv.operands[0].w.start, inv.operands[0].w.end)
		}
		if len(inv.operands) > 1 {
			j.fire(ruleBuiltin, inv.words[0].start, inv.end())
		}
		return false
	case l0.Alias:
		j.alias(sc, inv)
		return false
	case l0.Declare:
		j.declareWords(sc, inv.words, out)
		return false
	case l0.SetOptions:
		j.setOptions(sc, inv, out)
		return false
	case l0.Read:
		j.read(sc, inv)
		return false
	case l0.Unset:
		j.unset(sc, inv)
		return false
	case l0.Shift:
		j.shift(sc, inv)
	case l0.Let:
		for _, o := range inv.operands {
			j.evaluated(sc, o.w)
			j.fire(ruleNode, o.w.start, o.w.end)
		}
		return false
	case l0.CompGen:
		for _, n := range []string{"-C", "-W", "-F"} {
			if w := inv.value(n); w != nil {
				j.document(sc, w.text, w.start, w.end)
				j.nested(sc.clone(), w.text, w.start, w.end)
			}
		}
		return true
	case l0.ChangeDir:
		j.changeDir(sc, inv)
		return false
	case l0.Test, l0.Bracket:
		j.test(sc, inv)
		return false
	case l0.Printf:
		j.printsKey(inv)
		j.printf(sc, inv, out)
		return false
	case l0.Echo:
		j.printsKey(inv)
		j.echo(inv, out)
		return false
	case l0.Cat:
		if len(inv.operands) == 0 || len(inv.operands) == 1 && inv.operands[0].w.text == "-" {
			if len(inv.opts) == 0 {
				out.text, out.known = sc.in.text, sc.in.known
			}
		}
	}
	if prog := inv.prog.name; prog == "make" || prog == "gmake" || prog == "bmake" {
		j.makeText(sc, inv)
	}
	switch inv.cmd.class {
	case l0.Shell:
		return j.shell(sc, inv, out)
	case l0.Interpreter:
		if inv.cmd.lang == l0.PowerShellText || inv.cmd.lang == l0.CmdText {
			j.windowsShell(sc, inv)
			break
		}
		j.interpreter(sc, inv)
	case l0.Interactive:
		if inv.cmd.lang == l0.Vim {
			j.vim(sc, inv)
			break
		}
		for i := range inv.words[1:] { // a pager's startup command
			if w := &inv.words[i+1]; strings.HasPrefix(w.text, "+") {
				j.denyOnly(sc, strings.TrimLeft(w.text, "+:!"), w)
			}
		}
	case l0.WritingRun:
		if (inv.prog.name == "at" || inv.prog.name == "batch") && sc.in.known {
			j.nested(sc.clone(), sc.in.text, inv.words[0].start, inv.end()) // the job's text
		}
		j.wrapped(sc, inv, out)
	case l0.Database:
		for i := range inv.operands {
			if j.credential(sc, inv.operands[i].w) {
				j.fire(ruleCredential, inv.operands[i].w.start, inv.operands[i].w.end)
				out.secret = true
			}
		}
		if sc.in.known || sc.in.text != "" && sc.in.text != dynMark {
			j.code(sc, inv, &word{text: sc.in.text, start: inv.words[0].start, end: inv.end()})
		}
	case l0.Wrapper, l0.Elevated, l0.Remote, l0.PackageRunner:
		j.wrapped(sc, inv, out)
	}
	return true
}

// inner runs f in a clone of the scope that has no pipe of its own.
func (j *judge) inner(sc *scope, f func(*scope)) {
	c := sc.clone()
	f(c)
}

// wrapped judges the command that a wrapper runs, in the wrapper's directory.
func (j *judge) wrapped(sc *scope, inv *invocation, out *flow) {
	if inv.cmdAt == 0 {
		if inv.cmd.class == l0.Wrapper && inv.cmd.sig.cmd >= 0 {
			j.fire(ruleOperands, inv.words[0].start, inv.end())
		}
		return
	}
	ws := inv.words[inv.cmdAt:]
	if i := innerDash(ws); i > 0 {
		ws = ws[i:]
	}
	if len(ws) == 0 {
		return
	}
	if ws[0].text == "-c" && inv.cmd.class == l0.WritingRun && len(ws) > 1 { // flock FILE -c TEXT
		j.shellText(sc.clone(), &ws[1])
		return
	}
	c := sc
	if inv.prog.name != "command" && inv.prog.name != "builtin" && inv.prog.name != "exec" {
		c = sc.process() // with a directory of its own
		if inv.dirSet {
			c.dir, c.dirLost = inv.dir, inv.dirLost
		}
		if inv.cmd.class == l0.Remote {
			c.dirLost = true
			j.mounted(c, inv)
		}
	}
	var env []envVar
	if inv.cmd.class == l0.Elevated || inv.prog.name == "time" {
		ws, env = leadingAssignments(ws)
	}
	if len(ws) == 1 && strings.IndexByte(ws[0].text, ' ') > 0 { // what runs it may split it, or give it to a shell
		j.aside(func() { j.denyOnly(c, ws[0].text, &ws[0]) })
	}
	p := j.enter("wrapper", ws0(ws), inv.end(), ws)
	c.outside = c == sc // command, builtin and exec know no functions
	f := j.run(c, ws, env)
	j.leave(p)
	*out = out.join(f)
	out.known, out.text = f.known, f.text
}

func ws0(ws []word) int {
	if len(ws) == 0 {
		return 0
	}
	return ws[0].start
}

// innerDash skips a -- in front of a wrapped command (npx -- x, docker exec c -- x).
func innerDash(ws []word) int {
	if ws[0].text == "--" {
		return 1
	}
	return 0
}

func leadingAssignments(ws []word) ([]word, []envVar) {
	var env []envVar
	for len(ws) > 0 {
		name, _, ok := strings.Cut(ws[0].text, "=")
		if !ok || !validName(name) {
			break
		}
		v := tail(&ws[0], len(name)+1)
		env = append(env, envVar{name: name, val: v})
		ws = ws[1:]
	}
	return ws, env
}

func plainJoin(ws []word) string {
	var sb strings.Builder
	for i := range ws {
		if i > 0 {
			sb.WriteByte(' ')
		}
		sb.WriteString(ws[i].text)
	}
	return sb.String()
}

// quoteWords writes words so that a shell reads them back.
func quoteWords(ws []word) string {
	var sb strings.Builder
	for i := range ws {
		if i > 0 {
			sb.WriteByte(' ')
		}
		sb.WriteByte('\'')
		sb.WriteString(strings.ReplaceAll(ws[i].text, "'", `'\''`))
		sb.WriteByte('\'')
	}
	return sb.String()
}

func (j *judge) remoteText(sc *scope, inv *invocation, ws []word) {
	c := sc.process()
	c.dirLost = true
	j.nested(c, plainJoin(ws), ws[0].start, inv.end())
}

func (j *judge) env(sc *scope, inv *invocation, env []envVar, out *flow) bool {
	ws := []word(nil)
	if inv.cmdAt > 0 {
		ws = inv.words[inv.cmdAt:]
	}
	ws, assigned := leadingAssignments(ws)
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.hasVal && (u.name == "-S" || u.name == "--split-string") {
			// The text is split into words of a command line with variables, no more.
			j.nested(sc.process(), u.val.text+" "+quoteWords(ws), u.at.start, inv.end())
			ws = nil
			assigned = append(assigned, envVar{name: "_"})
		}
	}
	j.options(sc, inv, false, out)
	if len(ws) == 0 {
		if len(assigned) == 0 || assigned[len(assigned)-1].name != "_" {
			j.fire(ruleSecrets, inv.words[0].start, inv.end())
			out.secret = true
		}
		return false
	}
	c := sc.process()
	if inv.dirSet {
		c.dir, c.dirLost = inv.dir, inv.dirLost
	}
	p := j.enter("wrapper", ws[0].start, inv.end(), ws)
	f := j.run(c, ws, append(assigned, env...))
	j.leave(p)
	*out = out.join(f)
	out.text, out.known = f.text, f.known
	return false
}

// everything is the rule about removing every object that a client lists.
var everything = map[string]string{"docker": "containers.remove-every", "kubectl": "kubernetes.delete-all", "redis": ruleSQL}
