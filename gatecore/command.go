package gatecore

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// envVar is an assignment in front of a command.
type envVar struct {
	name string
	val  word
	num  bool // the value is a number, see scope.numeric
	raw  *syntax.Assign
}

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
		if a.Array != nil {
			for _, e := range a.Array.Elems {
				if e.Value != nil {
					j.single(sc, e.Value)
				}
				if e.Index != nil {
					j.substitutions(sc, e.Index)
				}
			}
		}
		if a.Name == nil {
			continue
		}
		e := envVar{name: a.Name.Value, raw: a}
		if a.Value != nil {
			e.val = j.single(sc, a.Value)
			e.num = sc.numeric(a.Value)
		}
		if a.Append {
			if old, ok := sc.vars[e.name]; ok && len(old) == 1 {
				e.val.text, e.val.dyn = old[0].text+e.val.text, e.val.dyn || old[0].dyn
				e.num = e.num && (old[0].num || isDigits(old[0].text))
			} else {
				e.val.text, e.val.dyn, e.num = dynMark+e.val.text, true, false
			}
		}
		if a.Array != nil || a.Index != nil {
			e.val.text, e.val.dyn, e.num = dynMark, true, false
		}
		e.val.start, e.val.end = int(a.Pos().Offset()), int(a.End().Offset())
		env = append(env, e)
	}
	return env
}

// assignEnv performs an assignment that stands alone.
func (j *judge) assignEnv(sc *scope, e envVar, m int) {
	if envRisk(e.name, false) != envInert {
		j.fire(ruleEnv, e.val.start, e.val.end)
		j.document(sc, e.val.text, e.val.start, e.val.end)
		j.helperText(sc, e)
	}
	sc.set(e.name, value{text: e.val.text, dyn: e.val.dyn, num: e.num, glob: e.val.globAt > 0, flow: e.val.flow}, sc.cond > 0 || m > 0)
}

