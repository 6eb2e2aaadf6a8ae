package streamhttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

// answer is a finished or running response, written without a network. Every message in it is checked against the
// schema of its revision as soon as it is complete.
type answer struct {
	t       testing.TB
	checked *mcptest.Checker // of this exchange, or of the session it is part of
	header  http.Header
	events  chan []byte // whole messages of an event stream, as they are flushed

	mu     sync.Mutex
	status int
	body   bytes.Buffer
	gone   bool // the client left: writes fail
}

func newAnswer(t testing.TB) *answer {
	return &answer{t: t, checked: new(mcptest.Checker), header: make(http.Header), events: make(chan []byte, 64)}
}

// serve has h answer r. It is the only way for tests of this package to an answer without a network. w is a itself or
// something around it.
func (a *answer) serve(w http.ResponseWriter, h http.Handler, r *http.Request) {
	a.checked.SentHTTP(r.Header, bodyOf(a.t, r))
	h.ServeHTTP(w, r)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.body.Len() == 0 {
		return
	}
	if kind := a.header.Get("Content-Type"); kind != "application/json" {
		a.t.Errorf("left over, of type %q: %q", kind, a.body.Bytes())
		return
	}
	received(a.t, a.checked, a.body.Bytes())
}

// bodyOf reads a body that stays unread.
func bodyOf(t testing.TB, r *http.Request) []byte {
	t.Helper()
	if r.GetBody == nil {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// received checks one message of the server.
func received(t testing.TB, c *mcptest.Checker, message []byte) {
	t.Helper()
	if err := c.Received(message); err != nil {
		t.Errorf("invalid message: %v\n%.2000s", err, message)
	}
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone {
		return 0, errors.New("broken pipe")
	}
	return a.body.Write(b)
}

func (a *answer) FlushError() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		event, rest, ok := bytes.Cut(a.body.Bytes(), []byte("\n\n"))
		if !ok || a.header.Get("Content-Type") != "text/event-stream" {
			return nil
		}
		event, rest = bytes.Clone(event), bytes.Clone(rest)
		a.body.Reset()
		a.body.Write(rest)
		if data, ok := bytes.CutPrefix(event, []byte("data: ")); ok && !bytes.Contains(data, []byte("\n")) {
			received(a.t, a.checked, data)
		} else if !bytes.HasPrefix(event, []byte(": ")) || ok {
			a.t.Errorf("neither one data line nor a comment: %q", event)
		}
		a.events <- event
	}
}

// messages returns what arrived in whole, without the head "data: ".
func (a *answer) messages() []string {
	var out []string
	for {
		select {
		case e := <-a.events:
			if data, ok := strings.CutPrefix(string(e), "data: "); ok {
				out = append(out, data)
			}
			continue
		default:
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.body.Len() > 0 && a.header.Get("Content-Type") == "application/json" {
			out = append(out, a.body.String())
		}
		return out
	}
}

// request builds a POST as a good client would: mirrors come from the body.
func request(ctx context.Context, body string, legacy, session string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	}
	var m struct {
		Method string
		Params struct {
			Name, URI any
			Meta      map[string]any `json:"_meta"`
		}
	}
	_ = json.Unmarshal([]byte(body), &m) // what is no message has nothing to mirror
	if v, ok := m.Params.Meta[mcpproto.KeyProtocolVersion].(string); ok {
		r.Header[mcpproto.HeaderVersion] = []string{v}
		r.Header[mcpproto.HeaderMethod] = []string{m.Method}
		for _, name := range []any{m.Params.Name, m.Params.URI} {
			if s, ok := name.(string); ok {
				r.Header[mcpproto.HeaderName] = []string{mcpproto.EncodeHeaderValue(s)}
			}
		}
		return r
	}
	if legacy != "" && m.Method != mcpproto.MethodInitialize {
		r.Header[mcpproto.HeaderVersion] = []string{legacy}
		if session != "" {
			r.Header[mcpproto.HeaderSession] = []string{session}
		}
	}
	return r
}

// post sends one message and waits for the whole answer.
func post(t testing.TB, h http.Handler, r *http.Request) *answer {
	t.Helper()
	a := newAnswer(t)
	a.serve(a, h, r)
	return a
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// modern is a request of 2026-07-28; params are members without braces.
func modern(id, method, params string) string {
	if params != "" {
		params += ","
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params + modernMeta + `}}`
}

var _ io.Writer = (*answer)(nil)
