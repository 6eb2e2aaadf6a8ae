// Package product builds and starts the program for cross-module tests and drivers.
package product

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
	"time"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

// Build builds the program into dir and returns its path. It builds from the sources beside this module.
func Build(ctx context.Context, dir string) (string, error) {
	return build(ctx, dir, "phocinae-mcp", workspace.Prefix+"phocinae-mcp")
}

// BuildMock builds the mock service's program into dir and returns its path.
func BuildMock(ctx context.Context, dir string) (string, error) {
	return build(ctx, dir, "mockp0", workspace.Prefix+"mockp0/cmd/mockp0")
}

func build(ctx context.Context, dir, name, pkg string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	exe := filepath.Join(dir, name)
	if err := (workspace.Command{}).Run(ctx, "go", "build", "-trimpath", "-o", exe, pkg); err != nil {
		return "", err
	}
	return exe, nil
}

// Server is a program that serves HTTP and said where on standard error.
type Server struct {
	URL string // scheme, host and port
	Cmd *exec.Cmd
}

var urlPattern = regexp.MustCompile(`https?://[0-9.:\[\]]+`)

// StartHTTP starts exe and waits until it names a URL on standard error.
func StartHTTP(ctx context.Context, exe string, args ...string) (*Server, error) {
	cmd := exec.CommandContext(ctx, exe, args...)
	says, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(says)
	var said string
	for {
		line, err := lines.ReadString('\n')
		said += line
		if found := pickURL(line); found != "" {
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return &Server{URL: found, Cmd: cmd}, nil
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s named no URL on standard error, it said:\n%s", filepath.Base(exe), said), cmd.Wait())
		}
	}
}

// listening matches the member of the start-up line that names where the program listens; other URLs (of the service
// behind it) may stand in the same line.
var listening = regexp.MustCompile(`(?:address|listening|listen|url|addr)[= ]"?(https?://[0-9.:\[\]]+|[0-9.:\[\]]+)`)

func pickURL(line string) string {
	if m := listening.FindStringSubmatch(line); m != nil {
		if urlPattern.MatchString(m[1]) {
			return m[1]
		}
		return "http://" + m[1]
	}
	return urlPattern.FindString(line)
}

// Stop asks the program to end and waits; it is killed after ten seconds. It returns how long it took to leave.
func (s *Server) Stop() (time.Duration, error) {
	begin := time.Now()
	if err := s.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	kill := time.AfterFunc(10*time.Second, func() { _ = s.Cmd.Process.Kill() })
	defer kill.Stop()
	err := s.Cmd.Wait()
	return time.Since(begin), err
}
