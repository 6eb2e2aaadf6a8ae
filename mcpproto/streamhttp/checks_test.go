package streamhttp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

// expect is what an answer must be: a status and, if code is not 0, a JSON-RPC error.
type expect struct {
	status int
	code   int
	id     string // raw; "" if the error must have none
}

func (e expect) compare(t *testing.T, a *answer) {
	t.Helper()
	is := is.New(t)
	is.Equal(a.status, e.status)
	is.Equal(a.header.Get("Access-Control-Allow-Origin"), "") // no CORS grant, ever
	if e.code == 0 {
		return
	}
	is.Equal(a.header.Get("Content-Type"), "application/json")
	var m struct {
		ID    json.RawMessage
		Error struct{ Code int }
	}
	is.NoErr(json.Unmarshal(a.body.Bytes(), &m))
	is.Equal(m.Error.Code, e.code)
	is.Equal(string(m.ID), e.id)
	if e.id == "" {
		is.True(!strings.Contains(a.body.String(), `"id"`)) // absent, not null
	}
}

// set returns an edit of a request that replaces a header; without values it removes it.
func set(name string, values ...string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header[http.CanonicalHeaderKey(name)] = values
		if len(values) == 0 {
			delete(r.Header, http.CanonicalHeaderKey(name))
		}
	}
}

var (
	list = modern("1", "tools/list", "")
	echo = modern(`"e"`, "tools/call", `"name":"echo","arguments":{"text":"x"}`)
)

