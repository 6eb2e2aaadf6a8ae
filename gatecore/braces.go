package gatecore

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func hasBrace(w *syntax.Word) bool {
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok && strings.IndexByte(l.Value, '{') >= 0 {
			return true
		}
	}
	return false
}

// braces expands brace expressions to lists of parts, capped by the budget.
func (b *builder) braces(parts []syntax.WordPart) [][]syntax.WordPart {
	lists := [][]syntax.WordPart{nil}
	for _, p := range parts {
		be, ok := p.(*syntax.BraceExp)
		if !ok {
			for i := range lists {
				lists[i] = append(lists[i], p)
			}
			continue
		}
		var alts [][]syntax.WordPart
		if be.Sequence {
			alts = b.sequence(be)
		} else {
			for _, e := range be.Elems {
				alts = append(alts, b.braces(e.Parts)...)
			}
		}
		var next [][]syntax.WordPart
		for _, l := range lists {
			for _, a := range alts {
				if b.j.braces--; b.j.braces < 0 {
					b.j.fire(ruleBudget, int(b.node.Pos().Offset()), int(b.node.End().Offset()))
					return append(next, l)
				}
				next = append(next, append(append([]syntax.WordPart(nil), l...), a...))
			}
		}
		lists = next
	}
	return lists
}

func (b *builder) sequence(be *syntax.BraceExp) [][]syntax.WordPart {
	at := func(i int) string {
		if i < len(be.Elems) && len(be.Elems[i].Parts) == 1 {
			if l, ok := be.Elems[i].Parts[0].(*syntax.Lit); ok {
				return l.Value
			}
		}
		return ""
	}
	from, to, step := at(0), at(1), 1
	if s, err := strconv.Atoi(at(2)); err == nil && s != 0 {
		step = max(s, -s)
	}
	x, err1 := strconv.Atoi(from)
	y, err2 := strconv.Atoi(to)
	chars := err1 != nil || err2 != nil
	if chars {
		if len(from) != 1 || len(to) != 1 {
			return [][]syntax.WordPart{{&syntax.Lit{Value: "{" + from + ".." + to + "}"}}}
		}
		x, y = int(from[0]), int(to[0])
	}
	var out [][]syntax.WordPart
	for n := 0; ; n++ {
		if n > maxBraces {
			b.j.fire(ruleBudget, int(b.node.Pos().Offset()), int(b.node.End().Offset()))
			return out
		}
		s := strconv.Itoa(x)
		if chars {
			s = string(rune(x)) //nolint:gosec // both ends of the sequence are single bytes
		}
		out = append(out, []syntax.WordPart{&syntax.Lit{Value: s}})
		if x == y || y > x && x+step > y || y < x && x-step < y {
			return out
		}
		if y > x {
			x += step
		} else {
			x -= step
		}
	}
}
