package gatecore

import (
	"strings"
)

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
		// Without -0, -d or -I a name with a blank in it becomes several words.
		dyn = word{text: sc.in.from + "/x" + dynMark, dyn: true, split: !inv.hasAny(wholeLines), start: ws[0].start, end: inv.end()}
	} else if sc.in.shape >= tameWords {
		dyn.shape = tameWords
	}
	dyn.flow = flow{listing: sc.in.listing, local: sc.in.local, secret: sc.in.secret, network: sc.in.network, decoded: sc.in.decoded}
	lists := [][]word{{dyn}}
	if sc.in.known && !inv.has("-a") && !inv.has("--arg-file") {
		var fixed []word
		items, exact := inv.xargsItems(sc.in.text, false)
		if inv.hasAny(wholeLines) {
			lines, _ := inv.xargsItems(sc.in.text, true)
			items = append(items, lines...)
		}
		for _, t := range items {
			fixed = append(fixed, word{text: t, start: ws[0].start, end: inv.end(), dyn: strings.Contains(t, dynMark), flow: dyn.flow})
		}
		switch {
		case len(fixed) == 0 || len(fixed) >= 256:
		case exact:
			lists = [][]word{fixed}
		default:
			lists = append(lists, fixed)
		}
	}
	repl := "{}"
	replace := inv.has("-i") || inv.has("--replace")
	if w := inv.value("-I", "-i", "--replace", "-J"); w != nil && w.text != "" {
		repl, replace = w.text, true
	}
	c := sc.process()
	c.in = flow{}
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

// xargsItems splits a known text as xargs does: at blanks and line ends, both of which quotes and a backslash protect. It is
// not exact if an option says otherwise where items end, or which of them count. With lines only line ends divide.
func (inv *invocation) xargsItems(text string, lines bool) (items []string, exact bool) {
	exact = !inv.hasAny(otherItems)
	if d := inv.value("-d", "--delimiter"); d != nil && len(d.text) == 1 && !d.dyn {
		return strings.Split(text, d.text), false
	}
	if inv.hasAny([]string{"-0", "--null"}) {
		return strings.Split(text, "\x00"), false
	}
	var sb strings.Builder
	begun, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			sb.WriteByte(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c == '\\' && i+1 < len(text):
			i++
			sb.WriteByte(text[i])
			begun = true
		case c == '\n' || !lines && (c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'):
			if begun {
				items = append(items, sb.String())
			}
			sb.Reset()
			begun = false
		default:
			sb.WriteByte(c)
			begun = true
		}
	}
	if begun {
		items = append(items, sb.String())
	}
	return items, exact && quote == 0
}

// otherItems are options with which xargs ends items elsewhere, or leaves some out.
var otherItems = []string{"-0", "--null", "-d", "--delimiter", "-E", "-e", "--eof", "-S", "-R"}

// wholeLines make xargs take names whole.
var wholeLines = []string{"-0", "--null", "-d", "--delimiter", "-I", "-i", "--replace", "-J"}

func removesObjects(ws []word) bool {
	for i := range ws {
		switch ws[i].text {
		case "rm", "rmi", "delete", "del", "DEL", "unlink", "UNLINK":
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
	case "redis-cli", "valkey-cli", "keydb-cli":
		ops := inv.operands
		if w := inv.value("--pattern"); len(ops) == 0 && inv.has("--scan") && (w == nil || w.text == "*") || len(ops) == 2 && strings.EqualFold(ops[0].w.text, "keys") && ops[1].w.text == "*" {
			return "redis"
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