func TestEveryRowOfTheCheckTable(t *testing.T) {
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	verb := func(v string) func(*http.Request) { return func(r *http.Request) { r.Method = v } }
	length := func(n int64) func(*http.Request) { return func(r *http.Request) { r.ContentLength = n } }
	both := func(edits ...func(*http.Request)) func(*http.Request) {
		return func(r *http.Request) {
			for _, e := range edits {
				e(r)
			}
		}
	}
	none := func(*http.Request) {}
	refused := func(status int) expect { return expect{status, mcpproto.CodeInvalidRequest, ""} }
	mismatch := expect{400, mcpproto.CodeHeaderMismatch, `"e"`}
	h := streamhttp.NewHandler(wiretest.NewServer(wiretest.Options()).Server, &streamhttp.Options{
		MaxBodyBytes: 64 << 10,
		Authenticate: func(r *http.Request) (string, bool) { return "p", r.Header.Get("Authorization") != "Bearer wrong" },
	})
	defer h.Close()
	for _, r := range []struct {
		name string
		body string
		edit func(*http.Request)
		want expect
	}{
		{"a good request", list, none, expect{status: 200}},
		{"H03: row 1 foreign host", list, host("evil.example:8255"), refused(403)},
		{"H03: row 1 a host that starts like ours", list, host("127.0.0.1.evil.example"), refused(403)},
		{"H01: row 1 foreign origin", echo, set("Origin", "https://evil.example"), refused(403)},
		{"H01: row 1 origin of the local network", echo, set("Origin", "http://192.168.1.10:3000"), refused(403)},
		{"H17: row 1 before row 2", "", both(verb("OPTIONS"), set("Origin", "https://evil.example")), refused(403)},
		{"row 1 our origin", list, set("Origin", "http://localhost:8255"), expect{status: 200}},
		{"H16: row 2 GET", "", verb("GET"), refused(405)},
		{"H16: row 2 DELETE without sessions", "", verb("DELETE"), refused(405)},
		{"H16: row 2 PUT", list, verb("PUT"), refused(405)},
		{"row 2 before row 3", "", both(verb("GET"), set("Authorization", "Bearer wrong")), refused(405)},
		{"row 3 nobody we know", list, set("Authorization", "Bearer wrong"), refused(401)},
		{"row 3 before row 4", list, both(set("Authorization", "Bearer wrong"), set("Content-Type", "text/plain")), refused(401)},
		{"H07: row 4 text", list, set("Content-Type", "text/plain"), refused(415)},
		{"H07: row 4 a longer type", list, set("Content-Type", "application/jsonx"), refused(415)},
		{"H07: row 4 parameters are fine", list, set("Content-Type", "Application/JSON;charset=UTF-8"), expect{status: 200}},
		{"row 4 an encoded body", list, set("Content-Encoding", "gzip"), refused(415)},
		{"row 4 before row 5", list, both(set("Content-Type"), set("Accept")), refused(415)},
		{"H06: row 5 no Accept", list, set("Accept"), refused(406)},
		{"H06: row 5 foreign types", list, set("Accept", "text/html"), refused(406)},
		{"H06: row 5 anything", list, set("Accept", "*/*"), expect{status: 200}},
		{"H06: row 5 only JSON", list, set("Accept", "application/json"), expect{status: 200}},
		{"row 5 before row 6", list, both(set("Accept"), length(1<<34)), refused(406)},
		{"H19: row 6 a declared 16 GiB", list, length(1 << 34), refused(413)},
		{"row 6 too large without a length", list[:len(list)-1] + strings.Repeat(" ", 64<<10) + "}", length(-1), refused(413)},
		{"H40: row 7 empty", "", none, expect{400, mcpproto.CodeParse, ""}},
		{"H40: row 7 garbage", "{nope", none, expect{400, mcpproto.CodeParse, ""}},
		{"H40: row 7 an empty array", "[]", none, expect{400, mcpproto.CodeInvalidRequest, ""}},
		{"H40: row 7 a batch", "[" + list + "]", none, expect{400, mcpproto.CodeInvalidRequest, ""}},
		{"H40: row 7 null", "null", none, expect{400, mcpproto.CodeInvalidRequest, ""}},
		{"H31: row 7 a null id", modern("null", "tools/list", ""), none, expect{400, mcpproto.CodeInvalidRequest, ""}},
		{"row 7 a repeated name keeps the id", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":2}}`, none, expect{400, mcpproto.CodeInvalidRequest, "7"}},
		{"row 7 a response, but nothing was asked", `{"jsonrpc":"2.0","id":7,"result":{}}`, none, expect{400, mcpproto.CodeInvalidRequest, ""}},
		{"H14: row 8 no _meta, modern header", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, set("MCP-Protocol-Version", "2026-07-28"), expect{400, mcpproto.CodeInvalidParams, "1"}},
		{"row 8 no version in _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}`, set("MCP-Protocol-Version", "2026-07-28"), expect{400, mcpproto.CodeInvalidParams, "1"}},
		{"row 8 before row 9", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, none, expect{400, mcpproto.CodeInvalidParams, "1"}},
		{"H08: row 9 no version header", echo, set("MCP-Protocol-Version"), mismatch},
		{"H08: row 9 another version", echo, set("MCP-Protocol-Version", "2025-11-25"), mismatch},
		{"row 9 the version twice", echo, set("MCP-Protocol-Version", "2026-07-28", "2026-07-28"), mismatch},
		{"row 9 the version joined", echo, set("MCP-Protocol-Version", "2026-07-28, 2026-07-28"), mismatch},
		{"row 9 before row 10", strings.ReplaceAll(echo, "2026-07-28", "2099-01-01"), set("MCP-Protocol-Version", "2026-07-28"), mismatch},
		{"H13: row 10 a version nobody has", strings.ReplaceAll(echo, "2026-07-28", "2099-01-01"), none, expect{400, mcpproto.CodeUnsupportedVersion, `"e"`}},
		{"row 10 before row 11", strings.ReplaceAll(echo, "2026-07-28", "2099-01-01"), set("Mcp-Method"), expect{400, mcpproto.CodeUnsupportedVersion, `"e"`}},
		{"row 10 a legacy version in _meta", strings.ReplaceAll(echo, "2026-07-28", "2025-11-25"), none, expect{400, mcpproto.CodeUnsupportedVersion, `"e"`}},
		{"H08: row 11 no method header", echo, set("Mcp-Method"), mismatch},
		{"H08: row 11 another method", echo, set("Mcp-Method", "tools/list"), mismatch},
		{"H08: row 11 another case", echo, set("Mcp-Method", "Tools/Call"), mismatch},
		{"row 11 the method twice", echo, set("Mcp-Method", "tools/call", "tools/call"), mismatch},
		{"row 11 the method joined", echo, set("Mcp-Method", "tools/call,tools/call"), mismatch},
		{"H08: row 11 no name", echo, set("Mcp-Name"), mismatch},
		{"H08: row 11 another name", echo, set("Mcp-Name", "boom"), mismatch},
		{"H08: row 11 the name in another case", echo, set("Mcp-Name", "ECHO"), mismatch},
		{"row 11 the name twice", echo, set("Mcp-Name", "echo", "echo"), mismatch},
		{"H11: row 11 blanks around", echo, both(set("Mcp-Name", " echo\t"), set("Mcp-Method", "  tools/call ")), expect{status: 200}},
		{"row 11 base64", echo, set("Mcp-Name", "=?base64?ZWNobw==?="), expect{status: 200}},
		{"row 11 bad base64", echo, set("Mcp-Name", "=?base64?ZWNob?="), mismatch},
		{"row 11 before row 12", strings.ReplaceAll(echo, `,"io.modelcontextprotocol/clientCapabilities":{}`, ""), set("Mcp-Method"), mismatch},
		{"H14: row 12 no capabilities", strings.ReplaceAll(echo, `,"io.modelcontextprotocol/clientCapabilities":{}`, ""), none, expect{400, mcpproto.CodeInvalidParams, `"e"`}},
		{"row 12 before row 13", strings.ReplaceAll(modern("1", "nope/x", ""), `,"io.modelcontextprotocol/clientCapabilities":{}`, ""), none, expect{400, mcpproto.CodeInvalidParams, "1"}},
		{"H12: row 13 an unknown method", modern(`"s"`, "nope/x", ""), none, expect{404, mcpproto.CodeMethodNotFound, `"s"`}},
		{"H31: row 13 keeps a large id", modern("1099511627776", "nope/x", ""), none, expect{404, mcpproto.CodeMethodNotFound, "1099511627776"}},
		{"row 13 a method of the other era", modern("1", "ping", ""), none, expect{404, mcpproto.CodeMethodNotFound, "1"}},
		{"row 14 a capability that is not declared", modern("1", "tools/call", `"name":"sampler"`), none, expect{400, mcpproto.CodeMissingCapability, "1"}},
		{"an unknown tool", modern("1", "tools/call", `"name":"nope"`), none, expect{400, mcpproto.CodeInvalidParams, "1"}},
		{"a panic", modern("1", "tools/call", `"name":"boom"`), none, expect{400, mcpproto.CodeInternal, "1"}},
		{"H28: a stale session is ignored", list, set("Mcp-Session-Id", "stale"), expect{status: 200}},
		{"H29: a last event is ignored", list, set("Last-Event-ID", "abc_1"), expect{status: 200}},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			req := request(t.Context(), r.body, "", "")
			r.edit(req)
			a := post(t, h, req)
			r.want.compare(t, a)
			is.Equal(a.header.Get(mcpproto.HeaderSession), "") // none is minted
			switch a.status {
			case 405:
				is.Equal(a.header.Get("Allow"), "POST")
			case 401:
				is.Equal(a.header.Get("Www-Authenticate"), "Bearer")
			case 413:
				is.Equal(a.header.Get("Connection"), "close")
			}
		})
	}
}

