package tool

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/service"
)

// BenchmarkGate is one call of gate over stdio pipes, one after the other, with the real table.
func BenchmarkGate(b *testing.B) {
	for _, records := range []bool{false, true} {
		name := "without records"
		if records {
			name = "with records"
		}
		b.Run(name, func(b *testing.B) {
			engine, err := gatecore.New(nil)
			if err != nil {
				b.Fatal(err)
			}
			cfg := &config.Config{
				Server: "http://127.0.0.1:1", Timeout: time.Second, Rate: 50, Burst: 100, Thresholds: gatecore.DefaultThresholds(),
				FailClosed: gatecore.Deny, Lang: "en", Model: "m",
			}
			pool := service.New(cfg)
			defer pool.Close()
			d := Deps{
				Config: cfg, Judge: gate.New(cfg, engine, gate.FromPool(pool), nil), Rules: engine, Pool: pool, Dir: "/home/dev/app",
				Home: "/home/dev", Version: "0", Logger: slog.New(slog.DiscardHandler), Output: mcpserver.OutputTrusted,
			}
			if records {
				log, err := audit.Open(filepath.Join(b.TempDir(), "audit.jsonl"), nil)
				if err != nil {
					b.Fatal(err)
				}
				defer log.Close()
				d.Audit = log
			}
			s, err := NewServer(d)
			if err != nil {
				b.Fatal(err)
			}
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- stdio.Serve(context.Background(), s, inR, outW, nil) }()
			out := bufio.NewReaderSize(outR, 64<<10)
			line := []byte(rawCall("git status", `"x":1`) + "\n")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := inW.Write(line); err != nil {
					b.Fatal(err)
				}
				if _, err := out.ReadSlice('\n'); err != nil {
					b.Fatal(err)
				}
			}
			_ = inW.Close()
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		})
	}
}
