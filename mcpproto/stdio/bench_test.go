package stdio_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
)

func benchServer(b *testing.B) *mcpserver.Server {
	b.Helper()
	s := mcpserver.New(mcpproto.Implementation{Name: "bench", Version: "1"}, &mcpserver.Options{Output: mcpserver.OutputTrusted})
	err := s.AddTool(mcpserver.Tool{
		Name: "echo", InputSchema: json.RawMessage(`{"type":"object"}`), OwnArgumentCheck: true,
	}, func(_ context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.StructuredResult(c.Arguments), nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

const benchMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`

func benchCall(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo",`+
		`"arguments":{"command":"git status --short","cwd":"/home/dev/project"},%s}}`+"\n", id, benchMeta)
}

// checkFirst checks one answer; those of the loop that follows are made the same way.
func checkFirst(b *testing.B, in io.Writer, out *bufio.Reader) {
	b.Helper()
	var w wire
	w.sent(benchCall(0))
	if _, err := io.WriteString(in, benchCall(0)); err != nil {
		b.Fatal(err)
	}
	line, err := out.ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	w.received(b, line)
}

// BenchmarkCallSequential is one tools/call after the other over operating system pipes.
func BenchmarkCallSequential(b *testing.B) {
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- stdio.Serve(context.Background(), benchServer(b), inR, outW, nil) }()
	r := bufio.NewReader(outR)
	line := []byte(benchCall(1))
	checkFirst(b, inW, r)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := inW.Write(line); err != nil {
			b.Fatal(err)
		}
		if _, err := r.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	_ = inW.Close()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCallPipelined keeps 64 calls under way.
func BenchmarkCallPipelined(b *testing.B) {
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- stdio.Serve(context.Background(), benchServer(b), inR, outW, nil) }()
	r := bufio.NewReaderSize(outR, 64<<10)
	const burst = 64
	var lines []byte
	for i := range burst {
		lines = append(lines, benchCall(i)...)
	}
	checkFirst(b, inW, r)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n++; n%burst != 0 {
			continue
		}
		if _, err := inW.Write(lines); err != nil {
			b.Fatal(err)
		}
		for range burst {
			if _, err := r.ReadSlice('\n'); err != nil {
				b.Fatal(err)
			}
		}
	}
	_ = inW.Close()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}

// BenchmarkEcho is the same traffic answered by a plain loop: what pipes alone cost.
func BenchmarkEcho(b *testing.B) {
	inR, inW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	go func() {
		r := bufio.NewReader(inR)
		for {
			l, err := r.ReadSlice('\n')
			if err != nil {
				_ = outW.Close()
				return
			}
			_, _ = outW.Write(l)
		}
	}()
	r := bufio.NewReader(outR)
	line := []byte(benchCall(1))
	for b.Loop() {
		_, _ = inW.Write(line)
		if _, err := r.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	_ = inW.Close()
}
