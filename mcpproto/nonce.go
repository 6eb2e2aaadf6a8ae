package mcpproto

import (
	"container/heap"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Errors of a [NonceLedger]. Both wrap [ErrNonce].
var (
	ErrNonce     = errors.New("mcpproto: nonce refused")
	ErrNonceUsed = fmt.Errorf("%w: used before", ErrNonce)
	ErrNonceOld  = fmt.Errorf("%w: older than what the ledger remembers", ErrNonce)
)

// NonceLedger makes a sealed state good once. Use must be atomic: of several calls with the same nonce, however
// concurrent, at most one returns nil. Any error means: refuse the state. Entries may be forgotten after expires.
type NonceLedger interface {
	Use(n Nonce, issued, expires, now time.Time) error
}

// MemoryLedger is a [NonceLedger] in memory, bounded. When it is full it drops expired entries first, then the one
// with the oldest issue time; from then on every state issued at or before that time is refused, so that forgetting
// never makes a used state good again. It is safe for concurrent use.
type MemoryLedger struct {
	mu       sync.Mutex
	limit    int
	used     map[Nonce]struct{}
	order    nonceHeap
	lowWater time.Time // newest issue time that was dropped before it expired; zero if none
}

// DefaultLedgerSize is the limit of a MemoryLedger that was not told another.
const DefaultLedgerSize = 1 << 16

// NewMemoryLedger returns a ledger for at most limit nonces; limit ≤ 0 means [DefaultLedgerSize].
func NewMemoryLedger(limit int) *MemoryLedger {
	if limit <= 0 {
		limit = DefaultLedgerSize
	}
	return &MemoryLedger{limit: limit, used: map[Nonce]struct{}{}}
}

// Use marks n as used. Errors: [ErrNonceUsed], [ErrNonceOld].
func (l *MemoryLedger) Use(n Nonce, issued, expires, now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, used := l.used[n]; used {
		return ErrNonceUsed
	}
	if !l.lowWater.IsZero() && !issued.After(l.lowWater) {
		return ErrNonceOld
	}
	if len(l.order) >= l.limit {
		l.purge(now)
	}
	if len(l.order) >= l.limit {
		oldest := heap.Pop(&l.order).(nonceEntry)
		delete(l.used, oldest.nonce)
		if oldest.issued.After(l.lowWater) {
			l.lowWater = oldest.issued
		}
		if !issued.After(l.lowWater) {
			return ErrNonceOld // the newcomer is older than what was just forgotten
		}
	}
	l.used[n] = struct{}{}
	heap.Push(&l.order, nonceEntry{n, issued, expires})
	return nil
}

// purge drops what has expired.
func (l *MemoryLedger) purge(now time.Time) {
	keep := l.order[:0]
	for _, e := range l.order {
		if now.Before(e.expires) {
			keep = append(keep, e)
		} else {
			delete(l.used, e.nonce)
		}
	}
	l.order = keep
	heap.Init(&l.order)
}

// Len returns how many nonces are remembered.
func (l *MemoryLedger) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.order)
}

type nonceEntry struct {
	nonce           Nonce
	issued, expires time.Time
}

// nonceHeap has the oldest issue time first.
type nonceHeap []nonceEntry

func (h nonceHeap) Len() int           { return len(h) }
func (h nonceHeap) Less(i, j int) bool { return h[i].issued.Before(h[j].issued) }
func (h nonceHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *nonceHeap) Push(x any)        { *h = append(*h, x.(nonceEntry)) }
func (h *nonceHeap) Pop() any {
	old := *h
	e := old[len(old)-1]
	*h = old[:len(old)-1]
	return e
}
