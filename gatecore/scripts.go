package gatecore

import (
	"strings"
)

// The readers below follow languages whose calls do not look like name(arguments) just far enough to find text that is
// given to a shell and paths that are deleted or written. They only add denials.

// denyText judges text that a script hands to a shell.
func (j *judge) denyText(sc *scope, text string, w *word) {
	if j.depth+1 < maxDepth && j.spend(len(text)) {
		j.denyOnly(sc, strings.TrimRight(text, "\r\n "), w)
	}
}

// denyDelete judges a path that a script deletes.
func (j *judge) denyDelete(sc *scope, path string, tree bool, w *word) {
	if path == "" {
		return
	}
	p := word{text: path}
	if i := strings.IndexAny(path, "*?["); i >= 0 {
		p.globAt = i + 1
	}
	if c := j.classOf(sc, &p); tree && c.treeDenied() || c == classSystem || c == classRoot {
		j.fire(ruleCodeDeny, w.start, w.end)
	}
}

// denyWrite judges a file that a script writes.
func (j *judge) denyWrite(sc *scope, path string, w *word) {
	if path == "" || strings.HasPrefix(path, "!") {
		return
	}
	t := word{text: path, start: w.start, end: w.end}
	if id := j.writeDenied(sc, &t, false); id != "" {
		j.fire(id, w.start, w.end)
	}
}

// lispCalls are functions of Emacs Lisp, Scheme, Common Lisp and Clojure.
var lispCalls = map[string]callKind{
	"shell-command": callShell, "shell-command-to-string": callShell, "async-shell-command": callShell, "call-process-shell-command": callShell,
	"call-process": callShell, "start-process": callShell, "start-process-shell-command": callShell, "process-lines": callShell, "process-file": callShell, "make-process": callShell,
	"system": callShell, "system*": callShell, "run-program": callShell, "run-shell-command": callShell, "launch-program": callShell, "sh": callShell, "shell": callShell, "process": callShell, "compile": callShell,
	"delete-directory": callTree, "delete-directory-tree": callTree, "delete-directory/files": callTree, "delete-directory-and-files": callTree, "delete-file-recursively": callTree, "move-file-to-trash": callTree,
	"delete-file": callFile, "rename-file": callFile,
	"write-region": callWrite, "write-file": callWrite, "append-to-file": callWrite, "with-temp-file": callWrite, "spit": callWrite, "call-with-output-file": callWrite, "copy-file": callWrite, "find-file": callWrite,
}

// lisp reads parenthesised calls.
func (j *judge) lisp(sc *scope, w *word) {
	s := w.text
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = skipString(s, i)
		case ';':
			i = lineEnd(s, i)
		case '(':
			k := i + 1
			for k < len(s) && strings.IndexByte(" \t\n()\"", s[k]) < 0 {
				k++
			}
			name := s[i+1 : k]
			if n := strings.LastIndexByte(name, ':'); n >= 0 {
				name = name[n+1:]
			}
			kind := lispCalls[name]
			if kind == 0 {
				if n := strings.LastIndexByte(name, '/'); n >= 0 {
					kind = lispCalls[name[n+1:]]
				}
			}
			if kind == 0 {
				continue
			}
			args := s[k:max(k, lispEnd(s, i))]
			if !j.spend(len(args)) {
				return
			}
			j.lispCall(sc, kind, quotedStrings(args), w)
		}
	}
}

func (j *judge) lispCall(sc *scope, kind callKind, args []string, w *word) {
	switch {
	case len(args) == 0:
	case kind == callShell:
		for n := range min(2, len(args)) { // start-process names its buffer first
			j.denyText(sc, strings.Join(args[n:], " "), w)
		}
	case kind == callWrite:
		j.denyWrite(sc, args[len(args)-1], w)
	default:
		j.denyDelete(sc, args[0], kind == callTree, w)
	}
}

