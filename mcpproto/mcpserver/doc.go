// Package mcpserver is a server of the Model Context Protocol without a transport: tools, resources, prompts,
// completion and any other method, for clients of both eras at once. MCP 2026-07-28, server; for clients of earlier
// revisions also MCP 2025-11-25, basic/lifecycle and client.
//
//	s := mcpserver.New(mcpproto.Implementation{Name: "hello", Version: "1.0"}, &mcpserver.Options{Schemas: schemacheck.Compile})
//	s.AddTool(mcpserver.Tool{Name: "greet", InputSchema: schema}, greet)
//	err := stdio.Serve(ctx, s, os.Stdin, os.Stdout, nil)
//
// A transport makes a [Conn] per peer, decodes what it receives with [mcpproto.Decode] and hands it to [Conn.Handle]
// together with a [Sink] for whatever goes back.
//
// # Two ways to fail
//
// A handler that returns an error fails the request: an [*mcpproto.Error] keeps its code, any other error is -32603
// with a fixed text and is logged. A tool that returns a result with IsError succeeds at the protocol's level, and
// the model reads why. Unknown tools and malformed params are the first kind, bad arguments of a known tool the
// second (for clients up to 2025-06-18 they are -32602).
//
// # Concurrency
//
// A Server and a Conn are safe for concurrent use, registration included. Handlers run concurrently. A panic in a
// handler costs one -32603 answer; the stack goes to the logger.
package mcpserver
