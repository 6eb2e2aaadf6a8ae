package host

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// fakeHook answers events as hooks in different states of repair do. mode is HOST:STATE.
func fakeHook(mode string) int {
	name, state, _ := strings.Cut(mode, ":")
	in, _ := io.ReadAll(os.Stdin)
	deny := map[string]string{
		"claude":  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"x"}}`,
		"codex":   `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"x"}}`,
		"gemini":  `{"decision":"deny","reason":"x"}`,
		"copilot": `{"permissionDecision":"deny","permissionDecisionReason":"x"}`,
		"cursor":  `{"permission":"deny","user_message":"x","agent_message":"x"}`,
	}[name]
	silence := map[string]string{"gemini": "{}", "cursor": `{"permission":"allow"}`}[name]
	harmless := strings.Contains(string(in), "echo phocinae-mcp")
	switch state {
	case "good":
		if harmless {
			fmt.Print(silence)
		} else {
			fmt.Println(deny)
		}
	case "silent":
	case "crashes":
		return 1
	case "blocks-by-status":
		if harmless {
			fmt.Print(silence)
			return 0
		}
		fmt.Fprintln(os.Stderr, "no")
		return 2
	case "chatty":
		fmt.Println("hello")
		fmt.Println(deny)
	}
	return 0
}

func TestSelfTest(t *testing.T) {
	exe, err := os.Executable()
	is.New(t).NoErr(err)
	for _, tc := range []struct {
		host  Host
		state string
		want  string // harmless, dangerous, broken
	}{
		{Claude, "good", "+++"}, {Claude, "silent", "+--"}, {Claude, "crashes", "---"}, // started directly
		{Codex, "good", "+++"}, {Codex, "blocks-by-status", "+++"}, {Copilot, "chatty", "---"}, {Gemini, "good", "+++"}, {Cursor, "good", "+++"}, // through a shell
	} {
		t.Run(tc.host.String()+" "+tc.state, func(t *testing.T) {
			is := is.New(t)
			t.Setenv("PHOCINAE_TEST_HOOK", tc.host.String()+":"+tc.state)
			t.Setenv("GORACE", "atexit_sleep_ms=0") // or every child of a race build sleeps a second
			o := testOptions(t.TempDir())
			o.Env.OS, o.Exe = runtime.GOOS, exe
			e := Entry{Host: tc.host, Kind: Hook, Line: o.commandLine(tc.host)}
			if tc.host == Claude {
				e = Entry{Host: tc.host, Kind: Hook, Exe: exe, Args: []string{"hook", "claude"}}
			}
			checks, err := SelfTest(t.Context(), e, o)
			is.NoErr(err)
			got := ""
			for _, c := range checks {
				got += map[bool]string{true: "+", false: "-"}[c.OK]
				is.True(c.Detail != "")
			}
			is.Equal(got, tc.want)
		})
	}
}

func TestAnswersAreReadAsTheHostReadsThem(t *testing.T) {
	specific := func(v string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + v + `"}}`
	}
	for _, tc := range []struct {
		name string
		host Host
		out  string
		code int
		want string // "" for an error
	}{
		{"deny", Claude, specific("deny"), 0, "deny"},
		{"ask", Claude, specific("ask") + "\n", 0, "ask"},
		{"silence", Claude, "", 0, "allow"},
		{"a decision at the top is not read", Claude, `{"permissionDecision":"deny"}`, 0, ""},
		{"a word nobody knows", Claude, specific("no"), 0, ""},
		{"status 2 blocks whatever is printed", Claude, specific("allow"), 2, "deny"},
		{"status 1 runs the command", Claude, specific("deny"), 1, ""},
		{"killed", Claude, "", -1, ""},
		{"text before it", Claude, "hello\n" + specific("deny"), 0, ""},
		{"text after it", Claude, specific("deny") + "x", 0, ""},
		{"deny", Codex, specific("deny"), 0, "deny"},
		{"silence", Codex, "\n", 0, "allow"},
		{"deny", Gemini, `{"decision":"deny","reason":"x"}`, 0, "deny"},
		{"an empty object", Gemini, "{}\n", 0, "allow"},
		{"another host's deny", Gemini, specific("deny"), 0, ""},
		{"deny", Copilot, `{"permissionDecision":"deny"}`, 0, "deny"},
		{"an empty object", Copilot, "{}", 0, ""},
		{"allow", Cursor, `{"permission":"allow"}`, 0, "allow"},
		{"deny", Cursor, `{"permission":"deny"}`, 0, "deny"},
		{"silence refuses with failClosed", Cursor, "", 0, ""},
	} {
		t.Run(tc.host.String()+" "+tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := readAnswer(tc.host, []byte(tc.out), tc.code)
			is.Equal(err != nil, tc.want == "")
			is.Equal(got, tc.want)
		})
	}
}

func TestSelfTestOfAProgramThatIsGone(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir())
	_, err := SelfTest(t.Context(), Entry{Host: Claude, Kind: Hook, Exe: o.Env.Home + "/gone", Args: []string{"hook", "claude"}}, o)
	is.True(err != nil)
	checks, err := SelfTest(t.Context(), Entry{Host: Codex, Kind: Hook, Line: "'" + o.Env.Home + "/gone' hook codex"}, o)
	is.NoErr(err) // the shell starts, and leaves with a status that lets commands run
	for _, c := range checks {
		is.True(!c.OK)
	}
	_, err = SelfTest(t.Context(), Entry{Host: Claude, Kind: MCP}, o)
	is.True(err != nil)
}