func TestLegacyRequestsWithoutSession(t *testing.T) {
	legacy := func(id, method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s}}`, id, method, params)
	}
	hello := legacy("0", "initialize", `"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"0"}`)
	h := streamhttp.NewHandler(wiretest.NewServer(wiretest.Options()).Server, nil)
	defer h.Close()
	for _, r := range []struct {
		name, version, body string
		want                expect
		contains            string
	}{
		{"initialize needs no header", "", hello, expect{status: 200}, `"protocolVersion":"2025-06-18"`},
		{"nor minds one", "2025-06-18", hello, expect{status: 200}, `"protocolVersion":"2025-06-18"`},
		{"H37: a list", "2025-06-18", legacy("2", "tools/list", ""), expect{status: 200}, `"tools":[`},
		{"H37: a question without a way back", "2025-06-18", legacy("3", "tools/call", `"name":"ask"`), expect{status: 200}, "nobody to ask"},
		{"no version header", "", legacy("4", "tools/list", ""), expect{400, mcpproto.CodeHeaderMismatch, "4"}, ""},
		{"a version nobody has", "2099-01-01", legacy("5", "tools/list", ""), expect{400, mcpproto.CodeUnsupportedVersion, "5"}, ""},
		{"a version nobody has, for initialize", "1.0", hello, expect{400, mcpproto.CodeUnsupportedVersion, "0"}, ""},
		{"errors have status 200", "2025-11-25", legacy("6", "nope/x", ""), expect{200, mcpproto.CodeMethodNotFound, "6"}, ""},
		{"bad params have status 200", "2024-11-05", legacy("7", "tools/call", `"name":"nope"`), expect{200, mcpproto.CodeInvalidParams, "7"}, ""},
		{"a method that needs a session", "2025-11-25", legacy("8", "logging/setLevel", `"level":"info"`), expect{200, mcpproto.CodeMethodNotFound, "8"}, ""},
		{"a batch where batches exist", "2025-03-26", `[` + legacy("9", "ping", "") + `]`, expect{status: 200}, `[{"jsonrpc":"2.0","id":9,"result":{}}]`},
		{"initialize in a batch", "2025-03-26", `[` + hello + `]`, expect{status: 200}, `-32600`},
		{"a batch of notifications", "2025-03-26", `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`, expect{status: 202}, ""},
		{"an empty batch", "2025-03-26", `[]`, expect{400, mcpproto.CodeInvalidRequest, ""}, ""},
		{"a batch where there are none", "2025-06-18", `[` + legacy("9", "ping", "") + `]`, expect{400, mcpproto.CodeInvalidRequest, ""}, ""},
		{"H18: a notification", "2025-11-25", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, expect{status: 202}, ""},
		{"H18: a notification without header", "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, expect{status: 202}, ""},
		{"a notification with a wrong header", "2099-01-01", `{"jsonrpc":"2.0","method":"notifications/x"}`, expect{status: 202}, ""},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			req := request(t.Context(), r.body, "", "")
			if r.version != "" {
				req.Header[mcpproto.HeaderVersion] = []string{r.version}
			}
			a := post(t, h, req)
			r.want.compare(t, a)
			is.True(strings.Contains(a.body.String(), r.contains))
			is.Equal(a.header.Get(mcpproto.HeaderSession), "") // none is minted
			if a.status == 202 {
				is.Equal(a.body.Len(), 0)
				is.Equal(a.header.Get("Content-Type"), "")
			}
			for _, absent := range []string{`"listChanged"`, `"subscribe"`, `"logging"`, `"resultType"`, `"input_required"`} {
				is.True(!strings.Contains(a.body.String(), absent)) // a client without a session gets none of these
			}
		})
	}
}

