package mcpproto

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Headers of the modern Streamable HTTP transport.
// MCP 2026-07-28, basic/transports/streamable-http, "Server Validation".
const (
	HeaderVersion     = "Mcp-Protocol-Version"
	HeaderMethod      = "Mcp-Method"
	HeaderName        = "Mcp-Name"
	HeaderParamPrefix = "Mcp-Param-"
	HeaderSession     = "Mcp-Session-Id" // legacy
)

const (
	sentinelHead = "=?base64?"
	sentinelTail = "?="
)

// EncodeHeaderValue returns s as a header value: itself if it is plain visible text, otherwise base64 between the
// sentinels.
func EncodeHeaderValue(s string) string {
	plain := s == trimBlanks(s) && !isSentinel(s)
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] == '\t' || s[i] >= 0x20 && s[i] <= 0x7e
	}
	if plain {
		return s
	}
	return sentinelHead + base64.StdEncoding.EncodeToString([]byte(s)) + sentinelTail
}

// DecodeHeaderValue returns what a header value stands for: blanks around it are dropped, a value between both
// sentinels is decoded strictly (padding, alphabet, UTF-8), and half a sentinel is plain text.
func DecodeHeaderValue(v string) (string, error) {
	v = trimBlanks(v)
	if !isSentinel(v) {
		return v, nil
	}
	b, err := base64.StdEncoding.Strict().DecodeString(v[len(sentinelHead) : len(v)-len(sentinelTail)])
	if err != nil || !utf8.Valid(b) || strings.ContainsAny(v, "\r\n") { // base64 would skip line ends
		return "", fmt.Errorf("mcpproto: header value is not base64 of UTF-8")
	}
	return string(b), nil
}

func isSentinel(s string) bool {
	return len(s) >= len(sentinelHead)+len(sentinelTail) &&
		strings.HasPrefix(s, sentinelHead) && strings.HasSuffix(s, sentinelTail)
}

// CheckVersionHeader compares the version header with the revision that _meta names; a missing, repeated or
// different one is -32020.
func CheckVersionHeader(h HeaderSource, metaVersion string) *Error {
	got, e := oneHeader(h, HeaderVersion)
	if e != nil {
		return e
	}
	if trimBlanks(got) != metaVersion {
		return HeaderMismatch("header %s differs from %q in params._meta", HeaderVersion, KeyProtocolVersion)
	}
	return nil
}

// CheckMirrors compares Mcp-Method with the method and, for tools/call, prompts/get and resources/read, Mcp-Name with
// params.name or params.uri. A missing, repeated or different header is -32020. Other methods need no Mcp-Name.
func CheckMirrors(h HeaderSource, m *Message) *Error {
	got, e := oneHeader(h, HeaderMethod)
	if e != nil {
		return e
	}
	if v, err := DecodeHeaderValue(got); err != nil || v != m.Method {
		return HeaderMismatch("header %s differs from method", HeaderMethod)
	}
	member := mirroredMember(m.Method)
	if member == "" {
		return nil
	}
	want, present, ok := m.Params.Text(member)
	if !present || !ok {
		return nil // malformed params: -32602 comes later and says more
	}
	if got, e = oneHeader(h, HeaderName); e != nil {
		return e
	}
	if v, err := DecodeHeaderValue(got); err != nil || v != want {
		return HeaderMismatch("header %s differs from params.%s", HeaderName, member)
	}
	return nil
}

func mirroredMember(method string) string {
	switch method {
	case MethodToolsCall, MethodPromptsGet:
		return "name"
	case MethodResourcesRead:
		return "uri"
	}
	return ""
}

func oneHeader(h HeaderSource, name string) (string, *Error) {
	switch v := headerValues(h, name); len(v) {
	case 0:
		return "", HeaderMismatch("header %s is missing", name)
	case 1:
		return v[0], nil
	}
	return "", HeaderMismatch("header %s is repeated", name)
}

// ParamHeader says that one argument of a tool is mirrored in a header, by the x-mcp-header annotation of its schema.
type ParamHeader struct {
	Header string   // whole header name, such as "Mcp-Param-Region"
	Path   []string // names from the root of the arguments to the value
	Type   string   // "string", "integer", "number" or "boolean"
}

// ParamHeaders returns the annotations of an input schema, in the order of their header names' first appearance.
// An annotation must be a non-empty HTTP token, unique whatever the case, on a property of type string, integer,
// number or boolean that is reached through "properties" alone; everything else is an error, since clients drop a
// tool that breaks these rules.
// MCP 2026-07-28, basic/transports/streamable-http, "Custom Headers from Tool Parameters".
func ParamHeaders(inputSchema jsontext.Value) ([]ParamHeader, error) {
	if !bytes.Contains(inputSchema, []byte(annotation)) && !bytes.Contains(inputSchema, []byte(`\u`)) && inputSchema.IsValid() {
		return nil, nil // the word is nowhere, not even escaped
	}
	var root any
	if err := json.Unmarshal(inputSchema, &root); err != nil {
		return nil, fmt.Errorf("mcpproto: input schema: %w", err)
	}
	w := annotationWalk{seen: map[string]bool{}}
	w.schema(root, nil, true)
	if w.err != nil {
		return nil, w.err
	}
	return w.found, nil
}

const annotation = "x-mcp-header"

