package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/goleak"
)

// TestMain lets the test binary be the program, so that signals can be sent to a real process.
func TestMain(m *testing.M) {
	if os.Getenv("MOCKP0_TEST_MAIN") == "1" {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

func TestServesUntilItIsStopped(t *testing.T) {
	is := is.New(t)
	file := filepath.Join(t.TempDir(), "script.json")
	is.NoErr(os.WriteFile(file, []byte(`{"model":"m","rules":[{"match":{"type":"score"},"answer":{"score":9}}]}`), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	code := make(chan int)
	go func() { code <- run(ctx, []string{"--addr", "127.0.0.1:0", "--script", file, "--bearer", "t"}, w) }()
	lines := bufio.NewScanner(r)
	is.True(lines.Scan())
	url, ok := strings.CutPrefix(lines.Text(), "mockp0: listening on ")
	is.True(ok)

	req, err := http.NewRequestWithContext(t.Context(), "POST", url+"/v1/systemone", strings.NewReader(`{"model":"m","state":"s","questions":[{"id":"q","type":"score"}]}`))
	is.NoErr(err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer t")
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	resp, err := tr.RoundTrip(req)
	is.NoErr(err)
	body, err := io.ReadAll(resp.Body)
	is.NoErr(err)
	is.NoErr(resp.Body.Close())
	is.True(strings.Contains(string(body), `"answers":{"q":9}`))

	cancel()
	is.True(lines.Scan())
	is.Equal(lines.Text(), "mockp0: stopped after 1 requests")
	is.Equal(<-code, 0)
}

func TestStopsCleanlyOnSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send there")
	}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			is := is.New(t)
			cmd := exec.CommandContext(t.Context(), os.Args[0], "--addr", "127.0.0.1:0")
			cmd.Env = append(os.Environ(), "MOCKP0_TEST_MAIN=1")
			stdout := new(bytes.Buffer)
			cmd.Stdout = stdout
			stderr, err := cmd.StderrPipe()
			is.NoErr(err)
			is.NoErr(cmd.Start())
			lines := bufio.NewScanner(stderr)
			is.True(lines.Scan())
			is.True(strings.HasPrefix(lines.Text(), "mockp0: listening on http://127.0.0.1:"))
			is.NoErr(cmd.Process.Signal(sig))
			is.True(lines.Scan())
			is.Equal(lines.Text(), "mockp0: stopped after 0 requests")
			is.NoErr(cmd.Wait()) // status 0
			is.Equal(stdout.Len(), 0)
		})
	}
}

func TestWrongUse(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte(`{"rules":[{},{}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"help", []string{"-h"}, 0, "usage: mockp0"},
		{"a script's faults, with its name, in one line", []string{"--script", bad}, 3, "mockp0: script " + bad + ": rules[0]: has neither answer nor fault; rules[1]: "},
		{"unknown flag", []string{"--port", "1"}, 3, "flag provided but not defined"},
		{"argument", []string{"x"}, 3, `unexpected argument "x"`},
		{"no such script", []string{"--script", filepath.Join(dir, "none.json")}, 3, "none.json"},
		{"bad script", []string{"--script", bad}, 3, "rules[0]: has neither answer nor fault"},
		{"address for everyone", []string{"--addr", "0.0.0.0:0"}, 2, "not a loopback address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var stderr bytes.Buffer
			is.Equal(run(t.Context(), tt.args, &stderr), tt.code)
			is.True(strings.Contains(stderr.String(), tt.want))
		})
	}
}
