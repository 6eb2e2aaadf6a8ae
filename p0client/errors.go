package p0client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// The kinds of failure. Every error of a Client matches exactly one of them with errors.Is, except that an
// answer over the cap matches ErrTooLarge and ErrMalformed.
var (
	// ErrInvalid reports a request that was refused before anything was sent; see *RequestError.
	ErrInvalid = errors.New("p0client: invalid request")
	// ErrUnavailable reports that no HTTP answer arrived (refused, reset, DNS, TLS, not HTTP), or a 5xx status.
	ErrUnavailable = errors.New("p0client: service unavailable")
	// ErrTimeout reports that the deadline passed before a whole answer was there.
	ErrTimeout = errors.New("p0client: timeout")
	// ErrCanceled reports that the caller's context was cancelled.
	ErrCanceled = errors.New("p0client: cancelled")
	// ErrRateLimited reports a wait for the client's own rate limit that cannot fit the deadline, or status 429.
	ErrRateLimited = errors.New("p0client: rate limited")
	// ErrUnauthorized reports status 401 or 403.
	ErrUnauthorized = errors.New("p0client: unauthorized")
	// ErrRejected reports any other 4xx status: the service refused the request.
	ErrRejected = errors.New("p0client: request rejected by the service")
	// ErrRedirected reports a 3xx status. Redirects are never followed.
	ErrRedirected = errors.New("p0client: redirect refused")
	// ErrMalformed reports an answer that is not what the protocol says: cut, not JSON, repeated keys, bad
	// UTF-8, wrong types, or members that contradict each other.
	ErrMalformed = errors.New("p0client: malformed answer")
	// ErrTooLarge reports an answer over Options.MaxResponseBytes. Nothing of it was used.
	ErrTooLarge = errors.New("p0client: answer too large")
	// ErrMissingAnswer reports that the service answered, but not the question that was asked.
	ErrMissingAnswer = errors.New("p0client: answer missing")
	// ErrOutOfRange reports a number outside its range: an index outside the options, a score outside 2 to 10,
	// a probability outside 0 to 1, a number too large for a float64.
	ErrOutOfRange = errors.New("p0client: answer out of range")
	// ErrTruncated reports that the service did not read the whole request, or did not say whether it did.
	ErrTruncated = errors.New("p0client: request was not read to its end")
	// ErrModelMismatch reports an answer of another model than the one asked, under Options.StrictModel.
	ErrModelMismatch = errors.New("p0client: answer of another model")
	// ErrClosed reports a call after Close.
	ErrClosed = errors.New("p0client: client is closed")
)

// kinds pairs the sentinels with the words of Kind, most specific first.
var kinds = [...]struct {
	err  error
	name string
}{
	{ErrInvalid, "invalid"},
	{ErrClosed, "closed"},
	{ErrRateLimited, "rate_limited"},
	{ErrTimeout, "timeout"},
	{ErrCanceled, "canceled"},
	{ErrUnauthorized, "unauthorized"},
	{ErrRejected, "rejected"},
	{ErrRedirected, "redirected"},
	{ErrTooLarge, "too_large"},
	{ErrMissingAnswer, "missing_answer"},
	{ErrOutOfRange, "out_of_range"},
	{ErrTruncated, "truncated"},
	{ErrModelMismatch, "model_mismatch"},
	{ErrMalformed, "malformed"},
	{ErrUnavailable, "unavailable"},
}

// Kind names the kind of an error of this package in one word, for metrics and audit records: "invalid",
// "closed", "rate_limited", "timeout", "canceled", "unauthorized", "rejected", "redirected", "too_large",
// "missing_answer", "out_of_range", "truncated", "model_mismatch", "malformed" or "unavailable". It returns ""
// for nil and "unknown" for an error of another origin.
func Kind(err error) string {
	if err == nil {
		return ""
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	return "unknown"
}

// Problem is one violation in a request.
type Problem struct {
	Field string // such as "command", "labels[3]" or "questions[0].threshold"
	Text  string // what is wrong and what is allowed
}

// RequestError lists everything that is wrong with a request. Nothing was sent. It matches ErrInvalid.
type RequestError struct {
	Op       string // the call: "gate", "classify", "route", "score", "ask", "permute", "batch" or "new"
	Problems []Problem
}

// Error names every problem with its field.
func (e *RequestError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "p0client: invalid %s request", e.Op)
	for i, p := range e.Problems {
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		b.WriteString(sep + p.Field + ": " + p.Text)
	}
	return b.String()
}

// Unwrap returns ErrInvalid.
func (e *RequestError) Unwrap() error { return ErrInvalid }

// problems collects violations.
type problems struct{ list []Problem }

func (p *problems) add(field, format string, args ...any) {
	p.list = append(p.list, Problem{Field: field, Text: fmt.Sprintf(format, args...)})
}

// err returns a *RequestError if anything was collected.
func (p *problems) err(op string) error {
	if len(p.list) == 0 {
		return nil
	}
	return &RequestError{Op: op, Problems: p.list}
}

// StatusError is an exchange with the service that ended without a usable HTTP answer.
type StatusError struct {
	Op         string        // the call, such as "gate.noul", "classify" or "health"
	Status     int           // HTTP status; 0 if no response arrived
	FromServer bool          // true if the service said so, false if the client concluded it
	RetryAfter time.Duration // 0 if the service named none
	Body       string        // what the service said, one line, at most 2 KiB, credentials and input removed
	Err        error         // matches one of the Err… values; its chain holds the cause
}

// Error gives kind, call, status and the service's own words.
func (e *StatusError) Error() string {
	s := fmt.Sprintf("%v (%s", e.Err, e.Op)
	if e.Status != 0 {
		s += fmt.Sprintf(", status %d", e.Status)
	}
	s += ")"
	if e.Body != "" {
		s += ": " + e.Body
	}
	return s
}

// Unwrap returns the cause.
func (e *StatusError) Unwrap() error { return e.Err }

// AnswerError is an HTTP answer that arrived whole and cannot be used.
type AnswerError struct {
	Op     string // the call
	ID     string // the question's id; empty if the fault is not in one answer
	Detail string // what is wrong; holds nothing that the service sent except numbers
	Err    error  // ErrMalformed, ErrMissingAnswer, ErrOutOfRange, ErrTruncated or ErrModelMismatch
}

// Error gives kind, call, question and detail.
func (e *AnswerError) Error() string {
	s := fmt.Sprintf("%v (%s", e.Err, e.Op)
	if e.ID != "" {
		s += fmt.Sprintf(", question %q", e.ID)
	}
	return s + "): " + e.Detail
}

// Unwrap returns the kind.
func (e *AnswerError) Unwrap() error { return e.Err }

// contextKind is the kind for a context that has ended.
func contextKind(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrTimeout
	}
	return ErrCanceled
}

// isTimeout reports a timeout below the context, such as that of a caller's own http.Client.
func isTimeout(err error) bool {
	ne, ok := errors.AsType[net.Error](err)
	return ok && ne.Timeout()
}

// cause is a kind of failure with what brought it about. Its text is one short line without private texts,
// because an address or a peer's first bytes may quote what was sent.
type cause struct {
	kind error
	err  error
	text string
}

// because joins a kind with its cause, both visible to errors.Is.
func because(kind, err error, private ...string) error {
	text := err.Error()
	for _, p := range private {
		text = hide(text, p)
	}
	return &cause{kind: kind, err: err, text: oneLine(text, maxCauseText)}
}

func (c *cause) Error() string   { return c.kind.Error() + ": " + c.text }
func (c *cause) Unwrap() []error { return []error{c.kind, c.err} }
