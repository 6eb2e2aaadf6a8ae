package config

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the configuration tables of the READMEs")

const (
	begin = "<!-- configuration: generated from the command line's model; do not edit by hand -->\n"
	end   = "<!-- end of configuration -->"
)

// The tables in the documents are the ones the program was built with. The READMEs of the whole repository are looked at
// where they are there and have been filled.
func TestReadmeTablesAreGenerated(t *testing.T) {
	for _, path := range []string{"../../README.md", "../../../README.md", "../../../README.zh.md"} {
		data, err := os.ReadFile(path)
		if err != nil && path != "../../README.md" {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		head, rest, ok := strings.Cut(string(data), begin)
		old, tail, closed := strings.Cut(rest, end)
		if !ok || !closed {
			continue
		}
		want := "\n" + Markdown() + "\n"
		switch {
		case old == want, old == "" && path != "../../README.md" && !*update:
		case *update:
			if err := os.WriteFile(path, []byte(head+begin+want+end+tail), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s differs from the model; run go test ./internal/config -update", path)
		}
	}
}
