package stdio_test

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"strings"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
)

// A server with one tool. A real one reads os.Stdin.
func Example() {
	s := mcpserver.New(mcpproto.Implementation{Name: "hello", Version: "1.0.0"}, &mcpserver.Options{Schemas: schemacheck.Compile})
	err := s.AddTool(mcpserver.Tool{
		Name:        "greet",
		Description: "Greets a person by name.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	}, func(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		var in struct{ Name string }
		err := json.Unmarshal(call.Arguments, &in)
		return mcpproto.TextResult("Hello, " + in.Name + "!"), err
	})
	if err != nil {
		log.Fatal(err)
	}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"}}}`)
	if err := stdio.Serve(context.Background(), s, in, os.Stdout, nil); err != nil {
		log.Fatal(err)
	}
	// Output: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Hello, Ada!"}]}}
}
