package cli

import (
	"bytes"
	"io"
	"sync/atomic"
	"time"
)

// Bounds of a pace.
const (
	paceOpen  = 32                    // messages without an answer from which reading waits
	paceChunk = 8 << 10               // bytes taken at once: even the smallest calls in them stay below the server's limit
	paceStep  = 50 * time.Microsecond // between two looks
	paceIdle  = 8                     // looks at a server with nothing in flight, until the count is taken as settled
	paceLimit = 20 * time.Millisecond // longest wait for one chunk: an answer to a form, or a cancellation, must get through
)

// pace keeps a client's messages from being read faster than its calls are served. A client may write thousands of calls
// into the pipe at once; read at full speed, most of them would exceed the server's limit and be answered with deny, and
// all of them would be in memory together. Calls that wait for a person do not hold it up: after paceLimit reading goes on.
//
// It counts lines: what came in and what went out. Notifications have no answer, so the count is only an estimate, and it
// starts anew whenever the server has nothing in flight.
type pace struct {
	in       io.Reader
	out      io.Writer
	inFlight func() int
	started  func() // called when something is read for the second time: the first message has been served; may be nil

	reads int
	open  atomic.Int64
}

// Read takes the next chunk. It is called from one goroutine.
func (p *pace) Read(b []byte) (int, error) {
	if p.reads++; p.reads == 2 && p.started != nil {
		p.started()
	}
	idle := 0
	for waited := time.Duration(0); waited < paceLimit && p.open.Load() >= paceOpen; waited += paceStep {
		if p.inFlight() > 0 {
			idle = 0
		} else if idle++; idle == paceIdle {
			p.open.Store(0)
			break
		}
		time.Sleep(paceStep)
	}
	n, err := p.in.Read(b[:min(len(b), paceChunk)])
	p.open.Add(int64(bytes.Count(b[:n], newline)))
	return n, err
}

// Write passes answers on.
func (p *pace) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	p.open.Add(-int64(bytes.Count(b[:n], newline)))
	return n, err
}

var newline = []byte{'\n'}
