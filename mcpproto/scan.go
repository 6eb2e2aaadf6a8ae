package mcpproto

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// What the strict decoder refuses is looked at once more by a plain scanner that knows only the grammar. It decides
// between "not one JSON value" and "legal JSON, but not for us", and finds the id to answer with. It does not
// recurse, so that depth costs nothing.

// deeperThan reports whether data nests more than limit levels. Few openers settle it without looking at strings.
func deeperThan(data []byte, limit int) bool {
	if bytes.Count(data, []byte{'{'})+bytes.Count(data, []byte{'['}) <= limit {
		return false
	}
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString:
			switch c {
			case '\\':
				i++
			case '"':
				inString = false
			}
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// outline is what the scanner learned about one legal JSON value.
type outline struct {
	kind    byte             // first byte of the value
	ids     []jsontext.Value // every top-level id
	methods []jsontext.Value // every top-level method
	parts   [][]byte         // elements of a top-level array
}

// identity returns the id and the method if each is there once and legal.
func (o *outline) identity() (id ID, method string) {
	if len(o.ids) == 1 && o.ids[0].IsValid() {
		id, _ = ParseID(o.ids[0])
	}
	if len(o.methods) == 1 && o.methods[0].IsValid() {
		method, _ = methodName(o.methods[0])
	}
	return id, method
}

// refuse classifies data that the strict decoder did not take. cause may be nil.
func refuse(data []byte, cause error) *DecodeError {
	o, err := scan(data)
	if err != nil {
		return &DecodeError{Code: CodeParse, Message: "not exactly one JSON value in UTF-8"}
	}
	e := &DecodeError{Code: CodeInvalidRequest}
	switch o.kind {
	case '[':
		e.Array, e.Message = true, "an array of messages is not accepted here"
	case '{':
		e.ID, e.Method = o.identity()
		e.Message = "a string holds a lone surrogate"
		if errors.Is(cause, jsontext.ErrDuplicateName) {
			e.Message = "a member name is repeated"
		}
	default:
		e.Message = "not a JSON object"
	}
	return e
}

func refuseDeep(data []byte) *DecodeError {
	e := &DecodeError{Code: CodeParse, Message: "nested too deep"}
	whole := bytes.Trim(data, " \t\r\n")
	if whole[0] != '{' || whole[len(whole)-1] != '}' {
		return e // certainly not one complete object: no need to read megabytes for an id
	}
	if o, err := scan(data); err == nil && o.kind == '{' {
		e.ID, e.Method = o.identity()
	}
	return e
}

func splitArray(data []byte) ([][]byte, error) {
	o, err := scan(data)
	switch {
	case err != nil:
		return nil, &DecodeError{Code: CodeParse, Message: "not exactly one JSON value in UTF-8"}
	case o.kind != '[':
		return nil, &DecodeError{Code: CodeInvalidRequest, Message: "not an array of messages"}
	case len(o.parts) == 0:
		return nil, &DecodeError{Code: CodeInvalidRequest, Array: true, Message: "empty array"}
	}
	return o.parts, nil
}

var errSyntax = errors.New("mcpproto: not JSON")

// scan checks that data is exactly one JSON value in valid UTF-8 and outlines it.
func scan(data []byte) (*outline, error) {
	if !utf8.Valid(data) {
		return nil, errSyntax
	}
	s := scanner{data: data}
	s.blanks()
	if s.pos == len(data) {
		return nil, errSyntax
	}
	s.out.kind = data[s.pos]
	if !s.value() {
		return nil, errSyntax
	}
	s.blanks()
	if s.pos != len(data) {
		return nil, errSyntax
	}
	return &s.out, nil
}

type scanner struct {
	data  []byte
	pos   int
	stack []byte // open '{' and '['
	out   outline
}

func (s *scanner) blanks() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// value reads one whole value, without recursion.
func (s *scanner) value() bool {
	name, start := "", 0 // of the member or element at the outermost level
	for {
		// a value starts here
		if len(s.stack) == 1 {
			start = s.pos
		}
		opened, ok := s.open()
		if !ok {
			return false
		}
		if opened {
			more, key, ok := s.first()
			if !ok {
				return false
			}
			if more {
				if len(s.stack) == 1 {
					name = key
				}
				continue
			}
		}
		// a value has ended here
		for {
			if len(s.stack) == 1 {
				s.note(name, s.data[start:s.pos])
			}
			if len(s.stack) == 0 {
				return true
			}
			more, key, ok := s.next()
			if !ok {
				return false
			}
			if more {
				if len(s.stack) == 1 {
					name = key
				}
				break
			}
		}
	}
}

func (s *scanner) note(name string, v []byte) {
	switch {
	case s.stack[0] == '[':
		s.out.parts = append(s.out.parts, v)
	case name == "id":
		s.out.ids = append(s.out.ids, v)
	case name == "method":
		s.out.methods = append(s.out.methods, v)
	}
}

// open reads a scalar, or the opening of an object or array (then opened is true).
func (s *scanner) open() (opened, ok bool) {
	if s.pos >= len(s.data) {
		return false, false
	}
	switch c := s.data[s.pos]; c {
	case '{', '[':
		s.pos++
		s.stack = append(s.stack, c)
		return true, true
	case '"':
		return false, s.str()
	case 't':
		return false, s.word("true")
	case 'f':
		return false, s.word("false")
	case 'n':
		return false, s.word("null")
	default:
		return false, s.number()
	}
}

// first follows an opening: it reads a closing (more is false), or leads to the first value.
func (s *scanner) first() (more bool, key string, ok bool) {
	s.blanks()
	if s.pos < len(s.data) && s.data[s.pos] == s.closer() {
		s.pos++
		s.stack = s.stack[:len(s.stack)-1]
		return false, "", true
	}
	key, ok = s.lead()
	return true, key, ok
}

// next follows a value: it reads a closing (more is false), or a comma and leads to the next value.
func (s *scanner) next() (more bool, key string, ok bool) {
	s.blanks()
	if s.pos >= len(s.data) {
		return false, "", false
	}
	switch s.data[s.pos] {
	case s.closer():
		s.pos++
		s.stack = s.stack[:len(s.stack)-1]
		return false, "", true
	case ',':
		s.pos++
		s.blanks()
		key, ok = s.lead()
		return true, key, ok
	}
	return false, "", false
}

func (s *scanner) closer() byte {
	if s.stack[len(s.stack)-1] == '{' {
		return '}'
	}
	return ']'
}

// lead reads name and colon inside an object, nothing inside an array.
func (s *scanner) lead() (key string, ok bool) {
	if s.stack[len(s.stack)-1] == '[' {
		return "", true
	}
	start := s.pos
	if s.pos >= len(s.data) || s.data[s.pos] != '"' || !s.str() {
		return "", false
	}
	if len(s.stack) == 1 {
		key, _ = unquote(jsontext.Value(s.data[start:s.pos]))
	}
	s.blanks()
	if s.pos >= len(s.data) || s.data[s.pos] != ':' {
		return "", false
	}
	s.pos++
	s.blanks()
	return key, true
}

func (s *scanner) word(w string) bool {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(w)) {
		return false
	}
	s.pos += len(w)
	return true
}

func (s *scanner) str() bool {
	for s.pos++; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return true
		case c < 0x20:
			return false
		case c == '\\':
			if !s.escape() {
				return false
			}
		}
	}
	return false
}

// escape reads what follows a backslash, leaving pos on its last byte.
func (s *scanner) escape() bool {
	s.pos++
	if s.pos >= len(s.data) {
		return false
	}
	switch s.data[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			s.pos++
			if s.pos >= len(s.data) || !isHex(s.data[s.pos]) {
				return false
			}
		}
		return true
	}
	return false
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (s *scanner) number() bool {
	s.accept('-')
	if s.accept('0') {
		return s.fraction()
	}
	return s.digits() && s.fraction()
}

func (s *scanner) fraction() bool {
	if s.accept('.') && !s.digits() {
		return false
	}
	if s.accept('e') || s.accept('E') {
		if !s.accept('+') {
			s.accept('-')
		}
		return s.digits()
	}
	return true
}

func (s *scanner) accept(c byte) bool {
	if s.pos < len(s.data) && s.data[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}
