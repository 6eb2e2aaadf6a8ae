package mcpproto_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

func TestNegotiate(t *testing.T) {
	for _, tt := range []struct{ claim, in, want string }{
		{"the first revision is kept", "2024-11-05", "2024-11-05"},
		{"2025-03-26 is kept", "2025-03-26", "2025-03-26"},
		{"2025-06-18 is kept", "2025-06-18", "2025-06-18"},
		{"2025-11-25 is kept", "2025-11-25", "2025-11-25"},
		{"an earlier date gets the first", "2024-10-07", "2024-11-05"},
		{"a date between gets the newest", "2025-01-01", "2025-11-25"},
		{"the modern revision has no handshake", "2026-07-28", "2025-11-25"},
		{"a later date", "2099-01-01", "2025-11-25"},
		{"an impossible date is no date", "2024-02-31", "2025-11-25"},
		{"a number", "1.0", "2025-11-25"},
		{"nothing", "", "2025-11-25"},
		{"a draft", "DRAFT-2026-v1", "2025-11-25"},
		{"blanks count", " 2024-11-05", "2025-11-25"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			is.Equal(mcpproto.Negotiate(tt.in).String(), tt.want)
		})
	}
}

const (
	metaFull = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	metaInfo = `"_meta":{"io.modelcontextprotocol/clientInfo":{}}`
	metaNone = `"_meta":{"progressToken":1,"com.example/x":2}`
)

