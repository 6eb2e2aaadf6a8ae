// Command fuzz runs every fuzz target of the workspace for a while, one after the other (go test takes one at a time).
// A failing input is left by go test in the package's testdata/fuzz, ready to be committed; the other targets still run, so one
// run shows all that is wrong.
//
//	fuzz [-time 10s] [-only REGEXP] ROOT
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

func main() {
	each := flag.Duration("time", 10*time.Second, "how long each target runs")
	only := flag.String("only", "", "only targets whose package and name match this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *each, *only); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, each time.Duration, only string) error {
	pick, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	modules, err := workspace.Modules(root)
	if err != nil {
		return err
	}
	ran := 0
	var failed []string
	for _, m := range modules {
		targets, err := list(ctx, m)
		if err != nil {
			return err
		}
		for _, t := range targets {
			if !pick.MatchString(t.pkg + "." + t.name) {
				continue
			}
			fmt.Printf("fuzz %s.%s for %s\n", strings.TrimPrefix(t.pkg, workspace.Prefix), t.name, each)
			ran++
			err := t.fuzz(ctx, m, each)
			if endedBadly(err) {
				fmt.Println("go test ended without an input that fails; once more")
				err = t.fuzz(ctx, m, each)
			}
			if err != nil {
				if ctx.Err() != nil {
					return err
				}
				fmt.Println(err)
				failed = append(failed, strings.TrimPrefix(t.pkg, workspace.Prefix)+"."+t.name)
			}
		}
	}
	if ran == 0 {
		return fmt.Errorf("no fuzz target matches %q", only)
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d targets have a finding: %s", len(failed), ran, strings.Join(failed, ", "))
	}
	fmt.Printf("%d fuzz targets, no finding\n", ran)
	return nil
}

type target struct{ pkg, name string }

func (t target) fuzz(ctx context.Context, m workspace.Module, each time.Duration) error {
	c := workspace.Command{Dir: m.Dir, Env: []string{"GOWORK=off"}}
	return c.Run(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", each.String(), "-fuzzminimizetime", "10x", t.pkg)
}

// endedBadly reports the one failure of go test that is none of the target: when time runs out while a worker is answering,
// it prints the end of its own deadline as the failure, and there is no failing input (go.dev/issue/48591).
func endedBadly(err error) bool {
	return err != nil && strings.Contains(err.Error(), "\n    context deadline exceeded\nFAIL\n") &&
		!strings.Contains(err.Error(), "Failing input") && !strings.Contains(err.Error(), "panic") && strings.Count(err.Error(), "--- FAIL") == 1
}

// list asks go test for the fuzz targets of every package of m.
func list(ctx context.Context, m workspace.Module) ([]target, error) {
	c := workspace.Command{Dir: m.Dir, Env: []string{"GOWORK=off"}}
	out, err := c.Output(ctx, "go", "test", "-list", "^Fuzz", "./...")
	if err != nil {
		return nil, err
	}
	var found []target
	var names []string
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 1 && strings.HasPrefix(fields[0], "Fuzz"):
			names = append(names, fields[0])
		case len(fields) >= 2 && fields[0] == "ok":
			for _, n := range names {
				found = append(found, target{fields[1], n})
			}
			names = nil
		}
	}
	return found, nil
}
