package gatecore

// enter begins a part of the explanation; nil if nobody asked for one.
func (j *judge) enter(kind string, a, b int, ws []word) *Part {
	if j.trace == nil {
		return nil
	}
	a, b = j.span(a, b)
	p := &Part{Kind: kind, Start: a, End: b, Verdict: Allow}
	if b <= len(j.src) && a <= b {
		p.Text = clip(j.src[a:b], 200)
	}
	for i := range ws {
		p.Words = append(p.Words, ws[i].show())
	}
	if j.posix {
		p.Reading = "posix"
	}
	outer := j.trace
	outer.Children = append(outer.Children, p)
	j.stack = append(j.stack, outer)
	j.trace = p
	return p
}

func (j *judge) leave(p *Part) {
	if p == nil || len(j.stack) == 0 {
		return
	}
	outer := j.stack[len(j.stack)-1]
	j.stack = j.stack[:len(j.stack)-1]
	j.trace = outer
}

// clip shortens s to at most n bytes without cutting a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
