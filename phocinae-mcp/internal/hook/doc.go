// Package hook answers the approval events that agent hosts send before a tool runs. It reads one event, finds the commands in it, asks a
// judge about each, and prints the verdict in the host's own format.
//
//	status := hook.Run(ctx, hook.Claude, os.Stdin, os.Stdout, os.Stderr, judge, &hook.Options{Start: started})
//
// # What every host gets
//
// A refusal is the host's JSON on standard output and exit status 0, because hosts run the command on most other statuses. Whatever is
// broken (the event, the judge, the clock, the caller's own configuration: see [DenyFor]) ends in that refusal. Only when standard
// output cannot take it does the status become 2 with text on standard error, the one status every host reads as a refusal.
// An allowed command is answered with silence (Gemini: {}, Cursor: its allow), so that the host's own rules go on to apply.
// [Options].AutoAllow says allow aloud where a host can take it, and only for the host's own shell tools called with nothing but
// fields this package knows. Where a host cannot ask a person, an ask becomes a refusal that says how to go on.
//
// # Which tools are judged
//
// The host's shell tools must carry a readable command. Tools that type into a running terminal are judged like commands. Any other tool
// is judged when a field of its input, at any depth, is named like a command, or when its name speaks of a shell; if it looks
// like one and cannot be read, it is refused. The host's own tools that run nothing (reading, editing, searching) pass in silence.
//
// # Limits
//
// Events up to 4 MiB, 64 levels deep, 64 commands an event; reasons below 2000 bytes; 8 seconds from [Options].Start.
//
// # Concurrency
//
// Run may be called concurrently. It may leave behind the goroutine of a judge, reader or observer that ignores its context; a hook
// process ends anyway.
//
// The contracts are those of the hosts' own documents as of 2026 (Claude Code hooks reference, Codex hooks schema, Gemini CLI hooks
// reference, Copilot hooks reference, Cursor hooks page).
package hook
