package mcpproto_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
)

func hdr(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

func ok(e *mcpproto.Error) bool { return e == nil }

func TestCheckMirrors(t *testing.T) {
	call := req("tools/call", `"name":"héllo"`)
	for _, tt := range []struct {
		claim, in string
		h         http.Header
		good      bool
	}{
		{"method alone for a list", req("tools/list", ""), hdr("mcp-method", "tools/list"), true},
		{"blanks are trimmed", req("tools/list", ""), hdr("MCP-METHOD", " \ttools/list "), true},
		{"case of the value counts", req("tools/list", ""), hdr("Mcp-Method", "TOOLS/LIST"), false},
		{"missing method", req("tools/list", ""), hdr(), false},
		{"repeated method", req("tools/list", ""), hdr("Mcp-Method", "tools/list", "Mcp-Method", "tools/list"), false},
		{"joined method", req("tools/list", ""), hdr("Mcp-Method", "tools/list, tools/list"), false},
		{"a name in base64", call, hdr("Mcp-Method", "tools/call", "Mcp-Name", "=?base64?aMOpbGxv?="), true},
		{"bad base64", call, hdr("Mcp-Method", "tools/call", "Mcp-Name", "=?base64?aMOpbGx?="), false},
		{"missing name", call, hdr("Mcp-Method", "tools/call"), false},
		{"repeated name", call, hdr("Mcp-Method", "tools/call", "Mcp-Name", "héllo", "Mcp-Name", "héllo"), false},
		{"another name", call, hdr("Mcp-Method", "tools/call", "Mcp-Name", "Héllo"), false},
		{"a name where the body has none is for later", req("tools/call", ""), hdr("Mcp-Method", "tools/call"), true},
		{"the URI of a resource", req("resources/read", `"uri":"a:b"`), hdr("Mcp-Method", "resources/read", "Mcp-Name", "a:b"), true},
		{"a prompt", req("prompts/get", `"name":"p"`), hdr("Mcp-Method", "prompts/get", "Mcp-Name", "q"), false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			e := mcpproto.CheckMirrors(tt.h, decode(t, tt.in))
			is.Equal(ok(e), tt.good)
			is.True(e == nil || e.Code == mcpproto.CodeHeaderMismatch)
		})
	}
	is := is.New(t)
	is.True(ok(mcpproto.CheckVersionHeader(hdr("MCP-Protocol-Version", " 2026-07-28 "), "2026-07-28")))
	is.True(!ok(mcpproto.CheckVersionHeader(hdr(), "2026-07-28")))
	is.True(!ok(mcpproto.CheckVersionHeader(hdr("MCP-Protocol-Version", "2025-11-25"), "2026-07-28")))
}

