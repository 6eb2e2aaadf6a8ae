package p0client

import (
	"context"
	"crypto/tls"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/time/rate"
)

// Defaults and limits.
const (
	DefaultModel            = "Phocinae-Largha-150M-v1"
	DefaultTimeout          = 5 * time.Second
	DefaultRate             = 50.0
	DefaultBurst            = 100
	DefaultMaxConcurrent    = 64
	DefaultMaxResponseBytes = 1 << 20
	DefaultNoulThreshold    = 0.65

	MaxRequestBytes = 2 << 20 // the service answers 413 above it
	MaxQuestions    = 64
	MaxOptions      = 255
	MaxBatch        = 64
)

// Version of this package.
const Version = "0.1.0"

// Options configure a Client. The zero value and nil give the defaults.
type Options struct {
	// Bearer is sent as "Authorization: Bearer …" to /v1/… paths; empty sends none. It must be visible ASCII.
	Bearer string
	// Model is the name asked for; empty means DefaultModel. The service refuses any other than its own.
	Model string
	// Timeout bounds a whole call, waiting for the rate limit included; 0 means DefaultTimeout. The context's
	// deadline holds too: the earlier one counts.
	Timeout time.Duration
	// Rate is the allowed number of HTTP requests a second; 0 means DefaultRate, +Inf no limit.
	Rate float64
	// Burst is how many requests may go at once after a pause; 0 means DefaultBurst.
	Burst int
	// MaxConcurrent bounds the requests in flight; 0 means DefaultMaxConcurrent. Waiting counts as part of the call.
	MaxConcurrent int
	// MaxResponseBytes bounds an answer's body; 0 means DefaultMaxResponseBytes.
	MaxResponseBytes int64
	// HTTPClient replaces the client's own; it is copied, its redirect policy and cookie jar are not used. With a
	// nil Transport it gets the package's own transport. Any other transport is used as it is, proxy and all.
	HTTPClient *http.Client
	// DialContext replaces the dialer, for callers who have checked the address themselves. It must honour its
	// context. It cannot be combined with an HTTPClient that has a Transport.
	DialContext func(ctx context.Context, network, addr string) (net.Conn, error)
	// StrictModel makes an answer that names another model an error.
	StrictModel bool
	// NoulThreshold is the probability from which a noul counts as true; 0 means DefaultNoulThreshold.
	NoulThreshold float64
	// Observe is called after every HTTP request that was tried, on the goroutine that made it, concurrently
	// for concurrent calls. A panic in it is swallowed.
	Observe func(Event)
	// Retry allows repeating a request of which no byte was sent. Nil, the default, never repeats. Gate never does.
	Retry *Retry
}

// Retry says how often to try again when no connection could be made. Each try waits for the rate limit again.
type Retry struct {
	Attempts int           // tries in all, 2 to 5
	Backoff  time.Duration // pause before the second try, doubled for each further one; at most 1 s
}

// Event is one HTTP request, for metrics.
type Event struct {
	Op            string        // "gate.noul", "gate.score", "classify", "route", "score", "ask", "permute", "batch", "health", "models"
	Attempt       int           // 1 for the first try
	Wait          time.Duration // spent waiting for the rate limit and a free slot
	Duration      time.Duration // of the whole try, waiting included
	Status        int           // 0 if no HTTP answer arrived
	RequestBytes  int
	ResponseBytes int
	Err           error // nil if an HTTP answer with status 200 was read whole; its content is judged later
}

// Client talks to one P0 service. Make it with New.
type Client struct {
	base      string // scheme://host[/prefix], without a slash at the end
	model     string
	bearer    string
	threshold float64
	strict    bool
	timeout   time.Duration
	maxBytes  int64
	limiter   *rate.Limiter
	slots     chan struct{}
	http      *http.Client
	own       *http.Transport // nil if the caller brought a transport
	observe   func(Event)
	retry     Retry
	closed    atomic.Bool
}

// New returns a client for the service at baseURL: "http://host:port", with or without "/v1/systemone". It
// reports every problem of baseURL and o in one *RequestError. Nothing is dialled.
func New(baseURL string, o *Options) (*Client, error) {
	if o == nil {
		o = &Options{}
	}
	var p problems
	c := &Client{
		base:      parseBase(&p, baseURL),
		model:     o.Model,
		bearer:    o.Bearer,
		threshold: or(o.NoulThreshold, DefaultNoulThreshold),
		strict:    o.StrictModel,
		timeout:   or(o.Timeout, DefaultTimeout),
		maxBytes:  or(o.MaxResponseBytes, DefaultMaxResponseBytes),
		observe:   o.Observe,
	}
	if c.model == "" {
		c.model = DefaultModel
	}
	check(&p, o, c)
	if err := p.err("new"); err != nil {
		return nil, err
	}
	perSecond := rate.Limit(or(o.Rate, DefaultRate))
	if math.IsInf(o.Rate, 1) {
		perSecond = rate.Inf
	}
	c.limiter = rate.NewLimiter(perSecond, or(o.Burst, DefaultBurst))
	c.slots = make(chan struct{}, or(o.MaxConcurrent, DefaultMaxConcurrent))
	if o.Retry != nil {
		c.retry = *o.Retry
	}
	c.http = c.httpClient(o)
	return c, nil
}

