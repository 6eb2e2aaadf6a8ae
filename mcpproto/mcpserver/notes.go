package mcpserver

import (
	"context"
	"crypto/rand"
	"math"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
)

// buffers holds what answers are encoded into.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 2048); return &b }}

// maxPooledBuffer keeps one huge answer from staying in memory.
const maxPooledBuffer = 64 << 10

func getBuffer() *[]byte { return buffers.Get().(*[]byte) }

func putBuffer(b *[]byte) {
	if cap(*b) <= maxPooledBuffer {
		*b = (*b)[:0]
		buffers.Put(b)
	}
}

// send passes on a message that precedes the answer. Messages of one request are in order, and none follows the
// answer.
func (r *Request) send(msg []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return ErrFinished
	}
	return r.out.Send(msg)
}

// Progress reports how far the request is; total 0 means unknown, message may be empty. It does nothing if the
// client wants no progress. Values that do not increase are [ErrNotIncreasing] and not sent.
// MCP 2026-07-28, basic/utilities/progress.
func (r *Request) Progress(ctx context.Context, progress, total float64, message string) error {
	if r.ProgressToken.IsZero() {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !finite(progress) || !finite(total) {
		return ErrNotIncreasing
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return ErrFinished
	}
	if r.reported && progress <= r.progress {
		return ErrNotIncreasing
	}
	p := mcpproto.ProgressParams{Token: r.ProgressToken, Progress: progress, Total: total, Message: message}
	if !r.Version.HasAnnotations() {
		p.Message = ""
	}
	if err := r.out.Send(note(mcpproto.NoteProgress, &p)); err != nil {
		return err
	}
	r.progress, r.reported = progress, true
	return nil
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// Log sends a log message to the client if it asked for that level or a milder one: in this request (modern) or with
// logging/setLevel (legacy). Otherwise it does nothing. logger may be empty; data is encoded as JSON.
// MCP 2026-07-28, server/utilities/logging.
func (r *Request) Log(ctx context.Context, level mcpproto.LogLevel, logger string, data any) error {
	if r.LogLevel == "" || level.Rank() < r.LogLevel.Rank() || level.Rank() == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	raw, err := mcpproto.Marshal(data)
	if err != nil {
		return err
	}
	return r.send(note(mcpproto.NoteMessage, &mcpproto.LogParams{Level: level, Logger: logger, Data: raw}))
}

// canAsk reports whether requests can be sent to the client at all.
func (r *Request) canAsk() bool {
	return r.conn != nil && !r.conn.opts.Stateless && r.conn.initialized.Load()
}

// ask sends a request to the client and waits for its answer.
func (r *Request) ask(ctx context.Context, method string, params any) (jsontext.Value, error) {
	var raw jsontext.Value
	if params != nil {
		var err error
		if raw, err = mcpproto.Marshal(params); err != nil {
			return nil, err
		}
	}
	id := mcpproto.StringID(rand.Text()) // unguessable: nobody can answer in the client's place
	reply := r.conn.expect(id)
	defer r.conn.unexpect(id)
	if err := r.send(mcpproto.AppendRequest(nil, id, method, raw)); err != nil {
		return nil, err
	}
	select {
	case m := <-reply:
		if m == nil {
			return nil, ErrPeerGone
		}
		if m.Err != nil {
			return nil, clientError(m.Err)
		}
		return m.Result, nil
	case <-ctx.Done():
		_ = r.send(note(mcpproto.NoteCancelled, &mcpproto.CancelledParams{RequestID: id})) // the question is void either way
		return nil, context.Cause(ctx)
	}
}

func clientError(raw jsontext.Value) error {
	var e struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return mcpproto.ErrBadResponse
	}
	return &ClientError{Code: e.Code, Message: e.Message}
}

// ClientError is a client's refusal of a request that the server sent.
type ClientError struct {
	Code    int
	Message string // the client's words
}

// Error returns the code and the client's words.
func (e *ClientError) Error() string {
	return "mcpserver: client answered with error " + strconv.Itoa(e.Code) + ": " + e.Message
}
