package mcptest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// poster calls an endpoint's ServeHTTP without a network.
type poster struct {
	endpoint http.Handler

	mu      sync.Mutex
	session string
	closed  bool
	open    map[*context.CancelFunc]struct{} // of requests on their way
}

// post sends one message. A request is served on its own goroutine, for as long as the server likes:
// a client that leaves does not stop a legacy call.
func (p *poster) post(ctx context.Context, c *Client, m outgoing) error {
	r, err := p.request(ctx, c, m)
	if err != nil {
		return err
	}
	life, release, err := p.track(ctx)
	if err != nil {
		return err
	}
	c.wire.SentHTTP(r.Header, m.message)
	w := &response{c: c, ctx: life, header: make(http.Header)}
	serve := func() {
		defer release()
		p.endpoint.ServeHTTP(w, r.WithContext(life))
		p.finish(c, m, w)
	}
	if m.id.IsZero() {
		serve()
		return w.accepted()
	}
	c.answers.Go(serve)
	return nil
}

// track derives the context of one request, which also ends when the client closes.
func (p *poster) track(ctx context.Context) (context.Context, func(), error) {
	life, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		cancel()
		return nil, nil, errClosed
	}
	if p.open == nil {
		p.open = make(map[*context.CancelFunc]struct{})
	}
	p.open[&cancel] = struct{}{}
	return life, func() {
		p.mu.Lock()
		delete(p.open, &cancel)
		p.mu.Unlock()
		cancel()
	}, nil
}

func (p *poster) request(ctx context.Context, c *Client, m outgoing) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost/mcp", bytes.NewReader(m.message))
	if err != nil {
		return nil, fmt.Errorf("mcptest: %w", err)
	}
	r.RequestURI, r.RemoteAddr = "/mcp", "127.0.0.1:1"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if m.method != mcpproto.MethodInitialize {
		r.Header.Set("Mcp-Protocol-Version", c.o.Revision.String())
	}
	p.mu.Lock()
	if p.session != "" {
		r.Header.Set("Mcp-Session-Id", p.session)
	}
	p.mu.Unlock()
	if c.o.Revision.Era() == mcpproto.Modern && m.method != "" {
		c.mirror(r.Header, m)
	}
	for name, values := range c.o.Header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	return r, nil
}

func (p *poster) cancels(c *Client) bool { return c.o.Revision.Era() == mcpproto.Modern }

// finish delivers what is left of the response, and fails a call that it does not answer.
func (p *poster) finish(c *Client, m outgoing, w *response) {
	if id := w.header.Get("Mcp-Session-Id"); id != "" {
		p.mu.Lock()
		p.session = id
		p.mu.Unlock()
	}
	w.end()
	if m.id.IsZero() {
		return
	}
	c.mu.Lock()
	open, ok := c.calls[m.id.String()]
	delete(c.calls, m.id.String())
	c.mu.Unlock()
	if ok {
		open.answer <- answer{err: fmt.Errorf("mcptest: status %d without an answer: %s", w.status, clip(w.body.Bytes()))}
	}
}

func (p *poster) close(c *Client) {
	p.mu.Lock()
	session, closed := p.session, p.closed
	p.closed = true
	p.mu.Unlock()
	if !closed && session != "" {
		p.delete(c, session)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for cancel := range p.open {
		(*cancel)()
	}
}

func (p *poster) delete(c *Client, session string) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodDelete, "http://localhost/mcp", nil)
	if err != nil {
		c.t.Errorf("mcptest: %v", err)
		return
	}
	r.Header.Set("Mcp-Session-Id", session)
	for name, values := range c.o.Header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	w := &response{c: c, ctx: r.Context(), header: make(http.Header)}
	p.endpoint.ServeHTTP(w, r)
	if w.status != http.StatusNoContent {
		c.t.Errorf("mcptest: ending the session: status %d", w.status)
	}
}

// response is a connection's half of the answer. Events are delivered as they are flushed.
type response struct {
	c      *Client
	ctx    context.Context
	header http.Header

	mu     sync.Mutex
	status int
	body   bytes.Buffer
}

func (w *response) Header() http.Header { return w.header }