func decode(t testing.TB, in string) *mcpproto.Message {
	t.Helper()
	m, err := mcpproto.Decode([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func req(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
}

func TestEraOf(t *testing.T) {
	stdio, seen := mcpproto.EraFacts{Transport: mcpproto.Stdio}, mcpproto.EraFacts{Transport: mcpproto.Stdio, Initialized: true}
	header := func(v ...string) mcpproto.EraFacts {
		return mcpproto.EraFacts{Transport: mcpproto.HTTP, Header: http.Header{"Mcp-Protocol-Version": v}}
	}
	session := header()
	session.Session = mcpproto.Version20250618
	const modern, legacy = mcpproto.Modern, mcpproto.Legacy
	for _, tt := range []struct {
		claim, in string
		facts     mcpproto.EraFacts
		era       mcpproto.Era
		version   string
		code      int
	}{
		{"per-request _meta is modern", req("tools/list", metaFull), stdio, modern, "", 0},
		{"one per-request member is enough", req("tools/list", metaInfo), seen, modern, "", 0},
		{"other _meta is not", req("tools/list", metaNone), stdio, legacy, "", 0},
		{"discover is modern without _meta", req("server/discover", ""), seen, modern, "", 0},
		{"listen is modern without _meta", req("subscriptions/listen", ""), seen, modern, "", 0},
		{"resources before initialize are modern on stdio", req("resources/read", ""), stdio, modern, "", 0},
		{"resources after initialize are legacy", req("resources/read", ""), seen, legacy, "", 0},
		{"everything else is legacy on stdio", req("tools/call", ""), stdio, legacy, "", 0},
		{"initialize with modern _meta is modern", req("initialize", metaFull), stdio, modern, "", 0},
		{"HTTP: the modern header is modern", req("tools/list", ""), header("2026-07-28"), modern, "", 0},
		{"HTTP: a legacy header names the revision", req("tools/list", ""), header("2025-03-26"), legacy, "2025-03-26", 0},
		{"HTTP: blanks around it are trimmed", req("tools/list", ""), header(" 2025-03-26\t"), legacy, "2025-03-26", 0},
		{"HTTP: _meta beats the header", req("tools/list", metaFull), header("2025-03-26"), modern, "", 0},
		{"HTTP: another header", req("tools/list", ""), header("2025-01-01"), 0, "", -32022},
		{"HTTP: another header refuses initialize too", req("initialize", ""), header("2025-01-01"), 0, "", -32022},
		{"HTTP: joined headers are another header", req("tools/list", ""), header("2025-03-26, 2025-03-26"), 0, "", -32022},
		{"HTTP: a repeated header", req("tools/list", ""), header("2025-03-26", "2025-03-26"), 0, "", -32020},
		{"HTTP: no header", req("tools/list", ""), header(), 0, "", -32020},
		{"HTTP: no header, but initialize", req("initialize", ""), header(), legacy, "", 0},
		{"HTTP: no header, but a session", req("tools/list", ""), session, legacy, "2025-06-18", 0},
		{"HTTP: no header, but a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, header(), legacy, "", 0},
		{"HTTP: resources without header are no exception", req("resources/read", ""), header(), 0, "", -32020},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			era, v, e := mcpproto.EraOf(decode(t, tt.in), tt.facts)
			code := 0
			if e != nil {
				code = e.Code
			}
			is.Equal(era, tt.era)
			is.Equal(v.String(), tt.version)
			is.Equal(code, tt.code)
		})
	}
}

func TestRequestMeta(t *testing.T) {
	const p = "io.modelcontextprotocol/"
	ok := `"` + p + `protocolVersion":"2026-07-28","` + p + `clientCapabilities":{}`
	for _, tt := range []struct {
		claim, meta string
		code        int
		level       string
		token       string
	}{
		{"the two required members are enough", ok, 0, "", ""},
		{"capabilities are required", `"` + p + `protocolVersion":"2026-07-28"`, -32602, "", ""},
		{"capabilities must be an object", `"` + p + `clientCapabilities":null`, -32602, "", ""},
		{"a known capability must be an object", `"` + p + `clientCapabilities":{"elicitation":5}`, -32602, "", ""},
		{"an unknown capability may be anything", `"` + p + `clientCapabilities":{"x":null,"tasks":5}`, 0, "", ""},
		{"client info must be an object", ok + `,"` + p + `clientInfo":"x"`, -32602, "", ""},
		{"client info may carry more", ok + `,"` + p + `clientInfo":{"name":"a","version":"1","x":1}`, 0, "", ""},
		{"a log level", ok + `,"` + p + `logLevel":"notice"`, 0, "notice", ""},
		{"a bad log level", ok + `,"` + p + `logLevel":"loud"`, -32602, "loud", ""},
		{"a log level in the wrong case", ok + `,"` + p + `logLevel":"INFO"`, -32602, "INFO", ""},
		{"a log level that is no string", ok + `,"` + p + `logLevel":5`, -32602, "", ""},
		{"a progress token", ok + `,"progressToken":"x"`, 0, "", `"x"`},
		{"an empty progress token", ok + `,"progressToken":""`, 0, "", `""`},
		{"an unusable progress token means no progress", ok + `,"progressToken":1.5`, 0, "", ""},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			m := decode(t, req("tools/list", `"_meta":{`+tt.meta+`}`))
			var cache mcpproto.MetaCache
			for range 2 { // the second time from the cache
				r, e := m.RequestMeta(mcpproto.Modern, &cache)
				code := 0
				if e != nil {
					code = e.Code
				}
				is.Equal(code, tt.code)
				is.Equal(string(r.LogLevel), tt.level)
				is.Equal(r.ProgressToken.String(), tt.token)
			}
		})
	}
	t.Run("the trace goes along, in both eras", func(t *testing.T) {
		is := is.New(t)
		m := decode(t, req("tools/list", `"_meta":{"traceparent":"00-a","tracestate":"b","baggage":"c=d"}`))
		r, e := m.RequestMeta(mcpproto.Legacy, nil)
		is.True(e == nil)
		is.Equal(r.Trace, mcpproto.Trace{Parent: "00-a", State: "b", Baggage: "c=d"})
		is.Equal(mcpproto.TraceFrom(mcpproto.ContextWithTrace(context.Background(), r.Trace)), r.Trace)
	})
}

func TestFormCapability(t *testing.T) {
	for _, tt := range []struct {
		claim, caps string
		form, url   bool
	}{
		{"nothing declared", `{}`, false, false},
		{"an empty elicitation counts as form (F03)", `{"elicitation":{}}`, true, false},
		{"form", `{"elicitation":{"form":{}}}`, true, false},
		{"address alone is no form", `{"elicitation":{"url":{}}}`, false, true},
		{"both", `{"elicitation":{"form":{},"url":{}}}`, true, true},
		{"null is not declared", `{"elicitation":null}`, false, false},
		{"other members alone count as form", `{"elicitation":{"schemaValidation":{}}}`, true, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			c, e := mcpproto.ParseCapabilities(jsontext.Value(tt.caps))
			is.True(e == nil)
			is.Equal(c.Form(), tt.form)
			is.Equal(c.URL(), tt.url)
		})
	}
}

