module github.com/phocinae/phocinae-go/tools

go 1.26.0

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/mark3labs/mcp-go v1.2.1
	github.com/matryer/is v1.4.1
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/phocinae/phocinae-go/gatecore v0.1.0
	github.com/phocinae/phocinae-go/mcpproto v0.1.0
	github.com/phocinae/phocinae-go/mockp0 v0.1.0
	golang.org/x/mod v0.43.0
)

require (
	github.com/alecthomas/kong v1.17.0 // indirect
	github.com/phocinae/phocinae-go/p0client v0.1.0 // indirect
)

require (
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/phocinae/phocinae-go/phocinae-mcp v0.1.0 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/spf13/cast v1.7.1 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.14.0 // indirect
	golang.org/x/time v0.16.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

replace github.com/phocinae/phocinae-go/mcpproto => ../mcpproto

replace github.com/phocinae/phocinae-go/p0client => ../p0client

replace github.com/phocinae/phocinae-go/gatecore => ../gatecore

replace github.com/phocinae/phocinae-go/mockp0 => ../mockp0

replace github.com/phocinae/phocinae-go/phocinae-mcp => ../phocinae-mcp

tool (
	github.com/phocinae/phocinae-go/mockp0/cmd/mockp0
	github.com/phocinae/phocinae-go/phocinae-mcp
)
