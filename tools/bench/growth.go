package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/phocinae/phocinae-go/mockp0"
)

// point is one size of one series.
type point struct {
	size  float64
	micro float64 // median of a call
	peak  float64 // MiB
}

// series shows how latency and memory grow with one size.
type series struct {
	name, unit string
	points     []point
}

// grower measures one series, a fresh process for every size.
type grower struct {
	name, unit string
	sizes      []int
	run        func(ctx context.Context, size int) (point, error)
}

// probes is how many calls a point's median is taken from.
const probes = 60

func growth(ctx context.Context, o options, ours, dir string) error {
	var all []series
	for _, g := range growers(ours, dir) {
		s := series{name: g.name, unit: g.unit}
		for _, size := range g.sizes {
			progress(fmt.Sprintf("%s %d", g.name, size))
			p, err := g.run(ctx, size)
			if err != nil {
				return fmt.Errorf("%s %d: %w", g.name, size, err)
			}
			p.size = float64(size)
			s.points = append(s.points, p)
		}
		all = append(all, s)
	}
	progress("")
	text := growthTable(all)
	if _, err := os.Stdout.WriteString(text); err != nil {
		return err
	}
	if o.markdown != "" {
		if err := os.WriteFile(o.markdown, []byte(text), 0o644); err != nil { //nolint:gosec // a document
			return err
		}
	}
	if o.svg != "" {
		return os.WriteFile(o.svg, []byte(growthChart(all)), 0o644) //nolint:gosec // a document
	}
	return nil
}

func growers(ours, dir string) []grower {
	plain := product(ours, ours, "off")
	return []grower{
		{"command length", "characters", []int{20, 200, 2000, 20000}, func(ctx context.Context, n int) (point, error) {
			call := gateCall("echo " + strings.Repeat("word ", n/5-1))
			return probe(ctx, plain, legacy, nil, call)
		}},
		{"pipeline length", "commands", []int{1, 10, 100, 500}, func(ctx context.Context, n int) (point, error) {
			return probe(ctx, plain, legacy, nil, gateCall("cat x"+strings.Repeat(" | sort -r", n-1)))
		}},
		{"labels of 2000 characters", "labels", []int{1, 10, 50, 100}, labels(plain)},
		{"open subscriptions", "subscriptions", []int{1, 10, 100, 1000}, subscriptions(dir)},
		{"calls waiting for a slow service", "calls", []int{1, 10, 100, 1000}, waiting(plain)},
		{"rules of the operator's table", "rules", []int{5, 50, 500, 5000}, rules(plain, dir)},
	}
}

// gateCall makes the probing call: a whole message with the given id.
func gateCall(command string) func(id int) []byte {
	return toolCall("gate", map[string]any{"command": command})
}

func toolCall(tool string, arguments map[string]any) func(id int) []byte {
	return func(id int) []byte {
		b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments}})
		if err != nil {
			panic(err) // strings and numbers of this file
		}
		return append(b, '\n')
	}
}

// probe starts a server, sends what comes before, and takes the median of calls made one after the other.
func probe(ctx context.Context, s server, e era, before []byte, call func(id int) []byte) (point, error) {
	p, err := startStdio(ctx, s)
	if err != nil {
		return point{}, err
	}
	times, err := p.probe(s, e, before, call)
	got := point{peak: peakOf(p.cmd)}
	if err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		return point{}, err
	}
	if err := p.cmd.Process.Kill(); err != nil { // calls may still wait; their answers are not needed
		return point{}, err
	}
	_ = p.cmd.Wait()
	slices.Sort(times)
	got.micro = micros(times[len(times)/2])
	return got, nil
}

func (p *process) probe(s server, e era, before []byte, call func(id int) []byte) ([]time.Duration, error) {
	if err := p.open(s, e); err != nil {
		return nil, err
	}
	if _, err := p.in.Write(before); err != nil {
		return nil, err
	}
	var times []time.Duration
	const first = 1_000_000
	for n := range probes + 5 {
		request, id := call(first+n), fmt.Appendf(nil, `"id":%d,`, first+n)
		begin := time.Now()
		if _, err := p.in.Write(request); err != nil {
			return nil, err
		}
		for {
			line, err := p.out.ReadBytes('\n')
			if err != nil {
				return nil, err
			}
			if !bytes.Contains(line, id) {
				continue
			}
			if !bytes.Contains(line, []byte(`"result"`)) || bytes.Contains(line, []byte(`"isError":true`)) {
				return nil, fmt.Errorf("%w: answered with %.200s", errUnable, line)
			}
			break
		}
		if n >= 5 { // the first calls compile what they need
			times = append(times, time.Since(begin))
		}
	}
	return times, nil
}

