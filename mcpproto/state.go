package mcpproto

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Limits of a sealed state.
const (
	MinStateKey       = 32      // bytes of a key
	MaxStateData      = 4 << 10 // bytes of caller data; a state stays under 4096 characters up to about 2900 bytes
	maxStatePrincipal = 512     // bytes
	maxStateMethod    = 128     // bytes
	maxStateText      = 8 << 10 // characters of a state that are looked at
)

// Errors of a state that cannot be opened. Every one wraps [ErrState]; their texts reveal nothing about keys.
var (
	ErrState          = errors.New("mcpproto: request state refused")
	ErrStateMalformed = fmt.Errorf("%w: malformed", ErrState)
	ErrStateForged    = fmt.Errorf("%w: seal does not fit", ErrState)
	ErrStateExpired   = fmt.Errorf("%w: expired", ErrState)
	ErrStateOther     = fmt.Errorf("%w: made for another request", ErrState)
)

// Nonce is a random number that is used once.
type Nonce [16]byte

// NewNonce returns a random nonce.
func NewNonce() (n Nonce) {
	_, _ = rand.Read(n[:]) // never fails; crypto/rand ends the process instead
	return n
}

// StateClaims is what a sealed state says. Method, Params and Principal tie it to one request.
type StateClaims struct {
	Method    string    // method, and whatever else must be the same: "tools/call gate"
	Params    Digest    // salient parameters, see [DigestParams]
	Principal string    // who asked; "" on stdio
	Issued    time.Time // kept to the millisecond
	Expires   time.Time // kept to the millisecond
	Nonce     Nonce     // filled in by Seal if zero
	Data      []byte    // the caller's, at most MaxStateData bytes; readable by the client, not changeable
}

// StateSealer makes request states that a client can carry but not change: HMAC-SHA-256 over a versioned payload.
// The first key seals; all keys open, so that keys can be rotated. Single use is a matter of a [NonceLedger].
// It is safe for concurrent use. MCP 2026-07-28, basic/patterns/mrtr, "requestState".
type StateSealer struct{ keys [][]byte }

// NewStateSealer returns a sealer for one or more keys of at least [MinStateKey] bytes each. The keys are copied.
func NewStateSealer(keys ...[]byte) (*StateSealer, error) {
	if len(keys) == 0 {
		return nil, errors.New("mcpproto: no state key")
	}
	s := &StateSealer{}
	for i, k := range keys {
		if len(k) < MinStateKey {
			return nil, fmt.Errorf("mcpproto: state key %d has %d bytes, needs at least %d", i+1, len(k), MinStateKey)
		}
		s.keys = append(s.keys, append([]byte(nil), k...))
	}
	return s, nil
}

// RandomStateSealer returns a sealer with a random key: its states die with the process.
func RandomStateSealer() *StateSealer {
	k := make([]byte, MinStateKey)
	_, _ = rand.Read(k) // never fails; crypto/rand ends the process instead
	return &StateSealer{keys: [][]byte{k}}
}

// stateFormat is the first byte of a payload; sealLabel keeps these MACs apart from other uses of the same key.
const (
	stateFormat = 1
	sealLabel   = "mcpproto request state v1\x00"
)

var stateText = base64.RawURLEncoding.Strict()

