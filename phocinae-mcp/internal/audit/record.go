package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"math"
	"strconv"
	"strings"
	"time"
)

// Record is what the caller knows about one call. Empty members are left out of the line; [Log.Write] adds ts (when
// Time is zero), seq, writer, prev and hash. Free texts (Command, Cwd, Reason, Error and Client) are masked and
// cut; the others are only cut.
type Record struct {
	Time      time.Time // zero: now
	Event     string    // "call", "gate", "hook", "confirm", "start" …; empty becomes "call"
	Tool      string    // gate, classify, route, score, or the name that was asked for
	Era       string    // "modern" or "legacy"
	Protocol  string    // protocol revision, such as "2026-07-28"
	Transport string    // "stdio", "http", "cli", "hook"
	Client    string    // client or agent host, "name/version"
	Principal string    // bearer subject; empty on stdio. Never the token itself
	RequestID string    // raw JSON of the id: strings keep their quotes, so 7 and "7" differ
	Trace     string    // traceparent, when the client sent one
	Command   string    // raw command; written masked and cut, hashed raw
	Cwd       string
	Args      []byte // raw arguments of the other tools; only their digest and length are written
	Sizes     []Size // sizes of single arguments, in the order given
	Decision  string // allow, deny, ask; empty for tools that decide nothing
	Layer     string // L0, L1, fail_closed, human_confirm
	Rule      string // rule of the strictest finding
	Reason    string
	Noul      *float64 // nil: no answer; not finite is written as null
	Score     *float64
	Confirm   string // offered, approved, declined, cancelled, timeout, refused …
	Error     string
	Duration  time.Duration // written in microseconds when not zero
}

// Size is the size of one argument: characters of a text, items of a list.
type Size struct {
	Name string
	N    int
}

// Limits of one line, in bytes of text before JSON escaping.
const (
	MaxLine    = 128 << 10 // no line is longer; readers treat longer ones as damage
	maxCommand = 8 << 10
	maxText    = 2 << 10
	maxName    = 256
	maxSizes   = 32
)

// prepared is a record with everything done that needs no lock.
type prepared struct {
	Record
	commandBytes int
	commandHash  string
	argsHash     string
}

// prepare masks, cuts and digests. With raw set nothing is masked.
func prepare(r Record, raw bool, key []byte) prepared {
	p := prepared{Record: r}
	if r.Command != "" {
		p.commandHash = digest(key, "command", r.Command)
		p.commandBytes = len(r.Command)
	}
	if len(r.Args) > 0 {
		p.argsHash = digest(key, "args", string(r.Args))
	}
	mask := Mask
	if raw {
		mask = func(s string) string { return s }
	}
	// Masking comes before cutting: half a secret would no longer look like one.
	p.Command = cut(mask(r.Command), maxCommand)
	p.Cwd = cut(mask(r.Cwd), maxText)
	p.Reason = cut(mask(r.Reason), maxText)
	p.Error = cut(mask(r.Error), maxText)
	p.Client = cut(mask(r.Client), maxName)
	return p
}

// cut keeps the first three quarters and the last quarter of max bytes and says in between how much is gone.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	head, tail := s[:max*3/4], s[len(s)-max/4:]
	gone := len(s) - len(head) - len(tail)
	return strings.ToValidUTF8(head, "\uFFFD") + "…[" + strconv.Itoa(gone) + " of " + strconv.Itoa(len(s)) + " bytes cut]…" +
		strings.ToValidUTF8(tail, "\uFFFD")
}

const (
	plainScheme = "sha256:"
	keyedScheme = "hmac-sha256:"
)

// digest hashes one text. Without a key it is the plain SHA-256, so that `printf %s CMD | sha256sum` gives the same
// digits; with a key the purpose goes first, so that no digest of one kind can pass as one of another.
func digest(key []byte, purpose, text string) string {
	var room [len(keyedScheme) + 2*sha256.Size]byte
	if len(key) == 0 {
		sum := sha256.Sum256([]byte(text))
		return string(hex.AppendEncode(append(room[:0], plainScheme...), sum[:]))
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(purpose + "\x00" + text))
	var sum [sha256.Size]byte
	return string(hex.AppendEncode(append(room[:0], keyedScheme...), mac.Sum(sum[:0])))
}

// chainHash returns the hash of chained lines for a key, and the scheme it is written with.
func chainHash(key []byte) (hash.Hash, string) {
	if len(key) == 0 {
		return sha256.New(), plainScheme
	}
	return hmac.New(sha256.New, key), keyedScheme
}

// chainPurpose separates chain hashes from digests made with the same key.
var chainPurpose = []byte("record\x00")

