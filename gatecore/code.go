package gatecore

import (
	"slices"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// code judges a program in another language. For awk, sed and jq a program that provably
// neither writes nor runs anything leaves no finding.
func (j *judge) code(sc *scope, inv *invocation, w *word) {
	switch inv.cmd.lang {
	case l0.Awk:
		j.awk(sc, w)
	case l0.Sed:
		j.sed(sc, w)
	case l0.JQ:
		j.jq(w)
	case l0.SQL:
		if sqlDestroys(w.text) {
			j.fire(ruleSQL, w.start, w.end)
		}
		shell, files := sqlCalls(w.text)
		for _, t := range shell {
			j.denyText(sc, t, w)
		}
		for _, t := range files {
			j.denyWrite(sc, t, w)
		}
		for line := range strings.SplitSeq(w.text, "\n") {
			if i := strings.Index(line, `\!`); i >= 0 {
				j.denyOnly(sc, line[i+2:], w)
			}
		}
	case l0.Redis:
		if redisDestroys(w.text) {
			j.fire(ruleSQL, w.start, w.end)
		}
	case l0.Mongo:
		if mongoDestroys(w.text) {
			j.fire(ruleSQL, w.start, w.end)
		}
	case l0.ShellText:
		j.shellText(sc, w)
	case l0.Tcl:
		j.tcl(sc, w)
	case l0.Lisp:
		j.lisp(sc, w)
	case l0.AppleScript:
		j.appleScript(sc, w)
		j.foreign(sc, w) // its JavaScript dialect
	case l0.Vim: // read with the files that are edited, see vim
	case l0.PowerShellText, l0.CmdText:
		j.windowsText(sc, w, inv.cmd.lang == l0.CmdText)
	default:
		j.foreign(sc, w)
	}
}

func (j *judge) invocationCodeDestroys(sc *scope, inv *invocation) bool {
	n := len(j.findings)
	for i := range inv.opts {
		if u := &inv.opts[i]; u.o != nil && u.o.eff&effCode != 0 && u.hasVal {
			j.code(sc, inv, &u.val)
		}
	}
	return slices.ContainsFunc(j.findings[n:], func(f Finding) bool { return f.Verdict == Deny })
}

func (j *judge) dynamicCode(w *word) bool {
	if w.dyn {
		j.fire(ruleCodeDyn, w.start, w.end)
	}
	return w.dyn
}

// awk follows strings, regular expressions and print statements just far enough to see what
// could run or write something.
func (j *judge) awk(sc *scope, w *word) {
	j.dynamicCode(w)
	s := w.text
	printing, depth := false, 0
	operand := false // the last token could end an operand, so / divides
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			i = skipString(s, i)
			operand = true
		case c == '#':
			for i < len(s) && s[i] != '\n' {
				i++
			}
			printing = false
		case c == '/' && !operand:
			i = skipRegex(s, i)
			operand = true
		case c == '{' || c == '}' || c == ';' || c == '\n':
			printing, depth, operand = false, 0, false
		case c == '(':
			depth++
			operand = false
		case c == ')':
			depth--
			operand = true
		case c == '@' || c == '|' && !strings.HasPrefix(s[i:], "||"):
			j.fire(ruleInterpreter, w.start, w.end)
			j.awkCommand(sc, s, i, w)
			operand = false
		case c == '|':
			i++
			operand = false
		case c == '>' && printing && depth <= 0:
			j.awkRedirect(sc, s, i, w)
			operand = false
		case nameStart(c):
			k := i
			for k < len(s) && (nameStart(s[k]) || s[k] >= '0' && s[k] <= '9') {
				k++
			}
			word := s[i:k]
			switch word {
			case "print", "printf":
				printing, depth = true, 0
			case "system", "getline", "close", "fflush":
				if word != "fflush" {
					j.fire(ruleInterpreter, w.start, w.end)
				}
				j.awkCommand(sc, s, k, w)
			case "ENVIRON":
				j.fire(ruleCredential, w.start, w.end)
			case "ARGV":
				j.fire(ruleInterpreter, w.start, w.end)
			}
			operand = word != "print" && word != "printf" && word != "return" && word != "in"
			i = k - 1
		case c >= '0' && c <= '9' || c == '$' || c == ']':
			operand = true
		case (c == '+' || c == '-') && i+1 < len(s) && s[i+1] == c:
			i++ // after an operand ++ ends one, in front of it a regular expression cannot follow
		case c == ' ' || c == '\t':
		default:
			operand = false
		}
	}
}

