package mcpproto

import "strings"

// Transport is how a message came. Zero is invalid.
type Transport uint8

// The transports.
const (
	Stdio Transport = iota + 1
	HTTP
)

// String returns "stdio" or "http".
func (t Transport) String() string {
	switch t {
	case Stdio:
		return "stdio"
	case HTTP:
		return "http"
	}
	return ""
}

// HeaderSource gives access to request headers; http.Header is one. Values returns all values under a name, whatever
// the case of the name.
type HeaderSource interface{ Values(name string) []string }

// EraFacts is what must be known beside a message to decide its era.
type EraFacts struct {
	Transport   Transport
	Initialized bool         // stdio: an initialize was received on this stream before
	Header      HeaderSource // HTTP: the request headers
	Session     Version      // HTTP: revision of the legacy session the request names; zero if none
}

// EraOf decides which era a message belongs to, and for legacy HTTP requests the revision their header names; in all
// other cases the version is zero. The error is the answer to a request (-32020 or -32022, HTTP status 400); its era
// is then undecided. Rules, the first that matches: per-request members in _meta; a method that only the modern era
// has; on HTTP the version header; on stdio resources/* before the first initialize; everything else is legacy.
// MCP 2026-07-28, basic/versioning.
func EraOf(m *Message, f EraFacts) (Era, Version, *Error) {
	if m.Params.meta.PerRequest() || m.Method == MethodDiscover || m.Method == MethodListen {
		return Modern, 0, nil
	}
	if f.Transport == HTTP {
		return eraOfHeader(m, f)
	}
	if !f.Initialized && strings.HasPrefix(m.Method, "resources/") {
		return Modern, 0, nil
	}
	return Legacy, 0, nil
}

func eraOfHeader(m *Message, f EraFacts) (Era, Version, *Error) {
	values := headerValues(f.Header, HeaderVersion)
	switch len(values) {
	case 0:
		if f.Session != 0 {
			return Legacy, f.Session, nil
		}
		if m.Kind == Request && m.Method != MethodInitialize {
			return 0, 0, HeaderMismatch("header %s is missing", HeaderVersion)
		}
		return Legacy, 0, nil
	case 1:
	default:
		return 0, 0, HeaderMismatch("header %s is repeated", HeaderVersion)
	}
	v, ok := ParseVersion(trimBlanks(values[0]))
	if !ok {
		return 0, 0, UnsupportedVersion(trimBlanks(values[0]))
	}
	if v.Era() == Modern {
		return Modern, 0, nil
	}
	return Legacy, v, nil
}

func headerValues(h HeaderSource, name string) []string {
	if h == nil {
		return nil
	}
	return h.Values(name)
}

// trimBlanks removes spaces and tabs around a header value.
func trimBlanks(s string) string { return strings.Trim(s, " \t") }
