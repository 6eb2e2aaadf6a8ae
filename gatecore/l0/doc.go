// Package l0 is the knowledge of the gate as data: which programs exist, what
// their options and operands mean, and which uses of them are never to run.
// It holds no engine: package gatecore builds of it what a command's programs
// call for, found by the index in index_table.go. Run go generate ./l0 after a
// name or an id has changed; a test says so otherwise.
//
// One file holds one domain, a function returning a [Domain], listed in
// [Domains]. A domain has two lists.
//
// # Programs
//
// A [Program] is a grammar with meanings. Everything that is not listed is
// undecided, so list every documented option, reading ones above all:
//
//	{Names: "sort", Command: Command{
//		Is:       Reader,
//		Operands: "file*",
//		Options: Options{
//			Read:  "-b -d -f -n -r -u -k= -t= --reverse --key= --field-separator=",
//			File:  "--files0-from=",
//			Write: "-o= --output=",
//			Run:   "--compress-program=",
//		},
//	}}
//
// An option list is words separated by blanks. One word is
//
//	-a --all     an option without value
//	-k= --key=   a value is required: -k1, -k 1, --key=1, --key 1
//	--color?     a value is possible, attached only: --color, --color=auto, -U3
//	-#           a number: -5, -20
//	if=          a keyed operand (dd): the word if=FILE
//	--no-*       any option with this beginning, without value or with =value
//
// Short options bundle and unambiguous beginnings of long options are resolved
// (see [Style] for other programs). The field of [Options] a word stands in says
// what the option does. An option that a rule names need not be listed again: if the program
// does not list it, it counts as Change without a value (write -k= or --key= in
// the rule if it takes one).
//
// An operand signature is roles separated by blanks, each with ? (may be
// missing), * (any number) or + (one or more); at most one repeats:
//
//	word    inert data (a pattern, a mode, a branch)
//	name    a path of which only the name or status is read
//	file    a path whose content is read (judged for credentials)
//	write   a file that is overwritten (judged as a write target)
//	append  a file that is appended to
//	delete  a path that is removed, moved away or changed
//	code    a program in the program's Language
//	shell   one shell text
//	cmd     from here on a command with its arguments (must be last)
//	host    a host, URL or other endpoint: not a reader
//	set     its presence changes something: not a reader
//
// "" means that operands are not readers. Use "-" for a reader without operands.
// More operands than the signature takes are undecided.
//
// Subcommands are [Command] values with a Path; write alternatives with commas:
//
//	{Path: "log, shortlog, whatchanged", Is: Reader, Operands: "word*", Options: …}
//	{Path: "remote show", Is: Network}
//	{Path: "* describe-*", Is: Reader, …}      // * inside a segment is a glob
//
// Options of the program itself (before the subcommand, or anywhere with
// GlobalsAnywhere) stand in the program's own Options. A program with subcommands
// that is called with an unlisted one is undecided. Each path has one entry; lists
// of options that several entries share are constants, joined with +.
//
// # Rules
//
// A [Rule] has an id, a verdict, one sentence why, often a safer way, a list of
// [Match] (one must hold) and examples. An example in Yes must produce a finding
// with the rule's id, one in No must not. All examples run with the home
// directory /home/dev and the working directory /home/dev/work/app:
//
//	{ID: "git.reset-hard", Verdict: Deny,
//		Why:     "git reset --hard discards uncommitted work that cannot be brought back.",
//		Instead: "git stash push -u",
//		When:    []Match{{Program: "git", Command: "reset", Has: "--hard"}},
//		Yes:     []string{"git reset --hard", "sudo git -C /x reset -q --har"},
//		No:      []string{"git reset --soft HEAD~1", "echo git reset --hard"}}
//
// Rules see a command after wrappers (sudo, env, sh -c, xargs …) are looked
// through and words are resolved. A dry-run option of the command (Options.DryRun)
// keeps all rules of that command from firing. What a matcher cannot say is a
// [Predicate], which the engine implements.
//
// # To add something
//
//   - a program: one Program in the file of its domain
//   - an option: one word in the right field of its Options
//   - a subcommand: one Command in its Commands
//   - a rule: one Rule with at least one example on each side
//
// The tests of package gatecore run all examples, refuse repeated ids and rules that
// never fire, and check every list for syntax (see Compile there).
package l0