// lispEnd is the index behind the form that opens at i.
func lispEnd(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = skipString(s, i)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// quotedStrings lists the literals in double quotes.
func quotedStrings(s string) []string {
	var out []string
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			end := skipString(s, i)
			out = append(out, unescape(s[i+1:max(i+1, end)], `"\`))
			i = end
		}
	}
	return out
}

// appleScript reads the text of "do shell script" and "do script", and what is told to the Finder and the login window.
func (j *judge) appleScript(sc *scope, w *word) {
	low := strings.ToLower(w.text)
	for _, verb := range [...]string{"do shell script", "do script", "doshellscript("} {
		for from := 0; ; {
			i := strings.Index(low[from:], verb)
			if i < 0 {
				break
			}
			from += i + len(verb)
			if a := strings.IndexByte(w.text[from:], '"'); a >= 0 {
				a += from
				j.denyText(sc, unescape(w.text[a+1:max(a+1, skipString(w.text, a))], `"\\`), w)
			}
		}
	}
	switch {
	case strings.Contains(low, "finder") && strings.Contains(low, "delete") && hasAny(low, "every item", "home", "startup disk", "entire contents"):
		j.fire(ruleCodeDeny, w.start, w.end)
	case hasAny(low, "system events", "finder", "loginwindow") && hasAny(low, "to shut down", "to restart", "aevtrsdn", "aevtrrst", "\nshut down", "\nrestart"):
		j.fire("system.stops-machine", w.start, w.end)
	}
}

// tcl reads commands of Tcl and Expect.
func (j *judge) tcl(sc *scope, w *word) { j.tclScript(sc, w.text, w, 0) }

func (j *judge) tclScript(sc *scope, s string, w *word, depth int) {
	if depth > 8 || !j.spend(len(s)) {
		return
	}
	var words []string
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == ';' || s[i] == '\n' || s[i] == ']' {
			j.tclCommand(sc, words, w)
			words = nil
			continue
		}
		switch s[i] {
		case ' ', '\t', '\r':
		case '[':
			words = nil // a command of its own begins
		case '#':
			if len(words) == 0 {
				i = lineEnd(s, i) - 1
			}
		case '{':
			end := braceEnd(s, i)
			body := s[i+1 : max(i+1, end)]
			j.tclScript(sc, body, w, depth+1) // a body, or a list
			words, i = append(words, body), end
		case '"':
			end := skipString(s, i)
			body := s[i+1 : max(i+1, end)]
			words, i = append(words, backslashes(body)), end
		default:
			k := i
			for k < len(s) && strings.IndexByte(" \t\r\n;]\"", s[k]) < 0 {
				k++
			}
			words, i = append(words, s[i:k]), k-1
		}
	}
}

