package mcpproto_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
)

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func TestDecodeRefuses(t *testing.T) {
	const (
		parse   = mcpproto.CodeParse
		invalid = mcpproto.CodeInvalidRequest
	)
	for _, tt := range []struct {
		claim, in string
		code      int
		id        string // "" means the answer has no id
		array     bool
	}{
		{"nothing is no message", "", parse, "", false},
		{"blanks are no message", " \t ", parse, "", false},
		{"bad syntax", "{nope", parse, "", false},
		{"a cut message", `{"jsonrpc":"2.0","id":1,"method":"a"`, parse, "", false},
		{"two messages", `{"jsonrpc":"2.0","id":1,"method":"a"}{}`, parse, "", false},
		{"trailing bytes", `{"jsonrpc":"2.0","id":1,"method":"a"} x`, parse, "", false},
		{"a trailing comma", `{"jsonrpc":"2.0","id":1,"method":"a",}`, parse, "", false},
		{"a comment", `{"jsonrpc":"2.0","id":1,"method":"a"}//`, parse, "", false},
		{"a leading zero", `{"jsonrpc":"2.0","id":01,"method":"a"}`, parse, "", false},
		{"a control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\x01\"}", parse, "", false},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", parse, "", false},
		{"invalid UTF-8 beats a repeated name", "{\"jsonrpc\":\"2.0\",\"id\":1,\"a\":1,\"a\":\"\xff\"}", parse, "", false},
		{"a repeated name before bad syntax is bad syntax", `{"id":1,"a":1,"a":2`, parse, "", false},
		{"an array", `[{"jsonrpc":"2.0","id":1,"method":"a"}]`, invalid, "", true},
		{"an empty array", `[]`, invalid, "", true},
		{"a broken array", `[{]`, parse, "", false},
		{"a string", `"x"`, invalid, "", false},
		{"a number", `42`, invalid, "", false},
		{"null", `null`, invalid, "", false},
		{"a repeated name keeps the id", `{"jsonrpc":"2.0","id":1,"method":"a","x":1,"x":2}`, invalid, "1", false},
		{"a repeated name deep inside", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[{"c":1,"c":1}]}}`, invalid, "1", false},
		{"a name repeated in another spelling", `{"jsonrpc":"2.0","id":1,"method":"a","p":1,"\u0070":1}`, invalid, "1", false},
		{"a repeated id is no id", `{"jsonrpc":"2.0","id":1,"method":"a","id":1}`, invalid, "", false},
		{"an id repeated in another spelling is no id", `{"jsonrpc":"2.0","id":1,"method":"a","\u0069d":2}`, invalid, "", false},
		{"a repeated method keeps the id", `{"jsonrpc":"2.0","id":"k","method":"a","method":"b"}`, invalid, `"k"`, false},
		{"a lone surrogate", `{"jsonrpc":"2.0","id":5,"method":"a","params":{"x":"\ud800"}}`, invalid, "5", false},
		{"a lone surrogate as id", `{"jsonrpc":"2.0","id":"\udc00","method":"a"}`, invalid, "", false},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"a"}`, invalid, "", false},
		{"id true", `{"jsonrpc":"2.0","id":true,"method":"a"}`, invalid, "", false},
		{"id object", `{"jsonrpc":"2.0","id":{},"method":"a"}`, invalid, "", false},
		{"id fractional", `{"jsonrpc":"2.0","id":2.5,"method":"a"}`, invalid, "", false},
		{"id fractional by exponent", `{"jsonrpc":"2.0","id":25e-1,"method":"a"}`, invalid, "", false},
		{"another jsonrpc", `{"jsonrpc":"1.0","id":7,"method":"a"}`, invalid, "7", false},
		{"jsonrpc as a number", `{"jsonrpc":2.0,"id":7,"method":"a"}`, invalid, "7", false},
		{"no jsonrpc", `{"id":7,"method":"a"}`, invalid, "7", false},
		{"JSONRPC is not jsonrpc", `{"JSONRPC":"2.0","id":7,"method":"a"}`, invalid, "7", false},
		{"METHOD is not method", `{"jsonrpc":"2.0","id":7,"METHOD":"a"}`, invalid, "7", false},
		{"method as a number", `{"jsonrpc":"2.0","id":7,"method":1}`, invalid, "7", false},
		{"method together with result", `{"jsonrpc":"2.0","id":7,"method":"a","result":{}}`, invalid, "7", false},
		{"nothing but an id", `{"jsonrpc":"2.0","id":7}`, invalid, "7", false},
		{"one level too deep keeps the id", `{"jsonrpc":"2.0","id":7,"method":"a","params":` + nested(64) + `}`, parse, "7", false},
		{"too deep and incomplete", `{"jsonrpc":"2.0","id":7,"method":"a","params":` + nested(64), parse, "", false},
		{"too deep, as an array", nested(65), parse, "", false},
		{"too deep, with an illegal id", `{"jsonrpc":"2.0","id":null,"method":"a","params":` + nested(64) + `}`, parse, "", false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			m, err := mcpproto.Decode([]byte(tt.in))
			is.True(m == nil) // a refused message is not returned
			var e *mcpproto.DecodeError
			is.True(errors.As(err, &e))
			is.Equal(e.Code, tt.code)
			is.Equal(e.ID.String(), tt.id)
			is.Equal(e.Array, tt.array)
		})
	}
}