// helperText judges the value of a variable that names a program, for deny.
func (j *judge) helperText(sc *scope, e envVar) {
	j.denyOnly(sc, strings.TrimPrefix(e.val.text, "!"), &e.val)
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

// run judges a command whose words are resolved. ws is not empty for a command that runs something.
func (j *judge) run(sc *scope, ws []word, env []envVar) flow {
	j.wraps++
	defer func() { j.wraps-- }()
	if j.steps -= 1 + len(ws)/16; j.steps < 0 || j.wraps > maxDepth {
		j.fire(ruleBudget, 0, len(j.text))
		return flow{}
	}
	for _, e := range env {
		if e.name == "IFS" && len(ws) > 0 && (ws[0].text == "read" || ws[0].text == "mapfile" || ws[0].text == "readarray") {
			continue // how read splits its line, and nothing else
		}
		if envRisk(e.name, true) != envInert {
			j.fire(ruleEnv, e.val.start, e.val.end)
			j.helperText(sc, e)
		}
	}
	if len(ws) == 0 {
		return flow{known: true}
	}
	w0 := &ws[0]
	if j.posix && testPiece(ws) {
		return sc.in // the right side of && inside [[ ]]
	}
	j.operatorWords(ws)
	taint := sc.in
	taint.known, taint.text, taint.listing = false, "", false
	if w0.dyn || w0.globAt > 0 {
		j.dynamicProgram(sc, ws)
		return taint
	}
	if w0.computed {
		j.fire(ruleDynProgram, w0.start, w0.end)
	}
	if strings.IndexFunc(w0.text, invisible) >= 0 || strings.ContainsAny(w0.text, "\n\t") {
		j.fire(ruleCtlProgram, w0.start, w0.end)
	}
	name := j.programName(sc, w0)
	if body := sc.funcs[name]; body != nil && name == w0.text {
		return j.callFunction(sc, name, body, ws)
	}
	if text, ok := sc.aliases[name]; ok && name == w0.text {
		j.nested(sc, text+" "+quoteWords(ws[1:]), w0.start, w0.end)
	}
	prog := j.set.programs[name]
	if prog == nil {
		return taint.join(j.unknownProgram(sc, ws, name))
	}
	return j.invoke(sc, prog, ws, env)
}

func (j *judge) unknownProgram(sc *scope, ws []word, name string) (out flow) {
	w0 := &ws[0]
	lower := strings.ToLower(name)
	if j.set.windows[lower] != nil {
		out = j.windowsWords(sc, ws, name)
	} else if p := j.set.programs[lower]; p != nil && p.windowsShell() {
		j.muted++ // Windows finds CMD and PowerShell in any case
		out = j.invoke(sc, p, ws, nil)
		j.muted--
	}
	if j.e.table.runner(ws) {
		return out
	}
	if j.e.table.lifts(ws) && !w0.computed {
		return out
	}
	if i := strings.IndexByte(name, '-'); j.cmdlets && i > 0 && cmdletAt(name, i) && !w0.computed && j.set.windows[strings.ToLower(name)] != nil {
		return
	}
	if j.posix && !plausible(name) {
		return out // [[ and the pieces of (( )) and [[ && ]]: no such program exists
	}
	j.fire(ruleProgram, w0.start, ws[len(ws)-1].end)
	j.hiddenWords(ws)
	return out
}

// testPiece reports what a POSIX shell would take for a command inside [[ a && b == c ]].
func testPiece(ws []word) bool {
	if n := len(ws); n < 2 || !ws[0].dyn {
		return false
	} else if ws[n-1].text == "]]" {
		return true
	}
	switch ws[1].text {
	case "==", "!=", "=~", "=", "-eq", "-ne", "-gt", "-lt", "-ge", "-le":
		return true
	}
	return false
}

// plausible reports names that a program could have.
func plausible(name string) bool {
	if name == "" || !nameStart(name[0]) && (name[0] < '0' || name[0] > '9') && name[0] < 0x80 && name[0] != '.' && name[0] != '/' {
		return false
	}
	return !strings.ContainsAny(name, "+=<>[]()!*") && strings.Trim(name, "0123456789") != ""
}

// hiddenWords denies invisible characters in the words of a command that is no reader.
func (j *judge) hiddenWords(ws []word) {
	for i := range ws {
		if strings.IndexFunc(ws[i].text, func(r rune) bool { return r != 0 && r >= 0x7f && invisible(r) }) >= 0 {
			j.fire(ruleHidden, ws[i].start, ws[i].end)
		}
	}
}

// dynamicProgram judges a command whose program is not known: its arguments as a recursive deleter's.
func (j *judge) dynamicProgram(sc *scope, ws []word) {
	w0 := &ws[0]
	j.fire(ruleDynProgram, w0.start, w0.end)
	if w0.flow.network {
		j.fire(ruleFetched, w0.start, w0.end)
	}
	if w0.flow.decoded {
		j.fire(ruleDecoded, w0.start, w0.end)
	}
	recursive := false
	for i := range ws[1:] {
		t := ws[i+1].text
		if t == "--recursive" || len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t, "rR") {
			recursive = true
		}
	}
	if !recursive {
		return
	}
	for i := range ws[1:] {
		w := &ws[i+1]
		if !strings.HasPrefix(w.text, "-") && !w.dyn && j.classOf(sc, w).treeDenied() {
			j.fire(ruleDynDelete, w0.start, w.end)
		}
	}
}

var systemBins = map[string]bool{
	"/bin": true, "/sbin": true, "/usr/bin": true, "/usr/sbin": true, "/usr/local/bin": true, "/opt/homebrew/bin": true,
}

// programName returns the name the table knows a program by.
func (j *judge) programName(sc *scope, w *word) string {
	t := w.text
	if strings.IndexByte(t, '/') < 0 && strings.IndexByte(t, '\\') < 0 {
		return dropExe(t)
	}
	clean := path.Clean(strings.ReplaceAll(t, "\\", "/"))
	dir, base := path.Split(clean)
	if !systemBins[strings.TrimSuffix(dir, "/")] || strings.IndexByte(t, '\\') >= 0 {
		j.fire(ruleProgramPath, w.start, w.end)
		if p := j.resolve(sc, w); sc.files[p].network {
			j.fire(ruleFetched, w.start, w.end)
		} else if sc.files[p].decoded {
			j.fire(ruleDecoded, w.start, w.end)
		}
	}
	return dropExe(base)
}

