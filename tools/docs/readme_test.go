package docs_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/tools/internal/product"
)

// block is one command of a console block and the output that the document shows for it.
type block struct {
	command string
	output  []string
}

// TestReadmeCommands runs every command that README.md and README.zh.md show in a console block. "..." stands for
// anything within a line.
func TestReadmeCommands(t *testing.T) {
	is := is.New(t)
	bin := t.TempDir()
	_, err := product.Build(t.Context(), bin)
	is.NoErr(err) // the program builds
	for _, name := range []string{"README.md", "README.zh.md"} {
		data, err := os.ReadFile(filepath.Join("..", "..", name))
		if errors.Is(err, os.ErrNotExist) {
			t.Skip("the whole repository is needed, and this is a copy of one module")
		}
		is.NoErr(err)
		blocks := consoleBlocks(string(data))
		is.True(len(blocks) > 0) // the document shows commands
		for _, b := range blocks {
			t.Run(name+" "+b.command, func(t *testing.T) {
				is := is.New(t)
				home := t.TempDir()
				cmd := exec.CommandContext(t.Context(), "sh", "-c", b.command)
				cmd.Dir = home
				cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
					"HOME="+home, "XDG_STATE_HOME="+home+"/state", "XDG_CONFIG_HOME="+home+"/config", "NO_COLOR=1")
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				is.True(err == nil || errors.As(err, &exit)) // the command runs
				if want := pattern(b.output); !want.Match(out) {
					t.Errorf("the document shows:\n%s\n\nthe program says:\n%s", strings.Join(b.output, "\n"), out)
				}
			})
		}
	}
}

func consoleBlocks(text string) []block {
	var blocks []block
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "```console":
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && strings.HasPrefix(line, "$ "):
			blocks = append(blocks, block{command: line[2:]})
		case inside && len(blocks) > 0:
			last := &blocks[len(blocks)-1]
			last.output = append(last.output, line)
		}
	}
	return blocks
}

// pattern matches the shown lines in order; "..." is anything, a line that begins with it may stand for several.
func pattern(lines []string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s)^`)
	for _, line := range lines {
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, `.*`) + `\s*`)
	}
	b.WriteString(`$`)
	return regexp.MustCompile(b.String())
}
