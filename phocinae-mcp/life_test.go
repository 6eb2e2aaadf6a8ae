package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/cli"
)

// chatty is a server built on the same start as the program, whose tool prints everywhere and then panics.
func chatty() {
	out := cli.TakeStdout()
	s := mcpserver.New(mcpproto.Implementation{Name: "chatty", Version: "0"}, nil)
	err := s.AddTool(mcpserver.Tool{Name: "noisy", OwnArgumentCheck: true}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		fmt.Println("noise by fmt")
		_, _ = os.Stdout.WriteString("noise by os.Stdout\n")
		log.Print("noise by log")
		panic("noise by panic")
	})
	if err == nil {
		err = stdio.Serve(context.Background(), s, os.Stdin, out, nil)
	}
	if err != nil {
		log.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // the stack goes out on a goroutine of its own
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"

// running is the program with an open standard input. Every line it prints passes wire.
type running struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	wire mcptest.Checker
}

// say sends one line that ends with a newline.
func (r *running) say(w io.Writer, line string) error {
	r.wire.Sent([]byte(line))
	_, err := io.WriteString(w, line)
	return err
}

// hear reads one line.
func (r *running) hear() (string, error) {
	line, err := r.out.ReadString('\n')
	if err != nil {
		return line, err
	}
	return line, r.wire.Received([]byte(strings.TrimSuffix(line, "\n")))
}

func begin(t *testing.T, cmd *exec.Cmd) *running {
	t.Helper()
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &running{cmd: cmd, in: in, out: bufio.NewReader(out)}
}

// rest reads to the end of the output and fails if that takes longer than limit.
func (r *running) rest(t *testing.T, limit time.Duration) string {
	t.Helper()
	done := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(r.out)
		done <- string(all)
	}()
	select {
	case text := <-done:
		for line := range strings.Lines(text) {
			if err := r.wire.Received([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
				t.Errorf("invalid message: %v\n%s", err, line)
			}
		}
		return text
	case <-time.After(limit):
		_ = r.cmd.Process.Kill()
		t.Fatalf("still running after %s", limit)
		return ""
	}
}

func TestSignalsEndTheServerSoon(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			is := is.New(t)
			r := begin(t, exec.Command("phocinae-mcp"))
			is.NoErr(r.say(r.in, hello))
			line, err := r.hear()
			is.NoErr(err)
			is.True(strings.HasPrefix(line, `{"jsonrpc":"2.0","id":1,"result":`))
			is.NoErr(r.cmd.Process.Signal(sig))
			is.Equal(r.rest(t, 2*time.Second), "") // no half line
			is.NoErr(r.cmd.Wait())                 // exit 0
		})
	}
}

// The host dies while another process still holds our standard input open.
func TestParentDeathEndsTheServer(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || os.PathSeparator != '/' {
		t.Skip("needs a POSIX shell")
	}
	is := is.New(t)
	input, hold, err := os.Pipe()
	is.NoErr(err)
	defer hold.Close() // open until the end: no end of input
	cmd := exec.Command(sh, "-c", "phocinae-mcp <&3 & read line")
	cmd.ExtraFiles = []*os.File{input}
	r := begin(t, cmd)
	is.NoErr(input.Close())
	is.NoErr(r.say(hold, hello))
	_, err = r.hear()
	is.NoErr(err)
	is.NoErr(r.in.Close())        // the shell's read ends, and with it the shell
	_ = r.rest(t, 15*time.Second) // the end of output is the end of the program
	is.True(cmd.Wait() != nil || cmd.ProcessState.Success())
}

// A reader of standard error that never reads does not hold up answers.
func TestFullStandardErrorDoesNotBlock(t *testing.T) {
	is := is.New(t)
	cmd := exec.Command("phocinae-mcp", "--log-level", "debug", "--audit", filepath.Join(os.DevNull, "x"))
	full, held, err := os.Pipe()
	is.NoErr(err)
	defer full.Close()
	cmd.Stderr = held // an *os.File is handed over as it is: nobody reads
	r := begin(t, cmd)
	is.NoErr(held.Close())
	const calls = 3000 // each loses its record and says so on standard error
	go func() {
		for i := range calls {
			_ = r.say(r.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"gate","arguments":{"command":"git status"}}}`+"\n", i))
		}
		_ = r.in.Close()
	}()
	out := r.rest(t, 30*time.Second)
	is.Equal(strings.Count(out, "\n"), calls)
	is.NoErr(cmd.Wait())
}
