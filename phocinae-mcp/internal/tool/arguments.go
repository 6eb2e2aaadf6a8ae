package tool

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Limits of the tools' arguments, in characters (code points) or items.
const (
	maxText   = 20_000
	maxDir    = 4096
	maxServer = 2048
	maxItems  = 100
	maxItem   = 2000
)

// violation is one thing wrong with a call's arguments.
type violation struct {
	Pointer  string `json:"pointer"` // JSON pointer into the arguments; "" is the arguments themselves
	Found    string `json:"found"`
	Expected string `json:"expected"`
}

// field describes one argument: it makes the input schema and checks the value.
type field struct {
	name     string
	help     string
	list     bool // array of strings, else string
	required bool
	notBlank bool
	max      int // characters of the string
	check    func(string) (expected string, ok bool)
	text     *string   // where a string goes
	items    *[]string // where a list goes
}

const (
	maxViolations = 40  // told; the rest is counted
	maxNameShown  = 100 // bytes of an unknown member's name
)

// parseArguments reads raw, one JSON object or nothing, into the fields' targets and tells everything that is wrong.
// The targets hold nothing useful if anything is.
func parseArguments(raw jsontext.Value, fields []field) []violation {
	var out []violation
	seen := make([]bool, len(fields))
	if len(raw) > 0 && string(raw) != "null" {
		out = readMembers(raw, fields, seen)
	}
	for i, f := range fields {
		if f.required && !seen[i] {
			out = append(out, violation{pointer(f.name), "missing", f.expected()})
		}
	}
	return out
}

func readMembers(raw jsontext.Value, fields []field, seen []bool) (out []violation) {
	if raw.Kind() != '{' {
		return []violation{{"", kindOf(raw), "an object with " + names(fields)}}
	}
	in := readers.Get().(*memberReader)
	defer readers.Put(in)
	d := in.reset(raw)
	if _, err := d.ReadToken(); err != nil {
		return []violation{{"", "malformed JSON", "one object"}}
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return append(out, violation{"", "malformed JSON", "one object"})
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return append(out, violation{pointer(name), "malformed JSON", "one value"})
		}
		i := index(fields, name)
		if i < 0 {
			out = append(out, violation{pointer(name), "unknown member", "only " + names(fields)})
			continue
		}
		seen[i] = true
		out = append(out, fields[i].read(value)...)
	}
	if _, err := d.ReadToken(); err != nil {
		return append(out, violation{"", "malformed JSON", "one object"})
	}
	return out
}

// memberReader is a decoder that is used again: making one costs more than reading a call's arguments. Nothing that is kept
// points into what it reads.
type memberReader struct {
	text bytes.Buffer
	d    jsontext.Decoder
}

var readers = sync.Pool{New: func() any { return new(memberReader) }}

func (r *memberReader) reset(raw jsontext.Value) *jsontext.Decoder {
	r.text = *bytes.NewBuffer(raw) // the decoder reads a buffer's bytes in place
	r.d.Reset(&r.text)
	return &r.d
}

func index(fields []field, name string) int {
	for i := range fields {
		if fields[i].name == name {
			return i
		}
	}
	return -1
}

func names(fields []field) string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return strings.Join(out, ", ")
}

// read checks one value and stores it.
func (f *field) read(value jsontext.Value) []violation {
	if f.list {
		return f.readList(value)
	}
	s, v := f.readString(-1, value, f.max)
	if v != nil {
		return []violation{*v}
	}
	*f.text = s
	return nil
}

func (f *field) readList(value jsontext.Value) (out []violation) {
	if value.Kind() != '[' {
		return []violation{{pointer(f.name), kindOf(value), f.expected()}}
	}
	var raws []jsontext.Value
	if err := json.Unmarshal(value, &raws); err != nil {
		return []violation{{pointer(f.name), "malformed JSON", f.expected()}}
	}
	if len(raws) < 1 || len(raws) > maxItems {
		return []violation{{pointer(f.name), fmt.Sprintf("array of %d items", len(raws)), f.expected()}}
	}
	list := make([]string, len(raws))
	for i, raw := range raws {
		s, v := f.readString(i, raw, maxItem)
		if v != nil {
			out = append(out, *v)
		}
		list[i] = s
	}
	*f.items = list
	return out
}

// unquoted is the text of a JSON string, which a decoder has read. Most have no escapes.
func unquoted(value jsontext.Value) (string, error) {
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), nil
	}
	b, err := jsontext.AppendUnquote(make([]byte, 0, len(value)), value)
	return string(b), err
}