// awkCommand judges the strings next to a pipe or in a call of system.
func (j *judge) awkCommand(sc *scope, s string, at int, w *word) {
	for _, t := range stringsIn(s[max(0, at-200):min(len(s), at+400)]) {
		j.denyOnly(sc, t, w)
	}
}

func (j *judge) awkRedirect(sc *scope, s string, at int, w *word) {
	rest := strings.TrimLeft(s[at:], "> \t")
	if strings.HasPrefix(rest, `"`) {
		end := skipString(rest, 0)
		t := word{text: unescape(rest[1:max(1, end)], `"\/`), start: w.start, end: w.end}
		j.writeTarget(sc, &t, strings.HasPrefix(s[at:], ">>"))
		return
	}
	j.fire(ruleOptWrite, w.start, w.end)
}

// skipString returns the index of the quote that ends a string begun at i.
func skipString(s string, i int) int {
	q := s[i]
	for i++; i < len(s) && s[i] != q; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i, len(s))
}

func skipRegex(s string, i int) int {
	class := false
	for i++; i < len(s) && (s[i] != '/' || class); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			return i
		}
	}
	return min(i, len(s))
}

// stringsIn lists the string literals in a piece of code, escapes decoded.
func stringsIn(s string) []string {
	var out []string
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			continue
		}
		if c := s[i]; c == '"' || c == '\'' || c == '`' {
			end := skipString(s, i)
			if end > i {
				t := s[i+1 : end]
				if strings.IndexByte(t, '\\') >= 0 {
					t = backslashes(t)
				}
				out = append(out, t)
			}
			i = end
		}
	}
	return out
}

// sed reads a sed script; anything it does not follow is not proven.
func (j *judge) sed(sc *scope, w *word) {
	if w.dyn && w.shape == tameNumber { // none, one or several numbers on lines of their own
		for _, n := range [...]string{"1", "", "1\n1"} {
			j.sedText(sc, &word{text: strings.ReplaceAll(w.text, dynMark, n), start: w.start, end: w.end}, n == "1")
		}
		return
	}
	if j.dynamicCode(w) {
		// The constant part is still read below.
		w = &word{text: strings.ReplaceAll(w.text, dynMark, "_"), start: w.start, end: w.end}
	}
	j.sedText(sc, w, true)
}

// sedText judges a program of sed. One that sed itself would refuse is a finding only if strict.
func (j *judge) sedText(sc *scope, w *word, strict bool) {
	p := sedParser{s: w.text}
	for p.ok() {
		p.command()
	}
	for _, f := range p.writes {
		t := word{text: f, start: w.start, end: w.end}
		j.writeTarget(sc, &t, false)
	}
	for _, f := range p.reads {
		t := word{text: f, start: w.start, end: w.end}
		j.readFile(sc, &t)
	}
	for _, f := range p.runs {
		j.fire(ruleInterpreter, w.start, w.end)
		j.denyOnly(sc, f, w)
	}
	if p.bad && strict {
		j.fire(ruleInterpreter, w.start, w.end)
	}
}

type sedParser struct {
	s                   string
	i                   int
	bad                 bool
	writes, reads, runs []string
}

func (p *sedParser) ok() bool {
	for p.i < len(p.s) && strings.IndexByte(" \t\n;{}", p.s[p.i]) >= 0 {
		p.i++
	}
	return p.i < len(p.s) && !p.bad
}

func (p *sedParser) skip(set string) {
	for p.i < len(p.s) && strings.IndexByte(set, p.s[p.i]) >= 0 {
		p.i++
	}
}

// delimited skips to the next unescaped delimiter, character classes aside.
func (p *sedParser) delimited(d byte, regex bool) string {
	start := p.i
	class := false
	for ; p.i < len(p.s); p.i++ {
		c := p.s[p.i]
		switch {
		case c == '\\':
			p.i++
		case c == d && !class:
			t := p.s[start:p.i]
			p.i++
			return t
		case regex && c == '[' && !class:
			class = true
			if p.i+1 < len(p.s) && p.s[p.i+1] == '^' {
				p.i++
			}
			if p.i+1 < len(p.s) && p.s[p.i+1] == ']' {
				p.i++
			}
		case c == ']':
			class = false
		case c == '\n' && regex:
			p.bad = true
			return ""
		}
	}
	p.bad = true
	return ""
}