func dropExe(s string) string {
	if len(s) < 5 || s[len(s)-4] != '.' {
		return s
	}
	switch strings.ToLower(s[len(s)-4:]) {
	case ".exe", ".cmd", ".bat", ".com":
		return strings.ToLower(s[:len(s)-4])
	}
	return s
}

func (j *judge) callFunction(sc *scope, name string, body *syntax.Stmt, ws []word) flow {
	for _, c := range sc.calling {
		if c == name {
			j.fire(ruleOption, ws[0].start, ws[0].end) // recursion is not followed
			return flow{}
		}
	}
	if j.depth+1 >= maxDepth {
		j.fire(ruleBudget, ws[0].start, ws[0].end)
		return flow{}
	}
	args, has, calling := sc.args, sc.hasArgs, sc.calling
	sc.args, sc.hasArgs = append([]word(nil), ws[1:]...), true
	sc.calling = append(append([]string(nil), calling...), name)
	j.depth++
	f := j.stmt(sc, body)
	j.depth--
	sc.args, sc.hasArgs, sc.calling = args, has, calling
	return f
}

// invoke judges a listed program.
func (j *judge) invoke(sc *scope, prog *program, ws []word, env []envVar) flow {
	inv := parseInvocation(prog, oldStyle(prog, ws))
	out := flow{network: sc.in.network, decoded: sc.in.decoded, secret: sc.in.secret, key: sc.in.key, listing: sc.in.listing}
	if inv.helpOnly() && prog.style != l0.Raw {
		return out
	}
	before := len(j.findings)
	if prog.name == "fd" || prog.name == "fdfind" {
		j.fdExec(sc, inv, &out)
	}
	if !j.special(sc, inv, env, &out) {
		return out
	}
	j.universal(sc, inv, env)
	j.rulesOf(sc, inv, env)
	if j.e.table.runner(ws) && !ws[0].computed {
		return out
	}
	lift := j.e.table.lifts(ws) && !ws[0].computed
	j.class(inv, lift, &out)
	j.options(sc, inv, lift, &out)
	j.operandsOf(sc, inv, lift, &out)
	j.dynamicWords(inv)
	j.sinks(sc, inv)
	if inv.cmd.class != l0.Reader || len(j.findings) > before {
		if inv.cmdAt > 0 {
			ws = ws[:inv.cmdAt]
		}
		j.hiddenWords(ws)
	}
	j.output(sc, inv, &out)
	return out
}

func (j *judge) universal(sc *scope, inv *invocation, env []envVar) {
	for i := range j.set.universal {
		cm := &j.set.universal[i]
		if j.matches(sc, inv, cm, env) {
			j.fire(cm.rule.ID, inv.words[0].start, inv.end())
		}
	}
}

var classRules = map[l0.Class]string{
	l0.Unlisted: ruleWrites, l0.Writer: ruleWrites, l0.Network: ruleNetwork, l0.Database: ruleDatabase,
	l0.Interactive: ruleInteractive, l0.Interpreter: ruleInterpreter, l0.Elevated: ruleElevated, l0.Remote: ruleRemote,
	l0.WritingRun: ruleWritingRun, l0.PackageRunner: ruleRunner, l0.Secrets: ruleSecrets, l0.Shell: ruleShell,
}

// class fires for what the command does whatever its options.
func (j *judge) class(inv *invocation, lift bool, out *flow) {
	c := inv.cmd
	if inv.sub != nil && c == inv.root && !(c.class == l0.Reader && !c.sig.open) {
		if !lift {
			j.fire(ruleCommand, inv.words[0].start, inv.sub.end)
		}
		return
	}
	if c.class == l0.Unlisted && c == inv.root && (inv.prog.root.kids != nil || inv.prog.root.globs != nil) {
		j.fire(ruleCommand, inv.words[0].start, inv.end())
		return
	}
	switch c.class {
	case l0.Reader, l0.Wrapper, l0.Builtin:
		return
	case l0.Secrets:
		out.secret = true
	case l0.Network:
		out.network = true
	case l0.Writer, l0.Unlisted:
		if inv.dry {
			return
		}
	case l0.Shell:
		return
	}
	j.fireWhy(classRules[c.class], inv.words[0].start, inv.end(), c.why, c.instead)
}

