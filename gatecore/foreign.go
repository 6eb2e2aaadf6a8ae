package gatecore

import (
	"path"
	"slices"
	"strings"
)

type callKind uint8

const (
	callShell callKind = iota + 1
	callTree
	callFile
	callWrite
	callEval
	callKill
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
	"system2": callShell, "cmd": callShell, "Command": callShell, "command": callShell, "execa": callShell, "execaSync": callShell, "spawnlp": callShell, "spawnvp": callShell, "spawnv": callShell,
	"execle": callShell, "execve": callShell, "execvpe": callShell, "posix_spawn": callShell, "create_subprocess_shell": callShell, "create_subprocess_exec": callShell, "shell": callShell,
	"doShellScript": callShell, "Start": callShell, "pipeline": callShell, "capture2e": callShell, "capture3": callShell, "popen3": callShell, "popen2": callShell, "callproc": callShell, "cmd_exec": callShell,
	"RemoveAll": callTree, "remove_dir": callTree, "remove_entry": callTree, "rmtree_p": callTree, "deltree": callTree, "delete_tree": callTree, "deleteRecursively": callTree, "trash": callTree, "removePath": callTree, "removeItem": callTree, "deleteDir": callTree, "rimrafSync": callTree,
	"rm_f": callFile, "safe_unlink": callFile, "rename": callFile, "renameSync": callFile, "truncateSync": callFile, "Delete": callFile, "Remove": callFile,
	"kill": callKill, "killpg": callKill,
	"exec": callEval, "eval": callEval, "Function": callEval, "compile": callEval, "instance_eval": callEval,
}

