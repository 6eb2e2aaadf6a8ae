// Package serverpolicy decides which inference services a tool's server argument may name.
//
// The argument is written by a model, so it is judged like hostile input: only a plain http or https address, only a
// loopback host unless the operator listed it, and what is checked is what is dialled: a name is resolved once and the
// connection goes to an address that was seen to be loopback.
//
//	policy := serverpolicy.New("http://127.0.0.1:8155", nil)
//	target, err := policy.Check("http://localhost:9000")
//	client, err := p0client.New(target.URL, &p0client.Options{DialContext: target.DialContext})
//
// # Errors
//
// ParseBase and Check return an error that wraps ErrForm or ErrHost; DialContext returns one that wraps ErrHost when the
// name resolves to anything that is not loopback. The text never repeats user info.
//
// # Concurrency
//
// Policies and targets are read-only and safe for concurrent use.
package serverpolicy
