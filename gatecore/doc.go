// Package gatecore judges shell commands before they run: allow, undecided or deny.
//
// It reads a command as bash, POSIX shells, PowerShell or cmd would, resolves its words, looks
// through wrappers such as sudo, env, xargs and sh -c, and matches every simple command against a table of
// programs and rules (package l0). Nothing is ever run, expanded by a shell or looked up on disk: the same input
// gives the same verdict on every machine.
//
//	e, err := gatecore.New(nil)
//	r := e.Assess("ls && rm -rf ~", gatecore.Place{Dir: "/work/app", Home: "/home/me"})
//	r.Verdict                  // deny
//	r.Findings[0].RuleID       // fs.remove-tree
//
// # Limits
//
// 20 000 characters, 200 openers, 32 levels of nesting, 16 times the text in re-parsed bytes, 64 KiB of resolved
// words, 1 024 words from braces. What is over a limit is undecided with the rule that says which; a
// deny found so far stays.
//
// What a static reading cannot see: the content of files, aliases and startup files of the user, repository configuration
// that makes readers run helpers, state kept between calls by a persistent shell, PATH.
//
// # Errors
//
// Assess and Explain never fail. New reports faults in the rule data, ParseTable and LoadTable every problem of an
// operator's table (ErrTable), Synthesize answers and thresholds out of range (ErrAnswer, ErrThresholds).
//
// # Concurrency
//
// An Engine and a Table never change and are safe for concurrent use.
package gatecore
