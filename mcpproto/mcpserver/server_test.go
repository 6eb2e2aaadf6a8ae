package mcpserver_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

func TestAddToolRefuses(t *testing.T) {
	h := func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) { return nil, nil }
	for _, tt := range []struct {
		claim string
		tool  mcpserver.Tool
		h     mcpserver.ToolHandler
	}{
		{"no name", mcpserver.Tool{}, h},
		{"no handler", mcpserver.Tool{Name: "a"}, nil},
		{"a long name", mcpserver.Tool{Name: strings.Repeat("a", 129)}, h},
		{"an input schema that is no JSON", mcpserver.Tool{Name: "a", InputSchema: json.RawMessage(`{`)}, h},
		{"an input schema that is no object", mcpserver.Tool{Name: "a", InputSchema: json.RawMessage(`true`)}, h},
		{"an input schema of another type", mcpserver.Tool{Name: "a", InputSchema: json.RawMessage(`{"type":"string"}`)}, h},
		{"an output schema that is no object", mcpserver.Tool{Name: "a", OutputSchema: json.RawMessage(`null`)}, h},
		{"a bad header annotation", mcpserver.Tool{Name: "a", InputSchema: json.RawMessage(`{"type":"object","properties":{"p":{"type":"array","x-mcp-header":"P"}}}`)}, h},
		{"a broken _meta", mcpserver.Tool{Name: "a", Meta: json.RawMessage(`{`)}, h},
		{"a _meta that is no object", mcpserver.Tool{Name: "a", Meta: json.RawMessage(`[]`)}, h},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			s := mcpserver.New(mcpproto.Implementation{}, &mcpserver.Options{Logger: quiet()})
			is.True(s.AddTool(tt.tool, tt.h) != nil)
			is.Equal(len(s.Tools()), 0)
		})
	}
}

func TestOnlyURIsNameResources(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{Capabilities: mcpproto.ServerCapabilities{Resources: &mcpproto.ResourcesCapability{Subscribe: true}}})
	for _, bad := range []string{"", "text", "/etc/passwd", "a b:c", "a:\x00", ":x", "1a:b", "a:%2"} {
		is.True(s.AddResource(mcpproto.Resource{URI: bad, Name: "n"}, func(context.Context, *mcpserver.ReadCall) (*mcpproto.ReadResult, error) { return nil, nil }) != nil)
		quoted := string(mcpproto.AppendString(nil, bad))
		c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
		exchange(t.Context(), t, c, legacy("1", "initialize", `"protocolVersion":"2025-11-25"`), mcpserver.Facts{})
		is.True(has(exchange(t.Context(), t, c, legacy("2", "resources/subscribe", `"uri":`+quoted), mcpserver.Facts{}).only(t), "-32602"))
		is.True(has(exchange(t.Context(), t, c, req("3", "resources/read", `"uri":`+quoted), mcpserver.Facts{}).only(t), "-32602"))
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(mcpserver.ErrShutdown)
		out := exchange(ctx, t, c, req("4", "subscriptions/listen", `"notifications":{"resourceSubscriptions":["a:b",`+quoted+`]}`), mcpserver.Facts{})
		is.True(has(out.sent[0], `"notifications":{"resourceSubscriptions":["a:b"]}`)) // the rest is not granted
		c.Close()
	}
}

// What cannot be listed is not registered: it would take the rest of the list with it.
func TestOnlyWhatCanBeListedIsRegistered(t *testing.T) {
	for _, meta := range []string{`{`, `[]`, `null`, `{"a":1,"a":2}`} {
		t.Run(meta, func(t *testing.T) {
			is := is.New(t)
			s := mcpserver.New(mcpproto.Implementation{}, &mcpserver.Options{Logger: quiet()})
			read := func(context.Context, *mcpserver.ReadCall) (*mcpproto.ReadResult, error) { return nil, nil }
			is.True(s.AddResource(mcpproto.Resource{URI: "a:b", Name: "n", Meta: []byte(meta)}, read) != nil)
			is.True(s.AddResourceTemplate(mcpproto.ResourceTemplate{URITemplate: "a:{b}", Name: "n", Meta: []byte(meta)}, read) != nil)
			is.True(s.AddPrompt(mcpproto.Prompt{Name: "n", Meta: []byte(meta)}, func(context.Context, *mcpserver.PromptCall) (*mcpproto.PromptResult, error) {
				return nil, nil
			}) != nil)
		})
	}
}

