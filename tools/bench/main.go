// Command bench starts MCP servers as processes and drives them as clients do: cold start to first answer, sequential
// latency, pipelined throughput, CPU time per call and peak memory, over stdio and HTTP, in both eras. Rounds alternate
// between the servers, so that a drift of the machine meets all of them; every ratio is taken within a round and its
// median and spread are printed.
//
//	bench -ours PATH [-rounds 5] [-calls 4000] [-server NAME=COMMAND]... [-markdown FILE] [-svg FILE]
//	bench -ours PATH -growth [-markdown FILE] [-svg FILE]
//
// The peers (a line echo as the floor, the official Go SDK, mark3labs/mcp-go) are built from ./bench/peers. A further
// server is given as a command line split at blanks; {http} in it is replaced by the address for the HTTP rounds, and a
// server without {http} is driven over stdio only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

func main() {
	var o options
	flag.StringVar(&o.ours, "ours", "", "our program")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds; the servers take turns in each")
	flag.IntVar(&o.calls, "calls", 4000, "tools/call a round and scenario")
	flag.IntVar(&o.memoryCalls, "memory-calls", 20000, "tools/call before peak memory is read")
	flag.StringVar(&o.only, "only", "", "only scenarios whose name contains this")
	flag.StringVar(&o.markdown, "markdown", "", "write the tables to this file")
	flag.BoolVar(&o.growth, "growth", false, "measure growth of our program instead: commands, labels, subscriptions, calls in flight, table")
	flag.StringVar(&o.svg, "svg", "", "draw the ratios into this file")
	flag.Func("server", "NAME=COMMAND of a further server; may be repeated", func(s string) error {
		name, command, ok := strings.Cut(s, "=")
		if !ok || name == "" || command == "" {
			return errors.New("want NAME=COMMAND")
		}
		o.servers = append(o.servers, parseServer(name, command))
		return nil
	})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	ours, only, markdown, svg  string
	rounds, calls, memoryCalls int
	growth                     bool
	servers                    []server
}

// server is one program under measurement.
type server struct {
	name  string
	env   []string // in addition to ours
	stdio []string
	hook  []string // answers one event on standard input and ends; nil: none
	http  []string // nil: not served
	floor bool     // answers lines, knows no protocol
}

func parseServer(name, command string) server {
	s := server{name: name}
	for _, word := range strings.Fields(command) {
		if strings.Contains(word, "{http}") {
			s.http = strings.Fields(strings.ReplaceAll(command, "{http}", "127.0.0.1:0"))
			continue
		}
		s.stdio = append(s.stdio, word)
	}
	return s
}

func run(ctx context.Context, o options) error {
	if o.ours == "" {
		return errors.New("-ours names our program; `make build` puts it into bin/")
	}
	ours, err := filepath.Abs(o.ours)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// Without cgo, like our own release builds: what the C library costs at start says nothing about a protocol stack.
	if err := (workspace.Command{Env: []string{"CGO_ENABLED=0"}}).Run(ctx, "go", "build", "-trimpath", "-o", dir+"/", "./bench/peers/..."); err != nil {
		return err
	}
	if o.growth {
		return growth(ctx, o, ours, dir)
	}
	servers := append([]server{
		product("phocinae-mcp", ours, "off"),
		product("phocinae-mcp, audited", ours, filepath.Join(dir, "audit.jsonl")),
		{name: "line echo", stdio: []string{dir + "/echo"}, hook: []string{dir + "/echo"}, floor: true},
		{name: "Go SDK", stdio: []string{dir + "/gosdk"}, http: []string{dir + "/gosdk", "-http", "127.0.0.1:0"}},
		{name: "mcp-go", stdio: []string{dir + "/mcpgo"}, http: []string{dir + "/mcpgo", "-http", "127.0.0.1:0"}},
	}, o.servers...)
	results, err := measure(ctx, o, servers)
	if err != nil {
		return err
	}
	text := tables(servers, results)
	if _, err := os.Stdout.WriteString(text); err != nil {
		return err
	}
	if o.markdown != "" {
		if err := os.WriteFile(o.markdown, []byte(text), 0o644); err != nil { //nolint:gosec // a document
			return err
		}
	}
	if o.svg != "" {
		return os.WriteFile(o.svg, []byte(chart(servers, results)), 0o644) //nolint:gosec // a document
	}
	return nil
}

// product is our program. Its settings come from the environment, as from a host's configuration.
func product(name, path, audit string) server {
	return server{
		name: name, env: []string{"PHOCINAE_MCP_AUDIT=" + audit}, stdio: []string{path}, hook: []string{path, "hook", "claude"},
		http: []string{path, "--transport", "http", "--port", "0"},
	}
}

// measure runs every scenario o.rounds times, the servers in turn within a round.
func measure(ctx context.Context, o options, servers []server) (map[string]map[string][]sample, error) {
	results := map[string]map[string][]sample{}
	unable := map[string]bool{}
	for round := range o.rounds {
		for _, sc := range scenarios(o) {
			if !strings.Contains(sc.name, o.only) {
				continue
			}
			if results[sc.name] == nil {
				results[sc.name] = map[string][]sample{}
			}
			for k := range servers {
				// Another one begins in each round: whoever follows a large process that is just being taken down is slower.
				s := servers[(k+round)%len(servers)]
				if unable[sc.name+s.name] || !sc.suits(s) {
					continue
				}
				got, err := sc.run(ctx, s)
				if errors.Is(err, errUnable) {
					unable[sc.name+s.name] = true
					fmt.Fprintf(os.Stderr, "bench: %s: %s cannot: %v\n", sc.name, s.name, err)
					continue
				}
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", sc.name, s.name, err)
				}
				results[sc.name][s.name] = append(results[sc.name][s.name], got)
				progress(fmt.Sprintf("round %d of %d, %s, %s", round+1, o.rounds, sc.name, s.name))
			}
		}
	}
	progress("")
	return results, ctx.Err()
}

// progress shows one line on standard error while it is a terminal.
func progress(line string) {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	fmt.Fprintf(os.Stderr, "\r\x1b[K%s", line)
}
