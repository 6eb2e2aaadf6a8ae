package gatecore

// arena hands out memory that lasts for one judgement: words, invocations and nodes are many and small, and a judge that is
// used again has room for those of an ordinary command. The zero value is ready; nil hands out memory of its own each time.
type arena[T any] struct {
	chunk []T
	used  int
}

// The elements of the first chunk, and the most that a chunk may have and a judge may keep.
const (
	firstChunk = 8
	largeChunk = 64
)

// take returns a slice of n zero elements that nobody else has. Appending to it never touches other memory of the arena.
func (a *arena[T]) take(n int) []T {
	if a == nil || n > largeChunk/2 {
		return make([]T, n)
	}
	if a.used+n > len(a.chunk) {
		// What was handed out of the old chunk stays with those who have it.
		a.chunk, a.used = make([]T, min(largeChunk, max(firstChunk, 2*len(a.chunk), 2*n))), 0
	}
	s := a.chunk[a.used : a.used+n : a.used+n]
	a.used += n
	return s
}

// one returns a zero element that nobody else has.
func (a *arena[T]) one() *T { return &a.take(1)[0] }

// reset takes everything back. Nobody may use what was handed out before.
func (a *arena[T]) reset() {
	clear(a.chunk[:a.used])
	a.used = 0
}
