package config

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// An agent can write into the working directory. Nothing found there under a name from a variable may become the
// operator's settings, table or key.
func TestVariablesDoNotReachIntoTheWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"gate.json": `{"fail_closed":"ask"}`, "table.json": `{}`, "key": strings.Repeat("ab", 32),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for env, file := range map[string]string{
		"PHOCINAE_MCP_CONFIG": "gate.json", "PHOCINAE_GUARD_CONFIG": "gate.json", "PHOCINAE_MCP_GUARD": "table.json",
		"PHOCINAE_GUARD_PATH": "table.json", "PHOCINAE_MCP_STATE_KEY_FILE": "key", "PHOCINAE_MCP_AUDIT_KEY_FILE": "key",
	} {
		t.Run(env, func(t *testing.T) {
			is := is.New(t)
			_, err := resolve(t, map[string]string{env: file})
			is.True(err != nil) // a planted file was taken
			is.True(strings.Contains(err.Error(), env+": ") && strings.Contains(err.Error(), "is relative"))
			_, err = resolve(t, map[string]string{env: filepath.Join(dir, file)})
			is.NoErr(err) // the same file by its whole path is the operator's own choice
		})
	}
}

// Writing to what a link points to changes the table as much as writing to the link.
func TestGateFilesNameWhatLinksPointTo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	is := is.New(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	is.NoErr(err)
	real, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "table.json")
	is.NoErr(os.WriteFile(real, []byte(`{}`), 0o600))
	is.NoErr(os.Symlink(real, link))
	cfg, err := resolve(t, nil, "--guard", link)
	is.NoErr(err)
	files := cfg.GateFiles("")
	is.True(slices.Contains(files, link))
	is.True(slices.Contains(files, real))
}
