package mcpproto

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Keys of _meta that the protocol defines. MCP 2026-07-28, schema, "RequestMetaObject".
const (
	KeyProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	KeyClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	KeyClientInfo         = "io.modelcontextprotocol/clientInfo"
	KeyLogLevel           = "io.modelcontextprotocol/logLevel"
	KeyServerInfo         = "io.modelcontextprotocol/serverInfo"
	KeySubscriptionID     = "io.modelcontextprotocol/subscriptionId"
)

// RequestMeta is what _meta of one request says, checked.
type RequestMeta struct {
	Version       Version // zero for a legacy request: the revision comes from the handshake
	Client        Implementation
	Capabilities  *ClientCapabilities // never nil for a modern request
	LogLevel      LogLevel            // "" means: send no log messages for this request
	ProgressToken ID                  // zero means: send no progress
	Trace         Trace
}

// Trace is the trace context of a request, as it came. It is not validated; treat it as text from a stranger.
// MCP 2026-07-28, basic, "_meta"; W3C Trace Context.
type Trace struct {
	Parent  string // traceparent
	State   string // tracestate
	Baggage string
}

type traceKey struct{}

// ContextWithTrace returns a context that carries t.
func ContextWithTrace(ctx context.Context, t Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// TraceFrom returns the trace context of the request that ctx belongs to; zero if it had none.
func TraceFrom(ctx context.Context) Trace {
	t, _ := ctx.Value(traceKey{}).(Trace)
	return t
}

// MetaVersion returns the revision that a modern request names in _meta, as text. A missing one, or one that is not
// a string, is -32602.
func (m *Message) MetaVersion() (string, *Error) {
	meta := &m.Params.meta
	if meta.bad {
		return "", InvalidParams("params._meta is not an object")
	}
	if meta.version == nil {
		return "", InvalidParams("params._meta lacks %q; a client of an earlier revision starts with %q",
			KeyProtocolVersion, MethodInitialize)
	}
	s, ok := unquote(meta.version)
	if !ok {
		return "", InvalidParams("%q is not a string", KeyProtocolVersion)
	}
	return s, nil
}

// ParseModern returns the modern revision that text names; any other text, the legacy revisions included, is -32022.
func ParseModern(text string) (Version, *Error) {
	if v, ok := ParseVersion(text); ok && v.Era() == Modern {
		return v, nil
	}
	return 0, UnsupportedVersion(text)
}

// RequestMeta checks and returns what _meta of a request says, except its revision (see [Message.MetaVersion]).
// For a modern request, clientCapabilities must be there and be an object, and clientInfo and logLevel must be legal
// if they are there; otherwise it is -32602. For a legacy request only the progress token and the trace count.
// cache may be nil; see [MetaCache].
func (m *Message) RequestMeta(era Era, cache *MetaCache) (RequestMeta, *Error) {
	meta := &m.Params.meta
	r := RequestMeta{Trace: meta.traceContext()}
	seldom := meta.seldom()
	if seldom.progress != nil {
		r.ProgressToken, _ = ParseID(seldom.progress)
	}
	if era != Modern {
		return r, nil
	}
	if meta.capabilities == nil {
		return r, InvalidParams("params._meta lacks %q", KeyClientCapabilities)
	}
	if e := cache.read(meta, &r); e != nil {
		return r, e
	}
	if seldom.logLevel != nil {
		s, _ := unquote(seldom.logLevel)
		if r.LogLevel = LogLevel(s); r.LogLevel.Rank() == 0 {
			return r, InvalidParams("%q is not a log level", KeyLogLevel)
		}
	}
	return r, nil
}

func (m *Meta) traceContext() (t Trace) {
	trace := m.seldom().trace
	t.Parent, _ = unquote(trace[0])
	t.State, _ = unquote(trace[1])
	t.Baggage, _ = unquote(trace[2])
	return t
}

// ParseCapabilities decodes declared client capabilities; anything but an object, or a known member of the wrong
// type, is -32602.
func ParseCapabilities(raw jsontext.Value) (*ClientCapabilities, *Error) {
	c := new(ClientCapabilities)
	if string(raw) == "{}" {
		return c, nil
	}
	if !isObject(raw) || json.Unmarshal(raw, c) != nil {
		return nil, InvalidParams("client capabilities are malformed")
	}
	return c, nil
}

// ParseImplementation decodes a client's name and version; anything but an object with texts is -32602.
func ParseImplementation(raw jsontext.Value) (Implementation, *Error) {
	if i, ok := readImplementation(raw); ok {
		return i, nil
	}
	var i Implementation
	if !isObject(raw) || json.Unmarshal(raw, &i) != nil {
		return Implementation{}, InvalidParams("client info is malformed")
	}
	return i, nil
}

// ReservedKey reports whether a _meta key belongs to the protocol: its prefix has modelcontextprotocol or mcp as
// second label. MCP 2026-07-28, schema, "MetaObject".
func ReservedKey(key string) bool {
	prefix, _, ok := strings.Cut(key, "/")
	if !ok {
		return false
	}
	labels := strings.Split(prefix, ".")
	return len(labels) >= 2 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp")
}

// ValidKey reports whether a _meta key is well formed: an optional prefix of dotted labels and a slash, then a name.
func ValidKey(key string) bool {
	name := key
	if prefix, rest, ok := strings.Cut(key, "/"); ok {
		for label := range strings.SplitSeq(prefix, ".") {
			if !validLabel(label) {
				return false
			}
		}
		name = rest
	}
	return validMetaName(name)
}

func validLabel(s string) bool {
	if s == "" || !isLetter(s[0]) || !isAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if !isAlnum(s[i]) && s[i] != '-' {
			return false
		}
	}
	return true
}

func validMetaName(s string) bool {
	if s == "" {
		return true
	}
	if !isAlnum(s[0]) || !isAlnum(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if !isAlnum(s[i]) && s[i] != '-' && s[i] != '_' && s[i] != '.' {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isAlnum(c byte) bool  { return isLetter(c) || c >= '0' && c <= '9' }
