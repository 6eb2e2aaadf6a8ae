package gatecore_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/gatecore"
)

// TestExplanationShowsPartsOnce reads commands whose text is looked at in more than one way and expects every part once below
// the same part.
func TestExplanationShowsPartsOnce(t *testing.T) {
	is := is.New(t)
	e, err := gatecore.New(nil)
	is.NoErr(err)
	for _, c := range []string{
		`sudo bash -c "rm -rf /"`, "sudo sh -c 'git push --force'", "vagrant ssh -c 'rm -rf /'", "docker exec web sh -c 'rm -rf /'", "flatpak run --command=sh org.x -c 'rm -rf ~'",
	} {
		root := e.Explain(c, corpusPlace)
		parts := 0
		var walk func(p *gatecore.Part)
		walk = func(p *gatecore.Part) {
			seen := map[string]bool{}
			for _, k := range p.Children {
				parts++
				key := fmt.Sprint(k.Kind, k.Start, k.End, k.Words, k.Reading)
				if seen[key] {
					t.Errorf("%q: %s %q stands twice", c, k.Kind, k.Text)
				}
				seen[key] = true
				walk(k)
			}
		}
		walk(&gatecore.Part{Children: root.Parts})
		is.True(parts > 0) // the command is explained
	}
}