func labels(s server) func(context.Context, int) (point, error) {
	return func(ctx context.Context, n int) (point, error) {
		service, err := mockp0.Start("127.0.0.1:0", &mockp0.Script{})
		if err != nil {
			return point{}, err
		}
		defer service.Close()
		s := s
		s.env = append(slices.Clone(s.env), "PHOCINAE_MCP_SERVER="+service.URL, "PHOCINAE_MCP_RATE=100000", "PHOCINAE_MCP_BURST=100000")
		list := make([]string, n)
		for i := range list {
			list[i] = strconv.FormatInt(int64(i)+36, 36) + strings.Repeat("x", 1998) // they differ in what the service reads of them
		}
		return probe(ctx, s, legacy, nil, toolCall("classify", map[string]any{"state": "a text", "labels": list}))
	}
}

// subscriptions are measured on a server of their own: our program announces no changes, its lists never change.
func subscriptions(dir string) func(context.Context, int) (point, error) {
	return func(ctx context.Context, n int) (point, error) {
		var before []byte
		for i := range n {
			before = fmt.Appendf(before, `{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},%s}}`+"\n", i+1, meta)
		}
		call := func(id int) []byte {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"hello",%s}}`+"\n", id, meta)
		}
		return probe(ctx, server{name: "listener", stdio: []string{filepath.Join(dir, "listener")}}, modern, before, call)
	}
}

func waiting(s server) func(context.Context, int) (point, error) {
	return func(ctx context.Context, n int) (point, error) {
		service, err := mockp0.Start("127.0.0.1:0", &mockp0.Script{Rules: []mockp0.Rule{
			{Fault: &mockp0.Fault{Kind: mockp0.Delay, DelayMS: 20000}},
		}})
		if err != nil {
			return point{}, err
		}
		defer service.Close()
		s := s
		s.env = append(slices.Clone(s.env), "PHOCINAE_MCP_SERVER="+service.URL, "PHOCINAE_MCP_L1_ENABLED=true", "PHOCINAE_MCP_TIMEOUT=30",
			"PHOCINAE_MCP_RATE=100000", "PHOCINAE_MCP_BURST=100000")
		var before []byte
		for i := range n {
			before = append(before, gateCall("an-unknown-program")(i+1)...)
		}
		return probe(ctx, s, legacy, before, gateCall("git status"))
	}
}

func rules(s server, dir string) func(context.Context, int) (point, error) {
	return func(ctx context.Context, n int) (point, error) {
		var t struct {
			Version   int         `json:"version"`
			Blacklist [][3]string `json:"blacklist"`
			Ask       [][3]string `json:"ask"`
			Whitelist []string    `json:"whitelist"`
			Protected []string    `json:"protected_paths"`
		}
		t.Version = 1
		for i := range n / 5 {
			t.Blacklist = append(t.Blacklist, [3]string{fmt.Sprintf("never-%d", i), fmt.Sprintf(`\bdeploy-%d\b.*--force`, i), "not here"})
			t.Ask = append(t.Ask, [3]string{fmt.Sprintf("ask-%d", i), fmt.Sprintf(`^release-%d\b`, i), "somebody decides"})
			t.Whitelist = append(t.Whitelist, fmt.Sprintf("make check-%d", i), fmt.Sprintf("make lint-%d", i))
			t.Protected = append(t.Protected, fmt.Sprintf("/srv/data-%d", i))
		}
		data, err := json.Marshal(t)
		path := filepath.Join(dir, fmt.Sprintf("table-%d.json", n))
		if err := errors.Join(err, os.WriteFile(path, data, 0o600)); err != nil {
			return point{}, err
		}
		s := s
		s.env = append(slices.Clone(s.env), "PHOCINAE_GUARD_TABLE="+path)
		return probe(ctx, s, legacy, nil, gateCall("git status"))
	}
}