func (j *judge) options(sc *scope, inv *invocation, lift bool, out *flow) {
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.o == nil {
			if !lift {
				j.fire(ruleOption, u.at.start, u.at.end)
			}
			continue
		}
		if u.o.eff == effRead {
			if u.hasVal && selects[u.name] && j.credentialPattern(u.val.text) {
				j.fire(ruleCredential, u.at.start, u.val.end)
				out.secret = true
			}
			continue
		}
		if u.o.arity == needsValue && !u.hasVal {
			j.fire(ruleOption, u.at.start, u.at.end)
		}
		j.optionEffects(sc, inv, u, out)
	}
}

func (j *judge) optionEffects(sc *scope, inv *invocation, u *optUse, out *flow) {
	a, b, eff := u.at.start, u.at.end, u.o.eff
	if i := strings.IndexByte(u.val.text, ':'); i > 0 && u.hasVal && (u.name == "-f" || u.name == "--file") && strings.HasSuffix(inv.prog.name, "tar") &&
		strings.IndexByte(u.val.text[:i], '/') < 0 && !inv.has("--force-local") {
		j.fire(ruleOptEndpoint, a, u.val.end) // an archive on another machine
	}
	if eff&effFile != 0 && u.hasVal {
		*out = out.join(j.readFile(inv.scope(sc), &u.val))
	}
	if eff&(effWrite|effAppend) != 0 {
		if u.hasVal && inv.prog.name == "openssl" && j.writeDenied(inv.scope(sc), &u.val, false) == ruleWriteCred {
			j.fire(ruleOptWrite, a, u.val.end) // making keys and certificates is what it is for
		} else if u.hasVal {
			j.outputFile(inv.scope(sc), &u.val, eff&effAppend != 0, out)
		} else {
			j.fire(ruleOptWrite, a, b) // to a file with a name of its own
		}
	}
	if eff&effChange != 0 && !inv.dry && inv.cmd.class == l0.Reader {
		j.fire(ruleOptChange, a, b)
	}
	if eff&effRun != 0 {
		j.fire(ruleOptRun, a, b)
		if u.hasVal {
			j.denyOnly(sc, helperCommand(inv, &u.val), &u.val)
		}
	}
	if eff&effConfig != 0 {
		j.fire(ruleOptConfig, a, b)
	}
	if eff&effEndpoint != 0 && inv.cmd.class != l0.Network {
		j.fire(ruleOptEndpoint, a, b)
	}
	if eff&effSecret != 0 {
		j.fire(ruleSecrets, a, b)
		out.secret = true
	}
	if eff&effInteract != 0 {
		j.fire(ruleInteractive, a, b)
	}
	if eff&effCode != 0 && u.hasVal {
		j.code(sc, inv, &u.val)
	}
	if eff&effCodeFile != 0 {
		j.codeFile(sc, u)
	}
	if eff&effShell != 0 && u.hasVal {
		j.shellText(sc, &u.val)
	}
	if eff == effHelp {
		j.fire(ruleOption, a, b)
	}
	if eff&effDir != 0 && u.hasVal {
		inv.chdir(sc, &u.val)
	}
}

// helperCommand is the shell text in the value of an option that names a program. For
// git -c it stands after the equals sign, an alias's after an exclamation mark.
func helperCommand(inv *invocation, w *word) string {
	t := w.text
	switch inv.prog.name {
	case "git", "ssh", "autossh", "scp", "sftp", "tar", "gtar", "bsdtar": // name=command
		if i := strings.IndexByte(t, '='); i >= 0 {
			t = t[i+1:]
		}
	}
	return strings.TrimLeft(t, ":!")
}

