package mcpproto

import "time"

// Era is the family of revisions a message belongs to. Zero is invalid: not decided yet.
type Era uint8

// The eras.
const (
	Modern Era = iota + 1 // 2026-07-28: no handshake, every request carries its own _meta
	Legacy                // 2024-11-05 … 2025-11-25: initialize first
)

// String returns "modern", "legacy" or "undecided".
func (e Era) String() string {
	switch e {
	case Modern:
		return "modern"
	case Legacy:
		return "legacy"
	}
	return "undecided"
}

// Version is one revision of the protocol. Later is larger; zero is invalid.
type Version uint8

// The revisions, by date.
const (
	Version20241105 Version = iota + 1
	Version20250326
	Version20250618
	Version20251125
	Version20260728
)

// The newest revision of each era and the oldest that is served.
const (
	LatestModern  = Version20260728
	LatestLegacy  = Version20251125
	EarliestKnown = Version20241105
)

// NumVersions is the number of known revisions; a Version is in 1…NumVersions.
const NumVersions = int(Version20260728)

// String returns the date that names the revision, or "" for an invalid value.
func (v Version) String() string {
	switch v {
	case Version20241105:
		return "2024-11-05"
	case Version20250326:
		return "2025-03-26"
	case Version20250618:
		return "2025-06-18"
	case Version20251125:
		return "2025-11-25"
	case Version20260728:
		return "2026-07-28"
	}
	return ""
}

// Era returns the era of v; zero for an invalid v.
func (v Version) Era() Era {
	switch {
	case v == Version20260728:
		return Modern
	case v >= Version20241105 && v <= Version20251125:
		return Legacy
	}
	return 0
}

// ParseVersion returns the revision named by s, exactly as the protocol writes it.
func ParseVersion(s string) (Version, bool) {
	switch s {
	case "2024-11-05":
		return Version20241105, true
	case "2025-03-26":
		return Version20250326, true
	case "2025-06-18":
		return Version20250618, true
	case "2025-11-25":
		return Version20251125, true
	case "2026-07-28":
		return Version20260728, true
	}
	return 0, false
}

// Negotiate returns the legacy revision that answers an initialize naming requested. It never fails: a known legacy
// revision is kept, a well-formed date before the first revision gets the first, everything else gets the newest
// legacy revision, 2026-07-28 included, since that one has no handshake.
// MCP 2025-11-25, basic/lifecycle, "Version Negotiation".
func Negotiate(requested string) Version {
	if v, ok := ParseVersion(requested); ok && v.Era() == Legacy {
		return v
	}
	if t, err := time.Parse(time.DateOnly, requested); err == nil && t.Before(firstRevision()) {
		return EarliestKnown
	}
	return LatestLegacy
}

func firstRevision() time.Time { return time.Date(2024, 11, 5, 0, 0, 0, 0, time.UTC) }

// ModernVersions returns the revisions that can be named in _meta, newest first. The slice is the caller's.
func ModernVersions() []string { return []string{Version20260728.String()} }

// LegacyVersions returns the revisions that initialize can agree on, newest first. The slice is the caller's.
func LegacyVersions() []string {
	return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

// HasAnnotations reports whether v knows tool annotations, audio content, completions as a declared capability and a
// text in progress notifications.
func (v Version) HasAnnotations() bool { return v >= Version20250326 }

// HasStructured reports whether v knows outputSchema, structuredContent, title, resource links, elicitation and
// _meta on listed things.
func (v Version) HasStructured() bool { return v >= Version20250618 }

// HasIcons reports whether v knows icons, website and description of an implementation, and elicitation modes.
func (v Version) HasIcons() bool { return v >= Version20251125 }

// HasBatches reports whether an array of messages is legal in v.
func (v Version) HasBatches() bool { return v == Version20250326 }

// ArgumentErrorsAreResults reports whether bad arguments of a known tool are a tool result marked as error, which
// the model reads, instead of a protocol error (-32602). MCP 2025-11-25, changelog, "input validation errors".
func (v Version) ArgumentErrorsAreResults() bool { return v >= Version20251125 }
