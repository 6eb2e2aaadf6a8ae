// Package release knows what a published module looks like: its version, its go.mod without replace lines, its files in a
// module proxy.
package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	modzip "golang.org/x/mod/zip"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

// Versions reads versions.yaml below root: one "name: vX.Y.Z" a line, comments with #. Every problem is reported.
func Versions(root string) (map[string]string, error) {
	path := filepath.Join(root, "versions.yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	var problems []error
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, version, _ := strings.Cut(line, ":")
		version = strings.TrimSpace(version)
		switch {
		case semver.Canonical(version) != version || version == "":
			problems = append(problems, fmt.Errorf("versions.yaml:%d: %q is not a version such as v0.1.0", n, version))
		case versions[name] != "":
			problems = append(problems, fmt.Errorf("versions.yaml:%d: %s stands twice", n, name))
		default:
			versions[name] = version
		}
	}
	return versions, errors.Join(problems...)
}

// Proxy is a module proxy in a folder, as GOPROXY=file://DIR reads it.
type Proxy struct {
	Dir  string
	Time time.Time // stands in every .info file
}

// Env is the environment in which the go command finds modules in the proxy first, in what the machine has already
// downloaded next, and then where it always looks. The modules of the proxy are asked of no checksum database.
func (p Proxy) Env(ctx context.Context, scratch string) ([]string, error) {
	out, err := workspace.Command{Dir: p.Dir}.Output(ctx, "go", "env", "GOPROXY", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 {
		return nil, fmt.Errorf("go env: %q", out)
	}
	cache := filepath.Join(lines[1], "cache", "download")
	return []string{
		"GOPROXY=file://" + p.Dir + ",file://" + cache + "," + lines[0],
		"GONOSUMDB=" + strings.TrimSuffix(workspace.Prefix, "/") + "/*",
		"GOMODCACHE=" + filepath.Join(scratch, "mod"),
		"GOBIN=" + filepath.Join(scratch, "bin"),
		"GOWORK=off",
		"GOFLAGS=-modcacherw",
	}, nil
}

// Stage copies m below scratch as its tagged commit would hold it: no replace lines, siblings required at versions, and
// go.sum completed from the proxy. It returns the folder.
func Stage(ctx context.Context, m workspace.Module, versions map[string]string, p Proxy, scratch string) (string, error) {
	dir := filepath.Join(scratch, "stage", m.Name)
	if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	published, err := Published(data, versions)
	if err != nil {
		return "", fmt.Errorf("%s/go.mod: %w", m.Name, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), published, 0o600); err != nil {
		return "", err
	}
	if len(m.Siblings) == 0 {
		return dir, nil
	}
	env, err := p.Env(ctx, scratch)
	if err != nil {
		return "", err
	}
	return dir, workspace.Command{Dir: dir, Env: env}.Run(ctx, "go", "mod", "tidy")
}

// Published returns the go.mod that a tag carries: siblings at their published versions, no replace lines.
func Published(gomod []byte, versions map[string]string) ([]byte, error) {
	f, err := modfile.Parse("go.mod", gomod, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range f.Require {
		sibling, ok := strings.CutPrefix(r.Mod.Path, workspace.Prefix)
		if !ok {
			continue
		}
		version := versions[sibling]
		if version == "" {
			return nil, fmt.Errorf("requires %s, which versions.yaml does not name", sibling)
		}
		if err := f.AddRequire(r.Mod.Path, version); err != nil {
			return nil, err
		}
	}
	for _, r := range append([]*modfile.Replace(nil), f.Replace...) {
		if err := f.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return nil, err
		}
	}
	f.Cleanup()
	return f.Format()
}

// Add packs the folder dir as version of module name into the proxy, by the rules of golang.org/x/mod/zip (the ones every
// proxy applies: sizes, names, a licence of its own, nothing of nested modules).
func (p Proxy) Add(dir, name, version string) error {
	mod := module.Version{Path: workspace.Prefix + name, Version: version}
	escaped, err := module.EscapePath(mod.Path)
	if err != nil {
		return err
	}
	at := filepath.Join(p.Dir, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(at, 0o750); err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := modzip.CreateFromDir(&packed, mod, dir); err != nil {
		return fmt.Errorf("pack %s: %w", mod, err)
	}
	gomod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	info := fmt.Sprintf("{\"Version\":%q,\"Time\":%q}\n", version, p.Time.UTC().Format(time.RFC3339))
	for file, data := range map[string][]byte{
		version + ".zip": packed.Bytes(), version + ".mod": gomod, version + ".info": []byte(info), "list": []byte(version + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(at, file), data, 0o644); err != nil { //nolint:gosec // a proxy is read by others
			return err
		}
	}
	return nil
}

// Fill stages and packs every module that versions names, libraries before the program, as a release is cut.
func (p Proxy) Fill(ctx context.Context, modules []workspace.Module, versions map[string]string, scratch string) error {
	for _, m := range modules {
		version, ok := versions[m.Name]
		if !ok {
			continue
		}
		dir, err := Stage(ctx, m, versions, p, scratch)
		if err != nil {
			return fmt.Errorf("stage %s: %w", m.Name, err)
		}
		if err := p.Add(dir, m.Name, version); err != nil {
			return err
		}
	}
	return nil
}