func (p *sedParser) address() bool {
	if p.i >= len(p.s) {
		return false
	}
	switch c := p.s[p.i]; {
	case c >= '0' && c <= '9':
		p.skip("0123456789~")
	case c == '$':
		p.i++
	case c == '/':
		p.i++
		p.delimited('/', true)
		p.skip("IM")
	case c == '\\' && p.i+1 < len(p.s):
		d := p.s[p.i+1]
		p.i += 2
		p.delimited(d, true)
		p.skip("IM")
	case c == '+' || c == '~':
		p.i++
		p.skip("0123456789")
	default:
		return false
	}
	return true
}

func (p *sedParser) rest() string {
	end := strings.IndexByte(p.s[p.i:], '\n')
	if end < 0 {
		end = len(p.s) - p.i
	}
	t := strings.TrimSpace(p.s[p.i : p.i+end])
	p.i += end
	return t
}

func (p *sedParser) command() {
	if p.s[p.i] == '#' {
		p.rest()
		return
	}
	if p.address() {
		p.skip(" \t")
		if p.i < len(p.s) && p.s[p.i] == ',' {
			p.i++
			p.skip(" \t")
			p.address()
		}
	}
	p.skip(" \t!")
	if p.i >= len(p.s) || p.bad {
		p.bad = true
		return
	}
	c := p.s[p.i]
	p.i++
	switch c {
	case '{', '}', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', '=', 'F':
	case 'q', 'Q', 'l', 'L':
		p.skip(" \t")
		p.skip("0123456789")
	case 'b', 't', 'T', ':', 'v':
		for p.i < len(p.s) && strings.IndexByte(";\n}", p.s[p.i]) < 0 {
			p.i++
		}
	case 'a', 'i', 'c':
		p.text()
	case 's':
		p.substitute()
	case 'y':
		if d := p.delim(); d != 0 {
			p.delimited(d, false)
			p.delimited(d, false)
		}
	case 'r', 'R':
		p.reads = append(p.reads, p.rest())
	case 'w', 'W':
		p.writes = append(p.writes, p.rest())
	case 'e':
		p.runs = append(p.runs, p.rest())
	default:
		p.bad = true
	}
}

func (p *sedParser) delim() byte {
	if p.i >= len(p.s) || p.s[p.i] == '\n' || p.s[p.i] == '\\' {
		p.bad = true
		return 0
	}
	p.i++
	return p.s[p.i-1]
}

// text skips the text of a, i and c: to the end of the line, and further after a backslash.
func (p *sedParser) text() {
	for p.i < len(p.s) && p.s[p.i] != '\n' {
		if p.s[p.i] == '\\' {
			p.i++
		}
		p.i++
	}
	p.i = min(p.i, len(p.s))
}

func (p *sedParser) substitute() {
	d := p.delim()
	if d == 0 {
		return
	}
	p.delimited(d, true)
	text := p.delimited(d, false)
	for p.i < len(p.s) && strings.IndexByte(" \t\n;}", p.s[p.i]) < 0 {
		c := p.s[p.i]
		p.i++
		switch {
		case strings.IndexByte("gpiImM0123456789", c) >= 0:
		case c == 'e':
			p.runs = append(p.runs, text)
		case c == 'w':
			p.writes = append(p.writes, p.rest())
			return
		case c == '#':
			p.rest()
			return
		default:
			p.bad = true
			return
		}
	}
}

// jq has no way to write; it can read the environment and modules.
func (j *judge) jq(w *word) {
	if w.dyn {
		j.fire(ruleCodeDyn, w.start, w.end)
	}
	s := w.text
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			end := skipString(s, i)
			if !strings.Contains(s[i:min(end, len(s))], `\(`) {
				i = end
			}
			continue
		}
		if !nameStart(s[i]) || i > 0 && (nameStart(s[i-1]) || s[i-1] == '.' || s[i-1] >= '0' && s[i-1] <= '9') {
			continue
		}
		k := i
		for k < len(s) && (nameStart(s[k]) || s[k] >= '0' && s[k] <= '9') {
			k++
		}
		key := k < len(s) && s[k] == ':' // an object key
		switch s[i:k] {
		case "env", "ENV", "strenv", "envsubst":
			if !key {
				j.fire(ruleCredential, w.start, w.end)
			}
		case "import", "include", "load", "load_str", "load_props", "load_xml", "load_base64", "system", "get_search_list":
			if !key {
				j.fire(ruleInterpreter, w.start, w.end)
			}
		}
		i = k - 1
	}
}
