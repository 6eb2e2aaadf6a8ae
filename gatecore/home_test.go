package gatecore

import (
	"testing"

	"github.com/matryer/is"
)

// TestHomeInATemporaryTree: builds and containers put the home directory below /tmp. It is not rubbish for that.
func TestHomeInATemporaryTree(t *testing.T) {
	is := is.New(t)
	e, err := New(nil)
	is.NoErr(err)
	cases := []struct {
		claim, command string
		want           Verdict
	}{
		{"the home directory by its sign", "rm -rf ~", Deny},
		{"the home directory by its variable", `rm -rf "$HOME"`, Deny},
		{"with a slash", "rm -rf ~/", Deny},
		{"everything in it", "rm -rf ~/*", Deny},
		{"the home directory by its name", "rm -rf /tmp/build/home", Deny},
		{"a folder that holds it", "rm -rf /tmp/build", Deny},
		{"another temporary folder is as before", "rm -rf /tmp/other", Undecided},
	}
	for _, c := range cases {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			r := e.Assess(c.command, Place{Dir: "/home/dev/work/app", Home: "/tmp/build/home"})
			is.Equal(r.Verdict, c.want)
		})
	}
}