func (j *judge) codeFile(sc *scope, u *optUse) {
	j.fire(ruleInterpreter, u.at.start, u.at.end)
	if u.hasVal {
		j.runsFile(sc, &u.val)
	}
}

// runsFile denies running a file that was fetched or decoded in the same text.
func (j *judge) runsFile(sc *scope, w *word) {
	f := w.flow.join(sc.files[j.resolve(sc, w)])
	if w.text == "-" || w.text == "/dev/stdin" {
		f = f.join(sc.in)
	}
	if f.network {
		j.fire(ruleFetched, w.start, w.end)
	} else if f.decoded {
		j.fire(ruleDecoded, w.start, w.end)
	}
}

// shellText judges a word that some program gives to a shell.
func (j *judge) shellText(sc *scope, w *word) flow {
	if w.flow.network {
		j.fire(ruleFetched, w.start, w.end)
	}
	if w.flow.decoded {
		j.fire(ruleDecoded, w.start, w.end)
	}
	if w.dyn && strings.HasPrefix(w.text, dynMark) && len(w.text) == 1 {
		j.fire(ruleCodeDyn, w.start, w.end)
		return flow{}
	}
	return j.nested(sc, w.text, w.start, w.end)
}

func (inv *invocation) chdir(sc *scope, w *word) {
	base, lost := sc.dir, sc.dirLost
	if inv.dirSet {
		base, lost = inv.dir, inv.dirLost
	}
	inv.dirSet = true
	inv.dir, inv.dirLost = joinDir(base, lost, w)
}

// joinDir is the directory after changing to w.
func joinDir(base string, lost bool, w *word) (string, bool) {
	switch {
	case w.dyn || w.globAt > 0:
		return "", true
	case strings.HasPrefix(w.text, "/") || strings.HasPrefix(w.text, "~"):
		return path.Clean(w.text), false
	case base == "" || lost:
		return "", true
	}
	return path.Join(base, w.text), false
}

func (j *judge) operandsOf(sc *scope, inv *invocation, lift bool, out *flow) {
	sig := &inv.cmd.sig
	n := len(inv.operands)
	if inv.sub != nil && inv.cmd == inv.root && !(inv.cmd.class == l0.Reader && !sig.open) {
		return
	}
	reader := inv.cmd.class == l0.Reader
	if reader && sig.open && n > 0 || reader && !sig.open && sig.max >= 0 && n > sig.max {
		if !lift {
			j.fire(ruleOperands, inv.operands[n-1].w.start, inv.operands[n-1].w.end)
		}
	}
	s := inv.scope(sc)
	inPlace := inv.writesInPlace()
	git := inv.prog.name == "git"
	for i := range inv.operands { // what is read first, so that it marks what is written
		if o := &inv.operands[i]; o.role == roleFile {
			*out = out.join(j.readFile(s, o.w))
			if git { // revision:path
				if i := strings.LastIndexByte(o.w.text, ':'); i >= 0 && i+1 < len(o.w.text) {
					t := tail(o.w, i+1)
					*out = out.join(j.readFile(s, &t))
				}
			}
		}
	}
	writing := reader && sig.writes()
	for i := range inv.operands {
		o := &inv.operands[i]
		if writing && (o.w.split || o.w.globAt > 0) {
			j.fire(ruleDynWord, o.w.start, o.w.end) // may become several words, the second of which is written
		}
		switch o.role {
		case roleName:
			out.listing = out.listing || inv.prog.name == "ls" && (j.credential(s, o.w) || o.w.globAt > 0 && j.credentialPattern(o.w.text))
		case roleFile:
			if inPlace {
				j.writeTarget(s, o.w, false)
			}
		case roleWord:
			if inPlace && inv.cmd.class == l0.Interpreter {
				j.writeTarget(s, o.w, false)
			}
		case roleWrite:
			if inv.dry {
				continue
			}
			if i == 1 && inv.prog.name == "cp" && lists.notSecret.match(path.Base(inv.operands[0].w.text)) && j.writeDenied(s, o.w, false) == ruleWriteCred {
				j.fire(ruleOptWrite, o.w.start, o.w.end) // cp .env.example .env
				continue
			}
			j.outputFile(s, o.w, inv.has("-a") && inv.cmd.class == l0.Reader, out)
			j.writtenInto(s, inv, i)
		case roleAppend:
			j.outputFile(s, o.w, true, out)
		case roleDelete:
			if reader {
				j.fire(ruleWrites, o.w.start, o.w.end)
			}
			j.gateTouched(s, o.w)
		case roleCode:
			if inv.cmd.lang != l0.Redis {
				j.code(sc, inv, o.w)
			} else if i == 0 { // one command, its arguments in words of their own
				j.code(sc, inv, &word{text: plainJoin(inv.operandWords()), start: o.w.start, end: inv.end()})
			}
		case roleShell:
			if i == 0 { // its words are joined, options of its own included
				for k := range inv.words {
					if &inv.words[k] == o.w {
						j.nested(sc.clone(), plainJoin(inv.words[k:]), o.w.start, inv.end())
					}
				}
			}
			j.shellText(sc, o.w)
		case roleHost:
			if inv.cmd.class != l0.Network && inv.cmd.class != l0.Remote {
				j.fire(ruleOptEndpoint, o.w.start, o.w.end)
			}
		case roleSet:
			// With these the operands of git branch and git tag are commits and patterns.
			if reader && !inv.dry && !inv.hasAny(listingOptions) && !(strings.HasSuffix(inv.prog.name, "date") && strings.HasPrefix(o.w.text, "+")) {
				j.fire(ruleOptChange, o.w.start, o.w.end)
			}
		case roleNone:
			if !reader {
				j.gateTouched(s, o.w)
			}
		}
	}
}

