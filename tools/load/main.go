// Command load drives the built program hard and in bad company, and then holds it to what it promised: 64 HTTP clients
// and one pipelined stdio client with mixed calls, clients that are slow or vanish, and a service behind it that is killed
// half-way. Every request must be answered or its connection closed, memory must stay bounded, every call must leave one
// audit record, and no undecided command may be allowed without the service's two good answers.
//
//	load -binary PATH [-time 60s] [-clients 64] [-seed N]
//
// The mock service's program is expected beside the binary.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/phocinae/phocinae-go/tools/internal/product"
)

func main() {
	var o options
	flag.StringVar(&o.binary, "binary", "", "our program")
	flag.DurationVar(&o.time, "time", time.Minute, "how long each transport is driven")
	flag.IntVar(&o.clients, "clients", 64, "concurrent HTTP clients")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "seed of the mix, printed so that a run can be repeated")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

type options struct {
	binary  string
	time    time.Duration
	clients int
	seed    uint64
}

// maxMemoryMiB bounds the resident memory of the program under 64 clients.
const maxMemoryMiB = 200

// script makes the mock answer two good questions with yes for commands that contain "grounded", and no for all others.
const script = `{"rules":[
 {"match":{"type":"noul","state":"grounded"},"answer":{"noul":0.9}},
 {"match":{"type":"score","state":"grounded"},"answer":{"score":2}},
 {"match":{"type":"noul"},"answer":{"noul":0.1}},
 {"match":{"type":"score"},"answer":{"score":3}}
]}`

func run(ctx context.Context, o options) error {
	if o.binary == "" {
		return errors.New("-binary names our program; `make build` puts it into bin/")
	}
	binary, err := filepath.Abs(o.binary)
	if err != nil {
		return err
	}
	o.binary = binary
	fmt.Printf("seed %d\n", o.seed)
	return errors.Join(
		withService(ctx, o, "http", driveHTTP),
		withService(ctx, o, "stdio", driveStdio),
	)
}

// scene is one transport's run.
type scene struct {
	options
	dir     string
	audit   string
	service *product.Server
	tally   *tally
}

// flags are the program's, the same for both transports.
func (s *scene) flags() []string {
	return []string{
		"--server", s.service.URL, "--l1-enabled", "--timeout", "2", "--audit", s.audit, "--audit-max-size", "0",
		"--rate", "100000", "--burst", "100000",
	}
}

func withService(ctx context.Context, o options, name string, drive func(context.Context, *scene) error) error {
	dir, err := os.MkdirTemp("", "load-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	scriptFile := filepath.Join(dir, "script.json")
	if err := os.WriteFile(scriptFile, []byte(script), 0o600); err != nil {
		return err
	}
	mock := filepath.Join(filepath.Dir(o.binary), "mockp0")
	service, err := product.StartHTTP(ctx, mock, "--addr", "127.0.0.1:0", "--script", scriptFile)
	if err != nil {
		return err
	}
	s := &scene{options: o, dir: dir, audit: filepath.Join(dir, "audit.jsonl"), service: service, tally: newTally()}
	kill := time.AfterFunc(o.time/2, func() {
		s.tally.dead.Store(true)
		_ = service.Cmd.Process.Kill()
	})
	defer kill.Stop()
	driveErr := drive(ctx, s)
	_ = service.Cmd.Process.Kill()
	_ = service.Cmd.Wait()
	if err := errors.Join(driveErr, s.verify(ctx)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Printf("%-5s %s\n", name, s.tally)
	return nil
}

// verify compares the audit trail with what was called, and asks the program whether the chain holds.
func (s *scene) verify(ctx context.Context) error {
	data, err := os.ReadFile(s.audit)
	if err != nil {
		return err
	}
	records := int64(strings.Count(string(data), "\n"))
	answered, vanished := s.tally.answered.Load(), s.tally.vanished.Load()
	var problems []error
	if records < answered || records > answered+vanished {
		problems = append(problems, fmt.Errorf("%d audit records for %d answered calls and %d whose client vanished", records, answered, vanished))
	}
	if out, err := exec.CommandContext(ctx, s.binary, "audit", "verify", "--audit", s.audit).CombinedOutput(); err != nil {
		problems = append(problems, fmt.Errorf("audit verify: %w: %s", err, out))
	}
	return errors.Join(append(problems, s.tally.problems()...)...)
}
