package gatecore

import (
	"path"
	"slices"
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

// run judges a command whose words are resolved. ws is not empty for a command that runs something.
func (j *judge) run(sc *scope, ws []word, env []envVar) flow {
	j.wraps++
	defer func() { j.wraps-- }()
	outside := sc.outside
	sc.outside = false
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
			j.historyOff(e.name, &e.val)
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
	if body := sc.funcs[name]; body != nil && name == w0.text && !outside {
		return j.callFunction(sc, name, body, ws)
	}
	if text, ok := sc.aliases[name]; ok && name == w0.text {
		j.nested(sc, text+" "+quoteWords(ws[1:]), w0.start, w0.end)
	}
	prog := j.set.program(name)
	if prog == nil {
		return taint.join(j.unknownProgram(sc, ws, name))
	}
	return j.invoke(sc, prog, ws, env)
}

func (j *judge) unknownProgram(sc *scope, ws []word, name string) (out flow) {
	w0 := &ws[0]
	lower := strings.ToLower(name)
	if j.set.windowsProgram(lower) != nil {
		out = j.windowsWords(sc, ws, name)
	} else if p := j.set.program(lower); p != nil && p.windowsShell() {
		j.muted++ // Windows finds CMD and PowerShell in any case
		out = j.invoke(sc, p, ws, nil)
		j.muted--
	}
	n := j.e.table.runner(ws)
	if n > 0 || j.e.table.lifts(ws) && !w0.computed {
		if n > 0 {
			j.behindRunner(sc, name, ws, n)
		}
		j.hiddenWords(ws) // the table lifts that the program is unknown, never a deny
		j.carried(sc, ws)
		j.carriedText(sc, ws)
		return out
	}
	i := strings.IndexByte(name, '-')
	if j.cmdlets && (i > 0 && cmdletAt(name, i) || windowsOnly[lower]) && !w0.computed && j.set.windowsProgram(lower) != nil {
		j.cmdletMet = true
		if windowsOnly[lower] { // bash on Windows runs it, with the words as bash reads them
			j.windowsInvoke(sc, j.set.windowsProgram(lower), ws, flow{})
		}
		return
	}
	if j.posix && !plausible(name) {
		return out // [[ and the pieces of (( )) and [[ && ]]: no such program exists
	}
	j.fire(ruleProgram, w0.start, ws[len(ws)-1].end)
	j.hiddenWords(ws)
	j.carried(sc, ws)
	j.carriedText(sc, ws)
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
	for i := 1; i+1 < len(ws); i++ {
		if t := ws[i].text; t == "-c" || t == "-lc" || t == "-ec" { // whatever runs, it is most likely a shell
			j.denyOnly(sc, ws[i+1].text, &ws[i+1])
		}
	}
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
		j.runsText(sc, w, nil)
		if f := sc.origin(j.resolve(sc, w)); f.network {
			j.fire(ruleFetched, w.start, w.end)
		} else if f.decoded {
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
	inv := j.parseInvocation(prog, oldStyle(prog, ws))
	out := flow{network: sc.in.network, decoded: sc.in.decoded, secret: sc.in.secret, key: sc.in.key, local: sc.in.local, listing: sc.in.listing}
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
	listed := j.e.table.runner(ws)
	runner := listed > 0 && !ws[0].computed
	if runner {
		j.behindRunner(sc, prog.name, ws, listed)
		inv.dropListed(listed)
	}
	lift := runner || j.e.table.lifts(ws) && !ws[0].computed
	if !runner { // what a runner is, the operator knows; what its options run and write is judged as ever
		j.class(inv, lift, &out)
	}
	j.options(sc, inv, lift, &out)
	j.operandsOf(sc, inv, lift, &out)
	j.launches(sc, inv)
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

// dropListed forgets the options that stand in the first n words, which the operator listed himself (python -m pytest).
// An option whose value is not among them stays.
func (inv *invocation) dropListed(n int) {
	inv.opts = slices.DeleteFunc(inv.opts, func(u optUse) bool {
		for i := range min(n, len(inv.words)) {
			if u.at == &inv.words[i] {
				glued := u.at.text != u.val.text && strings.HasSuffix(u.at.text, u.val.text)
				return !u.hasVal || glued || i+1 < n
			}
		}
		return false
	})
}

func (j *judge) universal(sc *scope, inv *invocation, env []envVar) {
	all := j.set.universal()
	for i := range all {
		cm := &all[i]
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
	if inv.onlyPrints() {
		return
	}
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
		if inv.prog.name == "printenv" && inv.namesPlainVariables() {
			return
		}
		out.secret = true
	case l0.Network:
		out.network = true
	case l0.Writer, l0.Unlisted:
		if inv.dry || inv.probesProcess() {
			return
		}
	case l0.Interpreter:
		if inv.read {
			return
		}
	case l0.Shell:
		return
	}
	j.fireWhy(classRules[c.class], inv.words[0].start, inv.end(), c.why, c.instead)
}

// launches judges what a command of a launching class, or an unlisted subcommand, may run: options that the
// grammar does not know hide where the command begins.
func (j *judge) launches(sc *scope, inv *invocation) {
	switch inv.cmd.class {
	case l0.Elevated, l0.Remote, l0.WritingRun, l0.PackageRunner, l0.Unlisted, l0.Secrets:
		j.carried(sc, inv.words)
		j.carriedText(sc, inv.words)
		if inv.sub != nil && inv.cmd == inv.root && runsNames[inv.prog.name] {
			for i := range inv.words {
				if &inv.words[i] == inv.sub {
					j.runAside(sc.clone(), inv.words[i:])
				}
			}
		}
	case l0.Reader:
		if inv.prog.name == "arch" { // on a Mac it runs a program
			j.carried(sc, inv.words)
		}
	}
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

// archiveOption reports the options of tar and cpio whose HOST:FILE is fetched by a remote shell.
func archiveOption(program, option string) bool {
	switch option {
	case "-f":
		return strings.HasSuffix(program, "tar")
	case "-F", "-I", "-O":
		return strings.HasSuffix(program, "cpio")
	}
	return option == "--file" && (strings.HasSuffix(program, "tar") || strings.HasSuffix(program, "cpio"))
}

func (j *judge) optionEffects(sc *scope, inv *invocation, u *optUse, out *flow) {
	a, b, eff := u.at.start, u.at.end, u.o.eff
	if u.hasVal && archiveOption(inv.prog.name, u.name) && remotePlace(u.val.text) && !inv.has("--force-local") {
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
	if eff&effChange != 0 && !inv.dry && inv.cmd.class == l0.Reader && !inv.unpacksToOutput(u) {
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
		j.codeFile(sc, inv, u)
	}
	if eff&effShell != 0 && u.hasVal {
		j.shellText(sc, &u.val)
		if t, ok := strings.CutPrefix(u.val.text, "!"); ok { // an escape of gdb and its like, no negation
			j.denyOnly(sc, t, &u.val)
		}
	}
	if eff == effHelp {
		j.fire(ruleOption, a, b)
	}
	if eff&effDir != 0 && u.hasVal {
		inv.chdir(sc, &u.val)
	}
}

// probesProcess reports kill -0: no signal is sent, only asked whether one could be.
func (inv *invocation) probesProcess() bool {
	if inv.prog.name != "kill" || len(inv.words) < 2 || inv.words[1].text != "-0" {
		return false
	}
	for i := range inv.words[2:] {
		if w := &inv.words[i+2]; w.optionLike() {
			return false
		}
	}
	return true
}

// namesPlainVariables reports operands that are names of variables whose values are no secrets by their names.
func (inv *invocation) namesPlainVariables() bool {
	for _, o := range inv.operands {
		if !validName(o.w.text) || lists.keys.match(o.w.text) {
			return false
		}
	}
	return len(inv.operands) > 0
}

// unpacksToOutput reports tar's option to extract together with the one that prints the files instead of writing them.
func (inv *invocation) unpacksToOutput(u *optUse) bool {
	return strings.HasSuffix(inv.prog.name, "tar") && (u.name == "-x" || u.name == "--extract" || u.name == "--get") && (inv.has("-O") || inv.has("--to-stdout"))
}

// helperCommand is the shell text in the value of an option that names a program. For
// git -c it stands after the equals sign, an alias's after an exclamation mark.
func helperCommand(inv *invocation, w *word) string {
	t := w.text
	switch inv.prog.name {
	case "git", "ssh", "autossh", "scp", "sftp", "tar", "gtar", "bsdtar": // name=command
		if i := strings.IndexByte(t, '='); i >= 0 {
			alias := strings.HasPrefix(strings.ToLower(t), "alias.") && !strings.HasPrefix(t[i+1:], "!")
			if t = t[i+1:]; alias { // a command of git's own
				t = "git " + t
			}
		}
	}
	return strings.TrimLeft(t, ":!")
}

// historyOff fires for a variable with which the shell keeps no history.
func (j *judge) historyOff(name string, val *word) {
	switch name {
	case "HISTFILE":
		if t := strings.Trim(val.text, `'"`); t != "" && t != "/dev/null" {
			return
		}
	case "HISTSIZE", "HISTFILESIZE", "SAVEHIST":
		if strings.Trim(val.text, `'"`) != "0" {
			return
		}
	default:
		return
	}
	if !val.dyn {
		j.fire(ruleHistoryOff, val.start, val.end)
	}
}

func (j *judge) codeFile(sc *scope, inv *invocation, u *optUse) {
	j.fire(ruleInterpreter, u.at.start, u.at.end)
	if u.hasVal {
		j.runsFile(sc, &u.val)
		j.runsText(sc, &u.val, inv)
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
	return j.nested(sc.process(), w.text, w.start, w.end)
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

// runsNames run the program of a package under a name that is none of their verbs.
var runsNames = map[string]bool{"pnpm": true, "yarn": true, "yarnpkg": true}

// rawSenders carry whatever they are given to any host. Logging in with a token is what other clients are for.
var rawSenders = map[string]bool{
	"curl": true, "wget": true, "wget2": true, "nc": true, "ncat": true, "netcat": true, "socat": true, "telnet": true, "http": true,
	"https": true, "xh": true, "dig": true, "nslookup": true, "host": true, "ping": true, "openssl": true, "mail": true, "mailx": true, "sendmail": true,
}

// batchClients take commands with file names on standard input.
var batchClients = map[string]bool{"sftp": true, "ftp": true, "lftp": true, "tftp": true}

// inPlaceOptions make sed, perl, ruby and yq write their operands.
var inPlaceOptions = map[string]bool{"-i": true, "--in-place": true, "--inplace": true}

// listingOptions make git branch and git tag list.
var listingOptions = []string{"--list", "-l", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"}

// selects are options whose value chooses which files are read.
var selects = map[string]bool{"--include": true, "-g": true, "--glob": true, "--iglob": true, "-G": true, "--include-dir": true}