func TestSchemaNeedsACompiler(t *testing.T) {
	rules := json.RawMessage(`{"type":"object","required":["a"]}`)
	for _, tt := range []struct {
		claim   string
		tool    mcpserver.Tool
		check   mcpserver.OutputCheck
		refused bool
	}{
		{"an input schema with rules is not left unchecked", mcpserver.Tool{InputSchema: rules}, 0, true},
		{"a keyword that is not known may be a rule", mcpserver.Tool{InputSchema: json.RawMessage(`{"type":"object","x-rule":1}`)}, 0, true},
		{"an output schema is not left unchecked", mcpserver.Tool{OutputSchema: rules}, 0, true},
		{"an object without rules needs none", mcpserver.Tool{InputSchema: json.RawMessage(`{"type":"object","title":"x"}`)}, 0, false},
		{"a tool may check its arguments itself", mcpserver.Tool{InputSchema: rules, OwnArgumentCheck: true}, 0, false},
		{"results may be trusted", mcpserver.Tool{OutputSchema: rules}, mcpserver.OutputTrusted, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			s := mcpserver.New(mcpproto.Implementation{Name: "s", Version: "1"}, &mcpserver.Options{Logger: quiet(), Output: tt.check})
			tt.tool.Name = "t"
			err := s.AddTool(tt.tool, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
				return mcpproto.TextResult(""), nil
			})
			is.Equal(err != nil, tt.refused)
			is.Equal(len(s.Tools()) == 0, tt.refused)
			is.NoErr(s.CompileSchemas())
		})
	}
}

func TestSchemasAreCompiledLate(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{})
	is.NoErr(s.CompileSchemas())
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "broken", InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"http://example.com/x"}}}`)},
		func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
			return mcpproto.TextResult("allow"), nil
		}))
	is.True(s.CompileSchemas() != nil) // nothing is fetched
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	got := exchange(t.Context(), t, c, req("1", "tools/call", `"name":"broken"`), mcpserver.Facts{}).only(t)
	is.True(has(got, "-32603")) // and the handler is not reached
}

func TestOutputSchema(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","required":["a"]}`)
	for _, tt := range []struct {
		claim string
		check mcpserver.OutputCheck
		res   *mcpproto.ToolResult
		want  string
	}{
		{"a good result", mcpserver.OutputFails, mcpproto.StructuredResult([]byte(`{"a":1}`)), `"structuredContent":{"a":1}`},
		{"a breach fails", mcpserver.OutputFails, mcpproto.StructuredResult([]byte(`{"b":1}`)), `-32603`},
		{"missing structured content is a breach", mcpserver.OutputFails, mcpproto.TextResult("x"), `-32603`},
		{"a failed call needs none", mcpserver.OutputFails, mcpproto.ErrorResult("x"), `"isError":true`},
		{"a breach is only logged", mcpserver.OutputLogged, mcpproto.StructuredResult([]byte(`{"b":1}`)), `"structuredContent":{"b":1}`},
		{"no check", mcpserver.OutputTrusted, mcpproto.StructuredResult([]byte(`{"b":1}`)), `"structuredContent":{"b":1}`},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			s := newServer(t, &mcpserver.Options{Output: tt.check})
			is.NoErr(s.AddTool(mcpserver.Tool{Name: "t", OutputSchema: schema}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
				return tt.res, nil
			}))
			c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
			defer c.Close()
			is.True(has(exchange(t.Context(), t, c, req("1", "tools/call", `"name":"t"`), mcpserver.Facts{}).only(t), tt.want))
		})
	}
}

// panicking is a schema whose check has a fault.
type panicking struct{}

func (panicking) Violations([]byte) ([]mcpserver.Violation, error) { panic("a fault in the check") }

func TestResultWhoseCheckPanicsIsNotSent(t *testing.T) {
	for _, check := range []mcpserver.OutputCheck{mcpserver.OutputFails, mcpserver.OutputLogged} {
		is := is.New(t)
		s := newServer(t, &mcpserver.Options{Output: check, Schemas: func([]byte) (mcpserver.Schema, error) { return panicking{}, nil }})
		is.NoErr(s.AddTool(mcpserver.Tool{Name: "t", OutputSchema: json.RawMessage(`{"type":"object","required":["a"]}`)},
			func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
				return mcpproto.StructuredResult([]byte(`{"secret":1}`)), nil
			}))
		c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
		got := exchange(t.Context(), t, c, req("1", "tools/call", `"name":"t"`), mcpserver.Facts{}).only(t)
		c.Close()
		is.True(has(got, "-32603"))
		is.True(!has(got, "secret"))
	}
}

