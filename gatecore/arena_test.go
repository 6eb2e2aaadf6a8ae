package gatecore

import (
	"reflect"
	"testing"

	"github.com/matryer/is"
	"mvdan.cc/sh/v3/syntax"

	"github.com/phocinae/phocinae-go/gatecore/l0"
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

// TestMemoryIsCleanAfterAGuessedTree: a panic in a guessed tree must not put memory that it used into other hands, neither in
// this judgement nor in the next. The tree here is a function body with nil nodes.
func TestMemoryIsCleanAfterAGuessedTree(t *testing.T) {
	is := is.New(t)
	const text = "ls | cat; (x=1); f"
	j := &judge{}
	j.reset(&Engine{set: newRuleSet(l0.BuiltIn(), l0.Sources())}, text, Place{Dir: "/w"})
	sc := j.newScope()
	sc.funcs = map[string]*syntax.Stmt{"f": {Cmd: &syntax.CallExpr{Args: []*syntax.Word{nil}}, Redirs: []*syntax.Redirect{nil}}}
	j.level()
	j.recovered(sc.clone(), text)
	is.Equal(len(j.parsers), 0) // there was a panic
	is.True(reflect.ValueOf(*j.mem.scopes.one()).IsZero())
	j.release()
	for _, s := range j.mem.scopes.chunk {
		is.True(reflect.ValueOf(s).IsZero())
	}
}
