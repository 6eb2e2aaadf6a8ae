package mcpproto

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Marshal encodes v as one line of JSON with stable member order, valid UTF-8 and no character that some line
// reader takes for a line end.
func Marshal(v any) (jsontext.Value, error) {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.EscapeForJS(true), jsontext.AllowInvalidUTF8(true))
	return escapeNextLine(b, 0), err
}

// nextLine is U+0085, which some line readers take for a line end. In valid JSON it only occurs inside strings.
var nextLine = []byte("\u0085")

// escapeNextLine escapes U+0085 in the JSON that starts at from.
func escapeNextLine(b []byte, from int) []byte {
	if !bytes.Contains(b[from:], nextLine) {
		return b
	}
	return append(b[:from], bytes.ReplaceAll(b[from:], nextLine, []byte(`\u0085`))...)
}

// Unmarshal decodes data strictly: repeated names, bad UTF-8 and members in the wrong case are refused or ignored,
// never guessed. Unknown members are ignored.
func Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

// AppendRaw appends one JSON value on one line: blanks between tokens go, and characters that some reader takes for
// a line end are escaped. It fails, with dst unchanged, if raw is not exactly one strict JSON value.
func AppendRaw(dst []byte, raw jsontext.Value) ([]byte, error) {
	mark := len(dst)
	if isPlainWord(raw) {
		return append(dst, raw...), nil
	}
	dst, err := jsontext.AppendFormat(dst, raw, jsontext.EscapeForJS(true))
	if err != nil {
		return dst[:mark], err
	}
	return escapeNextLine(dst, mark), nil
}

func isPlainWord(raw jsontext.Value) bool {
	switch string(raw) {
	case "{}", "[]", "null", "true", "false":
		return true
	}
	return false
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD; control characters, U+0085,
// U+2028 and U+2029 are escaped, since some line readers split there.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s, true) }

// appendString escapes DEL too, or leaves it as [Marshal] does.
func appendString(dst []byte, s string, del bool) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf {
			if c != '"' && c != '\\' && (c != 0x7f || !del) {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			if c == 0x7f {
				dst = append(dst, `\u007f`...)
			} else {
				dst = append(dst, '\\', c)
			}
			i++
			start = i
			continue
		}
		if c < 0x20 {
			dst = append(dst, s[start:i]...)
			dst = appendControl(dst, c)
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if (r == utf8.RuneError && n == 1) || r == 0x85 || r == 0x2028 || r == 0x2029 {
			dst = append(dst, s[start:i]...)
			dst = appendRune(dst, r)
			start = i + n
		}
		i += n
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

func appendRune(dst []byte, r rune) []byte {
	if r == utf8.RuneError {
		return append(dst, "\ufffd"...)
	}
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

func validText(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// unquote returns the Go string of a valid JSON string.
func unquote(raw jsontext.Value) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	inner := raw[1 : len(raw)-1]
	if !hasBackslash(inner) {
		return string(inner), true
	}
	b, err := jsontext.AppendUnquote(nil, raw)
	return string(b), err == nil
}

func hasBackslash(b []byte) bool {
	for _, c := range b {
		if c == '\\' {
			return true
		}
	}
	return false
}

// AppendNotification appends a complete notification without a newline. params is one JSON object, or nil.
func AppendNotification(dst []byte, method string, params jsontext.Value) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":`...)
	dst = AppendString(dst, method)
	if params != nil {
		dst = append(dst, `,"params":`...)
		dst = append(dst, params...)
	}
	return append(dst, '}')
}

// AppendRequest appends a complete request without a newline. params is one JSON object, or nil.
func AppendRequest(dst []byte, id ID, method string, params jsontext.Value) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id.raw...)
	dst = append(dst, `,"method":`...)
	dst = AppendString(dst, method)
	if params != nil {
		dst = append(dst, `,"params":`...)
		dst = append(dst, params...)
	}
	return append(dst, '}')
}

// AppendResultHead appends everything of a result answer before the result object itself; the caller appends the
// object and then one more '}'.
func AppendResultHead(dst []byte, id ID) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id.raw...)
	return append(dst, `,"result":`...)
}
