package mcpserver_test

import (
	"context"
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