func TestPaging(t *testing.T) {
	is := is.New(t)
	s := mcpserver.New(mcpproto.Implementation{Name: "s", Version: "1"}, &mcpserver.Options{PageSize: 2, Logger: quiet()})
	h := func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) { return nil, nil }
	for _, n := range []string{"e", "b", "d", "a", "c"} {
		is.NoErr(s.AddTool(mcpserver.Tool{Name: n}, h))
	}
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	page := func(cursor string) (names []string, next string) {
		params := ""
		if cursor != "" {
			params = `"cursor":"` + cursor + `"`
		}
		var m struct {
			Result struct {
				Tools      []struct{ Name string }
				NextCursor string
			}
		}
		is.NoErr(json.Unmarshal([]byte(exchange(t.Context(), t, c, req("1", "tools/list", params), mcpserver.Facts{}).only(t)), &m))
		for _, t := range m.Result.Tools {
			names = append(names, t.Name)
		}
		return names, m.Result.NextCursor
	}
	one, next := page("")
	is.Equal(one, []string{"a", "b"})
	two, after := page(next)
	is.Equal(two, []string{"c", "d"})
	three, end := page(after)
	is.Equal(three, []string{"e"})
	is.Equal(end, "") // no cursor after the last page
	s.RemoveTools("b")
	again, _ := page(next) // the place after "b" is kept, nothing is skipped
	is.True(len(again) > 0 && again[len(again)-1] >= "c")
	for _, bad := range []string{"bogus", "YQ", base64.RawURLEncoding.EncodeToString([]byte("after:")), next + "="} {
		is.True(has(exchange(t.Context(), t, c, req("1", "tools/list", `"cursor":"`+bad+`"`), mcpserver.Facts{}).only(t), "-32602"))
	}
	first := exchange(t.Context(), t, c, req("1", "tools/list", ""), mcpserver.Facts{}).only(t)
	for range 3 {
		is.Equal(exchange(t.Context(), t, c, req("1", "tools/list", ""), mcpserver.Facts{}).only(t), first) // E04
	}
}

func TestOnlyWhatIsDeclaredIsServed(t *testing.T) {
	is := is.New(t)
	s := mcpserver.New(mcpproto.Implementation{Name: "s", Version: "1"}, &mcpserver.Options{Logger: quiet()})
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	for _, m := range []string{
		"tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list",
		"prompts/list", "prompts/get", "completion/complete", "subscriptions/listen", "logging/setLevel", "x",
	} {
		is.True(has(exchange(t.Context(), t, c, req("1", m, ""), mcpserver.Facts{}).only(t), "-32601"))
	}
	s = mcpserver.New(mcpproto.Implementation{Name: "s", Version: "1"}, &mcpserver.Options{Logger: quiet(), Capabilities: mcpproto.ServerCapabilities{
		Prompts: &mcpproto.ListCapability{}, Resources: &mcpproto.ResourcesCapability{},
	}})
	c2 := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c2.Close()
	is.True(has(exchange(t.Context(), t, c2, req("1", "prompts/list", ""), mcpserver.Facts{}).only(t), `"prompts":[]`)) // [] and never null
	is.True(has(exchange(t.Context(), t, c2, req("1", "resources/templates/list", ""), mcpserver.Facts{}).only(t), `"resourceTemplates":[]`))
	is.True(has(exchange(t.Context(), t, c2, req("1", "server/discover", ""), mcpserver.Facts{}).only(t), `"capabilities":{"resources":{},"prompts":{}}`))
	is.True(s.Handle("tools/list", func(context.Context, *mcpserver.Request) (any, error) { return nil, nil }) != nil)
}

