package tool

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// Wrapping, quoting, chaining or splitting never makes a verdict milder, seen through the tool with the real table.
func TestWrappedCommandsAreNotMilder(t *testing.T) {
	engine, err := gatecore.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config.Config{FailClosed: gatecore.Undecided, Thresholds: gatecore.DefaultThresholds()}
	judge := gate.New(&cfg, engine, nil, nil)
	wraps := []string{
		"%s", "sudo %s", "( %s )", "{ %s; }", "%s ; true", "true && %s", "env A=1 %s", "timeout 5 %s", "if true; then %s; fi", "bash -c '%s'", "sh <<'X'\n%s\nX", "eval '%s'", "! %s", "%s | cat", "echo $(%s)",
		"for i in 1; do %s; done", "nohup %s", "time %s",
	}
	for _, command := range []string{"rm -rf /", "git push --force", "git reset --hard", "npm install x", "curl http://example.org"} {
		plain := judge.Decide(t.Context(), gate.Request{Command: command, Dir: "/home/dev/app", Home: "/home/dev"}).Verdict
		for _, wrap := range wraps {
			wrapped := strings.Replace(wrap, "%s", command, 1)
			if got := judge.Decide(t.Context(), gate.Request{Command: wrapped, Dir: "/home/dev/app", Home: "/home/dev"}).Verdict; got < plain {
				t.Errorf("%q is %s, but %q is %s", wrapped, gate.Word(got), command, gate.Word(plain))
			}
		}
	}
}

// The same request gives the same bytes, whatever was asked in between.
func TestSameRequestSameBytes(t *testing.T) {
	is := is.New(t)
	c := newWorld(t, func(c *config.Config) { c.FailClosed = gatecore.Deny }).client(v2026, false)
	for _, command := range []string{"allow x", "deny x", "ask x", "odd x", "panic"} {
		first := c.gate(cmd(command), nil).text
		c.gate(cmd("allow something else"), nil)
		is.Equal(c.gate(cmd(command), nil).text, first)
		is.True(json.Valid([]byte(first)))
		is.True(strings.HasPrefix(first, `{"command":`)) // fixed order of members
	}
}
