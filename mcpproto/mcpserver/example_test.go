package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
)

// A tool whose schema has rules needs a checker: without one it is refused rather than served unchecked.
func ExampleServer_AddTool() {
	tool := mcpserver.Tool{
		Name:        "greet",
		Description: "Greets a person by name.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	}
	greet := func(_ context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		var in struct{ Name string }
		err := json.Unmarshal(call.Arguments, &in)
		return mcpproto.TextResult("Hello, " + in.Name + "!"), err
	}
	info := mcpproto.Implementation{Name: "hello", Version: "1.0.0"}

	checked := mcpserver.New(info, &mcpserver.Options{Schemas: schemacheck.Compile})
	fmt.Println(errors.Join(checked.AddTool(tool, greet), checked.CompileSchemas()))
	fmt.Println(mcpserver.New(info, nil).AddTool(tool, greet) != nil)
	// Output:
	// <nil>
	// true
}
