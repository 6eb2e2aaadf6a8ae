package streamhttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

func benchServer(b *testing.B) *mcpserver.Server {
	s := mcpserver.New(mcpproto.Implementation{Name: "bench", Version: "1"}, &mcpserver.Options{Schemas: schemacheck.Compile})
	err := s.AddTool(mcpserver.Tool{
		Name: "greet", Description: "Greets.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	}, func(_ context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("Hi"), nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

var greet = modern("1", "tools/call", `"name":"greet","arguments":{"name":"you"}`)

// discard is a connection whose answers nobody reads.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// BenchmarkHandlerCall is one tools/call through the handler alone.
func BenchmarkHandlerCall(b *testing.B) {
	h := streamhttp.NewHandler(benchServer(b), nil)
	defer h.Close()
	post(b, h, request(b.Context(), greet, "", "")) // checked; the answers below are made the same way
	body := bytes.NewReader([]byte(greet))
	r := request(b.Context(), greet, "", "")
	r.Body = io.NopCloser(body)
	w := &discard{make(http.Header)}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = body.Seek(0, io.SeekStart)
		clear(w.header)
		h.ServeHTTP(w, r)
	}
}

// BenchmarkHTTPCall is one tools/call over a kept connection, both ends.
func BenchmarkHTTPCall(b *testing.B) {
	client, url, stop := benchHTTP(b)
	defer stop()
	b.ReportAllocs()
	for b.Loop() {
		callHTTP(b, client, url)
	}
}

// BenchmarkHTTPCallParallel is the same over many connections.
func BenchmarkHTTPCallParallel(b *testing.B) {
	client, url, stop := benchHTTP(b)
	defer stop()
	b.ReportAllocs()
	b.SetParallelism(8) // with two processors: 16 connections
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			callHTTP(b, client, url)
		}
	})
}

func benchHTTP(b *testing.B) (*http.Client, string, func()) {
	s, err := streamhttp.Listen("127.0.0.1:0", benchServer(b), nil)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	client := &http.Client{Transport: transport}
	r, answer := callHTTP(b, client, s.URL())
	var checked mcptest.Checker
	checked.SentHTTP(r.Header, []byte(greet))
	received(b, &checked, answer)
	return client, s.URL(), func() {
		transport.CloseIdleConnections()
		cancel()
		<-done
	}
}

// callHTTP makes one call and returns its answer; the first one of each benchmark is checked.
func callHTTP(b *testing.B, client *http.Client, url string) (*http.Request, []byte) {
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader([]byte(greet)))
	if err != nil {
		b.Fatal(err)
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		mcpproto.HeaderVersion: {"2026-07-28"}, mcpproto.HeaderMethod: {"tools/call"}, mcpproto.HeaderName: {"greet"},
	}
	a, err := client.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	answer, err := io.ReadAll(a.Body)
	_ = a.Body.Close()
	if err != nil || a.StatusCode != http.StatusOK {
		b.Fatalf("status %d: %v", a.StatusCode, err)
	}
	return r, answer
}
