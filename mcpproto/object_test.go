package mcpproto_test

import (
	"math"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
)

type reflected struct {
	Name  string          `json:"name"`
	N     int             `json:"n"`
	F     float64         `json:"f"`
	Items []reflectedItem `json:"items"`
}

type reflectedItem struct {
	Text string `json:"text"`
}

// sameAsMarshal holds Object to the bytes of Marshal.
func sameAsMarshal(t *testing.T, name string, n int, f float64, first, second string) {
	t.Helper()
	is := is.New(t)
	want, err := mcpproto.Marshal(&reflected{name, n, f, []reflectedItem{{first}, {second}}})
	o := mcpproto.NewObject(nil)
	o.String("name", name)
	o.Int("n", n)
	o.Float("f", f)
	o.List("items", 2, func(i int, o *mcpproto.Object) { o.String("text", []string{first, second}[i]) })
	got, _, failed := o.Result()
	is.Equal(failed != nil, err != nil)
	if err != nil {
		return
	}
	is.Equal(string(got.Structured), string(want))
	is.Equal(got.Content[0].Text, string(want))
}

func TestObjectIsWhatMarshalWrites(t *testing.T) {
	for c := range 0x300 {
		sameAsMarshal(t, string(rune(c)), c, float64(c)/7, string([]byte{byte(c)}), "x")
	}
	for _, s := range []string{"", `"\/`, "\u2028\u2029\u0085\ufeff\ufffd\U0010ffff", "\xff\xc0\x80\xed\xa0\x80", "a\tb\nc\rd\be\f\x00\x7f", "<&>'", "\x7f\\u007f\\\x7f"} {
		sameAsMarshal(t, s, -1, 1e21, s+s, s)
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 0.65, 1e-7, 123456789012345680000, math.MaxFloat64, math.SmallestNonzeroFloat64, math.NaN(), math.Inf(1), math.Inf(-1)} {
		sameAsMarshal(t, "f", 0, f, "", "")
	}
}

func FuzzObject(f *testing.F) {
	f.Add("a", 1, 0.5, "b", "c")
	f.Add("\u2028", -1, 1e300, "\xff", "\x7f")
	f.Fuzz(sameAsMarshal)
}

func TestObjectEdges(t *testing.T) {
	is := is.New(t)
	var zero mcpproto.Object
	r, _, err := zero.Result()
	is.NoErr(err)
	is.Equal(string(r.Structured), "{}")

	o := mcpproto.NewObject([]byte("old contents"))
	o.List("none", 0, nil)
	o.List("nested", 1, func(_ int, o *mcpproto.Object) {
		o.List("inner", 2, func(i int, o *mcpproto.Object) { o.Int("i", i) })
		o.Int("after", 1)
	})
	r, buf, err := o.Result()
	is.NoErr(err)
	is.Equal(string(r.Structured), `{"none":[],"nested":[{"inner":[{"i":0},{"i":1}],"after":1}]}`)
	for i := range buf { // the next object's: it must not reach into the result
		buf[i] = 'x'
	}
	is.Equal(r.Content[0].Text, string(r.Structured))
	is.True(r.Structured.IsValid())
}

// TestResultThatWasChangedIsReadAgain: only what Object wrote goes out unread.
func TestResultThatWasChangedIsReadAgain(t *testing.T) {
	is := is.New(t)
	st := mcpproto.Stamp{Version: mcpproto.LatestLegacy}
	made := func() *mcpproto.ToolResult {
		o := mcpproto.NewObject(nil)
		o.Int("a", 1)
		r, _, err := o.Result()
		is.NoErr(err)
		return r
	}
	b, err := st.AppendTool(nil, made())
	is.NoErr(err)
	is.Equal(string(b), `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`)

	changed := made()
	changed.Structured = jsontext.Value(`{"b": 2}`)
	b, err = st.AppendTool(nil, changed)
	is.NoErr(err)
	is.Equal(string(b), `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"b":2}}`)

	changed.Structured = jsontext.Value(`{"b":`)
	_, err = st.AppendTool(nil, changed)
	is.True(err != nil)
}
