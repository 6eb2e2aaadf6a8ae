package gatecore

import (
	"slices"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

func windowsPath(s string) bool {
	return len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') && nameStart(s[0])
}

// looksWindows reports text with a Verb-Noun cmdlet, a drive or share path, cmd /c or powershell -Command.
func looksWindows(s string) bool {
	low := strings.ToLower(s)
	if strings.Contains(low, "powershell") || strings.Contains(low, "pwsh") || strings.Contains(low, "cmd /") || strings.Contains(low, "cmd.exe") {
		return true
	}
	for i := 0; i+2 < len(s); i++ {
		if nameStart(s[i]) && s[i] != '_' && s[i+1] == ':' && s[i+2] == '\\' && (i == 0 || !tokenByte(s[i-1])) {
			return true
		}
		if s[i+1] == '-' && nameStart(s[i]) && s[i+2] >= 'A' && s[i+2] <= 'Z' && cmdletAt(s, i+1) {
			return true
		}
	}
	for w := range strings.FieldsSeq(low) {
		if windowsSign(trimOperators(w)) {
			return true
		}
	}
	return false
}

// windowsSign reports a word, in lower case, that hardly stands in a command for another system.
func windowsSign(w string) bool {
	switch w {
	case "gci", "del", "rd", "erase", "format", "reg", "iex", "iwr", "irm":
		return true
	case "":
		return false
	}
	return windowsOnly[w] || windowsShare(w) || strings.HasPrefix(w, "$env:") || w[0] == '%' && strings.Count(w, "%") > 1 ||
		strings.Contains(w, "]::")
}

// trimOperators takes brackets and operators off both ends of a word.
func trimOperators(w string) string {
	const operators = "(){};&|"
	for w != "" && strings.IndexByte(operators, w[0]) >= 0 {
		w = w[1:]
	}
	for w != "" && strings.IndexByte(operators, w[len(w)-1]) >= 0 {
		w = w[:len(w)-1]
	}
	return w
}

// windowsShare reports the word \\host\share: Windows logs in to that host to read it.
func windowsShare(w string) bool { return strings.HasPrefix(w, `\\`) && strings.Count(w, `\`) > 2 }

// cmdletAt reports a Verb-Noun word around the dash at i: both parts capitalised.
func cmdletAt(s string, i int) bool {
	a := i
	for a > 0 && (nameStart(s[a-1]) && s[a-1] != '_') {
		a--
	}
	if a == i || s[a] < 'A' || s[a] > 'Z' || a > 0 && strings.IndexByte(" \t\n;|&({=", s[a-1]) < 0 {
		return false
	}
	return i+2 < len(s) && s[i+2] >= 'a' && s[i+2] <= 'z'
}

// windowsAuto judges text that looks like PowerShell or cmd in both readings; the strictest wins. What a shell
// does not know but the Windows table lists as a cmdlet adds nothing to the shell's reading: there it is not found.
func (j *judge) windowsAuto(text string) {
	first := firstWord(text)
	dash := strings.IndexByte(first, '-')
	if dash > 0 && cmdletAt(first, dash) && lettersOnly(first[:dash]) {
		j.cmdlets = true
		j.shellScript(text)
		j.cmdlets = false
		j.windows(text, false)
		return
	}
	j.cmdlets, j.cmdletMet = true, false
	j.shellScript(text)
	j.cmdlets = false
	if j.cmdletMet { // the shell does not know a program that the Windows table does: the other reading counts in full
		j.windows(text, false)
	}
	if at := strings.Index(text, `\\`); at >= 0 && slices.ContainsFunc(strings.Fields(text), windowsShare) {
		j.fire(ruleOptEndpoint, at, len(text))
	}
	j.muted++
	j.windows(text, false)
	j.windows(text, true)
	j.muted--
}

// windowsOnly are reading programs of Windows whose names no program of other systems has.
var windowsOnly = map[string]bool{"findstr": true, "tasklist": true, "systeminfo": true, "ipconfig": true, "driverquery": true, "getmac": true, "where.exe": true, "schtasks": true, "cls": true, "ver": true}

func lettersOnly(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) < 0
}

func firstWord(s string) string {
	f := strings.Fields(s)
	if len(f) == 0 {
		return ""
	}
	return f[0]
}

// windowsWords judges a shell command whose program only the Windows table knows.
func (j *judge) windowsWords(sc *scope, ws []word, name string) (out flow) {
	j.muted++
	if p := j.set.windowsProgram(strings.ToLower(name)); p != nil {
		ws = slices.Clone(ws)
		for i := range ws {
			if !ws[i].dyn {
				ws[i].text = windowsVariables(ws[i].text)
				ws[i].dyn = strings.Contains(ws[i].text, dynMark)
			}
		}
		out = j.windowsInvoke(sc, p, ws, flow{})
	}
	j.muted--
	return flow{network: out.network}
}

// winToken is a word or a separator of PowerShell or cmd.
type winToken struct {
	w      word
	sep    string // "", ";", "|", "&", "&&", "||", "\n", ">", ">>", "<"
	opaque bool   // holds quotes, escapes or expansions: never allow
}

// windowsTokens splits text; quotes group and are dropped.
func windowsTokens(s string, cmd bool) []winToken {
	var out []winToken
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\n' || c == ';': // cmd reads a semicolon as a blank; what follows one may be bash's next command
			out = append(out, winToken{sep: ";", w: word{start: i, end: i + 1}})
			i++
		case c == '|' || c == '&':
			n := 1
			if i+1 < len(s) && s[i+1] == c {
				n = 2
			}
			out = append(out, winToken{sep: s[i : i+n], w: word{start: i, end: i + n}})
			i += n
		case c == '>' || c == '<':
			n := 1
			if i+1 < len(s) && s[i+1] == '>' {
				n = 2
			}
			out = append(out, winToken{sep: s[i : i+n], w: word{start: i, end: i + n}})
			i += n
		case !cmd && (c == '{' || c == '}' || c == '(' || c == ')'), cmd && (c == '(' || c == ')'):
			out = append(out, winToken{sep: ";", opaque: true, w: word{start: i, end: i + 1}})
			i++
		default:
			t, next := windowsWord(s, i, cmd)
			out = append(out, t)
			i = next
		}
	}
	return out
}

func windowsWord(s string, i int, cmd bool) (winToken, int) {
	t := winToken{w: word{start: i}}
	var sb strings.Builder
	stop := " \t\r\n|&<>"
	if !cmd {
		stop += ";(){}"
	} else {
		stop += "();"
	}
	for i < len(s) && strings.IndexByte(stop, s[i]) < 0 {
		c := s[i]
		switch {
		case c == '"' || c == '\'' && !cmd:
			t.opaque = true
			k := i + 1
			for k < len(s) && s[k] != c {
				sb.WriteByte(s[k])
				k++
			}
			i = min(k+1, len(s))
			continue
		case c == '`' && !cmd || c == '^' && cmd:
			t.opaque = true
			if i++; i < len(s) {
				sb.WriteByte(s[i])
			}
		case strings.IndexByte("$@^%#`!", c) >= 0:
			t.opaque = true
			sb.WriteByte(c)
		default:
			sb.WriteByte(c)
		}
		i++
	}
	t.w.text = windowsVariables(sb.String())
	t.w.dyn = strings.Contains(t.w.text, dynMark)
	t.w.end = i
	return t, i
}

