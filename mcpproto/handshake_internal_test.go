package mcpproto

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"
)

func TestAppendCapabilitiesIsMarshal(t *testing.T) {
	lists := []*ListCapability{nil, {}, {ListChanged: true}}
	resources := []*ResourcesCapability{nil, {}, {Subscribe: true}, {ListChanged: true}, {Subscribe: true, ListChanged: true}}
	marks := []*struct{}{nil, {}}
	more := []map[string]jsontext.Value{nil, {}, {"x": jsontext.Value(`{}`)}, {"x": jsontext.Value(`{`)}}
	for _, tools := range lists {
		for _, r := range resources {
			for _, prompts := range lists {
				for _, completions := range marks {
					for _, logging := range marks {
						for _, m := range more {
							c := ServerCapabilities{tools, r, prompts, completions, logging, m, m}
							want, wantErr := Marshal(c)
							got, err := AppendCapabilities([]byte("before"), &c)
							is := is.New(t)
							is.Equal(err != nil, wantErr != nil)
							if err == nil {
								is.Equal(string(got), "before"+string(want))
							}
						}
					}
				}
			}
		}
	}
}

// sameImplementation holds writing and reading to the general way.
func sameImplementation(t *testing.T, i Implementation) {
	t.Helper()
	is := is.New(t)
	want, err := Marshal(i)
	is.NoErr(err)
	got, err := AppendImplementation([]byte("before"), &i)
	is.NoErr(err)
	is.Equal(string(got), "before"+string(want))
	sameReading(t, want)
}

func sameReading(t *testing.T, raw jsontext.Value) {
	t.Helper()
	is := is.New(t)
	var want Implementation
	wantErr := json.Unmarshal(raw, &want)
	got, e := ParseImplementation(raw)
	is.Equal(e != nil, wantErr != nil || !isObject(raw))
	if e == nil {
		is.Equal(got, want)
	}
}

func TestImplementationIsReadAndWrittenAsByReflection(t *testing.T) {
	for _, s := range []string{"", "x", "\"\\\n", "\u2028\u0085", "\xff"} {
		sameImplementation(t, Implementation{Name: s})
		sameImplementation(t, Implementation{Version: s, Title: s})
		sameImplementation(t, Implementation{Name: "n", Version: "1", Description: s, WebsiteURL: s})
		sameImplementation(t, Implementation{Name: s, Version: s, Icons: []Icon{{Src: s}}})
	}
	for _, raw := range []string{
		`{}`, `{"name":"a","version":"1"}`, `{"name":1}`, `{"name":null}`, `{"Name":"a"}`, `{"name":"a","name":"b"}`, `{"name":"a","extra":{"name":"b"}}`,
		`{"icons":[{"src":"x"}]}`, `[]`, `"x"`, `null`, `{"name":"\u0041\ud83d\ude80"}`, `{"name":"\ud800"}`, `{"n\u0061me":"a"}`, ` { "name" : "a" } `,
		`{"name":"a"} x`, `{"name":"a"`, `{"name"}`, `{"name":"a",}`, "",
	} {
		sameReading(t, jsontext.Value(raw))
	}
}

func FuzzImplementation(f *testing.F) {
	f.Add([]byte(`{"name":"a","version":"1","title":"t"}`), "a")
	f.Fuzz(func(t *testing.T, raw []byte, s string) {
		sameReading(t, raw)
		sameImplementation(t, Implementation{Name: s, Title: s, Version: s})
	})
}
