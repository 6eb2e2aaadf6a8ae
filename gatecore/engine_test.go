package gatecore

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
)

var testPlace = Place{Dir: "/home/dev/work/app", Home: "/home/dev"}

func newEngine(t testing.TB) *Engine {
	t.Helper()
	e, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// claims are rows of a table: a sentence, a command and its verdict.
type claim struct {
	text, command string
	want          Verdict
}

func check(t *testing.T, rows []claim) {
	t.Helper()
	e := newEngine(t)
	for _, c := range rows {
		t.Run(c.text, func(t *testing.T) {
			is := is.New(t)
			got := e.Assess(c.command, testPlace)
			if got.Verdict != c.want {
				t.Logf("%q: %+v", c.command, got.Findings)
			}
			is.Equal(got.Verdict.String(), c.want.String())
		})
	}
}

func TestHygiene(t *testing.T) {
	check(t, []claim{
		{"bad UTF-8 is undecided", "echo \xff", Undecided},
		{"bad UTF-8 hides no deny", "echo \xff; rm -rf /", Deny},
		{"NUL is undecided", "ls\x00", Undecided},
		{"NUL hides no deny", "rm\x00 -rf /", Deny},
		{"too long is undecided", "echo " + strings.Repeat("a", 20001), Undecided},
		{"too long hides no deny at its start", "rm -rf /\n" + strings.Repeat("a", 20001), Deny},
		{"CRLF everywhere is read without", "ls\r\npwd\r\n", Allow},
		{"CRLF hides no deny", "ls\r\nrm -rf /\r\n", Deny},
		{"a lone CR is undecided", "ls\rpwd", Undecided},
		{"CRLF on some lines is undecided", "ls\r\npwd\nls", Undecided},
		{"CRLF in a heredoc is undecided", "cat <<E\r\nx\r\nE\r\n", Undecided},
		{"an emoji is text", "echo 🚀", Allow},
		{"a joiner in text is undecided", "echo 👨\u200d💻", Undecided},
		{"a joiner in a writer is deny", "touch a\u200db", Deny},
		{"bidirectional text in a host is deny", "curl http://a\u202eb", Deny},
		{"many openers are undecided", strings.Repeat("(", 300), Undecided},
		{"many openers hide no deny on another line", strings.Repeat("(", 300) + "\nrm -rf /", Deny},
		{"millions of openers do not end the process", strings.Repeat("(", 3_000_000), Undecided},
	})
}

func TestGuards(t *testing.T) {
	check(t, []claim{
		{"a comment that ends in a backslash", "ls # a\\\nrm x", Undecided},
		{"an ordinary comment", "ls # rm -rf /", Allow},
		{"an unquoted heredoc with a joined line", "cat <<E\na\\\nE\nE", Undecided},
		{"a quoted heredoc with a backslash", "cat <<'E'\na\\\nb\nE", Allow},
		{"a heredoc with its delimiter behind tabs", "cat <<E\n\tE\nx\nE", Undecided},
		{"an array", "a=(1 2); ls", Undecided},
		{"an index", "a[1]=2; ls", Undecided},
		{"let", "let x=1", Undecided},
		{"an extended glob", "ls @(a|b)", Undecided},
		{"a coprocess", "coproc ls", Undecided},
		{"arithmetic with a subscript", "echo $((a[0]))", Undecided},
		{"arithmetic with a plain name", "echo $((a + $b))", Allow},
		{"arithmetic with braces", "echo $((${a} + 1))", Undecided},
		{"indirection", "echo ${!a}", Undecided},
		{"prompt expansion", "echo ${a@P}", Undecided},
		{"process substitution in a default", "echo ${x:-<(ls)}", Undecided},
		{"a destructive one there", "echo ${x:-<(rm -rf /)}", Deny},
	})
}

func TestEvaluatedAgain(t *testing.T) {
	check(t, []claim{
		{"[[ -v", "[[ -v 'a[$(rm -rf /)]' ]]", Deny},
		{"test -v", "test -v 'a[$(rm -rf /)]'", Deny},
		{"[ -v", "[ -v 'a[$(rm -rf /)]' ]", Deny},
		{"[[ -eq", "[[ 'a[$(rm -rf /)]' -eq 1 ]]", Deny},
		{"printf -v", "printf -v 'a[$(rm -rf /)]' x", Deny},
		{"read", "read 'a[$(rm -rf /)]'", Deny},
		{"declare -i", "declare -i x='a[$(rm -rf /)]'", Deny},
		{"arithmetic over a variable", "x='a[$(rm -rf /)]'; echo $((x))", Deny},
		{"let", "let 'x=a[$(rm -rf /)]'", Deny},
		{"trap", "trap 'rm -rf /' EXIT", Deny},
		{"PS4", "PS4='$(rm -rf /)'; set -x; ls", Deny},
		{"compgen -C", "compgen -C 'rm -rf /'", Deny},
		{"mapfile -C", "mapfile -C 'rm -rf /' -c 1 x", Deny},
	})
}

func TestResolve(t *testing.T) {
	check(t, []claim{
		{"quotes inside a name", "r'm' -r\"f\" /", Deny},
		{"escapes of $''", `$'\x72\155' -rf /`, Deny},
		{"brace expansion", "rm -rf {/,x}", Deny},
		{"a brace sequence", "rm -rf /tmp/{1..3}", Undecided},
		{"tilde", "rm -rf ~", Deny},
		{"tilde of another user", "rm -rf ~bob/x", Deny},
		{"~+", "rm -rf ~+", Deny},
		{"IFS as separator", "rm${IFS}-rf${IFS}/", Deny},
		{"a default value", "rm -rf ${x:-/}", Deny},
		{"an alternative value", "x=1; rm -rf ${x:+/}", Deny},
		{"a substring", "x=ab/cd; rm -rf ${x:2:1}", Deny},
		{"a replacement", "x=a; rm -rf ${x/a//}", Deny},
		{"a variable", "x=/; rm -rf \"$x\"", Deny},
		{"either of two assignments", "if true; then x=/; else x=/tmp/a; fi; rm -rf $x", Deny},
		{"a constant substitution", "rm -rf $(echo /)", Deny},
		{"printf", "rm -rf $(printf '%s' /)", Deny},
		{"cat of a heredoc", "rm -rf $(cat <<E\n/\nE\n)", Deny},
		{"pwd", "rm -rf $(pwd)", Deny},
		{"a program from a variable is never allowed", "x=ls; $x", Undecided},
		{"an unknown program is judged as a deleter", "$x -rf /", Deny},
		{"an assignment in front counts in both readings", "d=/; d=/tmp/x rm -rf $d", Deny},
		{"positional parameters of a function", "f() { rm -rf $1; }; f /", Deny},
		{"set --", "set -- /; rm -rf $1", Deny},
	})
}

func TestPaths(t *testing.T) {
	check(t, []claim{
		{"cleaned", "rm -rf /tmp/../etc", Deny},
		{"the working directory by its name", "rm -rf /home/dev/work/app", Deny},
		{"below it", "rm -rf /home/dev/work/app/build", Undecided},
		{"beside it", "rm -rf /home/dev/work/other", Deny},
		{"temporary", "rm -rf /tmp/a", Undecided},
		{"the temporary directory itself", "rm -rf /tmp", Deny},
		{"another place", "rm -rf /data/a", Undecided},
		{"an unknown beginning", "rm -rf $x/a", Deny},
		{"a known beginning", "rm -rf ./build/$x", Undecided},
		{"a root with an unknown rest", "rm -rf /$x", Deny},
		{"everything", "rm -rf *", Deny},
		{"a pattern", "rm -rf *.log", Undecided},
		{"cd moves what follows", "cd /; rm -rf etc", Deny},
		{"cd in a subshell does not", "(cd /); rm -rf build", Undecided},
		{"an unknown cd", "cd $x && rm -rf build", Deny},
		{"a single system file", "rm /etc/hosts", Deny},
		{"a single file at home", "rm ~/a", Undecided},
		{"another root directory claimed as workspace", "cd /etc && rm -rf ssh", Deny},
	})
}

func TestUnwrap(t *testing.T) {
	var rows []claim
	for _, w := range []string{
		"sudo", "doas", "env", "env -i A=b", "command", "builtin command", "exec", "nohup", "nice -n 5", "ionice -c 3", "chrt 1", "taskset 1", "timeout -k 1 5",
		"time", "time -p", "stdbuf -oL", "setsid", "unshare -r", "flock /tmp/l", "watch -n 1", "xargs", "busybox", "chroot /x", "nsenter -t 1", "ssh host", "docker exec c",
		"kubectl exec p --", "npx", "find . -maxdepth 0 -exec", "toybox", "sudo -u bob env timeout 3 nice",
	} {
		tail := ""
		if strings.HasSuffix(w, "-exec") {
			tail = " \\;"
		}
		rows = append(rows, claim{w + " hides nothing", w + " rm -rf /" + tail, Deny})
	}
	check(t, append(rows,
		claim{"sh -c", "sh -c 'rm -rf /'", Deny}, claim{"bash -lc", "bash -lc 'rm -rf /'", Deny}, claim{"bash -ec with arguments", "bash -ec 'rm -rf \"$1\"' x /", Deny},
		claim{"eval", "eval 'rm -rf' /", Deny}, claim{"env -S", "env -S 'rm -rf /'", Deny}, claim{"su -c", "su bob -c 'rm -rf /'", Deny},
		claim{"script -c", "script -c 'rm -rf /' x", Deny}, claim{"a here-string", "bash <<< 'rm -rf /'", Deny}, claim{"a heredoc", "sh <<E\nrm -rf /\nE", Deny},
		claim{"git alias", "git -c alias.x='!rm -rf /' x", Deny}, claim{"parallel", "parallel rm -rf ::: /", Deny}, claim{"an alias of the same text", "alias x='rm -rf /'; x", Deny},
		claim{"command -v only looks", "command -v rm", Allow}, claim{"transparent wrappers stay allowed", "timeout 5 nice ls", Allow}, claim{"sudo never is", "sudo ls", Undecided},
	))
}

func TestPlaceNeverMakesAllow(t *testing.T) {
	e := newEngine(t)
	for _, at := range []Place{{}, {Dir: "/"}, {Dir: "/etc"}, {Dir: "relative"}, {Dir: "/home/dev", Home: "/home/dev"}, {Dir: `C:\x`}, {Dir: "/tmp"}, {Dialect: Bash}, {Dialect: Zsh}, {Dialect: PowerShell}, {Dialect: Cmd}, {Dialect: 99}} {
		for _, c := range []string{"rm -rf build", "rm -rf /", "echo x > y", "git push -f", "cat .env", "python3 x.py", "touch x"} {
			if got := e.Assess(c, at); got.Verdict == Allow {
				t.Errorf("%q at %+v is allowed", c, at)
			}
		}
	}
	t.Run("a system directory claimed as workspace protects nothing", func(t *testing.T) {
		is := is.New(t)
		for _, dir := range []string{"/", "/etc", "/usr", "/etc/ssh"} {
			is.Equal(e.Assess("rm -rf /etc/ssh/x", Place{Dir: dir}).Verdict, Deny)
		}
	})
}

func TestSpans(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	command := "ls && sudo bash -c 'echo ok; rm -rf /' # x"
	r := e.Assess(command, testPlace)
	f := r.Findings[0]
	is.Equal(f.Verdict, Deny)
	is.Equal(command[f.Start:f.End], "'echo ok; rm -rf /'") // re-parsed text carries its word's span
	for i := 1; i < len(r.Findings); i++ {
		is.True(r.Findings[i-1].Verdict >= r.Findings[i].Verdict) // strictest first
	}
}

func TestExplain(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	x := e.Explain("sudo timeout 5 rm -rf / | cat", testPlace)
	is.Equal(cmp.Diff(x.Report, e.Assess("sudo timeout 5 rm -rf / | cat", testPlace)), "") // the same verdict
	is.Equal(len(x.Parts), 2)
	sudo := x.Parts[0]
	is.Equal(sudo.Words[0], "sudo")
	is.Equal(sudo.Verdict, Deny) // rolled up from below
	is.Equal(sudo.Children[0].Words[0], "timeout")
	is.Equal(sudo.Children[0].Children[0].Words, []string{"rm", "-rf", "/"})
	is.Equal(x.Parts[1].Verdict, Allow)
	data, err := json.Marshal(x)
	is.NoErr(err)
	is.True(strings.Contains(string(data), `"verdict":"deny"`))
}

func TestWithoutComments(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	for in, want := range map[string]string{
		"ls # harmless":            "ls",
		"# please allow\nrm -rf x": "rm -rf x",
		"echo '# text' \"#\" a#b":  "echo '# text' \"#\" a#b",
		"ls # a\npwd # b":          "ls\npwd",
		"cat <<E\n# text\nE":       "cat <<E\n# text\nE",
		"echo 'unterminated # x":   "echo 'unterminated # x",
	} {
		is.Equal(e.WithoutComments(in), want)
	}
}

func TestGateFiles(t *testing.T) {
	e, err := New(&Options{
		GateFiles: []string{"/opt/gate/bin", "/home/dev/work/app/policy.json", "/srv/used", "/srv/keys/seal"}, KeyFiles: []string{"/srv/keys/seal"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command string
		want    Verdict
	}{
		{"echo x > policy.json", Deny},
		{"rm policy.json", Deny},
		{"rm ./x/../policy.json", Deny},
		{"cp x policy.json", Deny},
		{"sed -i s/a/b/ policy.json", Deny},
		{"mv /opt/gate/bin /tmp/x", Deny},
		{"chmod 000 /opt/gate/bin", Deny},
		{"cat policy.json", Allow},
		{"rm other.json", Undecided},
		{"rm /srv/used/123", Deny},
		{"touch /srv/used/since", Deny},
		{"rm -r /srv/used", Deny},
		{"ls /srv/used", Allow},
		{"touch policy.json2", Undecided},
		{"cat /srv/keys/seal", Undecided},
		{"cat /srv/keys/*", Undecided},
		{"base64 < /srv/keys/s?al", Undecided},
		{"cat /srv/keys/../keys/seal", Undecided},
		{"head -c 64 /srv/keys/seal | xxd", Undecided},
		{"cat /srv/keys/other", Allow},
		{"rm /srv/keys/seal", Deny},
	} {
		t.Run(c.command, func(t *testing.T) {
			is := is.New(t)
			is.Equal(e.Assess(c.command, testPlace).Verdict.String(), c.want.String())
		})
	}
}

func TestAssessConcurrentSafe(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	commands := []string{"ls", "rm -rf /", "git status | head", "bash -c 'curl x | sh'", "docker ps", "for i in 1 2; do cat $i; done"}
	want := make([]Report, len(commands))
	for i, c := range commands {
		want[i] = newEngine(t).Assess(c, testPlace)
	}
	var wg sync.WaitGroup
	got := make([][]Report, 8)
	for g := range got {
		got[g] = make([]Report, len(commands))
		wg.Go(func() {
			for range 20 {
				for i, c := range commands {
					got[g][i] = e.Assess(c, testPlace)
				}
			}
		})
	}
	wg.Wait()
	for g := range got {
		is.Equal(cmp.Diff(got[g], want), "")
	}
}

func TestWorstTextsStayWithinBudget(t *testing.T) {
	e := newEngine(t)
	for name, command := range worstTexts() {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			r := e.Assess(command, testPlace)
			is.True(len(r.Findings) > 0)
			if name == "broken" {
				is.Equal(r.Verdict, Deny) // a broken end hides no deny
			}
		})
	}
}

func FuzzAssess(f *testing.F) {
	for _, s := range []string{"ls -la", "rm -rf /", "echo $(cat <<E\nx\nE\n)", "a=${b:-c} d", "find . -exec rm {} +", "[[ -v x ]]", "sed -n '1,2p' x", "awk '{print $1}' x", "Remove-Item -Recurse C:\\x", "cmd /c del x", "git -c a=b log", "{a,b}{1..9}", "x() { y; }; x"} {
		f.Add(s)
	}
	for _, s := range worstTexts() {
		if len(s) < 3000 {
			f.Add(s)
		}
	}
	e := newEngine(f)
	f.Fuzz(func(t *testing.T, command string) {
		r := e.Assess(command, testPlace)
		if e.panics.Load() > 0 {
			t.Fatalf("%q panics", command)
		}
		if len(r.Findings) == 0 || r.Verdict < Allow || r.Verdict > Deny || r.Verdict != r.Findings[0].Verdict {
			t.Fatalf("%q: %+v", command, r)
		}
		if (r.Verdict == Undecided) != (r.Kind != 0) {
			t.Fatalf("%q: kind %v of %v", command, r.Kind, r.Verdict)
		}
		for _, x := range r.Findings {
			if x.Start < 0 || x.End < x.Start || x.End > len(command) || x.RuleID == rulePanic {
				t.Fatalf("%q: finding %+v", command, x)
			}
		}
		if again := e.Assess(command, testPlace); cmp.Diff(r, again) != "" {
			t.Fatalf("%q: two answers: %s", command, cmp.Diff(r, again))
		}
		if !utf8.ValidString(command) && r.Verdict == Allow {
			t.Fatalf("%q is allowed", command)
		}
	})
}

// TestErrorToldTwice: after such an error the parser's sequence panics if its reader has left the loop.
func TestErrorToldTwice(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	for range 3 {
		for _, c := range []string{"aaaa $(cat<<00)&00", "aaaa $(cat<<00)&\n\n\n!", "ls; $(cat <<E)&\n!", "0 0 0"} {
			e.Assess(c, testPlace)
			is.Equal(e.panics.Load(), int64(0)) // no recovered panic
		}
	}
}

// TestNoPanics keeps a recovered panic from hiding as an undecided verdict.
func TestNoPanics(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	for _, r := range e.Rules() {
		for _, c := range append(r.Yes, r.No...) {
			for _, d := range []Dialect{AutoDialect, Bash, Zsh, PowerShell, Cmd} {
				e.Assess(c, Place{Dir: "/home/dev/work/app", Home: "/home/dev", Dialect: d})
				if n := len(c); n > 0 && n < 200 {
					e.Assess(c[:n/2], testPlace) // broken text
				}
			}
			if e.panics.Load() > 0 {
				t.Fatalf("%q panics", c)
			}
		}
	}
	for _, c := range worstTexts() {
		e.Assess(c, testPlace)
	}
	is.Equal(e.panics.Load(), int64(0))
}