func (inv *invocation) operandWords() []word {
	ws := make([]word, len(inv.operands))
	for i := range inv.operands {
		ws[i] = *inv.operands[i].w
	}
	return ws
}

func (j *judge) gateTouched(sc *scope, w *word) {
	if j.gateFile(sc, w) {
		j.fire(ruleGateWrite, w.start, w.end)
	}
}

// outputFile judges a file the program writes and notes where its bytes come from.
func (j *judge) outputFile(sc *scope, w *word, appending bool, out *flow) {
	if w.text == "-" {
		return
	}
	j.writeTarget(sc, w, appending)
	if out.tainted() {
		if p := j.resolve(sc, w); p != "" {
			sc.note(p, *out)
		}
	}
}

// dynamicWords fires for words that could turn out to be options that write or run something.
func (j *judge) dynamicWords(inv *invocation) {
	eff := inv.cmd.opts.effects
	if inv.prog.anywhere {
		eff |= inv.root.opts.effects
	}
	if eff&effHarmful == 0 || inv.cmd.class != l0.Reader {
		return
	}
	for i := range inv.opts {
		// An unquoted value that is not known can become several words, options among them.
		if u := &inv.opts[i]; u.hasVal && (u.val.split || u.split) {
			j.fire(ruleDynWord, u.val.start, u.val.end)
		}
	}
	for i := range inv.operands {
		if inv.dash >= 0 && i >= inv.dash {
			return
		}
		if w := inv.operands[i].w; w.optionLike() && w.text != "-" {
			j.fire(ruleDynWord, w.start, w.end)
		}
	}
}

// sinks denies credentials that reach a network client.
func (j *judge) sinks(sc *scope, inv *invocation) {
	if !inv.prog.network && inv.cmd.class != l0.Network && inv.cmd.class != l0.Remote && !j.remoteOperand(inv) {
		return
	}
	if sc.in.shell {
		j.fire("net.reverse-shell", inv.words[0].start, inv.end())
	}
	if sc.in.secret || j.sendsSecret(sc, inv) || batchClients[inv.prog.name] && j.namesSecret(sc, sc.in) || rawSenders[inv.prog.name] && j.sendsKey(sc, inv) {
		j.fire(ruleExfil, inv.words[0].start, inv.end())
	}
}