func TestParamHeaders(t *testing.T) {
	for _, tt := range []struct {
		claim, schema string
		want          []mcpproto.ParamHeader // nil with good false: refused
		good          bool
	}{
		{"no annotation", `{"type":"object","properties":{"a":{"type":"string"}}}`, nil, true},
		{"a string", `{"properties":{"a":{"type":"string","x-mcp-header":"Region"}}}`, []mcpproto.ParamHeader{{Header: "Mcp-Param-Region", Path: []string{"a"}, Type: "string"}}, true},
		{"nested through properties", `{"properties":{"a":{"type":"object","properties":{"b":{"type":"integer","x-mcp-header":"B"}}}}}`, []mcpproto.ParamHeader{{Header: "Mcp-Param-B", Path: []string{"a", "b"}, Type: "integer"}}, true},
		{"a property that is called x-mcp-header", `{"properties":{"x-mcp-header":{"type":"string"}}}`, nil, true},
		{"data that looks like an annotation", `{"properties":{"a":{"type":"object","default":{"x-mcp-header":5}}}}`, nil, true},
		{"an empty name", `{"properties":{"a":{"type":"string","x-mcp-header":""}}}`, nil, false},
		{"a name with a blank", `{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}`, nil, false},
		{"a name with a line end", `{"properties":{"a":{"type":"string","x-mcp-header":"a\r\nb"}}}`, nil, false},
		{"a name that is no string", `{"properties":{"a":{"type":"string","x-mcp-header":5}}}`, nil, false},
		{"a list", `{"properties":{"a":{"type":"array","x-mcp-header":"A"}}}`, nil, false},
		{"no type", `{"properties":{"a":{"x-mcp-header":"A"}}}`, nil, false},
		{"the root", `{"type":"object","x-mcp-header":"A"}`, nil, false},
		{"inside items", `{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`, nil, false},
		{"inside anyOf", `{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`, nil, false},
		{"inside $defs", `{"$defs":{"a":{"type":"string","x-mcp-header":"A"}}}`, nil, false},
		{"the same name in another case", `{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`, nil, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			got, err := mcpproto.ParamHeaders(jsontext.Value(tt.schema))
			is.Equal(err == nil, tt.good)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCheckParamHeaders(t *testing.T) {
	mirrored := []mcpproto.ParamHeader{{Header: "Mcp-Param-A", Path: []string{"o", "a"}, Type: "string"}}
	for _, tt := range []struct {
		claim, args string
		h           http.Header
		good        bool
	}{
		{"the same text", `{"o":{"a":"x"}}`, hdr("mcp-param-a", " x "), true},
		{"another text", `{"o":{"a":"x"}}`, hdr("Mcp-Param-A", "y"), false},
		{"a missing header", `{"o":{"a":"x"}}`, hdr(), false},
		{"an absent argument and no header", `{"o":{}}`, hdr(), true},
		{"null and no header", `{"o":{"a":null}}`, hdr(), true},
		{"no object on the way", `{"o":5}`, hdr(), true},
		{"a header without argument", `{}`, hdr("Mcp-Param-A", "x"), false},
		{"a repeated header", `{"o":{"a":"x"}}`, hdr("Mcp-Param-A", "x", "Mcp-Param-A", "x"), false},
		{"base64", `{"o":{"a":" é"}}`, hdr("Mcp-Param-A", mcpproto.EncodeHeaderValue(" é")), true},
		{"bad padding", `{"o":{"a":"a"}}`, hdr("Mcp-Param-A", "=?base64?YQ?="), false},
		{"bad alphabet", `{"o":{"a":"a"}}`, hdr("Mcp-Param-A", "=?base64?Y!==?="), false},
		{"half a sentinel is plain text", `{"o":{"a":"=?base64?YQ=="}}`, hdr("Mcp-Param-A", "=?base64?YQ=="), true},
		{"numbers compare by value", `{"o":{"a":42}}`, hdr("Mcp-Param-A", "42.0"), true},
		{"exactly", `{"o":{"a":9007199254740993}}`, hdr("Mcp-Param-A", "9007199254740992"), false},
		{"a number that is none", `{"o":{"a":42}}`, hdr("Mcp-Param-A", "42x"), false},
		{"truth", `{"o":{"a":true}}`, hdr("Mcp-Param-A", "true"), true},
		{"truth in another case", `{"o":{"a":true}}`, hdr("Mcp-Param-A", "True"), false},
		{"an object is never mirrored", `{"o":{"a":{}}}`, hdr("Mcp-Param-A", "{}"), false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			is.Equal(ok(mcpproto.CheckParamHeaders(tt.h, jsontext.Value(tt.args), mirrored)), tt.good)
		})
	}
}

func FuzzHeaderValue(f *testing.F) {
	for _, s := range []string{"", "a", " a", "é", "=?base64?YQ==?=", "=?base64??=", "a\nb", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := mcpproto.DecodeHeaderValue(s); err == nil && strings.HasPrefix(strings.Trim(s, " \t"), "=?base64?") &&
			strings.HasSuffix(strings.Trim(s, " \t"), "?=") && len(strings.Trim(s, " \t")) >= 11 && strings.ToValidUTF8(v, "") != v {
			t.Fatalf("decoded to invalid UTF-8: %q", v)
		}
		if strings.ToValidUTF8(s, "") != s {
			return
		}
		enc := mcpproto.EncodeHeaderValue(s)
		if strings.ContainsAny(enc, "\r\n\x00") {
			t.Fatalf("not a header value: %q", enc)
		}
		back, err := mcpproto.DecodeHeaderValue(enc)
		if err != nil || back != s {
			t.Fatalf("%q became %q (%v)", s, back, err)
		}
	})
}