// windowsVariables replaces the variables whose meaning is known.
func windowsVariables(s string) string {
	low := strings.ToLower(s)
	for _, v := range [...]struct{ name, text string }{
		{"$env:userprofile", `C:\Users\user`},
		{"%userprofile%", `C:\Users\user`},
		{"$home", `C:\Users\user`},
		{"$env:systemroot", `C:\Windows`},
		{"%systemroot%", `C:\Windows`},
		{"%windir%", `C:\Windows`},
		{"$env:windir", `C:\Windows`},
		{"$env:systemdrive", `C:`},
		{"%systemdrive%", `C:`},
		{"$env:appdata", `C:\Users\user\AppData`},
		{"%appdata%", `C:\Users\user\AppData`},
		{"$env:temp", `C:\Temp`},
		{"%temp%", `C:\Temp`},
		{"%homepath%", `C:\Users\user`},
		{"$env:programfiles", `C:\Program Files`},
		{"%programfiles%", `C:\Program Files`},
		{"%homedrive%", `C:`},
		{"$null", "NUL"},
	} {
		if strings.HasPrefix(low, v.name) {
			return v.text + s[len(v.name):]
		}
	}
	if strings.HasPrefix(s, "$") && len(s) > 1 && nameStart(s[1]) {
		i := strings.IndexAny(s, `\/`)
		if i < 0 {
			return dynMark
		}
		return dynMark + s[i:]
	}
	return s
}

