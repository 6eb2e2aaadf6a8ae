package l0

// agents are the gate itself and the hosts that call it.
func agents() Domain {
	gate := func(path string, is Class, operands string, o Options) Command {
		return Command{Path: path, Is: is, Operands: operands, Options: o}
	}
	return Domain{Name: "agents", Programs: []Program{
		{Names: "phocinae-mcp", Command: Command{Special: GateSelf, Options: Options{Help: "--version"}}, Commands: []Command{
			gate("gate", Reader, "word*", Options{Read: "--cwd= --text --json --lang=", Change: "--confirm"}),
			gate("explain", Reader, "word*", Options{Read: "--cwd= --text --json --lang="}),
			gate("policy", Reader, "-", Options{Read: "--json"}),
			gate("audit verify, audit tail", Reader, "-", Options{Read: "-n= --expect= --json --follow"}),
			gate("audit stats, audit report", Writer, "word*", Options{Write: "--output= -o="}),
			gate("serve, hook, doctor, demo", Writer, "word*", Options{}),
			gate("install, config", Writer, "word*", Options{Read: "--mcp --hook --json", DryRun: "--dry-run", Change: "--uninstall"}),
		}},
		{Names: "claude codex gemini cursor-agent copilot-cli aider opencode goose-cli cline windsurf amp q droid qwen", Command: Command{Is: Writer, Operands: "word*", Why: "This starts another agent.", Options: Options{
			Read: "-p? --print? -m= --model= -c --continue -r= --resume=", Change: "--dangerously-skip-permissions --yolo --dangerously-bypass-approvals-and-sandbox --full-auto --allow-all-tools", Help: "-v -h",
		}}},
	}, Rules: []Rule{
		{
			ID: "gate.uninstall", Verdict: Deny, Why: "This takes the gate out of an agent host.",
			When: []Match{{Program: "phocinae-mcp", Command: "install, config", Has: "--uninstall"}, {Program: "claude codex gemini", First: "mcp hooks", Operand: "phocinae* remove", Min: 2, If: GateProcess}},
			Yes:  []string{"phocinae-mcp install claude --uninstall", "claude mcp remove phocinae-mcp"}, No: []string{"phocinae-mcp install claude --dry-run", "claude mcp list"},
		},
		{
			ID: "gate.switch-off", Verdict: Deny, Why: "This runs the gate without its rules.",
			When: []Match{{Program: "phocinae-mcp", Has: "--guard=none"}, {Program: "phocinae-mcp", Env: "PHOCINAE_*"}},
			Yes:  []string{"phocinae-mcp serve --guard none", "PHOCINAE_MCP_GUARD_PATH=none phocinae-mcp serve"}, No: []string{"phocinae-mcp policy"},
		},
		{
			ID: "gate.stop", Verdict: Deny, Why: "This stops the gate.",
			When: []Match{
				{Program: "pkill killall skill kill", If: GateProcess},
				{Program: "systemctl", Command: "stop, disable, mask, kill", If: GateProcess},
				{Program: "launchctl", Command: "unload, bootout, remove, stop, disable", If: GateProcess},
				{Program: "npm", Command: "uninstall, un, rm, remove", If: GateProcess},
				{Program: "brew", Command: "uninstall, remove, rm, unlink", If: GateProcess},
			},
			Yes: []string{"pkill phocinae-mcp", "killall -9 phocinae-mcp", "kill $(pgrep phocinae-mcp)", "systemctl stop phocinae-mcp"}, No: []string{"pgrep phocinae-mcp"},
		},
		{
			ID: "gate.host-hooks", Verdict: Deny, Why: "This removes the hooks or settings of an agent host, through which commands are checked.",
			When: []Match{{Program: "rm rmdir unlink shred mv trash truncate chmod chown chgrp", Paths: HostFile}},
			Yes:  []string{"rm .claude/settings.json", "rm -rf ~/.claude", "mv ~/.cursor/hooks.json /tmp/x", "chmod 000 .claude/settings.json"}, No: []string{"ls .claude", "rm .claude-notes.md", "rm -r .git"},
		},
		{
			ID: "agent.unattended", Verdict: Deny, Why: "This starts another agent without any confirmation.",
			When: []Match{{Program: "claude codex gemini cursor-agent copilot-cli aider opencode qwen", Has: "--dangerously-skip-permissions|--yolo|--dangerously-bypass-approvals-and-sandbox|--allow-all-tools"}},
			Yes:  []string{"claude -p 'x' --dangerously-skip-permissions"}, No: []string{"claude --version"},
		},
	}}
}
