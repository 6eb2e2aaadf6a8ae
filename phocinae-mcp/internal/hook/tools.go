package hook

import (
	"path/filepath"
	"strings"
)

// toolset is what is known about a host's own tools.
type toolset struct {
	shell  map[string]Dialect // run the command in their input
	typing map[string]Dialect // type into a running terminal
	quiet  map[string]bool    // run nothing, whatever their fields are called
}

// ownServer is the name under which this program installs itself as an MCP server; ownTools are its tools. Asking the gate about a command is not running
// it. The names prove nothing, but a server that lies about its name gains nothing either: a tool without command-like fields passes anyway.
const ownServer = "phocinae"

func ownTool(name string) bool {
	switch name {
	case "gate", "classify", "route", "score":
		return true
	}
	return false
}

// ownMCPTool reports a full tool name of our own server as the hosts write it.
func ownMCPTool(tool string) bool {
	for _, prefix := range []string{"mcp__" + ownServer + "__", "mcp_" + ownServer + "_", ownServer + "__", ownServer + "-"} {
		if rest, ok := strings.CutPrefix(tool, prefix); ok {
			return ownTool(rest)
		}
	}
	return false
}

// commandKeys are the field names that carry a command in any tool, without case, "_" and "-".
var commandKeys = keySet("command", "commands", "cmd", "cmds", "cmdline", "commandline", "fullcommand", "rawcommand", "shellcommand",
	"bashcommand", "terminalcommand", "script", "scripts", "shellscript", "bashscript", "inlinescript", "argv", "args", "arguments", "exec", "run")

// programKeys name the program whose words are in an args field.
var programKeys = keySet("program", "executable", "binary", "exe")

// argKeys hold words that follow a command or program.
var argKeys = keySet("args", "arguments", "argv", "parameters")

// looseKeys carry a command only in tools whose name speaks of a shell.
var looseKeys = keySet("code", "source", "text", "input", "stdin", "data", "keys", "keystrokes", "chars", "line", "lines", "content", "expression", "statement")

// wrapKeys hold a tool's whole input as a JSON string.
var wrapKeys = keySet("arguments", "args", "params", "parameters", "input", "toolinput", "toolargs")

// envKeys hold variables that change what a command does.
var envKeys = keySet("env", "environment", "envvars", "environmentvariables")

// interpreterKeys name the shell a command is read by.
var interpreterKeys = keySet("shell", "interpreter", "shellpath")

// interpreter returns the dialect of a shell named by itself or at a usual place; known is false for anything else.
func interpreter(name string) (d Dialect, known bool) {
	for _, dir := range []string{"/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"} {
		name = strings.TrimPrefix(name, dir)
	}
	switch strings.TrimSuffix(strings.ToLower(name), ".exe") {
	case "":
		return DialectAuto, true
	case "bash", "sh", "dash":
		return DialectBash, true
	case "zsh":
		return DialectZsh, true
	case "pwsh", "powershell":
		return DialectPowerShell, true
	case "cmd":
		return DialectCmd, true
	}
	return DialectAuto, false
}

// dirKeys name the directory a command starts in.
var dirKeys = keySet("cwd", "workdir", "workingdirectory", "workingdir", "directory", "dirpath")

// harmlessKeys may stand beside a command without changing what it does. An explicit allow is given only if nothing else is there.
var harmlessKeys = keySet("command", "cmd", "description", "timeout", "timeoutms", "runinbackground", "isbackground", "cwd", "workdir",
	"workingdirectory", "dirpath", "directory", "sessionid", "shellid", "mode", "async", "initialwait", "detach")

// listKeys hold several commands, not the words of one.
var listKeys = keySet("commands", "cmds", "scripts", "lines")

func keySet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// foldKey brings a field name into the form the sets above use.
func foldKey(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// nameWords splits a tool name at separators and at camel case: "mcp__ide__executeCode" is mcp, ide, execute, code.
func nameWords(name string) map[string]bool {
	words := map[string]bool{}
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words[strings.ToLower(word.String())] = true
			word.Reset()
		}
	}
	lower := false
	for _, r := range name {
		letter := r >= 'a' && r <= 'z'
		upper := r >= 'A' && r <= 'Z'
		switch {
		case !letter && !upper && r < 0x80:
			flush()
		case upper && lower:
			flush()
			word.WriteRune(r)
		default:
			word.WriteRune(r)
		}
		lower = letter
	}
	flush()
	return words
}

// shellName reports tools whose name says that they run commands, or programs in a language.
func shellName(name string) bool {
	words := nameWords(name)
	for _, w := range []string{
		"bash", "sh", "zsh", "fish", "shell", "pwsh", "powershell", "cmd", "terminal", "tty", "pty", "stdin", "exec", "subprocess",
		"command", "commands", "repl", "ssh",
	} {
		if words[w] {
			return true
		}
	}
	return (words["execute"] || words["run"] || words["eval"]) && (words["code"] || words["script"] || words["process"] || words["program"])
}

// typingName reports tools that type into something that runs.
func typingName(name string) bool {
	words := nameWords(name)
	acts := words["write"] || words["send"] || words["type"] || words["input"]
	return acts && (words["stdin"] || words["terminal"] || words["bash"] || words["shell"] || words["powershell"] || words["process"] || words["pty"] || words["keys"] || words["tty"])
}

// passiveName reports shell tools that look at or end something: without a command-like field there is nothing in them to judge.
func passiveName(name string) bool {
	words := nameWords(name)
	for _, w := range []string{"run", "exec", "execute", "eval", "write", "send", "type", "input", "start", "spawn"} {
		if words[w] {
			return false
		}
	}
	for _, w := range []string{"list", "get", "read", "status", "kill", "stop", "close", "output", "wait", "view", "show", "log", "logs", "history", "info", "help", "last"} {
		if words[w] {
			return true
		}
	}
	return false
}

// absolute reports whether dir is absolute on any system: the event may come from another one than this program was built for.
func absolute(dir string) bool {
	if strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, `\\`) {
		return true
	}
	return len(dir) >= 3 && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/') && (dir[0]|0x20 >= 'a' && dir[0]|0x20 <= 'z')
}

// joinDir resolves a tool's own directory against the event's. What cannot be resolved is "", which a judge reads as unknown.
func joinDir(base, dir string) string {
	switch {
	case dir == "":
		return base
	case absolute(dir):
		return dir
	case strings.HasPrefix(dir, "~") || base == "":
		return ""
	case strings.HasPrefix(base, "/"):
		return filepath.ToSlash(filepath.Join(base, dir))
	}
	return strings.TrimRight(base, `\/`) + `\` + dir
}

// bashDialect is what hosts run their bash tool in: the user's shell if that is zsh, else bash.
func bashDialect(shell string) Dialect {
	if i := strings.LastIndexAny(shell, `/\`); i >= 0 {
		shell = shell[i+1:]
	}
	if shell == "zsh" || shell == "zsh.exe" {
		return DialectZsh
	}
	return DialectBash
}
