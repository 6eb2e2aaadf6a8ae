package hook

import (
	"fmt"
	"strings"
)

// cursor speaks beforeShellExecution, beforeMCPExecution and preToolUse of Cursor (cursor.com/docs/hooks). With failClosed an empty answer is a
// refusal, so that every allow is said.
type cursor struct{}

type cursorAnswer struct {
	Permission   string `json:"permission"`
	UserMessage  string `json:"user_message,omitempty"`
	AgentMessage string `json:"agent_message,omitempty"`
}

func cursorTools() toolset {
	return toolset{
		shell: map[string]Dialect{"Shell": DialectAuto},
		quiet: keySet("Read", "Write", "Edit", "StrReplace", "Delete", "Grep", "Glob", "LS", "SemanticSearch", "Task", "TodoWrite", "WebFetch", "WebSearch", "ReadLints", "EditNotebook"),
	}
}

func (cursor) read(ev object, o *Options) (request, error) {
	var req request
	var err error
	if req.event, err = ev.required("hook_event_name"); err != nil {
		return request{}, err
	}
	switch req.event {
	case "beforeShellExecution":
		err = cursorShell(&req, ev)
	case "beforeMCPExecution":
		err = cursorMCP(&req, ev, o)
	case "preToolUse":
		err = readCall(&req, ev, cursorTools(), "conversation_id", "tool_name", "tool_input")
	default:
		return request{}, fmt.Errorf("hook: the hook is installed for the event %q, want beforeShellExecution, beforeMCPExecution or preToolUse", clip(req.event))
	}
	return req, err
}

// cursorShell reads an event that is itself the call: the command stands at the top.
func cursorShell(req *request, ev object) error {
	req.tool = "Shell"
	var err error
	if req.session, err = ev.text("conversation_id"); err != nil {
		return err
	}
	dir, err := ev.text("cwd")
	if err != nil {
		return err
	}
	if absolute(dir) {
		req.dir = dir
	}
	req.commands, _, err = cursorTools().extract(req.tool, object{"command": ev["command"]}, req.dir)
	return err
}

// cursorMCP reads a call of an MCP tool. The event's own command is how the server was started, not what the tool runs.
func cursorMCP(req *request, ev object, o *Options) error {
	tools := cursorTools()
	tools.shell, tools.quiet = nil, nil // the tools are the server's, whatever they are called
	if tool, _ := ev["tool_name"].(string); ownTool(tool) && ownCommand(ev["command"], o.Self) {
		tools.quiet = keySet(tool)
	}
	return readCall(req, ev, tools, "conversation_id", "tool_name", "tool_input")
}

// ownCommand reports that a server command line starts this program.
func ownCommand(v any, self string) bool {
	line, _ := v.(string)
	if self == "" || !strings.HasPrefix(strings.TrimLeft(line, `"'`), self) {
		return false
	}
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(line, `"'`), self), `"'`)
	return rest == "" || rest[0] == ' '
}

func (cursor) answer(_ request, v Verdict, reason string) []byte {
	if v == Allow {
		return render(cursorAnswer{Permission: "allow"})
	}
	return render(cursorAnswer{Permission: v.String(), UserMessage: reason, AgentMessage: reason})
}

func (cursor) silence(request) []byte { return render(cursorAnswer{Permission: "allow"}) }

func (cursor) canAsk(request) bool { return true }

func (cursor) canAllow(request) bool { return true }
