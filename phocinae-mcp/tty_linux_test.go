package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/matryer/is"
)

// terminal opens a pair of pseudo-terminal ends.
func terminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here")
	}
	t.Cleanup(func() { _ = ours.Close() })
	var number, unlock int32
	for _, call := range []struct {
		request uintptr
		value   *int32
	}{{syscall.TIOCGPTN, &number}, {syscall.TIOCSPTLCK, &unlock}} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, ours.Fd(), call.request, uintptr(unsafe.Pointer(call.value))); errno != 0 {
			t.Skip("no pseudo-terminals here: ", errno)
		}
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { _ = theirs.Close() })
	return ours, theirs
}

// The form is shown on the controlling terminal and only a typed yes approves; standard input does not count.
func TestConfirmOnTheTerminal(t *testing.T) {
	for _, tt := range []struct {
		name, before, typed, stdin string
		status                     int
		want                       string
	}{
		{"a typed yes approves", "", "yes\n", "", 0, `"layer":"human_confirm"`},
		{"anything else leaves it undecided", "", "y\n", "yes\n", 2, `"decision":"ask"`},
		{"the end of input leaves it undecided", "", "\x04", "yes\n", 2, `"decision":"ask"`},
		{"a yes typed before the form is no answer", "yes\n", "no\n", "", 2, `"decision":"ask"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			ours, theirs := terminal(t)
			cmd := exec.Command("phocinae-mcp", "--fail-closed", "ask", "--lang", "en", "gate", "--confirm", "npm install left-pad")
			cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
			cmd.Stdin = strings.NewReader(tt.stdin)
			var out bytes.Buffer
			cmd.Stdout = &out
			cmd.ExtraFiles = []*os.File{theirs}
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
			_, err := io.WriteString(ours, tt.before)
			is.NoErr(err)
			is.NoErr(cmd.Start())
			is.NoErr(theirs.Close())
			seen := until(t, ours, "leaves it undecided:")
			is.True(strings.Contains(seen, "> npm install left-pad")) // the whole form
			_, err = io.WriteString(ours, tt.typed)
			is.NoErr(err)
			err = cmd.Wait()
			is.Equal(cmd.ProcessState.ExitCode(), tt.status)
			is.True((err == nil) == (tt.status == 0))
			is.True(strings.Contains(out.String(), tt.want))
		})
	}
}

// A person who starts the program to see what it does is told what it waits for, and Ctrl-D ends it.
func TestServeAtATerminal(t *testing.T) {
	is := is.New(t)
	ours, theirs := terminal(t)
	cmd := exec.Command("phocinae-mcp")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	cmd.Stdin, cmd.Stderr = theirs, theirs
	var out bytes.Buffer
	cmd.Stdout = &out
	is.NoErr(cmd.Start())
	is.NoErr(theirs.Close())
	seen := until(t, ours, "Ctrl-D ends it")
	is.True(strings.Contains(seen, "phocinae-mcp[info]: standard input is a terminal"))
	_, err := io.WriteString(ours, "\x04")
	is.NoErr(err)
	is.NoErr(cmd.Wait())
	is.Equal(out.Len(), 0) // standard output is the protocol's
}

// until reads what the program shows until a text appears.
func until(t *testing.T, from *os.File, text string) string {
	t.Helper()
	type read struct {
		all string
		err error
	}
	done := make(chan read, 1)
	go func() {
		var all []byte
		b := make([]byte, 1024)
		for !bytes.Contains(all, []byte(text)) {
			n, err := from.Read(b)
			all = append(all, b[:n]...)
			if err != nil {
				done <- read{string(all), err}
				return
			}
		}
		done <- read{string(all), nil}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			t.Fatalf("the terminal ended: %v after %q", r.err, r.all)
		}
		return r.all
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was asked")
		return ""
	}
}
