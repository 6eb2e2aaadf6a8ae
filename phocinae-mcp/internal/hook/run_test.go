package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	switch os.Getenv("PHOCINAE_TEST_CHILD") {
	case "run":
		os.Exit(Run(context.Background(), Claude, strings.NewReader("{"), os.Stdout, os.Stderr, allowAll, nil))
	case "deny":
		os.Exit(DenyFor("claude", "bad flag", os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m)
}

// A process of its own: only there does a closed standard output raise the signal.
func TestClosedStandardOutputLeavesWithTwo(t *testing.T) {
	for _, mode := range []string{"run", "deny"} {
		t.Run(mode, func(t *testing.T) {
			is := is.New(t)
			exe, err := os.Executable()
			is.NoErr(err)
			r, w, err := os.Pipe()
			is.NoErr(err)
			is.NoErr(r.Close()) // nobody will ever read
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), "PHOCINAE_TEST_CHILD="+mode, "GORACE=atexit_sleep_ms=0")
			var errOut bytes.Buffer
			cmd.Stdout, cmd.Stderr = w, &errOut
			err = cmd.Run()
			is.NoErr(w.Close())
			var exit *exec.ExitError
			is.True(errors.As(err, &exit))
			is.Equal(exit.ExitCode(), StatusBlocked)
			is.True(errOut.Len() > 0)
		})
	}
}

// harmlessEvent is an event whose command every sound judge allows.
var harmlessEvent = map[Host]string{
	Claude:  `{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status"}}`,
	Codex:   `{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status"}}`,
	Gemini:  `{"session_id":"s","cwd":"/w","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"git status"}}`,
	Copilot: `{"sessionId":"s","cwd":"/w","toolName":"bash","toolArgs":{"command":"git status"}}`,
	Cursor:  `{"conversation_id":"s","cwd":"/w","hook_event_name":"beforeShellExecution","command":"git status"}`,
}

func allowAll(context.Context, Command) (Decision, error) { return Decision{Verdict: Allow}, nil }

// answerOf runs one event and returns the verdict the host reads; "" for silence.
func answerOf(t testing.TB, host Host, in io.Reader, judge Judge, o *Options) (verdict, stderr string) {
	t.Helper()
	is := is.New(t)
	var out, errOut bytes.Buffer
	code := Run(context.Background(), host, in, &out, &errOut, judge, o)
	is.Equal(code, StatusAnswered)
	return checkAnswer(t, host, out.Bytes()), errOut.String()
}

