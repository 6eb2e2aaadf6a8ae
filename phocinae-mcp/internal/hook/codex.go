package hook

// codex speaks the hooks of Codex CLI (openai/codex, codex-rs/hooks). One unknown key, a bare allow or an ask makes it discard the
// whole answer and run the tool.
type codex struct{}

func (codex) read(ev object, _ *Options) (request, error) {
	return readSpecific(ev, toolset{
		// On Windows these run PowerShell or cmd, elsewhere the user's shell: the judge takes the strictest reading.
		shell: map[string]Dialect{
			"Bash": DialectAuto, "shell": DialectAuto, "local_shell": DialectAuto, "shell_command": DialectAuto,
			"exec_command": DialectAuto, "unified_exec": DialectAuto, "container.exec": DialectAuto,
		},
		typing: map[string]Dialect{"write_stdin": DialectAuto},
		quiet: keySet("apply_patch", "Edit", "Write", "view_image", "update_plan", "web_search", "read_file", "list_dir", "grep_files",
			"list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource", "spawn_agent", "wait_agent", "request_user_input"),
	})
}

func (codex) answer(req request, v Verdict, reason string) []byte {
	return renderSpecific(req.event, v, reason)
}

func (codex) silence(request) []byte { return nil }

// canAsk is true only where Codex is about to ask by itself.
func (codex) canAsk(req request) bool { return req.event == permissionRequest }

// canAllow is true only where an allow without updatedInput is part of the contract.
func (codex) canAllow(req request) bool { return req.event == permissionRequest }