// readString checks one string against the field's rules. item is its index in a list, negative for a string of its own.
func (f *field) readString(item int, value jsontext.Value, most int) (string, *violation) {
	wrong := func(found, expected string) (string, *violation) {
		at := pointer(f.name)
		if item >= 0 {
			at += "/" + strconv.Itoa(item)
		}
		return "", &violation{at, found, expected}
	}
	if value.Kind() != '"' {
		return wrong(kindOf(value), f.expectedString(most))
	}
	s, err := unquoted(value)
	if err != nil {
		return wrong("string with a lone surrogate or bad UTF-8", f.expectedString(most))
	}
	n := utf8.RuneCountInString(s)
	switch {
	case n > most:
		return wrong(fmt.Sprintf("string of %d characters", n), f.expectedString(most))
	case n == 0:
		return wrong("empty string", f.expectedString(most))
	case f.notBlank && strings.TrimSpace(s) == "":
		return wrong("blank string", f.expectedString(most))
	case strings.ContainsRune(s, 0):
		return wrong("string with a NUL character", f.expectedString(most)+" without NUL")
	}
	if f.check != nil {
		if want, ok := f.check(s); !ok {
			return wrong("string "+shown(s), want)
		}
	}
	return s, nil
}

// expected says what the field's value must be.
func (f *field) expected() string {
	if f.list {
		return fmt.Sprintf("array of 1 to %d strings, each 1 to %d characters and not blank", maxItems, maxItem)
	}
	return f.expectedString(f.max)
}

func (f *field) expectedString(most int) string {
	s := fmt.Sprintf("string of 1 to %d characters", most)
	if f.notBlank {
		s += ", not blank"
	}
	return s
}

func kindOf(value jsontext.Value) string {
	switch value.Kind() {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '0':
		return "number"
	case '{':
		return "object"
	case '[':
		return "array"
	}
	return "nothing"
}

// pointer makes a JSON pointer of one name. RFC 6901, section 3.
func pointer(name string) string {
	if len(name) > maxNameShown {
		cut := maxNameShown
		for cut > 0 && !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut] + "…"
	}
	return "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// shown quotes a wrong value, cut to a length that does not drown the message.
func shown(s string) string {
	const most = 80
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// list writes violations as one line for an error message.
func listed(all []violation) string {
	var b strings.Builder
	for i, v := range limited(all) {
		if i > 0 {
			b.WriteString("; ")
		}
		at := v.Pointer
		if at == "" {
			at = "arguments"
		}
		fmt.Fprintf(&b, "%s: found %s, expected %s", at, v.Found, v.Expected)
	}
	if more := len(all) - maxViolations; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

func limited(all []violation) []violation {
	if len(all) > maxViolations {
		return all[:maxViolations]
	}
	return all
}

// schemaOf makes the input schema from the fields, so that what is declared and what is checked cannot differ.
func schemaOf(fields []field) jsontext.Value {
	b := make([]byte, 0, 1024)
	b = append(b, `{"type":"object","properties":{`...)
	for i, f := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, f.name)
		if f.list {
			b = appendText(append(b, `:{"type":"array","description":`...), f.help)
			b = strconv.AppendInt(append(b, `,"minItems":1,"maxItems":`...), maxItems, 10)
			b = strconv.AppendInt(append(b, `,"items":{"type":"string","minLength":1,"maxLength":`...), maxItem, 10)
			b = append(b, `}}`...)
			continue
		}
		b = appendText(append(b, `:{"type":"string","description":`...), f.help)
		b = strconv.AppendInt(append(b, `,"minLength":1,"maxLength":`...), int64(f.max), 10)
		b = append(b, '}')
	}
	b = append(b, `},"required":[`...)
	first := true
	for _, f := range fields {
		if f.required {
			if !first {
				b = append(b, ',')
			}
			b, first = appendText(b, f.name), false
		}
	}
	return append(b, `],"additionalProperties":false}`...)
}

// text writes s as a JSON string.
func text(s string) string { return string(appendText(nil, s)) }

// appendText appends s, a constant of this package, as a JSON string.
func appendText(dst []byte, s string) []byte {
	dst, err := jsontext.AppendQuote(dst, s)
	if err != nil {
		panic("tool: own text is not UTF-8: " + err.Error())
	}
	return dst
}

// absolute reports whether dir is an absolute path of any system: the client may run elsewhere.
func absolute(dir string) (expected string, ok bool) {
	const want = "an absolute path"
	letter := len(dir) >= 3 && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/') && (dir[0]|0x20 >= 'a' && dir[0]|0x20 <= 'z')
	return want, strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, `\\`) || letter
}
