package streamhttp

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Values of headers that never change, shared by all answers. net/http does not write to them.
var (
	jsonType   = []string{"application/json"}
	eventsType = []string{"text/event-stream"}
	noStore    = []string{"no-store"}
	noBuffer   = []string{"no"}
	closeConn  = []string{"close"}
)

var errAnswered = errors.New("streamhttp: the request is already answered")

// errNoEvents reports a message that cannot go out because the client reads only JSON.
var errNoEvents = errors.New("streamhttp: the client accepts no event stream")

// reply is how one request is answered: one JSON object, or a stream of events once something
// preceded it. Its methods may be called concurrently; one message is one write.
type reply struct {
	w         http.ResponseWriter
	accepts   accepts
	keepAlive time.Duration // between comments that show intermediaries the stream lives
	write     time.Duration // limit for one write to a slow reader

	mu      sync.Mutex
	control *http.ResponseController
	streams bool // the head of an event stream is out
	done    bool
	err     error // why the connection is unusable
	timer   *time.Timer
	buf     []byte
}

// event sends one message ahead of the answer, opening the stream if it is the first.
func (r *reply) event(message []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return errAnswered
	}
	if err := r.open(); err != nil {
		return err
	}
	return r.send(message)
}

// open writes the head of an event stream. MCP 2026-07-28, basic/transports/streamable-http.
func (r *reply) open() error {
	if r.accepts&acceptsEvents == 0 {
		return errNoEvents
	}
	if r.streams {
		return r.err
	}
	r.streams = true
	h := r.w.Header()
	h["Content-Type"] = eventsType
	h["Cache-Control"] = noStore
	h["X-Accel-Buffering"] = noBuffer // nginx would hold events back
	r.control = http.NewResponseController(r.w)
	r.w.WriteHeader(http.StatusOK)
	r.wakeLater()
	return nil
}

// wakeLater arranges the next keep-alive comment. Callers hold mu.
func (r *reply) wakeLater() {
	if r.keepAlive <= 0 {
		return
	}
	if r.timer == nil {
		r.timer = time.AfterFunc(r.keepAlive, r.comment)
		return
	}
	r.timer.Reset(r.keepAlive)
}

// wakeUp arranges keep-alive comments before anything is sent, for a client that will get a stream
// whatever the answer is.
func (r *reply) wakeUp() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wakeLater()
}

func (r *reply) comment() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done || r.err != nil {
		return
	}
	if err := r.open(); err != nil {
		return
	}
	r.deadline()
	_, err := r.w.Write([]byte(": keep-alive\n\n"))
	r.fail(err)
	r.fail(r.flush())
	r.wakeLater()
}

// send writes one event: a single data line. Callers hold mu.
func (r *reply) send(message []byte) error {
	if r.err != nil {
		return r.err
	}
	r.deadline()
	r.buf = append(r.buf[:0], "data: "...)
	r.buf = append(r.buf, oneLine(message)...)
	r.buf = append(r.buf, "\n\n"...)
	_, err := r.w.Write(r.buf)
	r.fail(err)
	r.fail(r.flush())
	if r.timer != nil {
		r.wakeLater()
	}
	return r.err
}

// deadline bounds the next write, so that a reader that stopped reading ends only its own stream.
func (r *reply) deadline() {
	if r.write > 0 {
		_ = r.control.SetWriteDeadline(time.Now().Add(r.write)) // not every ResponseWriter has one
	}
}

func (r *reply) flush() error {
	if err := r.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

func (r *reply) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// oneLine returns message without line breaks: readers of event streams go line by line.
func oneLine(message []byte) []byte {
	if bytes.IndexByte(message, '\n') < 0 && bytes.IndexByte(message, '\r') < 0 {
		return message
	}
	v := jsontext.Value(bytes.Clone(message))
	if v.Compact() != nil {
		return nil
	}
	return v
}

// answer ends the request with its result or error. On an open stream it is the last event and the
// status is lost; otherwise it is a JSON object, or a single event where the client reads nothing
// else. Errors are JSON whatever the client accepts.
func (r *reply) answer(status int, message []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return
	}
	if !r.streams && status == http.StatusOK && r.accepts == acceptsEvents && r.open() != nil {
		return
	}
	switch {
	case r.streams:
		_ = r.send(message) // the client left; there is nobody to tell
	default:
		writeJSON(r.w, status, message)
	}
	r.close()
}

// end stops the stream without an answer: the client cancelled, or left.
func (r *reply) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.close()
}

func (r *reply) close() {
	r.done = true
	if r.timer != nil {
		r.timer.Stop()
	}
}

// inlineBytes is the size up to which net/http computes the length of an answer by itself.
const inlineBytes = 2 << 10

// writeJSON sends one JSON object and its status in one write.
func writeJSON(w http.ResponseWriter, status int, message []byte) {
	h := w.Header()
	h["Content-Type"] = jsonType
	if len(message) > inlineBytes {
		h["Content-Length"] = []string{strconv.Itoa(len(message))}
	}
	if status != http.StatusOK {
		w.WriteHeader(status)
	}
	//nolint:gosec // G705: JSON, declared as such
	_, _ = w.Write(message) // the client left; there is nobody to tell
}
