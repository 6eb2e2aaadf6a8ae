package safety_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/safety"
)

// TestGate is the pattern "phase gate": no change without its preview, enforced in code.
func TestGate(t *testing.T) {
	content := jsontext.Value(`{"a":1,"b":[2]}`)
	for _, tt := range []struct {
		name string
		pass func(g *safety.Gate, handle string, later func(time.Duration)) error
		want error
	}{
		{"the handle of the preview", func(g *safety.Gate, h string, _ func(time.Duration)) error {
			return g.Pass("order", "1", "ann", h, content)
		}, nil},
		{"key order does not matter", func(g *safety.Gate, h string, _ func(time.Duration)) error {
			return g.Pass("order", "1", "ann", h, jsontext.Value(`{"b":[2],"a":1}`))
		}, nil},
		{"no handle", func(g *safety.Gate, _ string, _ func(time.Duration)) error {
			return g.Pass("order", "1", "ann", "", content)
		}, safety.ErrNoHandle},
		{"another thing's handle", func(g *safety.Gate, h string, _ func(time.Duration)) error {
			return g.Pass("order", "2", "ann", h, content)
		}, safety.ErrHandle},
		{"another kind's handle", func(g *safety.Gate, h string, _ func(time.Duration)) error {
			return g.Pass("refund", "1", "ann", h, content)
		}, safety.ErrHandle},
		{"another principal's handle", func(g *safety.Gate, h string, _ func(time.Duration)) error {
			return g.Pass("order", "1", "bob", h, content)
		}, safety.ErrHandle},
		{"a made-up handle", func(g *safety.Gate, _ string, _ func(time.Duration)) error {
			return g.Pass("order", "1", "ann", "abc", content)
		}, safety.ErrHandle},
		{"a changed handle", func(g *safety.Gate, h string, _ func(time.Duration)) error {
			b := []byte(h)
			b[len(b)/2] ^= 1
			return g.Pass("order", "1", "ann", string(b), content)
		}, safety.ErrHandle},
		{"what was previewed has changed", func(g *safety.Gate, h string, _ func(time.Duration)) error {
			return g.Pass("order", "1", "ann", h, jsontext.Value(`{"a":2,"b":[2]}`))
		}, safety.ErrChanged},
		{"too late", func(g *safety.Gate, h string, later func(time.Duration)) error {
			later(time.Minute + time.Second)
			return g.Pass("order", "1", "ann", h, content)
		}, safety.ErrExpired},
		{"twice", func(g *safety.Gate, h string, _ func(time.Duration)) error {
			if err := g.Pass("order", "1", "ann", h, content); err != nil {
				return err
			}
			return g.Pass("order", "1", "ann", h, content)
		}, safety.ErrUsed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			now := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
			sealer, err := mcpproto.NewStateSealer(bytes.Repeat([]byte{7}, 32))
			is.NoErr(err)
			g := safety.NewGate(sealer, time.Minute, func() time.Time { return now })
			handle, err := g.Preview("order", "1", "ann", content)
			is.NoErr(err)
			got := tt.pass(g, handle, func(d time.Duration) { now = now.Add(d) })
			is.True(errors.Is(got, tt.want)) // this error and no other
		})
	}
}
