package cli

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

// Bounds of a pace.
const (
	paceOpen   = 32                     // messages without an answer from which reading waits
	paceChunk  = 8 << 10                // bytes taken at once: even the smallest calls in them stay below the server's limit
	paceSettle = 400 * time.Microsecond // after that a server with nothing in flight owes no answer
	paceLimit  = 20 * time.Millisecond  // longest wait for one chunk: an answer to a form, or a cancellation, must get through
)

// pace keeps a client's messages from being read faster than its calls are served. A client may write thousands of calls
// into the pipe at once; read at full speed, most of them would exceed the server's limit and be answered with deny, and
// all of them would be in memory together. Calls that wait for a person or a slow service hold it up once, for paceLimit;
// then they are no longer counted.
//
// It counts lines: what came in and what went out. Notifications have no answer, so the count is only an estimate, and it
// starts anew whenever the server has nothing in flight.
type pace struct {
	in       io.Reader
	out      io.Writer
	inFlight func() int
	started  func() // called when something is read for the second time: the first message has been served; may be nil

	reads    int
	open     atomic.Int64
	answered chan struct{} // something was written; room for one
}

func newPace(in io.Reader, out io.Writer, inFlight func() int, started func()) *pace {
	return &pace{in: in, out: out, inFlight: inFlight, started: started, answered: make(chan struct{}, 1)}
}

// Read takes the next chunk. It is called from one goroutine.
func (p *pace) Read(b []byte) (int, error) {
	if p.reads++; p.reads == 2 && p.started != nil {
		p.started()
	}
	if n := p.open.Load(); n >= paceOpen {
		p.wait()
	} else if n < 0 { // answers to what was no longer counted
		p.open.Store(0)
	}
	n, err := p.in.Read(b[:min(len(b), paceChunk)])
	p.open.Add(int64(bytes.Count(b[:n], newline)))
	return n, err
}

// wait returns when few enough messages are open, or are not going to be answered soon.
func (p *pace) wait() {
	settle, limit := time.NewTimer(paceSettle), time.NewTimer(paceLimit)
	defer settle.Stop()
	defer limit.Stop()
	for p.open.Load() >= paceOpen {
		select {
		case <-p.answered:
			continue
		case <-settle.C:
			if p.inFlight() > 0 {
				continue
			}
		case <-limit.C:
		}
		p.open.Store(0)
	}
}

// Write passes answers on.
func (p *pace) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.open.Add(-int64(bytes.Count(b[:n], newline)))
	select {
	case p.answered <- struct{}{}:
	default:
	}
	return n, err
}

var newline = []byte{'\n'}
