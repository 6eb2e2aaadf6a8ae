package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
)

// words splits what quoteWords writes, with the two quoting forms of the POSIX shell grammar that it uses (2.2.1, 2.2.2).
func words(s string) []string {
	var list []string
	var b strings.Builder
	open := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\'':
			end := strings.IndexByte(s[i+1:], '\'')
			b.WriteString(s[i+1 : i+1+end])
			i += end + 1
			open = true
		case '\\':
			i++
			b.WriteByte(s[i])
			open = true
		case ' ':
			list = append(list, b.String())
			b.Reset()
			open = false
		default:
			b.WriteByte(c)
			open = true
		}
	}
	if open || b.Len() > 0 {
		list = append(list, b.String())
	}
	return list
}

func TestQuotedWordsReadBack(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   []string
		want string
	}{
		{"plain words stay plain", []string{"git", "push", "--force", "origin", "v1.0+x"}, "git push --force origin v1.0+x"},
		{"operators are words", []string{"echo", ";", "rm", "&&", "|"}, "echo ';' rm '&&' '|'"},
		{"nothing expands", []string{"ls", "$HOME", "~", "*", "`id`", "{a,b}", "!x", "#c"}, "ls '$HOME' '~' '*' '`id`' '{a,b}' '!x' '#c'"},
		{"an assignment is a program", []string{"A=b", "c"}, "'A=b' c"},
		{"a reserved word is a program", []string{"if", "if"}, "'if' if"},
		{"quotes", []string{"a'b", `c"d`, `e\f`}, `'a'\''b' 'c"d' 'e\f'`},
		{"empty words", []string{"x", "", "y"}, "x '' y"},
		{"line ends", []string{"x", "a\nb"}, "x 'a\nb'"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(quoteWords(tc.in), tc.want)
			is.Equal(words(tc.want), tc.in)
		})
	}
}

func TestDirectories(t *testing.T) {
	for _, tc := range []struct{ name, base, dir, want string }{
		{"none given", "/w", "", "/w"},
		{"absolute", "/w", "/x", "/x"},
		{"relative", "/w", "a/../b", "/w/b"},
		{"relative to nothing is unknown", "", "a", ""},
		{"home of whom is unknown", "/w", "~/a", ""},
		{"windows absolute", `C:\w`, `D:\x`, `D:\x`},
		{"windows relative", `C:\w`, "x", `C:\w\x`},
		{"network share", `C:\w`, `\\srv\x`, `\\srv\x`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is.New(t).Equal(joinDir(tc.base, tc.dir), tc.want)
		})
	}
}

func TestToolNames(t *testing.T) {
	for _, tc := range []struct {
		tool                   string
		shell, typing, passive bool
	}{
		{"mcp__x__run_bash", true, false, false},
		{"executeCommand", true, false, false},
		{"mcp__ide__executeCode", true, false, false},
		{"execute_sql", false, false, false},
		{"run_tests", false, false, false},
		{"mcp__term__send_keys", false, true, false},
		{"send_to_terminal", true, true, false},
		{"write_process_stdin", true, true, false},
		{"get_terminal_output", true, false, true},
		{"kill_shell", true, false, true},
		{"shellfish_catalogue", false, false, false},
		{"finished", false, false, false},
		{"create_issue", false, false, false},
	} {
		t.Run(tc.tool, func(t *testing.T) {
			is := is.New(t)
			is.Equal(shellName(tc.tool), tc.shell)
			is.Equal(typingName(tc.tool), tc.typing)
			is.Equal(passiveName(tc.tool), tc.passive)
		})
	}
}

func TestZshUsersAreJudgedInZsh(t *testing.T) {
	is := is.New(t)
	is.Equal(bashDialect("/bin/zsh"), DialectZsh)
	is.Equal(bashDialect("/opt/homebrew/bin/zsh"), DialectZsh)
	is.Equal(bashDialect("/bin/bash"), DialectBash)
	is.Equal(bashDialect("/usr/bin/fish"), DialectBash)
	is.Equal(bashDialect(""), DialectBash)
}

