// Package mcpproto holds the rules of the Model Context Protocol for servers that speak both of its eras: the
// stateless revision 2026-07-28 and the four handshake revisions before it.
//
// It does no I/O and starts no goroutine. It decodes one message strictly, says which era and revision it belongs
// to, checks what the revision demands of a request, and stamps what the revision demands of an answer. Package
// mcpserver calls handlers on top of it; packages stdio and streamhttp move the bytes.
//
//	m, err := mcpproto.Decode(line)              // one strict pass; *DecodeError says code and id
//	era, version, perr := mcpproto.EraOf(m, mcpproto.EraFacts{Transport: mcpproto.Stdio})
//
// # Limits
//
// Nesting is limited to [MaxDepth] levels. The size of a message is the transport's business. Caller data in a
// sealed state is limited to [MaxStateData] bytes.
//
// # Errors
//
// A protocol error is an [*Error]: it has a code, a message and optional data. A message that cannot be used is a
// [*DecodeError]. [WireError] turns any Go error into what may be sent.
//
// # Concurrency
//
// Values are plain data; [StateSealer] and [MemoryLedger] are safe for concurrent use.
package mcpproto

// ModuleVersion is the version of this module, as its release tag names it.
const ModuleVersion = "0.1.0"
