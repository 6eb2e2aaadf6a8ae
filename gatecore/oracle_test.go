//go:build unix

package gatecore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/gatecore"
)

// The oracle compares our reading of shell text with what a shell really does. A text is given to bash (or dash) in an
// empty temporary directory, with no program on its PATH: every program it would run is recorded with its words instead.
//
// Texts are built only from the names below, shell syntax and relative names. Nothing in them is an absolute path, none of
// the names exists, and `git reset --hard` would do nothing in an empty directory even if it were found: a text is
// harmless whatever a shell makes of it.
//
//	GATECORE_ORACLE=1            switches these tests on (they need bash and dash)
//	GATECORE_ORACLE_TIME=30m     how long the differential fuzzer runs; default 10s
//	GATECORE_ORACLE_SEED=N       repeats a run

// oracleUnknown are programs the table does not list: a text that makes a shell run one must never be allowed.
var oracleUnknown = []string{"p1", "p2", "p3"}

// oracleDenied is a command that is deny wherever it stands.
var oracleDenied = []string{"git", "reset", "--hard"}

func oracleOn(t *testing.T, shell string) string {
	t.Helper()
	if os.Getenv("GATECORE_ORACLE") == "" {
		t.Skip("GATECORE_ORACLE is not set; `make oracle` sets it")
	}
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Fatalf("the oracle needs %s on PATH: %v", shell, err)
	}
	return path
}

// shellRun is what a shell did with a text: the programs it would have run, with their words, in order.
type shellRun struct {
	commands [][]string
	written  []string // names of files it made
	timedOut bool
}

// runShell gives text to a shell. Records come over descriptor 3, each "count NUL word NUL …".
func runShell(shell, text string) (shellRun, error) {
	dir, err := os.MkdirTemp("", "oracle-")
	if err != nil {
		return shellRun{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if strings.ContainsRune(text, 0) {
		return shellRun{}, nil // cannot be an argument
	}
	records, writer, err := os.Pipe()
	if err != nil {
		return shellRun{}, err
	}
	defer func() { _ = records.Close() }()
	cmd := exec.Command(shell, shellArgs(shell, text)...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=/nonexistent", "HOME=" + dir, "TMPDIR=" + dir, "LC_ALL=C.UTF-8",
		`BASH_FUNC_command_not_found_handle%%=() { printf '%s\0' "$#" "$@" >&3; }`,
	}
	cmd.ExtraFiles = []*os.File{writer}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		_ = writer.Close()
		return shellRun{}, err
	}
	_ = writer.Close()
	var run shellRun
	var timedOut atomic.Bool
	limit := time.AfterFunc(2*time.Second, func() {
		timedOut.Store(true)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	})
	data, readErr := io.ReadAll(io.LimitReader(records, 1<<20))
	limit.Stop()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // whatever it left in the background
	_ = cmd.Wait()                                      // its status says nothing
	run.timedOut = timedOut.Load()
	run.commands = decodeRecords(data)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return run, err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "sh-thd") { // a here-document of a killed bash
			run.written = append(run.written, e.Name())
		}
	}
	return run, readErr
}

// shellArgs gives the text unchanged to bash; dash has no handler for unknown programs, so there each name is a function
// and the text goes through eval.
func shellArgs(shell, text string) []string {
	if filepath.Base(shell) != "dash" {
		return []string{"--norc", "--noprofile", "-c", text}
	}
	var defs strings.Builder
	for _, name := range append(slices.Clone(oracleUnknown), "git", "ls", "cat") {
		fmt.Fprintf(&defs, "%s() { printf '%%s\\000' \"$(($#+1))\" %s \"$@\" >&3; }\n", name, name)
	}
	return []string{"-c", "ulimit -v 400000\n" + defs.String() + "eval \"$1\"", "dash", text}
}

func decodeRecords(data []byte) [][]string {
	var all [][]string
	fields := bytes.Split(data, []byte{0})
	for len(fields) > 1 {
		n, err := strconv.Atoi(string(fields[0]))
		if err != nil || n < 0 || n > len(fields)-1 {
			return all
		}
		words := make([]string, n)
		for i := range words {
			words[i] = string(fields[1+i])
		}
		all = append(all, words)
		fields = fields[1+n:]
	}
	return all
}

