package safety

import (
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// Errors of Gate.Pass. Each says what to do next; none says anything about keys.
var (
	ErrNoHandle = errors.New("there is no handle: preview the change first, read the preview, then pass on its handle")
	ErrHandle   = errors.New("the handle was not made for this: use the handle of this very preview, unchanged")
	ErrChanged  = errors.New("what was previewed has changed since: preview it again and pass on the new handle")
	ErrExpired  = errors.New("the handle has expired: preview the change again and pass on the new handle")
	ErrUsed     = errors.New("the handle was used already, and a handle is good once: preview again if you mean a second change")
)

// Gate lets a change through only after its preview. The preview gets a sealed handle over exactly what was previewed; the
// client carries it, since the protocol has no sessions. It is safe for concurrent use.
type Gate struct {
	sealer *mcpproto.StateSealer
	ledger mcpproto.NonceLedger
	life   time.Duration
	now    func() time.Time
}

// NewGate returns a gate whose handles are good for life and for one use.
func NewGate(sealer *mcpproto.StateSealer, life time.Duration, now func() time.Time) *Gate {
	return &Gate{sealer: sealer, ledger: mcpproto.NewMemoryLedger(0), life: life, now: now}
}

// Preview returns a handle for one change. kind and name say which ("order", "PO-0001"), content is what was previewed,
// as JSON; principal is who asked.
func (g *Gate) Preview(kind, name, principal string, content jsontext.Value) (string, error) {
	digest, err := mcpproto.DigestParams(content)
	if err != nil {
		return "", err
	}
	now := g.now()
	return g.sealer.Seal(mcpproto.StateClaims{
		Method: "preview " + kind, Principal: principal, Issued: now, Expires: now.Add(g.life),
		Params: nameDigest(name), Data: digest[:],
	})
}

// Pass checks a handle against what is about to be changed and uses it up. After nil the change may happen, once.
// Errors: ErrNoHandle, ErrHandle, ErrChanged, ErrExpired, ErrUsed.
func (g *Gate) Pass(kind, name, principal, handle string, content jsontext.Value) error {
	if handle == "" {
		return ErrNoHandle
	}
	digest, err := mcpproto.DigestParams(content)
	if err != nil {
		return err
	}
	now := g.now()
	claims, err := g.sealer.Open(handle, mcpproto.StateClaims{
		Method: "preview " + kind, Principal: principal, Params: nameDigest(name),
	}, now)
	switch {
	case errors.Is(err, mcpproto.ErrStateExpired):
		return ErrExpired
	case err != nil:
		return ErrHandle
	case string(claims.Data) != string(digest[:]):
		return ErrChanged
	}
	if err := g.ledger.Use(claims.Nonce, claims.Issued, claims.Expires, now); err != nil {
		return ErrUsed
	}
	return nil
}

// nameDigest ties a handle to one thing. A string is always valid JSON once it is quoted, so the digest cannot fail.
func nameDigest(name string) mcpproto.Digest {
	d, err := mcpproto.DigestParams(mcpproto.AppendString(nil, name))
	if err != nil {
		panic("safety: a quoted string has no digest: " + err.Error())
	}
	return d
}
