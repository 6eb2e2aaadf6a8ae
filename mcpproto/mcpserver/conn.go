package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// conn is the state of a Conn.
type conn struct {
	initSeen    atomic.Bool // an initialize was received
	initialized atomic.Bool // notifications/initialized was received
	legacy      atomic.Pointer[handshake]
	logLevel    atomic.Pointer[mcpproto.LogLevel] // legacy

	mu      sync.Mutex
	flight  map[string]*Request               // by ID.Key
	pending map[string]chan *mcpproto.Message // our questions, by ID.Key
	closed  bool
	mute    bool // the peer will send nothing more

	box     *mailbox // news for a legacy client; nil without Push
	pushing atomic.Bool
}

// handshake is what initialize agreed on.
type handshake struct {
	version mcpproto.Version
	client  mcpproto.Implementation
	caps    *mcpproto.ClientCapabilities
	wants   change // news that were declared to it
}

func (c *Conn) init() {
	c.flight = map[string]*Request{}
	c.pending = map[string]chan *mcpproto.Message{}
	if c.opts.Push != nil && !c.opts.Stateless {
		c.box = newMailbox(0, nil)
		c.box.arrive = c.push
		c.server.ears.add(c.box)
	}
}

// Version returns the legacy revision that initialize agreed on; zero before.
func (c *Conn) Version() mcpproto.Version {
	if h := c.legacy.Load(); h != nil {
		return h.version
	}
	return 0
}

// Batches reports whether an array of messages is legal now: version is the one the request names (HTTP), or zero
// for the one that initialize agreed on.
func (c *Conn) Batches(version mcpproto.Version) bool {
	if version == 0 {
		version = c.Version()
	}
	return version.HasBatches()
}

// Load says how long [Conn.Handle] will probably take.
type Load uint8

// The loads.
const (
	Instant Load = iota + 1 // answered by the server itself: no handler runs; keep the order of arrival
	Short                   // a handler that was quick last time
	Long                    // a handler that was slow last time, or a subscription
)

// longCall is from when on a call counts as slow.
const longCall = 200 * time.Microsecond

// Load estimates the work of one message from what its handler took last time.
func (c *Conn) Load(m *mcpproto.Message) Load {
	if m.Kind != mcpproto.Request {
		return Instant
	}
	switch m.Method {
	case mcpproto.MethodListen:
		return Long
	case mcpproto.MethodToolsCall:
		name, _, _ := m.Params.Text("name")
		if t := c.server.reg.Load().tools.byKey[name]; t != nil && t.last.Load() > int64(longCall) {
			return Long
		}
		return Short
	case mcpproto.MethodResourcesRead, mcpproto.MethodPromptsGet, mcpproto.MethodComplete:
		return Short
	}
	if isProtocolMethod(m.Method) {
		return Instant
	}
	return Short
}

// take serves at once what is no request, and admits what is one.
func (c *Conn) take(ctx context.Context, m *mcpproto.Message, f Facts, out Sink) (x Exchange, waits bool) {
	switch m.Kind {
	case mcpproto.Response:
		c.response(m)
	case mcpproto.Notification:
		c.notification(ctx, m, f)
	case mcpproto.Request:
		r := c.newRequest(m, f, out)
		ctx, ok := c.admit(ctx, r)
		if ok {
			return Exchange{ctx: ctx, message: m, facts: f, request: r}, true
		}
		c.fail(r, mcpproto.Errorf(mcpproto.CodeInvalidRequest, "id %s is in flight", clipID(r.ID)), BadMessage)
	}
	return Exchange{}, false
}

// newRequest allocates what one request needs, together with the typed call around it.
func (c *Conn) newRequest(m *mcpproto.Message, f Facts, out Sink) *Request {
	var r *Request
	switch m.Method {
	case mcpproto.MethodToolsCall:
		call := new(Call)
		r = &call.Request
		r.call = call
		call.Name, _, _ = m.Params.Text("name")
	case mcpproto.MethodResourcesRead:
		call := new(ReadCall)
		r = &call.Request
		r.typed = call
	case mcpproto.MethodPromptsGet:
		call := new(PromptCall)
		r = &call.Request
		r.typed = call
	case mcpproto.MethodComplete:
		call := new(CompletionCall)
		r = &call.Request
		r.typed = call
	default:
		r = new(Request)
	}
	r.Method, r.ID, r.Params, r.Transport = m.Method, m.ID, &m.Params, c.opts.Transport
	r.Principal, r.conn, r.out, r.Start = f.Principal, c, out, c.server.opts.Now()
	return r
}

