package schemacheck_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
)

func TestViolations(t *testing.T) {
	const text = `{"type":"object","properties":{"a":{"type":"integer","minimum":1},"b":{"type":"string"}},"required":["a"],"additionalProperties":false}`
	for _, tt := range []struct {
		claim, value string
		want         []string // places
	}{
		{"a good value breaks nothing", `{"a":1,"b":"x"}`, nil},
		{"every breach is named, by place", `{"b":1,"a":0}`, []string{"/a", "/b"}},
		{"what is missing is a breach of the whole", `{}`, []string{""}},
		{"what is unknown too", `{"a":1,"c":1}`, []string{""}},
		{"a fraction is no integer", `{"a":1.5}`, []string{"/a"}},
		{"broken JSON is a breach", `{`, []string{""}},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			s, err := schemacheck.Compile([]byte(text))
			is.NoErr(err)
			list, err := s.Violations([]byte(tt.value))
			is.NoErr(err)
			var got []string
			for _, v := range list {
				is.True(v.Problem != "")
				got = append(got, v.Pointer)
			}
			is.Equal(got, tt.want)
		})
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, tt := range []struct{ claim, text string }{
		{"broken JSON", `{`},
		{"a keyword of the wrong kind", `{"type":"objekt"}`},
		{"a reference that would be fetched", `{"$ref":"http://example.com/x"}`},
		{"a reference to a file", `{"$ref":"file:///etc/passwd"}`},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			s, err := schemacheck.Compile([]byte(tt.text))
			is.True(err != nil)
			is.Equal(s, mcpserver.Schema(nil))
		})
	}
}

func BenchmarkViolations(b *testing.B) {
	s, err := schemacheck.Compile([]byte(`{"type":"object","properties":{"command":{"type":"string"},"cwd":{"type":"string"}},"required":["command"]}`))
	if err != nil {
		b.Fatal(err)
	}
	value := []byte(`{"command":"git status","cwd":"/home/dev/app"}`)
	b.ReportAllocs()
	for b.Loop() {
		if list, err := s.Violations(value); list != nil || err != nil {
			b.Fatal(list, err)
		}
	}
}
