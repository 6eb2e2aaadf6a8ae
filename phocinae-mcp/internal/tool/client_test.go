package tool

import (
	"context"
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

// connect plays one client. Every message in either direction is checked against the revision's schema by mcptest.
func connect(t *testing.T, s *mcpserver.Server, v mcpproto.Version, forms bool, answers ...any) *client {
	t.Helper()
	c := &client{t: t}
	o := &mcptest.Options{Revision: v}
	if forms {
		o.Capabilities.Elicitation = &mcpproto.ElicitationCapability{}
		if v >= mcpproto.Version20251125 {
			o.Capabilities.Elicitation.Form = jsontext.Value("{}")
		}
	}
	o.Answer = func(ctx context.Context, ask mcptest.Ask) (any, error) {
		c.mu.Lock()
		c.asked = append(c.asked, string(ask.Params))
		n := len(c.asked) - 1
		c.mu.Unlock()
		if n >= len(answers) {
			<-ctx.Done()
			return nil, errors.New("nobody answers")
		}
		return answers[n], nil
	}
	c.Client = mcptest.Connect(t, s, o)
	return c
}

func accept(content map[string]any) map[string]any {
	if content == nil {
		return map[string]any{"action": "accept"}
	}
	return map[string]any{"action": "accept", "content": content}
}

var (
	yes     = accept(map[string]any{"approve": true})
	no      = accept(map[string]any{"approve": false})
	decline = map[string]any{"action": "decline"}
	cancel  = map[string]any{"action": "cancel"}
)

// retry is what a modern client adds to its second call.
func retry(state string, answer any) map[string]any {
	m := map[string]any{"requestState": state}
	if answer != nil {
		m["inputResponses"] = map[string]any{"gate_approval": answer}
	}
	return m
}

func cmd(command string) map[string]any { return map[string]any{"command": command} }

const (
	v2024 = mcpproto.Version20241105
	v0325 = mcpproto.Version20250326
	v0618 = mcpproto.Version20250618
	v1125 = mcpproto.Version20251125
	v2026 = mcpproto.Version20260728
)
