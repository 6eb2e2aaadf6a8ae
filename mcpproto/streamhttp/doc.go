// Package streamhttp serves an [mcpserver.Server] over the Streamable HTTP transport, to clients of
// both eras on one endpoint. MCP 2026-07-28, basic/transports/streamable-http; for clients of
// 2025-03-26 to 2025-11-25 the section "Streamable HTTP" of their basic/transports.
//
//	server, err := streamhttp.Listen("127.0.0.1:8255", s, nil)
//	if err != nil {
//		return err
//	}
//	return server.Serve(ctx)
//
// [NewHandler] gives the endpoint alone, as an http.Handler for a server of one's own.
//
// # Checks
//
// Each POST passes these, in this order; the first failure answers: Host and Origin (403), method
// (405), authentication (401), Content-Type and Content-Encoding (415), Accept (406), size and speed
// of the body (413, 408), one JSON-RPC message (400). Requests of 2026-07-28 go on with their version
// header, their mirrored headers, their _meta, their method (404) and the capabilities it needs; see
// package mcpserver. Legacy requests are told from the header MCP-Protocol-Version, and their
// JSON-RPC errors have status 200. A body that was not looked at is answered with a -32600 error
// without id.
//
// # Answers
//
// A request is answered with one JSON object. An event stream is used where something precedes the
// answer (progress, log messages, requests to a legacy client), for subscriptions/listen, and for
// clients that accept nothing else. Clients that accept only JSON get JSON: notifications are
// dropped for them, and a subscription is refused with 406.
//
// # Cancellation
//
// A client of 2026-07-28 that closes its connection cancels the call. A legacy client does not: its
// call runs to its end and the answer is dropped.
//
// # Limits
//
// See [Options]. A [Server] also bounds the head of a request to 16 KiB and 5 s, an idle connection
// to 60 s and every write to a slow reader.
//
// # Security
//
// There are no CORS headers: browsers may not call. A [Server] binds loopback addresses only, unless
// told otherwise.
package streamhttp