// Seal returns c as printable ASCII. It fails if a member is over its limit or c expires before it is issued.
func (s *StateSealer) Seal(c StateClaims) (string, error) {
	switch {
	case len(c.Data) > MaxStateData:
		return "", fmt.Errorf("mcpproto: state data has %d bytes, at most %d fit", len(c.Data), MaxStateData)
	case len(c.Principal) > maxStatePrincipal:
		return "", fmt.Errorf("mcpproto: state principal is over %d bytes", maxStatePrincipal)
	case c.Method == "" || len(c.Method) > maxStateMethod:
		return "", fmt.Errorf("mcpproto: state method is empty or over %d bytes", maxStateMethod)
	case !c.Expires.After(c.Issued):
		return "", errors.New("mcpproto: state expires before it is issued")
	}
	if c.Nonce == (Nonce{}) {
		c.Nonce = NewNonce()
	}
	b := make([]byte, 0, 128+len(c.Method)+len(c.Principal)+len(c.Data))
	b = append(b, stateFormat)
	b = binary.BigEndian.AppendUint64(b, uint64(c.Issued.UnixMilli()))
	b = binary.BigEndian.AppendUint64(b, uint64(c.Expires.UnixMilli()))
	b = append(b, c.Nonce[:]...)
	b = append(b, c.Params[:]...)
	b = appendSized(b, []byte(c.Method))
	b = appendSized(b, []byte(c.Principal))
	b = appendSized(b, c.Data)
	b = append(b, seal(s.keys[0], b)...)
	return stateText.EncodeToString(b), nil
}

func seal(key, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(sealLabel))
	h.Write(payload)
	return h.Sum(nil)
}

// Open returns the claims of a state that this sealer, or another with one of its keys, made for the request that
// want describes, and that has not expired at now. Of want only Method, Params and Principal count. The seal is
// compared in constant time and before anything else is believed. Errors: [ErrStateMalformed], [ErrStateForged],
// [ErrStateExpired], [ErrStateOther].
func (s *StateSealer) Open(state string, want StateClaims, now time.Time) (StateClaims, error) {
	if len(state) > maxStateText || strings.ContainsAny(state, "\r\n") { // base64 would skip line ends
		return StateClaims{}, ErrStateMalformed
	}
	b, err := stateText.DecodeString(state)
	if err != nil || len(b) < sha256.Size+1 {
		return StateClaims{}, ErrStateMalformed
	}
	payload, mac := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	genuine := false
	for _, k := range s.keys {
		if hmac.Equal(mac, seal(k, payload)) {
			genuine = true // no early end: the time tells nothing about which key it was
		}
	}
	if !genuine {
		return StateClaims{}, ErrStateForged
	}
	c, ok := parseClaims(payload)
	if !ok {
		return StateClaims{}, ErrStateMalformed
	}
	if c.Method != want.Method || c.Params != want.Params || c.Principal != want.Principal {
		return StateClaims{}, ErrStateOther
	}
	if now.Before(c.Issued.Add(-maxClockSkew)) || !now.Before(c.Expires) {
		return StateClaims{}, ErrStateExpired
	}
	return c, nil
}

// maxClockSkew is how far in the future another process with the same key may have issued a state.
const maxClockSkew = 2 * time.Minute

func parseClaims(b []byte) (c StateClaims, ok bool) {
	const fixed = 1 + 8 + 8 + len(c.Nonce) + len(c.Params)
	if len(b) < fixed || b[0] != stateFormat {
		return c, false
	}
	c.Issued = unixMilli(b[1:])
	c.Expires = unixMilli(b[9:])
	n := copy(c.Nonce[:], b[17:])
	copy(c.Params[:], b[17+n:])
	b = b[fixed:]
	method, b, ok1 := cutSized(b)
	principal, b, ok2 := cutSized(b)
	data, b, ok3 := cutSized(b)
	c.Method, c.Principal = string(method), string(principal)
	if len(data) > 0 {
		c.Data = data
	}
	return c, ok1 && ok2 && ok3 && len(b) == 0
}

func unixMilli(b []byte) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(b))).UTC() //nolint:gosec // the bits of an int64, as Seal wrote them
}

func appendSized(b, part []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(part))) //nolint:gosec // parts have limits of a few KiB
	return append(b, part...)
}

func cutSized(b []byte) (part, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n, rest := binary.BigEndian.Uint32(b), b[4:]
	if int64(n) > int64(len(rest)) {
		return nil, nil, false
	}
	return rest[:n], rest[n:], true
}

func putUint64(b []byte, n uint64) { binary.BigEndian.PutUint64(b, n) }
