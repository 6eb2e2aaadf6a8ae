package streamhttp

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

// keepBytes is the largest buffer that goes back to a pool; a rare large message must not pin its
// memory.
const keepBytes = 64 << 10

// firstBytes is how much is allocated on the word of a Content-Length header; the rest grows as
// bytes arrive, so that a header alone never costs memory.
const firstBytes = 64 << 10

// buffers is the memory of one request: its body and its answer.
type buffers struct {
	in  []byte
	out []byte
}

var pool = sync.Pool{New: func() any { return new(buffers) }}

func (b *buffers) release() {
	if cap(b.in) > keepBytes {
		b.in = nil
	}
	if cap(b.out) > keepBytes {
		b.out = nil
	}
	b.in, b.out = b.in[:0], b.out[:0]
	pool.Put(b)
}

var (
	errTooLarge = errors.New("streamhttp: body too large")
	errTooSlow  = errors.New("streamhttp: body too slow")
)

// read is row 6: it reads the body into buf, at most limit bytes. Where the connection has a read
// deadline, the whole body has to arrive within it; the deadline is lifted again once the body is
// complete, because net/http goes on reading behind the handler to notice a client that leaves.
func read(w http.ResponseWriter, r *http.Request, buf []byte, limit int64, within time.Duration) ([]byte, error) {
	if r.ContentLength > limit {
		return buf, errTooLarge
	}
	if r.ContentLength == 0 || r.Body == nil {
		return buf, nil
	}
	control := http.NewResponseController(w)
	timed := control.SetReadDeadline(time.Now().Add(within)) == nil
	if n := min(r.ContentLength+1, firstBytes); int64(cap(buf)) < n {
		buf = make([]byte, 0, n)
	}
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return buf, errTooLarge
		}
		switch {
		case err == io.EOF:
			if timed {
				_ = control.SetReadDeadline(time.Time{})
			}
			return buf, nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return buf, errTooSlow
		case err != nil:
			return buf, err
		}
	}
}
