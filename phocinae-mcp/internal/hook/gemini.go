package hook

import "fmt"

// gemini speaks Gemini CLI's BeforeTool (google-gemini/gemini-cli, docs/hooks/reference.md).
type gemini struct{}

const beforeTool = "BeforeTool"

type geminiAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
}

func (gemini) read(ev object, _ *Options) (request, error) {
	var req request
	var err error
	if req.event, err = ev.required("hook_event_name"); err != nil {
		return request{}, err
	}
	if req.event != beforeTool {
		return request{}, fmt.Errorf("hook: the hook is installed for the event %q, want %s", clip(req.event), beforeTool)
	}
	err = readCall(&req, ev, toolset{
		shell: map[string]Dialect{"run_shell_command": DialectAuto}, // PowerShell on Windows, bash elsewhere
		quiet: keySet("read_file", "read_many_files", "write_file", "replace", "edit", "glob", "search_file_content", "grep_search", "list_directory",
			"web_fetch", "google_web_search", "save_memory", "write_todos", "activate_skill", "ask_user", "enter_plan_mode", "exit_plan_mode",
			"get_internal_docs", "codebase_investigator", "cli_help"),
	}, "session_id", "tool_name", "tool_input")
	return req, err
}

func (gemini) answer(_ request, v Verdict, reason string) []byte {
	return render(geminiAnswer{Decision: v.String(), Reason: reason})
}

func (gemini) silence(request) []byte { return []byte("{}\n") }

func (gemini) canAsk(request) bool { return false }

func (gemini) canAllow(request) bool { return true }
