package streamhttp

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// firstBytes is how much is allocated on the word of a Content-Length header; the rest grows as
// bytes arrive, so that a header alone never costs memory.
const firstBytes = 64 << 10

var (
	errTooLarge = errors.New("streamhttp: body too large")
	errTooSlow  = errors.New("streamhttp: body too slow")
)

// read is row 6: the body, at most limit bytes. It is fresh memory, since a handler may keep its raw
// arguments. Where the connection has a read deadline, the whole body has to arrive within it; the
// deadline is lifted again once the body is complete, because net/http goes on reading behind the
// handler to notice a client that leaves.
func read(w http.ResponseWriter, r *http.Request, limit int64, within time.Duration) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, errTooLarge
	}
	if r.ContentLength == 0 || r.Body == nil {
		return nil, nil
	}
	control := http.NewResponseController(w)
	timed := control.SetReadDeadline(time.Now().Add(within)) == nil
	size := r.ContentLength
	if size < 0 || size > firstBytes {
		size = 4 << 10
	}
	body := make([]byte, 0, size)
	for {
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if int64(len(body)) > limit {
			return nil, errTooLarge
		}
		switch {
		case err == io.EOF:
			if timed {
				_ = control.SetReadDeadline(time.Time{})
			}
			return body, nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, errTooSlow
		case err != nil:
			return nil, err
		}
	}
}
