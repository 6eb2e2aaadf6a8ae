package mcpproto

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Canonical returns raw with sorted member names, without blanks, and with strings in their shortest spelling, so
// that two spellings of the same value become equal bytes. Numbers keep their digits: 9007199254740993 and
// 9007199254740992 stay different, and so do 1 and 1.0. It fails if raw is not exactly one strict JSON value.
func Canonical(raw jsontext.Value) (jsontext.Value, error) {
	return jsontext.AppendFormat(nil, raw,
		jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false),
		jsontext.PreserveRawStrings(false), jsontext.ReorderRawObjects(true))
}

// Digest is the SHA-256 of a canonical value.
type Digest [sha256.Size]byte

// DigestParams returns a digest over parts, each brought into canonical form and set apart from its neighbours, so
// that moving bytes from one part to the next changes the digest. A nil part counts as absent, not as null.
func DigestParams(parts ...jsontext.Value) (Digest, error) {
	h := sha256.New()
	var size [9]byte
	for _, p := range parts {
		var c jsontext.Value
		if p != nil {
			var err error
			if c, err = Canonical(p); err != nil {
				return Digest{}, err
			}
			size[0] = 1
		} else {
			size[0] = 0
		}
		putUint64(size[1:], uint64(len(c)))
		h.Write(size[:])
		h.Write(c)
	}
	return Digest(h.Sum(nil)), nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
