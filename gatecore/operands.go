package gatecore

import (
	"path"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

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
		o := &inv.operands[i]
		if at := strings.LastIndexByte(o.w.text, ':'); git && o.role == roleWord && inv.cmd.path == "rev-parse" && at >= 0 && at+1 < len(o.w.text) {
			t := tail(o.w, at+1)
			out.listing = out.listing || j.credential(s, &t) // what it prints names the content
		}
		if o.role == roleFile {
			*out = out.join(j.readFile(s, o.w))
			if git { // revision:path
				if i := strings.LastIndexByte(o.w.text, ':'); i >= 0 && i+1 < len(o.w.text) {
					t := tail(o.w, i+1)
					*out = out.join(j.readFile(s, &t))
				}
			}
		}
	}
	if git && inv.cmd.path == "cat-file" && sc.in.listing {
		j.fire(ruleCredential, inv.words[0].start, inv.end())
	}
	if w := inv.value("-L"); git && w != nil {
		if at := strings.LastIndexByte(w.text, ':'); at >= 0 && at+1 < len(w.text) { // git log -L1,5:FILE
			t := tail(w, at+1)
			*out = out.join(j.readFile(s, &t))
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
			if inv.cmd.class != l0.Network && inv.cmd.class != l0.Remote && !inv.onlyPrints() {
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
	switch inv.prog.name { // no program of jq can write, run or send anything
	case "jq", "gojq":
		eff &^= effRun | effCode | effCodeFile
	case "gh":
		eff &^= effCode
	}
	if eff&effHarmful == 0 || inv.cmd.class != l0.Reader && !inv.dry && !inv.onlyPrints() {
		return
	}
	for i := range inv.opts {
		// An unquoted value that is not known can become several words, options among them.
		// If it is empty the next word takes its place.
		last := i == len(inv.opts)-1 && len(inv.operands) == 0 && inv.opts[i].val.shape >= tameWords
		if u := &inv.opts[i]; u.hasVal && (u.val.split && !last || u.split) {
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
	j.unpacked(sc, inv, *out)
	if inv.prog.name == "tee" && sc.in.known {
		for i := range inv.operands {
			if p := j.resolve(sc, inv.operands[i].w); p != "" {
				sc.wrote(p, sc.in.text)
			}
		}
	}
	out.ids = inv.listsEvery()
	if out.tainted() {
		j.archived(sc, inv, *out)
	}
	out.shape, out.numbered = inv.outputShape(sc), inv.numbersLines(sc)
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
