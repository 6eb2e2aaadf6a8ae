package mcptest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// Options say which client a test plays. The zero value and nil are a client of the newest revision
// that declares no capabilities and is named "mcptest".
type Options struct {
	Revision     mcpproto.Version            // 0 means mcpproto.LatestModern
	Capabilities mcpproto.ClientCapabilities // what the client declares
	Info         mcpproto.Implementation     // zero means a name of ours
	LogLevel     mcpproto.LogLevel           // modern: sent with every request; "" asks for no log messages

	// Answer plays the user, the model or the client when the server asks for something: in an input
	// round of 2026-07-28, or by a request of its own to a legacy client. The answer is marshalled; an
	// error refuses. Nil refuses everything. It may run concurrently.
	Answer func(ctx context.Context, ask Ask) (any, error)

	// Header is added to every request of a client made by [ConnectHTTP].
	Header http.Header
}

// Ask is one question of a server.
type Ask struct {
	Key    string // of the input request; "" for the request of a legacy server
	Method string // mcpproto.MethodElicit, MethodSample or MethodRoots
	Params jsontext.Value
}

// Note is one notification of a server.
type Note struct {
	Method string
	Params jsontext.Value
}

// maxRounds is how often a client answers one call before it gives up; a server that keeps asking is
// broken.
const maxRounds = 16

// Client talks to one server in the same process. What the server says is checked as [Checker] does,
// and what is invalid fails the test; what the test itself sends is checked too, and logged. Safe for
// concurrent use.
type Client struct {
	t       testing.TB
	o       Options
	carrier carrier
	wire    Checker
	hello   jsontext.Value

	mu      sync.Mutex
	lastID  int64
	calls   map[string]*call // by raw id
	notes   []Note
	arrived chan struct{} // closed and replaced when notes grow
	tools   map[string]mcpproto.Tool
	answers sync.WaitGroup
}

// call is a request on its way. The carrier may not use it after done.
type call struct {
	answer chan answer // capacity 1
	notes  func(Note)  // nil for all but subscriptions
}

type answer struct {
	result jsontext.Value
	err    error
}

// carrier moves messages between a Client and its server.
type carrier interface {
	// post sends one message. name and headers are for carriers that mirror parts of the body.
	post(ctx context.Context, c *Client, m outgoing) error
	// cancels reports whether the end of post's context tells the server to stop; if not, the client
	// says so with a notification.
	cancels(c *Client) bool
	close(c *Client)
}

// outgoing is one message of the client.
type outgoing struct {
	id      mcpproto.ID // zero for a notification or an answer
	method  string      // "" for an answer
	params  jsontext.Value
	message []byte
}

// Connect returns a client that speaks to s over an in-memory stdio transport. A legacy client has
// shaken hands when Connect returns. The connection ends with the test; then every call still open
// fails.
func Connect(t testing.TB, s *mcpserver.Server, o *Options) *Client {
	t.Helper()
	return connect(t, newPipe(s), o)
}

// ConnectHTTP returns a client that posts to an endpoint, such as a streamhttp.Handler, without a
// network. Its legacy form keeps the session that the server may give it.
func ConnectHTTP(t testing.TB, endpoint http.Handler, o *Options) *Client {
	t.Helper()
	return connect(t, &poster{endpoint: endpoint}, o)
}

func connect(t testing.TB, via carrier, o *Options) *Client {
	t.Helper()
	c := &Client{
		t: t, carrier: via,
		calls: make(map[string]*call), arrived: make(chan struct{}),
		tools: make(map[string]mcpproto.Tool),
	}
	if o != nil {
		c.o = *o
	}
	if c.o.Revision == 0 {
		c.o.Revision = mcpproto.LatestModern
	}
	if c.o.Info.Name == "" {
		c.o.Info = mcpproto.Implementation{Name: "mcptest", Version: "1"}
	}
	if p, ok := via.(*pipe); ok {
		p.start(c)
	}
	t.Cleanup(c.Close)
	if c.o.Revision.Era() == mcpproto.Legacy {
		c.shakeHands()
	}
	return c
}

func (c *Client) shakeHands() {
	c.t.Helper()
	hello, err := c.Request(context.Background(), mcpproto.MethodInitialize, map[string]any{
		"protocolVersion": c.o.Revision.String(),
		"capabilities":    c.o.Capabilities,
		"clientInfo":      c.o.Info.For(c.o.Revision),
	})
	if err != nil {
		c.t.Fatalf("mcptest: initialize: %v", err)
	}
	c.hello = hello
	var agreed struct {
		Version string `json:"protocolVersion"`
	}
	if err := json.Unmarshal(hello, &agreed); err != nil || agreed.Version != c.o.Revision.String() {
		c.t.Fatalf("mcptest: asked for %s, the server agreed on %q: %v", c.o.Revision, agreed.Version, err)
	}
	if err := c.Notify(context.Background(), mcpproto.NoteInitialized, nil); err != nil {
		c.t.Fatalf("mcptest: initialized: %v", err)
	}
}

// Hello returns what the server answered to initialize; nil for a modern client.
func (c *Client) Hello() jsontext.Value { return c.hello }

// Close ends the connection and waits for the server side of it. It may be called again.
func (c *Client) Close() {
	c.carrier.close(c)
	c.answers.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, open := range c.calls {
		delete(c.calls, id)
		open.answer <- answer{err: errClosed}
	}
}

var errClosed = errors.New("mcptest: connection closed")