// rawSenders carry whatever they are given to any host. Logging in with a token is what other clients are for.
var rawSenders = map[string]bool{"curl": true, "wget": true, "wget2": true, "nc": true, "ncat": true, "netcat": true, "socat": true, "telnet": true, "http": true,
	"https": true, "xh": true, "dig": true, "nslookup": true, "host": true, "ping": true, "openssl": true, "mail": true, "mailx": true, "sendmail": true}

// batchClients take commands with file names on standard input.
var batchClients = map[string]bool{"sftp": true, "ftp": true, "lftp": true, "tftp": true}

func (j *judge) namesSecret(sc *scope, in flow) bool {
	for t := range strings.FieldsSeq(in.text) {
		if j.credential(sc, &word{text: t}) {
			return true
		}
	}
	return false
}

// sendsKey reports a secret variable in an address or a body; in a header or a login it is what it is for.
func (j *judge) sendsKey(sc *scope, inv *invocation) bool {
	if sc.in.key {
		return true
	}
	for i := range inv.operands {
		if inv.operands[i].w.flow.key {
			return true
		}
	}
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.hasVal && u.val.flow.key && u.o != nil && u.o.eff&effSend != 0 {
			switch u.name {
			case "-H", "--header", "-b", "--cookie", "--proxy-header", "--login-options":
			default:
				return true
			}
		}
	}
	return false
}

func (j *judge) sendsSecret(sc *scope, inv *invocation) bool {
	s := inv.scope(sc)
	for i := 1; i < len(inv.words); i++ {
		if inv.words[i].flow.secret {
			return true
		}
	}
	for i := range inv.operands {
		if j.carriesSecret(s, inv.operands[i].w) {
			return true
		}
	}
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.hasVal && u.o != nil && u.o.eff&effSend != 0 && j.carriesSecret(s, &u.val) {
			return true
		}
	}
	return false
}

// carriesSecret reports a word that is, or refers to (@file, name=@file, <file), a credential.
func (j *judge) carriesSecret(sc *scope, w *word) bool {
	if w.flow.secret || w.flow.listing || j.credential(sc, w) || sc.files[j.resolve(sc, w)].secret {
		return true
	}
	for _, mark := range []string{"@", "<", "="} {
		if i := strings.Index(w.text, mark); i >= 0 {
			t := tail(w, i+1)
			t.text, _, _ = strings.Cut(t.text, ";")
			if t.text != "" && (j.credential(sc, &t) || sc.files[j.resolve(sc, &t)].secret) {
				return true
			}
		}
	}
	return false
}

// output says what is known about what the command prints.
func (j *judge) output(sc *scope, inv *invocation, out *flow) {
	c := inv.cmd
	if c.always || len(c.decodes) > 0 && inv.hasAny(c.decodes) {
		out.decoded = true
	}
	if inv.prog.network && c.class != l0.Reader {
		out.network = true
	}
	j.fetchedFiles(sc, inv)
	out.ids = inv.listsEvery()
	if out.tainted() {
		j.archived(sc, inv, *out)
	}
	switch inv.prog.name {
	case "which", "command":
		if len(inv.operands) == 1 && !inv.operands[0].w.dyn {
			out.text, out.known = "/usr/bin/"+path.Base(inv.operands[0].w.text)+"\n", true
		}
	case "pwd":
		if sc.dir != "" && !sc.dirLost {
			out.text, out.known = sc.dir+"\n", true
		}
	case "mktemp":
		out.text, out.known = "/tmp/tmp."+dynMark+"\n", true
	}
}

// archived notes the archive that tar or zip makes of files.
func (j *judge) archived(sc *scope, inv *invocation, f flow) {
	switch inv.prog.name {
	case "tar", "gtar", "bsdtar":
		if w := inv.value("-f", "--file"); w != nil && (inv.has("-c") || inv.has("--create") || inv.has("-r") || inv.has("-u")) {
			sc.note(j.resolve(sc, w), f)
		}
	case "zip":
		if len(inv.operands) > 0 {
			w := *inv.operands[0].w
			w.text += ".zip"
			sc.note(j.resolve(sc, &w), f)
		}
	}
}

