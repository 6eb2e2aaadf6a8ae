package mcpserver_test

import (
	"context"
	"math"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// TestDeclarationsThatJSONCannotSay are refused when they are made, not when they are listed.
func TestDeclarationsThatJSONCannotSay(t *testing.T) {
	read := func(context.Context, *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
		return &mcpproto.ReadResult{}, nil
	}
	nan, high := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		claim string
		a     *mcpproto.Annotations
		meta  string
		fails bool
	}{
		{"nothing", nil, "", false},
		{"annotations", &mcpproto.Annotations{Audience: []string{"\xff"}, LastModified: "x"}, `{"a":1}`, false},
		{"no number as priority", &mcpproto.Annotations{Priority: &nan}, "", true},
		{"no finite priority", &mcpproto.Annotations{Priority: &high}, "", true},
		{"broken meta", nil, `{"a":`, true},
		{"meta with a repeated name", nil, `{"a":1,"a":2}`, true},
		{"meta that is no object", nil, `[]`, true},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			s := mcpserver.New(mcpproto.Implementation{Name: "t"}, nil)
			r := mcpproto.Resource{URI: "x:y", Name: "\xff", Annotations: c.a, Icons: []mcpproto.Icon{{Src: "\xff"}}}
			p := mcpproto.ResourceTemplate{URITemplate: "x:{y}", Name: "n", Annotations: c.a}
			if c.meta != "" {
				r.Meta, p.Meta = []byte(c.meta), []byte(c.meta)
			}
			is.Equal(s.AddResource(r, read) != nil, c.fails)
			is.Equal(s.AddResourceTemplate(p, read) != nil, c.fails)
			if _, err := mcpproto.Marshal(r); err != nil {
				is.True(c.fails) // whatever is taken can be listed
			}
		})
	}
}
