package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// object is a JSON object to be written, in order. Values are string, int, bool, []any and object.
type object []member

type member struct {
	key   string
	value any
}

// step is one part of a path: a member's name, or an element's index if name is "".
type step struct {
	name  string
	index int
}

func names2steps(path ...string) []step {
	steps := make([]step, len(path))
	for i, name := range path {
		steps[i].name = name
	}
	return steps
}

// find follows path from n; nil if it leads nowhere.
func (n *node) find(path []step) *node {
	for _, s := range path {
		switch {
		case n == nil:
			return nil
		case s.name != "":
			n, _ = n.member(s.name)
		case n.kind == '[' && s.index < len(n.items):
			n = n.items[s.index].value
		default:
			return nil
		}
	}
	return n
}

// splice is one replacement of data[start:end].
type splice struct {
	start, end int
	text       string
}

// apply does all splices; they do not overlap and come in order.
func apply(data []byte, splices ...splice) []byte {
	var b bytes.Buffer
	pos := 0
	for _, s := range splices {
		b.Write(data[pos:s.start])
		b.WriteString(s.text)
		pos = s.end
	}
	b.Write(data[pos:])
	return b.Bytes()
}

// style is how a file is laid out.
type style struct {
	newline string
	unit    string // one level of indentation
}

func styleOf(data []byte, root *node) style {
	s := style{newline: "\n", unit: "  "}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		s.newline = "\r\n"
	}
	if in, own := root.itemIndent(data); own {
		s.unit = strings.TrimPrefix(in, indentAt(data, root.start))
	}
	if s.unit == "" {
		s.unit = "  "
	}
	return s
}

// itemIndent returns the indentation of the first item of a container, and whether it starts on a line below the opening bracket.
func (n *node) itemIndent(data []byte) (indent string, own bool) {
	if n == nil || len(n.items) == 0 || !bytes.ContainsRune(data[n.start:n.items[0].start], '\n') {
		return "", false
	}
	return indentAt(data, n.items[0].start), true
}

// indentAt returns the white space at the head of the line that holds pos.
func indentAt(data []byte, pos int) string {
	start := bytes.LastIndexByte(data[:pos], '\n') + 1
	line := bytes.TrimPrefix(data[start:pos], bom)
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// render writes v; indent is that of the line v starts on. inline keeps it on one line.
func (s style) render(v any, indent string, inline bool) string {
	open := s.newline + indent + s.unit
	closing := s.newline + indent
	if inline {
		open, closing = "", ""
	}
	join := "," + open
	if inline {
		join = ", "
	}
	switch v := v.(type) {
	case object:
		if len(v) == 0 {
			return "{}"
		}
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = quoteJSON(m.key) + ": " + s.render(m.value, indent+s.unit, inline)
		}
		return "{" + open + strings.Join(parts, join) + closing + "}"
	case []any:
		if allScalars(v) {
			open, closing, join = "", "", ", "
		}
		if len(v) == 0 {
			return "[]"
		}
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = s.render(e, indent+s.unit, inline)
		}
		return "[" + open + strings.Join(parts, join) + closing + "]"
	case string:
		return quoteJSON(v)
	}
	return fmt.Sprint(v) // int and bool
}

func allScalars(list []any) bool {
	for _, v := range list {
		switch v.(type) {
		case object, []any:
			return false
		}
	}
	return true
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // strings always encode
	return strings.TrimSuffix(b.String(), "\n")
}

// insert adds v at the end of the container at path: as the member key of an object, or (key "") as an element of an array.
func insert(data []byte, path []step, key string, v any) ([]byte, error) {
	root, err := parseJSONC(data)
	if err != nil {
		return nil, err
	}
	n := root.find(path)
	if n == nil || n.kind != '{' && n.kind != '[' || (n.kind == '{') != (key != "") {
		return nil, errors.New("no place to insert at")
	}
	s := styleOf(data, root)
	inside := data[n.start:n.end]
	// One line stays one line, except that an empty container may open up in a file that has lines at all, or is nothing else.
	inline := !bytes.ContainsAny(inside, "\r\n") && (len(n.items) > 0 || len(path) > 0 && !bytes.ContainsAny(bytes.TrimRight(data, "\r\n"), "\r\n"))
	indent := indentAt(data, n.start)
	itemIndent := indent + s.unit
	if in, own := n.itemIndent(data); own {
		itemIndent = in
	}
	text := s.render(v, itemIndent, inline)
	if key != "" {
		text = quoteJSON(key) + ": " + text
	}

	var splices []splice
	if k := len(n.items); k > 0 {
		if last := n.items[k-1]; last.comma >= 0 {
			text += ","
		} else {
			splices = append(splices, splice{last.value.end, last.value.end, ","})
		}
	}
	switch {
	case inline && len(n.items) > 0:
		text = " " + text
	case !inline:
		text = s.newline + itemIndent + text
		if !bytes.ContainsAny(data[n.contentEnd:n.end-1], "\r\n") {
			text += s.newline + indent
		}
	}
	splices = append(splices, splice{n.contentEnd, n.contentEnd, text})
	return checked(apply(data, splices...))
}