// foreign looks in code of another language for calls that plainly destroy.
func (j *judge) foreign(sc *scope, w *word) {
	s := strings.ReplaceAll(w.text, dynMark, "")
	if strings.Contains(s, "fetch(") && strings.Contains(s, ".then(eval)") ||
		hasAny(s, "http.get(", "https.get(", "http').get(", "https').get(", `http").get(`, `https").get(`, "await fetch(", "axios.get(") && hasAny(s, "eval(", "new Function(", "vm.run") {
		j.fire(ruleFetched, w.start, w.end)
	}
	if hasAny(s, "requests.p", "urlopen(", "http.client", "HTTPConnection", "fetch(", "axios", "http.request", "https.request", "Net::HTTP", "HTTP::", "LWP", "curl_", "socket") {
		for _, t := range stringsIn(s) {
			if strings.IndexByte(t, ' ') < 0 && j.credential(sc, &word{text: t}) {
				j.fire(ruleExfil, w.start, w.end)
			}
		}
	}
	if strings.Contains(s, "fork") && hasAny(strings.Join(strings.Fields(strings.ToLower(s)), ""), "forkwhilefork", "whiletrue:os.fork()", "while1:os.fork()", "while(1){fork", "while1{fork", "loop{fork", "for(;;){fork", "loopdofork") {
		j.fire(ruleBomb, w.start, w.end)
	}
	if reverseShell(s) {
		j.fire("net.reverse-shell", w.start, w.end)
	}
	var also map[string]callKind // names that the code gives to calls
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			end := foreignString(s, i)
			j.foreignLiteral(sc, s, i, end, w)
			i = end
		case c == '%' && strings.HasPrefix(s[i:], "%x") && i+2 < len(s) && strings.IndexByte("({[<|!/", s[i+2]) >= 0:
			i = j.delimitedShell(sc, s, i+2, w)
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
			name := s[i:k]
			kind := foreignCalls[name]
			if kind == 0 && also != nil {
				kind = also[name]
			}
			switch {
			case name == "qx" && k < len(s) && strings.IndexByte("({[<|!/", s[k]) >= 0:
				k = j.delimitedShell(sc, s, k, w) + 1
			case kind != 0:
				if other := otherName(s, i, k); other != "" && j.spend(len(other)) {
					if also == nil {
						also = map[string]callKind{}
					}
					also[other] = kind
				}
				j.foreignCall(sc, kind, name, s[:i], s[k:], w)
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
	t := strings.TrimLeft(strings.TrimPrefix(rest, "!"), " \t") // Elixir's names end in !
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
	if (kind == callShell || kind == callTree || kind == callFile) && !allLiteral(args) {
		lits = j.withBound(before, rest, args, lits)
	}
	switch kind {
	case callShell:
		if len(lits) == 0 && name == "execute" {
			lits = receiver(before) // Groovy's "rm -rf x".execute()
		}
		if low := strings.ToLower(args); hasAny(low, "b64decode", "decode_base64", "base64_decode", "fromhex", "unhexlify", "marshal.loads", "chr(", "fromcharcode", "[::-1]", "codecs.decode", "rot13", "atob(", "'base64'", "\"base64\"") {
			j.fire(ruleDecoded, w.start, w.end)
		}
		if hasAny(args, "urlopen(", "requests.get(", "http.get(", "open-uri", "file_get_contents('http", `file_get_contents("http`, "URI.open(") {
			j.fire(ruleFetched, w.start, w.end)
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
		}
		for _, t := range lits {
			inner := word{text: t, start: w.start, end: w.end}
			if j.depth+1 < maxDepth && j.spend(len(t)) {
				j.depth++
				j.foreign(sc, &inner)
				j.depth--
			}
		}
	case callKill:
		if t := strings.ReplaceAll(strings.TrimLeft(args, "( "), " ", "") + ","; strings.HasPrefix(t, "1,") || strings.HasPrefix(t, "-1,") {
			j.fire("system.kill-everything", w.start, w.end)
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
	if kind == callFile && hasAny(args, "ecursive", "'rf'", "\"rf\"", ", true", ",true") {
		kind = callTree // R's unlink, Vim's delete, C#'s Directory.Delete
	}
	if home := homeIn(args); len(lits) == 0 || home {
		if !home {
			lits = receiver(before) // Path("/etc").rmdir()
			home = homeIn(before[max(0, len(before)-40):])
		}
		if home {
			lits = []string{path.Join("~", path.Join(slices.DeleteFunc(lits, func(t string) bool { return t == "HOME" || t == "USERPROFILE" })...))}
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

// homeIn reports an expression for the home directory.
func homeIn(code string) bool {
	return hasAny(code, "homedir(", "Path.home(", "Dir.home", "UserHomeDir(", "SpecialFolder.UserProfile") ||
		hasAny(code, "environ", "getenv(", "env.", "ENV[", "Getenv(", "env(", "process.env") && hasAny(code, "HOME", "USERPROFILE")
}

// foreignLiteral judges a literal that is itself run or called: a text that a method runs (Scala's "rm -rf x".!), and
// the name of a function that is called for each element.
func (j *judge) foreignLiteral(sc *scope, s string, i, end int, w *word) {
	rest := strings.TrimLeft(s[min(end+1, len(s)):], " ")
	if end-i < 3 || end > len(s) {
		return
	}
	text := s[i+1 : end]
	if strings.HasPrefix(rest, ".!") || rest == "!" || strings.HasPrefix(rest, "!;") || strings.HasPrefix(rest, ".execute()") {
		j.denyText(sc, text, w)
	}
	if kind := foreignCalls[text]; kind != 0 && (strings.HasPrefix(rest, ")(") || strings.HasPrefix(rest, "](")) {
		j.foreignCall(sc, kind, text, s[:i], rest[1:], w) // getattr(os, "system")("…"), child["exec"]("…")
	}
	if kind := foreignCalls[text]; kind != 0 && strings.HasPrefix(rest, ",") && hasAny(s[max(0, i-20):i], "array_map(", "array_walk(", "call_user_func(") {
		j.foreignCall(sc, kind, text, s[:i], "("+rest[1:], w)
	}
}

// delimitedShell judges the shell text between delimiters of Perl and Ruby and returns where it ends.
func (j *judge) delimitedShell(sc *scope, s string, i int, w *word) int {
	closing := s[i]
	if k := strings.IndexByte("({[<", closing); k >= 0 {
		closing = ")}]>"[k]
	}
	end := strings.IndexByte(s[i+1:], closing)
	if end < 0 {
		return len(s) - 1
	}
	j.denyText(sc, s[i+1:i+1+end], w)
	return i + 1 + end
}

// otherName is the name that the code gives to the function named in s[i:k]: import f as name, {f: name} = …, name = m.f.
func otherName(s string, i, k int) string {
	rest := strings.TrimLeft(s[k:], " ")
	for _, mark := range [...]string{"as ", ":"} {
		if t, ok := strings.CutPrefix(rest, mark); ok {
			t = strings.TrimLeft(t, " ")
			if n := identEnd(t); n > 0 {
				return t[:n]
			}
			return ""
		}
	}
	if rest != "" && strings.IndexByte(";\n,)", rest[0]) < 0 {
		return ""
	}
	at := i
	for at > 0 && (tokenByte(s[at-1]) || strings.IndexByte(".()'\"", s[at-1]) >= 0) {
		at--
	}
	before := strings.TrimRight(s[:at], " ")
	if !strings.HasSuffix(before, "=") || strings.HasSuffix(before, "==") {
		return ""
	}
	before = strings.TrimRight(before[:len(before)-1], " ")
	at = len(before)
	for at > 0 && (nameStart(before[at-1]) || before[at-1] >= '0' && before[at-1] <= '9') {
		at--
	}
	return before[at:]
}

// identEnd is the length of the name that s begins with.
func identEnd(s string) int {
	n := 0
	for n < len(s) && (nameStart(s[n]) || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

// allLiteral reports arguments in which no name could stand for a text.
func allLiteral(args string) bool {
	for i := 0; i < len(args); i++ {
		switch c := args[i]; {
		case c == '"' || c == '\'' || c == '`':
			end := foreignString(args, i)
			if strings.ContainsAny(args[i:min(end+1, len(args))], "{$") {
				return false
			}
			i = end
		case nameStart(c):
			return false
		}
	}
	return true
}

// withBound adds to the literals of a call those that the code gives to the names in its arguments, and puts them in the
// place of such names in a literal ({name}, ${name}, #{name}).
func (j *judge) withBound(before, rest, args string, lits []string) []string {
	out := slices.Clone(lits)
	for i, tries := 0, 0; i < len(args) && tries < 4; i++ {
		if !nameStart(args[i]) || i > 0 && (tokenByte(args[i-1]) && args[i-1] != '-' || args[i-1] == '.') {
			continue
		}
		n := identEnd(args[i:])
		name := args[i : i+n]
		i += n
		if i < len(args) && (args[i] == '(' || args[i] == '=') || len(name) > 40 {
			continue
		}
		if tries++; !j.spend(len(before) + len(rest)) {
			break
		}
		for _, t := range append(boundTo(before, name), boundTo(rest, name)...) {
			found := false
			for k := range out {
				for _, mark := range [...]string{"${" + name + "}", "#{" + name + "}", "{" + name + "}", "$" + name} {
					if strings.Contains(out[k], mark) {
						out[k], found = strings.ReplaceAll(out[k], mark, t), true
					}
				}
			}
			if !found {
				out = append(out, t)
			}
		}
	}
	return out
}

// boundTo lists the literals in statements that assign to name or let it run over them.
func boundTo(code, name string) []string {
	var out []string
	for from := 0; len(out) < 8; {
		i := strings.Index(code[from:], name)
		if i < 0 {
			break
		}
		i += from
		from = i + len(name)
		if i > 0 && (nameStart(code[i-1]) || code[i-1] == '.' || code[i-1] == '"' || code[i-1] == '\'') {
			continue
		}
		rest := strings.TrimLeft(code[from:], " ")
		switch {
		case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
		case strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "in "), strings.HasPrefix(rest, "of "), strings.HasPrefix(rest, "<- "):
		default:
			continue
		}
		end := strings.IndexAny(rest, ";\n")
		if end < 0 {
			end = len(rest)
		}
		out = append(out, stringsIn(rest[:end])...)
	}
	return out[:min(len(out), 8)]
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
