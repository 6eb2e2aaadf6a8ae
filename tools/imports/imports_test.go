package imports_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

// rule is one row of the design's import table.
type rule struct {
	packages string            // pattern below the module
	modules  []string          // modules outside the standard library that its packages may be built from
	direct   map[string]string // standard packages it must not import itself, with the reason
}

const (
	p       = workspace.Prefix
	gojson  = "github.com/go-json-experiment/json"
	schema  = "github.com/santhosh-tekuri/jsonschema/v6"
	xtext   = "golang.org/x/text" // what jsonschema is built from
	kong    = "github.com/alecthomas/kong"
	xtime   = "golang.org/x/time"
	xsync   = "golang.org/x/sync"
	mvdansh = "mvdan.cc/sh/v3"
	hujson  = "github.com/tailscale/hujson" // edits hosts' JSONC files with their comments kept
)

var table = map[string][]rule{
	"mcpproto": {
		{packages: ".", modules: []string{gojson}, direct: map[string]string{
			"net":      "the rules of the protocol do no I/O",
			"net/http": "the rules of the protocol do no I/O",
			"os":       "the rules of the protocol do no I/O",
		}},
		{packages: "./...", modules: []string{gojson, schema, xtext}},
	},
	"p0client": {{packages: "./...", modules: []string{gojson, xtime, xsync}}},
	"gatecore": {{packages: "./...", modules: []string{mvdansh}, direct: map[string]string{
		"net/http": "a judgement looks nothing up",
		"os/exec":  "a judgement runs nothing",
	}}},
	"mockp0": {{packages: "./..."}},
	"phocinae-mcp": {{packages: "./...", modules: []string{
		p + "mcpproto", p + "p0client", p + "gatecore", p + "mockp0", kong, schema, gojson, xtext, xtime, xsync, mvdansh, hujson,
	}}},
}

// TestImportTable fails when a module is built from something that the design does not give it.
func TestImportTable(t *testing.T) {
	modules := load(t)
	for name, rules := range table {
		for _, r := range rules {
			t.Run(name+" "+r.packages, func(t *testing.T) {
				is := is.New(t)
				for _, dep := range list(t, modules[name].Dir, "{{if not .Standard}}{{.Module.Path}}{{end}}", "-deps", r.packages) {
					allowed := dep == p+name || slices.Contains(r.modules, dep)
					is.True(allowed) // a module that the table does not list: see the log
					if !allowed {
						t.Logf("%s is built from %s", name, dep)
					}
				}
				for _, row := range list(t, modules[name].Dir, `{{.ImportPath}} {{join .Imports " "}}`, r.packages) {
					fields := strings.Fields(row)
					for _, imported := range fields[1:] {
						if why, ok := r.direct[imported]; ok {
							t.Errorf("%s imports %s: %s", fields[0], imported, why)
						}
					}
				}
			})
		}
	}
}

// TestLibrariesHaveNoSiblings fails when a library, its tests included, is built from another module of the workspace.
func TestLibrariesHaveNoSiblings(t *testing.T) {
	modules := load(t)
	for _, name := range []string{"gatecore", "mcpproto", "mockp0", "p0client"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(len(modules[name].Siblings), 0) // its go.mod requires no sibling
			for _, dep := range list(t, modules[name].Dir, "{{if not .Standard}}{{.Module.Path}}{{end}}", "-deps", "-test", "./...") {
				is.True(dep == p+name || !strings.HasPrefix(dep, p)) // a sibling in the dependency graph of the tests
			}
		})
	}
}

// TestNobodyImportsTools fails when a module requires the development programs.
func TestNobodyImportsTools(t *testing.T) {
	is := is.New(t)
	for name, m := range load(t) {
		is.True(!slices.Contains(m.Siblings, "tools")) // a module requires tools
		_ = name
	}
}

// TestInternalStaysInternal fails when a package reaches into another module's internal folder; the compiler allows that
// between modules whose paths share a parent.
func TestInternalStaysInternal(t *testing.T) {
	for name, m := range load(t) {
		for _, row := range list(t, m.Dir, `{{.ImportPath}} {{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}`, "./...") {
			fields := strings.Fields(row)
			for _, imported := range fields[1:] {
				if strings.HasPrefix(imported, p) && strings.Contains(imported, "/internal/") && !strings.HasPrefix(imported, p+name+"/") {
					t.Errorf("%s imports %s", fields[0], imported)
				}
			}
		}
	}
}

func load(t *testing.T) map[string]workspace.Module {
	t.Helper()
	is := is.New(t)
	all, err := workspace.Modules("../..")
	if err != nil {
		t.Skipf("the whole workspace is needed, and this is a copy of one module: %v", err)
	}
	byName := map[string]workspace.Module{}
	for _, m := range all {
		byName[m.Name] = m
	}
	is.True(len(byName) == 6) // six modules
	return byName
}

// list runs go list and returns its lines, sorted and each once.
func list(t *testing.T, dir, format string, args ...string) []string {
	t.Helper()
	is := is.New(t)
	c := workspace.Command{Dir: dir, Env: []string{"GOWORK=off"}}
	out, err := c.Output(context.Background(), "go", append([]string{"list", "-f", format}, args...)...)
	is.NoErr(err) // go list
	lines := slices.DeleteFunc(strings.Split(out, "\n"), func(s string) bool { return strings.TrimSpace(s) == "" })
	slices.Sort(lines)
	return slices.Compact(lines)
}