func TestDecodeAccepts(t *testing.T) {
	type brief struct {
		Kind                   mcpproto.Kind
		ID, Method, Name, Args string
		Version                bool
	}
	for _, tt := range []struct {
		claim, in string
		want      brief
	}{
		{"a request", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":[1]}}}`, brief{mcpproto.Request, "1", "tools/call", `"a"`, `{"x":[1]}`, false}},
		{"any order of members", ` {"params":{"arguments":{},"_meta":{"io.modelcontextprotocol/logLevel":"x"}},"method":"m","id":"q","jsonrpc":"2.0"} `, brief{mcpproto.Request, `"q"`, "m", "", "{}", true}},
		{"escaped member names", `{"\u006asonrpc":"2.0","\u0069d":1,"m\u0065thod":"to\u006fls/list","p\u0061rams":{"n\u0061me":"n"}}`, brief{mcpproto.Request, "1", "tools/list", `"n"`, "", false}},
		{"a huge id, digit for digit", `{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}`, brief{mcpproto.Request, "9007199254740993", "m", "", "", false}},
		{"an integral exponent", `{"jsonrpc":"2.0","id":1e3,"method":"m"}`, brief{mcpproto.Request, "1e3", "m", "", "", false}},
		{"an integral fraction", `{"jsonrpc":"2.0","id":1.0,"method":"m"}`, brief{mcpproto.Request, "1.0", "m", "", "", false}},
		{"id zero", `{"jsonrpc":"2.0","id":0,"method":"m"}`, brief{mcpproto.Request, "0", "m", "", "", false}},
		{"params null counts as absent", `{"jsonrpc":"2.0","id":0,"method":"m","params":null}`, brief{mcpproto.Request, "0", "m", "", "", false}},
		{"a notification", `{"jsonrpc":"2.0","method":"n"}`, brief{mcpproto.Notification, "", "n", "", "", false}},
		{"an empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, brief{mcpproto.Request, "1", "", "", "", false}},
		{"a response, whatever its id", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, brief{mcpproto.Response, "", "", "", "", false}},
		{"a response without jsonrpc", `{"id":3,"result":{}}`, brief{mcpproto.Response, "3", "", "", "", false}},
		{"unknown members", `{"jsonrpc":"2.0","id":1,"method":"m","extra":[{"a":1}]}`, brief{mcpproto.Request, "1", "m", "", "", false}},
		{"the deepest legal nesting", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":` + nested(62) + `}}`, brief{mcpproto.Request, "1", "m", nested(62), "", false}},
		{"brackets in strings do not nest", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"` + strings.Repeat(`[\"{`, 100) + `"}}`, brief{mcpproto.Request, "1", "m", `"` + strings.Repeat(`[\"{`, 100) + `"`, "", false}},
		{"many params", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"name":8,"arguments":9}}`, brief{mcpproto.Request, "1", "m", "8", "9", false}},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			m, err := mcpproto.Decode([]byte(tt.in))
			is.NoErr(err)
			got := brief{
				m.Kind, m.ID.String(), m.Method, string(m.Params.Get("name")), string(m.Params.Get("arguments")),
				m.Params.Meta().PerRequest(),
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestDecodeBatch(t *testing.T) {
	is := is.New(t)
	items, err := mcpproto.DecodeBatch([]byte(` [ {"jsonrpc":"2.0","id":1,"method":"a"} , 5,{"jsonrpc":"2.0","id":2,"id":2,"method":"b"},[]] `))
	is.NoErr(err)
	is.Equal(len(items), 4)
	is.Equal(items[0].Message.Method, "a")
	for _, it := range items[1:] {
		is.True(it.Message == nil)
		is.Equal(it.Err.Code, mcpproto.CodeInvalidRequest)
	}
	for _, bad := range []string{`[]`, `{}`, `[1`, ``, nested(70)} {
		_, err := mcpproto.DecodeBatch([]byte(bad))
		var e *mcpproto.DecodeError
		is.True(errors.As(err, &e)) // each is refused as a whole
	}
}

func TestDecodeIsQuickOnHugeNesting(t *testing.T) {
	is := is.New(t)
	for _, in := range []string{strings.Repeat("[", 4<<20), strings.Repeat(`{"a":`, 800_000)} {
		_, err := mcpproto.Decode([]byte(in))
		is.True(err != nil)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		``, `{}`, `[]`, `[{}]`, `"x"`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"x":1}}}`,
		`{"jsonrpc":"2.0","id":1,"id":2}`, `{"a":"\ud800"}`, "\xef\xbb\xbf{}", nested(65), `{"jsonrpc":"2.0","id":1e3,"method":"\u0061"}`,
		`{"jsonrpc":"2.0","id":-0.0e-5,"method":"m","params":[]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		m, err := mcpproto.Decode(data)
		if !bytes.Equal(before, data) {
			t.Fatal("the input was changed")
		}
		var e *mcpproto.DecodeError
		if err != nil {
			if !errors.As(err, &e) || m != nil || e.Code != mcpproto.CodeParse && e.Code != mcpproto.CodeInvalidRequest {
				t.Fatalf("odd refusal: %v %v", m, err)
			}
			if !json.Valid(data) && e.Code == mcpproto.CodeInvalidRequest {
				t.Fatalf("called legal JSON: %q", data)
			}
			if !e.ID.IsZero() && !json.Valid(e.ID.Raw()) {
				t.Fatalf("id is not JSON: %q", e.ID)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted what is not JSON: %q", data)
		}
		again := mcpproto.AppendRequest(nil, m.ID, m.Method, m.Params.Raw())
		if m.Kind != mcpproto.Request || m.Params.Malformed() {
			return
		}
		m2, err := mcpproto.Decode(again)
		if err != nil || m2.ID != m.ID || m2.Method != m.Method || !bytes.Equal(m2.Params.Raw(), m.Params.Raw()) {
			t.Fatalf("decode(encode(m)) differs: %s: %v", again, err)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"gate","arguments":{"command":"git status --short","cwd":"/home/dev/project"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"0"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}`)
	b.ReportAllocs()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := mcpproto.Decode(line); err != nil {
			b.Fatal(err)
		}
	}
}
