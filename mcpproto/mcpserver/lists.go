package mcpserver

import (
	"encoding/base64"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
)

// Lists that are built once per revision and registry, so that the same request gives the same bytes.
const (
	listTools = iota
	listResources
	listTemplates
	listPrompts
	listDiscover
	numLists
)

var listMembers = [...]string{"tools", "resources", "resourceTemplates", "prompts"}

// pages are the encoded result objects of one list, in order.
type pages struct {
	results [][]byte
	starts  []string // key after which each page starts; "" for the first
	err     error
}

// list answers one page of a list.
func (c *Conn) list(r *Request, reg *registry, which int, declared bool) {
	if !declared {
		c.unknown(r)
		return
	}
	cursor, present, ok := r.Params.Text("cursor")
	if r.Params.Malformed() || !ok && r.Params.Get("cursor").Kind() != 'n' {
		c.fail(r, mcpproto.InvalidParams("params or its cursor is malformed"), BadParams)
		return
	}
	p := c.server.pages(reg, which, r.Version)
	page := 0
	if present && ok {
		if page = p.find(cursor); page < 0 {
			c.fail(r, mcpproto.InvalidParams("cursor is unknown"), BadParams)
			return
		}
	}
	c.replyPage(r, p, page)
}

func (c *Conn) replyPage(r *Request, p *pages, page int) {
	if p.err != nil {
		c.fail(r, mcpproto.WireError(p.err, r.Era), Failed)
		return
	}
	if !r.ended.CompareAndSwap(false, true) {
		return
	}
	b := getBuffer()
	defer putBuffer(b)
	*b = append(append(mcpproto.AppendResultHead(*b, r.ID), p.results[page]...), '}')
	c.deliver(r, *b, Answer{Era: r.Era})
}

func (s *Server) pages(reg *registry, which int, v mcpproto.Version) *pages {
	slot := &reg.prebuilt[which][v]
	if p := slot.Load(); p != nil {
		return p
	}
	var p *pages
	switch which {
	case listTools:
		p = buildPages(s, which, v, reg.tools.keys, func(i int) any { return reg.tools.sorted[i].decl.For(v) })
	case listResources:
		p = buildPages(s, which, v, reg.resources.keys, func(i int) any { return reg.resources.sorted[i].decl.For(v) })
	case listTemplates:
		p = buildPages(s, which, v, reg.templates.keys, func(i int) any { return reg.templates.sorted[i].decl.For(v) })
	case listPrompts:
		p = buildPages(s, which, v, reg.prompts.keys, func(i int) any { return reg.prompts.sorted[i].decl.For(v) })
	}
	slot.Store(p)
	return p
}

func buildPages(s *Server, which int, v mcpproto.Version, keys []string, entry func(int) any) *pages {
	st := mcpproto.Stamp{Version: v, Server: s.stamp, Cache: s.cache}
	p := &pages{}
	for from := 0; from == 0 || from < len(keys); from += s.opts.PageSize {
		to := min(from+s.opts.PageSize, len(keys))
		body := append([]byte(`{"`+listMembers[which]+`":[`), []byte(nil)...)
		for i := from; i < to; i++ {
			if i > from {
				body = append(body, ',')
			}
			raw, err := mcpproto.Marshal(entry(i))
			if err != nil {
				return &pages{err: err}
			}
			body = append(body, raw...)
		}
		body = append(body, ']')
		if to < len(keys) {
			body = mcpproto.AppendString(append(body, `,"nextCursor":`...), cursorAfter(keys[to-1]))
		}
		result, err := st.AppendObject(nil, append(body, '}'))
		if err != nil {
			return &pages{err: err}
		}
		start := ""
		if from > 0 {
			start = keys[from-1]
		}
		p.results, p.starts = append(p.results, result), append(p.starts, start)
	}
	return p
}

// A cursor names the last key of the page before, so that it keeps its place when entries come and go between two
// requests.
const cursorPrefix = "after:"

func cursorAfter(key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorPrefix + key))
}

// find returns the page that starts after the cursor's key, or -1. A key that is gone leads to the next page start
// that does not skip anything.
func (p *pages) find(cursor string) int {
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || strings.ContainsAny(cursor, "\r\n") || len(b) <= len(cursorPrefix) || string(b[:len(cursorPrefix)]) != cursorPrefix {
		return -1
	}
	key := string(b[len(cursorPrefix):])
	return max(0, sort.SearchStrings(p.starts, key+"\x00")-1)
}

// discover answers server/discover. MCP 2026-07-28, server/discover.
func (c *Conn) discover(r *Request) {
	if r.Params.Malformed() {
		c.fail(r, mcpproto.InvalidParams("params is not an object"), BadParams)
		return
	}
	s := c.server
	reg := s.reg.Load()
	slot := &reg.prebuilt[listDiscover][r.Version]
	p := slot.Load()
	if p == nil {
		p = s.buildDiscover(reg, r.Version)
		slot.Store(p)
	}
	c.replyPage(r, p, 0)
}

func (s *Server) buildDiscover(reg *registry, v mcpproto.Version) *pages {
	body := []byte(`{"supportedVersions":[`)
	for i, version := range mcpproto.ModernVersions() {
		if i > 0 {
			body = append(body, ',')
		}
		body = mcpproto.AppendString(body, version)
	}
	caps := s.capabilities(reg).For(v)
	body, err := mcpproto.AppendCapabilities(append(body, `],"capabilities":`...), &caps)
	if err != nil {
		return &pages{err: err}
	}
	if s.opts.Instructions != "" {
		body = mcpproto.AppendString(append(body, `,"instructions":`...), s.opts.Instructions)
	}
	body = append(body, '}')
	full, err := mcpproto.AppendImplementation(nil, &s.info)
	if err != nil {
		return &pages{err: err}
	}
	st := mcpproto.Stamp{Version: v, Server: full, Cache: s.cache}
	result, err := st.AppendObject(nil, jsontext.Value(body))
	return &pages{results: [][]byte{result}, err: err}
}