func TestStatelessLegacyHTTP(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{Capabilities: mcpproto.ServerCapabilities{
		Logging: &struct{}{}, Tools: &mcpproto.ListCapability{ListChanged: true},
		Resources: &mcpproto.ResourcesCapability{Subscribe: true, ListChanged: true},
	}})
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.HTTP, Stateless: true})
	none := mcpserver.Facts{Header: headers()}
	old := mcpserver.Facts{Header: headers("Mcp-Protocol-Version", "2025-06-18")}
	got := exchange(t.Context(), t, c, legacy("1", "initialize", `"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}}`), none).only(t)
	is.True(has(got, `"protocolVersion":"2025-06-18"`))
	is.True(has(got, `"capabilities":{"tools":{},"resources":{}}`)) // nothing that needs a session
	out := exchange(t.Context(), t, c, legacy("2", "tools/list", ""), none)
	is.True(has(out.only(t), "-32020"))
	is.Equal(out.last, mcpserver.Answer{Code: -32020}) // era undecided: status 400
	is.True(!has(exchange(t.Context(), t, c, legacy("3", "tools/list", ""), old).only(t), "resultType"))
	out = exchange(t.Context(), t, c, legacy("4", "logging/setLevel", `"level":"info"`), old)
	is.Equal(out.last, mcpserver.Answer{Code: -32601, Era: mcpproto.Legacy})
	out = exchange(t.Context(), t, c, req("5", "nope", ""), mcpserver.Facts{Header: headers("Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "nope")})
	is.Equal(out.last, mcpserver.Answer{Code: -32601, Era: mcpproto.Modern})
}

func TestHandlersThatFailOtherwise(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{})
	is.NoErr(s.AddResource(mcpproto.Resource{URI: "r:panic", Name: "n"}, func(context.Context, *mcpserver.ReadCall) (*mcpproto.ReadResult, error) { panic("x") }))
	is.NoErr(s.AddResource(mcpproto.Resource{URI: "r:nil", Name: "n"}, func(context.Context, *mcpserver.ReadCall) (*mcpproto.ReadResult, error) { return nil, nil }))
	is.NoErr(s.AddResource(mcpproto.Resource{URI: "r:ask", Name: "n"}, func(_ context.Context, r *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
		if r.RequestState == "" {
			return &mcpproto.ReadResult{Need: &mcpproto.InputRequired{State: "s"}}, nil
		}
		return &mcpproto.ReadResult{Cache: &mcpproto.Cache{TTL: 1e9, Scope: mcpproto.Public}}, nil
	}))
	is.NoErr(s.AddPrompt(mcpproto.Prompt{Name: "p"}, func(context.Context, *mcpserver.PromptCall) (*mcpproto.PromptResult, error) {
		return &mcpproto.PromptResult{Need: &mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {Roots: &mcpproto.RootsParams{}}}}}, nil
	}))
	is.NoErr(s.Handle("own", func(context.Context, *mcpserver.Request) (any, error) { return []int{1}, nil }))
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	for _, tt := range []struct{ line, want string }{
		{req("1", "resources/read", `"uri":"r:panic"`), "-32603"},
		{req("1", "resources/read", `"uri":"r:nil"`), "-32603"},
		{req("1", "resources/read", `"uri":"r:ask"`), `"result":{"resultType":"input_required","requestState":"s","_meta"`},
		{req("1", "resources/read", `"uri":"r:ask","requestState":"s"`), `"contents":[],"ttlMs":0,"cacheScope":"private"`}, // a retry
		{req("1", "resources/read", `"uri":5`), "-32602"},
		{req("1", "prompts/get", `"name":"p"`), "-32021"}, // the client has no roots
		{req("1", "own", ""), "-32603"},                   // a list is no result
	} {
		is.True(has(exchange(t.Context(), t, c, tt.line, mcpserver.Facts{}).only(t), tt.want))
	}
}

func TestListenOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		s := newServer(t, &mcpserver.Options{Capabilities: mcpproto.ServerCapabilities{Tools: &mcpproto.ListCapability{ListChanged: true}}})
		c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.HTTP, Stateless: true})
		f := mcpserver.Facts{Header: headers("Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")}
		ctx, cancel := context.WithCancelCause(t.Context())
		out := &sink{}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			c.handle(ctx, req("1", "subscriptions/listen", `"notifications":{"toolsListChanged":true,"promptsListChanged":true}`), f, out)
		}()
		synctest.Wait()
		for range 100 {
			s.ToolsChanged() // a slow reader is told once
		}
		synctest.Wait()
		is.True(has(out.sent[0], `"notifications":{"toolsListChanged":true}`)) // prompts are not declared
		is.True(len(out.sent) >= 2 && len(out.sent) <= 101)
		cancel(mcpserver.ErrShutdown)
		<-ended
		is.True(has(out.only(t), `"result":{"resultType":"complete","_meta":{"`+p+`subscriptionId":1,`))
		for _, n := range out.sent {
			is.True(!has(n, "notifications/cancelled")) // on HTTP the result is the end
		}
	})
}

