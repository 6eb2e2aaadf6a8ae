package schemacheck_test

import (
	"fmt"

	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
)

// A schema that cannot be read is told when it is compiled, not when the first call arrives.
func ExampleCompile() {
	_, err := schemacheck.Compile([]byte(`{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}`))
	fmt.Println(err)
	_, err = schemacheck.Compile([]byte(`{"type":"objekt"}`))
	fmt.Println(err != nil)
	// Output:
	// <nil>
	// true
}