// or returns the default for a zero value.
func or[T int | int64 | float64 | time.Duration](v, def T) T {
	if v == 0 {
		return def
	}
	return v
}

// check collects what is wrong with the options.
func check(p *problems, o *Options, c *Client) {
	if !visibleASCII(o.Bearer) {
		p.add("Bearer", "holds a character that is not visible ASCII")
	}
	if !utf8.ValidString(o.Model) {
		p.add("Model", "is not UTF-8")
	}
	if o.Timeout < 0 {
		p.add("Timeout", "is negative")
	}
	if o.Rate < 0 || math.IsNaN(o.Rate) {
		p.add("Rate", "must be positive, or +Inf for no limit")
	}
	if o.Burst < 0 {
		p.add("Burst", "is negative")
	}
	if o.MaxConcurrent < 0 {
		p.add("MaxConcurrent", "is negative")
	}
	if o.MaxResponseBytes < 0 {
		p.add("MaxResponseBytes", "is negative")
	}
	if !(c.threshold > 0 && c.threshold <= 1) {
		p.add("NoulThreshold", "must be above 0 and at most 1")
	}
	if o.DialContext != nil && o.HTTPClient != nil && o.HTTPClient.Transport != nil {
		p.add("DialContext", "cannot be combined with an HTTPClient that has a Transport")
	}
	if r := o.Retry; r != nil {
		if r.Attempts < 2 || r.Attempts > 5 {
			p.add("Retry.Attempts", "must be 2 to 5, is %d", r.Attempts)
		}
		if r.Backoff < 0 || r.Backoff > time.Second {
			p.add("Retry.Backoff", "must be 0 to 1 s, is %v", r.Backoff)
		}
	}
}

// parseBase checks a service address and returns it without the well-known path. Error texts do not repeat the
// address, which may hold a password.
func parseBase(p *problems, raw string) string {
	const field = "baseURL"
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		p.add(field, "is not a URL")
		return ""
	}
	before := len(p.list)
	if u.Scheme != "http" && u.Scheme != "https" {
		p.add(field, "must start with http:// or https://")
	}
	if u.Hostname() == "" {
		p.add(field, "names no host")
	}
	if u.User != nil {
		p.add(field, "must not hold user information")
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		p.add(field, "must not hold a query or fragment")
	}
	if len(p.list) > before {
		return ""
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	path = strings.TrimRight(strings.TrimSuffix(path, "/v1/systemone"), "/")
	return u.Scheme + "://" + u.Host + path
}

func visibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// httpClient builds the HTTP client: no redirects, no cookies, and unless the caller brought a transport, no
// proxy, no HTTP/2 and no decompression.
func (c *Client) httpClient(o *Options) *http.Client {
	h := &http.Client{}
	if o.HTTPClient != nil {
		*h = *o.HTTPClient
	}
	h.Jar = nil
	h.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if h.Transport != nil {
		return h
	}
	dial := o.DialContext
	if dial == nil {
		dial = (&net.Dialer{Timeout: c.timeout, KeepAlive: 30 * time.Second}).DialContext
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	c.own = &http.Transport{
		Proxy:                  nil,
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    c.timeout,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
		Protocols:              protocols,
		DisableCompression:     true,
		MaxIdleConns:           cap(c.slots),
		MaxIdleConnsPerHost:    cap(c.slots),
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
	h.Transport = c.own
	return h
}

// Close drops idle connections. Calls in flight end by themselves; later ones fail with ErrClosed. Closing
// twice is fine. A transport that the caller brought is left alone.
func (c *Client) Close() {
	c.closed.Store(true)
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

// String names the service. It never shows the bearer token, nor does %+v or %#v.
func (c *Client) String() string {
	if c == nil {
		return "p0client(nil)"
	}
	return fmt.Sprintf("p0client(%s, %s)", c.base, c.model)
}

// GoString is String.
func (c *Client) GoString() string { return c.String() }

// Model is the name of the model that is asked.
func (c *Client) Model() string { return c.model }

// NoulThreshold is the probability from which a noul counts as true.
func (c *Client) NoulThreshold() float64 { return c.threshold }
