package gatecore

import (
	"regexp"
	"testing"

	"github.com/matryer/is"
)

// TestPanicNeverSoftens: a table without its expression panics in the middle of a judgement, after the first match.
func TestPanicNeverSoftens(t *testing.T) {
	broken := func(t *testing.T) *Engine {
		t.Helper()
		e := newEngine(t)
		e.table = &Table{blacklist: []tableRegex{{re: regexp.MustCompile("forbidden")}}, ask: []tableRegex{{}}}
		return e
	}
	for _, c := range []struct {
		claim, command string
		want           Verdict
		kind           Kind
	}{
		{"what would be an allow is unreadable", "ls", Undecided, Unreadable},
		{"what would be undecided is unreadable", "touch a", Undecided, Unreadable},
		{"a deny that was found before stays a deny", "echo forbidden", Deny, 0},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			e := broken(t)
			r := e.Assess(c.command, Place{})
			is.Equal(e.panics.Load(), int64(1)) // the judgement was cut short
			is.Equal(r.Verdict, c.want)
			is.Equal(r.Kind, c.kind)
			is.Equal(r.Findings[0].Verdict, c.want)
			is.Equal(e.Explain(c.command, Place{}).Report, r) // told the same way when explained
			e.table = nil
			is.Equal(e.Assess("ls", Place{}).Verdict, Allow) // and the engine goes on
		})
	}
}

func TestPlaceIsBroughtIntoForm(t *testing.T) {
	e := newEngine(t)
	for _, c := range []struct {
		claim     string
		like, and Place
	}{
		{"a relative directory is as good as none", Place{}, Place{Dir: "x"}},
		{"a directory that looks protected but is relative is none", Place{}, Place{Dir: "etc"}},
		{"a slash at the end of the directory means nothing", Place{Dir: "/etc"}, Place{Dir: "/etc/"}},
		{"dots in the directory are resolved", Place{Dir: "/etc"}, Place{Dir: "/srv/../etc/."}},
		{"a slash at the end of the home directory means nothing", Place{Dir: "/w", Home: "/srv/u"}, Place{Dir: "/w", Home: "/srv/u/"}},
		{"dots in the home directory are resolved", Place{Dir: "/w", Home: "/srv/u"}, Place{Dir: "/w", Home: "/srv/x/../u"}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			for _, command := range []string{"rm -rf .", "rm -rf ..", "rm -rf build", "rm -rf ~", "rm -rf /srv/u", "cp a hosts", "ls"} {
				is.Equal(e.Assess(command, c.and), e.Assess(command, c.like)) // the whole report
			}
		})
	}
}

func TestUnknownPlaceIsTheWorstPlace(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	for _, at := range []Place{{}, {Dir: "/w"}, {Home: "/srv/u"}} {
		for _, command := range []string{"rm -rf ~", "rm -rf ~/x"} {
			is.Equal(e.Assess(command, at).Verdict, Deny)
		}
	}
	is.Equal(e.Assess("rm -rf /srv/u", Place{Dir: "/w", Home: "/srv/u/"}).Verdict, Deny)
	is.Equal(e.Assess("rm -rf ..", Place{}).Verdict, Deny)
}

func TestDialectDecidesWhoReads(t *testing.T) {
	is := is.New(t)
	e := newEngine(t)
	is.Equal(e.Assess("ls =python", Place{Dialect: Bash}).Verdict, Allow) // a file of that name
	zsh := e.Assess("ls =python", Place{Dialect: Zsh})
	is.Equal(zsh.Verdict, Undecided) // the path of a program
	is.Equal(zsh.Kind, Unreadable)
	for d := Cmd + 1; d < Cmd+4; d++ {
		r := e.Assess("ls", Place{Dialect: d})
		is.Equal(r.Verdict, Undecided) // a dialect that nobody knows
		is.Equal(r.Kind, Unreadable)
	}
}