// hides reports a fault of our reading: the shell ran an unknown program or wrote a file, and we allowed the text.
func hides(engine *gatecore.Engine, text string, run shellRun) error {
	report := engine.Assess(text, gatecore.Place{Dir: "/home/dev/work/app", Home: "/home/dev"})
	if report.Verdict != gatecore.Allow {
		return nil
	}
	if len(run.written) > 0 {
		return fmt.Errorf("S1: the shell writes %q, and the text is allowed:\n%s\n%q", run.written, text, text)
	}
	for _, words := range run.commands {
		if len(words) > 0 && (slices.Contains(oracleUnknown, words[0]) || slices.Equal(words, oracleDenied)) {
			return fmt.Errorf("S1: the shell runs %q, and the text is allowed:\n%s\n%q", words, text, text)
		}
	}
	return nil
}

// TestOracleWords compares command splitting and word resolution with bash: what bash runs must stand, word for word,
// among the parts of our explanation.
func TestOracleWords(t *testing.T) {
	bash := oracleOn(t, "bash")
	is := is.New(t)
	engine, err := gatecore.New(nil)
	is.NoErr(err) // the built-in table
	for _, text := range []string{
		`p1 a b`,
		`p1 'a b' "c d" e\ f`,
		`p1 $'a\tb\x41\u00e9' $'\101'`,
		`p1 a"b"'c'd\e`,
		`p1 {a,b}{1..3}`,
		`p1 {1..7..2} x{,y}z`,
		`p1 a\
b`,
		`x=1; p1 $x "${x}" ${x:-2} ${y:-3}`,
		`x='a b'; p1 "$x" $x`,
		`p1 $(echo a b) "$(echo 'c  d')"`,
		"p1 `echo a`",
		`p1 "$(printf '%s-%s' a b)"`,
		`p1 a; p2 b && p3 c || p1 d`,
		`p1 a | p2 b`,
		`(p1 a; p2 b)`,
		`{ p1 a; p2 b; }`,
		`if true; then p1 a; fi`,
		`for i in a b; do p1 x; done`,
		`case a in a) p1 y;; esac`,
		`f() { p1 in; }; f`,
		`p1 <<E
text
E`,
		`p1 a # comment`,
		`p1 a#b '#c'`,
		`! p1 a`,
		`time p1 a`,
		`p1 a & p2 b`,
		`eval p1 'a b'`,
		`eval "p1 'a b'"`,
		`p\1 a`,
		`'p1' a`,
		`p"1" a`,
		`$'p1' a`,
		`p1 ~+ ""  ''`,
		`p1 "a
b"`,
		`p1 -- -a --b=c`,
		`p1 \$x '$x' "\$x"`,
		`p1 "a\b\\c\"d"`,
		`a=1 b=2 p1 c`,
		`p1 >/dev/null 2>&1 a`,
		`2>/dev/null p1 a`,
		`command p1 a`,
		`builtin eval p1 a`,
	} {
		t.Run(text, func(t *testing.T) {
			is := is.New(t)
			run, err := runShell(bash, text)
			is.NoErr(err)                  // bash runs
			is.True(len(run.commands) > 0) // and runs something
			explanation := engine.Explain(text, gatecore.Place{Dir: "/home/dev/work/app", Home: "/home/dev"})
			var seen [][]string
			collectWords(explanation.Parts, &seen)
			for _, words := range run.commands {
				words = slices.Clone(words)
				for i, w := range words {
					if filepath.IsAbs(w) && strings.Contains(w, "oracle-") {
						words[i] = "/home/dev/work/app" // ~+ in the shell's own directory
					}
				}
				found := slices.ContainsFunc(seen, func(s []string) bool { return slices.Equal(s, words) })
				if !found {
					t.Errorf("bash runs %q; our parts are %q", words, seen)
				}
			}
		})
	}
}

func collectWords(parts []*gatecore.Part, into *[][]string) {
	for _, p := range parts {
		if len(p.Words) > 0 {
			*into = append(*into, p.Words)
		}
		collectWords(p.Children, into)
	}
}