// chain appends scheme and hex digits of body's hash to dst. h is reset first, so it may be reused.
func chain(dst []byte, h hash.Hash, scheme string, body []byte) []byte {
	h.Reset()
	if scheme == keyedScheme {
		h.Write(chainPurpose)
	}
	h.Write(body)
	var sum [sha256.Size]byte
	dst = append(dst, scheme...)
	return hex.AppendEncode(dst, h.Sum(sum[:0]))
}

// link is what the log adds to a record.
type link struct {
	seq       uint64
	writer    string
	prev      string
	after     string
	freshLine bool
}

// appendBody appends the line up to, not including, `,"hash":`.
func appendBody(b []byte, p *prepared, k link) []byte {
	b = append(b, `{"ts":"`...)
	b = appendTime(b, p.Time)
	b = append(b, `","seq":`...)
	b = strconv.AppendUint(b, k.seq, 10)
	b = appendMember(b, "writer", k.writer, maxName)
	event := p.Event
	if event == "" {
		event = "call"
	}
	b = appendMember(b, "event", event, maxName)
	b = appendMember(b, "tool", p.Tool, maxName)
	b = appendMember(b, "era", p.Era, maxName)
	b = appendMember(b, "protocol", p.Protocol, maxName)
	b = appendMember(b, "transport", p.Transport, maxName)
	b = appendMember(b, "client", p.Client, maxText)
	b = appendMember(b, "principal", p.Principal, maxName)
	b = appendMember(b, "request_id", p.RequestID, maxName)
	b = appendMember(b, "trace", p.Trace, maxName)
	b = appendInput(b, p)
	b = appendVerdict(b, p)
	b = appendMember(b, "after", k.after, maxName)
	if k.freshLine {
		b = append(b, `,"fresh_line":true`...)
	}
	b = append(b, `,"prev":"`...)
	b = append(b, k.prev...)
	return append(b, '"')
}

func appendInput(b []byte, p *prepared) []byte {
	if p.commandHash != "" {
		b = append(b, `,"command":"`...)
		b = appendEscaped(b, p.Command)
		b = append(b, `","command_bytes":`...)
		b = strconv.AppendInt(b, int64(p.commandBytes), 10)
		b = appendMember(b, "command_hash", p.commandHash, maxName)
	}
	b = appendMember(b, "cwd", p.Cwd, maxText*2)
	if p.argsHash != "" {
		b = appendMember(b, "args_hash", p.argsHash, maxName)
		b = append(b, `,"args_bytes":`...)
		b = strconv.AppendInt(b, int64(len(p.Args)), 10)
	}
	if len(p.Sizes) == 0 {
		return b
	}
	b = append(b, `,"sizes":{`...)
	seen := make(map[string]bool, len(p.Sizes))
	for _, s := range p.Sizes[:min(len(p.Sizes), maxSizes)] {
		name := cut(s.Name, maxName)
		if seen[name] {
			continue // a repeated name would make the line unreadable for strict readers
		}
		if len(seen) > 0 {
			b = append(b, ',')
		}
		seen[name] = true
		b = append(b, '"')
		b = appendEscaped(b, name)
		b = append(b, `":`...)
		b = strconv.AppendInt(b, int64(s.N), 10)
	}
	return append(b, '}')
}

func appendVerdict(b []byte, p *prepared) []byte {
	b = appendMember(b, "decision", p.Decision, maxName)
	b = appendMember(b, "layer", p.Layer, maxName)
	b = appendMember(b, "rule", p.Rule, maxText)
	b = appendMember(b, "reason", p.Reason, maxText*2)
	b = appendNumber(b, "noul", p.Noul)
	b = appendNumber(b, "score", p.Score)
	b = appendMember(b, "confirm", p.Confirm, maxName)
	b = appendMember(b, "error", p.Error, maxText*2)
	if p.Duration != 0 {
		b = append(b, `,"duration_us":`...)
		b = strconv.AppendInt(b, p.Duration.Microseconds(), 10)
	}
	return b
}

func appendMember(b []byte, name, value string, max int) []byte {
	if value == "" {
		return b
	}
	b = append(b, `,"`...)
	b = append(b, name...)
	b = append(b, `":"`...)
	b = appendEscaped(b, cut(value, max))
	return append(b, '"')
}

func appendNumber(b []byte, name string, v *float64) []byte {
	if v == nil {
		return b
	}
	b = append(b, `,"`...)
	b = append(b, name...)
	b = append(b, `":`...)
	if math.IsNaN(*v) || math.IsInf(*v, 0) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, *v, 'g', -1, 64)
}

// appendTime writes RFC 3339 with three digits of milliseconds, in UTC.
func appendTime(b []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
}
