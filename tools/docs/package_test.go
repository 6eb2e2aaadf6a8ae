package docs_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/tools/internal/release"
)

// packaging reads a file of the program's folder; a copy that holds tools alone has none of the root's files.
func packaging(t *testing.T, name string) []byte {
	t.Helper()
	is := is.New(t)
	if _, err := os.Stat(filepath.Join("..", "..", "versions.yaml")); errors.Is(err, os.ErrNotExist) {
		t.Skip("the whole repository is needed, and this is a copy of one module")
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "phocinae-mcp", name))
	is.NoErr(err) // the packaging file
	return data
}

// TestServerJSON holds the limits that the MCP registry's schema (2025-12-11) and its publishing rules set.
func TestServerJSON(t *testing.T) {
	is := is.New(t)
	var server struct {
		Schema      string `json:"$schema"`
		Name        string
		Title       string
		Description string
		Version     string
		Repository  struct{ URL, Source, Subfolder string }
		Packages    []struct {
			RegistryType, Identifier, Version string
			Transport                         struct{ Type string }
			EnvironmentVariables              []struct {
				Name, Description, Format string
				IsSecret                  bool
			}
		}
	}
	is.NoErr(json.Unmarshal(packaging(t, "server.json"), &server))
	versions, err := release.Versions(filepath.Join("..", ".."))
	is.NoErr(err) // versions.yaml
	version := strings.TrimPrefix(versions["phocinae-mcp"], "v")

	is.True(regexp.MustCompile(`^https://static\.modelcontextprotocol\.io/schemas/\d{4}-\d\d-\d\d/server\.schema\.json$`).MatchString(server.Schema)) // names its schema
	is.True(regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(server.Name))                                                          // namespace/name
	is.True(len(server.Description) > 0 && len(server.Description) <= 100)                                                                            // the registry refuses longer ones
	is.Equal(server.Version, version)                                                                                                                 // the version in versions.yaml
	is.True(server.Repository.URL != "" && server.Repository.Source == "github")                                                                      // both are required
	is.Equal(len(server.Packages), 1)
	for _, p := range server.Packages {
		is.Equal(p.RegistryType, "go")
		is.Equal(p.Identifier, "github.com/phocinae/phocinae-go/phocinae-mcp") // the module; its owner is the name's owner
		is.Equal(p.Version, versions["phocinae-mcp"])                          // the version as Go spells it
		is.Equal(p.Transport.Type, "stdio")
		for _, v := range p.EnvironmentVariables {
			is.True(v.Description != "")                                                            // says what it is for
			is.True(slices.Contains([]string{"string", "number", "boolean", "filepath"}, v.Format)) // one of the schema's formats
			is.True(v.IsSecret == strings.Contains(v.Name, "KEY"))                                  // keys are secret
		}
	}
}

// TestPlugin holds the plugin's files together: the same version, the hook that the host's documents show.
func TestPlugin(t *testing.T) {
	is := is.New(t)
	versions, err := release.Versions(filepath.Join("..", ".."))
	if err != nil {
		t.Skip("the whole repository is needed, and this is a copy of one module")
	}
	var plugin struct{ Name, Version string }
	is.NoErr(json.Unmarshal(packaging(t, "plugin/.claude-plugin/plugin.json"), &plugin))
	is.Equal("v"+plugin.Version, versions["phocinae-mcp"]) // one version everywhere
	var hooks struct {
		Hooks map[string][]struct {
			Matcher string
			Hooks   []struct {
				Type, Command string
				Args          []string
				Timeout       int
			}
		}
	}
	is.NoErr(json.Unmarshal(packaging(t, "plugin/hooks/hooks.json"), &hooks))
	before := hooks.Hooks["PreToolUse"]
	is.Equal(len(before), 1)
	is.Equal(before[0].Matcher, "Bash|PowerShell") // every shell tool by name
	is.Equal(before[0].Hooks[0].Args, []string{"hook", "claude"})
	is.True(before[0].Hooks[0].Timeout > 8) // longer than the hook's own deadline, in seconds
	var servers struct {
		MCPServers map[string]struct{ Command string } `json:"mcpServers"`
	}
	is.NoErr(json.Unmarshal(packaging(t, "plugin/.mcp.json"), &servers))
	is.Equal(servers.MCPServers["phocinae"].Command, "phocinae-mcp")
}
