// Command mcpgo serves the gate tool on mark3labs/mcp-go, over stdio or (with -http ADDR) stateless Streamable HTTP.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/tools/bench/peers/judge"
)

func main() {
	addr := flag.String("http", "", "serve HTTP on this address instead of stdio")
	flag.Parse()
	if err := run(*addr); err != nil {
		fmt.Fprintln(os.Stderr, "mcpgo:", err)
		os.Exit(1)
	}
}

func run(addr string) error {
	engine, err := gatecore.New(nil)
	if err != nil {
		return err
	}
	s := server.NewMCPServer("mcpgo-gate", "0")
	s.AddTool(mcp.NewTool("gate", mcp.WithDescription("judges a shell command"),
		mcp.WithString("command", mcp.Required()), mcp.WithString("cwd")),
		func(_ context.Context, call mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			out := judge.Judge(engine, judge.Input{Command: call.GetString("command", ""), CWD: call.GetString("cwd", "")})
			text, err := json.Marshal(out)
			if err != nil {
				return nil, err
			}
			return mcp.NewToolResultStructured(out, string(text)), nil
		})
	if addr == "" {
		return server.ServeStdio(s)
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "listening on http://%s/mcp\n", listener.Addr())
	handler := server.NewStreamableHTTPServer(s, server.WithStateLess(true))
	return (&http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}).Serve(listener)
}
