package gatecore

import (
	"path"
	"strings"
)

type callKind uint8

const (
	callShell callKind = iota + 1
	callTree
	callFile
	callWrite
	callEval
)

var foreignCalls = map[string]callKind{
	"system": callShell, "popen": callShell, "run": callShell, "call": callShell, "Popen": callShell, "check_call": callShell, "check_output": callShell,
	"getoutput": callShell, "getstatusoutput": callShell, "execSync": callShell, "execFileSync": callShell, "spawn": callShell, "spawnSync": callShell,
	"execFile": callShell, "shell_exec": callShell, "passthru": callShell, "proc_open": callShell, "pcntl_exec": callShell, "qx": callShell,
	"capture2": callShell, "execute": callShell, "execlp": callShell, "execvp": callShell, "execv": callShell, "execl": callShell, "spawnl": callShell, "$": callShell,
	"rmtree": callTree, "rm_rf": callTree, "rm_r": callTree, "remove_tree": callTree, "rmSync": callTree, "rimraf": callTree, "removedirs": callTree, "rmdirSync": callTree,
	"remove_entry_secure": callTree, "remove_dir_all": callTree, "rm": callTree, "removeSync": callTree, "rmdir": callTree, "emptyDirSync": callTree, "move": callTree,
	"unlink": callFile, "remove": callFile, "unlinkSync": callFile, "delete": callFile, "truncate": callFile, "unlink_recursive": callTree,
	"open": callWrite, "writeFileSync": callWrite, "writeFile": callWrite, "write": callWrite, "write_text": callWrite, "write_bytes": callWrite, "file_put_contents": callWrite,
	"appendFileSync": callWrite, "copyFileSync": callWrite, "copyfile": callWrite, "copyFile": callWrite, "copy": callWrite, "copy2": callWrite, "cp": callWrite, "fopen": callWrite, "binwrite": callWrite,
	"exec": callEval, "eval": callEval, "Function": callEval, "compile": callEval, "instance_eval": callEval,
}

// foreign looks in code of another language for calls that plainly destroy.
func (j *judge) foreign(sc *scope, w *word) {
	s := strings.ReplaceAll(w.text, dynMark, "")
	if strings.Contains(s, "fetch(") && strings.Contains(s, ".then(eval)") {
		j.fire(ruleFetched, w.start, w.end)
	}
	if hasAny(s, "requests.p", "urlopen(", "http.client", "HTTPConnection", "fetch(", "axios", "http.request", "https.request", "Net::HTTP", "HTTP::", "LWP", "curl_", "socket") {
		for _, t := range stringsIn(s) {
			if strings.IndexByte(t, ' ') < 0 && j.credential(sc, &word{text: t}) {
				j.fire(ruleExfil, w.start, w.end)
			}
		}
	}
	if reverseShell(s) {
		j.fire("net.reverse-shell", w.start, w.end)
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			i = foreignString(s, i)
		case c == '`':
			end := skipString(s, i)
			j.denyOnly(sc, s[min(i+1, len(s)):end], w)
			i = end
		case c == '#' && (i == 0 || s[i-1] == '\n' || s[i-1] == ' '):
			for i < len(s) && s[i] != '\n' {
				i++
			}
		case nameStart(c) || c == '$':
			k := i + 1
			for k < len(s) && (nameStart(s[k]) || s[k] >= '0' && s[k] <= '9') {
				k++
			}
			if kind := foreignCalls[s[i:k]]; kind != 0 {
				j.foreignCall(sc, kind, s[i:k], s[:i], s[k:], w)
			}
			i = k - 1
		}
	}
}

// foreignString skips a literal, Python's triple quotes included.
func foreignString(s string, i int) int {
	if q := s[i : i+1]; strings.HasPrefix(s[i:], q+q+q) {
		if end := strings.Index(s[i+3:], q+q+q); end >= 0 {
			return i + 3 + end + 2
		}
		return len(s)
	}
	return skipString(s, i)
}

// arguments is the text of a call's arguments: to the closing parenthesis, or the end of the
// statement where the language lets them go without.
func arguments(rest string) (string, bool) {
	t := strings.TrimLeft(rest, " \t")
	depth, paren := 0, strings.HasPrefix(t, "(")
	if !paren && (t == "" || strings.IndexByte("\"'<[%", t[0]) < 0 && !nameStart(t[0])) {
		return "", false
	}
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '"', '\'', '`':
			i = foreignString(t, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 && paren {
				return t[:i], true
			}
		case ';', '\n':
			if depth <= 0 {
				return t[:i], true
			}
		}
	}
	return t, true
}

