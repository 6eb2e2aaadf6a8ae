package cli

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestNameTrouble: under another name the entries written today would not be found tomorrow.
func TestNameTrouble(t *testing.T) {
	for _, tt := range []struct{ claim, exe, says string }{
		{"the usual name", "/usr/local/bin/phocinae-mcp", ""},
		{"Windows", `/c/tools/Phocinae-MCP.EXE`, ""},
		{"another name", "/usr/local/bin/gate", "named gate"},
		{"a name with more to it", "/opt/phocinae-mcp_linux_amd64", "named phocinae-mcp_linux_amd64"},
		{"started by go run", "/tmp/go-build123/b001/exe/phocinae-mcp", "go run"},
		{"unknown", "", ""},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			got := nameTrouble(tt.exe)
			is.Equal(got == "", tt.says == "")
			is.True(strings.Contains(got, tt.says))
		})
	}
}
