package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/phocinae/phocinae-go/tools/internal/release"
	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

func (c *checker) checkVersions(context.Context) error {
	all, err := workspace.Modules(c.root)
	if err != nil {
		return err
	}
	var problems []error
	known := map[string]bool{}
	for _, m := range all {
		known[m.Name] = true
		if m.Name != "tools" && c.versions[m.Name] == "" {
			problems = append(problems, fmt.Errorf("versions.yaml has no line for %s", m.Name))
		}
	}
	for name := range c.versions {
		if !known[name] || name == "tools" {
			problems = append(problems, fmt.Errorf("versions.yaml names %s, which is not published", name))
		}
	}
	return errors.Join(problems...)
}

var tagPattern = regexp.MustCompile(`^([a-z0-9-]+)/(v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$`)

func (c *checker) checkTags(ctx context.Context) error {
	tags, err := c.tags(ctx)
	if err != nil {
		return err
	}
	var problems []error
	for _, tag := range tags {
		m := tagPattern.FindStringSubmatch(tag)
		switch {
		case m == nil:
			problems = append(problems, fmt.Errorf("tag %q: want folder/vX.Y.Z", tag))
		case c.versions[m[1]] == "":
			problems = append(problems, fmt.Errorf("tag %q names no published module", tag))
		case semver.Compare(m[2], c.versions[m[1]]) > 0:
			problems = append(problems, fmt.Errorf("tag %q is newer than versions.yaml's %s", tag, c.versions[m[1]]))
		}
	}
	return errors.Join(problems...)
}

func (c *checker) tags(ctx context.Context) ([]string, error) {
	out, err := workspace.Command{Dir: c.root}.Output(ctx, "git", "tag", "--list")
	return strings.Fields(out), err
}

func (c *checker) checkChangelogs(context.Context) error {
	var problems []error
	for _, m := range c.modules {
		data, err := os.ReadFile(filepath.Join(m.Dir, "CHANGELOG.md"))
		if err != nil {
			problems = append(problems, err)
			continue
		}
		version := strings.TrimPrefix(c.versions[m.Name], "v")
		if !bytes.Contains(data, []byte("## Unreleased")) && !bytes.Contains(data, []byte("## "+version)) {
			problems = append(problems, fmt.Errorf("%s/CHANGELOG.md has neither \"## Unreleased\" nor \"## %s\"", m.Name, version))
		}
	}
	return errors.Join(problems...)
}

// checkModules packs every module as it would be published, which also completes the program's go.sum from the packed
// libraries, and asks the go command whether anything is missing.
func (c *checker) checkModules(ctx context.Context) error {
	scratch, err := os.MkdirTemp("", "releasecheck-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	var problems []error
	for _, m := range c.modules {
		cmd := workspace.Command{Dir: m.Dir, Env: []string{"GOWORK=off"}}
		if err := cmd.Run(ctx, "go", "mod", "tidy", "-diff"); err != nil {
			problems = append(problems, fmt.Errorf("%s is not tidy: %w", m.Name, err))
		}
	}
	proxy := release.Proxy{Dir: filepath.Join(scratch, "proxy"), Time: time.Unix(0, 0)}
	if err := os.MkdirAll(proxy.Dir, 0o750); err != nil {
		return err
	}
	if err := proxy.Fill(ctx, c.modules, c.versions, scratch); err != nil {
		return errors.Join(append(problems, err)...)
	}
	env, err := proxy.Env(ctx, scratch)
	if err != nil {
		return err
	}
	for _, m := range c.modules {
		dir := filepath.Join(scratch, "stage", m.Name)
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil {
			return err
		}
		if bytes.Contains(data, []byte("replace")) {
			problems = append(problems, fmt.Errorf("%s: the go.mod to be tagged has a replace line", m.Name))
		}
		if err := (workspace.Command{Dir: dir, Env: append(env, "GOFLAGS=-mod=readonly -modcacherw")}).Run(ctx, "go", "build", "./..."); err != nil {
			problems = append(problems, fmt.Errorf("%s does not build as it would be tagged: %w", m.Name, err))
		}
	}
	return errors.Join(problems...)
}

// checkAPI compares each library with its last tag. Without a tag there is nothing to compare with.
func (c *checker) checkAPI(ctx context.Context) error {
	tags, err := c.tags(ctx)
	if err != nil {
		return err
	}
	var problems []error
	for _, m := range c.modules {
		last := lastTag(tags, m.Name)
		if last == "" {
			continue
		}
		if err := c.compareAPI(ctx, m, last); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

func lastTag(tags []string, name string) string {
	own := slices.DeleteFunc(slices.Clone(tags), func(t string) bool { return !strings.HasPrefix(t, name+"/v") })
	slices.SortFunc(own, func(a, b string) int {
		return semver.Compare(strings.TrimPrefix(a, name+"/"), strings.TrimPrefix(b, name+"/"))
	})
	if len(own) == 0 {
		return ""
	}
	return own[len(own)-1]
}

func (c *checker) compareAPI(ctx context.Context, m workspace.Module, tag string) error {
	old, err := os.MkdirTemp("", "apidiff-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(old) }()
	git := workspace.Command{Dir: c.root}
	if err := git.Run(ctx, "git", "worktree", "add", "--detach", old, tag); err != nil {
		return err
	}
	defer func() { _ = git.Run(context.WithoutCancel(ctx), "git", "worktree", "remove", "--force", old) }()
	env := []string{"GOWORK=off"}
	export := filepath.Join(old, m.Name+".api")
	if err := (workspace.Command{Dir: filepath.Join(old, m.Name), Env: env}).Run(ctx, c.apidiff, "-m", "-w", export, workspace.Prefix+m.Name); err != nil {
		return err
	}
	changed, err := workspace.Command{Dir: m.Dir, Env: env}.Output(ctx, c.apidiff, "-m", "-incompatible", export, workspace.Prefix+m.Name)
	if err != nil {
		return err
	}
	if strings.TrimSpace(changed) == "" {
		return nil
	}
	log, err := os.ReadFile(filepath.Join(m.Dir, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	unreleased, _, _ := bytes.Cut(log, []byte("\n## 0"))
	sameMinor := semver.MajorMinor(strings.TrimPrefix(tag, m.Name+"/")) == semver.MajorMinor(c.versions[m.Name])
	if sameMinor || !bytes.Contains(unreleased, []byte("### Breaking")) {
		return fmt.Errorf("%s breaks its API since %s: raise the minor version and add a \"### Breaking\" section to its changelog:\n%s", m.Name, tag, changed)
	}
	return nil
}

// checkReproducible builds the program in two copies of the repository in two folders.
func (c *checker) checkReproducible(ctx context.Context) error {
	program := c.modules[slices.IndexFunc(c.modules, func(m workspace.Module) bool { return m.Name == "phocinae-mcp" })]
	var sums [2][sha256.Size]byte
	for i := range sums {
		dir, err := os.MkdirTemp("", fmt.Sprintf("build%d-", i))
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		at, err := program.CopyTo(dir)
		if err != nil {
			return err
		}
		cmd := workspace.Command{Dir: at, Env: []string{"GOWORK=off", "CGO_ENABLED=0"}}
		if err := cmd.Run(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-buildid=", "-o", "out.bin", "."); err != nil {
			return err
		}
		data, err := os.ReadFile(filepath.Join(at, "out.bin"))
		if err != nil {
			return err
		}
		sums[i] = sha256.Sum256(data)
	}
	if sums[0] != sums[1] {
		return fmt.Errorf("the binaries differ: %x and %x", sums[0][:8], sums[1][:8])
	}
	return nil
}
