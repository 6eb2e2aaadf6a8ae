package e2e

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/matryer/is"
)

// wrappings hide, join or split a command.
var wrappings = []string{
	"%s", "ls; %s", "ls && %s", "%s || true", "true | %s", "(%s)", "{ %s; }", "! %s", "%s &", "time %s", "sudo %s", "env A=1 %s",
	"nohup %s", "timeout 5 %s", "nice -n 5 %s", "exec %s", "command %s", "if true; then %s; fi", "for i in 1; do %s; done",
	"echo $(%s)", "echo `%s`", "f() { %s; }; f", "cat <(%s)", "bash -c '%s'", "eval '%s'", "sudo sh -c 'bash -c \"%s\"'", "%s # harmless",
	"\\\n%s", "%s > /dev/null 2>&1", "watch '%s'", "ssh host '%s'", "trap '%s' EXIT",
}

var strictness = map[string]int{"allow": 1, "ask": 2, "deny": 3}

// TestWrappingNeverMakesMilder is invariant 3 from the outside, on a few commands of each verdict; gatecore proves it on
// thousands.
func TestWrappingNeverMakesMilder(t *testing.T) {
	is := is.New(t)
	p := start(t, setting{args: asking})
	decide := func(id, command string) string {
		arguments, err := json.Marshal(map[string]string{"command": command, "cwd": "/srv"})
		is.NoErr(err)
		a, err := p.call(id, modern, "gate", string(arguments))
		is.NoErr(err)
		return a.decision()
	}
	for i, c := range []struct{ command, want string }{
		{"git status", "allow"},
		{"frobnicate x", "ask"},
		{"rm -rf /", "deny"},
		{"git push --force origin main", "deny"},
		{"mkfs.ext4 /dev/sda1", "deny"},
		{"chmod -R 777 /", "deny"},
	} {
		plain := decide(fmt.Sprintf("%d plain", i), c.command)
		is.Equal(plain, c.want)
		for k, w := range wrappings {
			wrapped := fmt.Sprintf(w, c.command)
			if got := decide(fmt.Sprintf("%d/%d", i, k), wrapped); strictness[got] < strictness[plain] {
				t.Errorf("%q is %s, %q is %s", c.command, plain, wrapped, got)
			}
		}
	}
	p.end()
}
