package streamhttp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

// Whatever arrives, the handler answers with a status of the table and, if with a body, with one
// message that is valid in its revision (post sees to that); and a tool of 2026-07-28 runs only if the headers name it.
func FuzzServeHTTP(f *testing.F) {
	f.Add(echoed, "2026-07-28", "tools/call", "echo", "application/json", "application/json")
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, "", "", "", "application/json", "*/*")
	f.Add(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "2025-03-26", "", "", "application/json", "text/event-stream")
	f.Add(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, "x", "", "", "application/json;x", "text/*;q=0")
	f.Add(echoed, "2026-07-28", "tools/call", "=?base64?ZWNobw==?=", "text/plain", "")
	var ran bool
	s := mcpserver.New(mcpproto.Implementation{Name: "fuzz", Version: "1"}, nil)
	err := s.AddTool(mcpserver.Tool{Name: "echo"}, func(_ context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		ran = ran || c.Era == mcpproto.Modern
		return mcpproto.TextResult("x"), nil
	})
	if err != nil {
		f.Fatal(err)
	}
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
