package cli

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/hook"
)

func TestHookCallsAreRecognisedWithoutTheParser(t *testing.T) {
	for _, tt := range []struct {
		name, args string
		host       string
		is         bool
	}{
		{"plain", "hook claude", "claude", true},
		{"settings before", "--timeout 2 --audit off hook gemini", "gemini", true},
		{"settings between", "hook --timeout 2 codex", "codex", true},
		{"unknown flag with a value before", "--gaurd /etc/t.json hook claude", "claude", true},
		{"unknown flag with a value between", "hook --gaurd /etc/t.json cursor", "cursor", true},
		{"a setting without its value", "--guard hook copilot", "copilot", true},
		{"unknown host", "hook emacs", "emacs", true},
		{"no host", "hook", "", true},
		{"end of flags", "-- hook claude", "claude", true},
		{"another command first", "gate hook", "", false},
		{"another command about it", "explain hook claude", "", false},
		{"a table of that name", "--guard hook", "", false},
		{"serving", "--server http://127.0.0.1:1", "", false},
		{"nothing", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := &Process{Args: strings.Fields(tt.args)}
			host, found := p.hookHost()
			is.Equal(found, tt.is)
			is.Equal(host, tt.host)
		})
	}
}

// The list of command names must not fall behind the command line.
func TestCommandNamesAreTheParsers(t *testing.T) {
	is := is.New(t)
	var c commandLine
	var help bytes.Buffer
	exited := false
	parser, err := newParser(&c, &help, &exited)
	is.NoErr(err)
	var names []string
	for _, n := range parser.Model.Children {
		names = append(names, n.Name)
	}
	is.Equal(names, commandNames)
}

func TestOnlyOneAnswerLeaves(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	w := &onceWriter{w: &out}
	_, err := w.Write([]byte("first"))
	is.NoErr(err)
	is.True(w.used())
	_, err = w.Write([]byte("second"))
	is.True(errors.Is(err, errAnswered))
	is.Equal(out.String(), "first")
}

func TestANullDeviceIsNoReader(t *testing.T) {
	is := is.New(t)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	is.NoErr(err)
	defer null.Close()
	is.True(isNull(null))
	r, w, err := os.Pipe()
	is.NoErr(err)
	defer r.Close()
	defer w.Close()
	is.True(!isNull(w))
	n, err := (&onceWriter{w: w, lost: true}).Write([]byte("deny"))
	is.Equal(n, 0)
	is.True(errors.Is(err, errNobody))
}

// A call that hangs before the event is read still ends in the host's deny.
func TestLastWordIsADeny(t *testing.T) {
	is := is.New(t)
	var out, errOut bytes.Buffer
	p := &Process{Err: &errOut, answer: &onceWriter{w: &out}}
	is.Equal(p.lastWord("claude", "timed out", make(chan int)), hook.StatusAnswered)
	is.True(strings.Contains(out.String(), `"permissionDecision":"deny"`))
	is.True(strings.Contains(out.String(), "timed out"))

	// An answer that began to leave and stands still: nothing may be added to it.
	p.answer = &onceWriter{w: &out}
	p.answer.taken.Store(true)
	before := out.String()
	start := time.Now()
	is.Equal(p.lastWord("claude", "timed out", make(chan int)), hook.StatusBlocked)
	is.True(time.Since(start) >= writeGrace)
	is.Equal(out.String(), before)
}