func braceEnd(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

func (j *judge) tclCommand(sc *scope, words []string, w *word) {
	if len(words) < 2 {
		return
	}
	args := words[1:]
	switch words[0] {
	case "exec", "spawn", "system", "send", "eval", "exp_spawn", "exp_send", "send_tty":
		for len(args) > 0 && strings.HasPrefix(args[0], "-") {
			args = args[1:]
		}
		j.denyText(sc, strings.Join(args, " "), w)
	case "file":
		if args[0] == "delete" || args[0] == "rename" {
			for _, a := range args[1:] {
				if !strings.HasPrefix(a, "-") {
					j.denyDelete(sc, a, args[0] == "delete", w)
				}
			}
		}
	case "open":
		if strings.HasPrefix(args[0], "|") {
			j.denyText(sc, args[0][1:], w)
		} else if len(args) > 1 && strings.ContainsAny(args[1], "wa+") {
			j.denyWrite(sc, args[0], w)
		}
	}
}

// vim judges what an editor of the vi family or ed is told to do: commands after + and -c, or on standard input. It fires
// for the files that are edited if the commands write them.
func (j *judge) vim(sc *scope, inv *invocation) {
	writes := false
	for i := range inv.words[1:] {
		if w := &inv.words[i+1]; strings.HasPrefix(w.text, "+") && len(w.text) > 1 {
			t := tail(w, 1)
			writes = j.vimCommands(sc, t.text, &t, true) || writes
		}
	}
	for i := range inv.opts {
		if u := &inv.opts[i]; u.o != nil && u.o.eff&effCode != 0 && u.hasVal {
			writes = j.vimCommands(sc, u.val.text, &u.val, true) || writes
		}
	}
	if sc.in.known {
		w := word{text: sc.in.text, start: inv.words[0].start, end: inv.end()}
		writes = j.vimCommands(sc, w.text, &w, inv.prog.name != "ed") || writes
	}
	for i := range inv.operands {
		o := inv.operands[i].w
		switch {
		case strings.HasPrefix(o.text, "!"):
			j.denyText(sc, o.text[1:], o)
		case writes && !strings.HasPrefix(o.text, "+"):
			j.denyWrite(sc, o.text, o)
		}
	}
}

// vimCommands reads ex commands, one a line or behind a bar, and reports whether the buffer is written.
func (j *judge) vimCommands(sc *scope, s string, w *word, bars bool) (writes bool) {
	if strings.Contains(s, dynMark) || !j.spend(len(s)) {
		s = strings.ReplaceAll(s, dynMark, "")
	}
	for line := range strings.SplitSeq(s, "\n") {
		for line != "" {
			cmd := exCommand(line)
			if i := strings.IndexByte(cmd, '!'); i >= 0 && (i == 0 || shellBang(cmd[:i])) {
				j.denyText(sc, strings.TrimLeft(cmd[i+1:], " "), w) // a bar belongs to the shell
				break
			}
			rest := ""
			if i := strings.IndexByte(cmd, '|'); i >= 0 && bars {
				cmd, rest = cmd[:i], cmd[i+1:]
			}
			name := cmd
			if i := strings.IndexFunc(cmd, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }); i >= 0 {
				name = cmd[:i]
			}
			switch name {
			case "w", "write", "wq", "x", "xit", "exit", "wqa", "wqall", "xa", "xall", "wa", "wall", "up", "update", "W", "sav", "saveas", "wn":
				writes = true
				j.denyWrite(sc, strings.TrimLeft(strings.TrimLeft(cmd[len(name):], "!"), " >"), w)
			default:
				t := word{text: cmd, start: w.start, end: w.end}
				j.foreign(sc, &t)
			}
			line = rest
		}
	}
	return writes
}

// exCommand drops the colon, modifiers and the range in front of an ex command.
func exCommand(s string) string {
	for {
		s = strings.TrimLeft(s, ": \t")
		t := s
		for _, m := range [...]string{"silent! ", "silent!", "silent ", "sil! ", "sil ", "noautocmd ", "keepalt ", "execute ", "exe "} {
			if strings.HasPrefix(t, m) {
				t = strings.Trim(t[len(m):], " '\"")
			}
		}
		if t == s {
			break
		}
		s = t
	}
	t := strings.TrimLeft(s, "%0123456789.,$'+-;")
	if t == "" {
		return s
	}
	return t
}

// shellBang reports commands after which an exclamation mark begins a shell command.
func shellBang(before string) bool {
	switch strings.TrimSpace(before) {
	case "r", "read", "w", "write", "te", "ter", "term", "terminal", "ha", "sh":
		return strings.HasSuffix(before, " ") || before == "" || before == "sh"
	}
	return false
}

// makeText judges the make file that make is given on standard input or in an option.
func (j *judge) makeText(sc *scope, inv *invocation) {
	for i := 1; i < len(inv.words); i++ {
		w := &inv.words[i]
		switch {
		case w.text == "-f-" || w.text == "-" || w.text == "/dev/stdin" || w.text == "--file=-":
			if sc.in.known {
				j.makefile(sc, sc.in.text, w)
			}
			if sc.in.network {
				j.fire(ruleFetched, w.start, w.end)
			}
		case strings.HasPrefix(w.text, "--eval="):
			j.makefile(sc, w.text[7:], w)
		case w.text == "--eval" && i+1 < len(inv.words):
			j.makefile(sc, inv.words[i+1].text, w)
		}
	}
}

// makefile judges the recipes of a make file that is known.
func (j *judge) makefile(sc *scope, text string, w *word) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "\t") {
			j.denyText(sc, strings.TrimLeft(line, "\t@-+ "), w)
		} else if i := strings.IndexByte(line, ';'); i >= 0 {
			j.denyText(sc, strings.TrimLeft(line[i+1:], "\t@-+ "), w)
		} else if i := strings.Index(line, "(shell "); i >= 0 {
			j.denyText(sc, strings.TrimRight(line[i+7:], ")"), w)
		}
	}
}
