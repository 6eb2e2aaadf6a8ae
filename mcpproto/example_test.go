package mcpproto_test

import (
	"errors"
	"fmt"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// A message says by itself which era it belongs to.
func Example() {
	m, err := mcpproto.Decode([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	era, _, protocolErr := mcpproto.EraOf(m, mcpproto.EraFacts{Transport: mcpproto.Stdio})
	if protocolErr != nil {
		fmt.Println(protocolErr)
		return
	}
	fmt.Println(m.Method, era == mcpproto.Modern)
	// Output: tools/list true
}

// A name that stands twice in an object is refused, with the code for the answer.
func ExampleDecode() {
	_, err := mcpproto.Decode([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}`))
	var bad *mcpproto.DecodeError
	fmt.Println(errors.As(err, &bad), bad.Code)
	// Output: true -32600
}
