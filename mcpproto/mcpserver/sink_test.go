package mcpserver_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

// peer is a connection whose every message, pushed ones included, is checked against the schema of its revision. It
// is the only way for tests of this package to a Conn.
type peer struct {
	conn    *mcpserver.Conn // for handle and for the benchmark only
	t       testing.TB
	checked mcptest.Checker
}

func (c *peer) Close()        { c.conn.Close() }
func (c *peer) InFlight() int { return c.conn.InFlight() }

func connect(t testing.TB, s *mcpserver.Server, o mcpserver.ConnOptions) *peer {
	t.Helper()
	c := &peer{t: t}
	if push := o.Push; push != nil {
		o.Push = func(msg []byte) error {
			c.heard(msg)
			return push(msg)
		}
	}
	c.conn = s.NewConn(o)
	return c
}

func (c *peer) heard(msg []byte) {
	if err := c.checked.Received(msg); err != nil {
		c.t.Errorf("invalid message: %v\n%.2000s", err, msg)
	}
}

// note has the check know what was sent; h is nil over stdio.
func (c *peer) note(line string, h mcpproto.HeaderSource) {
	if h == nil {
		c.checked.Sent([]byte(line))
	} else {
		c.checked.SentHTTP(h.(http.Header), []byte(line))
	}
}

// handle has the server handle one line as a transport would.
func (c *peer) handle(ctx context.Context, line string, f mcpserver.Facts, out *sink) {
	out.peer = c
	c.note(line, f.Header)
	m, err := mcpproto.Decode([]byte(line))
	if err != nil {
		c.conn.Refuse(ctx, mcpproto.AsDecodeError(err), f, out)
		return
	}
	c.conn.Handle(ctx, m, f, out)
}

// admit takes one line in and returns what is to be served; waits is false if nothing is.
func (c *peer) admit(line string, out *sink) (x mcpserver.Exchange, waits bool) {
	c.t.Helper()
	out.peer = c
	c.note(line, nil)
	m, err := mcpproto.Decode([]byte(line))
	if err != nil {
		c.t.Fatal(err)
	}
	return c.conn.Admit(c.t.Context(), m, mcpserver.Facts{}, out)
}

// sink keeps what one exchange sends.
type sink struct {
	peer    *peer // set by handle
	mu      sync.Mutex
	sent    []string
	answers []string
	last    mcpserver.Answer
	fail    error
	notify  chan struct{}
	each    chan<- string // gets each message; may be nil
}

func (s *sink) Send(msg []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	s.hear(msg)
	s.sent = append(s.sent, string(msg))
	if s.notify != nil {
		s.notify <- struct{}{}
	}
	return nil
}

func (s *sink) hear(msg []byte) {
	s.peer.heard(msg)
	if s.each != nil {
		s.each <- string(msg)
	}
}

func (s *sink) Answer(msg []byte, a mcpserver.Answer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hear(msg)
	s.answers, s.last = append(s.answers, string(msg)), a
	return nil
}

const (
	p        = "io.modelcontextprotocol/"
	metaText = `"_meta":{"` + p + `protocolVersion":"2026-07-28","` + p + `clientCapabilities":{}}`
)

func req(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params + metaText + `}}`
}

func legacy(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params + `}}`
}

// exchange handles one line and returns the sink.
func exchange(ctx context.Context, t testing.TB, c *peer, line string, f mcpserver.Facts) *sink {
	t.Helper()
	out := &sink{}
	c.handle(ctx, line, f, out)
	return out
}

// only returns the one answer.
func (s *sink) only(t testing.TB) string {
	t.Helper()
	if len(s.answers) != 1 {
		t.Fatalf("%d answers: %v", len(s.answers), s.answers)
	}
	return s.answers[0]
}

// records collects outcomes, as tool:fate:code.
type records struct {
	mu   sync.Mutex
	list []string
}

func (r *records) observe(_ context.Context, o *mcpserver.Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	code := "result"
	if o.Err != nil {
		code = "error"
	}
	r.list = append(r.list, o.Call.Name+":"+o.Fate.String()+":"+code)
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func newServer(t testing.TB, o *mcpserver.Options) *mcpserver.Server {
	t.Helper()
	if o.Logger == nil {
		o.Logger = quiet()
	}
	if o.Schemas == nil {
		o.Schemas = schemacheck.Compile
	}
	s := mcpserver.New(mcpproto.Implementation{Name: "s", Version: "1"}, o)
	add := func(tool mcpserver.Tool, h mcpserver.ToolHandler) {
		if err := s.AddTool(tool, h); err != nil {
			t.Fatal(err)
		}
	}
	add(mcpserver.Tool{Name: "ok"}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("ok"), nil
	})
	add(mcpserver.Tool{
		Name: "region", InputSchema: json.RawMessage(`{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"Region"}}}`),
	}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("ok"), nil
	})
	add(mcpserver.Tool{Name: "panic"}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) { panic("x") })
	add(mcpserver.Tool{Name: "fail"}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return nil, mcpproto.InvalidParams("no")
	})
	add(mcpserver.Tool{
		Name: "strict", InputSchema: json.RawMessage(`{"type":"object","required":["a"]}`),
	}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("ok"), nil
	})
	add(mcpserver.Tool{
		Name: "needs", Requires: mcpproto.ClientCapabilities{Roots: &mcpproto.RootsCapability{}},
	}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("ok"), nil
	})
	add(mcpserver.Tool{Name: "wait"}, func(ctx context.Context, _ *mcpserver.Call) (*mcpproto.ToolResult, error) {
		<-ctx.Done()
		return mcpproto.TextResult("late"), nil
	})
	add(mcpserver.Tool{Name: "garbage"}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return &mcpproto.ToolResult{Structured: []byte(`{`)}, nil
	})
	return s
}

func headers(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

func has(s, part string) bool { return strings.Contains(s, part) }
