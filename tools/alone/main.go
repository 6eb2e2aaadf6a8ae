// Command alone builds, vets and tests every module of the workspace by itself: GOWORK=off, in an empty folder that holds
// only the module and what its go.mod replaces. It proves that no module leans on the workspace.
//
//	alone [-only NAME] ROOT
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

func main() {
	only := flag.String("only", "", "one module's name; default all")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *only); err != nil {
		fmt.Fprintln(os.Stderr, "alone:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, only string) error {
	modules, err := workspace.Modules(root)
	if err != nil {
		return err
	}
	done := 0
	for _, m := range modules {
		if only != "" && m.Name != only {
			continue
		}
		if err := check(ctx, m); err != nil {
			return fmt.Errorf("%s does not stand alone: %w", m.Name, err)
		}
		done++
	}
	if done == 0 {
		return fmt.Errorf("no module is named %q; see go.work", only)
	}
	return nil
}

func check(ctx context.Context, m workspace.Module) error {
	dir, err := os.MkdirTemp("", "alone-"+m.Name+"-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	at, err := m.CopyTo(dir)
	if err != nil {
		return err
	}
	start := time.Now()
	c := workspace.Command{Dir: at, Env: []string{"GOWORK=off", "GOFLAGS=-mod=readonly"}}
	for _, args := range [][]string{{"build", "./..."}, {"vet", "./..."}, {"test", "-timeout", "20m", "./..."}} {
		if err := c.Run(ctx, "go", args...); err != nil {
			return err
		}
	}
	fmt.Printf("alone %-14s build ok, vet ok, test ok (%.0f s)\n", m.Name, time.Since(start).Seconds())
	return nil
}
