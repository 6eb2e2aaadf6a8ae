package tool

import (
	"context"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/p0client"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// infer is the common way of classify, route and score: check everything, find the service, ask, and turn whatever goes
// wrong into an error the model can read.
func (t *tools) infer(call *mcpserver.Call, ask func(*p0client.Client, *inferArguments, string) (any, error)) (*mcpproto.ToolResult, error) {
	n := &note{tool: call.Name, args: call.Arguments}
	call.Note = n
	if call.RequestState != "" {
		n.confirm, n.failed = "refused", "requestState on a tool that never asks"
		return nil, foreignState()
	}
	var a inferArguments
	if wrong := parseArguments(call.Arguments, t.inferFields(call.Name, &a)); len(wrong) > 0 {
		return badArguments(call, n, wrong)
	}
	n.sizes = []audit.Size{{Name: "state", N: len([]rune(a.state))}, {Name: "items", N: len(a.items)}}
	client, url, err := t.client(a.server)
	if err == nil {
		var out any
		if out, err = ask(client, &a, url); err == nil {
			return encode(out)
		}
	}
	_, text, _ := gate.Failure(err)
	n.failed = text
	return failure(call.Name, text, nil), nil
}

// client finds the service a call is for: the one it names, else the configured one.
func (t *tools) client(argument string) (*p0client.Client, string, error) {
	if argument == "" {
		c, err := t.Pool.Configured()
		return c, t.Pool.URL(), err
	}
	target, err := t.Pool.Check(argument)
	if err != nil {
		return nil, "", err
	}
	c, err := t.Pool.Named(target)
	return c, target.URL, err
}

func (t *tools) classify(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
	return t.infer(call, func(c *p0client.Client, a *inferArguments, url string) (any, error) {
		r, err := c.Classify(ctx, a.state, a.items)
		if err != nil {
			return nil, err
		}
		return &classifyOutput{"classify_choice", a.state, a.items, r.Choice, r.Label, r.Confidence, r.Scores, r.Model, usageOf(r.Usage), url}, nil
	})
}

func (t *tools) route(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
	return t.infer(call, func(c *p0client.Client, a *inferArguments, url string) (any, error) {
		r, err := c.Route(ctx, a.state, a.items, false)
		if err != nil {
			return nil, err
		}
		return &routeOutput{"route_choice", a.state, a.items, r.Choice, r.Label, r.Confidence, r.Scores, r.Model, usageOf(r.Usage), url}, nil
	})
}

func (t *tools) score(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
	return t.infer(call, func(c *p0client.Client, a *inferArguments, url string) (any, error) {
		r, err := c.Score(ctx, a.state, a.items)
		if err != nil {
			return nil, err
		}
		return &scoreOutput{"score_q", a.state, a.items, r.Score, [2]int{2, 10}, r.Confidence, r.Scores, r.Model, usageOf(r.Usage), url}, nil
	})
}
