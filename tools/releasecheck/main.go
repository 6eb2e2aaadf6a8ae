// Command releasecheck says whether the tree could be released as it stands: versions, tags, changelogs, go.mod and go.sum
// as they would be tagged, API changes since the last tag, licences of what the program is built from, and a binary that
// two builds in two folders make byte for byte the same. All problems are printed, not only the first.
//
//	releasecheck [-apidiff PROGRAM] [-write] ROOT
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/phocinae/phocinae-go/tools/internal/release"
	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

func main() {
	var c checker
	flag.StringVar(&c.apidiff, "apidiff", "apidiff", "the apidiff program")
	flag.BoolVar(&c.write, "write", false, "rewrite the list of licences instead of comparing it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := c.run(ctx, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "releasecheck:", err)
		os.Exit(1)
	}
}

// checker carries what every check looks at.
type checker struct {
	apidiff  string
	write    bool
	root     string
	modules  []workspace.Module // those that are published
	versions map[string]string
}

func (c *checker) run(ctx context.Context, root string) error {
	var err error
	if c.root, err = filepath.Abs(root); err != nil {
		return err
	}
	if c.versions, err = release.Versions(c.root); err != nil {
		return err
	}
	all, err := workspace.Modules(c.root)
	if err != nil {
		return err
	}
	for _, m := range all {
		if c.versions[m.Name] != "" {
			c.modules = append(c.modules, m)
		}
	}
	var problems []error
	for _, check := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"versions name every published module, and only those", c.checkVersions},
		{"tags carry the folder and a version", c.checkTags},
		{"every module has a changelog with its next version", c.checkChangelogs},
		{"a tagged go.mod has no replace line and its go.sum is complete", c.checkModules},
		{"API changes since the last tag stand in the changelog", c.checkAPI},
		{"licences of what the program is built from are listed", c.checkLicences},
		{"two builds in two folders make the same binary", c.checkReproducible},
	} {
		err := check.do(ctx)
		word := "ok  "
		if err != nil {
			word = "FAIL"
			problems = append(problems, fmt.Errorf("%s: %w", check.name, err))
		}
		fmt.Printf("%s %s\n", word, check.name)
	}
	return errors.Join(problems...)
}
