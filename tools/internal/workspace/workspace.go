// Package workspace knows the modules of this repository and runs the go command on them.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Prefix is what the paths of all modules begin with.
const Prefix = "github.com/phocinae/phocinae-go/"

// Module is one module of the workspace.
type Module struct {
	Name     string        // folder below the root, such as "gatecore"
	Dir      string        // absolute path
	File     *modfile.File // its go.mod
	Siblings []string      // names of workspace modules that it requires, sorted
}

// Modules reads go.work and every go.mod below root. Modules come in an order in which each stands after those it requires.
func Modules(root string) ([]Module, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	var all []Module
	for _, use := range work.Use {
		m, err := read(root, filepath.Clean(use.Path))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return order(all)
}

func read(root, name string) (Module, error) {
	m := Module{Name: name, Dir: filepath.Join(root, name)}
	data, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
	if err != nil {
		return m, fmt.Errorf("workspace: %w", err)
	}
	if m.File, err = modfile.Parse(name+"/go.mod", data, nil); err != nil {
		return m, fmt.Errorf("workspace: %w", err)
	}
	if want := Prefix + name; m.File.Module.Mod.Path != want {
		return m, fmt.Errorf("workspace: %s/go.mod names module %s, want %s", name, m.File.Module.Mod.Path, want)
	}
	for _, r := range m.File.Require {
		if sibling, ok := strings.CutPrefix(r.Mod.Path, Prefix); ok {
			m.Siblings = append(m.Siblings, sibling)
		}
	}
	slices.Sort(m.Siblings)
	return m, nil
}

// order sorts by requirement, so that a library stands before what is built from it.
func order(all []Module) ([]Module, error) {
	slices.SortFunc(all, func(a, b Module) int { return strings.Compare(a.Name, b.Name) })
	var sorted []Module
	placed := map[string]bool{}
	for len(sorted) < len(all) {
		before := len(sorted)
		for _, m := range all {
			if placed[m.Name] || slices.ContainsFunc(m.Siblings, func(s string) bool { return !placed[s] }) {
				continue
			}
			placed[m.Name] = true
			sorted = append(sorted, m)
		}
		if len(sorted) == before {
			return nil, errors.New("workspace: the modules require each other in a circle, or a module that go.work does not list")
		}
	}
	return sorted, nil
}

// CopyTo copies the folder of m and of every sibling it replaces below dst, side by side as they stand in the repository,
// and returns where m came to lie.
func (m Module) CopyTo(dst string) (string, error) {
	for _, name := range append([]string{m.Name}, m.Siblings...) {
		from := filepath.Join(filepath.Dir(m.Dir), name)
		if err := os.CopyFS(filepath.Join(dst, name), os.DirFS(from)); err != nil {
			return "", fmt.Errorf("workspace: copy %s: %w", name, err)
		}
	}
	return filepath.Join(dst, m.Name), nil
}

// Command is one program run in one folder.
type Command struct {
	Dir string
	Env []string  // added to the environment; the last of a name wins
	Out io.Writer // gets standard output and error; nil collects them for the error
}

// Run starts name and waits. The error holds what the program printed, unless Out was given.
func (c Command) Run(ctx context.Context, name string, args ...string) error {
	var kept strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdout, cmd.Stderr = &kept, &kept
	if c.Out != nil {
		cmd.Stdout, cmd.Stderr = c.Out, c.Out
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s in %s: %w\n%s", name, strings.Join(args, " "), c.Dir, err, kept.String())
	}
	return nil
}

// Output starts name, waits and returns its standard output; the error holds its standard error.
func (c Command) Output(ctx context.Context, name string, args ...string) (string, error) {
	var errText strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stderr = &errText
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s in %s: %w\n%s", name, strings.Join(args, " "), c.Dir, err, errText.String())
	}
	return string(out), nil
}
