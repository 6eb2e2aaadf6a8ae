// Command cover measures the statement coverage of every package of the libraries and fails where one is under the
// minimum. Programs (package main) and the development tools are not counted.
//
//	cover [-min PERCENT] ROOT
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
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
		c := workspace.Command{Dir: root + "/" + name, Env: []string{"GOWORK=off"}}
		out, err := c.Output(ctx, "go", "test", "-cover", "./...")
		if err != nil {
			return err
		}
		rows, err := parse(out)
		if err != nil {
			return err
		}
		for _, r := range rows {
			mark := "ok  "
			if r.percent < least {
				mark = "UNDER"
				under++
			}
			fmt.Printf("%-5s %5.1f %%  %s\n", mark, r.percent, strings.TrimPrefix(r.name, workspace.Prefix))
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

var line = regexp.MustCompile(`^(?:ok)?\s+(\S+)\s.*coverage: ([0-9.]+)% of statements`)

// parse reads the lines of go test -cover. Packages without statements say so and are left out; programs and examples are
// left out by their folder.
func parse(out string) ([]row, error) {
	var rows []row
	for s := bufio.NewScanner(strings.NewReader(out)); s.Scan(); {
		m := line.FindStringSubmatch(s.Text())
		if m == nil || strings.Contains(m[1], "/cmd/") || strings.Contains(m[1], "/examples/") {
			continue
		}
		p, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, fmt.Errorf("line %q: %w", s.Text(), err)
		}
		rows = append(rows, row{m[1], p})
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("no coverage line in:\n%s", out)
	}
	return rows, nil
}
