module github.com/phocinae/phocinae-go/tools

go 1.26.0

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/matryer/is v1.4.1
	github.com/phocinae/phocinae-go/gatecore v0.1.0
	github.com/phocinae/phocinae-go/mcpproto v0.1.0
	github.com/phocinae/phocinae-go/mockp0 v0.1.0
	github.com/phocinae/phocinae-go/p0client v0.1.0
	github.com/phocinae/phocinae-go/phocinae-mcp v0.1.0
)

require (
	github.com/mark3labs/mcp-go v1.2.1 // indirect
	github.com/modelcontextprotocol/go-sdk v1.8.0 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	golang.org/x/mod v0.43.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace github.com/phocinae/phocinae-go/mcpproto => ../mcpproto

replace github.com/phocinae/phocinae-go/p0client => ../p0client

replace github.com/phocinae/phocinae-go/gatecore => ../gatecore

replace github.com/phocinae/phocinae-go/mockp0 => ../mockp0

replace github.com/phocinae/phocinae-go/phocinae-mcp => ../phocinae-mcp
