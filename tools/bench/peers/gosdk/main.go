// Command gosdk serves the gate tool on the official Go SDK, over stdio or (with -http ADDR) stateless Streamable HTTP.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/tools/bench/peers/judge"
)

func main() {
	addr := flag.String("http", "", "serve HTTP on this address instead of stdio")
	flag.Parse()
	if err := run(*addr); err != nil {
		fmt.Fprintln(os.Stderr, "gosdk:", err)
		os.Exit(1)
	}
}

func run(addr string) error {
	engine, err := gatecore.New(nil)
	if err != nil {
		return err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "gosdk-gate", Version: "0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "gate", Description: "judges a shell command"},
		func(_ context.Context, _ *mcp.CallToolRequest, in judge.Input) (*mcp.CallToolResult, judge.Output, error) {
			return nil, judge.Judge(engine, in), nil
		})
	if addr == "" {
		return server.Run(context.Background(), &mcp.StdioTransport{})
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	return serve(addr, handler)
}

func serve(addr string, handler http.Handler) error {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s/mcp\n", listener.Addr())
	return (&http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}).Serve(listener)
}