func (w *response) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.status == 0 {
		w.status = status
	}
}

func (w *response) Write(b []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, io.ErrClosedPipe // the client left
	}
	w.WriteHeader(http.StatusOK)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.body.Write(b)
}

// FlushError delivers the events that are complete. http.ResponseController looks for it.
func (w *response) FlushError() error {
	if w.ctx.Err() != nil {
		return io.ErrClosedPipe
	}
	if w.header.Get("Content-Type") == "text/event-stream" {
		w.events()
	}
	return nil
}

func (w *response) events() {
	for {
		w.mu.Lock()
		end := bytes.Index(w.body.Bytes(), []byte("\n\n"))
		if end < 0 {
			w.mu.Unlock()
			return
		}
		event := bytes.Clone(w.body.Next(end + 2)[:end])
		w.mu.Unlock()
		if data, ok := bytes.CutPrefix(event, []byte("data: ")); ok {
			w.c.receive(w.ctx, data)
		} else if !bytes.HasPrefix(event, []byte(":")) {
			w.c.t.Errorf("mcptest: not one data line: %s", clip(event))
		}
	}
}

// end delivers a response that is complete.
func (w *response) end() {
	if w.ctx.Err() != nil || w.body.Len() == 0 {
		return
	}
	if w.header.Get("Content-Type") == "text/event-stream" {
		w.events()
		return
	}
	if w.header.Get("Content-Type") != "application/json" {
		w.c.t.Errorf("mcptest: a body of type %q", w.header.Get("Content-Type"))
	}
	w.c.receive(w.ctx, w.body.Bytes())
}

// accepted reports what went wrong with a message that has no answer.
func (w *response) accepted() error {
	if w.status == http.StatusAccepted {
		return nil
	}
	return fmt.Errorf("mcptest: status %d: %s", w.status, clip(w.body.Bytes()))
}

// mirror copies parts of the body into headers, as every modern client has to.
// MCP 2026-07-28, basic/transports/streamable-http, "Request Headers".
func (c *Client) mirror(h http.Header, m outgoing) {
	h.Set(mcpproto.HeaderMethod, m.method)
	var target struct {
		Name      string         `json:"name"`
		URI       string         `json:"uri"`
		Arguments jsontext.Value `json:"arguments"`
	}
	if json.Unmarshal(m.params, &target) != nil {
		return // the server shall judge
	}
	switch m.method {
	case mcpproto.MethodToolsCall:
		c.mirrorArguments(h, target.Name, target.Arguments)
		h.Set(mcpproto.HeaderName, mcpproto.EncodeHeaderValue(target.Name))
	case mcpproto.MethodPromptsGet:
		h.Set(mcpproto.HeaderName, mcpproto.EncodeHeaderValue(target.Name))
	case mcpproto.MethodResourcesRead:
		h.Set(mcpproto.HeaderName, mcpproto.EncodeHeaderValue(target.URI))
	}
}

// mirrorArguments adds a header for each annotated argument of a tool that [Client.Tools] listed.
func (c *Client) mirrorArguments(h http.Header, name string, arguments jsontext.Value) {
	c.mu.Lock()
	tool, ok := c.tools[name]
	c.mu.Unlock()
	if !ok {
		return
	}
	mirrored, err := mcpproto.ParamHeaders(tool.InputSchema)
	if err != nil {
		c.t.Errorf("mcptest: tool %s: %v", name, err)
		return
	}
	for _, p := range mirrored {
		v := valueAt(arguments, p.Path)
		switch v.Kind() {
		case '"':
			var s string
			if json.Unmarshal(v, &s) == nil {
				h.Set(p.Header, mcpproto.EncodeHeaderValue(s))
			}
		case '0', 't', 'f':
			h.Set(p.Header, string(v))
		}
	}
}

// valueAt follows names through nested objects; nil if there is nothing.
func valueAt(raw jsontext.Value, path []string) jsontext.Value {
	for _, name := range path {
		var members map[string]jsontext.Value
		if json.Unmarshal(raw, &members) != nil {
			return nil
		}
		raw = members[name]
	}
	return raw
}