func TestListenEndsWithoutAnswerWhenTheClientGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		s := newServer(t, &mcpserver.Options{Capabilities: mcpproto.ServerCapabilities{Tools: &mcpproto.ListCapability{ListChanged: true}}})
		c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.HTTP, Stateless: true})
		f := mcpserver.Facts{Header: headers("Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")}
		ctx, cancel := context.WithCancel(t.Context())
		out := &sink{}
		go func() { synctest.Wait(); cancel() }()
		c.handle(ctx, req("1", "subscriptions/listen", `"notifications":{}`), f, out)
		is.Equal(len(out.answers), 0)
		is.Equal(len(out.sent), 1)
	})
}

func TestProgressAndLogAfterTheAnswer(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{})
	var kept *mcpserver.Call
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "keep"}, func(_ context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		kept = call
		return mcpproto.TextResult("x"), nil
	}))
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	out := exchange(t.Context(), t, c, legacy("1", "tools/call", `"name":"keep","_meta":{"`+p+`protocolVersion":"2026-07-28","`+p+
		`clientCapabilities":{},"`+p+`logLevel":"debug","progressToken":1}`), mcpserver.Facts{})
	is.True(errors.Is(kept.Progress(t.Context(), 1, 0, ""), mcpserver.ErrFinished))
	is.True(errors.Is(kept.Log(t.Context(), mcpproto.LogError, "", "x"), mcpserver.ErrFinished))
	is.Equal(len(out.sent), 0)
	_, err := kept.Elicit(t.Context(), mcpproto.ElicitParams{})
	is.True(errors.Is(err, mcpserver.ErrNotDeclared)) // a modern client is never sent a request
}