func TestInputRequiredCheck(t *testing.T) {
	form := mcpproto.InputRequest{Elicit: &mcpproto.ElicitParams{Message: "m", Requested: jsontext.Value(`{"type":"object","properties":{}}`)}}
	caps := func(s string) *mcpproto.ClientCapabilities {
		c, e := mcpproto.ParseCapabilities(jsontext.Value(s))
		if e != nil {
			t.Fatal(e)
		}
		return c
	}
	for _, tt := range []struct {
		claim string
		need  mcpproto.InputRequired
		caps  string
		code  int // -1: a plain error
	}{
		{"state alone is enough", mcpproto.InputRequired{State: "s"}, `{}`, 0},
		{"nothing is a bug", mcpproto.InputRequired{}, `{}`, -1},
		{"an empty question is a bug", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {}}}, `{}`, -1},
		{"a form for a client with forms", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": form}}, `{"elicitation":{}}`, 0},
		{"a form for a client without", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": form}}, `{"elicitation":{"url":{}}}`, -32021},
		{"sampling for a client without", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {Sample: &mcpproto.SampleParams{}}}}, `{"roots":{}}`, -32021},
		{"roots for a client with", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {Roots: &mcpproto.RootsParams{}}}}, `{"roots":{}}`, 0},
		{"a form without fields", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {Elicit: &mcpproto.ElicitParams{Message: "m"}}}}, `{"elicitation":{}}`, 0},
		{"an address for a client that opens some", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {Elicit: &mcpproto.ElicitParams{Mode: "url", Message: "m", URL: "a:b"}}}}, `{"elicitation":{"url":{}}}`, 0},
		{"sampling for a client with", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {Sample: &mcpproto.SampleParams{}}}}, `{"sampling":{}}`, 0},
		{"a model's tools for a client with", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {Sample: &mcpproto.SampleParams{ToolChoice: &mcpproto.ToolChoice{}}}}}, `{"sampling":{"tools":{}}}`, 0},
		{"a model's tools for a client without", mcpproto.InputRequired{Requests: mcpproto.InputRequests{"k": {Sample: &mcpproto.SampleParams{ToolChoice: &mcpproto.ToolChoice{}}}}}, `{"sampling":{}}`, -32021},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			err := tt.need.Check(caps(tt.caps))
			if err == nil {
				st := mcpproto.Stamp{Version: mcpproto.LatestModern, Server: mcpproto.ServerInfo(mcpproto.Implementation{Name: "s", Version: "1"})}
				result, err := st.AppendNeed(nil, &tt.need)
				is.NoErr(err)
				validResult(t, mcpproto.LatestModern, mcpproto.MethodToolsCall, result)
			}
			code := 0
			if e, ok := errors.AsType[*mcpproto.Error](err); ok {
				code = e.Code
			} else if err != nil {
				code = -1
			}
			is.Equal(code, tt.code)
		})
	}
}

func TestInputResponses(t *testing.T) {
	for _, tt := range []struct {
		claim, in string
		err       error
		approve   bool
	}{
		{"accept and true", `{"action":"accept","content":{"approve":true}}`, nil, true},
		{"accept and false", `{"action":"accept","content":{"approve":false}}`, nil, false},
		{"accept and a text is not true", `{"action":"accept","content":{"approve":"true"}}`, nil, false},
		{"accept without content", `{"action":"accept"}`, nil, false},
		{"accept with null", `{"action":"accept","content":null}`, nil, false},
		{"decline", `{"action":"decline","content":{"approve":true}}`, nil, true},
		{"wrong case", `{"action":"ACCEPT","content":{"approve":true}}`, mcpproto.ErrBadResponse, false},
		{"no action", `{"content":{"approve":true}}`, mcpproto.ErrBadResponse, false},
		{"a number", `12345`, mcpproto.ErrBadResponse, false},
		{"content as a list", `{"action":"accept","content":[true]}`, mcpproto.ErrBadResponse, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			r, err := mcpproto.InputResponses{"k": jsontext.Value(tt.in)}.Elicit("k")
			is.True(errors.Is(err, tt.err))
			if err == nil {
				yes, _ := r.Bool("approve")
				is.Equal(yes, tt.approve)
			}
		})
	}
	is := is.New(t)
	_, err := mcpproto.InputResponses{}.Elicit("k")
	is.True(errors.Is(err, mcpproto.ErrNoResponse))
	_, err = mcpproto.InputResponses{"k": jsontext.Value(`{"roots":null}`)}.Roots("k")
	is.True(errors.Is(err, mcpproto.ErrBadResponse))
	_, err = mcpproto.InputResponses{"k": jsontext.Value(`{"role":"assistant"}`)}.Sample("k")
	is.True(errors.Is(err, mcpproto.ErrBadResponse))
}

