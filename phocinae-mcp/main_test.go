package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

// leakM joins testscript's and goleak's wishes for TestMain.
type leakM struct{ *testing.M }

func (m leakM) Run() int {
	code := m.M.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

func TestMain(m *testing.M) {
	testscript.Main(leakM{m}, map[string]func(){"phocinae-mcp": main, "gate-of-mine": main, "chatty-mcp": chatty})
}

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")

// TestScripts runs the program as users do: one file a behaviour, first word the command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("USERPROFILE", home)
			env.Setenv("NO_COLOR", "1")
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "mock": startMock, "busy": busyPort, "records": records, "oneline": oneLine, "drop": drop, "answers": answers,
		},
	})
}

// answers FILE checks every line of standard output against the schema of its revision, as an answer to the lines of FILE.
func answers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answers FILE")
	}
	var wire mcptest.Checker
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		wire.Sent([]byte(line))
	}
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if err := wire.Received([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
			ts.Fatalf("invalid message: %v\n%s", err, line)
		}
	}
}

// exits STATUS PROGRAM ARGS… runs a program and demands its exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d\nstdout: %s\nstderr: %s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// mock [SCRIPT.json] starts the mock service and puts its address into $MOCK.
func startMock(ts *testscript.TestScript, neg bool, args []string) {
	var script *mockp0.Script
	if len(args) == 1 {
		s, err := mockp0.ParseScript([]byte(ts.ReadFile(args[0])))
		ts.Check(err)
		script = s
	}
	s, err := mockp0.Start("127.0.0.1:0", script)
	ts.Check(err)
	ts.Defer(s.Close)
	ts.Setenv("MOCK", s.URL)
}

// busy binds a port and puts its number into $BUSY.
func busyPort(ts *testscript.TestScript, _ bool, _ []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	ts.Check(err)
	ts.Setenv("BUSY", port)
}

// records N FILE demands N lines.
func records(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: records N FILE")
	}
	if n := strings.Count(ts.ReadFile(args[1]), "\n"); strconv.Itoa(n) != args[0] {
		ts.Fatalf("%s has %d records, want %s", args[1], n, args[0])
	}
}

// oneline demands that standard error holds exactly one line in the program's form.
func oneLine(ts *testscript.TestScript, _ bool, _ []string) {
	text := ts.ReadFile("stderr")
	if strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "phocinae-mcp[") {
		ts.Fatalf("not one line of ours: %q", text)
	}
}

// drop LINE FILE removes a line (from 1) from a file.
func drop(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: drop LINE FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	lines := strings.SplitAfter(ts.ReadFile(args[1]), "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(append(lines[:n-1:n-1], lines[n:]...), "")), 0o600))
}