// TestOracleDifferential generates texts and looks for one that makes a shell run an unknown program although we allow it.
func TestOracleDifferential(t *testing.T) {
	shells := []string{oracleOn(t, "bash"), oracleOn(t, "dash")}
	is := is.New(t)
	engine, err := gatecore.New(nil)
	is.NoErr(err) // the built-in table
	long, err := time.ParseDuration(orDefault(os.Getenv("GATECORE_ORACLE_TIME"), "10s"))
	is.NoErr(err) // GATECORE_ORACLE_TIME is a duration such as 30m
	seed, err := strconv.ParseUint(orDefault(os.Getenv("GATECORE_ORACLE_SEED"), strconv.FormatInt(time.Now().UnixNano(), 10)), 10, 64)
	is.NoErr(err) // GATECORE_ORACLE_SEED is a number
	t.Logf("seed %d", seed)

	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	var texts, allowed, ran atomic.Int64
	var faults sync.Map
	var wg sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			g := oracleGenerator{rand.New(rand.NewPCG(seed, uint64(worker)))}
			for ctx.Err() == nil {
				text := g.text()
				texts.Add(1)
				// A text that is not allowed cannot be a fault of this kind; only a few of those are run, to know that the
				// generator makes texts that do something.
				verdict := engine.Assess(text, gatecore.Place{Dir: "/home/dev/work/app", Home: "/home/dev"}).Verdict
				if verdict == gatecore.Allow {
					allowed.Add(1)
				} else if g.r.IntN(50) != 0 {
					continue
				}
				for _, shell := range shells {
					run, err := runShell(shell, text)
					if err != nil && !errors.Is(err, os.ErrClosed) {
						continue
					}
					if len(run.commands) > 0 {
						ran.Add(1)
					}
					if err := hides(engine, text, run); err != nil {
						faults.Store(text, fmt.Errorf("%s: %w", filepath.Base(shell), err))
					}
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d texts, %d of them allowed, %d runs in which a shell ran something", texts.Load(), allowed.Load(), ran.Load())
	faults.Range(func(_, fault any) bool {
		t.Error(fault)
		return true
	})
	is.True(ran.Load() > 0) // the generator makes texts that run something
}

func orDefault(s, d string) string {
	if s == "" {
		return d
	}
	return s
}

// oracleGenerator makes shell texts from harmless names, and then breaks some of them.
type oracleGenerator struct{ r *rand.Rand }

func (g oracleGenerator) pick(of ...string) string { return of[g.r.IntN(len(of))] }

// text is a generated text; in two of three some bytes are changed.
func (g oracleGenerator) text() string {
	text := g.list(3)
	for g.r.IntN(3) != 0 && len(text) > 0 && len(text) < 400 {
		text = g.breakUp(text)
	}
	return text
}

// breakUp inserts, deletes or copies a little somewhere. None of the pieces holds a slash or a digit over 3.
func (g oracleGenerator) breakUp(text string) string {
	at := g.r.IntN(len(text) + 1)
	switch g.r.IntN(4) {
	case 0:
		end := min(len(text), at+1+g.r.IntN(3))
		return text[:at] + text[end:]
	case 1:
		end := min(len(text), at+1+g.r.IntN(12))
		to := g.r.IntN(len(text) + 1)
		return text[:to] + text[at:end] + text[to:]
	default:
		piece := g.pick("\\", "\n", "\\\n", "#", " #", "'", `"`, "`", "$", "$(", "${", ")", "(", "}", "{", ";", "&", "|", "&&", "||", ";;", "<<E\n", "\nE\n", "<<-E\n",
			"<", "<<<", "=", "[", "]", "[[ ", " ]]", "((", "))", "$((", "!", "*", "?", "~", ":", "%", "^", "@", ",", "..", "\t", "\r", "\r\n", " ", "  ", "p1", "p2 ", "ls ", "echo ", "$'", `\'`,
			"a[", "+=", "x=", "in ", "do ", "done", "fi", "then ", "esac", "\u00a0", "\u200b", "\x01", "\x7f", "|&", "&>", ">&", "$[", "${x@P}", "${!x}", "eval ", "coproc ", "function ")
		return text[:at] + piece + text[at:]
	}
}

func (g oracleGenerator) list(depth int) string {
	var b strings.Builder
	for n := 1 + g.r.IntN(3); n > 0; n-- {
		b.WriteString(g.statement(depth))
		if n > 1 {
			b.WriteString(g.pick(";", "\n", " && ", " || ", " | ", " & ", "; ", " ;\n", " |& ", "|"))
		}
	}
	return b.String()
}

func (g oracleGenerator) statement(depth int) string {
	if depth <= 0 {
		return g.simple(depth)
	}
	switch g.r.IntN(28) {
	case 13:
		return g.pick("while ", "until ! ", "while ! ") + g.list(depth-1) + "; do " + g.list(depth-1) + "\nbreak\ndone"
	case 14:
		return "for ((x=" + g.arithmetic(depth-1) + ";x<1;x=2)); do " + g.list(depth-1) + "\ndone"
	case 15:
		return g.pick("declare -a x=", "declare -A x=", "typeset -a x=", "readonly -a y=", "export -a x=", "declare x=", "mapfile -t x <<<a; declare x=", "read x <<<", "read -a x <<<") + g.quotedArray(depth-1)
	case 16:
		return "x=" + g.word(depth-1) + "; " + g.pick("echo ${a:x}", "echo ${a:0:x}", "echo $((x))", "echo ${a[x]}", "echo ${x@P}", "echo ${!x}", "[[ x -eq 1 ]]", "[[ $x -lt 1 ]]", "let y=x", "declare -i y=x", "test -v x", "printf %d $x", "$x", "eval $x", "a[x]=1", "echo \"${x@E}\"", "f() { $1; }; f $x")
	case 17:
		return g.pick("select x in a; do ", "for x; do ", "for x do ") + g.list(depth-1) + "\nbreak\ndone"
	case 18:
		return "set -- " + g.word(depth-1) + " " + g.word(depth-1) + "; " + g.pick("echo $@", `"$@"`, "$*", "$1", "echo ${1:-$2}", "eval $@", "shift; $1", `IFS=1; $*`)
	case 0:
		return "(" + g.list(depth-1) + ")"
	case 1:
		return "{ " + g.list(depth-1) + "\n}"
	case 2:
		return "if " + g.list(depth-1) + "\nthen " + g.list(depth-1) + "\nfi"
	case 3:
		return "for x in " + g.word(depth-1) + " " + g.word(depth-1) + "; do " + g.list(depth-1) + "\ndone"
	case 4:
		return "case " + g.word(depth-1) + " in " + g.pick("a)", "*)", "(a|b)", `"x")`) + " " + g.list(depth-1) + g.pick("\n;;", "\n;&", "\n;;&", "\n") + " esac"
	case 5:
		return g.pick("f()", "function f", "function f ()", "f ( )") + " { " + g.list(depth-1) + "\n}; f"
	case 6:
		return "[[ " + g.word(depth-1) + g.pick(" == ", " != ", " =~ ", " -eq ", " < ") + g.word(depth-1) + " ]]"
	case 7:
		return "(( " + g.arithmetic(depth-1) + " ))"
	case 8:
		return g.simple(depth-1) + " " + g.heredoc(depth-1)
	case 9:
		return "x=" + g.word(depth-1) + g.pick("; ", "\n", " ") + g.simple(depth-1)
	case 10:
		return g.pick("eval ", "eval -- ", "builtin eval ", "command eval ") + g.word(depth-1)
	case 11:
		return g.pick("! ", "time ", "time -p ", "coproc ", "exec ") + g.simple(depth-1)
	case 12:
		return g.pick("test -v ", "[ -v ", "printf -v ", "read ", "declare ", "declare -i ", "declare -n r=", "local ", "let ", "unset ", "export ", "mapfile -C ", "trap ", "set -- ", "shopt -s ", "alias q=") + g.word(depth-1)
	default:
		return g.simple(depth)
	}
}

func (g oracleGenerator) simple(depth int) string {
	var b strings.Builder
	if g.r.IntN(8) == 0 {
		b.WriteString(g.pick("x=", "y+=", "x[0]=", "PS4=", "IFS=") + g.word(depth-1) + " ")
	}
	b.WriteString(g.pick("echo", "ls", "cat", "true", "printf", ":", "test", "wc", "head", "grep", "echo", "ls", "p1", "p2", "git reset --hard", "e''cho", `l\s`))
	for n := g.r.IntN(4); n > 0; n-- {
		b.WriteString(g.pick(" ", " ", "\t", "  ", " \\\n") + g.word(depth-1))
	}
	if g.r.IntN(6) == 0 {
		b.WriteString(g.pick(" >/dev/null", " 2>&1", " >&2", " <<<", " <", " 2>", " &>", " >|", " >", " >>", " 3>", " <>", " {x}>", " >&", " &>>", " >&-", " 1<>") + g.pick("", " ") + g.pick("a", "1", g.word(0)))
	}
	if g.r.IntN(10) == 0 {
		b.WriteString(" #" + g.pick(" note", "", " $(p1)", " '", " \\", "`p1`"))
	}
	return b.String()
}

// quotedArray is a word that some declarations read as the elements of an array.
func (g oracleGenerator) quotedArray(depth int) string {
	return g.pick("'($(p1))'", `"(\$(p1))"`, "'([$(p1)]=1)'", "'[$(p1)]=1'", "'a[$(p1)]'", "'(a b)'", "$y", "'(`p1`)'", "($(p1))", "("+g.word(max(0, depth-1))+")", g.word(max(0, depth)))
}

func (g oracleGenerator) heredoc(depth int) string {
	end := g.pick("E", "'E'", `"E"`, `\E`, "$E")
	body := g.pick("text", "$(p1)", "`p1`", "$x", `\$(p1)`, "a\\", g.list(max(0, depth-1)), "${x:-$(p1)}", "\tE", "E ")
	return g.pick("<<", "<<-", "<< ") + end + "\n" + body + "\n" + g.pick("E", "\tE", "E\n"+g.simple(0), "")
}

func (g oracleGenerator) word(depth int) string {
	if depth <= 0 {
		return g.pick("a", "b.c", "-n", "'q r'", `"s t"`, "$x", "x", `\#`, "*", "", "1", "2", "--", "%s", "$$", "$?", "$#", "~", "a=b", "{a,b}")
	}
	switch g.r.IntN(16) {
	case 0:
		return "$(" + g.list(depth-1) + ")"
	case 1:
		return "`" + g.simple(0) + "`"
	case 2:
		return `"` + g.pick("a ", "") + "$(" + g.list(depth-1) + ")" + `"`
	case 3:
		return "${x" + g.pick(":-", "-", ":=", "+", ":+", "#", "%", "/a/", ":1", "^", "@P", "@Q", "[0]", "[$(p1)]", ":$(p1)") + g.word(depth-1) + "}"
	case 4:
		return "$((" + g.arithmetic(depth-1) + "))"
	case 5:
		return g.pick("<(", ">(") + g.list(depth-1) + ")"
	case 6:
		return "$'" + g.pick("a", `\x70\x31`, `\n`, `\'`, `\\`, `\c'`, `\u0024(p1)`) + "'"
	case 7:
		return "'" + g.pick("p1", "$(p1)", "a b", `\`, "p1; p2", "#") + "'"
	case 8:
		return "${" + g.pick("!x", "#x", "x@P", "!x*", "x[@]", "x[p1]", "a[$(p1)]", " p1;", "|p1;") + "}"
	case 9:
		return g.pick("@(", "!(", "?(", "*(", "+(") + "a|" + g.word(depth-1) + ")"
	case 10:
		return "{" + g.word(depth-1) + "," + g.word(depth-1) + "}"
	case 11:
		return g.pick("x=(", "(") + g.word(depth-1) + ")"
	default:
		return g.word(0) + g.pick("", g.word(0))
	}
}

func (g oracleGenerator) arithmetic(depth int) string {
	return g.pick("1+2", "x", "x[0]", "x[$(p1)]", "a[`p1`]", "x=1", "'x'", `"$x"`, "$x", "x<<1", "1#2", "x ? 1 : 2") + g.pick("", "", "+"+g.pick("1", "$(p1)", "x"))
}