func (j *judge) foreignCall(sc *scope, kind callKind, name, before, rest string, w *word) {
	args, ok := arguments(rest)
	if !ok && kind == callEval { // Perl's and Ruby's eval needs no parentheses
		args, _, _ = strings.Cut(strings.TrimLeft(rest, " "), ";")
		ok = strings.HasPrefix(rest, " ")
	}
	if !ok {
		return
	}
	lits := stringsIn(args)
	switch kind {
	case callShell:
		if low := strings.ToLower(args); hasAny(low, "b64decode", "decode_base64", "base64_decode", "fromhex", "unhexlify", "marshal.loads", "atob(", "'base64'", "\"base64\"") {
			j.fire(ruleDecoded, w.start, w.end)
		}
		j.denyOnly(sc, strings.Join(lits, " "), w)
		if len(lits) > 1 {
			j.denyOnly(sc, lits[0], w)
		}
	case callEval:
		low := strings.ToLower(args)
		switch {
		case hasAny(low, "urlopen", "requests.get", "http.get", "fetch(", "open-uri", "file_get_contents('http", "file_get_contents(\"http", ".get(\"http", ".get('http", "get(\"http", "get('http", "open(\"http", "open('http", "lwp::", "url("):
			j.fire(ruleFetched, w.start, w.end)
		case hasAny(low, "b64decode", "fromhex", "atob(", "base64", "unpack", "decompress", "rot13", "marshal.loads", "unhexlify"):
			j.fire(ruleDecoded, w.start, w.end)
		}
		if name == "exec" {
			j.denyOnly(sc, strings.Join(lits, " "), w)
		} else {
			for _, t := range lits {
				inner := word{text: t, start: w.start, end: w.end}
				if j.depth+1 < maxDepth && j.spend(len(t)) {
					j.depth++
					j.foreign(sc, &inner)
					j.depth--
				}
			}
		}
	case callTree, callFile:
		j.foreignDelete(sc, kind, name, before, args, lits, w)
	case callWrite:
		j.foreignWrite(sc, name, before, lits, w)
	}
}

func hasAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func (j *judge) foreignDelete(sc *scope, kind callKind, name, before, args string, lits []string, w *word) {
	if len(lits) == 0 {
		lits = receiver(before) // Path("/etc").rmdir()
		if hasAny(args, "homedir(", "Path.home(", "expanduser(", "Dir.home", "HOME") {
			lits = append(lits, "~")
		}
	}
	for _, t := range lits {
		for _, f := range strings.Fields(t) {
			p := word{text: f}
			if i := strings.IndexAny(f, "*?["); i >= 0 {
				p.globAt = i + 1
			}
			c := j.classOf(sc, &p)
			if f[0] != '/' && f[0] != '~' && f[0] != '.' && !strings.Contains(f, ":") {
				continue
			}
			if c.treeDenied() && kind == callTree && c != classParent || c == classParent && kind == callTree && name != "rm" || c == classSystem || c == classRoot {
				j.fire(ruleCodeDeny, w.start, w.end)
			}
		}
	}
}

// receiver is the string literal of the object a method is called on.
func receiver(before string) []string {
	before = strings.TrimSuffix(strings.TrimRight(before, " "), ".")
	if i := strings.LastIndexAny(before, ";\n"); i >= 0 {
		before = before[i+1:]
	}
	return stringsIn(before)
}

func (j *judge) foreignWrite(sc *scope, name, before string, lits []string, w *word) {
	target := ""
	switch {
	case name == "open" || name == "fopen":
		if len(lits) == 0 {
			return
		}
		mode := ""
		if len(lits) > 1 {
			mode = lits[1]
		}
		target = lits[0]
		if strings.HasPrefix(target, ">") || strings.HasPrefix(mode, ">") { // perl
			if strings.HasPrefix(mode, ">") && len(lits) > 1 && strings.Trim(mode, "> ") == "" && len(lits) > 2 {
				target = lits[2]
			} else if strings.HasPrefix(mode, ">") {
				target = strings.TrimLeft(mode, "> ")
			} else {
				target = strings.TrimLeft(target, "> ")
				if target == "" && len(lits) > 1 {
					target = lits[1]
				}
			}
		} else if !strings.ContainsAny(mode, "wax+") {
			return
		}
	case name == "write_text" || name == "write_bytes":
		if r := receiver(before); len(r) > 0 {
			target = r[0]
		}
	case name == "write" && !strings.HasSuffix(before, "File.") && !strings.HasSuffix(before, "IO."):
		return
	case strings.HasPrefix(name, "cop") || name == "cp":
		if len(lits) > 1 {
			target = lits[1]
		}
	case len(lits) > 0:
		target = lits[0]
	}
	if target == "" {
		return
	}
	t := word{text: target, start: w.start, end: w.end}
	if id := j.writeDenied(sc, &t, false); id != "" && path.Clean(target) != "." {
		j.fire(id, w.start, w.end)
	}
}

// reverseShell reports code that connects to the network and hands the connection to a shell.
func reverseShell(s string) bool {
	low := strings.ToLower(s)
	net := hasAny(low, "socket", "net.connect", "fsockopen", "tcpsocket", "io::socket", "net.createconnection")
	sh := hasAny(low, "/bin/sh", "/bin/bash", "cmd.exe", "\"sh\"", "'sh'", "/bin/zsh", "powershell")
	return net && sh && hasAny(low, "dup2", "pty.spawn", "exec", "spawn", "popen", "subprocess", "system", "pipe(")
}
