package gatecore_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// A textForm wraps or rewrites a whole command; the result runs the same command. It reports false where it would not.
type textForm struct {
	name   string
	quoted bool // the command is handed over as it is, in a quoted string, so it need not parse
	apply  func(command string) (string, bool)
}

var textForms = []textForm{
	{"sh -c", true, func(c string) (string, bool) { return "sh -c " + quote(c), !option(c) }},
	{"bash -lc", true, func(c string) (string, bool) { return "bash -lc " + quote(c), !option(c) }},
	{"eval", true, func(c string) (string, bool) { return "eval " + quote(c), !option(c) }},
	{"heredoc into bash", false, func(c string) (string, bool) {
		return "bash <<'PHX_END'\n" + c + "\nPHX_END\n", !strings.Contains(c, "PHX_END") && !continues(c)
	}},
	{"subshell", false, func(c string) (string, bool) { return "(" + c + "\n)", !strings.HasPrefix(c, "(") && !endsCR(c) }},
	{"group", false, func(c string) (string, bool) { return "{ " + c + "\n}", !endsCR(c) }},
	{"after true;", false, func(c string) (string, bool) { return "true; " + c, true }},
	{"in if", false, func(c string) (string, bool) { return "if true; then " + c + "\nfi", !endsCR(c) }},
	{"CRLF lines", false, func(c string) (string, bool) {
		return strings.ReplaceAll(strings.TrimSuffix(c, "\n"), "\n", "\r\n") + "\r\n", !strings.Contains(c, "\r")
	}},
}

// A wordForm rewrites the words of one simple command; at picks the word or the letter to change.
type wordForm struct {
	name     string
	external bool // something other than the shell starts the program, so builtins are out
	apply    func(words []string, at int) (string, bool)
}

