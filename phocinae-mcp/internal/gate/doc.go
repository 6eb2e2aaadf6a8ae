// Package gate is the whole judgement about one command: the deterministic table, then, where the operator switched it on,
// the two questions to the inference service, then the synthesis. The MCP tool, the command line and the hooks share it.
//
//	judge, err := gate.New(cfg, pool, engine)
//	decision := judge.Decide(ctx, gate.Request{Command: "git status", Dir: "/home/dev/app"})
//
// # Errors
//
// Decide never fails and never panics: whatever goes wrong is a decision with Verdict Deny and Layer FailClosed.
// The one exception to "undecided means deny" is the operator's own fallback for commands that nobody was asked about.
//
// # Concurrency
//
// A Judge is safe for concurrent use.
package gate
