// Package stdio serves a [mcpserver.Server] over a pair of byte streams: one message per line, as an agent host talks
// to a child process. MCP 2026-07-28, basic/transports/stdio; for clients of earlier revisions the section "stdio" of
// their basic/transports.
//
//	err := stdio.Serve(ctx, server, os.Stdin, os.Stdout, nil)
//
// Received: UTF-8 lines ending in \n or \r\n; blank lines and one byte order mark at the start are skipped; messages
// framed by Content-Length headers are understood too. Sent: one message per line, each line in one write (several
// whole lines share a write while more requests wait). Standard output belongs to the protocol: log elsewhere.
//
// # Limits
//
// A line over [Options.MaxLine] bytes is answered with one -32600 and skipped. Requests run concurrently, at most
// [Options.MaxInFlight]; past that they are answered with -32603. Tool calls have their own, lower limit in
// mcpserver. Requests are admitted in the order of their lines, so that a cancellation finds the request before it; their
// answers come in any order.
//
// # The end
//
// At the end of input everything that was read is served and answered. Subscriptions end at once; after 4 s the
// contexts of calls still running are cancelled with [mcpserver.ErrShutdown], so that each gives its fail-closed
// answer; within 5 s Serve returns. When ctx is cancelled the contexts end at once and Serve returns within 2 s. When
// the output is broken Serve returns quietly. Serve cannot interrupt a read of in: a goroutine may stay in it until in
// is closed or the process ends.
//
// A broken standard output normally kills a Go program with SIGPIPE; a program that has something left to do then
// (such as closing an audit file) calls signal.Ignore(syscall.SIGPIPE).
package stdio
