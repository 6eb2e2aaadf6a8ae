// Command conformance runs the official MCP conformance suite against two servers of ours: the
// fixture, which exposes all that the scenarios look for, and the program as it is shipped.
//
//	go run ./conformance            both
//	go run ./conformance -fixture   one of them
//	go run ./conformance -product
//
// It is run from the folder tools and needs bash and npm; see run-conformance.sh for the rest. The
// exit status is 1 if anything failed.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

// run is one call of run-conformance.sh.
type run struct {
	version   string
	strict    bool
	baseline  string   // file in this folder, "" for none
	scenarios []string // none: all that the revision requires
}

// subject is a server to test.
type subject struct {
	name string
	dir  string   // where the module is
	pkg  string   // what to build there
	args []string // to serve on a free port
	runs []run
}

func subjects() []subject {
	return []subject{
		{
			name: "fixture", dir: ".", pkg: "./conformance/fixture",
			runs: []run{
				{version: modern, strict: true},
				{version: modern, strict: true, scenarios: []string{
					"http-header-validation", "http-custom-header-server-validation", "json-schema-2020-12",
				}},
				{version: legacy, strict: true},
				{version: legacy, strict: true, scenarios: []string{"json-schema-2020-12", "server-session-lifecycle"}},
			},
		},
		{
			name: "product", dir: "../phocinae-mcp", pkg: ".",
			args: []string{"serve", "--transport", "http", "--port", "0", "--audit", "off"},
			runs: []run{
				{version: modern, strict: true, baseline: "product.baseline", scenarios: []string{
					"server-stateless", "tools-list", "resources-list", "prompts-list", "caching",
					"sep-2164-resource-not-found", "dns-rebinding-protection", "server-sse-multiple-streams",
					"input-required-result-unsupported-methods", "http-header-validation",
				}},
				{version: legacy, strict: true, scenarios: []string{
					"server-initialize", "ping", "tools-list", "resources-list", "prompts-list",
					"dns-rebinding-protection", "server-session-lifecycle",
				}},
				// Without sessions the suite warns here, and only here.
				{version: legacy, scenarios: []string{"server-sse-multiple-streams"}},
			},
		},
	}
}

func main() {
	fixture := flag.Bool("fixture", false, "only the fixture")
	product := flag.Bool("product", false, "only the program as shipped")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	wanted := map[string]bool{"fixture": *fixture || !*product, "product": *product || !*fixture}
	var failed []error
	for _, s := range subjects() {
		if !wanted[s.name] {
			continue
		}
		if err := s.test(ctx); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	if err := errors.Join(failed...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		stop()
		os.Exit(1)
	}
}

func (s *subject) test(ctx context.Context) error {
	temp, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	binary := filepath.Join(temp, s.name)
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, s.pkg)
	build.Dir, build.Stderr = s.dir, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build: %w", err)
	}
	url, stop, err := start(ctx, binary, s.args)
	if err != nil {
		return err
	}
	defer stop()
	var failed []error
	for _, r := range s.runs {
		fmt.Printf("== %s, %s\n", s.name, r.version)
		if err := r.script(ctx, url); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.version, err))
		}
	}
	return errors.Join(failed...)
}

// startTime is how long a server may take to say where it listens.
const startTime = 20 * time.Second

var endpoint = regexp.MustCompile(`http://[^\s"]+/mcp`)

// start runs a server and returns the endpoint, which it names on standard output or error.
func start(ctx context.Context, binary string, args []string) (url string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = startTime
	out, in, err := os.Pipe()
	if err != nil {
		return "", nil, err
	}
	cmd.Stdout, cmd.Stderr = in, in
	err = cmd.Start()
	_ = in.Close() // the server has its own copy
	if err != nil {
		_ = out.Close()
		return "", nil, err
	}
	stop = func() {
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended already
		_ = cmd.Wait()
		_ = out.Close()
	}
	_ = out.SetReadDeadline(time.Now().Add(startTime))
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if url = endpoint.FindString(line); url != "" {
			break
		}
		if err != nil {
			stop()
			return "", nil, fmt.Errorf("the server did not say where it listens: %w", err)
		}
	}
	_ = out.SetReadDeadline(time.Time{})
	go func() { _, _ = io.Copy(os.Stderr, lines) }() // ends with the server
	return url, stop, nil
}

func (r *run) script(ctx context.Context, url string) error {
	const folder = "conformance"
	args := []string{filepath.Join(folder, "run-conformance.sh")}
	if r.baseline != "" {
		args = append(args, "-b", filepath.Join(folder, r.baseline))
	}
	args = append(append(args, url, r.version), r.scenarios...)
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = os.Environ()
	if r.strict {
		cmd.Env = append(cmd.Env, "MCP_CONFORMANCE_STRICT=1")
	} else {
		cmd.Env = append(cmd.Env, "MCP_CONFORMANCE_STRICT=0")
	}
	return cmd.Run()
}
