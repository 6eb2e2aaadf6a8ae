// Command cover measures the statement coverage of every package of the libraries and fails where one is under the
// minimum. Programs (package main) and the development tools are not counted.
//
//	cover [-min PERCENT] ROOT
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

var libraries = []string{"gatecore", "mcpproto", "mockp0", "p0client"}

func main() {
	least := flag.Float64("min", 90, "least coverage of a package, in percent of statements")
	flag.Parse()
	if err := run(context.Background(), flag.Arg(0), *least); err != nil {
		fmt.Fprintln(os.Stderr, "cover:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, least float64) error {
	under := 0
	for _, name := range libraries {
		rows, err := measure(ctx, filepath.Join(root, name))
		if err != nil {
			return err
		}
		for _, r := range rows {
			mark := "ok   "
			if r.percent < least {
				mark = "UNDER"
				under++
			}
			fmt.Printf("%s %5.1f %%  %s\n", mark, r.percent, strings.TrimPrefix(r.name, workspace.Prefix))
		}
	}
	if under > 0 {
		return fmt.Errorf("%d packages are under %g %%; add tests for what they leave out", under, least)
	}
	return nil
}

type row struct {
	name    string
	percent float64
}

// measure runs the tests of a module and counts, for each of its library packages, the statements that any of them
// reached: a transport's tests are tests of the server beneath it too.
func measure(ctx context.Context, dir string) ([]row, error) {
	file, err := os.CreateTemp("", "cover-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	if err := file.Close(); err != nil {
		return nil, err
	}
	c := workspace.Command{Dir: dir, Env: []string{"GOWORK=off"}}
	if err := c.Run(ctx, "go", "test", "-coverpkg=./...", "-coverprofile="+file.Name(), "./..."); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file.Name())
	if err != nil {
		return nil, err
	}
	return parse(string(data))
}

// counted reports a package that a user could import or that is built into one: no programs, no examples, and no package
// that only tests are built from.
func counted(pkg string) bool {
	return !strings.Contains(pkg, "/cmd/") && !strings.Contains(pkg, "/examples/") && !strings.HasSuffix(pkg, "/internal/wiretest")
}

// parse reads a coverage profile: after its head, lines "file.go:from,to statements count". A block stands once for every
// test binary.
func parse(profile string) ([]row, error) {
	type block struct{ statements, count int }
	blocks := map[string]block{}
	for line := range strings.Lines(profile) {
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		var where string
		var b block
		if _, err := fmt.Sscan(line, &where, &b.statements, &b.count); err != nil {
			return nil, fmt.Errorf("coverage profile, line %q: %w", line, err)
		}
		b.count += blocks[where].count
		blocks[where] = b
	}
	all, reached := map[string]int{}, map[string]int{}
	for where, b := range blocks {
		pkg := path.Dir(where)
		all[pkg] += b.statements
		if b.count > 0 {
			reached[pkg] += b.statements
		}
	}
	var rows []row
	for pkg, n := range all {
		if counted(pkg) && n > 0 {
			rows = append(rows, row{pkg, 100 * float64(reached[pkg]) / float64(n)})
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("the coverage profile names no library package")
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.name, b.name) })
	return rows, nil
}