func TestIDKey(t *testing.T) {
	for _, tt := range []struct {
		claim, a, b string
		same        bool
	}{
		{"number and text differ (B08)", `1`, `"1"`, false},
		{"exponent and digits are the same", `1e3`, `1000`, true},
		{"a fraction of zero is the same", `10.0`, `10`, true},
		{"minus zero is zero", `-0`, `0`, true},
		{"signs count", `-7`, `7`, false},
		{"huge neighbours differ", `9007199254740993`, `9007199254740992`, false},
		{"escapes are the same text", `"\u0061"`, `"a"`, true},
		{"line ends escaped or not are the same", "\"\u2028\u2029\u0085\u007f\"", `"\u2028\u2029\u0085\u007f"`, true},
		{"quotes and backslashes are part of it", `"a\"b"`, `"a\\\"b"`, false},
		{"an escaped slash is a slash", `"a\/b"`, `"a/b"`, true},
		{"case counts", `"A"`, `"a"`, false},
		{"huge exponents are cheap and differ", `1e999999`, `1e999998`, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			a, ok := mcpproto.ParseID(jsontext.Value(tt.a))
			is.True(ok)
			b, ok := mcpproto.ParseID(jsontext.Value(tt.b))
			is.True(ok)
			is.Equal(a.Key() == b.Key(), tt.same)
			is.Equal(a.String(), tt.a) // the id itself stays as it came
		})
	}
}

func TestIsURI(t *testing.T) {
	for s, want := range map[string]bool{
		"file:///etc/passwd": true, "urn:isbn:1": true, "a:": true, "A+-.1:x?y#z": true, "a://[::1]:80/": true, "a://%e4%bd%a0": true, "a:ü": true,
		"": false, "text": false, "/a:b": false, ":a": false, "1a:b": false, "ä:b": false, "a b:c": false, "a:b c": false, "a:\x00": false,
		"a:\n": false, "a:{x}": false, "a:%": false, "a:%2": false, "a:%zz": false, "a:\xff": false, `a:\b`: false,
	} {
		t.Run(s, func(t *testing.T) {
			is := is.New(t)
			is.Equal(mcpproto.IsURI(s), want)
		})
	}
}

func TestReservedAndValidKeys(t *testing.T) {
	for _, tt := range []struct {
		key             string
		reserved, valid bool
	}{
		{"io.modelcontextprotocol/x", true, true},
		{"dev.mcp/", true, true},
		{"org.modelcontextprotocol.api/x", true, true},
		{"com.mcp.tools/x", true, true},
		{"com.example.mcp/x", false, true},
		{"progressToken", false, true},
		{"mcp/x", false, true},
		{"-a/x", false, false},
		{"a..b/x", false, false},
		{"a/-x", false, false},
		{"", false, true},
	} {
		t.Run(tt.key, func(t *testing.T) {
			is := is.New(t)
			is.Equal(mcpproto.ReservedKey(tt.key), tt.reserved)
			is.Equal(mcpproto.ValidKey(tt.key), tt.valid)
		})
	}
}

