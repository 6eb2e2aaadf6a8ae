package mcpproto_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestImports holds the packages to what they may depend on.
func TestImports(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	const self = "github.com/phocinae/phocinae-go/mcpproto"
	for _, tt := range []struct {
		pkg     string
		allowed []string // module paths besides the standard library and this module
		never   []string // direct imports that would be I/O
	}{
		{".", []string{"github.com/go-json-experiment/json"}, []string{"os", "net", "net/http", "io/fs", "os/exec"}},
		{"./mcpserver", []string{"github.com/go-json-experiment/json"}, []string{"net", "net/http", "os/exec"}},
		{"./stdio", []string{"github.com/go-json-experiment/json"}, []string{"net", "net/http", "os/exec"}},
		{"./streamhttp", []string{"github.com/go-json-experiment/json"}, []string{"os/exec"}},
	} {
		t.Run(tt.pkg, func(t *testing.T) {
			is := is.New(t)
			for _, dep := range goList(t, "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", tt.pkg) {
				ok := strings.HasPrefix(dep, self) || slices.ContainsFunc(tt.allowed, func(a string) bool {
					return dep == a || strings.HasPrefix(dep, a+"/")
				})
				if !ok {
					t.Errorf("%s depends on %s", tt.pkg, dep)
				}
			}
			for _, direct := range goList(t, "-f", `{{join .Imports "\n"}}`, tt.pkg) {
				is.True(!slices.Contains(tt.never, direct)) // no I/O of its own
			}
		})
	}
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}