type annotationWalk struct {
	found []ParamHeader
	seen  map[string]bool
	err   error
}

// schema visits one schema; path is how its value is reached, direct whether that is through properties alone.
func (w *annotationWalk) schema(node any, path []string, direct bool) {
	s, ok := node.(map[string]any)
	if !ok {
		return
	}
	if raw, ok := s[annotation]; ok {
		w.annotated(raw, s["type"], path, direct)
	}
	for _, key := range sortedKeys(s) {
		switch v := s[key]; key {
		case annotation, "const", "enum", "default", "examples":
		case "properties":
			w.named(v, path, direct)
		case "patternProperties", "$defs", "definitions", "dependentSchemas":
			w.named(v, path, false)
		default:
			w.inner(v, path)
		}
	}
}

func (w *annotationWalk) named(node any, path []string, direct bool) {
	m, ok := node.(map[string]any)
	if !ok {
		return
	}
	for _, name := range sortedKeys(m) {
		w.schema(m[name], append(path[:len(path):len(path)], name), direct)
	}
}

// inner visits what stands under any other keyword: a schema, a list of schemas, or plain data.
func (w *annotationWalk) inner(node any, path []string) {
	if list, ok := node.([]any); ok {
		for _, v := range list {
			w.schema(v, path, false)
		}
		return
	}
	w.schema(node, path, false)
}

func (w *annotationWalk) annotated(raw, typ any, path []string, direct bool) {
	name, ok := raw.(string)
	kind, _ := typ.(string)
	switch {
	case w.err != nil:
	case !ok || !isToken(name):
		w.err = fmt.Errorf("mcpproto: %s %v is not an HTTP token", annotation, raw)
	case !direct || len(path) == 0:
		w.err = fmt.Errorf("mcpproto: %s %q is not reached through properties alone", annotation, name)
	case kind != "string" && kind != "integer" && kind != "number" && kind != "boolean":
		w.err = fmt.Errorf("mcpproto: %s %q is on a property that is no string, integer, number or boolean",
			annotation, name)
	case w.seen[strings.ToLower(name)]:
		w.err = fmt.Errorf("mcpproto: %s %q is used twice", annotation, name)
	default:
		w.seen[strings.ToLower(name)] = true
		w.found = append(w.found, ParamHeader{HeaderParamPrefix + name, path, kind})
	}
}

func isToken(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(s[i])) {
			return false
		}
	}
	return s != ""
}

// CheckParamHeaders compares the mirrored headers of one call with its arguments. A header that is missing, repeated,
// badly encoded or different is -32020, and so is one whose argument is absent or null. Integers compare as numbers:
// 42.0 equals 42.
func CheckParamHeaders(h HeaderSource, arguments jsontext.Value, mirrored []ParamHeader) *Error {
	for i := range mirrored {
		if e := mirrored[i].check(h, arguments); e != nil {
			return e
		}
	}
	return nil
}

func (p *ParamHeader) check(h HeaderSource, arguments jsontext.Value) *Error {
	values := headerValues(h, p.Header)
	raw := valueAt(arguments, p.Path)
	if raw == nil || raw.Kind() == 'n' {
		if len(values) > 0 {
			return HeaderMismatch("header %s mirrors an argument that is absent", p.Header)
		}
		return nil
	}
	got, e := oneHeader(h, p.Header)
	if e != nil {
		return e
	}
	v, err := DecodeHeaderValue(got)
	if err != nil {
		return HeaderMismatch("header %s is not properly encoded", p.Header)
	}
	if !p.equal(v, raw) {
		return HeaderMismatch("header %s differs from the argument", p.Header)
	}
	return nil
}

func (p *ParamHeader) equal(header string, raw jsontext.Value) bool {
	switch raw.Kind() {
	case '"':
		s, ok := unquote(raw)
		return ok && s == header
	case '0':
		return header == string(raw) || sameNumber(header, string(raw))
	case 't', 'f':
		return header == string(raw)
	}
	return false // an object or array: never mirrored
}

// sameNumber compares two JSON numbers by value, exactly.
func sameNumber(a, b string) bool {
	if jsontext.Value(a).Kind() != '0' || !jsontext.Value(a).IsValid() {
		return false
	}
	ma, ea, oka := decimal(a)
	mb, eb, okb := decimal(b)
	return oka && okb && ma == mb && ea == eb
}

// decimal splits a JSON number into signed digits without outer zeros and a power of ten.
func decimal(s string) (mant string, exp int, ok bool) {
	neg := strings.HasPrefix(s, "-")
	m, e, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(s, "-")), "e")
	exp, ok = smallInt(e)
	whole, frac, _ := strings.Cut(m, ".")
	digits := strings.TrimLeft(whole+frac, "0")
	trimmed := strings.TrimRight(digits, "0")
	if trimmed == "" {
		return "", 0, ok
	}
	exp += len(digits) - len(trimmed) - len(frac)
	if neg {
		trimmed = "-" + trimmed
	}
	return trimmed, exp, ok
}

// valueAt follows names through nested objects; nil if there is nothing.
func valueAt(raw jsontext.Value, path []string) jsontext.Value {
	for _, name := range path {
		var m map[string]jsontext.Value
		if !isObject(raw) || json.Unmarshal(raw, &m) != nil {
			return nil
		}
		raw = m[name]
	}
	return raw
}
