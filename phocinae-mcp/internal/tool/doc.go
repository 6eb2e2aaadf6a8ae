// Package tool is the product on the protocol: the four tools gate, classify, route and score, the confirmation round and
// the two policy resources, registered on an mcpserver.Server.
//
//	server, err := tool.NewServer(deps)
//	err = stdio.Serve(ctx, server, os.Stdin, os.Stdout, nil)
//
// # Errors
//
// gate answers a decision whatever fails; the other three answer a result marked as error when the service gives nothing
// usable. Wrong arguments are a result marked as error that lists every violation, for clients up to 2025-06-18 a -32602
// error with the same list. A confirmation that cannot be believed is a -32602 error.
//
// # Concurrency
//
// Everything here is safe for concurrent use.
package tool
