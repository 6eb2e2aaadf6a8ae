package mcpserver

import (
	"io"
	"sync"
)

// DropWriter writes to another writer without ever blocking the caller: what does not fit into its bounded queue
// while the other side is slow is dropped. Use it for logs on standard error, which a client may never read. It is
// safe for concurrent use. Its goroutine lives only while there is something to write.
type DropWriter struct {
	w  io.Writer
	mu sync.Mutex

	limit, size int
	queue       [][]byte
	busy        bool
	dropped     int
	idle        sync.Cond
}

const defaultDropBytes = 1 << 20

// NewDropWriter returns a DropWriter that holds at most limit bytes; limit ≤ 0 means 1 MiB.
func NewDropWriter(w io.Writer, limit int) *DropWriter {
	if limit <= 0 {
		limit = defaultDropBytes
	}
	d := &DropWriter{w: w, limit: limit}
	d.idle.L = &d.mu
	return d
}

// Write takes a copy of p, or drops it. It always reports success.
func (d *DropWriter) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.size+len(p) > d.limit {
		d.dropped++
		return len(p), nil
	}
	d.size += len(p)
	d.queue = append(d.queue, append([]byte(nil), p...))
	if !d.busy {
		d.busy = true
		go d.drain()
	}
	return len(p), nil
}

// Dropped returns how many writes were dropped.
func (d *DropWriter) Dropped() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dropped
}

// Flush waits until everything taken has been written. It blocks as long as the other side does.
func (d *DropWriter) Flush() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.busy {
		d.idle.Wait()
	}
}

func (d *DropWriter) drain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.queue) > 0 {
		p := d.queue[0]
		d.queue = d.queue[1:]
		d.mu.Unlock()
		_, _ = d.w.Write(p) // a log that cannot be written is lost; there is nobody to tell
		d.mu.Lock()
		d.size -= len(p)
	}
	d.busy = false
	d.idle.Broadcast()
}
