package audit

import "strings"

// url covers the password in the authority that begins at i, behind "://".
func (m *masker) url(i int) int {
	s := m.s
	end := authorityEnd(s, i)
	colon, at := strings.IndexByte(s[i:end], ':'), strings.LastIndexByte(s[i:end], '@')
	if colon >= 0 {
		colon += i
	}
	if at >= 0 {
		at += i
	}
	if at < 0 && colon >= 0 && end < len(s) && strings.IndexByte("/?#", s[end]) >= 0 && strings.Trim(s[colon+1:end], "0123456789") != "" {
		at = m.lateAt(end) // a password with a slash in it that nobody escaped
		if at >= 0 {
			at += strings.LastIndexByte(s[at:authorityEnd(s, at)], '@') // and perhaps an @ as well
		}
	}
	switch {
	case at < 0:
		return i
	case colon >= 0 && colon < at:
		m.hideSpan(colon+1, at)
	case at-i >= 20 && strings.ContainsAny(s[i:at], "0123456789"):
		m.hideSpan(i, at)
	default:
		return i
	}
	return at
}

// authorityEnd is where the authority of an address that begins at i, or a part of it, ends.
func authorityEnd(s string, i int) int {
	if n := strings.IndexAny(s[i:], " \t\r\n'\"`<>|;()/?#\\"); n >= 0 {
		return i + n
	}
	return len(s)
}

// lateAt finds the next '@' of the word. The place of the last search is kept, so that many "://" in one word cost no
// more than one.
func (m *masker) lateAt(i int) int {
	if m.nextAt < i {
		m.nextAt = i
		for m.nextAt < len(m.s) && m.s[m.nextAt] != '@' && strings.IndexByte(" \t\r\n'\"`<>|;()", m.s[m.nextAt]) < 0 {
			m.nextAt++
		}
	}
	if m.nextAt < len(m.s) && m.s[m.nextAt] == '@' {
		return m.nextAt
	}
	return -1
}

// hideSpan covers what can be secret in a span without quotes; variables with upper-case names stay.
func (m *masker) hideSpan(i, end int) {
	s, start := m.s, i
	for i < end {
		if s[i] == '$' {
			j := i + 1
			if j < end && s[j] == '{' {
				j++
			}
			k := identEnd(s[:end], j)
			if allCaps(s[j:k]) || i == start && (k == end || k == end-1 && s[k] == '}') {
				i = k
				continue
			}
			i = j
			continue
		}
		n := secretWidth(s[i:end])
		for k := i; k < i+n; k++ {
			m.mark(k)
		}
		i += max(n, -n)
	}
}
