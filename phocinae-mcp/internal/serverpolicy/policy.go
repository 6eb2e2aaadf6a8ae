package serverpolicy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// Policy knows the configured service and the services the operator listed.
type Policy struct {
	configured string
	listed     map[string]bool
	resolve    func(ctx context.Context, host string) ([]netip.Addr, error)
	dial       func(ctx context.Context, network, addr string) (net.Conn, error)
}

// Options are the optional parts of a Policy, for tests.
type Options struct {
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)      // default: the system's resolver
	Dial    func(ctx context.Context, network, addr string) (net.Conn, error) // default: net.Dialer
}

// New makes a policy. The addresses are those of a checked configuration; a malformed one lists nothing.
func New(configured string, listed []string, o *Options) *Policy {
	p := &Policy{configured: normal(configured), listed: make(map[string]bool, len(listed))}
	for _, l := range listed {
		if s := normal(l); s != "" {
			p.listed[s] = true
		}
	}
	if o != nil {
		p.resolve, p.dial = o.Resolve, o.Dial
	}
	if p.resolve == nil {
		p.resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if p.dial == nil {
		p.dial = (&net.Dialer{}).DialContext
	}
	return p
}

func normal(s string) string {
	b, err := ParseBase(s)
	if err != nil {
		return ""
	}
	return b.String()
}

// Target is a service that an argument may name.
type Target struct {
	URL        string // normalised
	Configured bool   // it is the configured service itself
	Listed     bool   // the operator listed it: it may replace the configured service
	base       Base
	policy     *Policy
}

// Check judges an argument without touching the network. A name that is not listed passes here and is judged again, by
// its addresses, when it is dialled.
func (p *Policy) Check(argument string) (*Target, error) {
	base, err := ParseBase(argument)
	if err != nil {
		return nil, err
	}
	t := &Target{URL: base.String(), base: base, policy: p}
	t.Configured = t.URL == p.configured
	t.Listed = p.listed[t.URL]
	if !t.Configured && !t.Listed && base.addr.IsValid() && !base.addr.IsLoopback() {
		return nil, fmt.Errorf("%w: %s", ErrHost, base.host)
	}
	return t, nil
}

// DialContext connects to the target and to nothing else: the address it is given is ignored. Unless the operator vouched
// for the target, its name is resolved once, every address must be loopback, and the connection goes to one of them.
func (t *Target) DialContext(ctx context.Context, network, _ string) (net.Conn, error) {
	if t.Listed || t.Configured || t.base.addr.IsValid() {
		return t.policy.dial(ctx, network, t.base.hostPort())
	}
	addrs, err := t.policy.resolve(ctx, t.base.host)
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, fmt.Errorf("%w: %s has no address", ErrHost, t.base.host)
	}
	for _, a := range addrs {
		// A mapped address is not what a resolver gives for a loopback name; taking it would mean unmapping it first.
		if a.Is4In6() {
			a = a.Unmap()
		}
		if !a.IsLoopback() {
			return nil, fmt.Errorf("%w: %s", ErrHost, t.base.host)
		}
	}
	var failed []error
	for _, a := range addrs {
		conn, err := t.policy.dial(ctx, network, net.JoinHostPort(a.Unmap().String(), t.base.port))
		if err == nil {
			return conn, nil
		}
		failed = append(failed, err)
	}
	return nil, errors.Join(failed...)
}