// Every tools/call reaches the observer, whatever the transport found wrong with it.
func TestRefusedCallsAreObserved(t *testing.T) {
	for _, r := range []struct {
		name string
		body string
		edit func(*http.Request)
		want mcpserver.Fate
	}{
		{"served", echo, set("X-Nothing"), mcpserver.Served},
		{"a wrong header", echo, set("Mcp-Name", "boom"), mcpserver.BadHeader},
		{"no version header", echo, set("MCP-Protocol-Version"), mcpserver.BadHeader},
		{"no capabilities", strings.ReplaceAll(echo, `,"io.modelcontextprotocol/clientCapabilities":{}`, ""), set("X-Nothing"), mcpserver.BadMeta},
		{"an unreadable message", strings.Replace(echo, `"id":"e"`, `"id":null`, 1), set("X-Nothing"), mcpserver.BadMessage},
		{"a call without id", strings.Replace(echo, `"id":"e",`, "", 1), set("X-Nothing"), mcpserver.Unidentified},
		{"a legacy call without version", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`, set("X-Nothing"), mcpserver.BadHeader},
		{"a call in a batch that is illegal there", `[` + echo + `]`, set("MCP-Protocol-Version", "2025-03-26"), mcpserver.BadMessage},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			var seen []mcpserver.Fate
			o := wiretest.Options()
			o.Observe = func(_ context.Context, out *mcpserver.Outcome) {
				seen = append(seen, out.Fate)
				is.Equal(out.Call.Transport, mcpproto.HTTP)
				is.Equal(out.Call.Principal, "p")
			}
			h := streamhttp.NewHandler(wiretest.NewServer(o).Server, &streamhttp.Options{
				Authenticate: func(*http.Request) (string, bool) { return "p", true },
			})
			defer h.Close()
			req := request(t.Context(), r.body, "", "")
			r.edit(req)
			post(t, h, req)
			is.Equal(seen, []mcpserver.Fate{r.want}) // exactly one record
		})
	}
}