var wordForms = []wordForm{
	{"single-quoted letter", false, inWord(func(head, letter, tail string) string { return head + "'" + letter + "'" + tail })},
	{"double-quoted letter", false, inWord(func(head, letter, tail string) string { return head + `"` + letter + `"` + tail })},
	{"backslash before a letter", false, inWord(func(head, letter, tail string) string { return head + `\` + letter + tail })},
	{"empty quotes in a word", false, inWord(func(head, letter, tail string) string { return head + `''` + letter + tail })},
	{"backslash-newline in a word", false, inWord(func(head, letter, tail string) string { return head + "\\\n" + letter + tail })},
	{"ANSI-C quoted letter", false, inWord(func(head, letter, tail string) string { return head + "$'" + letter + "'" + tail })},
	{"$(echo word)", false, oneWord(func(w string) (string, bool) { return "$(echo " + w + ")", !echoEats.MatchString(w) })},
	{"`echo word`", false, oneWord(func(w string) (string, bool) { return "`echo " + w + "`", !echoEats.MatchString(w) })},
	{"word from a variable", false, func(words []string, at int) (string, bool) {
		at %= len(words)
		changed := slices.Clone(words)
		changed[at] = "$x"
		return "x=" + words[at] + "; " + strings.Join(changed, " "), true
	}},
	{"half a word from a variable", false, func(words []string, at int) (string, bool) {
		at %= len(words)
		w := words[at]
		if len(w) < 2 {
			return "", false
		}
		changed := slices.Clone(words)
		changed[at] = "${x}" + w[1:]
		return "x=" + w[:1] + "; " + strings.Join(changed, " "), true
	}},
	{"env", true, before("env ")},
	{"env with an assignment", true, before("env A=1 ")},
	{"sudo", true, before("sudo ")},
	{"timeout", true, before("timeout 5 ")},
	{"nice", true, before("nice -n 5 ")},
	{"command", false, before("command ")},
	{"xargs", true, before("xargs ")},
	{"piped xargs", true, before("echo y | xargs ")},
	{"find -exec", true, func(words []string, _ int) (string, bool) {
		return "find . -name y -exec " + strings.Join(words, " ") + ` \;`, true
	}},
	{"brace expansion", false, func(words []string, _ int) (string, bool) {
		if len(words) < 2 || slices.ContainsFunc(words, func(w string) bool { return strings.ContainsRune(w, ',') }) {
			return "", false
		}
		return "{" + strings.Join(words, ",") + "}", true
	}},
	{"abbreviated long option", false, abbreviate},
	{"flags last", false, flagsMoved(func(flags, operands []string) []string { return append(operands, flags...) })},
	{"flags reversed", false, flagsMoved(func(flags, operands []string) []string {
		slices.Reverse(flags)
		return append(flags, operands...)
	})},
	{"flags bundled", false, flagsMoved(func(flags, operands []string) []string {
		return append([]string{"-" + letters(flags)}, append(long(flags), operands...)...)
	})},
	{"flags split", false, flagsMoved(func(flags, operands []string) []string {
		out := long(flags)
		for _, r := range letters(flags) {
			out = append(out, "-"+string(r))
		}
		return append(out, operands...)
	})},
	{"absolute program path", true, func(words []string, _ int) (string, bool) {
		if strings.ContainsRune(words[0], '/') {
			return "", false
		}
		return "/usr/bin/" + strings.Join(words, " "), true
	}},
}

var (
	// echoEats matches the words echo takes as its own options.
	echoEats = regexp.MustCompile(`^-[neE]+$`)
	// plainCommand matches one simple command without quotes, expansions, globs or redirections.
	plainCommand = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./:@%+-]*( [A-Za-z0-9_./:@%+=,-]+)*$`)
	// cmdlet matches a PowerShell command, and a drive of cmd: bash's quoting is not PowerShell's, and a cmdlet has no path.
	cmdlet = regexp.MustCompile(`^[A-Za-z]+-[A-Z]|(^| )[A-Za-z]:( |$)`)
	// shellWords are reserved words, which quoting turns into program names.
	shellWords = strings.Fields("if then elif else fi for while until do done case esac select function time in coproc")
	// shellBuiltins cannot be started by another program.
	shellBuiltins = strings.Fields(". alias bg bind break builtin caller cd command compgen complete continue declare dirs disown enable eval " +
		"exec exit export fc fg getopts hash history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source " +
		"suspend times trap type typeset ulimit umask unalias unset wait")
)

// option reports a text that sh -c and eval would take as an option of theirs.
func option(text string) bool { return strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") }

// endsCR reports a text whose stray carriage return a newline behind it would make the end of a CRLF line.
func endsCR(text string) bool { return strings.HasSuffix(text, "\r") }

// quote makes one POSIX single-quoted word of s.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func inWord(change func(head, letter, tail string) string) func([]string, int) (string, bool) {
	return func(words []string, at int) (string, bool) {
		word := at % len(words)
		w := words[word]
		if len(w) < 2 {
			return "", false
		}
		i := 1 + at/len(words)%(len(w)-1)
		changed := slices.Clone(words)
		changed[word] = change(w[:i], w[i:i+1], w[i+1:])
		return strings.Join(changed, " "), true
	}
}

func oneWord(change func(string) (string, bool)) func([]string, int) (string, bool) {
	return func(words []string, at int) (string, bool) {
		at %= len(words)
		w, ok := change(words[at])
		changed := slices.Clone(words)
		changed[at] = w
		return strings.Join(changed, " "), ok
	}
}

func before(wrapper string) func([]string, int) (string, bool) {
	return func(words []string, _ int) (string, bool) { return wrapper + strings.Join(words, " "), true }
}

// abbreviations are long options of programs that accept an unambiguous prefix (getopt_long, git), with their shortest one.
var abbreviations = map[string]map[string]string{
	"rm":           {"--recursive": "--r", "--force": "--f", "--no-preserve-root": "--no-p"},
	"chmod":        {"--recursive": "--rec"},
	"chown":        {"--recursive": "--rec"},
	"chgrp":        {"--recursive": "--rec"},
	"truncate":     {"--size": "--s"},
	"shred":        {"--remove": "--rem", "--force": "--f", "--zero": "--z"},
	"sort":         {"--output": "--o", "--reverse": "--rev"},
	"date":         {"--set": "--s"},
	"sed":          {"--in-place": "--in"},
	"git reset":    {"--hard": "--har"},
	"git clean":    {"--force": "--fo"},
	"git push":     {"--mirror": "--mi", "--delete": "--del", "--prune": "--pru"},
	"git checkout": {"--force": "--fo"},
	"git switch":   {"--discard-changes": "--disc", "--force": "--forc"},
	"git restore":  {"--worktree": "--work", "--staged": "--stag"},
	"git log":      {"--oneline": "--onel"},
	"git diff":     {"--output": "--outpu"},
}

// program is the first word, or git and its subcommand where that comes next.
func program(words []string) (name string, arguments []string) {
	if words[0] == "git" && len(words) > 1 {
		return "git " + words[1], words[2:]
	}
	return words[0], words[1:]
}

func abbreviate(words []string, at int) (string, bool) {
	name, arguments := program(words)
	options := abbreviations[name]
	changed, found := slices.Clone(words), false
	for i := len(words) - len(arguments); i < len(words); i++ {
		option, value, hasValue := strings.Cut(words[i], "=")
		short, ok := options[option]
		if !ok {
			continue
		}
		changed[i] = option[:len(short)+at%(len(option)-len(short))]
		if hasValue {
			changed[i] += "=" + value
		}
		found = true
	}
	return strings.Join(changed, " "), found
}

// freeFlags are flags that take no value and may stand anywhere among the arguments.
var freeFlags = map[string]string{
	"rm":           "-r -R -f -i -v -d -rf -fr -Rf -rfv -rv --recursive --force --verbose --no-preserve-root",
	"chmod":        "-R -v -f -c --recursive --verbose",
	"chown":        "-R -v -f -c -h --recursive --verbose",
	"cp":           "-r -R -f -v -a -p --recursive --force",
	"mv":           "-f -v -n --force --verbose",
	"git reset":    "-q --hard --soft --mixed --keep --quiet",
	"git clean":    "-f -d -x -X -q -n -fd -fdx -nd -nf --force --dry-run --quiet",
	"git push":     "-f -u -q -v --force --tags --all --mirror --delete -d --prune --dry-run --no-verify",
	"git branch":   "-D -a -v -vv -r -q --list --all",
	"git checkout": "-f -q -qf --force --quiet",
	"ls":           "-l -a -h -la -lh -R -1 --all",
	"rsync":        "-a -v -z -n -avz -avzn --delete --dry-run",
}

func flagsMoved(arrange func(flags, operands []string) []string) func([]string, int) (string, bool) {
	return func(words []string, _ int) (string, bool) {
		name, arguments := program(words)
		known := strings.Fields(freeFlags[name])
		var flags, operands []string
		for _, a := range arguments {
			switch {
			case !strings.HasPrefix(a, "-"):
				operands = append(operands, a)
			case slices.Contains(known, a):
				flags = append(flags, a)
			default:
				return "", false
			}
		}
		if len(letters(flags)) == 0 {
			return "", false
		}
		head := slices.Clone(words[:len(words)-len(arguments)])
		return strings.Join(append(head, arrange(flags, operands)...), " "), true
	}
}

// letters joins the short flags.
func letters(flags []string) string {
	var b strings.Builder
	for _, f := range flags {
		if !strings.HasPrefix(f, "--") {
			b.WriteString(f[1:])
		}
	}
	return b.String()
}

// long keeps the long flags.
func long(flags []string) []string {
	var out []string
	for _, f := range flags {
		if strings.HasPrefix(f, "--") {
			out = append(out, f)
		}
	}
	return out
}

// strictness orders reports: allowed, open to a second opinion, open to a person only, denied.
func strictness(r gatecore.Report) int {
	switch {
	case r.Verdict == gatecore.Deny:
		return 4
	case r.Verdict == gatecore.Undecided && r.Kind == gatecore.Unreadable:
		return 3
	case r.Verdict == gatecore.Undecided:
		return 2
	}
	return int(r.Verdict)
}

// milder reports whether changed is judged milder than plain. What is PowerShell on its own is bash inside sh -c: only
// the verdicts of such texts can be compared, not what could not be read in them.
func milder(plain, changed gatecore.Report) bool {
	if fires(plain, "windows.unread") {
		return changed.Verdict < plain.Verdict
	}
	return strictness(changed) < strictness(plain)
}

// parses reports whether bash's grammar accepts the text and finds something to run in it, so that a wrapper cannot
// give it another meaning.
func parses(text string) bool {
	f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	return err == nil && len(f.Stmts) > 0
}

// continues reports a text that ends inside a line: a newline after it would be swallowed.
func continues(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// applyForm applies form n (of text and word forms) to the command and reports whether it fits.
func applyForm(command string, n, at int) (name, changed string, ok bool) {
	if n < len(textForms) {
		f := textForms[n]
		if !f.quoted && (!parses(command) || continues(command)) || strings.TrimSpace(command) == "" {
			return f.name, "", false
		}
		changed, ok = f.apply(command)
		return f.name, changed, ok
	}
	f := wordForms[n-len(textForms)]
	if !plainCommand.MatchString(command) || cmdlet.MatchString(command) || !parses(command) {
		return f.name, "", false
	}
	words := strings.Fields(command)
	if slices.Contains(shellWords, words[0]) || f.external && slices.Contains(shellBuiltins, words[0]) {
		return f.name, "", false
	}
	changed, ok = f.apply(words, at)
	return f.name, changed, ok
}

func formCount() int { return len(textForms) + len(wordForms) }

// checkForm fails the test if the changed command is judged milder than the command itself.
func checkForm(t *testing.T, e *gatecore.Engine, command string, n, at int) {
	t.Helper()
	name, changed, ok := applyForm(command, n, at)
	if !ok {
		return
	}
	plain, wrapped := e.Assess(command, corpusPlace), e.Assess(changed, corpusPlace)
	if milder(plain, wrapped) {
		t.Errorf("%s makes it milder:\n\t%q is %v (kind %v, %s)\n\t%q is %v (kind %v, %s)", name,
			command, plain.Verdict, plain.Kind, plain.Findings[0].RuleID,
			changed, wrapped.Verdict, wrapped.Kind, wrapped.Findings[0].RuleID)
	}
}

// knownCommands are the commands of both corpora and of every rule's examples.
func knownCommands(tb testing.TB) []string {
	tb.Helper()
	var seeds []string
	for _, name := range []string{"corpus.jsonl", "extra.jsonl"} {
		_, cases := readCorpus(tb, name)
		for _, c := range cases {
			seeds = append(seeds, c.Command)
		}
	}
	seeds = append(seeds, ruleExamples()...)
	slices.Sort(seeds)
	return slices.Compact(seeds)
}

// metamorphicSeeds are all known commands; with -short a quarter of them, which is enough to look for races.
func metamorphicSeeds(tb testing.TB) []string {
	tb.Helper()
	seeds := knownCommands(tb)
	if !testing.Short() {
		return seeds
	}
	var some []string
	for i := 0; i < len(seeds); i += 4 {
		some = append(some, seeds[i])
	}
	return some
}

// TestMetamorphic applies every form to every seed, at the first word, at the last letter and in between.
func TestMetamorphic(t *testing.T) {
	e := corpusEngine(t, []string{"cargo test", "npm test"})
	seeds := metamorphicSeeds(t)
	applied := make([]int, formCount())
	for _, command := range seeds {
		for n := range formCount() {
			if _, _, ok := applyForm(command, n, 0); ok {
				applied[n]++
			}
			for _, at := range []int{0, 1, 2, 5, 11} {
				checkForm(t, e, command, n, at)
				if n < len(textForms) {
					break // text forms have one place only
				}
			}
		}
	}
	for n, count := range applied {
		if count == 0 {
			name, _, _ := applyForm("ls", n, 0)
			t.Errorf("form %q fits no seed: it proves nothing", name)
		}
	}
}

// TestMetamorphicStacked applies two forms, one around the other: a wrapped command inside a second wrapper.
func TestMetamorphicStacked(t *testing.T) {
	e := corpusEngine(t, []string{"cargo test", "npm test"})
	for i, command := range metamorphicSeeds(t) {
		for n := range wordForms {
			_, inner, ok := applyForm(command, len(textForms)+n, i)
			if !ok {
				continue
			}
			checkForm(t, e, inner, (i+n)%len(textForms), i)
		}
		for n := range textForms {
			if _, inner, ok := applyForm(command, n, 0); ok {
				checkForm(t, e, inner, (i+n+1)%len(textForms), i)
			}
		}
	}
}

// FuzzMetamorphic looks for a command and a form of it that is judged milder. TestMetamorphic goes through all seeds; an eighth of
// them is enough to mutate from, and leaves the time to it.
func FuzzMetamorphic(f *testing.F) {
	for i, command := range metamorphicSeeds(f) {
		if i%8 == 0 {
			f.Add(command, uint8(i/8%formCount()), uint16(i))
		}
	}
	e := corpusEngine(f, []string{"cargo test", "npm test"})
	f.Fuzz(func(t *testing.T, command string, form uint8, at uint16) {
		if len(command) > 4096 || !utf8.ValidString(command) || strings.ContainsRune(command, 0) {
			return // hygiene decides these before any form could matter
		}
		checkForm(t, e, command, int(form)%formCount(), int(at))
	})
}

// ruleExamples are the commands that rules must and must not match.
func ruleExamples() []string {
	var out []string
	for _, r := range l0.Rules() {
		out = append(out, r.Yes...)
		out = append(out, r.No...)
	}
	return out
}
