package gatecore

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirected is what the redirections of one statement do.
type redirected struct {
	input   bool // standard input is replaced
	in      flow
	output  bool // standard output goes to a file
	targets []word
	network bool
}

func (j *judge) redirects(sc *scope, rs []*syntax.Redirect) redirected {
	var r redirected
	for _, d := range rs {
		j.redirect(sc, d, &r)
	}
	return r
}

func (j *judge) redirect(sc *scope, d *syntax.Redirect, r *redirected) {
	a, e := int(d.Pos().Offset()), int(d.End().Offset())
	if d.N != nil && strings.HasPrefix(d.N.Value, "{") {
		j.fire(ruleNode, a, e) // {name}> assigns a variable
	}
	switch d.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		_, quoted := plainDelimiter(d.Word)
		r.input, r.in = true, flow{piped: true, known: true}
		if d.Hdoc != nil {
			r.in.text, r.in = j.heredoc(sc, d.Hdoc, quoted, r.in)
			if d.Op == syntax.DashHdoc {
				r.in.text = stripTabs(r.in.text)
			}
		}
		r.in.known = !strings.Contains(r.in.text, dynMark)
		return
	case syntax.WordHdoc:
		w := j.single(sc, d.Word)
		r.input, r.in = true, flow{piped: true, text: w.text + "\n", known: !w.dyn}.join(w.flow)
		return
	}
	ws := j.fields(sc, []*syntax.Word{d.Word})
	if len(ws) == 0 {
		ws = []word{{text: "", start: a, end: e}}
	}
	for i := range ws {
		j.redirectTo(sc, d, &ws[i], r)
	}
}

func stripTabs(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], "\t")
	}
	return strings.Join(lines, "\n")
}

func (j *judge) heredoc(sc *scope, body *syntax.Word, quoted bool, in flow) (string, flow) {
	if quoted {
		var sb strings.Builder
		for _, p := range body.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				sb.WriteString(l.Value)
			}
		}
		in.text = sb.String()
		return in.text, in
	}
	b := builder{j: j, sc: sc, node: body, all: true, open: true}
	for _, p := range body.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			b.lit(unescape(l.Value, "$`\\"))
			continue
		}
		b.expand(p, true)
	}
	b.open = true
	b.flush()
	in = in.join(b.out[0].flow)
	in.text = b.out[0].text
	return in.text, in
}

func (j *judge) redirectTo(sc *scope, d *syntax.Redirect, w *word, r *redirected) {
	fd := ""
	if d.N != nil {
		fd = d.N.Value
	}
	switch d.Op {
	case syntax.RdrIn:
		if fd == "" || fd == "0" {
			r.input = true
			r.in = j.fileFlow(sc, w)
			r.in.piped = true
		} else {
			j.readFile(sc, w)
		}
		j.netFile(w, r)
		return
	case syntax.DplIn, syntax.DplOut:
		t := strings.TrimSuffix(w.text, "-")
		if strings.Trim(t, "0123456789") == "" && !w.dyn {
			if sc.netOpen && d.Op == syntax.DplIn {
				r.input, r.in = true, flow{piped: true, network: true}
			}
			r.network = r.network || sc.netOpen && t != "1" && t != "2" && t != "0" && t != ""
			return
		}
		if d.Op == syntax.DplIn {
			j.fire(ruleDynWord, w.start, w.end)
			return
		}
	case syntax.RdrInOut:
		r.input, r.in = fd == "" || fd == "0", j.fileFlow(sc, w)
		r.in.piped = true
	}
	if d.Op != syntax.RdrInOut && (fd == "" || fd == "1") || d.Op == syntax.RdrAll || d.Op == syntax.AppAll {
		r.output = !terminal(w.text)
	}
	r.targets = append(r.targets, *w)
	j.netFile(w, r)
	j.writeTarget(sc, w, d.Op == syntax.AppOut || d.Op == syntax.AppAll)
}

// terminal reports output names that are still the command's own output.
func terminal(s string) bool { return s == "/dev/stdout" || s == "/dev/fd/1" || s == "/dev/tty" }

// netFile notes bash's network redirections.
func (j *judge) netFile(w *word, r *redirected) {
	if strings.HasPrefix(w.text, "/dev/tcp/") || strings.HasPrefix(w.text, "/dev/udp/") {
		j.fire(ruleNetFile, w.start, w.end)
		r.network = true
		r.in.network = true
	}
}

// tainted follows where a statement's output goes: into a network redirection or into files.
func (j *judge) tainted(sc *scope, r *redirected, out flow) {
	for i := range r.targets {
		w := &r.targets[i]
		if r.network && out.secret {
			j.fire(ruleExfil, w.start, w.end)
		}
		if !out.tainted() && (!out.known || out.text == "") {
			continue
		}
		if p := j.resolve(sc, w); p != "" {
			if out.tainted() {
				sc.note(p, out)
			}
			if out.known {
				sc.wrote(p, out.text)
			}
		}
	}
}