func (x *Exchange) serve() {
	r, ctx := x.request, x.ctx
	c := r.conn
	if r.cancel != nil {
		defer r.cancel(nil)
	}
	if e, fate := c.identify(x.message, x.facts, r); e != nil {
		c.fail(r, e, fate)
		return
	}
	if r.Trace != (mcpproto.Trace{}) {
		ctx = mcpproto.ContextWithTrace(ctx, r.Trace)
	}
	c.dispatch(ctx, r)
}

func clipID(id mcpproto.ID) string {
	if s := id.String(); len(s) <= 64 {
		return s
	}
	return "(long)"
}

// admit enters a request into the table of those in flight and gives it a context of its own. On stdio an id that is
// in flight is refused; on HTTP every request is an exchange of its own, whatever its id.
func (c *Conn) admit(ctx context.Context, r *Request) (context.Context, bool) {
	if c.opts.Stateless {
		return ctx, true
	}
	key := r.ID.Key()
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, busy := c.flight[key]; busy {
		if c.opts.Transport == mcpproto.Stdio {
			return ctx, false
		}
		return ctx, true // a session's client that reuses an id cannot cancel this request
	}
	ctx, r.cancel = context.WithCancelCause(ctx)
	r.key, r.listen = key, r.Method == mcpproto.MethodListen
	c.flight[key] = r
	if c.closed {
		r.cancel(ErrShutdown)
	}
	return ctx, true
}

// forget ends the use of the request's id.
func (c *Conn) forget(r *Request) {
	if r.key == "" {
		return
	}
	c.mu.Lock()
	if c.flight[r.key] == r {
		delete(c.flight, r.key)
	}
	c.mu.Unlock()
}

// identify decides era and revision and checks what the revision demands of every request, in the order of the
// protocol's table.
func (c *Conn) identify(m *mcpproto.Message, f Facts, r *Request) (*mcpproto.Error, Fate) {
	era, version, e := mcpproto.EraOf(m, mcpproto.EraFacts{
		Transport: c.opts.Transport, Initialized: c.initSeen.Load(), Header: f.Header, Session: c.Version(),
	})
	if e != nil {
		return e, BadHeader
	}
	r.Era, r.Version = era, version
	if era == mcpproto.Modern {
		return c.identifyModern(m, f, r)
	}
	c.identifyLegacy(m, r)
	return nil, 0
}

func (c *Conn) identifyModern(m *mcpproto.Message, f Facts, r *Request) (*mcpproto.Error, Fate) {
	text, e := m.MetaVersion()
	if e != nil {
		return e, BadMeta
	}
	if f.Header != nil {
		if e := mcpproto.CheckVersionHeader(f.Header, text); e != nil {
			return e, BadHeader
		}
	}
	if r.Version, e = mcpproto.ParseModern(text); e != nil {
		return e, BadMeta
	}
	if f.Header != nil {
		if e := c.checkMirrors(m, f); e != nil {
			return e, BadHeader
		}
	}
	meta, e := m.RequestMeta(mcpproto.Modern, &c.server.metas)
	if e != nil {
		return e, BadMeta
	}
	r.Client, r.Capabilities, r.LogLevel = meta.Client, meta.Capabilities, meta.LogLevel
	r.ProgressToken, r.Trace = meta.ProgressToken, meta.Trace
	return nil, 0
}

func (c *Conn) checkMirrors(m *mcpproto.Message, f Facts) *mcpproto.Error {
	if e := mcpproto.CheckMirrors(f.Header, m); e != nil || m.Method != mcpproto.MethodToolsCall {
		return e
	}
	name, _, _ := m.Params.Text("name")
	t := c.server.reg.Load().tools.byKey[name]
	if t == nil || len(t.headers) == 0 {
		return nil
	}
	return mcpproto.CheckParamHeaders(f.Header, m.Params.Get("arguments"), t.headers)
}

