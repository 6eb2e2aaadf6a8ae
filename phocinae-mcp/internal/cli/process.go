package cli

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
)

// Version of the program. Release builds set it with -ldflags "-X …/internal/cli.Version=X.Y.Z".
var Version = "0.1.0"

// Process is what a command knows and touches of the process it runs in.
type Process struct {
	Args   []string // without the program's name
	In     *os.File
	Out    *os.File // the real standard output
	Err    io.Writer
	Lookup func(string) (string, bool)
	Start  time.Time

	hookContext context.Context // of a hook call: ends when a signal comes
	answer      *onceWriter     // of a hook call
}

// Main runs the program and returns its exit status.
func Main() int {
	start := time.Now()
	p := &Process{Args: os.Args[1:], In: os.Stdin, Out: TakeStdout(), Err: os.Stderr, Lookup: os.LookupEnv, Start: start}
	takeLog(os.Stderr)
	return p.run()
}

// TakeStdout returns the real standard output and puts standard error in its place, so that a stray print of any
// dependency cannot get between messages: in stdio mode standard output belongs to the protocol, in hook mode to the host.
// It must come before anything else in the program.
func TakeStdout() *os.File {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out
}

// takeLog gives what dependencies write through package log the form of our own lines: net/http reports there what a
// broken service sends on an idle connection.
func takeLog(w io.Writer) {
	log.SetFlags(0)
	log.SetOutput(slog.NewLogLogger(newLogHandler(w, slog.LevelWarn), slog.LevelWarn).Writer())
}

// executable is the absolute path of this program, or "" if the system does not tell.
func (p *Process) executable() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	return exe
}

// home is the user's home directory, or "".
func (p *Process) home() string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if dir, ok := p.Lookup(name); ok && filepath.IsAbs(dir) {
		return dir
	}
	return ""
}

// environment is what the configuration may look at.
func (p *Process) environment() config.Environment {
	return config.Environment{Lookup: p.Lookup, Executable: p.executable(), Home: p.home()}
}

// dir is the working directory, or "".
func (p *Process) dir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// terminal reports whether f is a terminal.
func terminal(f *os.File) bool {
	if f == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && isTerminal(f)
}

// colours reports whether output to f may hold colours: terminals only, unless NO_COLOR or a dumb terminal says no.
func (p *Process) colours(f *os.File) bool {
	if v, ok := p.Lookup("NO_COLOR"); ok && v != "" {
		return false
	}
	if v, ok := p.Lookup("TERM"); ok && v == "dumb" {
		return false
	}
	return terminal(f)
}

// fail writes one error record and returns status.
func (p *Process) fail(status int, format string, args ...any) int {
	slog.New(newLogHandler(p.Err, slog.LevelError)).Error(fmt.Sprintf(format, args...))
	return status
}