func TestBrokenEventsAreRefused(t *testing.T) {
	for _, host := range Hosts() {
		good := harmlessEvent[host]
		for _, tc := range []struct{ name, in string }{
			{"nothing at all", ""},
			{"white space only", " \r\n\t"},
			{"a byte order mark only", "\xef\xbb\xbf"},
			{"not JSON", "hello"},
			{"cut in the middle", good[:len(good)-9]},
			{"text after the object", good + "x"},
			{"a second object", good + good},
			{"an array", "[" + good + "]"},
			{"a string", `"x"`},
			{"null", "null"},
			{"an empty object", "{}"},
			{"a repeated name at the top", good[:len(good)-1] + `,"cwd":"/"}`},
			{"a repeated name below", strings.Replace(good, `"git status"`, `"git status","command":"git status"`, 1)},
			{"bytes that are not UTF-8", strings.Replace(good, "git status", "git status \xff", 1)},
			{"UTF-16", "\xff\xfe{\x00}\x00"},
			{"nested too deeply", good[:len(good)-1] + `,"x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "}"},
			{"larger than the limit", good[:len(good)-1] + `,"x":"` + strings.Repeat("a", 9000) + `"}`},
			{"the directory is a number", strings.Replace(good, `"/w"`, `7`, 1)},
			{"the command is a number", strings.Replace(good, `"git status"`, `7`, 1)},
			{"the command is null", strings.Replace(good, `"git status"`, `null`, 1)},
			{"the command is blank", strings.Replace(good, `"git status"`, `"  "`, 1)},
			{"the command is an empty array", strings.Replace(good, `"git status"`, `[]`, 1)},
			{"the command is an array of numbers", strings.Replace(good, `"git status"`, `[1]`, 1)},
			{"the command is an array with an empty program", strings.Replace(good, `"git status"`, `["", "x"]`, 1)},
			{"the command is missing", strings.Replace(good, `"command"`, `"x"`, 1)},
		} {
			t.Run(host.String()+"/"+tc.name, func(t *testing.T) {
				is := is.New(t)
				for _, auto := range []bool{false, true} {
					verdict, stderr := answerOf(t, host, strings.NewReader(tc.in), allowAll, &Options{MaxEventBytes: 8192, AutoAllow: auto})
					is.Equal(verdict, "deny") // a judge that allows everything must not be able to help
					is.True(strings.HasPrefix(stderr, "phocinae-mcp[warn]: "))
					is.Equal(strings.Count(stderr, "\n"), 1) // one record a line
				}
			})
		}
	}
}

func TestMissingMembersAreRefused(t *testing.T) {
	for _, tc := range []struct {
		host Host
		gone string
	}{
		{Claude, `"hook_event_name":"PreToolUse",`},
		{Claude, `"tool_name":"Bash",`},
		{Claude, `,"tool_input":{"command":"git status"}`},
		{Codex, `"hook_event_name":"PreToolUse",`},
		{Codex, `"tool_name":"Bash",`},
		{Codex, `,"tool_input":{"command":"git status"}`},
		{Gemini, `"hook_event_name":"BeforeTool",`},
		{Gemini, `"tool_name":"run_shell_command",`},
		{Gemini, `,"tool_input":{"command":"git status"}`},
		{Copilot, `"toolName":"bash",`},
		{Copilot, `,"toolArgs":{"command":"git status"}`},
		{Cursor, `"hook_event_name":"beforeShellExecution",`},
		{Cursor, `,"command":"git status"`},
	} {
		t.Run(tc.host.String()+" without "+tc.gone, func(t *testing.T) {
			is := is.New(t)
			in := strings.Replace(harmlessEvent[tc.host], tc.gone, "", 1)
			is.True(in != harmlessEvent[tc.host])
			verdict, _ := answerOf(t, tc.host, strings.NewReader(in), allowAll, nil)
			is.Equal(verdict, "deny")
		})
	}
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("no stdin") }

func TestBrokenReadersAreRefused(t *testing.T) {
	for _, host := range Hosts() {
		for name, in := range map[string]io.Reader{
			"nil":                nil,
			"an error at once":   iotest.ErrReader(errors.New("closed")),
			"an error half way":  io.MultiReader(strings.NewReader(harmlessEvent[host]), iotest.ErrReader(errors.New("closed"))),
			"a reader that dies": panicReader{},
		} {
			t.Run(host.String()+"/"+name, func(t *testing.T) {
				verdict, _ := answerOf(t, host, in, allowAll, nil)
				is.New(t).Equal(verdict, "deny")
			})
		}
	}
}

func TestBrokenJudgesAreRefused(t *testing.T) {
	judges := map[string]Judge{
		"nil": nil,
		"an error": func(context.Context, Command) (Decision, error) {
			return Decision{Verdict: Allow}, errors.New("table gone")
		},
		"an error of two lines":  func(context.Context, Command) (Decision, error) { return Decision{}, errors.New("a\nb\x1b[31m\u202e") },
		"an empty error":         func(context.Context, Command) (Decision, error) { return Decision{Verdict: Allow}, errors.New("") },
		"a panic":                func(context.Context, Command) (Decision, error) { panic("boom") },
		"a nil dereference":      func(context.Context, Command) (Decision, error) { var d *Decision; return *d, nil },
		"the zero verdict":       func(context.Context, Command) (Decision, error) { return Decision{}, nil },
		"a verdict out of range": func(context.Context, Command) (Decision, error) { return Decision{Verdict: 9}, nil },
	}
	for _, host := range Hosts() {
		for name, judge := range judges {
			t.Run(host.String()+"/"+name, func(t *testing.T) {
				for _, auto := range []bool{false, true} {
					verdict, stderr := answerOf(t, host, strings.NewReader(harmlessEvent[host]), judge, &Options{AutoAllow: auto})
					is.New(t).Equal(verdict, "deny")
					is.New(t).Equal(strings.Count(stderr, "\n"), 1)
				}
			})
		}
	}
}

func TestOneBadAnswerAmongSeveralRefuses(t *testing.T) {
	is := is.New(t)
	in := `{"hook_event_name":"PreToolUse","tool_name":"mcp__x__sh","tool_input":{"commands":["git status","make","git status"]}}`
	n := 0
	verdict, _ := answerOf(t, Claude, strings.NewReader(in), func(context.Context, Command) (Decision, error) {
		if n++; n == 2 {
			return Decision{}, errors.New("gone")
		}
		return Decision{Verdict: Allow}, nil
	}, nil)
	is.Equal(verdict, "deny")
	is.Equal(n, 2)
}

func TestLateAnswersAreRefusedInTime(t *testing.T) {
	for _, host := range Hosts() {
		for name, run := range map[string]func(t *testing.T, release chan struct{}, o *Options) string{
			"the judge ignores its context": func(t *testing.T, release chan struct{}, o *Options) string {
				v, _ := answerOf(t, host, strings.NewReader(harmlessEvent[host]), func(context.Context, Command) (Decision, error) {
					<-release
					return Decision{Verdict: Allow}, nil
				}, o)
				return v
			},
			"the judge waits for its context and then allows": func(t *testing.T, _ chan struct{}, o *Options) string {
				v, _ := answerOf(t, host, strings.NewReader(harmlessEvent[host]), func(ctx context.Context, _ Command) (Decision, error) {
					<-ctx.Done()
					return Decision{Verdict: Allow}, nil
				}, o)
				return v
			},
			"the judge ends its goroutine": func(t *testing.T, _ chan struct{}, o *Options) string {
				v, _ := answerOf(t, host, strings.NewReader(harmlessEvent[host]), func(context.Context, Command) (Decision, error) {
					runtime.Goexit()
					return Decision{Verdict: Allow}, nil
				}, o)
				return v
			},
			"standard input stays open": func(t *testing.T, release chan struct{}, o *Options) string {
				r, w := io.Pipe()
				go func() {
					_, _ = io.WriteString(w, harmlessEvent[host])
					<-release
					_ = w.Close()
				}()
				v, _ := answerOf(t, host, r, allowAll, o)
				return v
			},
			"the observer hangs": func(t *testing.T, release chan struct{}, o *Options) string {
				o.Observe = func(context.Context, Outcome) error { <-release; return nil }
				v, _ := answerOf(t, host, strings.NewReader(harmlessEvent[host]), allowAll, o)
				return v
			},
			"the process was slow to start": func(t *testing.T, _ chan struct{}, o *Options) string {
				o.Start = time.Now().Add(-time.Hour)
				v, _ := answerOf(t, host, strings.NewReader(harmlessEvent[host]), allowAll, o)
				return v
			},
		} {
			t.Run(host.String()+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					is := is.New(t)
					release := make(chan struct{})
					start := time.Now()
					is.Equal(run(t, release, &Options{AutoAllow: true}), "deny")
					is.True(time.Since(start) <= MaxDeadline) // before any host's clock
					close(release)
				})
			})
		}
	}
}

func TestDeadlineCannotBeRaised(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		start := time.Now()
		verdict, stderr := answerOf(t, Claude, strings.NewReader(harmlessEvent[Claude]), func(ctx context.Context, _ Command) (Decision, error) {
			<-ctx.Done()
			return Decision{}, ctx.Err()
		}, &Options{Deadline: time.Hour})
		is.Equal(verdict, "deny")
		is.True(time.Since(start) <= MaxDeadline)
		is.True(strings.Contains(stderr, "timed out")) // not "dangerous"
	})
}

func TestCancelledContextRefuses(t *testing.T) {
	is := is.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, host := range Hosts() {
		var out, errOut bytes.Buffer
		code := Run(ctx, host, strings.NewReader(harmlessEvent[host]), &out, &errOut, func(context.Context, Command) (Decision, error) {
			return Decision{}, ctx.Err()
		}, nil)
		is.Equal(code, StatusAnswered)
		is.Equal(checkAnswer(t, host, out.Bytes()), "deny")
	}
}

type badWriter struct{ do func([]byte) (int, error) }

func (w badWriter) Write(p []byte) (int, error) { return w.do(p) }

func TestUnwritableOutputLeavesWithTwo(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	denied := func(context.Context, Command) (Decision, error) {
		return Decision{Verdict: Deny, Reason: "bad idea"}, nil
	}
	for _, host := range Hosts() {
		for name, w := range map[string]io.Writer{
			"an error":         badWriter{func([]byte) (int, error) { return 0, errors.New("broken pipe") }},
			"half of it":       badWriter{func(p []byte) (int, error) { return len(p) / 2, nil }},
			"an error at last": badWriter{func(p []byte) (int, error) { return len(p), errors.New("broken pipe") }},
			"a panic":          badWriter{func([]byte) (int, error) { panic("boom") }},
			"nobody reads":     badWriter{func([]byte) (int, error) { <-release; return 0, io.ErrClosedPipe }},
		} {
			t.Run(host.String()+"/"+name, func(t *testing.T) {
				is := is.New(t)
				var errOut bytes.Buffer
				code := Run(t.Context(), host, strings.NewReader(harmlessEvent[host]), w, &errOut, denied, &Options{Deadline: 640 * time.Millisecond})
				is.Equal(code, StatusBlocked)
				is.True(strings.Contains(errOut.String(), "bad idea")) // Codex blocks only with text on standard error
			})
		}
	}
}

func TestUnknownHostLeavesWithTwo(t *testing.T) {
	is := is.New(t)
	for _, host := range []Host{0, 99} {
		var out, errOut bytes.Buffer
		is.Equal(Run(t.Context(), host, strings.NewReader("{}"), &out, &errOut, allowAll, nil), StatusBlocked)
		is.Equal(out.Len(), 0)
		is.True(strings.Contains(errOut.String(), "unknown host"))
		is.Equal(len(Denial(host, "x")), 0)
	}
	var out, errOut bytes.Buffer
	is.Equal(DenyFor("emacs", "x", &out, &errOut), StatusBlocked)
	is.Equal(out.Len(), 0)
	is.True(strings.Contains(errOut.String(), `"emacs"`))
	_, err := ParseHost("Claude")
	is.True(errors.Is(err, ErrUnknownHost)) // names are exact
}

func TestDenyForWorksBeforeAnythingElse(t *testing.T) {
	for _, host := range Hosts() {
		for name, reason := range map[string]string{
			"a reason": "unknown flag --gaurd", "no reason": "", "a long reason": strings.Repeat("é\"\\", 5000), "a dirty reason": "a\x00\xff\u202e\nb",
		} {
			t.Run(host.String()+"/"+name, func(t *testing.T) {
				is := is.New(t)
				var out, errOut bytes.Buffer
				is.Equal(DenyFor(host.String(), reason, &out, &errOut), StatusAnswered)
				is.Equal(checkAnswer(t, host, out.Bytes()), "deny")
				is.Equal(out.String(), string(Denial(host, reason)))
			})
		}
		t.Run(host.String()+"/output gone", func(t *testing.T) {
			is := is.New(t)
			var errOut bytes.Buffer
			is.Equal(DenyFor(host.String(), "bad flag", badWriter{func([]byte) (int, error) { return 0, io.ErrClosedPipe }}, &errOut), StatusBlocked)
			is.True(strings.Contains(errOut.String(), "bad flag"))
		})
	}
}

func TestNilErrorOutputIsNoTrouble(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	is.Equal(Run(t.Context(), Claude, strings.NewReader(""), &out, nil, allowAll, nil), StatusAnswered)
	is.Equal(checkAnswer(t, Claude, out.Bytes()), "deny")
}

func TestObserverSeesEveryOutcomeOnce(t *testing.T) {
	for _, tc := range []struct {
		name, in, answer string
		judged           int
		failed           bool
	}{
		{"allowed", harmlessEvent[Claude], "silent", 1, false},
		{"denied", strings.Replace(harmlessEvent[Claude], "git status", "rm -rf /", 1), "deny", 1, false},
		{"asked", strings.Replace(harmlessEvent[Claude], "git status", "make", 1), "ask", 1, false},
		{"nothing to run", strings.Replace(harmlessEvent[Claude], "Bash", "Read", 1), "silent", 0, false},
		{"broken", "{", "deny", 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			var seen []Outcome
			answerOf(t, Claude, strings.NewReader(tc.in), scripted, &Options{Observe: func(_ context.Context, o Outcome) error {
				seen = append(seen, o)
				return nil
			}})
			is.Equal(len(seen), 1)
			is.Equal(seen[0].Answer, tc.answer)
			is.Equal(len(seen[0].Commands), tc.judged)
			is.Equal(seen[0].Err != nil, tc.failed)
			is.True(!tc.failed || seen[0].Decision.Verdict == Deny)
			is.True(tc.failed || seen[0].Session == "s" && seen[0].Dir == "/w" && seen[0].Event == "PreToolUse")
		})
	}
}

func TestRecordThatCannotBeWrittenRefuses(t *testing.T) {
	for name, observe := range map[string]func(context.Context, Outcome) error{
		"error": func(context.Context, Outcome) error { return errors.New("disk full") },
		"panic": func(context.Context, Outcome) error { panic("boom") },
	} {
		for _, host := range Hosts() {
			t.Run(host.String()+"/"+name, func(t *testing.T) {
				for _, auto := range []bool{false, true} {
					verdict, _ := answerOf(t, host, strings.NewReader(harmlessEvent[host]), allowAll, &Options{Observe: observe, AutoAllow: auto})
					is.New(t).Equal(verdict, "deny")
				}
			})
		}
	}
}

func TestLateVerdictIsRecordedWithItsEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var seen Outcome
		answerOf(t, Claude, strings.NewReader(harmlessEvent[Claude]), func(ctx context.Context, _ Command) (Decision, error) {
			<-ctx.Done()
			return Decision{Verdict: Allow}, nil
		}, &Options{Observe: func(_ context.Context, o Outcome) error { seen = o; return nil }})
		is.Equal(seen.Tool, "Bash")
		is.True(errors.Is(seen.Err, ErrTimeout))
	})
}

func TestReasonsAreFitToShow(t *testing.T) {
	is := is.New(t)
	is.Equal(clean("a\nb\t\x1b[31m", 100), `a\nb\t\u001b[31m`)
	is.Equal(clean("x\u202ey\u200bz\u2028", 100), `x\u202ey\u200bz\u2028`)
	is.Equal(clean("\xff\xc3(", 100), `\xff\xc3(`)
	is.Equal(clean("危险的命令", 100), "危险的命令")
	is.Equal(clean("危险的命令", 10), "危险…")
	is.Equal(clean("abcdef", 6), "abcdef")
	is.Equal(clean("abcdefg", 6), "abc…")
	long := unaskedText(Decision{Verdict: Ask, Reason: strings.Repeat("\x00", 9000)}, Codex)
	is.True(len(long) < 2000)
	is.True(strings.HasSuffix(long, "in another form.")) // how to go on survives
}

func BenchmarkRun(b *testing.B) {
	for _, host := range Hosts() {
		b.Run(host.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if code := Run(b.Context(), host, strings.NewReader(harmlessEvent[host]), io.Discard, io.Discard, allowAll, nil); code != 0 {
					b.Fatal(fmt.Sprint("status ", code))
				}
			}
		})
	}
}
