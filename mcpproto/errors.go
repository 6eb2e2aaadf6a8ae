package mcpproto

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Error codes that this package and mcpserver send.
// MCP 2026-07-28, schema, "Error"; JSON-RPC 2.0, section 5.1.
const (
	CodeParse              = -32700 // not exactly one JSON value
	CodeInvalidRequest     = -32600 // legal JSON, not a legal message
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeInternal           = -32603
	CodeHeaderMismatch     = -32020 // HTTP header and body disagree
	CodeMissingCapability  = -32021 // data.requiredCapabilities is an object
	CodeUnsupportedVersion = -32022 // data.supported, data.requested
	CodeResourceNotFound   = -32002 // to legacy clients only
)

// internalText is all that a client learns about an error without a code.
const internalText = "internal error"

// Error is a protocol error: the request itself fails, and the model does not see the text. For failures that the
// model should read and repair, return a [ToolResult] with IsError instead.
//
// Data is marshalled as JSON if it is not nil; a [jsontext.Value] is used as it is. Message must reveal nothing that
// the client may not see.
type Error struct {
	Code    int
	Message string
	Data    any

	legacyCode int // code for legacy clients if it differs; 0 otherwise
}

// Error returns the code and the message.
func (e *Error) Error() string { return fmt.Sprintf("mcpproto: error %d: %s", e.Code, e.Message) }

// For returns e as a client of the given era may see it: -32002 replaces -32602 for a resource unknown to a legacy
// client. The receiver is not changed.
func (e *Error) For(era Era) *Error {
	if era != Legacy || e.legacyCode == 0 {
		return e
	}
	c := *e
	c.Code, c.legacyCode = e.legacyCode, 0
	return &c
}

// Errorf returns a protocol error with a formatted message.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// InvalidParams returns a -32602 error.
func InvalidParams(format string, args ...any) *Error {
	return Errorf(CodeInvalidParams, format, args...)
}

// MethodNotFound returns the -32601 error for method.
func MethodNotFound(method string) *Error {
	return Errorf(CodeMethodNotFound, "method %q is not served here", clip(method, 100))
}

// ResourceNotFound returns the error for a URI that names nothing: -32602 with data.uri, and -32002 to a legacy
// client. MCP 2026-07-28, server/resources, "Error Handling".
func ResourceNotFound(uri string) *Error {
	return &Error{
		Code: CodeInvalidParams, Message: "resource not found",
		Data: map[string]string{"uri": validText(uri)}, legacyCode: CodeResourceNotFound,
	}
}

// MissingCapability returns the -32021 error that names the capabilities a request needs and the client did not
// declare. MCP 2026-07-28, schema, "MissingRequiredClientCapabilityError".
func MissingCapability(need ClientCapabilities) *Error {
	return &Error{
		Code: CodeMissingCapability, Message: "the request needs a client capability that was not declared",
		Data: map[string]any{"requiredCapabilities": need},
	}
}

// UnsupportedVersion returns the -32022 error for a revision that cannot be spoken with _meta.
func UnsupportedVersion(requested string) *Error {
	return &Error{
		Code: CodeUnsupportedVersion, Message: "protocol version is not supported",
		Data: map[string]any{"supported": ModernVersions(), "requested": validText(clip(requested, 100))},
	}
}

// HeaderMismatch returns a -32020 error.
func HeaderMismatch(format string, args ...any) *Error {
	return Errorf(CodeHeaderMismatch, format, args...)
}

// WireError turns any error into what may be sent to a client of the given era. A nil error gives nil. An error
// that is or wraps an [*Error] keeps its code, unless the code is 0 or an unknown one from the range that the
// protocol reserves (-32000 … -32099), or one whose data the protocol defines and that comes with other data (-32021,
// -32022; [MissingCapability] and [UnsupportedVersion] make them); those and all other errors become -32603 with a
// fixed text.
func WireError(err error, era Era) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) || e == nil || !sendable(e.Code, era, e.legacyCode) || !e.hasItsData() {
		return &Error{Code: CodeInternal, Message: internalText}
	}
	return e.For(era)
}

func sendable(code int, era Era, legacyCode int) bool {
	switch code {
	case 0:
		return false
	case CodeHeaderMismatch, CodeMissingCapability, CodeUnsupportedVersion:
		return era != Legacy
	case CodeResourceNotFound:
		return era == Legacy
	}
	return (code > -32000 || code < -32099) && (legacyCode == 0 || legacyCode == CodeResourceNotFound)
}

// hasItsData reports whether data is what the code demands. MCP 2026-07-28, schema, "UnsupportedProtocolVersionError"
// and "MissingRequiredClientCapabilityError".
func (e *Error) hasItsData() bool {
	var d struct {
		Supported    []string            `json:"supported"`
		Requested    *string             `json:"requested"`
		Capabilities *ClientCapabilities `json:"requiredCapabilities"`
	}
	if e.Code != CodeMissingCapability && e.Code != CodeUnsupportedVersion {
		return true
	}
	raw, ok := appendAny(nil, e.Data)
	if !ok || Unmarshal(raw, &d) != nil {
		return false
	}
	if e.Code == CodeMissingCapability {
		return d.Capabilities != nil
	}
	return d.Supported != nil && d.Requested != nil
}

// DecodeError says why a received message cannot be used, and what to answer.
type DecodeError struct {
	Code    int    // CodeParse or CodeInvalidRequest
	ID      ID     // zero if it is unreadable, illegal or repeated: the answer then has no id member
	Method  string // best effort, "" if unreadable; for records, never for dispatch
	Array   bool   // the message is one array: legal only as a batch, see [DecodeBatch]
	Message string
}

// Error returns code and message.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("mcpproto: decode: %d: %s", e.Code, e.Message)
}

// Wire returns the protocol error to answer with.
func (e *DecodeError) Wire() *Error { return &Error{Code: e.Code, Message: e.Message} }

// AppendError appends a complete error answer to dst, without a newline. A zero id leaves the member out, as
// MCP 2026-07-28, schema, "JSONRPCErrorResponse" has it; null is never sent. Data that cannot be encoded is left out.
func AppendError(dst []byte, id ID, e *Error) []byte {
	dst = append(dst, `{"jsonrpc":"2.0",`...)
	if !id.IsZero() {
		dst = append(dst, `"id":`...)
		dst = append(dst, id.raw...)
		dst = append(dst, ',')
	}
	dst = append(dst, `"error":{"code":`...)
	dst = appendInt(dst, int64(e.Code))
	dst = append(dst, `,"message":`...)
	dst = AppendString(dst, e.Message)
	if e.Data != nil {
		mark := len(dst)
		dst = append(dst, `,"data":`...)
		var ok bool
		if dst, ok = appendAny(dst, e.Data); !ok {
			dst = dst[:mark]
		}
	}
	return append(dst, `}}`...)
}

// appendAny appends v as JSON on one line.
func appendAny(dst []byte, v any) ([]byte, bool) {
	mark := len(dst)
	raw, ok := v.(jsontext.Value)
	if !ok {
		b, err := Marshal(v)
		if err != nil {
			return dst[:mark], false
		}
		raw = b
	}
	dst, err := AppendRaw(dst, raw)
	if err != nil {
		return dst[:mark], false
	}
	return dst, true
}

// clip shortens s to at most n bytes, at a rune boundary, with a mark where something was cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
