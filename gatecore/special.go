package gatecore

import (
	"path"
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
			j.inner(sc, func(c *scope) { j.nested(c, plainJoin(inv.words[inv.cmdAt:]), inv.words[0].start, inv.end()) })
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
			*out = out.join(j.run(sc, inv.words[inv.cmdAt:], nil))
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
	switch inv.cmd.class {
	case l0.Shell:
		return j.shell(sc, inv, out)
	case l0.Interpreter:
		if inv.cmd.lang == l0.PowerShellText || inv.cmd.lang == l0.CmdText {
			j.windowsShell(sc, inv)
			break
		}
		j.interpreter(sc, inv)
	case l0.WritingRun:
		if (inv.prog.name == "at" || inv.prog.name == "batch") && sc.in.known {
			j.nested(sc.clone(), sc.in.text, inv.words[0].start, inv.end()) // the job's text
		}
		j.wrapped(sc, inv, out)
	case l0.Database:
		if sc.in.known {
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
		c = sc.clone() // a new process: no functions, no aliases, its own directory
		c.funcs, c.aliases = nil, nil
		if inv.dirSet {
			c.dir, c.dirLost = inv.dir, inv.dirLost
		}
		if inv.cmd.class == l0.Remote {
			c.dirLost = true
		}
	}
	var env []envVar
	if inv.cmd.class == l0.Elevated || inv.prog.name == "time" {
		ws, env = leadingAssignments(ws)
	}
	p := j.enter("wrapper", ws0(ws), inv.end(), ws)
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
	c := sc.clone()
	c.dirLost, c.funcs, c.aliases = true, nil, nil
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
			j.nested(sc.clone(), u.val.text+" "+quoteWords(ws), u.at.start, inv.end())
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
	c := sc.clone()
	c.funcs, c.aliases = nil, nil
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

func (j *judge) xargs(sc *scope, inv *invocation, out *flow) bool {
	ws := []word{{text: "echo", start: inv.words[0].start, end: inv.words[0].end}}
	if inv.cmdAt > 0 {
		ws = append([]word(nil), inv.words[inv.cmdAt:]...)
	}
	if sc.in.tree && removes(ws) {
		j.fire("fs.find-delete", inv.words[0].start, inv.end())
	}
	if id := everything[sc.in.ids]; id != "" && removesObjects(ws) {
		j.fire(id, inv.words[0].start, inv.end())
	}
	dyn := word{text: dynMark, dyn: true, split: true, start: ws[0].start, end: inv.end()}
	if sc.in.from != "" {
		dyn = word{text: sc.in.from + "/x" + dynMark, dyn: true, start: ws[0].start, end: inv.end()}
	}
	dyn.flow = flow{listing: sc.in.listing, secret: sc.in.secret, network: sc.in.network, decoded: sc.in.decoded}
	lists := [][]word{{dyn}}
	if sc.in.known && !inv.has("-a") && !inv.has("--arg-file") {
		var fixed []word
		for _, t := range strings.FieldsFunc(sc.in.text, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }) {
			fixed = append(fixed, word{text: strings.Trim(t, `'"`), start: ws[0].start, end: inv.end(), dyn: strings.Contains(t, dynMark), flow: dyn.flow})
		}
		if len(fixed) > 0 && len(fixed) < 256 {
			lists = [][]word{fixed}
		}
	}
	repl := "{}"
	replace := inv.has("-i") || inv.has("--replace")
	if w := inv.value("-I", "-i", "--replace", "-J"); w != nil && w.text != "" {
		repl, replace = w.text, true
	}
	c := sc.clone()
	c.in, c.funcs, c.aliases = flow{}, nil, nil
	if !replace { // on empty input the command runs once as it stands
		j.muted++
		*out = out.join(j.run(c, append([]word(nil), ws...), nil))
		j.muted--
	}
	if !replace && !inv.has("-r") && !inv.has("--no-run-if-empty") {
		*out = out.join(j.run(c, append([]word(nil), ws...), nil)) // on empty input the command runs as it stands
	}
	for _, list := range lists {
		if !replace {
			*out = out.join(j.run(c, append(append([]word(nil), ws...), list...), nil))
			continue
		}
		for i := range list {
			*out = out.join(j.run(c, substitute(ws, repl, list[i]), nil))
		}
	}
	j.options(sc, inv, false, out)
	return false
}

// everything is the rule about removing every object that a client lists.
var everything = map[string]string{"docker": "containers.remove-every", "kubectl": "kubernetes.delete-all"}

func removesObjects(ws []word) bool {
	for i := range ws {
		switch ws[i].text {
		case "rm", "rmi", "delete":
			return true
		}
	}
	return false
}

// listsEvery says which client lists the names of all its objects, and nothing else.
func (inv *invocation) listsEvery() string {
	switch inv.prog.name {
	case "docker", "podman", "nerdctl":
		if (inv.has("-q") || inv.has("--quiet")) && !inv.has("-f") && !inv.has("--filter") && len(inv.operands) == 0 {
			return "docker"
		}
	case "kubectl", "oc":
		if w := inv.value("-o", "--output"); w != nil && w.text == "name" && !inv.has("-l") && !inv.has("--selector") && len(inv.operands) == 1 {
			return "kubectl"
		}
	}
	return ""
}

// substitute replaces a marker in words by another word.
func substitute(ws []word, marker string, by word) []word {
	out := append([]word(nil), ws...)
	for i := range out {
		if !strings.Contains(out[i].text, marker) {
			continue
		}
		if out[i].text == marker {
			by.start, by.end = out[i].start, out[i].end
			out[i] = by
			continue
		}
		out[i].text = strings.ReplaceAll(out[i].text, marker, by.text)
		out[i].dyn = out[i].dyn || by.dyn
		listing := out[i].flow.listing || by.flow.listing
		out[i].flow = out[i].flow.join(by.flow)
		out[i].flow.listing = listing
	}
	return out
}

func (j *judge) parallel(sc *scope, inv *invocation) bool {
	if inv.cmdAt == 0 {
		j.fire(ruleCodeDyn, inv.words[0].start, inv.end())
		return true
	}
	ws := inv.words[inv.cmdAt:]
	var vals []word
	for i := range ws {
		if strings.HasPrefix(ws[i].text, ":::") {
			for _, v := range ws[i+1:] {
				if !strings.HasPrefix(v.text, ":::") {
					vals = append(vals, v)
				}
			}
			ws = ws[:i]
			break
		}
	}
	if len(vals) == 0 || len(vals) > maxModes {
		vals = append(vals, word{text: dynMark, dyn: true, start: inv.words[0].start, end: inv.end()})
	}
	for i, v := range vals {
		if i >= 2*maxModes {
			break
		}
		text := plainJoin(ws)
		if len(ws) == 0 {
			text = v.text
		} else if strings.Contains(text, "{}") {
			text = strings.ReplaceAll(text, "{}", v.text)
		} else {
			text += " " + v.text
		}
		j.nested(sc.clone(), text, inv.words[0].start, inv.end())
	}
	return true
}

func (j *judge) eval(sc *scope, inv *invocation, out *flow) {
	ws := inv.words[1:]
	if len(ws) > 0 && ws[0].text == "--" {
		ws = ws[1:]
	}
	for i := range ws {
		if ws[i].flow.network {
			j.fire(ruleFetched, ws[i].start, ws[i].end)
		}
		if ws[i].flow.decoded {
			j.fire(ruleDecoded, ws[i].start, ws[i].end)
		}
		if ws[i].dyn {
			j.fire(ruleCodeDyn, ws[i].start, ws[i].end)
		}
	}
	if len(ws) > 0 {
		*out = j.nested(sc, plainJoin(ws), ws[0].start, inv.end())
	}
}

func (j *judge) source(sc *scope, inv *invocation) {
	j.fire(ruleShell, inv.words[0].start, inv.end())
	if len(inv.operands) == 0 {
		return
	}
	w := inv.operands[0].w
	j.runsFile(sc, w)
	if w.flow.known {
		j.nested(sc, w.flow.text, w.start, w.end)
	}
	if sc.in.known && (w.text == "/dev/stdin" || w.text == "-") {
		j.nested(sc, sc.in.text, w.start, w.end)
	}
}

func (j *judge) alias(sc *scope, inv *invocation) {
	set := false
	for _, o := range inv.operands {
		name, text, ok := strings.Cut(o.w.text, "=")
		if !ok {
			continue
		}
		set = true
		m := map[string]string{}
		for k, v := range sc.aliases {
			m[k] = v
		}
		m[name] = text
		sc.aliases = m
		t := tail(o.w, len(name)+1)
		j.denyOnly(sc, t.text, &t)
	}
	if set || inv.prog.name != "alias" {
		j.fire(ruleBuiltin, inv.words[0].start, inv.end())
	}
}

func (j *judge) setOptions(sc *scope, inv *invocation, out *flow) {
	ws := inv.words[1:]
	if len(ws) == 0 {
		j.fire(ruleSecrets, inv.words[0].start, inv.end())
		out.secret = true
		return
	}
	for i := 0; i < len(ws); i++ {
		t := ws[i].text
		if t == "--" || t == "" || t[0] != '-' && t[0] != '+' {
			j.fire(ruleBuiltin, ws[i].start, ws[i].end) // later commands see other parameters
			if t == "--" {
				i++
			}
			sc.args, sc.hasArgs = append([]word(nil), ws[i:]...), true
			return
		}
		if strings.Trim(t[1:], "euxo") != "" || ws[i].dyn {
			j.fire(ruleBuiltin, ws[i].start, ws[i].end)
			continue
		}
		if strings.Contains(t, "x") {
			if v := sc.vars["PS4"]; len(v) > 0 {
				j.document(sc, v[0].text, ws[i].start, ws[i].end)
				j.fire(ruleIndirect, ws[i].start, ws[i].end)
			}
		}
		if strings.HasSuffix(t, "o") {
			i++
			if i >= len(ws) || !strings.Contains(" pipefail errexit nounset xtrace ", " "+ws[i].text+" ") {
				j.fire(ruleBuiltin, inv.words[0].start, inv.end())
			}
		}
	}
}

func (j *judge) read(sc *scope, inv *invocation) {
	var o flow
	j.options(sc, inv, false, &o)
	if w := inv.value("-C"); w != nil && inv.prog.name != "read" {
		j.nested(sc.clone(), w.text, w.start, w.end)
		j.fire(ruleIndirect, w.start, w.end)
	}
	names := inv.operands
	if inv.prog.name == "getopts" && len(names) > 0 {
		names = names[1:min(2, len(names))]
	}
	v := value{text: dynMark, dyn: true, flow: flow{network: sc.in.network, decoded: sc.in.decoded, secret: sc.in.secret, listing: sc.in.listing}}
	if sc.in.known {
		if line := strings.TrimRight(sc.in.text, "\n"); !strings.Contains(line, "\n") {
			v.text, v.dyn = line, strings.Contains(line, dynMark)
		}
	}
	if sc.in.from != "" {
		v = value{text: sc.in.from + "/x" + dynMark, dyn: true, flow: v.flow}
	}
	for i, n := range names {
		j.assignable(sc, n.w)
		x := v
		if len(names) > 1 {
			x.text, x.dyn = dynMark, true
			if f := strings.Fields(v.text); !v.dyn && i < len(f) {
				x.text, x.dyn = f[i], false
				if i == len(names)-1 {
					x.text = strings.Join(f[i:], " ")
				}
			}
		}
		sc.set(n.w.text, x, true)
		if sc.cond == 0 {
			sc.set(n.w.text, x, false)
		}
	}
	if w := inv.value("-a"); w != nil && inv.prog.name == "read" {
		j.assignable(sc, w)
		sc.set(w.text, v, true)
	}
	if len(names) == 0 {
		sc.set("REPLY", v, false)
	}
}

// assignable judges a word that a builtin takes as the name of a variable.
func (j *judge) assignable(sc *scope, w *word) {
	if w.dyn || !validName(w.text) {
		j.document(sc, w.text, w.start, w.end)
		j.fire(ruleIndirect, w.start, w.end)
		return
	}
	if envRisk(w.text, false) != envInert {
		j.fire(ruleEnv, w.start, w.end)
	}
}

func (j *judge) unset(sc *scope, inv *invocation) {
	for _, u := range inv.opts {
		if u.o == nil || u.name != "-v" {
			j.fire(ruleBuiltin, u.at.start, u.at.end)
		}
	}
	for _, o := range inv.operands {
		j.assignable(sc, o.w)
		if !o.w.dyn && len(sc.vars[o.w.text]) > 0 {
			sc.set(o.w.text, value{text: dynMark, dyn: true}, false)
		}
		if sc.funcs[o.w.text] != nil {
			j.fire(ruleBuiltin, o.w.start, o.w.end)
		}
	}
}

func (j *judge) changeDir(sc *scope, inv *invocation) {
	for _, u := range inv.opts {
		if u.o == nil {
			j.fire(ruleOption, u.at.start, u.at.end)
		}
	}
	before := sc.dir
	switch {
	case inv.prog.name == "popd":
		sc.dir, sc.dirLost = "", true
	case len(inv.operands) == 0:
		if inv.prog.name == "pushd" {
			sc.dir, sc.dirLost = "", true
			break
		}
		sc.dir, sc.dirLost = j.home(sc), false
	case len(inv.operands) > 1:
		j.fire(ruleOperands, inv.words[0].start, inv.end())
		sc.dirLost = true
	default:
		w := inv.operands[0].w
		if w.text == "-" || strings.HasPrefix(w.text, "+") {
			sc.dir, sc.dirLost = "", true
			break
		}
		sc.dir, sc.dirLost = joinDir(sc.dir, sc.dirLost, w)
	}
	if sc.cond > 0 && sc.dir != before {
		sc.dirLost = sc.dirLost || before != path.Clean(sc.dir) && j.mode > 0
	}
}

func (j *judge) test(sc *scope, inv *invocation) {
	ws := inv.words[1:]
	for i := range ws {
		t := ws[i].text
		if (t == "-v" || t == "-R") && i+1 < len(ws) && (i == 0 || ws[i-1].text == "!" || ws[i-1].text == "-a" || ws[i-1].text == "-o" || ws[i-1].text == "(") {
			j.evaluated(sc, &ws[i+1])
		}
	}
	if inv.cmd.special == l0.Bracket && (len(ws) == 0 || ws[len(ws)-1].text != "]" && !ws[len(ws)-1].dyn) {
		j.fire(ruleOperands, inv.words[0].start, inv.end())
	}
}

// printsKey fires for the value of a variable that its name calls a secret.
func (j *judge) printsKey(inv *invocation) {
	for i := 1; i < len(inv.words); i++ {
		if w := &inv.words[i]; w.flow.key {
			j.fire(ruleCredential, w.start, w.end)
		}
	}
}

func (j *judge) echo(inv *invocation, out *flow) {
	var sb strings.Builder
	newline := !inv.has("-n")
	for i, o := range inv.operands {
		if i > 0 {
			sb.WriteByte(' ')
		}
		sb.WriteString(o.w.text)
		*out = out.join(o.w.flow)
		out.listing = out.listing || o.w.flow.listing
	}
	t := sb.String()
	if inv.has("-e") && strings.Contains(t, "\\") {
		t = backslashes(t)
	}
	if newline {
		t += "\n"
	}
	out.text, out.known = t, true
	for _, o := range inv.operands {
		if o.w.globAt > 0 {
			out.known = false
		}
	}
}

// backslashes decodes the escapes of echo -e and printf.
func backslashes(s string) string {
	b := builder{}
	t := strings.NewReplacer(`\c`, `\\c`, `\'`, `'`, `\"`, `"`).Replace(s)
	// echo writes octal as \0NNN.
	var sb strings.Builder
	for i := 0; i < len(t); i++ {
		if t[i] == '\\' && i+2 < len(t) && t[i+1] == '0' && t[i+2] >= '0' && t[i+2] <= '7' {
			sb.WriteByte('\\')
			i++
			continue
		}
		if t[i] == '\\' && i+1 < len(t) {
			sb.WriteByte(t[i])
			i++
		}
		sb.WriteByte(t[i])
	}
	b.ansi(sb.String())
	return string(b.buf)
}

func (j *judge) printf(sc *scope, inv *invocation, out *flow) {
	ws := inv.words[1:]
	name := (*word)(nil)
	for len(ws) > 0 && strings.HasPrefix(ws[0].text, "-") {
		t := ws[0].text
		switch {
		case t == "--":
			ws = ws[1:]
		case t == "-v" && len(ws) > 1:
			name, ws = &ws[1], ws[2:]
			continue
		case strings.HasPrefix(t, "-v"):
			v := tail(&ws[0], 2)
			name, ws = &v, ws[1:]
			continue
		}
		break
	}
	for i := range ws {
		*out = out.join(ws[i].flow)
	}
	if len(ws) > 0 {
		out.text, out.known = format(ws[0].text, ws[1:])
		if ws[0].dyn {
			out.known = false
			if name == nil && ws[0].optionLike() {
				j.fire(ruleDynWord, ws[0].start, ws[0].end) // could turn out to be -v
			}
		}
	}
	if name != nil {
		j.assignable(sc, name)
		v := value{text: out.text, dyn: strings.Contains(out.text, dynMark), flow: *out}
		if !out.known {
			v.text, v.dyn = dynMark, true
		}
		sc.assign(name.text, v)
		out.text, out.known = "", true
	}
}

// format is what printf prints; false for conversions it does not follow.
func format(f string, args []word) (string, bool) {
	var sb strings.Builder
	for round := 0; ; round++ {
		used := 0
		for i := 0; i < len(f); i++ {
			if f[i] != '%' {
				sb.WriteByte(f[i])
				continue
			}
			i++
			for i < len(f) && strings.IndexByte("-+ #0123456789.", f[i]) >= 0 {
				i++
			}
			if i >= len(f) {
				break
			}
			if f[i] == '%' {
				sb.WriteByte('%')
				continue
			}
			a := ""
			if used < len(args) {
				a = args[used].text
			}
			used++
			switch f[i] {
			case 's', 'd', 'i', 'u', 'c':
				sb.WriteString(strings.ReplaceAll(a, `\`, `\\`))
			case 'b':
				sb.WriteString(a)
			default:
				return "", false
			}
		}
		if used == 0 || used >= len(args) || round > 64 || sb.Len() > maxWordBytes {
			break
		}
		args = args[used:]
	}
	s := sb.String()
	if strings.Contains(s, `\`) {
		s = backslashes(s)
	}
	return s, true
}
