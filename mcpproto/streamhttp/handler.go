package streamhttp

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// Handler serves one MCP endpoint; mount it wherever the endpoint shall be. It is safe for
// concurrent use. Close it when the endpoint goes.
type Handler struct {
	o        Options
	server   *mcpserver.Server
	all      *mcpserver.Conn // clients without a session: all modern ones, and legacy ones
	sessions *sessions       // nil unless Options.LegacySessions
	open     atomic.Int64

	// legacy is the context of legacy calls: a lost connection does not cancel those.
	// MCP 2025-11-25, basic/transports, "Sending Messages to the Server".
	legacy context.Context
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	listens map[*exchange]context.CancelCauseFunc // open subscriptions
	ended   bool                                  // no more of them
}

// NewHandler returns the endpoint of s.
func NewHandler(s *mcpserver.Server, o *Options) *Handler {
	h := &Handler{o: o.withDefaults(), server: s, listens: make(map[*exchange]context.CancelCauseFunc)}
	h.legacy, h.cancel = context.WithCancelCause(context.Background())
	h.all = s.NewConn(mcpserver.ConnOptions{Transport: mcpproto.HTTP, Stateless: true})
	if h.o.LegacySessions {
		h.sessions = newSessions(h)
	}
	return h
}

// Close ends subscriptions with their results, makes running legacy calls answer as for a shutdown,
// and forgets all sessions. Modern calls live with the contexts of their requests: end those with the
// cause [mcpserver.ErrShutdown], as [Server] does. Close does not wait; http.Server.Shutdown does. It
// may be called again.
func (h *Handler) Close() {
	h.endListens()
	h.cancelCalls()
	h.all.Close()
	if h.sessions != nil {
		h.sessions.close()
	}
}

// endListens ends subscriptions, each with its result, and lets none begin.
func (h *Handler) endListens() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	for _, cancel := range h.listens {
		cancel(mcpserver.ErrShutdown)
	}
}

// listen serves one subscription, which the server can end.
func (h *Handler) listen(x *exchange, m *mcpproto.Message) {
	ctx, cancel := context.WithCancelCause(x.r.Context())
	h.mu.Lock()
	h.listens[x] = cancel
	if h.ended {
		cancel(mcpserver.ErrShutdown)
	}
	h.mu.Unlock()
	h.all.Handle(ctx, m, x.facts(), x)
	h.mu.Lock()
	delete(h.listens, x)
	h.mu.Unlock()
	cancel(nil)
}

// cancelCalls makes what is still running answer now.
func (h *Handler) cancelCalls() { h.cancel(mcpserver.ErrShutdown) }

// ServeHTTP answers one request. The checks come in the order that the package comment lists.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer h.open.Add(-1)
	if h.open.Add(1) > int64(h.o.MaxOpenRequests) {
		w.Header()["Retry-After"] = []string{"1"}
		h.refuse(w, r, http.StatusServiceUnavailable, "too many open requests")
		return
	}
	if len(r.TransferEncoding) > 0 {
		w.Header()["Connection"] = closeConn // whoever framed the body otherwise must not reuse the connection
	}
	principal, ok := h.front(w, r)
	if !ok {
		return
	}
	if r.Method == http.MethodDelete {
		h.sessions.delete(w, r, principal)
		return
	}
	if !jsonBody(r.Header) {
		h.refuse(w, r, http.StatusUnsupportedMediaType, "the body has to be application/json without a content encoding")
		return
	}
	accepts := parseAccept(r.Header["Accept"])
	if accepts == 0 {
		h.refuse(w, r, http.StatusNotAcceptable, "accept application/json or text/event-stream")
		return
	}
	body, err := read(w, r, h.o.MaxBodyBytes, h.o.BodyTimeout)
	if err != nil {
		h.unread(w, r, err)
		return
	}
	x := exchange{h: h, r: r, principal: principal}
	x.reply = reply{w: w, accepts: accepts, keepAlive: h.o.KeepAlive, write: h.o.WriteTimeout}
	x.serve(body)
	x.reply.end()
}

// front is rows 1 to 3.
func (h *Handler) front(w http.ResponseWriter, r *http.Request) (principal string, ok bool) {
	switch {
	case !h.hostAllowed(r.Host):
		h.refuse(w, r, http.StatusForbidden, "host is not allowed")
		return "", false
	case !h.originAllowed(r.Header["Origin"]):
		h.refuse(w, r, http.StatusForbidden, "origin is not allowed")
		return "", false
	case r.Method == http.MethodPost:
	case r.Method == http.MethodDelete && h.sessions != nil:
	default:
		w.Header()["Allow"] = h.allow()
		h.refuse(w, r, http.StatusMethodNotAllowed, "use POST")
		return "", false
	}
	if h.o.Authenticate == nil {
		return "", true
	}
	if principal, ok = h.o.Authenticate(r); !ok {
		w.Header()["Www-Authenticate"] = []string{"Bearer"}
		h.refuse(w, r, http.StatusUnauthorized, "authentication is required")
	}
	return principal, ok
}

func (h *Handler) allow() []string {
	if h.sessions != nil {
		return []string{"POST, DELETE"}
	}
	return []string{"POST"}
}

// unread answers a body that did not come in whole. The connection ends with it: where the next
// request would begin is unknown.
func (h *Handler) unread(w http.ResponseWriter, r *http.Request, err error) {
	w.Header()["Connection"] = closeConn
	switch {
	case errors.Is(err, errTooLarge):
		h.refuse(w, r, http.StatusRequestEntityTooLarge, "the body is over "+strconv.FormatInt(h.o.MaxBodyBytes, 10)+" bytes")
	case errors.Is(err, errTooSlow):
		h.refuse(w, r, http.StatusRequestTimeout, "the body did not arrive in time")
	default:
		h.refuse(w, r, http.StatusBadRequest, "the body could not be read")
	}
}

// refuse answers a request whose message was not looked at.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	if r.ContentLength != 0 {
		// net/http reads the rest of a body before it answers; not for ever.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.o.BodyTimeout))
	}
	writeJSON(w, status, mcpproto.AppendError(nil, mcpproto.ID{}, mcpproto.Errorf(mcpproto.CodeInvalidRequest, "%s", why)))
}
