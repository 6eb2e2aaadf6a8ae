package tool

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/service"
)

// table is an engine whose verdict is the command's first word.
type table struct {
	mu    sync.Mutex
	extra string // part of every finding's sentence, to change what a person is told between two rounds
}

func (e *table) say(s string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.extra = s
}

func (e *table) Assess(command string, _ gatecore.Place) gatecore.Report {
	e.mu.Lock()
	defer e.mu.Unlock()
	f := gatecore.Finding{RuleID: "test.rule", End: len(command), Why: "Because of the test" + e.extra + "."}
	switch word, _, _ := strings.Cut(command, " "); word {
	case "allow":
		f.Verdict = gatecore.Allow
	case "deny":
		f.Verdict, f.Instead = gatecore.Deny, "allow this"
	case "ask":
		f.Verdict, f.Kind = gatecore.Undecided, gatecore.Unproven
	case "odd":
		f.Verdict, f.Kind = gatecore.Undecided, gatecore.Unreadable
	default:
		panic("a panicking table")
	}
	return gatecore.Report{Verdict: f.Verdict, Kind: f.Kind, Findings: []gatecore.Finding{f}}
}

func (e *table) Explain(command string, at gatecore.Place) gatecore.Explanation {
	return gatecore.Explanation{Report: e.Assess(command, at), Parts: []*gatecore.Part{{Kind: "command", Words: strings.Fields(command)}}}
}

func (*table) WithoutComments(command string) string { return command }
func (*table) Rules() []gatecore.RuleInfo {
	return []gatecore.RuleInfo{{ID: "test.rule", Domain: "test", Verdict: gatecore.Deny, Why: "Because."}}
}

// trail keeps records.
type trail struct {
	mu      sync.Mutex
	records []audit.Record
	fails   bool
}

func (r *trail) Write(rec audit.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails {
		return errors.New("disk full")
	}
	r.records = append(r.records, rec)
	return nil
}

func (r *trail) all() []audit.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]audit.Record(nil), r.records...)
}

func (r *trail) last(t *testing.T) audit.Record {
	t.Helper()
	all := r.all()
	if len(all) == 0 {
		t.Fatal("no record")
	}
	return all[len(all)-1]
}

// world is a server with everything around it under control.
type world struct {
	t      *testing.T
	cfg    config.Config
	table  *table
	trail  *trail
	mu     sync.Mutex
	now    time.Time
	server *mcpserver.Server
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// newWorld makes a server that answers undecided commands with ask, unless change says otherwise.
func newWorld(t *testing.T, change func(*config.Config)) *world {
	t.Helper()
	w := &world{t: t, table: &table{}, trail: &trail{}, now: time.Now()}
	w.cfg = config.Config{
		Server: "http://127.0.0.1:1", Timeout: 5 * time.Second, Rate: 1000, Burst: 1000, Thresholds: gatecore.DefaultThresholds(),
		FailClosed: gatecore.Undecided, ConfirmTimeout: 5 * time.Second, Lang: "en", Model: "Phocinae-Largha-150M-v1",
	}
	if change != nil {
		change(&w.cfg)
	}
	w.server = w.build()
	return w
}

// build makes another process with the same configuration.
func (w *world) build() *mcpserver.Server {
	w.t.Helper()
	pool := service.New(&w.cfg)
	w.t.Cleanup(pool.Close)
	logger := slog.New(slog.DiscardHandler)
	s, err := NewServer(Deps{
		Config: &w.cfg, Judge: gate.New(&w.cfg, w.table, gate.FromPool(pool), logger), Rules: w.table, Pool: pool, Audit: w.trail,
		Dir: "/work", Home: "/home/dev", Version: "0.0.0", Logger: logger, Now: w.clock, Output: mcpserver.OutputFails, Schemas: schemacheck.Compile,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// client connects a client of a revision; forms says whether it declares elicitation.
func (w *world) client(v mcpproto.Version, forms bool, answer ...any) *client {
	w.t.Helper()
	return connect(w.t, w.server, v, forms, answer...)
}

type client struct {
	t *testing.T
	*mcptest.Client
	asked []string
	mu    sync.Mutex
}

// outcome is what tests compare of a gate answer.
type reading struct {
	GateOutput
	Type     string          `json:"resultType"`
	State    string          `json:"requestState"`
	Requests json.RawMessage `json:"inputRequests"`
	isError  bool
	code     int
	text     string
}

// gate calls gate. extra are further params such as requestState.
func (c *client) gate(arguments map[string]any, extra map[string]any) reading {
	c.t.Helper()
	params := map[string]any{"name": "gate", "arguments": arguments}
	for k, v := range extra {
		params[k] = v
	}
	return c.read(params)
}

func (c *client) read(params map[string]any) (out reading) {
	c.t.Helper()
	raw, err := c.Request(c.t.Context(), "tools/call", params)
	if err != nil {
		var wire *mcpproto.Error
		if !errors.As(err, &wire) {
			c.t.Fatalf("call: %v", err)
		}
		out.code, out.text = wire.Code, wire.Message
		return out
	}
	var result struct {
		Content    []struct{ Text string }
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		c.t.Fatal(err)
	}
	if out.Type == "input_required" {
		return out
	}
	if len(result.Content) != 1 {
		c.t.Fatalf("content blocks: %d", len(result.Content))
	}
	out.isError, out.text = result.IsError, result.Content[0].Text
	if result.IsError {
		if result.Structured != nil {
			c.t.Error("an error with structured content")
		}
		return out
	}
	if result.Structured != nil && string(result.Structured) != out.text {
		c.t.Errorf("text %s differs from structured content %s", out.text, result.Structured)
	}
	if err := json.Unmarshal([]byte(out.text), &out.GateOutput); err != nil {
		c.t.Fatal(err)
	}
	return out
}
