package gate

import (
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/serverpolicy"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/service"
)

// FromPool makes the clients of a pool the judge's services.
func FromPool(p *service.Pool) Services { return pool{p} }

type pool struct{ p *service.Pool }

func (s pool) Check(argument string) (*serverpolicy.Target, error) { return s.p.Check(argument) }
func (s pool) URL() string                                         { return s.p.URL() }

func (s pool) Configured() (Asker, error) {
	c, err := s.p.Configured()
	if err != nil {
		return nil, err // not c: a nil client in an interface would not be nil
	}
	return c, nil
}

func (s pool) Named(t *serverpolicy.Target) (Asker, error) {
	c, err := s.p.Named(t)
	if err != nil {
		return nil, err
	}
	return c, nil
}
