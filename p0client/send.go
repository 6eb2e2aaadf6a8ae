package p0client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// call is one exchange with the service.
type call struct {
	op      string
	method  string
	path    string
	body    []byte
	open    bool     // true for the path that takes no bearer token
	retry   bool     // whether Options.Retry may apply
	private []string // texts that must not appear in an error
}

// secrets lists what must not appear in an error, longest first, so that a text goes before its parts.
func (k *call) secrets(bearer string) []string {
	list := append(slices.Clone(k.private), bearer)
	slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}

// begin bounds a whole call by the client's timeout.
func (c *Client) begin(ctx context.Context, op string) (context.Context, context.CancelFunc, error) {
	if c.closed.Load() {
		return nil, nil, &StatusError{Op: op, Err: ErrClosed}
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	return ctx, cancel, nil
}

// contain turns a panic (of a caller's transport, say) into an error: nothing that breaks may look like an answer.
func contain(op string, err *error) {
	if v := recover(); v != nil {
		*err = &StatusError{Op: op, Err: fmt.Errorf("%w: panic of type %T", ErrUnavailable, v)}
	}
}

// exchange sends one request, repeats it where that is allowed, and returns the body of a 200 answer.
func (c *Client) exchange(ctx context.Context, k call) ([]byte, error) {
	if len(k.body) > MaxRequestBytes {
		var p problems
		p.add("request", "is %d bytes long; the service accepts %d", len(k.body), MaxRequestBytes)
		return nil, p.err(k.op)
	}
	pause := c.retry.Backoff
	for attempt := 1; ; attempt++ {
		body, unsent, err := c.try(ctx, k, attempt)
		if err == nil || !unsent || !k.retry || attempt >= c.retry.Attempts || ctx.Err() != nil {
			return body, err
		}
		if !wait(ctx, pause) {
			return nil, err
		}
		pause *= 2
	}
}

// wait pauses and reports whether the context lived through it.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// try makes one attempt and reports whether it failed before any byte was sent.
func (c *Client) try(ctx context.Context, k call, attempt int) (body []byte, unsent bool, err error) {
	start := time.Now()
	e := Event{Op: k.op, Attempt: attempt, RequestBytes: len(k.body)}
	defer func() {
		e.Duration, e.ResponseBytes, e.Err = time.Since(start), len(body), err
		c.notify(e)
	}()
	if err := c.acquire(ctx, k.op); err != nil {
		return nil, false, err
	}
	defer func() { <-c.slots }()
	e.Wait = time.Since(start)
	body, e.Status, unsent, err = c.roundTrip(ctx, k)
	return body, unsent, err
}

// notify calls the observer, whose panics are its own affair.
func (c *Client) notify(e Event) {
	if c.observe == nil {
		return
	}
	defer func() { _ = recover() }()
	c.observe(e)
}

// acquire waits for the rate limit and a free slot, never longer than the context allows.
func (c *Client) acquire(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return &StatusError{Op: op, Err: because(contextKind(err), err)}
	}
	if err := c.limiter.Wait(ctx); err != nil {
		if cause := ctx.Err(); cause != nil {
			return &StatusError{Op: op, Err: because(contextKind(cause), cause)}
		}
		return &StatusError{Op: op, Err: fmt.Errorf("%w: the wait for a free place does not fit the deadline", ErrRateLimited)}
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		err := ctx.Err()
		return &StatusError{Op: op, Err: because(contextKind(err), err)}
	}
}

// roundTrip makes the HTTP request and reads the answer.
func (c *Client) roundTrip(ctx context.Context, k call) (body []byte, status int, unsent bool, err error) {
	var connected atomic.Bool
	if k.retry && c.retry.Attempts > 1 {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	}
	req, err := http.NewRequestWithContext(ctx, k.method, c.base+k.path, bytes.NewReader(k.body))
	if err != nil {
		return nil, 0, false, &StatusError{Op: k.op, Err: fmt.Errorf("%w: the address is unusable", ErrUnavailable)}
	}
	c.setHeaders(req, k)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, 0, !connected.Load(), c.sendError(ctx, k, err)
	}
	defer func() { _ = resp.Body.Close() }() // what was needed of it has been read
	if resp.StatusCode != http.StatusOK {
		return nil, resp.StatusCode, false, c.statusError(ctx, k, resp)
	}
	body, err = c.readBody(ctx, k, resp)
	return body, resp.StatusCode, false, err
}

