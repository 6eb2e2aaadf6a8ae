package mockp0_test

import (
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestReadmeShowsTheExample: the snippet of the README is the body of Example, without its indentation.
func TestReadmeShowsTheExample(t *testing.T) {
	is := is.New(t)
	readme, err := os.ReadFile("README.md")
	is.NoErr(err)
	source, err := os.ReadFile("example_test.go")
	is.NoErr(err)
	_, snippet, ok := strings.Cut(string(readme), "```go\n")
	is.True(ok)
	snippet, _, ok = strings.Cut(snippet, "```")
	is.True(ok)
	lines := strings.Split(strings.TrimSpace(snippet), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix("\t"+l, "\t")
	}
	is.True(strings.Contains(string(source), strings.Join(lines, "\n"))) // copy the example into the README
	is.True(len(lines) > 5)
}
