package cli

import (
	"io"
	"time"
)

// Bounds of a pacedReader.
const (
	paceCalls = 128      // calls in flight from which reading waits
	paceChunk = 16 << 10 // bytes taken at once: even the smallest calls in them stay below the server's limit
	paceStep  = 50 * time.Microsecond
	paceLimit = 20 * time.Millisecond // longest wait for one chunk: an answer to a form, or a cancellation, must get through
)

// pacedReader reads a client's messages no faster than its calls are served. A client may write thousands of calls into
// the pipe at once; read at full speed, most of them would exceed the server's limit and be answered with deny, and all of
// them would be in memory together. Calls that wait for a person do not hold it up: after paceLimit reading goes on.
type pacedReader struct {
	r        io.Reader
	inFlight func() int
}

func (p *pacedReader) Read(b []byte) (int, error) {
	for waited := time.Duration(0); waited < paceLimit && p.inFlight() >= paceCalls; waited += paceStep {
		time.Sleep(paceStep)
	}
	return p.r.Read(b[:min(len(b), paceChunk)])
}
