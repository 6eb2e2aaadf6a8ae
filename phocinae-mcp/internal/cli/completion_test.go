package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// asBash calls the completion function as bash does: the words typed so far, the last one being completed.
const asBash = `. "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_phocinae_mcp
printf '%s\n' "${COMPREPLY[@]}"`

// asZsh does the same under the options that zsh's bashcompinit sets before it calls a function made for bash.
const asZsh = `compdef() { : }
. "$1"; shift
f() {
  emulate -L sh; setopt kshglob noshglob braceexpand ksharrays
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
  _phocinae_mcp
  printf '%s\n' "${COMPREPLY[@]}"
}
f "$@"`

// asFish asks fish itself; a tab stands before each description.
const asFish = `source $argv[1]; complete -C "$argv[2..]"`

// TestCompletionInShells runs each script in its shell, where that is installed. Only the shell can tell whether it
// reads the script: bash takes an expression as the length of a slice, zsh does not.
func TestCompletionInShells(t *testing.T) {
	shells := []struct {
		name   string
		driver []string
	}{
		{"bash", []string{"--norc", "-c", asBash, "bash"}},
		{"zsh", []string{"-f", "-c", asZsh, "zsh"}},
		{"fish", []string{"--no-config", "-c", asFish}},
	}
	cases := []struct {
		claim string
		typed []string
		want  []string // all of these
		not   []string // none of these
	}{
		{"a command by its first letters", []string{"a"}, []string{"audit"}, []string{"verify"}},
		{"the subcommands of audit", []string{"audit", ""}, []string{"verify", "tail", "stats", "report"}, []string{"doctor", "claude"}},
		{"hook offers hosts that have hooks", []string{"hook", "c"}, []string{"claude", "codex", "copilot", "cursor"}, []string{"cline"}},
		{"install offers every host", []string{"install", ""}, []string{"claude", "vscode", "goose"}, []string{"verify"}},
		{"the values of a choice", []string{"--transport", ""}, []string{"http", "stdio"}, []string{"serve"}},
		{"a command's own flags", []string{"gate", "--c"}, []string{"--cwd", "--confirm"}, []string{"--pruned"}},
	}
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			is := is.New(t)
			shell, err := exec.LookPath(s.name)
			if err != nil {
				t.Skip(s.name + " is not installed")
			}
			script := filepath.Join(t.TempDir(), "completion")
			completionScript(t, s.name, script)
			for _, c := range cases {
				t.Run(c.claim, func(t *testing.T) {
					is := is.New(t)
					typed := append([]string{"phocinae-mcp"}, c.typed...)
					var stderr bytes.Buffer
					cmd := exec.Command(shell, slices.Concat(s.driver, []string{script}, typed)...)
					cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
					cmd.Stderr = &stderr
					out, err := cmd.Output()
					is.NoErr(err)
					is.Equal(stderr.String(), "") // a shell that cannot read the script says so here
					var offered []string
					for line := range strings.Lines(string(out)) {
						word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
						offered = append(offered, word)
					}
					for _, w := range c.want {
						is.True(slices.Contains(offered, w)) // offered
					}
					for _, w := range c.not {
						is.True(!slices.Contains(offered, w)) // not offered
					}
				})
			}
		})
	}
}

// completionScript writes what the command prints for a shell to path.
func completionScript(t *testing.T, shell, path string) {
	t.Helper()
	is := is.New(t)
	exited := false
	parser, err := newParser(&commandLine{}, &bytes.Buffer{}, &exited)
	is.NoErr(err)
	out, err := os.Create(path)
	is.NoErr(err)
	is.NoErr((&completionCommand{Shell: shell}).Run(&Process{Out: out}, parser))
	is.NoErr(out.Close())
}
