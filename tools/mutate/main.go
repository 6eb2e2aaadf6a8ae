// Command mutate asks whether the tests of the decisive code would notice a wrong condition. It flips one condition at a
// time (a comparison, a logical operator, a negation, a case, a returned truth value), runs the package's tests on the flipped
// source through go test's -overlay, and reports every mutant that the tests let live.
//
// A survivor fails the run, unless equivalent.txt names it with the reason why it changes nothing that can be observed.
// An entry there that no longer survives, or no longer exists, fails too, so that the list stays true.
//
//	mutate [-only REGEXP] [-list] ROOT
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

func main() {
	only := flag.String("only", "", "only mutants whose name matches")
	list := flag.Bool("list", false, "print the mutants' names and stop")
	jobs := flag.Int("jobs", 2, "how many mutants are tried at a time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *only, *list, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, only string, list bool, jobs int) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	pick, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	excused, err := readEquivalent(filepath.Join(root, "tools", "mutate", "equivalent.txt"))
	if err != nil {
		return err
	}
	var all []mutant
	for _, t := range targets {
		found, err := t.mutants(root)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	exists := map[string]bool{}
	var picked []mutant
	for _, m := range all {
		exists[m.name] = true
		if pick.MatchString(m.name) {
			picked = append(picked, m)
		}
	}
	if list {
		for _, m := range picked {
			fmt.Println(m.name)
		}
		return nil
	}
	if err := sound(ctx, root, picked); err != nil {
		return err
	}
	lived, err := try(ctx, root, picked, jobs)
	if err != nil {
		return err
	}
	return judge(picked, lived, excused, exists)
}

// judge compares what lived with what may live and says what to do about the difference.
func judge(picked []mutant, lived map[string]bool, excused map[string]string, exists map[string]bool) error {
	bad := 0
	for _, m := range picked {
		reason, ok := excused[m.name]
		switch {
		case lived[m.name] && !ok:
			fmt.Printf("SURVIVED %s\n", m.name)
			bad++
		case !lived[m.name] && ok:
			fmt.Printf("KILLED, but listed as equivalent (%s): %s\n", reason, m.name)
			bad++
		}
	}
	for name := range excused {
		if !exists[name] {
			fmt.Printf("LISTED, but there is no such mutant any more: %s\n", name)
			bad++
		}
	}
	fmt.Printf("%d mutants, %d killed, %d equivalent by the list\n", len(picked), len(picked)-len(lived), len(lived)-countUnexcused(lived, excused))
	if bad > 0 {
		return fmt.Errorf("%d mutants need a test, or a line with a reason in tools/mutate/equivalent.txt", bad)
	}
	return nil
}

func countUnexcused(lived map[string]bool, excused map[string]string) int {
	n := 0
	for name := range lived {
		if _, ok := excused[name]; !ok {
			n++
		}
	}
	return n
}

// sound makes sure that the tests pass on the unchanged source, by the same way: where they do not, every mutant would seem killed.
func sound(ctx context.Context, root string, picked []mutant) error {
	tried := map[string]bool{}
	for _, m := range picked {
		if tried[m.file] {
			continue
		}
		tried[m.file] = true
		source, err := os.ReadFile(m.file)
		if err != nil {
			return err
		}
		m.source = source
		if err := m.test(ctx, root); err != nil {
			return fmt.Errorf("the tests of %s fail without a mutation, so they can show nothing: %w", m.file, err)
		}
	}
	return nil
}

// try runs the tests against every mutant and returns the names of those that lived.
func try(ctx context.Context, root string, picked []mutant, jobs int) (map[string]bool, error) {
	lived := map[string]bool{}
	var mu sync.Mutex
	var firstErr error
	var wg sync.WaitGroup
	next := make(chan mutant)
	for range max(1, jobs) {
		wg.Go(func() {
			for m := range next {
				survived, err := m.survives(ctx, root)
				mu.Lock()
				if err != nil {
					firstErr = errors.Join(firstErr, err)
				} else if survived {
					lived[m.name] = true
				}
				mu.Unlock()
			}
		})
	}
	for _, m := range picked {
		if ctx.Err() != nil {
			break
		}
		next <- m
	}
	close(next)
	wg.Wait()
	return lived, errors.Join(firstErr, ctx.Err())
}

// survives reports whether the package's tests pass on the mutated source. A mutant that does not compile, hangs or panics
// counts as killed.
func (m mutant) survives(ctx context.Context, root string) (bool, error) {
	err := m.test(ctx, root)
	if setup := new(setupError); errors.As(err, &setup) {
		return false, err
	}
	return err == nil, nil
}

// setupError is a failure before any test ran.
type setupError struct{ error }

func (e *setupError) Unwrap() error { return e.error }

// test runs the package's tests on m's source.
func (m mutant) test(ctx context.Context, root string) error {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return &setupError{err}
	}
	defer func() { _ = os.RemoveAll(dir) }()
	changed := filepath.Join(dir, "mutant.go")
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, m.source, 0o600); err != nil {
		return &setupError{err}
	}
	text := fmt.Sprintf("{\"Replace\": {%q: %q}}", m.file, changed)
	if err := os.WriteFile(overlay, []byte(text), 0o600); err != nil {
		return &setupError{err}
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	args := []string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", "120s", "-overlay", overlay}
	if m.target.tests != "" {
		args = append(args, "-run", m.target.tests)
	}
	c := workspace.Command{Dir: filepath.Join(root, m.target.module), Env: []string{"GOWORK=off"}}
	return c.Run(ctx, "go", append(args, m.target.pkg)...)
}

// readEquivalent reads lines "NAME => REASON"; blank lines and lines that begin with # are passed over.
func readEquivalent(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	excused := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, " => ")
		if !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s: line %q has no \" => reason\"", path, line)
		}
		excused[name] = reason
	}
	return excused, nil
}