// Request sends one request and returns the raw result. The error is the server's
// [*mcpproto.Error], or ctx's: then the server was told to cancel. params is marshalled and has to
// be an object or nil; a modern client adds its _meta to it, under the members it already has.
func (c *Client) Request(ctx context.Context, method string, params any) (jsontext.Value, error) {
	open, m, err := c.begin(method, params)
	if err != nil {
		return nil, err
	}
	return c.finish(ctx, open, m)
}

// begin numbers, encodes and registers a request.
func (c *Client) begin(method string, params any) (*call, outgoing, error) {
	raw, err := c.params(params, true)
	if err != nil {
		return nil, outgoing{}, err
	}
	open := &call{answer: make(chan answer, 1)}
	c.mu.Lock()
	c.lastID++
	id := mcpproto.IntID(c.lastID)
	c.calls[id.String()] = open
	c.mu.Unlock()
	m := outgoing{id: id, method: method, params: raw, message: mcpproto.AppendRequest(nil, id, method, raw)}
	return open, m, nil
}

func (c *Client) finish(ctx context.Context, open *call, m outgoing) (jsontext.Value, error) {
	c.sent(m)
	if err := c.carrier.post(ctx, c, m); err != nil {
		c.forget(m.id)
		return nil, err
	}
	select {
	case a := <-open.answer:
		return a.result, a.err
	case <-ctx.Done():
		c.cancel(m.id)
		return nil, ctx.Err()
	}
}

func (c *Client) forget(id mcpproto.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, id.String())
}

// cancel tells the server that nobody waits for id any more.
func (c *Client) cancel(id mcpproto.ID) {
	c.forget(id)
	if c.carrier.cancels(c) {
		return
	}
	err := c.Notify(context.Background(), mcpproto.NoteCancelled, map[string]any{"requestId": id})
	if err != nil && !errors.Is(err, errClosed) {
		c.t.Errorf("mcptest: cancel %s: %v", id, err)
	}
}

// Notify sends one notification. params is marshalled and has to be an object or nil.
func (c *Client) Notify(ctx context.Context, method string, params any) error {
	raw, err := c.params(params, false)
	if err != nil {
		return err
	}
	m := outgoing{method: method, params: raw, message: mcpproto.AppendNotification(nil, method, raw)}
	c.sent(m)
	return c.carrier.post(ctx, c, m)
}

// sent checks a message of our own: a test that sends nonsense by mistake should hear of it.
func (c *Client) sent(m outgoing) {
	c.t.Helper()
	err := Check(c.o.Revision, ToServer, "", m.message)
	if err != nil && !errors.Is(err, ErrUnknownMethod) {
		c.t.Logf("mcptest: sending %s, which is not valid: %v", clip(m.message), err)
	}
}

// params marshals params and, for a modern request, adds the client's _meta.
func (c *Client) params(params any, request bool) (jsontext.Value, error) {
	var raw jsontext.Value
	if params != nil {
		var err error
		if raw, err = mcpproto.Marshal(params); err != nil {
			return nil, fmt.Errorf("mcptest: params: %w", err)
		}
	}
	if c.o.Revision.Era() != mcpproto.Modern || !request {
		return raw, nil
	}
	members := make(map[string]jsontext.Value)
	meta := make(map[string]jsontext.Value)
	if raw != nil {
		if err := json.Unmarshal(raw, &members); err != nil {
			return nil, fmt.Errorf("mcptest: params are no object: %w", err)
		}
	}
	if own, ok := members["_meta"]; ok {
		if err := json.Unmarshal(own, &meta); err != nil {
			return nil, fmt.Errorf("mcptest: _meta is no object: %w", err)
		}
	}
	if err := c.addMeta(meta); err != nil {
		return nil, err
	}
	members["_meta"], _ = mcpproto.Marshal(meta) // raw values marshal
	return mcpproto.Marshal(members)
}

const metaPrefix = "io.modelcontextprotocol/"

// addMeta fills in what every modern request carries, without replacing what a test set.
func (c *Client) addMeta(meta map[string]jsontext.Value) error {
	own := map[string]any{
		"protocolVersion":    c.o.Revision.String(),
		"clientCapabilities": c.o.Capabilities,
		"clientInfo":         c.o.Info,
	}
	if c.o.LogLevel != "" {
		own["logLevel"] = c.o.LogLevel
	}
	for name, v := range own {
		if _, ok := meta[metaPrefix+name]; ok {
			continue
		}
		raw, err := mcpproto.Marshal(v)
		if err != nil {
			return fmt.Errorf("mcptest: %s: %w", name, err)
		}
		meta[metaPrefix+name] = raw
	}
	return nil
}

// Notes returns the notifications received so far, oldest first, those of subscriptions included.
func (c *Client) Notes() []Note {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.notes)
}

// WaitNote returns the first notification of a method, waiting for it until ctx ends.
func (c *Client) WaitNote(ctx context.Context, method string) (Note, error) {
	for {
		c.mu.Lock()
		arrived := c.arrived
		i := slices.IndexFunc(c.notes, func(n Note) bool { return n.Method == method })
		if i >= 0 {
			defer c.mu.Unlock()
			return c.notes[i], nil
		}
		c.mu.Unlock()
		select {
		case <-arrived:
		case <-ctx.Done():
			return Note{}, fmt.Errorf("mcptest: no %s: %w", method, ctx.Err())
		}
	}
}

func clip(b []byte) string {
	if len(b) > 300 {
		return string(b[:300]) + "…"
	}
	return string(b)
}
