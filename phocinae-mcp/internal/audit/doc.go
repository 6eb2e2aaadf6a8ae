// Package audit keeps the audit trail of the gate: one JSON line a call, chained by hashes, with secrets masked.
//
//	log, err := audit.Open(path, &audit.Options{Key: key})
//	...
//	err = log.Write(audit.Record{Event: "call", Tool: "gate", Command: cmd, Decision: "deny", Layer: "L0"})
//
// [Verify] reads the trail back and says what was changed; [Tail], [Stats] and [WriteReport] show it to people.
//
// # The line
//
// Members come in one fixed order, empty ones are left out: ts, seq, writer, event, tool, era, protocol, transport,
// client, principal, request_id, trace, command, command_bytes, command_hash, cwd, args_hash, args_bytes, sizes,
// decision, layer, rule, reason, noul, score, confirm, error, duration_us, after, fresh_line, prev, hash.
// hash covers every byte of the line before `,"hash":`, so it is checked without reading the JSON. prev is the hash
// of the same writer's record before (empty in its first), after is the hash of the last line that the writer saw in
// the file when it opened it, whoever wrote that line. Processes that live for one call (a hook) write one record
// each: a chain of one shows nothing, and after is what makes the removal of such a line visible.
//
// # Limits
//
// A line stays under [MaxLine] bytes: long texts are cut in the middle with a visible mark and their length. One line is one
// write on an O_APPEND descriptor, so several processes may share a file on a local file system; network file systems
// do not promise that. A SHA-256 of a short command with a weak secret in it can be found by guessing, so without a key
// command_hash can betray what the mask hides; with a key it is an HMAC and tells nothing to who does not have the key.
//
// # Errors
//
// Failures are [*Error] around the cause of the operating system, and [ErrClosed], [ErrKey], [ErrNotFile].
// Nothing here decides what a failure means for a verdict; that is the caller's (--audit-required).
//
// # Concurrency
//
// A [Log] is safe for concurrent use. It starts no goroutines.
package audit
