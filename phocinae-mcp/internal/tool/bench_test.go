package tool

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/service"
)

// null is a peer that reads nothing of what it gets.
type null struct{}

func (null) Send([]byte) error                     { return nil }
func (null) Answer([]byte, mcpserver.Answer) error { return nil }

// benchServer is the server as the program builds it, with the built-in table and no service.
func benchServer(b *testing.B, log Recorder) *mcpserver.Server {
	b.Helper()
	engine, err := gatecore.New(nil)
	if err != nil {
		b.Fatal(err)
	}
	cfg := &config.Config{Thresholds: gatecore.DefaultThresholds(), FailClosed: gatecore.Deny, Lang: "en"}
	pool := service.New(cfg)
	b.Cleanup(pool.Close)
	logger := slog.New(slog.DiscardHandler)
	s, err := NewServer(Deps{
		Config: cfg, Judge: gate.New(cfg, engine, gate.FromPool(pool), logger), Rules: engine, Pool: pool, Audit: log,
		Dir: "/work", Home: "/home/dev", Version: "0.0.0", Logger: logger, Output: mcpserver.OutputTrusted,
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkCall is one whole tools/call in memory: decoding, arguments, judgement, record, answer.
func BenchmarkCall(b *testing.B) {
	log, err := audit.Open(filepath.Join(b.TempDir(), "audit.jsonl"), &audit.Options{MaxBytes: -1})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	const (
		plain = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gate","arguments":`
		meta  = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"b","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
		allow = `{"command":"git status","cwd":"/home/dev/app"}`
		deny  = `{"command":"rm -rf /","cwd":"/home/dev/app"}`
		pipes = `{"command":"grep -rn \"TODO\" src | sort | head -20","cwd":"/home/dev/app"}`
	)
	for _, bb := range []struct {
		name string
		log  Recorder
		line string
	}{
		{"legacy/allow", nil, plain + allow + `}}`},
		{"modern/allow", nil, plain + allow + meta + `}}`},
		{"legacy/deny", nil, plain + deny + `}}`},
		{"legacy/pipeline", nil, plain + pipes + `}}`},
		{"legacy/wrongArguments", nil, plain + `{"cwd":"x"}}}`},
		{"legacy/allow/audited", log, plain + allow + `}}`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			c := benchServer(b, bb.log).NewConn(mcpserver.ConnOptions{Transport: mcpproto.Stdio})
			defer c.Close()
			if !json.Valid([]byte(bb.line)) {
				b.Fatal(bb.line)
			}
			b.ReportAllocs()
			for b.Loop() {
				m, err := mcpproto.Decode([]byte(bb.line))
				if err != nil {
					b.Fatal(err)
				}
				c.Handle(context.Background(), m, mcpserver.Facts{}, null{})
			}
		})
	}
}
