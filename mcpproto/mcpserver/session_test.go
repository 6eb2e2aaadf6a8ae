package mcpserver_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// TestLegacyHTTPSession plays what a transport with sessions does: one Conn a session, the question on the stream of
// the call, its answer in a request of its own.
func TestLegacyHTTPSession(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{Capabilities: mcpproto.ServerCapabilities{Logging: &struct{}{}}})
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "ask"}, func(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		sample, err := call.Sample(ctx, mcpproto.SampleParams{MaxTokens: 5, Messages: []mcpproto.SamplingMessage{
			{Role: "user", Content: []mcpproto.Content{mcpproto.Text("hi")}},
		}})
		if err != nil {
			return nil, err
		}
		roots, err := call.Roots(ctx)
		if err != nil {
			return nil, err
		}
		return mcpproto.TextResult(sample.Content[0].Text + " " + roots.Roots[0].URI), nil
	}))
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.HTTP})
	defer c.Close()
	f := mcpserver.Facts{Header: headers("Mcp-Protocol-Version", "2025-11-25")}
	got := exchange(t.Context(), t, c, legacy("0", "initialize", `"protocolVersion":"2025-11-25","capabilities":{"sampling":{},"roots":{}}`), mcpserver.Facts{Header: headers()}).only(t)
	is.True(has(got, `"logging":{}`))
	is.True(has(exchange(t.Context(), t, c, legacy("1", "logging/setLevel", `"level":"info"`), f).only(t), `"result":{}`))
	exchange(t.Context(), t, c, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, f)

	out := &sink{notify: make(chan struct{}, 4)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.handle(context.Background(), legacy("2", "tools/call", `"name":"ask"`), f, out)
	}()
	for i, result := range []string{
		`{"role":"assistant","model":"m","content":{"type":"text","text":"hello"}}`, `{"roots":[{"uri":"file:///r"}]}`,
	} {
		<-out.notify
		out.mu.Lock()
		question := out.sent[i]
		out.mu.Unlock()
		m, err := mcpproto.Decode([]byte(question))
		is.NoErr(err)
		is.True(m.Kind == mcpproto.Request)
		id, _ := m.ID.Text()
		is.True(len(id) >= 26) // nobody guesses it
		reply := exchange(t.Context(), t, c, `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"result":`+result+`}`, f)
		is.Equal(len(reply.answers), 0)
	}
	<-done
	is.True(has(out.only(t), "hello file:///r"))

	// Without the header the session's revision counts; the same id may be under way twice on HTTP.
	is.True(has(exchange(t.Context(), t, c, legacy("2", "tools/list", ""), mcpserver.Facts{Header: headers()}).only(t), `"tools"`))
}

// TestQuestionsFitTheRevision asks legacy clients of every revision; that each question is valid in theirs is checked on
// the way out.
func TestQuestionsFitTheRevision(t *testing.T) {
	sample := func(p mcpproto.SampleParams) func(context.Context, *mcpserver.Call) error {
		p.MaxTokens = 1
		return func(ctx context.Context, call *mcpserver.Call) error { _, err := call.Sample(ctx, p); return err }
	}
	elicit := func(p mcpproto.ElicitParams) func(context.Context, *mcpserver.Call) error {
		return func(ctx context.Context, call *mcpserver.Call) error { _, err := call.Elicit(ctx, p); return err }
	}
	said := func(c ...mcpproto.Content) []mcpproto.SamplingMessage {
		return []mcpproto.SamplingMessage{{Role: "user", Content: c}}
	}
	use := mcpproto.Content{Type: mcpproto.KindToolUse, ToolUse: &mcpproto.ToolUse{ID: "1", Name: "t"}}
	const first, forms, tools, never = mcpproto.Version20241105, mcpproto.Version20250618, mcpproto.Version20251125, mcpproto.Version20260728
	for _, tt := range []struct {
		claim string
		from  mcpproto.Version // the first that is asked
		ask   func(context.Context, *mcpserver.Call) error
		caps  string
	}{
		{"a text", first, sample(mcpproto.SampleParams{Messages: said(mcpproto.Text("a"))}), ""},
		{"two blocks in one message", first, sample(mcpproto.SampleParams{Messages: said(mcpproto.Text("a"), mcpproto.Text("b"))}), ""},
		{"a sound", first, sample(mcpproto.SampleParams{Messages: said(mcpproto.Audio([]byte("a"), "audio/wav"))}), ""},
		{"nothing said", first, sample(mcpproto.SampleParams{}), ""},
		{"tools", tools, sample(mcpproto.SampleParams{Tools: []mcpproto.Tool{{Name: "t", InputSchema: []byte(`{"type":"object"}`)}}}), ""},
		{"a choice of tools", tools, sample(mcpproto.SampleParams{ToolChoice: &mcpproto.ToolChoice{Mode: "none"}}), ""},
		{"the use of a tool", tools, sample(mcpproto.SampleParams{Messages: said(use)}), ""},
		{"tools that the client did not declare", never, sample(mcpproto.SampleParams{ToolChoice: &mcpproto.ToolChoice{}}), `{"sampling":{}}`},
		{"a form", forms, elicit(mcpproto.ElicitParams{Mode: "form", Message: "m", Requested: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)}), ""},
		{"a form without fields", forms, elicit(mcpproto.ElicitParams{Message: "m"}), ""},
		{"an address", never, elicit(mcpproto.ElicitParams{Mode: "url", Message: "m", URL: "https://example.com"}), ""},
		{"roots", first, func(ctx context.Context, call *mcpserver.Call) error { _, err := call.Roots(ctx); return err }, ""},
	} {
		for _, v := range mcpproto.LegacyVersions() {
			t.Run(tt.claim+" "+v, func(t *testing.T) {
				is := is.New(t)
				revision, _ := mcpproto.ParseVersion(v)
				caps := cmp.Or(tt.caps, `{"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"roots":{}}`)
				s := newServer(t, &mcpserver.Options{})
				var asked error
				is.NoErr(s.AddTool(mcpserver.Tool{Name: "ask"}, func(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
					asked = tt.ask(ctx, call)
					return mcpproto.TextResult("done"), nil
				}))
				c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
				defer c.Close()
				exchange(t.Context(), t, c, legacy("0", "initialize", `"protocolVersion":"`+v+`","capabilities":`+caps), mcpserver.Facts{})
				exchange(t.Context(), t, c, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, mcpserver.Facts{})
				out := &sink{notify: make(chan struct{}, 1)}
				done := make(chan struct{})
				go func() {
					defer close(done)
					c.handle(context.Background(), legacy("1", "tools/call", `"name":"ask"`), mcpserver.Facts{}, out)
				}()
				if revision >= tt.from {
					<-out.notify
					m, err := mcpproto.Decode([]byte(out.sent[0]))
					is.NoErr(err)
					exchange(t.Context(), t, c, `{"jsonrpc":"2.0","id":`+m.ID.String()+`,"error":{"code":-1,"message":"no"}}`, mcpserver.Facts{})
				}
				<-done
				var refusal *mcpserver.ClientError
				is.Equal(errors.As(asked, &refusal), revision >= tt.from)
				is.Equal(errors.Is(asked, mcpserver.ErrNotDeclared), revision < tt.from)
				is.True(has(out.only(t), "done"))
			})
		}
	}
}

