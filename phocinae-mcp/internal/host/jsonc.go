package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// node is a JSON value with its place in the text. Offsets are bytes, end exclusive.
type node struct {
	kind       byte // '{', '[', '"', '0' (number), 't' (true, false, null)
	start, end int
	items      []item // of '{' and '['
	contentEnd int    // of '{' and '[': end of the last byte before the closing one that is no white space
	comments   bool   // of '{' and '[': a comment stands directly inside
}

// item is one member or element.
type item struct {
	key    string // of members
	start  int    // of the key, or of the value in arrays
	value  *node
	comma  int  // offset of the comma after it, -1 if there is none
	before int  // end of the last byte before start that is no white space
	slash  bool // what stands before is a line comment
	held   bool // a comment stands between the key and the comma, outside the value: it would go with the item
}

const (
	maxFile      = 16 << 20
	maxJSONDepth = 200
)

// parser reads JSON with comments and trailing commas, as the editors' own settings use it.
type parser struct {
	data      []byte
	pos       int
	last      int  // end of the last token or comment
	lastSlash bool // it was a line comment
	comments  int  // seen so far
}

var bom = []byte("\xef\xbb\xbf")

// parseJSONC returns the only value in data, or nil if there is nothing but white space and comments.
func parseJSONC(data []byte) (*node, error) {
	switch {
	case len(data) > maxFile:
		return nil, fmt.Errorf("larger than %d bytes", maxFile)
	case !utf8.Valid(data):
		return nil, errors.New("not valid UTF-8")
	}
	p := &parser{data: data}
	if bytes.HasPrefix(data, bom) {
		p.pos, p.last = len(bom), len(bom)
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.pos == len(data) {
		return nil, nil
	}
	n, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.pos != len(data) {
		return nil, p.errorf("text after the value")
	}
	return n, nil
}

func (p *parser) errorf(format string, args ...any) error {
	line := 1 + bytes.Count(p.data[:min(p.pos, len(p.data))], []byte("\n"))
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

// take moves past n bytes of a token.
func (p *parser) take(n int) {
	p.pos += n
	p.last, p.lastSlash = p.pos, false
}

// space moves past white space and comments.
func (p *parser) space() error {
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.pos++
		case c == '/' && p.pos+1 < len(p.data) && p.data[p.pos+1] == '/':
			n := bytes.IndexAny(p.data[p.pos:], "\r\n")
			if n < 0 {
				n = len(p.data) - p.pos
			}
			p.take(n)
			p.lastSlash = true
			p.comments++
		case c == '/' && p.pos+1 < len(p.data) && p.data[p.pos+1] == '*':
			n := bytes.Index(p.data[p.pos+2:], []byte("*/"))
			if n < 0 {
				return p.errorf("comment without an end")
			}
			p.take(n + 4)
			p.comments++
		default:
			return nil
		}
	}
	return nil
}

func (p *parser) value(depth int) (*node, error) {
	if depth > maxJSONDepth {
		return nil, p.errorf("nested more than %d levels deep", maxJSONDepth)
	}
	switch c := p.peek(); {
	case c == '{' || c == '[':
		return p.container(depth)
	case c == '"':
		return p.str()
	case p.pos == len(p.data):
		return nil, p.errorf("the value is missing")
	}
	return p.word()
}

func (p *parser) str() (*node, error) {
	n := &node{kind: '"', start: p.pos}
	for i := p.pos + 1; i < len(p.data); i++ {
		switch p.data[i] {
		case '\\':
			i++
		case '"':
			if !json.Valid(p.data[p.pos : i+1]) {
				return nil, p.errorf("bad string")
			}
			p.take(i + 1 - p.pos)
			n.end = p.pos
			return n, nil
		}
	}
	return nil, p.errorf("string without an end")
}

// word reads a number, true, false or null.
func (p *parser) word() (*node, error) {
	n := &node{kind: '0', start: p.pos}
	end := p.pos
	for end < len(p.data) && (p.data[end] >= '0' && p.data[end] <= '9' || p.data[end]|0x20 >= 'a' && p.data[end]|0x20 <= 'z' || bytes.IndexByte([]byte("+-."), p.data[end]) >= 0) {
		end++
	}
	if text := p.data[p.pos:end]; len(text) == 0 || !json.Valid(text) {
		return nil, p.errorf("unexpected %q", firstRune(p.data[p.pos:]))
	}
	if c := p.data[p.pos]; c >= 'a' && c <= 'z' {
		n.kind = 't'
	}
	p.take(end - p.pos)
	n.end = p.pos
	return n, nil
}

func firstRune(b []byte) string {
	_, n := utf8.DecodeRune(b)
	return string(b[:n])
}

func (p *parser) container(depth int) (*node, error) {
	n := &node{kind: p.peek(), start: p.pos}
	closing := byte('}')
	if n.kind == '[' {
		closing = ']'
	}
	p.take(1)
	seen := map[string]bool{}
	comments := 0 // directly inside, not further down
	gap := func() error {
		before := p.comments
		err := p.space()
		comments += p.comments - before
		return err
	}
	for {
		if err := gap(); err != nil {
			return nil, err
		}
		if p.peek() == closing {
			break
		}
		if k := len(n.items); k > 0 && n.items[k-1].comma < 0 {
			return nil, p.errorf("a comma is missing")
		}
		it := item{start: p.pos, comma: -1, before: p.last, slash: p.lastSlash}
		outside := comments
		if n.kind == '{' {
			if err := p.key(&it, seen, gap); err != nil {
				return nil, err
			}
		}
		var err error
		it.held = comments > outside
		if it.value, err = p.value(depth + 1); err != nil {
			return nil, err
		}
		outside = comments
		if err := gap(); err != nil {
			return nil, err
		}
		if p.peek() == ',' {
			it.held = it.held || comments > outside
			it.comma = p.pos
			p.take(1)
		}
		n.items = append(n.items, it)
	}
	n.contentEnd, n.comments = p.last, comments > 0
	p.take(1)
	n.end = p.pos
	return n, nil
}

func (p *parser) key(it *item, seen map[string]bool, gap func() error) error {
	if p.peek() != '"' {
		return p.errorf("a member's name is missing")
	}
	k, err := p.str()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(p.data[k.start:k.end], &it.key); err != nil {
		return p.errorf("bad name")
	}
	if seen[it.key] {
		return p.errorf("the name %q appears twice", it.key)
	}
	seen[it.key] = true
	if err := gap(); err != nil {
		return err
	}
	if p.peek() != ':' {
		return p.errorf("a colon is missing")
	}
	p.take(1)
	return gap()
}

// member returns the member of an object with that name, and its index; nil, -1 if there is none.
func (n *node) member(name string) (*node, int) {
	if n != nil && n.kind == '{' {
		for i, it := range n.items {
			if it.key == name {
				return it.value, i
			}
		}
	}
	return nil, -1
}

// text returns a string value; "" for anything else.
func (n *node) text(data []byte) string {
	var s string
	if n != nil && n.kind == '"' {
		_ = json.Unmarshal(data[n.start:n.end], &s) // the parser has checked it
	}
	return s
}
