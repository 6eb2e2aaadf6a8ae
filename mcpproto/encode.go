package mcpproto

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
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

// appendString escapes DEL too, or leaves it as [Marshal] does. Text is copied eight bytes at a time up to the first that
// may not stand for itself: answers hold JSON in a string, and there every eighth byte is a quotation mark.
func appendString(dst []byte, s string, del bool) []byte {
	const room = len(`"\u0000"`) + 8
	dst = append(slices.Grow(dst, len(s)+room), '"')
	for i := 0; i < len(s); {
		n := len(dst)
		if cap(dst)-n < 8 {
			dst = slices.Grow(dst, len(s)-i+room)
		}
		k := len(s) - i
		if k >= 8 {
			x := eightBytes(s, i)
			binary.LittleEndian.PutUint64(dst[n:n+8], x)
			k = plainBytes(x)
		} else {
			k = copy(dst[n:n+k], s[i:i+plainBytesOf(s[i:])])
		}
		dst, i = dst[:n+k], i+k
		if k < 8 && i < len(s) {
			dst, i = appendEscaped(dst, s, i, del)
		}
	}
	return append(dst, '"')
}

// eightBytes returns the bytes from i on, the first in the lowest place.
func eightBytes(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// plainBytes counts the bytes of x, from the lowest, before the first that is a control character, DEL, a quotation mark, a
// backslash or part of a rune beyond ASCII. Each such byte gets its highest bit set; what a subtraction borrows only
// reaches bytes behind it.
func plainBytes(x uint64) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote, backslash := x^'"'*ones, x^'\\'*ones
	odd := (x | (x + ones) | (x - ' '*ones) | (quote - ones) | (backslash - ones)) & high
	return bits.TrailingZeros64(odd) / 8
}

// plainBytesOf is plainBytes of fewer than eight bytes.
func plainBytesOf(s string) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

// appendEscaped appends what plainBytes stopped at, the rune at i, and returns where the next begins.
func appendEscaped(dst []byte, s string, i int, del bool) ([]byte, int) {
	switch c := s[i]; {
	case c < ' ':
		return appendControl(dst, c), i + 1
	case c == 0x7f && del:
		return append(dst, `\u007f`...), i + 1
	case c == '"' || c == '\\':
		return append(dst, '\\', c), i + 1
	case c < utf8.RuneSelf:
		return append(dst, c), i + 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	if r == utf8.RuneError && n == 1 || r == 0x85 || r == 0x2028 || r == 0x2029 {
		return appendRune(dst, r), i + n
	}
	return append(dst, s[i:i+n]...), i + n
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

func hasBackslash(b []byte) bool { return bytes.IndexByte(b, '\\') >= 0 }

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
