package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// agent is a client over stdio: it starts the program, sends one message at a time and waits for its answer.
type agent struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan []byte
	errs   *tail
	nextID int
	modern map[string]any // capabilities to send with every request; nil for a legacy client
}

// answerTime is the longest wait for one answer.
const answerTime = 20 * time.Second

// start runs the program. Its environment holds nothing that could change the conversation.
func start(ctx context.Context, exe, dir string, args ...string) (*agent, error) {
	a := &agent{cmd: exec.CommandContext(ctx, exe, append([]string{"serve", "--lang", "en"}, args...)...), lines: make(chan []byte, 16), errs: &tail{}}
	a.cmd.Dir = dir
	a.cmd.Env = cleanEnvironment(dir)
	a.cmd.Stderr = a.errs
	in, err := a.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := a.cmd.Start(); err != nil {
		return nil, err
	}
	a.in = in
	go func() {
		defer close(a.lines)
		r := bufio.NewReaderSize(out, 1<<20)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			a.lines <- line
		}
	}()
	return a, nil
}

func cleanEnvironment(home string) []string {
	out := []string{"HOME=" + home, "USERPROFILE=" + home}
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		switch {
		case strings.HasPrefix(name, "PHOCINAE_"), strings.HasPrefix(name, "XDG_"), name == "HOME", name == "USERPROFILE", name == "LOCALAPPDATA":
		default:
			out = append(out, e)
		}
	}
	return out
}

// message is any answer.
type message struct {
	ID     json.RawMessage `json:"id"`
	Result *result         `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// result is what this conversation looks at of any result.
type result struct {
	ProtocolVersion string `json:"protocolVersion"`
	Tools           []struct{ Name string }
	Structured      json.RawMessage `json:"structuredContent"`
	Content         []struct{ Text string }
	IsError         bool   `json:"isError"`
	ResultType      string `json:"resultType"`
	RequestState    string `json:"requestState"`
	InputRequests   map[string]struct {
		Params struct{ Message string } `json:"params"`
	} `json:"inputRequests"`
	Resources []struct{ URI string }
}

// request sends one request and returns its answer.
func (a *agent) request(method string, params map[string]any) (*message, error) {
	if params == nil {
		params = map[string]any{}
	}
	if a.modern != nil {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "demo", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": a.modern,
		}
	}
	a.nextID++
	id := fmt.Sprint(a.nextID)
	if err := a.send(map[string]any{"jsonrpc": "2.0", "id": a.nextID, "method": method, "params": params}); err != nil {
		return nil, err
	}
	timeout := time.NewTimer(answerTime)
	defer timeout.Stop()
	for {
		select {
		case line, ok := <-a.lines:
			if !ok {
				return nil, errors.New("the program ended: " + a.errs.String())
			}
			var m message
			if err := json.Unmarshal(line, &m); err != nil {
				return nil, fmt.Errorf("not a message: %s", line)
			}
			if string(m.ID) == id {
				return &m, nil
			}
		case <-timeout.C:
			return nil, fmt.Errorf("no answer to %s within %s", method, answerTime)
		}
	}
}

func (a *agent) notify(method string) error {
	return a.send(map[string]any{"jsonrpc": "2.0", "method": method})
}

func (a *agent) send(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = a.in.Write(append(data, '\n'))
	return err
}

// call calls a tool.
func (a *agent) call(name string, arguments map[string]any, extra map[string]any) (*message, error) {
	params := map[string]any{"name": name, "arguments": arguments}
	for k, v := range extra {
		params[k] = v
	}
	return a.request("tools/call", params)
}

// close ends the input, as a host does, and waits for the end of the program.
func (a *agent) close() error {
	if err := a.in.Close(); err != nil {
		return err
	}
	for range a.lines { // whatever is still said must not block the child
		continue
	}
	return a.cmd.Wait()
}

// tail keeps the last bytes of standard error.
type tail struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.b.Len() > 64<<10 {
		t.b.Reset()
	}
	return t.b.Write(p)
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.b.String())
}
