package gatecore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestManyFindingsHideNothing: text before a part must not change how strictly the part is judged. What is unreadable
// is never put to a model, so that an unreadable part among many unproven ones has to stay unreadable.
func TestManyFindingsHideNothing(t *testing.T) {
	e := newEngine(t)
	var padding strings.Builder
	for n := range maxFindings + 50 {
		fmt.Fprintf(&padding, "frob%d x; ", n)
	}
	for _, tail := range []string{"$x foo", `eval "$y"`, "$(cat x)", "rm -rf /", "ls"} {
		t.Run(tail, func(t *testing.T) {
			is := is.New(t)
			alone := e.Assess("frob x; "+tail, Place{Dir: "/w"})
			among := e.Assess(padding.String()+tail, Place{Dir: "/w"})
			is.Equal(among.Verdict, alone.Verdict)
			is.Equal(among.Kind, alone.Kind)
			is.True(among.Findings[0].Verdict == alone.Findings[0].Verdict)
			is.True(len(among.Findings) <= maxFindings+2)
		})
	}
}

func TestRelativeHomeIsAsGoodAsNone(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	for _, command := range []string{"rm -rf ~", "rm -rf ~/x", "cat ~/.ssh/id_rsa", "ls"} {
		is.Equal(e.Assess(command, Place{Dir: "/w", Home: "x"}), e.Assess(command, Place{Dir: "/w"}))
	}
}

func TestPlacesAreReadInTheirShortestForm(t *testing.T) {
	for _, c := range []struct{ claim, given, want string }{
		{"none", "", ""},
		{"absolute", "/home/me", "/home/me"},
		{"with dots", "/home/me/../you/.", "/home/you"},
		{"a backslash is part of a name elsewhere", `/home/a\b`, `/home/a\b`},
		{"on a drive", `C:\Users\me\..\you`, "C:/Users/you"},
		{"on a drive, with slashes", "c:/w/", "c:/w"},
		{"relative", "w", ""},
		{"relative with dots", "../w", ""},
		{"on the current drive", `\w`, ""},
		{"relative on a drive", "C:w", ""},
	} {
		t.Run(c.claim, func(t *testing.T) { is.New(t).Equal(place(c.given), c.want) })
	}
}
