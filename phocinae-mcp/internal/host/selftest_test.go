package host

import (
	"fmt"
	"io"
	"os"
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
	case "always-denies":
		fmt.Println(deny)
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
	case "other-dialect": // a decision this host does not read
		fmt.Println(`{"verdict":"deny"}`)
	}
	return 0
}

func TestSelfTest(t *testing.T) {
	exe, err := os.Executable()
	is.New(t).NoErr(err)
	for _, h := range []Host{Claude, Codex, Gemini, Copilot, Cursor} {
		for state, want := range map[string]string{ // harmless, dangerous, broken
			"good": "+++", "silent": "+--", "always-denies": "-++", "crashes": "---", "blocks-by-status": "+++", "chatty": "---", "other-dialect": "---",
		} {
			if state == "silent" && h == Cursor {
				want = "---" // with failClosed silence refuses everything
			}
			t.Run(h.String()+" "+state, func(t *testing.T) {
				is := is.New(t)
				t.Setenv("PHOCINAE_TEST_HOOK", h.String()+":"+state)
				o := testOptions(t.TempDir())
				o.Exe = exe
				e := Entry{Host: h, Kind: Hook, Line: o.commandLine(h)}
				if h == Claude {
					e = Entry{Host: h, Kind: Hook, Exe: exe, Args: []string{"hook", "claude"}}
				}
				checks, err := SelfTest(t.Context(), e, o)
				is.NoErr(err)
				got := ""
				for _, c := range checks {
					got += map[bool]string{true: "+", false: "-"}[c.OK]
					is.True(c.Detail != "")
				}
				is.Equal(got, want)
			})
		}
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
