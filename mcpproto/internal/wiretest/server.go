package wiretest

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
)

// Options returns options that suit the conversations: no log, output schemas enforced, everything declared.
func Options() *mcpserver.Options {
	return &mcpserver.Options{
		Instructions: "Use echo.",
		Logger:       slog.New(slog.DiscardHandler),
		Schemas:      schemacheck.Compile,
		Output:       mcpserver.OutputFails,
		Cache:        &mcpproto.Cache{TTL: 5 * time.Minute, Scope: mcpproto.Public},
		Capabilities: mcpproto.ServerCapabilities{
			Tools:     &mcpproto.ListCapability{ListChanged: true},
			Prompts:   &mcpproto.ListCapability{ListChanged: true},
			Resources: &mcpproto.ResourcesCapability{Subscribe: true, ListChanged: true},
			Logging:   &struct{}{},
		},
	}
}

// NewServer returns the server that the conversations are held with. Slow calls wait until Release is closed or
// their context ends.
func NewServer(o *mcpserver.Options) *Fixture {
	f := &Fixture{
		Server:  mcpserver.New(mcpproto.Implementation{Name: "wiretest", Title: "Wire test", Version: "1"}, o),
		Release: make(chan struct{}), Started: make(chan string, 1024), sealer: mcpproto.RandomStateSealer(),
		ledger: mcpproto.NewMemoryLedger(0),
	}
	f.tools()
	f.rest()
	return f
}

