package mcpserver_test

import (
	"context"
	"errors"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// TestEveryCallIsObservedOnce sends a tools/call to every fate and looks at record and answer.
func TestEveryCallIsObservedOnce(t *testing.T) {
	version := "Mcp-Protocol-Version"
	good := headers(version, "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "ok")
	for _, tt := range []struct {
		claim, line string
		facts       mcpserver.Facts
		record      string
		answer      string // part of the answer; "" means none
	}{
		{"served", req("1", "tools/call", `"name":"ok"`), mcpserver.Facts{}, "ok:served:result", `"text":"ok"`},
		{"handler error", req("1", "tools/call", `"name":"fail"`), mcpserver.Facts{}, "fail:failed:error", `-32602`},
		{"panic", req("1", "tools/call", `"name":"panic"`), mcpserver.Facts{}, "panic:panicked:error", `-32603`},
		{"unusable result", req("1", "tools/call", `"name":"garbage"`), mcpserver.Facts{}, "garbage:failed:error", `-32603`},
		{"unknown tool", req("1", "tools/call", `"name":"nope"`), mcpserver.Facts{}, "nope:unknown_tool:error", `-32602`},
		{"name missing", req("1", "tools/call", ``), mcpserver.Facts{}, ":bad_params:error", `-32602`},
		{"arguments as text", req("1", "tools/call", `"name":"ok","arguments":"{}"`), mcpserver.Facts{}, "ok:bad_params:error", `-32602`},
		{"params as a list", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, mcpserver.Facts{}, ":bad_params:error", `-32602`},
		{"bad arguments, modern", req("1", "tools/call", `"name":"strict"`), mcpserver.Facts{}, "strict:bad_arguments:result", `"isError":true`},
		{"bad arguments, legacy", legacy("1", "tools/call", `"name":"strict"`), mcpserver.Facts{}, "strict:bad_arguments:error", `-32602`},
		{"bad _meta", legacy("1", "tools/call", `"name":"ok","_meta":{"`+p+`clientInfo":{}}`), mcpserver.Facts{}, "ok:bad_meta:error", `-32602`},
		{"another revision", legacy("1", "tools/call", `"name":"ok","_meta":{"`+p+`protocolVersion":"2099-01-01"}`), mcpserver.Facts{}, "ok:bad_meta:error", `-32022`},
		{"capability missing", req("1", "tools/call", `"name":"needs"`), mcpserver.Facts{}, "needs:lacks_capability:error", `-32021`},
		{"repeated member", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ok","name":"ok"}}`, mcpserver.Facts{}, ":bad_message:error", `-32600`},
		{"without id", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"ok"}}`, mcpserver.Facts{}, "ok:unidentified:error", ``},
		{"good headers", req("1", "tools/call", `"name":"ok"`), mcpserver.Facts{Header: good}, "ok:served:result", `"text":"ok"`},
		{"header missing", req("1", "tools/call", `"name":"ok"`), mcpserver.Facts{Header: headers()}, "ok:bad_header:error", `-32020`},
		{"header differs", req("1", "tools/call", `"name":"panic"`), mcpserver.Facts{Header: good}, "panic:bad_header:error", `-32020`},
		{"argument header missing", req("1", "tools/call", `"name":"region","arguments":{"r":"x"}`), mcpserver.Facts{Header: headers(
			version, "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "region")}, "region:bad_header:error", `-32020`},
		{"argument header there", req("1", "tools/call", `"name":"region","arguments":{"r":"x"}`), mcpserver.Facts{Header: headers(
			version, "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "region", "Mcp-Param-Region", "x")}, "region:served:result", `"text":"ok"`},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			var r records
			s := newServer(t, &mcpserver.Options{Observe: r.observe})
			o := mcpserver.ConnOptions{Transport: mcpproto.Stdio}
			if tt.facts.Header != nil {
				o = mcpserver.ConnOptions{Transport: mcpproto.HTTP, Stateless: true}
			}
			c := connect(t, s, o)
			defer c.Close()
			out := exchange(t.Context(), t, c, tt.line, tt.facts)
			is.Equal(r.list, []string{tt.record})
			if tt.answer == "" {
				is.Equal(len(out.answers), 0)
				return
			}
			is.True(has(out.only(t), tt.answer))
			is.Equal(c.InFlight(), 0)
		})
	}
}

func TestCancelledCalls(t *testing.T) {
	for _, tt := range []struct {
		claim  string
		cause  error
		record string
		answer bool
	}{
		{"a client that is gone gets nothing", errors.New("disconnected"), "wait:cancelled:result", false},
		{"at shutdown the answer is still sent", mcpserver.ErrShutdown, "wait:served:result", true},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			var r records
			s := newServer(t, &mcpserver.Options{Observe: r.observe})
			c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.HTTP, Stateless: true})
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(tt.cause)
			h := headers("Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "wait")
			out := exchange(ctx, t, c, req("1", "tools/call", `"name":"wait"`), mcpserver.Facts{Header: h})
			is.Equal(r.list, []string{tt.record})
			is.Equal(len(out.answers) == 1, tt.answer)
		})
	}
}

func TestObserverReplacesTheAnswer(t *testing.T) {
	for _, tt := range []struct {
		claim   string
		observe func(*mcpserver.Outcome)
		want    string
	}{
		{"by a result", func(o *mcpserver.Outcome) { o.Result, o.Err = mcpproto.TextResult("deny"), nil }, `"text":"deny"`},
		{"by an error", func(o *mcpserver.Outcome) { o.Result, o.Err = nil, mcpproto.Errorf(-7, "audit failed") }, `"code":-7`},
		{"by a panic", func(*mcpserver.Outcome) { panic("disk full") }, `"code":-32603`},
		{"by removing everything", func(o *mcpserver.Outcome) { o.Result, o.Err = nil, nil }, `"code":-32603`},
		{"by an unusable result", func(o *mcpserver.Outcome) { o.Result = &mcpproto.ToolResult{Structured: []byte("x")} }, `"code":-32603`},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			s := newServer(t, &mcpserver.Options{Observe: func(_ context.Context, o *mcpserver.Outcome) { tt.observe(o) }})
			c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
			defer c.Close()
			got := exchange(t.Context(), t, c, req("1", "tools/call", `"name":"ok"`), mcpserver.Facts{}).only(t)
			is.True(has(got, tt.want))
			is.True(!has(got, `"text":"ok"`)) // nothing of the old answer is left
		})
	}
}

func TestOverload(t *testing.T) {
	is := is.New(t)
	var r records
	started, release := make(chan struct{}), make(chan struct{})
	o := &mcpserver.Options{MaxCalls: 1, Observe: r.observe}
	s := newServer(t, o)
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "hold"}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		close(started)
		<-release
		return mcpproto.TextResult("held"), nil
	}))
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	held := make(chan *sink)
	go func() {
		held <- exchange(context.Background(), t, c, req("1", "tools/call", `"name":"hold"`), mcpserver.Facts{})
	}()
	<-started
	is.True(has(exchange(t.Context(), t, c, req("2", "tools/call", `"name":"ok"`), mcpserver.Facts{}).only(t), `"isError":true`))
	is.True(has(exchange(t.Context(), t, c, req("3", "tools/list", ``), mcpserver.Facts{}).only(t), `"tools"`)) // lists never count
	is.True(has(exchange(t.Context(), t, c, legacy("4", "ping", ``), mcpserver.Facts{}).only(t), `{}`))
	close(release)
	is.True(has((<-held).only(t), "held"))
	is.True(has(exchange(t.Context(), t, c, req("5", "tools/call", `"name":"ok"`), mcpserver.Facts{}).only(t), `"text":"ok"`))
	is.Equal(r.list, []string{"ok:overloaded:result", "hold:served:result", "ok:served:result"})

	own := newServer(t, &mcpserver.Options{MaxCalls: 1, Overloaded: func(_ context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("deny: overloaded " + call.Name), nil
	}})
	is.Equal(own.InFlight(), 0)
}