// windows judges text as PowerShell or cmd. Only words, pipes and separators can be allowed.
func (j *judge) windows(text string, cmd bool) {
	outer := j.cmdText
	j.cmdText = cmd
	defer func() { j.cmdText = outer }()
	sc := j.newScope()
	if !cmd {
		j.expressionOfDownload(text)
		j.dotNetCalls(sc, text)
	}
	var ws []word
	var in flow
	opaque := false
	toks := windowsTokens(text, cmd)
	for i := 0; i <= len(toks); i++ {
		if i < len(toks) && toks[i].sep == "" {
			ws = append(ws, toks[i].w)
			opaque = opaque || toks[i].opaque
			continue
		}
		if i < len(toks) && strings.HasPrefix(toks[i].sep, ">") {
			i = j.windowsRedirect(sc, toks, i)
			opaque = true
			continue
		}
		if i < len(toks) && toks[i].sep == "<" {
			opaque = true
			continue
		}
		opaque = opaque || i < len(toks) && toks[i].opaque
		out := flow{}
		if len(ws) > 0 {
			out = j.windowsCommand(sc, ws, in)
		}
		in = flow{}
		if i < len(toks) && toks[i].sep == "|" {
			in = out
			in.piped = true
		}
		ws = nil
	}
	if opaque {
		j.fire(ruleWindows, 0, len(text))
	}
}