// Fixture is the server and its handles.
type Fixture struct {
	*mcpserver.Server
	Release chan struct{} // close to let slow calls end
	Started chan string   // ids of slow calls that began
	sealer  *mcpproto.StateSealer
	ledger  *mcpproto.MemoryLedger
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (f *Fixture) tools() {
	yes, no := true, false
	must(f.AddTool(mcpserver.Tool{
		Name: "echo", Title: "Echo", Description: "Returns its arguments.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string","minLength":1},` +
			`"count":{"type":"integer"}},"required":["text"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},` +
			`"count":{"type":"integer"}},"required":["text"]}`),
		Annotations: &mcpproto.ToolAnnotations{ReadOnlyHint: &yes, DestructiveHint: &no},
	}, func(_ context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		raw, err := mcpproto.Canonical(c.Arguments)
		return mcpproto.StructuredResult(raw), err
	}))
	add := func(name string, h mcpserver.ToolHandler) {
		must(f.AddTool(mcpserver.Tool{Name: name, Description: name + "."}, h))
	}
	add("boom", func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) { panic("boom") })
	add("coded", func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return nil, &mcpproto.Error{Code: -1234, Message: "coded", Data: map[string]int{"n": 1}}
	})
	add("uncoded", func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return nil, errors.New("secret detail")
	})
	add("failed", func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.ErrorResult("no luck"), nil
	})
	add("nothing", func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) { return nil, nil })
	add("slow", f.slow)
	add("progress", func(ctx context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		for _, p := range []float64{0, 50, 50, 40, 100} { // what does not increase must not be sent
			_ = c.Progress(ctx, p, 100, "at "+strconv.Itoa(int(p)))
		}
		return mcpproto.TextResult("done"), nil
	})
	add("log", func(ctx context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		for _, l := range []mcpproto.LogLevel{mcpproto.LogDebug, mcpproto.LogInfo, mcpproto.LogError} {
			if err := c.Log(ctx, l, "fixture", map[string]string{"said": string(l)}); err != nil {
				return nil, err
			}
		}
		return mcpproto.TextResult("logged"), nil
	})
	add("ask", f.ask)
	add("model", func(ctx context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		r, err := c.Sample(ctx, mcpproto.SampleParams{MaxTokens: 10, Messages: []mcpproto.SamplingMessage{
			{Role: "user", Content: []mcpproto.Content{mcpproto.Text("hi"), mcpproto.Text("there")}},
		}})
		if err != nil {
			return mcpproto.TextResult("model: " + err.Error()), nil
		}
		return &mcpproto.ToolResult{Content: r.Content}, nil
	})
	add("folders", func(ctx context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		r, err := c.Roots(ctx)
		if err != nil {
			return mcpproto.TextResult("folders: " + err.Error()), nil
		}
		raw, err := mcpproto.Marshal(r.Roots)
		return mcpproto.TextResult(string(raw)), err
	})
	add("touch", func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		f.ToolsChanged()
		f.ResourceUpdated("test://text")
		return mcpproto.TextResult("touched"), nil
	})
	must(f.AddTool(mcpserver.Tool{
		Name: "sampler", Description: "Needs sampling.",
		Requires: mcpproto.ClientCapabilities{Sampling: &mcpproto.SamplingCapability{}},
	}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("sampled"), nil
	}))
}

func (f *Fixture) slow(ctx context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
	f.Started <- c.ID.String()
	select {
	case <-f.Release:
		return mcpproto.TextResult("slow done"), nil
	case <-ctx.Done():
		return mcpproto.TextResult("denied: " + context.Cause(ctx).Error()), nil
	}
}

// approval is the question that ask puts.
func approval() *mcpproto.ElicitParams {
	return &mcpproto.ElicitParams{Mode: "form", Message: "May I?", Requested: []byte(
		`{"type":"object","properties":{"approve":{"type":"boolean"}},"required":["approve"]}`)}
}

func (f *Fixture) ask(ctx context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
	if c.Era == mcpproto.Legacy {
		if !c.CanElicit() {
			return mcpproto.TextResult("ask: nobody to ask"), nil
		}
		r, err := c.Elicit(ctx, *approval())
		if err != nil {
			return mcpproto.TextResult("ask: " + err.Error()), nil
		}
		return verdict(r), nil
	}
	if !c.Capabilities.Form() {
		return mcpproto.TextResult("ask: nobody to ask"), nil
	}
	digest, err := mcpproto.DigestParams(c.Arguments)
	if err != nil {
		return nil, err
	}
	want := mcpproto.StateClaims{Method: "tools/call ask", Params: digest, Principal: c.Principal}
	now := time.Now()
	if c.RequestState != "" {
		claims, err := f.sealer.Open(c.RequestState, want, now)
		if err == nil {
			err = f.ledger.Use(claims.Nonce, claims.Issued, claims.Expires, now)
		}
		if err != nil {
			return nil, mcpproto.InvalidParams("request state refused")
		}
		if r, err := c.InputResponses.Elicit("approval"); err == nil {
			return verdict(r), nil
		}
	}
	want.Issued, want.Expires = now, now.Add(time.Minute)
	state, err := f.sealer.Seal(want)
	if err != nil {
		return nil, err
	}
	return mcpproto.NeedInput(mcpproto.InputRequired{
		Requests: mcpproto.InputRequests{"approval": {Elicit: approval()}}, State: state,
	}), nil
}

func verdict(r *mcpproto.ElicitResult) *mcpproto.ToolResult {
	if yes, ok := r.Bool("approve"); r.Action == mcpproto.ActionAccept && ok && yes {
		return mcpproto.TextResult("allow")
	}
	return mcpproto.TextResult("deny")
}

func (f *Fixture) rest() {
	must(f.AddResource(mcpproto.Resource{URI: "test://text", Name: "text", Title: "Text", MimeType: "text/plain"},
		func(_ context.Context, r *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
			return &mcpproto.ReadResult{Contents: []mcpproto.ResourceContents{
				{URI: r.URI, MimeType: "text/plain", Text: "hello"},
			}}, nil
		}))
	must(f.AddResourceTemplate(mcpproto.ResourceTemplate{URITemplate: "test://item/{id}/data", Name: "item"},
		func(_ context.Context, r *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
			return &mcpproto.ReadResult{Contents: []mcpproto.ResourceContents{{URI: r.URI, Text: r.Vars["id"]}}}, nil
		}))
	must(f.AddPrompt(mcpproto.Prompt{
		Name: "greet", Title: "Greet", Arguments: []mcpproto.PromptArgument{{Name: "who", Required: true}},
	}, func(_ context.Context, p *mcpserver.PromptCall) (*mcpproto.PromptResult, error) {
		return &mcpproto.PromptResult{Messages: []mcpproto.PromptMessage{
			{Role: "user", Content: mcpproto.Text("Hello, " + p.Arguments["who"])},
		}}, nil
	}))
	f.SetCompletion(func(_ context.Context, c *mcpserver.CompletionCall) (*mcpproto.Completion, error) {
		return &mcpproto.Completion{Values: []string{c.Argument.Value + "!"}}, nil
	})
	must(f.Handle("shutdown", func(context.Context, *mcpserver.Request) (any, error) { return nil, nil },
		mcpproto.Legacy))
}
