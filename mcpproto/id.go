package mcpproto

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ID is a request id or a progress token: a JSON string or integer, kept byte for byte as it came
// (9007199254740993, 1e3 and "x" are echoed exactly). The zero ID means there is none.
//
// Two IDs that are the same value in other spelling differ as Go values; compare them with [ID.Key].
type ID struct{ raw string }

// ParseID returns the id written as raw, which must be one valid JSON value without surrounding blanks. It reports
// false for anything but a string or a number with an integral value: null, 2.5, true, objects, arrays.
func ParseID(raw jsontext.Value) (ID, bool) {
	switch raw.Kind() {
	case '"':
		return ID{string(raw)}, true
	case '0':
		if _, ok := integerKey(string(raw)); ok {
			return ID{string(raw)}, true
		}
	}
	return ID{}, false
}

// StringID returns the id for a Go string.
func StringID(s string) ID { return ID{string(AppendString(nil, s))} }

// IntID returns the id for an integer.
func IntID(n int64) ID { return ID{string(appendInt(nil, n))} }

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return id.raw == "" }

// Raw returns the id as it came, as JSON; nil for the zero ID.
func (id ID) Raw() jsontext.Value {
	if id.raw == "" {
		return nil
	}
	return jsontext.Value(id.raw)
}

// String returns the id as JSON text, for logs.
func (id ID) String() string { return id.raw }

// Key returns a text that is equal for equal ids: "\u0061" and "a", 1e3 and 1000. 1 and "1" stay different. It is for
// tables, and no JSON.
func (id ID) Key() string {
	if id.raw == "" {
		return ""
	}
	if id.raw[0] == '"' {
		if strings.IndexByte(id.raw, '\\') < 0 {
			return id.raw
		}
		s, err := jsontext.AppendUnquote(nil, id.raw)
		if err != nil {
			return id.raw
		}
		return `"` + string(s) + `"`
	}
	k, _ := integerKey(id.raw)
	return k
}

// Text returns the string value of a string id.
func (id ID) Text() (string, bool) {
	if len(id.raw) < 2 || id.raw[0] != '"' {
		return "", false
	}
	return unquote(jsontext.Value(id.raw))
}

// MarshalJSON returns the id as it came; null for the zero ID.
func (id ID) MarshalJSON() ([]byte, error) {
	if id.raw == "" {
		return []byte("null"), nil
	}
	return []byte(id.raw), nil
}

// UnmarshalJSON accepts what [ParseID] accepts.
func (id *ID) UnmarshalJSON(b []byte) error {
	v, ok := ParseID(bytes.TrimSpace(b))
	if !ok {
		return InvalidParams("an id is a string or an integer")
	}
	*id = v
	return nil
}

// integerKey returns the plain decimal spelling of a JSON number with an integral value. Numbers with a huge
// exponent keep a normalised exponent, so that 1e999999999 costs nothing.
func integerKey(s string) (string, bool) {
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			return "0", true
		}
		return s, true
	}
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	mant, expText, _ := strings.Cut(strings.ToLower(s), "e")
	whole, frac, _ := strings.Cut(mant, ".")
	digits := strings.TrimLeft(whole+frac, "0")
	if digits == "" {
		return "0", true
	}
	exp, ok := smallInt(expText)
	if !ok {
		return "", false
	}
	trimmed := strings.TrimRight(digits, "0")
	exp += len(digits) - len(trimmed) - len(frac)
	if exp < 0 {
		return "", false
	}
	key := trimmed
	if exp <= 40 {
		key += strings.Repeat("0", exp)
	} else {
		key += "e" + string(appendInt(nil, int64(exp)))
	}
	if neg {
		key = "-" + key
	}
	return key, true
}

// smallInt reads an exponent of at most nine digits; empty means 0.
func smallInt(s string) (int, bool) {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimLeft(strings.TrimLeft(s, "+-"), "0")
	if len(s) > 9 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		n = n*10 + int(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}