// What a client chose as a token or id comes back as it was spelled, on one line.
func TestNotificationsKeepTheSpellingOfIDs(t *testing.T) {
	for _, tt := range []struct{ id, want string }{
		{`7`, `7`},
		{`1e3`, `1e3`},
		{`9007199254740993`, `9007199254740993`},
		{`"\u0061\/"`, `"\u0061\/"`},
		{`"\ud83d\ude00é"`, `"\ud83d\ude00é"`},
		{"\"\u2028\u2029\u0085\"", `"\u2028\u2029\u0085"`},
	} {
		t.Run(tt.id, func(t *testing.T) {
			is := is.New(t)
			s := newServer(t, &mcpserver.Options{Capabilities: mcpproto.ServerCapabilities{Tools: &mcpproto.ListCapability{ListChanged: true}}})
			is.NoErr(s.AddTool(mcpserver.Tool{Name: "p"}, func(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
				return mcpproto.TextResult(""), call.Progress(ctx, 1, 2, "a\u2028b\xff")
			}))
			c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
			out := exchange(t.Context(), t, c, legacy("1", "tools/call", `"name":"p","_meta":{"`+p+`protocolVersion":"2026-07-28","`+p+
				`clientCapabilities":{},"progressToken":`+tt.id+`}`), mcpserver.Facts{})
			is.Equal(out.sent, []string{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + tt.want + `,"progress":1,"total":2,"message":"a\u2028b` + "\ufffd" + `"}}`})
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(mcpserver.ErrShutdown)
			out = exchange(ctx, t, c, req(tt.id, "subscriptions/listen", `"notifications":{}`), mcpserver.Facts{})
			is.Equal(out.sent, []string{
				`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"` + p + `subscriptionId":` + tt.want + `}}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + tt.want + `,"_meta":{"` + p + `subscriptionId":` + tt.want + `}}}`,
			})
			c.Close()
		})
	}
}

func TestTemplates(t *testing.T) {
	for _, tt := range []struct {
		template, uri string
		want          string // "" means no match
	}{
		{"a://{x}", "a://1", "map[x:1]"},
		{"a://{x}", "a://", ""},
		{"a://{x}", "a://1/2", ""},
		{"a://{+x}", "a://1/2", "map[x:1/2]"},
		{"a://{x}/b/{y}", "a://1/b/2", "map[x:1 y:2]"},
		{"a://{x}/b", "a://1/b/b", ""},
		{"a://{+x}/b", "a://1/b/b", "map[x:1/b]"},
		{"a://{x}", "a://%zz", ""},
		{"a://{x}", "a://%e4%bd%a0", "map[x:你]"},
		{"a:b/{x}", "a:b/\\u0001", ""}, // what is no URI names nothing
	} {
		t.Run(tt.template+" "+tt.uri, func(t *testing.T) {
			is := is.New(t)
			s := newServer(t, &mcpserver.Options{})
			got := ""
			is.NoErr(s.AddResourceTemplate(mcpproto.ResourceTemplate{URITemplate: tt.template, Name: "n"},
				func(_ context.Context, r *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
					got = fmt.Sprint(r.Vars)
					return &mcpproto.ReadResult{}, nil
				}))
			c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
			defer c.Close()
			exchange(t.Context(), t, c, req("1", "resources/read", `"uri":"`+tt.uri+`"`), mcpserver.Facts{})
			is.Equal(got, tt.want)
		})
	}
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{})
	for _, bad := range []string{"a://b", "a://{", "a://}", "a://{x*}", "a://{x}{y}", "a://{}", "a://{?q}", "{x}", "b/{x}", "a:\x01{x}"} {
		is.True(s.AddResourceTemplate(mcpproto.ResourceTemplate{URITemplate: bad, Name: "n"},
			func(context.Context, *mcpserver.ReadCall) (*mcpproto.ReadResult, error) { return nil, nil }) != nil)
	}
}

func TestPanicLeavesItsStackInTheLog(t *testing.T) {
	is := is.New(t)
	var log strings.Builder
	s := newServer(t, &mcpserver.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	is.Equal(exchange(t.Context(), t, c, req("1", "tools/call", `"name":"panic"`), mcpserver.Facts{}).only(t),
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`)
	is.True(has(log.String(), "sink_test.go")) // the place of the panic
}

func TestTraceAndPrincipalReachTheHandler(t *testing.T) {
	is := is.New(t)
	s := newServer(t, &mcpserver.Options{})
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "who"}, func(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult(fmt.Sprint(mcpproto.TraceFrom(ctx).Parent, " ", call.Principal, " ", call.Client.Name, " ",
			call.Era, " ", call.Version, " ", call.Transport, " ", call.ID)), nil
	}))
	c := connect(t, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	got := exchange(t.Context(), t, c, legacy(`"i"`, "tools/call", `"name":"who","_meta":{"traceparent":"00-t","`+p+`clientInfo":{"name":"c","version":"1"},"`+
		p+`protocolVersion":"2026-07-28","`+p+`clientCapabilities":{}}`), mcpserver.Facts{Principal: "ann"}).only(t)
	is.True(has(got, `00-t ann c modern 2026-07-28 stdio \"i\"`))
}

func TestDropWriter(t *testing.T) {
	is := is.New(t)
	r, w := io.Pipe()
	d := mcpserver.NewDropWriter(w, 10)
	for range 3 {
		n, err := d.Write([]byte("12345"))
		is.NoErr(err)
		is.Equal(n, 5)
	}
	is.Equal(d.Dropped(), 1)
	got := make([]byte, 10)
	_, err := io.ReadFull(r, got)
	is.NoErr(err)
	is.Equal(string(got), "1234512345")
	d.Flush()
}

func BenchmarkCallInMemory(b *testing.B) {
	s := mcpserver.New(mcpproto.Implementation{Name: "s", Version: "1"}, &mcpserver.Options{Logger: quiet(), Output: mcpserver.OutputTrusted})
	err := s.AddTool(mcpserver.Tool{Name: "echo", OwnArgumentCheck: true}, func(_ context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.StructuredResult(c.Arguments), nil
	})
	if err != nil {
		b.Fatal(err)
	}
	line := []byte(req("1", "tools/call", `"name":"echo","arguments":{"command":"git status","cwd":"/w"}`))
	c := connect(b, s, mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer c.Close()
	ctx := context.Background()
	exchange(ctx, b, c, string(line), mcpserver.Facts{}).only(b) // checked; the ones below are made the same way
	out := discard{}
	b.ReportAllocs()
	for b.Loop() {
		m, err := mcpproto.Decode(line)
		if err != nil {
			b.Fatal(err)
		}
		c.conn.Handle(ctx, m, mcpserver.Facts{}, out)
	}
}

type discard struct{}

func (discard) Send([]byte) error                     { return nil }
func (discard) Answer([]byte, mcpserver.Answer) error { return nil }
