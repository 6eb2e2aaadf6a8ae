package mcpproto_test

import (
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestReadmeShowsTheExample holds the snippet of README.md to the body of the Example that the tests run.
func TestReadmeShowsTheExample(t *testing.T) {
	is := is.New(t)
	src, err := os.ReadFile("stdio/example_test.go")
	is.NoErr(err)
	readme, err := os.ReadFile("README.md")
	is.NoErr(err)
	_, body, found := strings.Cut(string(src), "func Example() {\n")
	is.True(found)
	body, _, found = strings.Cut(body, "\tin := strings.NewReader")
	is.True(found)
	var lines []string
	for line := range strings.Lines(body) {
		lines = append(lines, strings.TrimPrefix(line, "\t"))
	}
	is.True(strings.Contains(string(readme), strings.Join(lines, ""))) // the snippet is the example
	is.True(len(lines) < 20)                                           // a server with one tool stays short
}