func (c *Client) setHeaders(req *http.Request, k call) {
	h := req.Header
	h.Set("Accept", "application/json")
	h.Set("Accept-Encoding", "identity") // and so no transport decompresses behind the byte cap
	h.Set("User-Agent", "phocinae-p0client/"+Version)
	if k.method == http.MethodPost {
		h.Set("Content-Type", "application/json")
	}
	if c.bearer != "" && !k.open {
		h.Set("Authorization", "Bearer "+c.bearer)
	}
}

// sendError judges a request that brought no HTTP answer.
func (c *Client) sendError(ctx context.Context, k call, err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without method and address, which are no news
	}
	if cause := ctx.Err(); cause != nil {
		return &StatusError{Op: k.op, Err: because(contextKind(cause), cause)}
	}
	if isTimeout(err) {
		return &StatusError{Op: k.op, Err: because(ErrTimeout, err, k.secrets(c.bearer)...)}
	}
	return &StatusError{Op: k.op, Err: because(ErrUnavailable, err, k.secrets(c.bearer)...)}
}

// statusError judges an answer with another status than 200.
func (c *Client) statusError(ctx context.Context, k call, resp *http.Response) error {
	e := &StatusError{Op: k.op, Status: resp.StatusCode, FromServer: true, Err: statusKind(resp.StatusCode)}
	e.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorRead))
	if cause := ctx.Err(); cause != nil && err != nil {
		// The status line came in time; what the service meant by it did not.
		e.Err = because(contextKind(cause), cause)
		return e
	}
	e.Body = explain(raw, k.secrets(c.bearer))
	return e
}

func statusKind(status int) error {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return ErrUnauthorized
	case status == http.StatusTooManyRequests:
		return ErrRateLimited
	case status >= 500:
		return ErrUnavailable
	case status >= 400:
		return ErrRejected
	case status >= 300:
		return ErrRedirected
	default:
		return ErrMalformed
	}
}

// retryAfter reads the header in both its forms (RFC 9110, 10.2.3); anything else is 0.
func retryAfter(v string, now time.Time) time.Duration {
	if v == "" {
		return 0
	}
	if d, err := time.ParseDuration(v + "s"); err == nil && d >= 0 && strings.Trim(v, "0123456789") == "" {
		return d
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}

// readBody reads a 200 answer whole, or fails.
func (c *Client) readBody(ctx context.Context, k call, resp *http.Response) ([]byte, error) {
	bad := func(detail string) error {
		return &StatusError{Op: k.op, Status: resp.StatusCode, Err: fmt.Errorf("%w: %s", ErrMalformed, detail)}
	}
	if enc := resp.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return nil, bad("it is compressed, which was not asked for")
	}
	if !isJSON(resp.Header.Get("Content-Type")) {
		return nil, bad("its content type is not JSON")
	}
	tooLarge := &StatusError{Op: k.op, Status: resp.StatusCode, Err: because(ErrTooLarge, ErrMalformed)}
	if resp.ContentLength > c.maxBytes {
		return nil, tooLarge
	}
	body, err := readAll(resp, c.maxBytes)
	switch {
	case int64(len(body)) > c.maxBytes:
		return nil, tooLarge
	case err == nil:
		return body, nil
	case ctx.Err() != nil:
		return nil, &StatusError{Op: k.op, Status: resp.StatusCode, Err: because(contextKind(ctx.Err()), ctx.Err())}
	case isTimeout(err):
		return nil, &StatusError{Op: k.op, Status: resp.StatusCode, Err: because(ErrTimeout, err)}
	case isReset(err):
		return nil, &StatusError{Op: k.op, Status: resp.StatusCode, Err: because(ErrUnavailable, err)}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, bad("the connection ended before the body did")
	default:
		return nil, bad("its body is not framed as HTTP demands")
	}
}

// isReset reports a failure of the connection itself.
func isReset(err error) bool {
	_, ok := errors.AsType[*net.OpError](err)
	return ok
}

// readAll reads at most one byte more than limit, in one allocation where the length is known.
func readAll(resp *http.Response, limit int64) ([]byte, error) {
	size := int64(1024)
	if resp.ContentLength >= 0 {
		size = resp.ContentLength
	}
	buf := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err := buf.ReadFrom(io.LimitReader(resp.Body, limit+1))
	return buf.Bytes(), err
}

// isJSON accepts JSON media types, and an answer that names none at all.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && (t == "application/json" || t == "text/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"))
}
