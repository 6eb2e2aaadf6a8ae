package streamhttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

// talker is a server that answers with as much of what it was told as it can.
func talker(f *testing.F, ran *bool) *mcpserver.Server {
	s := mcpserver.New(mcpproto.Implementation{Name: "fuzz", Version: "1"}, nil)
	tool := func(name string, h mcpserver.ToolHandler) error { return s.AddTool(mcpserver.Tool{Name: name}, h) }
	err := errors.Join(
		tool("echo", func(_ context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
			*ran = *ran || c.Era == mcpproto.Modern
			return mcpproto.StructuredResult(c.Arguments), nil
		}),
		tool("chatty", func(ctx context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
			_ = c.Progress(ctx, 1, 2, string(c.Arguments)) // dropped where nothing may precede the answer
			_ = c.Log(ctx, mcpproto.LogError, "fuzz", c.Arguments)
			return nil, mcpproto.InvalidParams("%s", c.Arguments)
		}),
		s.AddResourceTemplate(mcpproto.ResourceTemplate{URITemplate: "test://item/{id}/data", Name: "item"},
			func(_ context.Context, c *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
				return &mcpproto.ReadResult{Contents: []mcpproto.ResourceContents{{URI: c.URI, Text: c.Vars["id"]}}}, nil
			}),
		s.AddPrompt(mcpproto.Prompt{Name: "p", Arguments: []mcpproto.PromptArgument{{Name: "who"}}},
			func(_ context.Context, c *mcpserver.PromptCall) (*mcpproto.PromptResult, error) {
				return &mcpproto.PromptResult{Description: c.Arguments["who"]}, nil
			}),
	)
	if err != nil {
		f.Fatal(err)
	}
	s.SetCompletion(func(_ context.Context, c *mcpserver.CompletionCall) (*mcpproto.Completion, error) {
		return &mcpproto.Completion{Values: []string{c.Argument.Value, c.Ref.Name}}, nil
	})
	return s
}

// Whatever arrives, the handler answers with a status of the table and, if with a body, with one
// message that is valid in its revision (post sees to that); and a tool of 2026-07-28 runs only if the headers name it.
func FuzzServeHTTP(f *testing.F) {
	f.Add(echoed, "2026-07-28", "tools/call", "echo", "application/json", "application/json")
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, "", "", "", "application/json", "*/*")
	f.Add(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "2025-03-26", "", "", "application/json", "text/event-stream")
	f.Add(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, "x", "", "", "application/json;x", "text/*;q=0")
	f.Add(echoed, "2026-07-28", "tools/call", "=?base64?ZWNobw==?=", "text/plain", "")
	for _, call := range []string{
		modern("1", "resources/read", `"uri":"test://item/a%20b/data"`), modern("1", "prompts/get", `"name":"p","arguments":{"who":"x"}`),
		modern("1", "completion/complete", `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"who","value":"x"}`),
		modern("1", "tools/list", ""), modern("1", "server/discover", ""), modern("1", "resources/templates/list", ""),
		strings.Replace(modern("1", "tools/call", `"name":"chatty"`), modernMeta, strings.Replace(progressMeta, `{"p`, `{"io.modelcontextprotocol/logLevel":"debug","p`, 1), 1),
	} {
		r := request(f.Context(), call, "", "")
		f.Add(call, "2026-07-28", r.Header.Get(mcpproto.HeaderMethod), r.Header.Get(mcpproto.HeaderName), "application/json", "*/*")
		f.Add(strings.Replace(call, modernMeta, `"_meta":{"progressToken":"t"}`, 1), "2025-06-18", "", "", "application/json", "*/*")
	}
	var ran bool
	s := talker(f, &ran)
	h := streamhttp.NewHandler(s, nil)
	f.Cleanup(h.Close)
	f.Fuzz(func(t *testing.T, body, version, method, name, contentType, accept string) {
		if strings.Contains(body, "listen") {
			t.Skip("a subscription does not end by itself")
		}
		ran = false
		r := request(t.Context(), body, "", "")
		r.Header = http.Header{"Content-Type": {contentType}, "Accept": {accept}}
		for key, v := range map[string]string{mcpproto.HeaderVersion: version, mcpproto.HeaderMethod: method, mcpproto.HeaderName: name} {
			if v != "" {
				r.Header[key] = []string{v}
			}
		}
		a := post(t, h, r)
		switch a.status {
		case 200, 202, 400, 404, 406, 415:
		default:
			t.Fatalf("status %d", a.status)
		}
		for _, m := range a.messages() {
			if !json.Valid([]byte(m)) || strings.Contains(m, "\n") {
				t.Fatalf("not one line of JSON: %q", m)
			}
		}
		if got, err := mcpproto.DecodeHeaderValue(name); ran && (err != nil || got != "echo" || a.status != 200) {
			t.Fatalf("a tool ran that the headers do not name: %q", name)
		}
	})
}

var echoed = modern("1", "tools/call", `"name":"echo"`)
