package streamhttp

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Defaults of [Options].
const (
	DefaultMaxBodyBytes    = 4 << 20
	DefaultBodyTimeout     = 10 * time.Second
	DefaultWriteTimeout    = 30 * time.Second
	DefaultKeepAlive       = 15 * time.Second
	DefaultMaxOpenRequests = 4096
	DefaultMaxSessions     = 1024
	DefaultSessionIdle     = 30 * time.Minute
)

// Options tune a [Handler] and a [Server]. The zero value and nil are the defaults.
type Options struct {
	// AllowedHosts and AllowedOrigins let requests through whose Host or Origin header names something
	// else than this machine; the default refuses them with 403 (DNS rebinding). A host is a name, with a
	// port to allow only that port; an origin is what browsers send, such as "https://ide.example".
	// Loopback names are always allowed.
	AllowedHosts   []string
	AllowedOrigins []string

	// Authenticate says who sends a request, or that nobody acceptable does: then the answer is 401.
	// The principal goes to every call; a legacy session belongs to the principal that opened it.
	// Nil lets everyone in as "". It runs for every request, concurrently. See [StaticBearer].
	Authenticate func(*http.Request) (principal string, ok bool)

	// LegacySessions gives legacy clients a session: the answer to initialize carries a random
	// Mcp-Session-Id, and the server may then send requests (elicitation, sampling, roots), log
	// messages and resource updates on the streams of that session's calls. Off, no session id is
	// minted or read.
	LegacySessions bool

	MaxBodyBytes    int64         // larger bodies are answered 413; 0 means DefaultMaxBodyBytes
	BodyTimeout     time.Duration // a whole body has to arrive within this, else 408; 0 means DefaultBodyTimeout
	WriteTimeout    time.Duration // for one event to a slow reader; 0 means DefaultWriteTimeout
	KeepAlive       time.Duration // between comments on an event stream; 0 means DefaultKeepAlive
	MaxOpenRequests int           // more are answered 503 with Retry-After; 0 means DefaultMaxOpenRequests
	MaxSessions     int           // the least recently used one goes first; 0 means DefaultMaxSessions
	SessionIdle     time.Duration // an unused session ends after this; 0 means DefaultSessionIdle

	// AllowNonLoopback lets a [Server] listen on addresses that other machines can reach. The Host
	// check stays: list the names in AllowedHosts.
	AllowNonLoopback bool

	Logger *slog.Logger // nil discards
}

func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	d.MaxBodyBytes = or(d.MaxBodyBytes, DefaultMaxBodyBytes)
	d.BodyTimeout = or(d.BodyTimeout, DefaultBodyTimeout)
	d.WriteTimeout = or(d.WriteTimeout, DefaultWriteTimeout)
	d.KeepAlive = or(d.KeepAlive, DefaultKeepAlive)
	d.MaxOpenRequests = or(d.MaxOpenRequests, DefaultMaxOpenRequests)
	d.MaxSessions = or(d.MaxSessions, DefaultMaxSessions)
	d.SessionIdle = or(d.SessionIdle, DefaultSessionIdle)
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	return d
}

func or[T int | int64 | time.Duration](v, otherwise T) T {
	if v <= 0 {
		return otherwise
	}
	return v
}

// StaticBearer returns an [Options.Authenticate] that accepts one token and names its bearer
// principal. The comparison takes the same time whatever is sent. An empty token lets nobody in.
func StaticBearer(token, principal string) func(*http.Request) (string, bool) {
	want := sha256.Sum256([]byte(token))
	return func(r *http.Request) (string, bool) {
		sent, ok := bearer(r.Header["Authorization"])
		got := sha256.Sum256([]byte(sent))
		if subtle.ConstantTimeCompare(want[:], got[:]) != 1 || !ok || token == "" {
			return "", false
		}
		return principal, true
	}
}

// bearer returns the token of exactly one Authorization header. RFC 6750, section 2.1.
func bearer(values []string) (string, bool) {
	if len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.Trim(token, " "), true
}
