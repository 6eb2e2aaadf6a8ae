//go:build unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mockp0"
)

const event = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status"},"cwd":"/tmp"}`

// hookCall is a hook call whose standard input stays open until the test closes it.
type hookCall struct {
	cmd      *exec.Cmd
	in       *os.File
	out, err bytes.Buffer
	begun    time.Time
}

func hookStart(t *testing.T, args ...string) *hookCall {
	t.Helper()
	h := &hookCall{begun: time.Now()}
	home := t.TempDir()
	r, w, err := os.Pipe()
	check(t, err)
	h.in = w
	h.cmd = exec.Command(binary, args...)
	h.cmd.Env = append(clean(), "HOME="+home, "XDG_STATE_HOME="+home)
	h.cmd.Stdin, h.cmd.Stdout, h.cmd.Stderr = r, &h.out, &h.err
	check(t, h.cmd.Start())
	check(t, r.Close())
	t.Cleanup(func() { _ = w.Close(); _ = h.cmd.Process.Kill() })
	return h
}

// wantDeny demands the host's deny, status 0, one JSON object and no more, in less than limit.
func (h *hookCall) wantDeny(t *testing.T, limit time.Duration) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- h.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("the host would run the command: %v\n%s", err, h.err.String())
		}
	case <-time.After(limit):
		_ = h.cmd.Process.Kill()
		<-done
		t.Fatalf("no answer in %s", limit)
	}
	text := h.out.String()
	if !strings.HasPrefix(text, `{"hookSpecificOutput":`) || !strings.Contains(text, `"permissionDecision":"deny"`) || strings.Count(text, "hookSpecificOutput") != 1 {
		t.Errorf("not one deny: %q", text)
	}
}

// read makes sure that the call reads its event: more than a pipe holds is written, none of it an end.
func (h *hookCall) read(t *testing.T) {
	t.Helper()
	check(t, h.in.SetWriteDeadline(time.Now().Add(10*time.Second)))
	_, err := h.in.WriteString(`{"hook_event_name":"PreToolUse","session_id":"` + strings.Repeat("x", 1<<20))
	check(t, err)
}

// TestHookAnswersSignals: a host that ends its hook runs the command unless the hook still says deny.
func TestHookAnswersSignals(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(s.String()+" while the event is awaited", func(t *testing.T) {
			t.Parallel()
			h := hookStart(t, "hook", "claude")
			h.read(t)
			check(t, h.cmd.Process.Signal(s))
			h.wantDeny(t, 3*time.Second)
		})
	}
	t.Run("while the service thinks", func(t *testing.T) {
		t.Parallel()
		mock, err := mockp0.Start("127.0.0.1:0", &mockp0.Script{Rules: []mockp0.Rule{{Fault: &mockp0.Fault{Kind: mockp0.Hang}}}})
		check(t, err)
		defer mock.Close()
		h := hookStart(t, "--l1-enabled", "--server", mock.URL, "--timeout", "60", "hook", "claude")
		_, err = h.in.WriteString(strings.Replace(event, "git status", "frobnicate", 1))
		check(t, err)
		check(t, h.in.Close())
		for deadline := time.Now().Add(6 * time.Second); mock.Count() == 0; {
			if time.Now().After(deadline) {
				t.Fatal("the service was not asked")
			}
			runtime.Gosched()
		}
		check(t, h.cmd.Process.Signal(syscall.SIGTERM))
		h.wantDeny(t, 3*time.Second)
	})
	t.Run("while the configuration hangs", func(t *testing.T) {
		t.Parallel()
		path := pipe(t)
		h := hookStart(t, "--config", path, "hook", "claude")
		hold, err := os.OpenFile(path, os.O_WRONLY, 0) // returns when the call has opened it, and keeps it waiting
		check(t, err)
		defer hold.Close()
		check(t, h.cmd.Process.Signal(syscall.SIGTERM))
		h.wantDeny(t, 3*time.Second)
	})
}

// pipe makes a named pipe that nobody writes to: opening it waits for ever, as a dead network drive does.
func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

// TestHookNeverHangs: before its event is read a hook depends on files; hosts run the command when ten seconds are over.
func TestHookNeverHangs(t *testing.T) {
	t.Parallel()
	calls := map[string]*hookCall{} // all at once: each takes its whole time
	for name, args := range map[string][]string{
		"configuration": {"--config", pipe(t), "hook", "claude"},
		"table":         {"--guard", pipe(t), "hook", "claude"},
		"key":           {"--state-key-file", pipe(t), "hook", "claude"},
		"the event":     {"hook", "claude"},
	} {
		calls[name] = hookStart(t, args...)
	}
	for name, h := range calls {
		t.Run(name, func(t *testing.T) { h.wantDeny(t, 9500*time.Millisecond-time.Since(h.begun)) })
	}
}

// TestHookWithoutAReaderBlocks: a refusal that nobody can read must not look like silence.
func TestHookWithoutAReaderBlocks(t *testing.T) {
	for name, script := range map[string]string{"closed": `exec "$0" hook claude >&-`, "null device": `exec "$0" hook claude >/dev/null`} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			cmd := exec.Command("sh", "-c", script, binary)
			cmd.Env = append(clean(), "HOME="+t.TempDir())
			cmd.Stdin = strings.NewReader(strings.Replace(event, "git status", "rm -rf /", 1))
			err := cmd.Run()
			is.True(err != nil)
			is.Equal(cmd.ProcessState.ExitCode(), 2)
		})
	}
}
