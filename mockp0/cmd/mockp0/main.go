// Command mockp0 serves the mock P0 service until it is interrupted. It prints its address on standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/phocinae/phocinae-go/mockp0"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// run serves until ctx ends. It returns the exit status: 0 after a clean stop, 2 if the address cannot be used,
// 3 for wrong flags or an unusable script.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	fs := flag.NewFlagSet("mockp0", flag.ContinueOnError)
	fs.SetOutput(stderr)
	addr := fs.String("addr", "127.0.0.1:8155", "loopback `host:port` to listen on; port 0 picks a free one")
	file := fs.String("script", "", "JSON `file` with scripted answers and faults")
	bearer := fs.String("bearer", "", "`token` that /v1/ paths demand; replaces the script's")
	say := func(format string, args ...any) {
		_, _ = fmt.Fprintf(stderr, format+"\n", args...) // nobody is left to tell
	}
	fs.Usage = func() {
		say("usage: mockp0 [--addr host:port] [--script file] [--bearer token]")
		fs.PrintDefaults()
	}
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 3
	case fs.NArg() > 0:
		say("mockp0: unexpected argument %q", fs.Arg(0))
		return 3
	}
	script, err := load(*file)
	if err != nil {
		say("%v", err)
		return 3
	}
	if *bearer != "" {
		script.Bearer = *bearer
	}
	srv, err := mockp0.Start(*addr, script)
	if err != nil {
		say("%v", err)
		return 2
	}
	say("mockp0: listening on %s", srv.URL)
	<-ctx.Done()
	srv.Close()
	say("mockp0: stopped after %d requests", srv.Count())
	return 0
}

func load(file string) (*mockp0.Script, error) {
	if file == "" {
		return &mockp0.Script{}, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("mockp0: script: %w", err)
	}
	script, err := mockp0.ParseScript(data)
	if err != nil {
		problems := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "mockp0: script: "), "\n", "; ")
		return nil, fmt.Errorf("mockp0: script %s: %s", file, problems)
	}
	return script, nil
}
