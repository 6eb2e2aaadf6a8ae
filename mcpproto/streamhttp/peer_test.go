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

// answer is a finished or running response, written without a network.
type answer struct {
	header http.Header
	events chan []byte // whole messages of an event stream, as they are flushed

	mu     sync.Mutex
	status int
	body   bytes.Buffer
	gone   bool // the client left: writes fail
}

func newAnswer() *answer { return &answer{header: make(http.Header), events: make(chan []byte, 64)} }

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
func post(h http.Handler, r *http.Request) *answer {
	a := newAnswer()
	h.ServeHTTP(a, r)
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

// check validates what the server said against the revision it said it in.
func check(t *testing.T, v mcpproto.Version, answers string, message string) {
	t.Helper()
	if err := mcptest.Check(v, mcptest.ToClient, answers, []byte(message)); err != nil {
		t.Errorf("invalid message: %v\n%s", err, message)
	}
}

var _ io.Writer = (*answer)(nil)
