// Package service hands out clients of the inference service: the configured one, and those a tool's server argument may
// name (see package serverpolicy). Nothing is dialled before the first question.
//
// # Concurrency
//
// A Pool is safe for concurrent use.
package service

import (
	"errors"
	"sync"

	"github.com/phocinae/phocinae-go/p0client"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/serverpolicy"
)

// maxNamed bounds the clients kept for named services. A model could name a new loopback port in every call.
const maxNamed = 8

// Pool holds the clients of one process.
type Pool struct {
	cfg        *config.Config
	policy     *serverpolicy.Policy
	configured func() (*p0client.Client, error)

	mu     sync.Mutex
	named  map[string]*p0client.Client
	order  []string // of named, oldest first
	closed bool
}

// New makes a pool for a checked configuration.
func New(cfg *config.Config) *Pool {
	p := &Pool{cfg: cfg, policy: serverpolicy.New(cfg.Server, cfg.AllowServers, nil), named: map[string]*p0client.Client{}}
	p.configured = sync.OnceValues(func() (*p0client.Client, error) {
		o := p.options()
		o.Bearer = cfg.ServerToken
		return p0client.New(cfg.Server, o)
	})
	return p
}

func (p *Pool) options() *p0client.Options {
	return &p0client.Options{
		Model:         p.cfg.Model,
		Timeout:       p.cfg.Timeout,
		Rate:          p.cfg.Rate,
		Burst:         p.cfg.Burst,
		NoulThreshold: p.cfg.Thresholds.Noul,
		StrictModel:   true, // the operator named a model; what another one says is no answer
	}
}

// Check judges a server argument without touching the network. The empty argument is the configured service.
func (p *Pool) Check(argument string) (*serverpolicy.Target, error) { return p.policy.Check(argument) }

// URL is the configured service's address.
func (p *Pool) URL() string { return p.cfg.Server }

// Configured returns the client of the configured service. It carries the operator's bearer token.
func (p *Pool) Configured() (*p0client.Client, error) { return p.configured() }

// Named returns the client for a checked target. It never carries a bearer token, not even for the address of the
// configured service under the name a model gave it, except that a target equal to the configured one is that service.
func (p *Pool) Named(t *serverpolicy.Target) (*p0client.Client, error) {
	if t.Configured {
		return p.Configured()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("service: closed")
	}
	if c, ok := p.named[t.URL]; ok {
		return c, nil
	}
	o := p.options()
	o.DialContext = t.DialContext
	c, err := p0client.New(t.URL, o)
	if err != nil {
		return nil, err
	}
	if len(p.order) == maxNamed {
		oldest := p.order[0]
		// Calls in flight on it would fail if it were closed here; its idle connections end by themselves.
		delete(p.named, oldest)
		p.order = append(p.order[:0], p.order[1:]...)
	}
	p.named[t.URL] = c
	p.order = append(p.order, t.URL)
	return c, nil
}

// Close drops idle connections.
func (p *Pool) Close() {
	if c, err := p.Configured(); err == nil {
		c.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.named {
		c.Close()
	}
}
