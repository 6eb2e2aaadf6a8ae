package gatecore

import (
	"testing"

	"github.com/matryer/is"
)

func TestArena(t *testing.T) {
	is := is.New(t)
	var a arena[int]
	kept := map[*int]int{}
	for n := range 3 * largeChunk {
		p := a.one()
		is.Equal(*p, 0) // an element is zero
		*p = n
		kept[p] = n
	}
	is.Equal(len(kept), 3*largeChunk) // no element is handed out twice
	for p, n := range kept {
		is.Equal(*p, n) // what an old chunk held stays
	}
	is.True(len(a.chunk) <= largeChunk) // a judge keeps no more than one chunk

	s, next := a.take(2), a.one()
	s = append(s, 7)
	is.Equal(*next, 0) // appending does not reach the neighbour
	is.Equal(len(s), 3)
	is.Equal(len(a.take(largeChunk)), largeChunk) // more than a chunk should lose
	is.Equal(len(a.take(0)), 0)

	a.reset()
	for range len(a.chunk) {
		is.Equal(*a.one(), 0) // nothing is left of the last judgement
	}
	is.Equal(len((*arena[int])(nil).take(3)), 3) // without an arena
}