func (c *Conn) identifyLegacy(m *mcpproto.Message, r *Request) {
	meta, _ := m.RequestMeta(mcpproto.Legacy, nil) // never fails for this era
	r.ProgressToken, r.Trace = meta.ProgressToken, meta.Trace
	h := c.legacy.Load()
	if h == nil {
		h = &handshake{version: mcpproto.EarliestKnown, caps: new(mcpproto.ClientCapabilities)}
	}
	if r.Version == 0 {
		r.Version = h.version
	}
	r.Client, r.Capabilities = h.client, h.caps
	if l := c.logLevel.Load(); l != nil {
		r.LogLevel = *l
	}
}

// notification serves what has no id. Nothing is ever answered.
func (c *Conn) notification(ctx context.Context, m *mcpproto.Message, f Facts) {
	switch m.Method {
	case mcpproto.NoteInitialized:
		if h := c.legacy.Load(); h != nil {
			c.initialized.Store(true)
			if c.box != nil {
				c.box.want(h.wants)
			}
		}
	case mcpproto.NoteCancelled:
		id, ok := mcpproto.ParseID(m.Params.Get("requestId"))
		if ok {
			c.cancelRequest(id)
		}
	case mcpproto.MethodToolsCall:
		r := c.newRequest(m, f, nil)
		_, _ = c.identify(m, f, r) // only for the record
		c.observe(ctx, &Outcome{
			Fate: Unidentified, Call: r.call,
			Err: mcpproto.Errorf(mcpproto.CodeInvalidRequest, "%s without id", m.Method),
		})
	}
}

func (c *Conn) cancelRequest(id mcpproto.ID) {
	c.mu.Lock()
	r := c.flight[id.Key()]
	c.mu.Unlock()
	if r != nil && r.Method != mcpproto.MethodInitialize {
		r.cancel(ErrCancelled)
	}
}

func (c *Conn) response(m *mcpproto.Message) {
	if m.ID.IsZero() || (m.Result == nil) == (m.Err == nil) {
		return
	}
	c.mu.Lock()
	reply := c.pending[m.ID.Key()]
	delete(c.pending, m.ID.Key())
	c.mu.Unlock()
	if reply != nil {
		reply <- m // has room for the one message that can come
	}
}

func (c *Conn) expect(id mcpproto.ID) <-chan *mcpproto.Message {
	reply := make(chan *mcpproto.Message, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mute {
		reply <- nil
	} else {
		c.pending[id.Key()] = reply
	}
	return reply
}

func (c *Conn) unexpect(id mcpproto.ID) {
	c.mu.Lock()
	delete(c.pending, id.Key())
	c.mu.Unlock()
}

// push sends due news to a legacy client, on a goroutine that lives only as long as there are some.
func (c *Conn) push() {
	if !c.pushing.CompareAndSwap(false, true) {
		return
	}
	go func() {
		for {
			select {
			case <-c.box.signal:
				for _, n := range c.box.take(nil) {
					_ = c.opts.Push(n) // a dead peer is noticed by the transport
				}
				continue
			default:
			}
			c.pushing.Store(false)
			// News may have come between the last look and giving up the role.
			if len(c.box.signal) == 0 || !c.pushing.CompareAndSwap(false, true) {
				return
			}
		}
	}()
}

// EndInput says that the peer will send nothing more: subscriptions end, telling the client, and questions to the
// client end with [ErrPeerGone].
func (c *Conn) EndInput() {
	c.mu.Lock()
	c.mute = true
	for id, reply := range c.pending {
		reply <- nil // has room for the one message that can come
		delete(c.pending, id)
	}
	c.mu.Unlock()
	c.each(func(r *Request) {
		if r.listen {
			r.cancel(ErrShutdown)
		}
	})
}

// CancelAll ends the contexts of all requests in flight with cause; with [ErrShutdown] their answers are still sent.
// Requests that come later are cancelled at once.
func (c *Conn) CancelAll(cause error) {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.each(func(r *Request) { r.cancel(cause) })
}

// InFlight returns how many requests are in flight; always 0 for a stateless Conn.
func (c *Conn) InFlight() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.flight)
}

