module github.com/phocinae/phocinae-go/phocinae-mcp

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/go-json-experiment/json v1.27.2
	github.com/matryer/is v1.4.1
	github.com/phocinae/phocinae-go/gatecore v0.1.0
	github.com/phocinae/phocinae-go/mcpproto v0.1.0
	github.com/phocinae/phocinae-go/mockp0 v0.1.0
	github.com/phocinae/phocinae-go/p0client v0.1.0
	github.com/rogpeppe/go-internal v1.16.0
	go.uber.org/goleak v1.3.0
)

require (
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.14.0 // indirect
	golang.org/x/time v0.16.0 // indirect
	golang.org/x/tools v0.38.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

replace github.com/phocinae/phocinae-go/mcpproto => ../mcpproto

replace github.com/phocinae/phocinae-go/p0client => ../p0client

replace github.com/phocinae/phocinae-go/gatecore => ../gatecore

replace github.com/phocinae/phocinae-go/mockp0 => ../mockp0
