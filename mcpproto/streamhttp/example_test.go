package streamhttp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

// A whole program: one tool, served on loopback until an interrupt.
func Example() {
	s := mcpserver.New(mcpproto.Implementation{Name: "hello", Version: "1.0"}, nil)
	err := s.AddTool(mcpserver.Tool{Name: "hello", Description: "Says hello."},
		func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
			return mcpproto.TextResult("Hello!"), nil
		})
	if err != nil {
		panic(err)
	}
	server, err := streamhttp.Listen("127.0.0.1:0", s, nil)
	if err != nil {
		panic(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	stop() // an example ends at once
	fmt.Println(server.Serve(ctx))
	// Output: <nil>
}

// The endpoint in a server of one's own, for clients that hold a token.
func ExampleNewHandler() {
	s := mcpserver.New(mcpproto.Implementation{Name: "hello", Version: "1.0"}, nil)
	h := streamhttp.NewHandler(s, &streamhttp.Options{
		AllowedHosts: []string{"mcp.example"},
		Authenticate: streamhttp.StaticBearer(os.Getenv("HELLO_TOKEN"), "operator"),
	})
	defer h.Close()
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	mux.Handle("/mcp/{$}", h)

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://mcp.example/mcp", nil))
	fmt.Println(w.Code)
	// Output: 401
}