func (j *judge) windowsRedirect(sc *scope, toks []winToken, i int) int {
	if i+1 >= len(toks) || toks[i+1].sep != "" {
		return i
	}
	w := toks[i+1].w
	switch {
	case strings.EqualFold(w.text, "nul"), strings.TrimRight(w.text, ";") == "/dev/null": // the text may be another shell's
	case strings.HasPrefix(w.text, `\`) && j.windowsClass(w.text) == classSystem:
		j.fire(ruleWriteDeny, w.start, w.end)
	default:
		j.windowsWrite(sc, &w, toks[i].sep == ">>")
	}
	return i + 1
}

func (j *judge) windowsCommand(sc *scope, ws []word, in flow) flow {
	for len(ws) > 0 && (ws[0].text == "&" || ws[0].text == "." || strings.EqualFold(ws[0].text, "call") || strings.EqualFold(ws[0].text, "@echo")) {
		ws = ws[1:]
	}
	for len(ws) > 1 && (ws[0].text == "then" || ws[0].text == "do" || ws[0].text == "else" || ws[0].text == "{") {
		j.fire(ruleProgram, ws[0].start, ws[0].end) // bash's words around a cmdlet
		ws = ws[1:]
	}
	if len(ws) == 0 {
		return flow{}
	}
	if ws[0].dyn {
		j.fire(ruleDynProgram, ws[0].start, ws[0].end)
		return flow{}
	}
	name := strings.ToLower(ws[0].text)
	if i := strings.LastIndexAny(name, `\/`); i >= 0 {
		j.fire(ruleProgramPath, ws[0].start, ws[0].end)
		if p := (word{text: strings.ReplaceAll(ws[0].text, `\`, "/")}); sc.origin(j.resolve(sc, &p)).network {
			j.fire(ruleFetched, ws[0].start, ws[0].end)
		}
		name = name[i+1:]
	}
	name = dropExe(name)
	p, q := j.set.windowsProgram(name), j.set.program(name)
	if q != nil && (p == nil || j.inText) { // PowerShell on other systems has no aliases such as sort and compare
		c := sc.clone()
		c.in = in
		if out := j.invoke(c, q, ws, nil); p == nil {
			return out
		}
	}
	if p != nil {
		if j.inText && name == "compare" { // ImageMagick's writes
			j.fire(ruleProgram, ws[0].start, ws[len(ws)-1].end)
		}
		return j.windowsInvoke(sc, p, ws, in)
	}
	j.fire(ruleProgram, ws[0].start, ws[len(ws)-1].end)
	return flow{network: in.network, decoded: in.decoded, secret: in.secret}
}

func (j *judge) windowsInvoke(sc *scope, p *program, ws []word, in flow) flow {
	c := sc.clone()
	c.in = in
	inv := j.parseInvocation(p, ws)
	pt := j.enter("command", ws[0].start, inv.end(), ws)
	defer j.leave(pt)
	out := flow{network: in.network, decoded: in.decoded, secret: in.secret, listing: in.listing}
	j.rulesOf(c, inv, nil)
	j.class(inv, false, &out)
	j.options(c, inv, false, &out)
	out = out.join(j.windowsNames(c, inv))
	if sig := &inv.cmd.sig; inv.cmd.class == l0.Reader && len(inv.operands) > 0 && (sig.open || sig.max >= 0 && len(inv.operands) > sig.max) {
		j.fire(ruleOperands, inv.operands[0].w.start, inv.end())
	}
	for i := 0; i < len(inv.operands); i++ {
		o := &inv.operands[i]
		switch o.role {
		case roleCmd, roleShell, roleCode:
			t := word{text: plainJoin(inv.words[max(1, len(inv.words)-len(inv.operands)+i):]), start: o.w.start, end: inv.end()}
			j.windowsText(c, &t, inv.cmd.lang == l0.CmdText)
			i = len(inv.operands) // the text holds all that follow
		case roleSet:
			if inv.cmd.class == l0.Reader {
				j.fire(ruleOptChange, o.w.start, o.w.end)
			}
		case roleWrite, roleAppend:
			j.windowsWrite(c, o.w, o.role == roleAppend)
		}
		if j.windowsClass(o.w.text) >= classHome && windowsPath(o.w.text) {
			out.listing = true
		}
	}
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.hasVal && (u.name == "-path" || u.name == "-literalpath") && windowsPath(u.val.text) && j.windowsClass(u.val.text) >= classHome {
			out.listing = true
		}
		if out.network && u.hasVal && u.o != nil && u.o.eff&effWrite != 0 {
			if p := j.resolve(sc, &word{text: strings.ReplaceAll(u.val.text, `\`, "/")}); p != "" {
				sc.note(p, flow{network: true})
			}
		}
	}
	switch inv.prog.name {
	case "get-childitem", "gci", "dir", "ls":
		if len(inv.operands) == 0 && !inv.hasAny([]string{"-path", "-literalpath", "-filter", "-include", "-exclude"}) {
			out.ids = listsHere
		}
	case "get-process", "gps":
		if len(inv.operands) == 0 && len(inv.opts) == 0 {
			out.ids = "processes"
		}
	case "stop-process", "spps", "kill":
		if in.ids == "processes" {
			j.fire("system.kill-everything", ws[0].start, inv.end())
		}
	}
	if inv.cmd.always {
		out.decoded = true
	}
	j.sinks(c, inv)
	return out
}

// windowsNames judges the names in the words behind a program: PowerShell takes several in one word, a value behind a colon, and
// drives and providers in front of a path.
func (j *judge) windowsNames(sc *scope, inv *invocation) (out flow) {
	for i := range inv.words[1:] {
		w := &inv.words[i+1]
		if strings.HasPrefix(w.text, "/") && inv.isOperand(w) && (j.cmdText || slashOptions[inv.prog.name]) {
			j.fire(ruleOption, w.start, w.end)
		}
		rest := w.text
		if k := strings.IndexByte(rest, ':'); k > 0 && (rest[0] == '-' || rest[0] == '/' && k < 3) {
			rest = rest[k+1:]
		}
		for _, t := range strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ';' || r == '=' }) {
			provider, name, ok := strings.Cut(t, "::")
			if !ok {
				provider, name = "", t
			}
			low := strings.TrimLeft(strings.ToLower(name), `./\`)
			switch {
			case strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, "//"):
				j.fire(ruleOptEndpoint, w.start, w.end) // a share on another machine
			case testsNames[inv.prog.name]:
			case strings.HasSuffix(strings.ToLower(provider), "environment"), strings.HasPrefix(low, "env:"), strings.HasPrefix(low, "variable:"):
				j.fire("windows.environment-listed", w.start, w.end)
				out.secret = true
			case printsFiles[inv.prog.name] || inv.roleOf(w) == roleFile:
				p := *w
				p.text = name
				out = out.join(j.readFile(sc, &p))
			}
		}
	}
	return out
}

// isOperand reports a word that is neither an option nor the value of one.
func (inv *invocation) isOperand(w *word) bool {
	return slices.ContainsFunc(inv.operands, func(o operand) bool { return o.w == w })
}

// roleOf is the role of an operand, or none.
func (inv *invocation) roleOf(w *word) role {
	for i := range inv.operands {
		if inv.operands[i].w == w {
			return inv.operands[i].role
		}
	}
	return roleNone
}

var (
	// slashOptions have options that the table does not list and that no path looks like: sort /o FILE, query user /server:HOST.
	slashOptions = map[string]bool{"sort": true, "query": true, "quser": true, "qprocess": true, "qwinsta": true, "hostname": true, "whoami": true, "ver": true, "vol": true}
	// printsFiles print what the files named anywhere behind them hold.
	printsFiles = map[string]bool{"get-content": true, "gc": true, "cat": true, "type": true, "more": true, "comp": true, "fc": true, "findstr": true, "find": true, "select-string": true, "sls": true}
	// testsNames only say whether something of that name is there.
	testsNames = map[string]bool{"test-path": true, "split-path": true, "join-path": true}
)

// listsHere marks the listing of everything in the current directory.
const listsHere = "here"

func (j *judge) windowsWrite(sc *scope, w *word, appending bool) {
	if windowsPath(w.text) {
		if c := j.windowsClass(w.text); c == classSystem || c == classRoot {
			j.fire(ruleWriteDeny, w.start, w.end)
			return
		}
	}
	j.writeTarget(sc, w, appending)
}

// windowsText judges the text of powershell -Command or cmd /c; it is never an allow.
func (j *judge) windowsText(sc *scope, w *word, cmd bool) {
	if j.depth+1 >= maxDepth || !j.spend(len(w.text)) {
		j.fire(ruleBudget, w.start, w.end)
		return
	}
	a, b := j.span(w.start, w.end)
	fixed, sa, sb, outer, inText := j.fixed, j.spanA, j.spanB, j.text, j.inText
	j.fixed, j.spanA, j.spanB, j.text, j.inText = true, a, b, w.text, true
	j.depth++
	j.windows(w.text, cmd)
	j.depth--
	j.fixed, j.spanA, j.spanB, j.text, j.inText = fixed, sa, sb, outer, inText
	_ = sc
}

// windowsShell judges what powershell and cmd are given: every word after -Command or /c is one text.
func (j *judge) windowsShell(sc *scope, inv *invocation) {
	a, b := inv.words[0].start, inv.end()
	ws := inv.words[1:]
	cmd := inv.cmd.lang == l0.CmdText
	for i := range ws {
		t := strings.ToLower(ws[i].text)
		if cmd && (t == "//c" || t == "//k") { // Git Bash halves the slashes
			j.windowsText(sc, &word{text: strings.ReplaceAll(plainJoin(ws[i+1:]), " //", " /"), start: a, end: b}, cmd)
			return
		}
		if cmd && (t == "/c" || t == "/k" || t == "/r") || !cmd && len(t) > 1 && t[0] == '-' && strings.HasPrefix("-command", t) {
			t := word{text: plainJoin(ws[i+1:]), start: a, end: b}
			j.windowsText(sc, &t, cmd)
			inv.read = strings.TrimSpace(t.text) != "" && strings.IndexFunc(t.text, notPlain) < 0 && onlyReads(ws[:i+1], cmd)
			return
		}
		if cmd && strings.HasPrefix(t, "/c") && len(t) > 2 {
			j.windowsText(sc, &word{text: ws[i].text[2:] + " " + plainJoin(ws[i+1:]), start: a, end: b}, cmd)
			return
		}
	}
	if len(inv.operands) > 0 && !cmd {
		j.windowsText(sc, &word{text: plainJoin(ws), start: a, end: b}, cmd)
	}
	switch {
	case sc.in.network:
		j.fire(ruleFetched, a, b)
	case sc.in.decoded:
		j.fire(ruleDecoded, a, b)
	case sc.in.known:
		j.windowsText(sc, &word{text: sc.in.text, start: a, end: b}, cmd)
	}
}

// notPlain reports characters that are not known or that PowerShell takes for quotes and dashes of its own.
func notPlain(r rune) bool { return r == 0 || r >= 0x7f || r < ' ' && r != '\t' && r != '\n' }

// onlyReads reports the options of powershell and cmd with which the text is run as it stands and nothing waits for a person.
func onlyReads(ws []word, cmd bool) bool {
	for i := range ws {
		switch t := strings.ToLower(ws[i].text); {
		case ws[i].dyn:
			return false
		case cmd && (t == "/c" || t == "/d" || t == "/s" || t == "/q"):
		case !cmd && (t == "-noprofile" || t == "-nop" || t == "-noninteractive" || t == "-noni" || t == "-nologo" || t == "-command" || t == "-c"):
		default:
			return false
		}
	}
	return true
}
