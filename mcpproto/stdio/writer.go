package stdio

import (
	"errors"
	"io"
	"sync"
)

// errBroken reports that the peer no longer reads.
var errBroken = errors.New("stdio: output is broken")

const (
	// holdBytes is how much may wait while more requests are being read.
	holdBytes = 32 << 10
	// stallBytes is how much may wait for a slow reader before answering goroutines wait too.
	stallBytes = 8 << 20
	// keepBytes is the largest buffer that is kept for reuse.
	keepBytes = 256 << 10
)

// writer puts whole lines into an output. Whoever finds nobody writing writes, and takes along what others leave
// meanwhile: a lone answer is one write at once, answers that come together share one.
type writer struct {
	out    io.Writer
	broken chan struct{} // closed at the first failed write

	mu      sync.Mutex
	moved   sync.Cond // pending shrank, or writing ended
	pending []byte
	spare   []byte
	busy    bool
	held    bool
	err     error
}

func newWriter(out io.Writer) *writer {
	w := &writer{out: out, broken: make(chan struct{})}
	w.moved.L = &w.mu
	return w
}

// put takes one message and a newline.
func (w *writer) put(msg []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.busy && len(w.pending) > stallBytes && w.err == nil {
		w.moved.Wait()
	}
	if w.err != nil {
		return w.err
	}
	w.pending = append(append(w.pending, msg...), '\n')
	if w.held && len(w.pending) < holdBytes {
		return nil
	}
	w.write()
	return w.err
}

// hold keeps answers back for as long as more requests are known to wait; hold(false) lets go.
func (w *writer) hold(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = on
	if !on {
		w.write()
	}
}

// write writes what is pending, unless somebody does already. It is called with the lock held and gives it up while
// writing.
func (w *writer) write() {
	if w.busy {
		return
	}
	w.busy = true
	for len(w.pending) > 0 && w.err == nil {
		b := w.pending
		w.pending, w.spare = w.spare[:0], nil
		w.mu.Unlock()
		n, err := w.out.Write(b)
		w.mu.Lock()
		if err == nil && n < len(b) {
			err = io.ErrShortWrite
		}
		if err != nil {
			w.err, w.pending = errBroken, nil
			close(w.broken)
		}
		if cap(b) <= keepBytes {
			w.spare = b[:0]
		}
		w.moved.Broadcast()
	}
	w.busy = false
	w.moved.Broadcast()
}

// flush lets go of everything and waits until it is written or the output is broken.
func (w *writer) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = false
	w.write()
	for w.busy {
		w.moved.Wait()
	}
}
