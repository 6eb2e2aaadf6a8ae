package host

import (
	"fmt"
	"slices"
	"strings"
)

// Name is the name of our entries in every configuration. Short and without "_", because hosts join it with tool names.
const Name = "phocinae"

const program = "phocinae-mcp"

// hookSeconds is how long a host waits for the hook. The hook answers within 8 seconds by itself; every host runs the command when its own clock
// runs out.
const hookSeconds = 15

// hookList is one array of a host's configuration that holds hooks.
type hookList struct {
	path    []string // of the array
	element object   // what is appended
	grouped bool     // elements hold a matcher and an inner array "hooks" of handlers
}

// jsonHook describes the hook entries of a host.
type jsonHook struct {
	head  []member // members the file needs at its root
	lists []hookList
	keys  []string // of a handler: where the command line stands, first match wins
}

func hookEntry(h Host, o *Options) jsonHook {
	line := o.commandLine(h)
	switch h {
	case Claude:
		handler := object{{"type", "command"}, {"command", o.Exe}, {"args", []any{"hook", "claude"}}, {"timeout", hookSeconds}}
		if o.OnFailureBlock {
			handler = append(handler, member{"onFailure", "block"})
		}
		return grouped("PreToolUse", "Bash|PowerShell", handler)
	case Codex:
		return grouped("PreToolUse", "Bash", object{{"type", "command"}, {"command", line}, {"timeout", hookSeconds}})
	case Gemini:
		return grouped("BeforeTool", "run_shell_command",
			object{{"type", "command"}, {"name", Name}, {"command", line}, {"timeout", hookSeconds * 1000}})
	case Copilot:
		return jsonHook{
			head:  []member{{"version", 1}},
			lists: []hookList{{path: []string{"hooks", "preToolUse"}, element: object{{"type", "command"}, {o.copilotKey(), line}, {"timeoutSec", hookSeconds}}}},
			keys:  []string{"bash", "powershell", "command"},
		}
	case Cursor:
		entry := object{{"command", line}, {"timeout", hookSeconds}, {"failClosed", true}}
		return jsonHook{
			head: []member{{"version", 1}},
			lists: []hookList{
				{path: []string{"hooks", "beforeShellExecution"}, element: entry},
				{path: []string{"hooks", "beforeMCPExecution"}, element: entry},
			},
			keys: []string{"command"},
		}
	}
	return jsonHook{}
}

func grouped(event, matcher string, handler object) jsonHook {
	return jsonHook{
		lists: []hookList{{path: []string{"hooks", event}, element: object{{"matcher", matcher}, {"hooks", []any{handler}}}, grouped: true}},
		keys:  []string{"command"},
	}
}

// copilotKey names the shell Copilot starts a hook with on this system.
func (o *Options) copilotKey() string {
	if o.Env.OS == "windows" {
		return "powershell"
	}
	return "bash"
}

// commandLine is the hook's command for hosts that start it through a shell.
func (o *Options) commandLine(h Host) string {
	return o.quoteExe(h) + " hook " + h.String()
}

// quoteExe writes the program's path for the shell the host uses. A path of ordinary characters needs no quotes in any of them.
func (o *Options) quoteExe(h Host) string {
	if ordinary(o.Exe) {
		return o.Exe
	}
	switch {
	case o.Env.OS != "windows":
		return "'" + strings.ReplaceAll(o.Exe, "'", `'\''`) + "'"
	case h == Codex: // cmd.exe /C
		return `"` + o.Exe + `"`
	}
	return "& '" + strings.ReplaceAll(o.Exe, "'", "''") + "'" // PowerShell
}

func ordinary(path string) bool {
	for i := range len(path) {
		c := path[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case strings.IndexByte(`/\:._-+@`, c) >= 0:
		default:
			return false
		}
	}
	return !strings.Contains(path, `\`) || len(path) > 2 && path[1] == ':' // a backslash is ordinary in Windows paths only
}

// ours reports whether a handler's command line, or its command with args, is this program's hook for host h, wherever it is installed
// and whatever flags were added.
func ours(line string, args []string, h Host) bool {
	if len(args) > 0 {
		return startsUs(line) && subcommand(args, h)
	}
	exe, rest := splitExe(line)
	return startsUs(exe) && subcommand(strings.Fields(rest), h)
}

func subcommand(words []string, h Host) bool {
	i := slices.Index(words, "hook")
	return i >= 0 && i+1 < len(words) && words[i+1] == h.String()
}

// splitExe takes the program's path, without the quotes quoteExe puts on, from the head of a command line.
func splitExe(line string) (exe, rest string) {
	line = strings.TrimPrefix(line, "& ")
	if line == "" || line[0] != '\'' && line[0] != '"' {
		exe, rest, found := strings.Cut(line, " ")
		if found {
			rest = " " + rest
		}
		return exe, rest
	}
	quote := line[:1]
	escapes := []string{`'\''`, "''"}
	var b strings.Builder
	for s := line[1:]; s != ""; {
		escaped := false
		for _, e := range escapes {
			if quote == "'" && strings.HasPrefix(s, e) {
				b.WriteByte('\'')
				s, escaped = s[len(e):], true
				break
			}
		}
		switch {
		case escaped:
		case s[:1] == quote:
			return b.String(), s[1:]
		default:
			b.WriteByte(s[0])
			s = s[1:]
		}
	}
	return "", "" // no closing quote
}

// startsUs reports whether a path is this program.
func startsUs(path string) bool {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		path = path[i+1:]
	}
	return strings.TrimSuffix(strings.ToLower(path), ".exe") == program
}

// mcpEntry returns where the MCP entry of a JSON host goes, and what it is.
func mcpEntry(h Host, o *Options) (parent []string, entry object) {
	plain := object{{"command", o.Exe}, {"args", []any{}}}
	switch h {
	case Claude:
		return []string{"mcpServers"}, append(object{{"type", "stdio"}}, plain...)
	case Copilot:
		return []string{"mcpServers"}, append(append(object{{"type", "local"}}, plain...), member{"tools", []any{"*"}})
	case VSCode:
		return []string{"servers"}, append(object{{"type", "stdio"}}, plain...)
	case Zed:
		return []string{"context_servers"}, append(plain, member{"env", object{}})
	case OpenCode:
		return []string{"mcp", "servers"}, object{{"type", "local"}, {"command", []any{o.Exe}}}
	}
	return []string{"mcpServers"}, plain
}

// absolute reports an absolute path of the system described, which need not be the one this program runs on.
func (e Env) absolute(path string) bool {
	if e.OS != "windows" {
		return strings.HasPrefix(path, "/")
	}
	return strings.HasPrefix(path, `\\`) || len(path) > 2 && path[1] == ':'
}

func (o *Options) checkExe() error {
	switch {
	case o.Exe == "":
		return fmt.Errorf("host: no program path given")
	case strings.ContainsFunc(o.Exe, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		return fmt.Errorf("host: the program path %q holds control characters", o.Exe)
	case !o.Env.absolute(o.Exe):
		return fmt.Errorf("host: the program path %q is not absolute; hosts start hooks from any directory", o.Exe)
	case o.Env.OS == "windows" && strings.ContainsAny(o.Exe, `"%`):
		return fmt.Errorf("host: the program path %q cannot be quoted for cmd.exe", o.Exe)
	}
	return nil
}