// Abandon answers, in place of their handlers, all requests whose handlers still run with -32603. What the handlers return
// later is dropped. Use it when time is up.
func (c *Conn) Abandon() {
	c.each(func(r *Request) {
		if r.ready.Load() {
			c.fail(r, mcpproto.Errorf(mcpproto.CodeInternal, "server is shutting down"), Abandoned)
		}
	})
}

// Close ends the connection: no more news are pushed, and requests in flight are cancelled without answers.
func (c *Conn) Close() {
	c.EndInput()
	c.CancelAll(ErrCancelled)
	if c.box != nil {
		c.server.ears.remove(c.box)
	}
}

func (c *Conn) each(f func(*Request)) {
	c.mu.Lock()
	list := make([]*Request, 0, len(c.flight))
	for _, r := range c.flight {
		list = append(list, r)
	}
	c.mu.Unlock()
	for _, r := range list {
		f(r)
	}
}

func (c *Conn) refuse(ctx context.Context, e *mcpproto.DecodeError, f Facts, out Sink) {
	r := c.newRequest(&mcpproto.Message{ID: e.ID, Method: e.Method}, f, out)
	c.failWith(ctx, r, e.Wire(), BadMessage)
}

// fail answers with an error; a tools/call is reported first.
func (c *Conn) fail(r *Request, e *mcpproto.Error, fate Fate) {
	c.failWith(context.Background(), r, e, fate)
}

func (c *Conn) failWith(ctx context.Context, r *Request, e *mcpproto.Error, fate Fate) {
	if r.call != nil {
		c.settle(ctx, r.call, &Outcome{Fate: fate, Call: r.call, Err: e})
		return
	}
	if r.ended.CompareAndSwap(false, true) {
		c.answerError(r, e)
	}
}

func (c *Conn) answerError(r *Request, e *mcpproto.Error) {
	wire := mcpproto.WireError(e, r.Era)
	b := getBuffer()
	*b = mcpproto.AppendError(*b, r.ID, wire)
	c.deliver(r, *b, Answer{Code: wire.Code, Era: r.Era})
	putBuffer(b)
}

// deliver sends the answer as the last message of r. The id is free from here on.
func (c *Conn) deliver(r *Request, msg []byte, a Answer) {
	c.forget(r)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return
	}
	r.finished = true
	if r.out != nil {
		_ = r.out.Answer(msg, a) // a dead peer is noticed by the transport
	}
}

// drop ends r without an answer.
func (c *Conn) drop(r *Request) {
	c.forget(r)
	r.mu.Lock()
	r.finished = true
	r.mu.Unlock()
}

// reply answers with a stamped result; encode appends the result object. The caller owns r.ended.
func (c *Conn) reply(r *Request, encode func([]byte, *mcpproto.Stamp) ([]byte, error), cache *mcpproto.Cache) {
	st := mcpproto.Stamp{Version: r.Version, Server: c.server.stamp, Cache: cache}
	b := getBuffer()
	defer putBuffer(b)
	*b = mcpproto.AppendResultHead(*b, r.ID)
	out, err := encode(*b, &st)
	if err != nil {
		c.server.opts.Logger.Error("unusable result", "method", r.Method, "error", err)
		c.answerError(r, mcpproto.WireError(err, r.Era))
		return
	}
	*b = append(out, '}')
	c.deliver(r, *b, Answer{Era: r.Era})
}

// run calls f and turns what it does into an error: panics get a stack in the log, and runtime.Goexit is noticed by
// the caller's deferred functions.
func (s *Server) run(method, name string, f func() error) (err error, panicked bool) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.Logger.Error("panic in handler", "method", method, "name", name, "panic", fmt.Sprint(p),
				"stack", string(debug.Stack()))
			err, panicked = fmt.Errorf("mcpserver: panic: %v", p), true
		}
	}()
	return f(), false
}

func shuttingDown(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrShutdown) }

// clientGone reports whether ctx ended for another reason than shutdown: nobody waits for the answer.
func clientGone(ctx context.Context) bool { return ctx.Err() != nil && !shuttingDown(ctx) }
