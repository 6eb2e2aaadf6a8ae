package audit

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"
)

// Conditions that callers test with errors.Is.
var (
	ErrClosed  = errors.New("audit: log is closed")
	ErrKey     = errors.New("audit: key unusable")
	ErrNotFile = errors.New("audit: not a regular file")
	ErrNoFile  = errors.New("audit: no audit file")
)

// Error is a failed operation on the audit file. Err is the operating system's error, so that
// errors.Is(err, syscall.ENOSPC) and errors.Is(err, fs.ErrPermission) work.
type Error struct {
	Op   string // "open", "write", "sync", "rotate", "remove", "read"
	Path string
	Torn bool // part of a line is in the file; the next record starts on a fresh line
	Err  error
}

func (e *Error) Error() string {
	text := "audit: " + e.Op + " " + e.Path + ": " + e.Cause()
	if e.Torn {
		text += " (part of the line was written)"
	}
	return text
}

// Cause is what went wrong, without naming Path again.
func (e *Error) Cause() string {
	if p, ok := errors.AsType[*fs.PathError](e.Err); ok && p.Path == e.Path {
		return p.Err.Error()
	}
	return strings.TrimPrefix(e.Err.Error(), "audit: ")
}

func (e *Error) Unwrap() error { return e.Err }

// MinKey is the shortest key accepted, in bytes.
const MinKey = 32

// ParseKey reads the value of PHOCINAE_MCP_AUDIT_KEY: at least [MinKey] bytes in hexadecimal or base64 (standard or
// URL alphabet, padded or not). Text of hexadecimal digits only is hexadecimal. The error is [ErrKey] and never quotes the value.
func ParseKey(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0123456789abcdefABCDEF") == "" { // too short in hexadecimal must not pass as base64
		if key, err := hex.DecodeString(text); err == nil && len(key) >= MinKey {
			return key, nil
		}
		return nil, keyError("want at least 32 bytes in hexadecimal or base64")
	}
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if key, err := enc.DecodeString(text); err == nil && len(key) >= MinKey {
			return key, nil
		}
	}
	return nil, keyError("want at least 32 bytes in hexadecimal or base64")
}

func keyError(why string) error { return &keyErr{why} }

type keyErr struct{ why string }

func (e *keyErr) Error() string        { return ErrKey.Error() + ": " + e.why }
func (e *keyErr) Is(target error) bool { return target == ErrKey }