func TestSlowSinkRefusesNotifications(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{})
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "p"}, func(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult(fmt.Sprint(call.Progress(ctx, 1, 0, ""))), nil
	}))
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.HTTP, Stateless: true})
	out := &sink{fail: mcpserver.ErrNoStream}
	c.handle(t.Context(), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"p","_meta":{"progressToken":5}}}`,
		mcpserver.Facts{Header: headers("Mcp-Protocol-Version", "2025-11-25")}, out)
	is.True(has(out.only(t), mcpserver.ErrNoStream.Error())) // dropped, and the handler knows
}

func TestRegistrationAndCallsConcurrentSafe(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{Capabilities: mcpproto.ServerCapabilities{Tools: &mcpproto.ListCapability{ListChanged: true}}})
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio, Push: func([]byte) error { return nil }})
	exchange(t.Context(), t, c, legacy(`"i"`, "initialize", `"protocolVersion":"2025-11-25"`), mcpserver.Facts{})
	exchange(t.Context(), t, c, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, mcpserver.Facts{})
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				name := fmt.Sprintf("t%d", i%5)
				if g == 0 {
					_ = s.AddTool(mcpserver.Tool{Name: name}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
						return mcpproto.TextResult("x"), nil
					})
					s.RemoveTools(name)
					continue
				}
				id := fmt.Sprintf(`"%d-%d"`, g, i)
				out := &sink{}
				c.handle(context.Background(), req(id, "tools/call", `"name":"`+name+`"`), mcpserver.Facts{}, out)
				if len(out.answers) != 1 || !strings.Contains(out.answers[0], id) {
					t.Errorf("answers %v", out.answers)
				}
			}
		})
	}
	wg.Wait()
	c.Close()
	is.Equal(c.InFlight(), 0)
}

func TestAdmittedRequestCanBeCancelledBeforeItIsServed(t *testing.T) {
	is := is.New(t)
	var fates []mcpserver.Fate
	s := newServer(t, &mcpserver.Options{Observe: func(_ context.Context, o *mcpserver.Outcome) { fates = append(fates, o.Fate) }})
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "t"}, func(ctx context.Context, _ *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("done"), ctx.Err()
	}))
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	cancelled, served, twin := &sink{}, &sink{}, &sink{}
	one, waits := c.admit(req("1", "tools/call", `"name":"t"`), cancelled)
	is.True(waits)
	two, waits := c.admit(req("2", "tools/call", `"name":"t"`), served)
	is.True(waits)
	is.Equal(c.conn.InFlight(), 2)
	_, waits = c.admit(req("2", "tools/call", `"name":"t"`), twin)
	is.True(!waits) // its id is in use
	is.True(has(twin.only(t), "-32600"))
	_, waits = c.admit(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, &sink{})
	is.True(!waits) // a notification is dealt with at once
	one.Serve()
	two.Serve()
	is.Equal(len(cancelled.answers), 0)
	is.True(has(served.only(t), "done"))
	is.Equal(c.conn.InFlight(), 0)
	is.Equal(fates, []mcpserver.Fate{mcpserver.BadMessage, mcpserver.Cancelled, mcpserver.Served})
}
