package hook

import "fmt"

// claude speaks Claude Code's PreToolUse and PermissionRequest (code.claude.com/docs/en/hooks).
type claude struct{}

func (claude) read(ev object, o *Options) (request, error) {
	return readSpecific(ev, claudeTools(o))
}

func claudeTools(o *Options) toolset {
	bash := bashDialect(o.Shell)
	return toolset{
		shell: map[string]Dialect{"Bash": bash, "PowerShell": DialectPowerShell, "Monitor": bash},
		quiet: keySet("Read", "Write", "Edit", "MultiEdit", "NotebookRead", "NotebookEdit", "Glob", "Grep", "LS", "LSP", "WebFetch", "WebSearch",
			"Task", "Agent", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskOutput", "TaskStop", "TodoRead", "TodoWrite", "BashOutput", "KillBash", "KillShell",
			"SlashCommand", "Skill", "ToolSearch", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "SendMessage", "ListMcpResourcesTool", "ReadMcpResourceTool"),
	}
}

func (claude) answer(req request, v Verdict, reason string) []byte {
	return renderSpecific(req.event, v, reason)
}

func (claude) silence(request) []byte { return nil }

func (claude) canAsk(request) bool { return true }

func (claude) canAllow(request) bool { return true }

// readSpecific reads the event shape that Claude Code, Codex and (in its snake case form) Copilot share.
func readSpecific(ev object, ts toolset) (request, error) {
	var req request
	var err error
	if req.event, err = ev.required("hook_event_name"); err != nil {
		return request{}, err
	}
	if req.event != preToolUse && req.event != permissionRequest {
		return request{}, fmt.Errorf("hook: the hook is installed for the event %q, want %s", clip(req.event), preToolUse)
	}
	err = readCall(&req, ev, ts, "session_id", "tool_name", "tool_input")
	return req, err
}

// readCall reads the members that say which tool is called with what.
func readCall(req *request, ev object, ts toolset, session, name, input string) error {
	var err error
	if req.session, err = ev.text(session); err != nil {
		return err
	}
	if req.tool, err = ev.required(name); err != nil {
		return err
	}
	dir, err := ev.text("cwd")
	if err != nil {
		return err
	}
	if absolute(dir) {
		req.dir = dir
	}
	if ts.quiet[req.tool] {
		return nil
	}
	in, err := ev.input(input)
	if err != nil {
		return err
	}
	req.commands, req.plain, err = ts.extract(req.tool, in, req.dir)
	return err
}