func TestTooManyCommandsAreRefused(t *testing.T) {
	is := is.New(t)
	list := strings.Repeat(`"ls",`, maxCommands) + `"ls"`
	in := `{"hook_event_name":"PreToolUse","tool_name":"mcp__x__sh","tool_input":{"commands":[` + list + `]}}`
	verdict, _ := answerOf(t, Claude, strings.NewReader(in), allowAll, nil)
	is.Equal(verdict, "deny")
}

// Whatever bytes come in: the answer parses, and silence needs a readable event whose commands, if it has any, the judge saw and allowed.
func FuzzAnyBytes(f *testing.F) {
	for _, h := range Hosts() {
		f.Add(uint8(h), []byte(harmlessEvent[h]), false)
		f.Add(uint8(h), []byte(harmlessEvent[h][:20]), true)
	}
	f.Add(uint8(Claude), []byte(`{"hook_event_name":"PreToolUse","tool_name":"mcp__a__b","tool_input":{"x":[{"cmd":["a"]}],"arguments":"{\"run\":\"x\"}"}}`), true)
	f.Add(uint8(Codex), []byte(`{"hook_event_name":"PreToolUse","tool_name":"write_stdin","tool_input":{"chars":"x{enter}"}}`), false)
	f.Fuzz(func(t *testing.T, h uint8, data []byte, auto bool) {
		is := is.New(t)
		host := Host(h%uint8(len(Hosts()))) + 1
		for _, verdict := range []Verdict{Deny, Allow} {
			asked, sound := 0, true
			judge := func(_ context.Context, c Command) (Decision, error) {
				asked++
				sound = sound && c.Text != "" && utf8.ValidString(c.Text)
				return Decision{Verdict: verdict}, nil
			}
			var out, errOut bytes.Buffer
			is.Equal(Run(t.Context(), host, bytes.NewReader(data), &out, &errOut, judge, &Options{AutoAllow: auto}), StatusAnswered)
			answer := checkAnswer(t, host, out.Bytes())
			is.True(sound) // every command is text
			if asked > 0 && verdict == Deny {
				is.Equal(answer, "deny") // one denied command is enough
			}
			if answer == "" || answer == "allow" {
				is.True(json.Valid(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))) // nothing unreadable passes
				is.True(asked == 0 || verdict == Allow)
			}
		}
	})
}

// Whatever the command: a shell tool's text reaches the judge unchanged and its deny reaches the host.
func FuzzAnyCommand(f *testing.F) {
	for _, s := range []string{"ls", "rm -rf /", "a\x00b", "\u202e", "{}", `{"command":"ls"}`, "[]", " x ", "\n", "é\"\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		is := is.New(t)
		if !utf8.ValidString(command) {
			return
		}
		text, err := json.Marshal(command)
		is.NoErr(err)
		for _, host := range Hosts() {
			in := strings.Replace(harmlessEvent[host], `"git status"`, string(text), 1)
			var got []string
			verdict, _ := answerOf(t, host, strings.NewReader(in), func(_ context.Context, c Command) (Decision, error) {
				got = append(got, c.Text)
				return Decision{Verdict: Deny, Reason: c.Text, Rule: c.Text, Instead: c.Text}, nil
			}, nil)
			is.Equal(verdict, "deny")
			if strings.TrimSpace(command) != "" {
				is.Equal(got, []string{command})
			}
		}
	})
}

// An argv reaches the judge as words that a shell reads back exactly.
func FuzzAnyArgv(f *testing.F) {
	f.Add("git", "push", "--force")
	f.Add("a'b", "$(id)", "")
	f.Add("A=b", "\n", "\\")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		is := is.New(t)
		argv := []string{a, b, c}
		for _, w := range argv {
			if !utf8.ValidString(w) {
				return // JSON cannot carry it
			}
		}
		text, err := json.Marshal(argv)
		is.NoErr(err)
		in := strings.Replace(harmlessEvent[Codex], `"git status"`, string(text), 1)
		var got Command
		verdict, _ := answerOf(t, Codex, strings.NewReader(in), func(_ context.Context, cmd Command) (Decision, error) {
			got = cmd
			return Decision{Verdict: Deny}, nil
		}, nil)
		is.Equal(verdict, "deny")
		if strings.TrimSpace(a) != "" {
			is.Equal(got.Argv, argv)
			is.Equal(words(got.Text), argv)
		}
	})
}
