package mcpserver

import (
	"context"
	"errors"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// Causes of a cancelled handler context (see context.Cause).
var (
	// ErrShutdown: the server ends. The handler's answer is still sent, so it should be its fail-closed one.
	ErrShutdown = errors.New("mcpserver: server is shutting down")
	// ErrCancelled: the client cancelled the request. Nothing is sent, whatever the handler returns.
	ErrCancelled = errors.New("mcpserver: request cancelled by the client")
)

// Errors of [Request.Progress], [Request.Log], [Request.Elicit] and the like.
var (
	// ErrNoStream: this transport or client cannot take messages before the answer.
	ErrNoStream = errors.New("mcpserver: no stream for messages before the answer")
	// ErrFinished: the request has been answered or cancelled.
	ErrFinished = errors.New("mcpserver: request is finished")
	// ErrNotDeclared: the client did not declare the capability, or its revision has no server requests.
	ErrNotDeclared = errors.New("mcpserver: client did not declare the capability")
	// ErrPeerGone: the client will send nothing more, so its answer cannot come.
	ErrPeerGone = errors.New("mcpserver: client is gone")
	// ErrNotIncreasing: progress must grow with every report.
	ErrNotIncreasing = errors.New("mcpserver: progress does not increase")
)

// Sink takes what one exchange sends to the peer. The bytes are one JSON message on one line, without newline, and
// are good only during the call. Methods may be called from several goroutines of one exchange, but never at once
// and never after Answer.
type Sink interface {
	// Send takes a message that comes before the answer: a notification, or a request to a legacy client. A sink
	// that cannot send one returns [ErrNoStream].
	Send(msg []byte) error
	// Answer takes the answer. It is called at most once: never for a notification or a cancelled request.
	Answer(msg []byte, a Answer) error
}

// Answer describes an answer to a transport.
type Answer struct {
	Code int          // 0 for a result, otherwise the error's code
	Era  mcpproto.Era // zero if it was not decided: a message that could not be decoded, or rule 3 of EraOf
}

// ConnOptions describe one peer.
type ConnOptions struct {
	Transport mcpproto.Transport

	// Stateless is an HTTP endpoint without sessions: nothing is kept between messages, initialize negotiates but is
	// not remembered, the server sends no requests, and logging, subscribe and listChanged are not declared to
	// legacy clients. One stateless Conn serves any number of clients.
	Stateless bool

	// Push sends a message that belongs to no exchange: change notifications to a legacy client. It may block; it is
	// called from one goroutine at a time. Nil: such messages are dropped.
	Push func(msg []byte) error
}

// Facts is what the transport knows about one message.
type Facts struct {
	// Header gives the HTTP request headers; nil on stdio. With it, the version and mirror rules are checked.
	Header mcpproto.HeaderSource
	// Principal is who asks, if the transport authenticated someone; "" otherwise.
	Principal string
}

// Conn is one peer: the process at the other end of stdio, one legacy HTTP session, or (stateless) all clients of an
// HTTP endpoint. It is safe for concurrent use.
//
//   - [Conn.Handle] serves one decoded message and returns when the exchange has ended; [Conn.Admit] and [Exchange.Serve]
//     are its two halves.
//   - [Conn.HandleBatch] serves an array, where [Conn.Batches] allows one.
//   - [Conn.Refuse] answers what could not be decoded.
//   - [Conn.Load] tells whether Handle is likely to return at once.
//   - [Conn.Reject] answers a message that the transport does not want served.
//   - [Conn.EndInput], [Conn.CancelAll], [Conn.Abandon] and [Conn.Close] end things, in that order.
type Conn struct {
	server *Server
	opts   ConnOptions
	conn
}

// NewConn returns a connection. Close it when the peer is gone.
func (s *Server) NewConn(o ConnOptions) *Conn {
	c := &Conn{server: s, opts: o}
	c.init()
	return c
}

// Handle serves one message and returns when the exchange has ended: for a request after Answer (or after
// cancellation), for subscriptions/listen when the subscription ends, for everything else at once. Run it on a
// goroutine of its own unless [Conn.Load] says it is quick.
//
// Handler contexts derive from ctx; cancel ctx with cause [ErrShutdown] to make handlers answer early, with any
// other cause to drop the answer. Handle never panics because of a handler.
func (c *Conn) Handle(ctx context.Context, m *mcpproto.Message, f Facts, out Sink) {
	if x, waits := c.take(ctx, m, f, out); waits {
		x.serve()
	}
}

// Exchange is a request that was admitted and waits to be served; see [Conn.Admit].
type Exchange struct {
	ctx     context.Context
	message *mcpproto.Message
	facts   Facts
	request *Request
}

// Admit is the first half of [Conn.Handle], for a transport that takes in messages in order and serves requests on other
// goroutines: from here on a request can be cancelled and its id is in use, so that a cancellation that comes right behind
// it finds it. A request comes back with waits set; call [Exchange.Serve] once. Everything else, and a request whose id
// is in use, has been dealt with.
func (c *Conn) Admit(ctx context.Context, m *mcpproto.Message, f Facts, out Sink) (x Exchange, waits bool) {
	return c.take(ctx, m, f, out)
}

// Serve serves the request and returns when the exchange has ended, as [Conn.Handle] does.
func (x *Exchange) Serve() { x.serve() }

// Method is the request's method.
func (x *Exchange) Method() string { return x.message.Method }

// Refuse answers a message that could not be decoded, and reports it if it was a tools/call.
func (c *Conn) Refuse(ctx context.Context, e *mcpproto.DecodeError, f Facts, out Sink) {
	c.refuse(ctx, e, f, out)
}

// Reject answers a request with e instead of serving it, and reports it as [Overloaded] if it was a tools/call.
func (c *Conn) Reject(ctx context.Context, m *mcpproto.Message, f Facts, e *mcpproto.Error, out Sink) {
	if m.Kind == mcpproto.Request {
		c.failWith(ctx, c.newRequest(m, f, out), e, Overloaded)
	}
}
