// Command listener serves one tool on mcpproto over stdio and takes subscriptions, which the product has no use for: its
// lists never change. It shows what open subscriptions cost.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
)

func main() {
	s := mcpserver.New(mcpproto.Implementation{Name: "listener", Version: "0"}, &mcpserver.Options{
		Capabilities: mcpproto.ServerCapabilities{Tools: &mcpproto.ListCapability{ListChanged: true}},
	})
	err := s.AddTool(mcpserver.Tool{Name: "hello", Description: "Says hello."},
		func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
			return mcpproto.TextResult("Hello!"), nil
		})
	if err == nil {
		err = stdio.Serve(context.Background(), s, os.Stdin, os.Stdout, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "listener:", err)
		os.Exit(1)
	}
}