// remove takes out the item with that index from the container at path.
func remove(data []byte, path []step, index int) ([]byte, error) {
	root, err := parseJSONC(data)
	if err != nil {
		return nil, err
	}
	n := root.find(path)
	if n == nil || index < 0 || index >= len(n.items) {
		return nil, errors.New("nothing to remove there")
	}
	it := n.items[index]
	cut := splice{start: it.before, end: it.value.end}
	if it.comma >= 0 {
		cut.end = it.comma + 1
	}
	if it.slash && !startsLine(data[cut.end:]) {
		// What follows would become part of the line comment before.
		nl := bytes.IndexByte(data[cut.start:it.start], '\n')
		cut.start += nl + 1
	}
	splices := []splice{cut}
	last := index == len(n.items)-1
	if last && index > 0 && it.comma < 0 {
		comma := n.items[index-1].comma
		splices = []splice{{start: comma, end: comma + 1}, cut}
		if cut.start <= comma+1 {
			splices = []splice{{start: comma, end: cut.end}}
		}
	}
	if len(n.items) == 1 && !n.comments {
		splices = []splice{{start: n.start + 1, end: n.end - 1}}
	}
	return checked(apply(data, splices...))
}

// startsLine reports that nothing but blanks stands before the next line end.
func startsLine(b []byte) bool {
	b = bytes.TrimLeft(b, " \t")
	return len(b) == 0 || b[0] == '\n' || b[0] == '\r'
}

// replace puts v in the place of the value at path.
func replace(data []byte, path []step, v any) ([]byte, error) {
	root, err := parseJSONC(data)
	if err != nil {
		return nil, err
	}
	n := root.find(path)
	if n == nil {
		return nil, errors.New("nothing to replace there")
	}
	s := styleOf(data, root)
	inline := !bytes.ContainsAny(data[n.start:n.end], "\r\n")
	return checked(apply(data, splice{n.start, n.end, s.render(v, indentAt(data, n.start), inline)}))
}

// checked refuses an edit that broke the file, which would be a mistake of this package.
func checked(data []byte) ([]byte, error) {
	if _, err := parseJSONC(data); err != nil {
		return nil, fmt.Errorf("the edit would break the file: %w", err)
	}
	return data, nil
}

// ensure makes sure that the value at the end of path exists with the given kind, creating objects on the way.
func ensure(data []byte, path []string, kind byte) ([]byte, error) {
	for i := range path {
		root, err := parseJSONC(data)
		if err != nil {
			return nil, err
		}
		want := byte('{')
		if i == len(path)-1 {
			want = kind
		}
		here := names2steps(path[:i+1]...)
		n := root.find(here)
		if n != nil {
			if n.kind != want {
				return nil, fmt.Errorf("%s is not %s", strings.Join(path[:i+1], "."), map[byte]string{'{': "an object", '[': "an array"}[want])
			}
			continue
		}
		var v any = object{}
		if want == '[' {
			v = []any{}
		}
		if data, err = insert(data, here[:i], path[i], v); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// rooted makes sure that the file holds an object. A file with nothing but white space and comments keeps them at its head.
func rooted(data []byte) ([]byte, error) {
	root, err := parseJSONC(data)
	switch {
	case err != nil:
		return nil, err
	case root == nil:
		s := styleOf(data, nil)
		sep := ""
		if len(bytes.TrimSpace(bytes.TrimPrefix(data, bom))) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
			sep = s.newline
		}
		return append(bytes.Clone(data), sep+"{}"+s.newline...), nil
	case root.kind != '{':
		return nil, errors.New("it does not hold an object")
	}
	return data, nil
}

// prune removes the containers on path that are empty, innermost first, and stops at the first that is not, or that would take a comment with it.
func prune(data []byte, path []string) ([]byte, error) {
	for i := len(path); i > 0; i-- {
		root, err := parseJSONC(data)
		if err != nil {
			return nil, err
		}
		n := root.find(names2steps(path[:i]...))
		if n == nil || len(n.items) > 0 || n.comments {
			return data, nil
		}
		parent := names2steps(path[:i-1]...)
		holder := root.find(parent)
		_, index := holder.member(path[i-1])
		if holder.items[index].held {
			return data, nil
		}
		if data, err = remove(data, parent, index); err != nil {
			return nil, err
		}
	}
	return data, nil
}
