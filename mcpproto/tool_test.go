package mcpproto_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

func TestToolFor(t *testing.T) {
	is := is.New(t)
	yes := true
	tool := mcpproto.Tool{
		Name: "n", Title: "T", Description: "d", InputSchema: jsontext.Value(`{"type":"object"}`),
		OutputSchema: jsontext.Value(`{"type":"array"}`), Annotations: &mcpproto.ToolAnnotations{ReadOnlyHint: &yes},
		Icons: []mcpproto.Icon{{Src: "u:i"}}, Meta: jsontext.Value(`{}`),
	}
	want := map[mcpproto.Version]string{
		mcpproto.Version20241105: `{"name":"n","description":"d","inputSchema":{"type":"object"}}`,
		mcpproto.Version20250326: `{"name":"n","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`,
		mcpproto.Version20250618: `{"name":"n","title":"T","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{}}`,
		mcpproto.Version20251125: `{"name":"n","title":"T","description":"d","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[{"src":"u:i"}],"_meta":{}}`,
		mcpproto.Version20260728: `{"name":"n","title":"T","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"array"},"annotations":{"readOnlyHint":true},"icons":[{"src":"u:i"}],"_meta":{}}`,
	}
	for v, w := range want {
		got, err := mcpproto.Marshal(tool.For(v))
		is.NoErr(err)
		is.NoErr(mcptest.CheckDefinition(v, "Tool", got))
		is.Equal(string(got), w)
	}
}

// The schemas true and false are for clients of 2026-07-28; the others get the same said with objects.
func TestToolForSpellsBooleanSchemas(t *testing.T) {
	const boolean = `{"type":"object","properties":{"a":true,"b":false,"properties":{"type":"object","properties":{"c":true}}},"additionalProperties":false}`
	const objects = `{"type":"object","properties":{"a":{},"b":{"not":{}},"properties":{"type":"object","properties":{"c":true}}},"additionalProperties":false}`
	for _, v := range mcptest.Revisions() {
		t.Run(v.String(), func(t *testing.T) {
			is := is.New(t)
			tool := mcpproto.Tool{Name: "n", InputSchema: jsontext.Value(boolean), OutputSchema: jsontext.Value(boolean)}.For(v)
			want := objects
			if v.Era() == mcpproto.Modern {
				want = boolean
			}
			is.Equal(string(tool.InputSchema), want)
			if v.HasStructured() {
				is.Equal(string(tool.OutputSchema), want)
			}
			got, err := mcpproto.Marshal(tool)
			is.NoErr(err)
			is.NoErr(mcptest.CheckDefinition(v, "Tool", got))
		})
	}
}

// What a client sent can be sent on.
func TestANullMetaIsNone(t *testing.T) {
	is := is.New(t)
	var m mcpproto.SamplingMessage
	is.NoErr(mcpproto.Unmarshal([]byte(`{"role":"user","_meta":null,"content":[{"type":"text","text":"a","_meta":null},{"type":"resource","resource":{"uri":"a:b","text":"","_meta":null}}]}`), &m))
	got, err := mcpproto.Marshal(m)
	is.NoErr(err)
	is.Equal(string(got), `{"role":"user","content":[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"a:b","text":""}}]}`)
}
