package streamhttp

import (
	"errors"
	"net/http"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// exchange is one POST whose body arrived: rows 7 and later. It is the sink of what the server says.
type exchange struct {
	h         *Handler
	r         *http.Request
	principal string
	reply     reply
	session   *session // nil without one
	minted    *session // by this initialize, until its answer says whether it is kept
}

func (x *exchange) facts() mcpserver.Facts {
	return mcpserver.Facts{Header: x.r.Header, Principal: x.principal}
}

func (x *exchange) serve(body []byte) {
	if x.reply.accepts == acceptsEvents {
		x.reply.wakeUp()
	}
	m, err := mcpproto.Decode(body)
	if err != nil {
		x.undecoded(body, mcpproto.AsDecodeError(err))
		return
	}
	switch m.Kind {
	case mcpproto.Request:
		x.request(m)
	case mcpproto.Notification:
		x.notification(m)
	default:
		x.response(m)
	}
}

// undecoded is row 7, unless the body is a batch where batches are legal.
func (x *exchange) undecoded(body []byte, e *mcpproto.DecodeError) {
	if !e.Array {
		x.h.all.Refuse(x.r.Context(), e, x.facts(), x)
		return
	}
	if !x.find() {
		return
	}
	if !x.batches() {
		x.h.all.Refuse(x.r.Context(), e, x.facts(), x)
		return
	}
	items, err := mcpproto.DecodeBatch(body)
	if err != nil {
		x.h.all.Refuse(x.r.Context(), mcpproto.AsDecodeError(err), x.facts(), x)
		return
	}
	defer x.enter()()
	x.conn().HandleBatch(x.h.legacy, items, x.facts(), x)
	x.accepted() // nothing but notifications
}

// batches reports whether this request may carry an array: 2025-03-26 is the only revision with them.
func (x *exchange) batches() bool {
	versions := x.r.Header[mcpproto.HeaderVersion]
	if len(versions) > 1 {
		return false
	}
	if len(versions) == 0 {
		return x.session != nil && x.session.conn.Batches(0)
	}
	v, ok := mcpproto.ParseVersion(versions[0])
	return ok && x.h.all.Batches(v)
}

func (x *exchange) request(m *mcpproto.Message) {
	era, _, _ := mcpproto.EraOf(m, mcpproto.EraFacts{Transport: mcpproto.HTTP, Header: x.r.Header, Session: mcpproto.LatestLegacy})
	if era == mcpproto.Modern {
		x.modern(m)
		return
	}
	if m.Method == mcpproto.MethodInitialize {
		x.mint() // whatever session the client had before
	} else if !x.find() {
		return
	}
	defer x.enter()()
	x.conn().Handle(x.h.legacy, m, x.facts(), x)
	x.accepted() // cancelled by a notification
}

// modern serves a request of 2026-07-28: the client that closes its connection cancels it.
func (x *exchange) modern(m *mcpproto.Message) {
	if m.Method != mcpproto.MethodListen {
		x.h.all.Handle(x.r.Context(), m, x.facts(), x)
		return
	}
	if x.reply.accepts&acceptsEvents == 0 {
		e := mcpproto.Errorf(mcpproto.CodeInvalidRequest, "a subscription needs Accept: text/event-stream")
		x.reply.answer(http.StatusNotAcceptable, mcpproto.AppendError(nil, m.ID, e))
		return
	}
	x.h.listen(x, m)
}

// notification is accepted whatever its headers say.
func (x *exchange) notification(m *mcpproto.Message) {
	if !x.find() {
		return
	}
	x.conn().Handle(x.h.legacy, m, x.facts(), x)
	x.accepted()
}

// response is the answer of a legacy client to a request of ours. Without sessions there was none.
func (x *exchange) response(m *mcpproto.Message) {
	if x.h.sessions == nil {
		e := &mcpproto.DecodeError{Code: mcpproto.CodeInvalidRequest, Message: "a response, but nothing was asked"}
		x.h.all.Refuse(x.r.Context(), e, x.facts(), x)
		return
	}
	if !x.find() {
		return
	}
	if x.session != nil {
		x.session.conn.Handle(x.h.legacy, m, x.facts(), x)
	}
	x.accepted()
}

// accepted ends an exchange that has no JSON-RPC answer.
func (x *exchange) accepted() {
	x.reply.mu.Lock()
	defer x.reply.mu.Unlock()
	if !x.reply.done && !x.reply.streams {
		x.reply.w.WriteHeader(http.StatusAccepted)
	}
	x.reply.close()
}

// conn is who this exchange belongs to.
func (x *exchange) conn() *mcpserver.Conn {
	switch {
	case x.minted != nil:
		return x.minted.conn
	case x.session != nil:
		return x.session.conn
	}
	return x.h.all
}

// Send implements mcpserver.Sink.
func (x *exchange) Send(msg []byte) error {
	err := x.reply.event(msg)
	if errors.Is(err, errNoEvents) {
		return mcpserver.ErrNoStream
	}
	return err
}

// Answer implements mcpserver.Sink.
func (x *exchange) Answer(msg []byte, a mcpserver.Answer) error {
	if x.minted != nil {
		x.keep(a.Code == 0)
	}
	x.reply.answer(status(a), msg)
	return nil
}

// status maps the outcome of a request. Legacy clients read 404 as "your session is gone", so for
// them every JSON-RPC answer is 200. MCP 2026-07-28, basic/transports/streamable-http.
func status(a mcpserver.Answer) int {
	switch {
	case a.Code == 0 || a.Era == mcpproto.Legacy:
		return http.StatusOK
	case a.Code == mcpproto.CodeMethodNotFound:
		return http.StatusNotFound
	}
	return http.StatusBadRequest
}
