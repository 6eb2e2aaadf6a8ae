package gatecore

import (
	"path"
	"strconv"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

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
		if ws[i].dyn || i > 0 && j.fromBraces(&ws[i-1], &ws[i]) {
			j.fire(ruleCodeDyn, ws[i].start, ws[i].end)
		}
	}
	if len(ws) > 0 {
		*out = j.nested(sc, plainJoin(ws), ws[0].start, inv.end())
	}
}

// fromBraces reports two words made from one by brace expansion: a shell without it, such as dash, evaluates another text.
func (j *judge) fromBraces(a, b *word) bool {
	return a.start == b.start && a.end == b.end && b.end <= len(j.src) && strings.Contains(j.src[b.start:b.end], "{")
}

func (j *judge) source(sc *scope, inv *invocation) {
	j.fire(ruleShell, inv.words[0].start, inv.end())
	if len(inv.operands) == 0 {
		return
	}
	w := inv.operands[0].w
	j.runsFile(sc, w)
	j.runsText(sc, w, nil)
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
		if t == "+o" && i+1 < len(ws) && ws[i+1].text == "history" {
			j.fire(ruleHistoryOff, ws[i].start, ws[i+1].end)
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
		if o.w.text == "HISTFILE" {
			j.fire(ruleHistoryOff, o.w.start, o.w.end)
		}
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

// shift moves the parameters of a function or of sh -c. Where it may run more than once, or not at all, they would stand for
// several words each: that is not followed.
func (j *judge) shift(sc *scope, inv *invocation) {
	if !sc.hasArgs {
		return
	}
	n := 1
	if len(inv.operands) > 0 {
		var err error
		if n, err = strconv.Atoi(inv.operands[0].w.text); err != nil {
			n = -1
		}
	}
	if sc.cond > 0 || sc.loops > 0 || n < 0 || n > len(sc.args) {
		j.fire(ruleBuiltin, inv.words[0].start, inv.end())
		return
	}
	sc.args = append([]word(nil), sc.args[n:]...)
}