// fetchedFiles notes the files that wget and curl -O name after the URL.
func (j *judge) fetchedFiles(sc *scope, inv *invocation) {
	switch inv.prog.name {
	case "wget", "wget2", "aria2c", "axel":
	case "curl":
		if !inv.has("-O") && !inv.has("--remote-name") && !inv.has("--remote-name-all") && !inv.has("-J") {
			return
		}
	default:
		return
	}
	for _, o := range inv.operands {
		t, _, _ := strings.Cut(o.w.text, "?")
		if i := strings.LastIndexByte(t, '/'); i >= 0 && i+1 < len(t) {
			base := tail(&word{text: t}, i+1)
			if p := j.resolve(sc, &base); p != "" {
				sc.note(p, flow{network: true})
			}
		}
	}
}

// oldStyle gives tar's first word its dash: tar xf a.tar is tar -x -f a.tar. It drops yq's verb that is understood
// when it is missing.
func oldStyle(prog *program, ws []word) []word {
	if len(ws) > 2 && prog.name == "yq" {
		switch ws[1].text {
		case "eval", "e", "eval-all", "ea":
			return append(append(make([]word, 0, len(ws)-1), ws[0]), ws[2:]...)
		}
	}
	if len(ws) < 2 || prog.name != "tar" && prog.name != "gtar" && prog.name != "bsdtar" {
		return ws
	}
	t := ws[1].text
	if t == "" || t[0] == '-' || ws[1].dyn {
		return ws
	}
	out := append(make([]word, 0, len(ws)+len(t)), ws[0])
	rest := ws[2:]
	var valued []word
	for i := 0; i < len(t); i++ {
		w := ws[1]
		w.text, w.globAt = "-"+t[i:i+1], 0
		o := prog.ready().root.cmd.ready().opts.find(w.text)
		if o != nil && o.arity == needsValue {
			valued = append(valued, w)
			if len(rest) > 0 {
				valued, rest = append(valued, rest[0]), rest[1:]
			}
			continue
		}
		out = append(out, w)
	}
	return append(append(out, valued...), rest...)
}

// inPlaceOptions make sed, perl, ruby and yq write their operands.
var inPlaceOptions = map[string]bool{"-i": true, "--in-place": true, "--inplace": true}

func (inv *invocation) writesInPlace() bool {
	for i := range inv.opts {
		if u := &inv.opts[i]; u.o != nil && u.o.eff&effChange != 0 && inPlaceOptions[u.name] {
			return true
		}
	}
	return false
}

// writtenInto judges the names that sources would get in a destination directory.
func (j *judge) writtenInto(sc *scope, inv *invocation, at int) {
	dest := inv.operands[at].w
	for i := range inv.operands[:at] {
		o := &inv.operands[i]
		if o.role != roleFile && o.role != roleDelete && o.role != roleName || o.w.dyn || dest.dyn {
			continue
		}
		t := word{text: strings.TrimSuffix(dest.text, "/") + "/" + path.Base(o.w.text), start: dest.start, end: dest.end}
		if id := j.writeDenied(sc, &t, false); id != "" && id != ruleWriteCred {
			j.fire(id, t.start, t.end)
		}
	}
}

// listingOptions make git branch and git tag list.
var listingOptions = []string{"--list", "-l", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"}

// remoteOperand reports host:path operands of rsync and fires for them.
func (j *judge) remoteOperand(inv *invocation) bool {
	if inv.prog.name != "rsync" {
		return false
	}
	for _, o := range inv.operands {
		i := strings.IndexByte(o.w.text, ':')
		if i > 0 && strings.IndexByte(o.w.text[:i], '/') < 0 || strings.HasPrefix(o.w.text, "rsync://") {
			j.fire(ruleNetwork, o.w.start, o.w.end)
			return true
		}
	}
	return false
}

// selects are options whose value chooses which files are read.
var selects = map[string]bool{"--include": true, "-g": true, "--glob": true, "--iglob": true, "-G": true, "--include-dir": true}
