package mcpproto

import (
	"fmt"
	"math"
	"strconv"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// Object writes one JSON object member by member, for answers that are made so often that reflection counts. What it
// writes has the form of [Marshal]: one line, valid UTF-8, no character that some reader takes for a line end. The caller
// sees to it that no name comes twice. The zero value is an empty object; an Object is for one goroutine.
type Object struct {
	buf []byte
	err error
}

// NewObject returns an empty object that is written into the memory of buf, which belongs to it from then on.
func NewObject(buf []byte) *Object { return &Object{buf: append(buf[:0], '{')} }

// String adds a member that is a string. Bytes that are not UTF-8 become U+FFFD.
func (o *Object) String(name, value string) {
	o.member(name)
	o.buf = appendString(o.buf, value, false)
}

// Int adds a member that is a whole number.
func (o *Object) Int(name string, value int) {
	o.member(name)
	o.buf = strconv.AppendInt(o.buf, int64(value), 10)
}

// Float adds a member that is a number. An infinite one or none at all makes the object unusable: see [Object.Result].
func (o *Object) Float(name string, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		o.err = fmt.Errorf("mcpproto: member %q: %v is no JSON number", name, value)
		return
	}
	o.member(name)
	o.buf = append(o.buf, jsontext.Float(value).String()...)
}

// List adds a member that is an array of n objects. element writes the i-th into the Object that it is given, which is o.
func (o *Object) List(name string, n int, element func(i int, o *Object)) {
	o.member(name)
	o.buf = append(o.buf, '[')
	for i := range n {
		if i > 0 {
			o.buf = append(o.buf, ',')
		}
		o.buf = append(o.buf, '{')
		element(i, o)
		o.buf = append(o.buf, '}')
	}
	o.buf = append(o.buf, ']')
}

func (o *Object) member(name string) {
	if len(o.buf) == 0 {
		o.buf = append(o.buf, '{')
	}
	if o.buf[len(o.buf)-1] != '{' {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(appendString(o.buf, name, false), ':')
}

// Result closes the object and returns the [StructuredResult] of it, and the memory it was written into, for the next one.
// It fails if the object holds what JSON cannot express. The result's text and its structured content share memory: replace
// what is not to be sent, do not write into it.
func (o *Object) Result() (r *ToolResult, buf []byte, err error) {
	if o.err != nil {
		return nil, o.buf, o.err
	}
	if len(o.buf) == 0 {
		o.buf = append(o.buf, '{')
	}
	o.buf = append(o.buf, '}')
	whole := &struct {
		result  ToolResult
		content [1]Content
	}{}
	line := append(jsontext.Value(nil), o.buf...)
	whole.content[0] = Text(unsafe.String(&line[0], len(line))) //nolint:gosec // line is never changed from here on
	whole.result = ToolResult{Content: whole.content[:], Structured: line, line: line}
	return &whole.result, o.buf, nil
}
