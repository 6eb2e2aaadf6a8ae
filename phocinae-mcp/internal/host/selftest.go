package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Check is one question put to an installed hook.
type Check struct {
	Name   string // what was fed: "harmless", "dangerous" or "broken"
	OK     bool
	Detail string // what came back, or why it is wrong
	Took   time.Duration
}

const (
	selfTestTimeout = 12 * time.Second // longer than the hook's own clock, shorter than any host's
	maxOutput       = 64 << 10
)

// SelfTest starts the command line of an installed hook the way its host does and feeds it a harmless, a dangerous and a broken event. The commands in
// the events are never run. An error means that the hook could not be started at all; the checks say what it answered.
func SelfTest(ctx context.Context, e Entry, o *Options) ([]Check, error) {
	if e.Kind != Hook {
		return nil, fmt.Errorf("%w: %s is no hook", ErrNoPlace, e.Kind)
	}
	var checks []Check
	for _, t := range []struct{ name, event, want string }{
		{"harmless", testEvent(e.Host, "echo phocinae-mcp", o.Env.Home), "allow"},
		{"dangerous", testEvent(e.Host, "rm -rf /", o.Env.Home), "deny"},
		{"broken", `{"hook_event_name":`, "deny"},
	} {
		started := time.Now()
		out, errOut, code, err := e.feed(ctx, t.event, o.Env.OS)
		if err != nil {
			return checks, fmt.Errorf("host: starting the hook of %s: %w", e.Host, err)
		}
		c := Check{Name: t.name, Took: time.Since(started)}
		got, err := readAnswer(e.Host, out, code)
		switch {
		case err != nil:
			c.Detail = err.Error()
			if errOut != "" {
				c.Detail += "; standard error: " + errOut
			}
		case got != t.want:
			c.Detail = fmt.Sprintf("answered %s, want %s", got, t.want)
		default:
			c.OK, c.Detail = true, "answered "+got
		}
		checks = append(checks, c)
	}
	return checks, nil
}

// feed runs the hook once.
func (e Entry) feed(ctx context.Context, event, system string) (out []byte, errOut string, code int, err error) {
	ctx, cancel := context.WithTimeout(ctx, selfTestTimeout)
	defer cancel()
	cmd := e.command(ctx, system)
	cmd.Stdin = strings.NewReader(event)
	cmd.WaitDelay = time.Second
	var stdout, stderr capped
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, "", 0, fmt.Errorf("no answer: %w", ctx.Err())
	case errors.As(err, &exit):
		err = nil
	}
	return stdout.Bytes(), strings.TrimSpace(stderr.String()), cmd.ProcessState.ExitCode(), err
}

func (e Entry) command(ctx context.Context, system string) *exec.Cmd {
	switch {
	case e.Args != nil:
		return exec.CommandContext(ctx, e.Exe, e.Args...)
	case system == "windows" && strings.HasPrefix(e.Line, "& "):
		return exec.CommandContext(ctx, "powershell.exe", "-NoProfile", "-NonInteractive", "-Command", e.Line)
	case system == "windows":
		return exec.CommandContext(ctx, "cmd.exe", "/C", e.Line)
	}
	return exec.CommandContext(ctx, "/bin/sh", "-c", e.Line)
}

// capped keeps the first bytes of what a program prints.
type capped struct{ bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	if room := maxOutput - c.Len(); room > 0 {
		_, _ = c.Buffer.Write(p[:min(room, len(p))]) // a Buffer takes everything
	}
	return len(p), nil
}

// testEvent is the event a host sends before it runs command.
func testEvent(h Host, command, dir string) string {
	input := map[string]any{"command": command}
	ev := map[string]any{"session_id": "selftest", "cwd": dir, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": input}
	switch h {
	case Gemini:
		ev["hook_event_name"], ev["tool_name"] = "BeforeTool", "run_shell_command"
	case Copilot:
		ev = map[string]any{"sessionId": "selftest", "timestamp": 0, "cwd": dir, "toolName": "bash", "toolArgs": input}
	case Cursor:
		ev = map[string]any{"conversation_id": "selftest", "hook_event_name": "beforeShellExecution", "command": command, "cwd": dir}
	}
	data, err := json.Marshal(ev)
	if err != nil {
		panic(err) // maps of strings always encode
	}
	return string(data)
}

// answers of all hosts, read as each of them reads its own.
type hookAnswer struct {
	Decision           string `json:"decision"`
	Permission         string `json:"permission"`
	PermissionDecision string `json:"permissionDecision"`
	Specific           struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
	} `json:"hookSpecificOutput"`
}

// readAnswer returns "allow", "ask" or "deny", as the host would understand the output; silence counts as allow where the host takes it so.
func readAnswer(h Host, out []byte, code int) (string, error) {
	switch {
	case code == 2:
		return "deny", nil
	case code != 0:
		return "", fmt.Errorf("left with status %d: the host would run the command", code)
	case len(bytes.TrimSpace(out)) == 0 && h == Cursor:
		return "", errors.New("said nothing, which Cursor refuses with failClosed")
	case len(bytes.TrimSpace(out)) == 0:
		return "allow", nil
	case out[0] != '{':
		return "", errors.New("the output does not start with {")
	}
	var a hookAnswer
	if err := json.Unmarshal(out, &a); err != nil {
		return "", fmt.Errorf("the output is not one JSON object: %w", err)
	}
	word := map[Host]string{Claude: a.Specific.Decision, Codex: a.Specific.Decision, Gemini: a.Decision, Copilot: a.PermissionDecision, Cursor: a.Permission}[h]
	switch word {
	case "allow", "ask", "deny":
		return word, nil
	case "":
		if h == Gemini && string(bytes.TrimSpace(out)) == "{}" {
			return "allow", nil
		}
	}
	return "", fmt.Errorf("the output holds no decision %s reads", h.Title())
}
