package hook

import (
	"errors"
	"fmt"
)

// copilot speaks preToolUse of Copilot CLI and the coding agent (github/docs, hooks reference), in both spellings.
type copilot struct{}

type copilotAnswer struct {
	Verdict string `json:"permissionDecision"`
	Reason  string `json:"permissionDecisionReason,omitempty"`
}

func (copilot) read(ev object, o *Options) (request, error) {
	_, camel := ev["toolName"]
	_, snake := ev["tool_name"]
	if camel && snake {
		return request{}, errors.New("hook: the event has both toolName and tool_name")
	}
	req := request{event: "preToolUse"}
	ts := copilotTools(o)
	if !snake {
		err := readCall(&req, ev, ts, "sessionId", "toolName", "toolArgs")
		return req, err
	}
	name, err := ev.text("hook_event_name")
	if err != nil {
		return request{}, err
	}
	if name != "" && name != preToolUse && name != "preToolUse" {
		return request{}, fmt.Errorf("hook: the hook is installed for the event %q, want preToolUse", clip(name))
	}
	err = readCall(&req, ev, ts, "session_id", "tool_name", "tool_input")
	return req, err
}

func copilotTools(o *Options) toolset {
	bash := bashDialect(o.Shell)
	return toolset{
		shell:  map[string]Dialect{"bash": bash, "Bash": bash, "powershell": DialectPowerShell, "PowerShell": DialectPowerShell, "shell": DialectAuto},
		typing: map[string]Dialect{"write_bash": bash, "write_powershell": DialectPowerShell},
		quiet: keySet("read_bash", "stop_bash", "list_bash", "read_powershell", "stop_powershell", "list_powershell", "view", "create", "edit", "insert",
			"str_replace", "str_replace_editor", "apply_patch", "grep", "glob", "rg", "report_intent", "think", "task", "read_agent", "list_agents",
			"update_todo", "store_memory", "fetch", "web_fetch", "web_search", "ask_user", "skill"),
	}
}

func (copilot) answer(_ request, v Verdict, reason string) []byte {
	return render(copilotAnswer{Verdict: v.String(), Reason: reason})
}

func (copilot) silence(request) []byte { return nil }

func (copilot) canAsk(request) bool { return true }

func (copilot) canAllow(request) bool { return true }