func TestWireError(t *testing.T) {
	const modern, legacy = mcpproto.Modern, mcpproto.Legacy
	for _, tt := range []struct {
		claim string
		err   error
		era   mcpproto.Era
		code  int
		text  string
	}{
		{"an uncoded error tells nothing", errors.New("secret"), modern, -32603, "internal error"},
		{"code 0 cannot be sent", &mcpproto.Error{Message: "secret"}, modern, -32603, "internal error"},
		{"an own code is kept", &mcpproto.Error{Code: 7, Message: "m"}, modern, 7, "m"},
		{"a wrapped error is found", errors.Join(errors.New("x"), mcpproto.InvalidParams("m")), modern, -32602, "m"},
		{"an unknown reserved code cannot be sent", &mcpproto.Error{Code: -32050, Message: "m"}, modern, -32603, "internal error"},
		{"the edges of the reserved range", &mcpproto.Error{Code: -32099, Message: "m"}, modern, -32603, "internal error"},
		{"outside the reserved range", &mcpproto.Error{Code: -31999, Message: "m"}, modern, -31999, "m"},
		{"a missing capability", mcpproto.MissingCapability(mcpproto.ClientCapabilities{}), modern, -32021, "the request needs a client capability that was not declared"},
		{"a capability error by hand that names none", &mcpproto.Error{Code: -32021, Message: "m"}, modern, -32603, "internal error"},
		{"or names them wrongly", &mcpproto.Error{Code: -32021, Message: "m", Data: map[string]any{"requiredCapabilities": []string{"roots"}}}, modern, -32603, "internal error"},
		{"one that names them", &mcpproto.Error{Code: -32021, Message: "m", Data: jsontext.Value(`{"requiredCapabilities":{"roots":{}}}`)}, modern, -32021, "m"},
		{"a version error", mcpproto.UnsupportedVersion("x"), modern, -32022, "protocol version is not supported"},
		{"a version error by hand", &mcpproto.Error{Code: -32022, Message: "m", Data: map[string]any{"supported": []string{}}}, modern, -32603, "internal error"},
		{"one whose data is no JSON", &mcpproto.Error{Code: -32022, Message: "m", Data: func() {}}, modern, -32603, "internal error"},
		{"never to a legacy client", mcpproto.MissingCapability(mcpproto.ClientCapabilities{}), legacy, -32603, "internal error"},
		{"a missing resource, modern", mcpproto.ResourceNotFound("u"), modern, -32602, "resource not found"},
		{"a missing resource, legacy", mcpproto.ResourceNotFound("u"), legacy, -32002, "resource not found"},
		{"-32002 by hand is legacy only", &mcpproto.Error{Code: -32002, Message: "m"}, modern, -32603, "internal error"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			e := mcpproto.WireError(tt.err, tt.era)
			is.Equal(e.Code, tt.code)
			is.Equal(e.Message, tt.text)
			v := mcpproto.LatestModern
			if tt.era == legacy {
				v = mcpproto.LatestLegacy
			}
			valid(t, v, "", mcpproto.AppendError(nil, mcpproto.IntID(1), e))
		})
	}
	is := is.New(t)
	is.True(mcpproto.WireError(nil, modern) == nil)
	got := mcpproto.AppendError(nil, mcpproto.ID{}, &mcpproto.Error{Code: 5, Message: "a\nb", Data: func() {}})
	is.Equal(string(got), `{"jsonrpc":"2.0","error":{"code":5,"message":"a\nb"}}`) // no id, and no data that cannot be encoded
	valid(t, mcpproto.Version20251125, "", got)
}

// valid checks a message as a server would send it.
func valid(t *testing.T, v mcpproto.Version, answers string, message []byte) {
	t.Helper()
	if err := mcptest.Check(v, mcptest.ToClient, answers, message); err != nil {
		t.Errorf("invalid message: %v\n%s", err, message)
	}
}

func validResult(t *testing.T, v mcpproto.Version, answers string, result []byte) {
	t.Helper()
	valid(t, v, answers, append(append(mcpproto.AppendResultHead(nil, mcpproto.IntID(1)), result...), '}'))
}

func TestStamp(t *testing.T) {
	server := mcpproto.ServerInfo(mcpproto.Implementation{Name: "s", Version: "1"})
	const info = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}`
	cache := &mcpproto.Cache{TTL: 1500 * 1e6, Scope: mcpproto.Public}
	for _, tt := range []struct {
		claim   string
		version mcpproto.Version
		cache   *mcpproto.Cache
		body    string
		want    string // "" means an error
	}{
		{"an empty modern result", mcpproto.Version20260728, nil, `{}`, `{"resultType":"complete",` + info + `}`},
		{"cache members", mcpproto.Version20260728, cache, `{"tools":[]}`, `{"resultType":"complete","tools":[],"ttlMs":1500,"cacheScope":"public",` + info + `}`},
		{"an unset scope is private, a negative time is zero", mcpproto.Version20260728, &mcpproto.Cache{TTL: -1e9}, `{}`, `{"resultType":"complete","ttlMs":0,"cacheScope":"private",` + info + `}`},
		{
			"own _meta is merged, the server's name is ours", mcpproto.Version20260728, nil, `{"_meta":{"a":1,"io.modelcontextprotocol/serverInfo":"x"},"b":2}`,
			`{"resultType":"complete","b":2,"_meta":{"a":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`,
		},
		{"a handler cannot set what the stamp owns", mcpproto.Version20260728, nil, `{"resultType":"x","ttlMs":5,"cacheScope":"y"}`, `{"resultType":"complete",` + info + `}`},
		{"a legacy result has none of it", mcpproto.Version20251125, cache, `{"tools":[]}`, `{"tools":[]}`},
		{"even if the handler put it there", mcpproto.Version20251125, cache, `{"resultType":"x","a":1,"ttlMs":5,"cacheScope":"y","_meta":{"k":1}}`, `{"a":1,"_meta":{"k":1}}`},
		{"nothing but what goes", mcpproto.Version20251125, nil, `{"ttlMs":5}`, `{}`},
		{"a list is no result", mcpproto.Version20260728, nil, `[]`, ``},
		{"a legacy list is no result", mcpproto.Version20251125, nil, `[]`, ``},
		{"broken JSON is no result", mcpproto.Version20251125, nil, `{"a":`, ``},
		{"lines are joined", mcpproto.Version20251125, nil, "{\n \"a\": 1\n}", `{"a":1}`},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			st := mcpproto.Stamp{Version: tt.version, Server: server, Cache: tt.cache}
			got, err := st.AppendObject([]byte("x"), jsontext.Value(tt.body))
			is.Equal(err != nil, tt.want == "")
			is.Equal(string(got), "x"+tt.want)
			if err == nil {
				validResult(t, tt.version, "acme/own", got[1:])
			}
		})
	}
}

func TestToolResultFor(t *testing.T) {
	res := &mcpproto.ToolResult{
		Content: []mcpproto.Content{
			mcpproto.Text("a\u2028b"), mcpproto.Audio([]byte("x"), "audio/wav"),
			mcpproto.Link(mcpproto.Resource{URI: "u:1", Name: "n", Title: "T"}),
			mcpproto.Embed(mcpproto.ResourceContents{URI: "u:2", Text: "", Meta: jsontext.Value(`{"m":1}`)}),
		},
		Structured: jsontext.Value(`[1]`), Meta: jsontext.Value(`{"k":1}`),
	}
	for _, tt := range []struct {
		version mcpproto.Version
		want    string
	}{
		{mcpproto.Version20241105, `{"content":[{"type":"text","text":"a\u2028b"},{"type":"text","text":"audio (audio/wav, 1 bytes)"},{"type":"text","text":"resource: u:1"},{"type":"resource","resource":{"uri":"u:2","text":""}}],"_meta":{"k":1}}`},
		{mcpproto.Version20250326, `{"content":[{"type":"text","text":"a\u2028b"},{"type":"audio","data":"eA==","mimeType":"audio/wav"},{"type":"text","text":"resource: u:1"},{"type":"resource","resource":{"uri":"u:2","text":""}}],"_meta":{"k":1}}`},
		{mcpproto.Version20251125, `{"content":[{"type":"text","text":"a\u2028b"},{"type":"audio","data":"eA==","mimeType":"audio/wav"},{"type":"resource_link","name":"n","uri":"u:1","title":"T"},{"type":"resource","resource":{"uri":"u:2","text":"","_meta":{"m":1}}}],"_meta":{"k":1}}`},
		{mcpproto.Version20260728, `{"resultType":"complete","content":[{"type":"text","text":"a\u2028b"},{"type":"audio","data":"eA==","mimeType":"audio/wav"},{"type":"resource_link","name":"n","uri":"u:1","title":"T"},{"type":"resource","resource":{"uri":"u:2","text":"","_meta":{"m":1}}}],"structuredContent":[1],"_meta":{"k":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`},
	} {
		t.Run(tt.version.String(), func(t *testing.T) {
			st := mcpproto.Stamp{Version: tt.version, Server: mcpproto.ServerInfo(mcpproto.Implementation{Name: "s", Version: "1"})}
			got, err := st.AppendTool(nil, res)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(got)); d != "" {
				t.Error(d)
			}
			validResult(t, tt.version, mcpproto.MethodToolsCall, got)
		})
	}
	t.Run("what is not JSON is not sent", func(t *testing.T) {
		is := is.New(t)
		st := mcpproto.Stamp{Version: mcpproto.Version20260728}
		for _, bad := range []*mcpproto.ToolResult{
			{Structured: jsontext.Value(`{"a":1,"a":2}`)},
			{Structured: jsontext.Value(`{`)},
			{Meta: jsontext.Value(`[]`)},
			{Content: []mcpproto.Content{{Type: "odd"}}},
			{Content: []mcpproto.Content{{Type: "resource"}}},
			{Content: []mcpproto.Content{{Type: "text", Meta: jsontext.Value(`[]`)}}},
			{Content: []mcpproto.Content{mcpproto.Embed(mcpproto.ResourceContents{URI: "a:b", Meta: jsontext.Value(`1`)})}},
		} {
			got, err := st.AppendTool([]byte("keep"), bad)
			is.True(err != nil)
			is.Equal(string(got), "keep")
		}
	})
}

func TestCanonicalAndDigest(t *testing.T) {
	is := is.New(t)
	digest := func(parts ...string) mcpproto.Digest {
		var raw []jsontext.Value
		for _, p := range parts {
			if p == "" {
				raw = append(raw, nil)
			} else {
				raw = append(raw, jsontext.Value(p))
			}
		}
		d, err := mcpproto.DigestParams(raw...)
		is.NoErr(err)
		return d
	}
	is.Equal(digest(`{"b":[1,{"d":2,"c":3}],"a":"\u0041"}`), digest(` { "a" : "A","b":[1,{"c":3,"d":2}]}`)) // order, blanks and spelling
	is.True(digest(`{"a":9007199254740993}`) != digest(`{"a":9007199254740992}`))                           // digits count
	is.True(digest(`[1,2]`) != digest(`[2,1]`))                                                             // order of lists counts
	is.True(digest(`"ab"`, `"c"`) != digest(`"a"`, `"bc"`))                                                 // parts do not run together
	is.True(digest("") != digest("null"))                                                                   // absent is not null
	_, err := mcpproto.DigestParams(jsontext.Value(`{"a":1,"a":2}`))
	is.True(err != nil)
}

func FuzzEraOf(f *testing.F) {
	f.Add([]byte(req("tools/list", metaFull)), "2026-07-28", true, false)
	f.Add([]byte(req("resources/read", "")), "", false, false)
	f.Add([]byte(req("initialize", metaInfo)), "2025-03-26", true, true)
	f.Fuzz(func(t *testing.T, data []byte, header string, isHTTP, seen bool) {
		m, err := mcpproto.Decode(data)
		if err != nil {
			return
		}
		facts := mcpproto.EraFacts{Transport: mcpproto.Stdio, Initialized: seen}
		if isHTTP {
			facts = mcpproto.EraFacts{Transport: mcpproto.HTTP, Header: http.Header{"Mcp-Protocol-Version": {header}}}
		}
		era, v, e := mcpproto.EraOf(m, facts)
		switch {
		case e != nil && era != 0:
			t.Fatal("an era together with an error")
		case e == nil && era != mcpproto.Modern && era != mcpproto.Legacy:
			t.Fatal("neither era nor error")
		case v != 0 && v.Era() != mcpproto.Legacy:
			t.Fatal("a header can only name a legacy revision")
		case m.Params.Meta().PerRequest() && era != mcpproto.Modern:
			t.Fatal("per-request _meta must be modern")
		case !isHTTP && e != nil:
			t.Fatal("stdio never refuses by era")
		}
	})
}

func BenchmarkEraOf(b *testing.B) {
	m := decode(b, req("tools/call", metaFull))
	b.ReportAllocs()
	for b.Loop() {
		if era, _, _ := mcpproto.EraOf(m, mcpproto.EraFacts{Transport: mcpproto.Stdio}); era != mcpproto.Modern {
			b.Fatal(era)
		}
	}
}

func BenchmarkEnvelope(b *testing.B) {
	st := mcpproto.Stamp{Version: mcpproto.Version20260728, Server: mcpproto.ServerInfo(mcpproto.Implementation{Name: "s", Version: "1"})}
	res := mcpproto.StructuredResult(jsontext.Value(`{"command":"git status","decision":"allow","layer":"L0","reason":"reads only"}`))
	id := mcpproto.IntID(17)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = st.AppendTool(mcpproto.AppendResultHead(buf[:0], id), res); err != nil {
			b.Fatal(err)
		}
	}
}
