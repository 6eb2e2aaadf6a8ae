package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
)

var urlPattern = regexp.MustCompile(`http://[0-9.:\[\]]+`)

// startMock starts the mock service on a free port and reads its URL from what it says on standard error. stop ends it.
func startMock(ctx context.Context, exe string) (url string, stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, exe, "--addr", "127.0.0.1:0")
	says, err := cmd.StderrPipe()
	if err != nil {
		cancel()
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		cancel()
		return "", nil, err
	}
	stop = func() { cancel(); _ = cmd.Wait() }
	lines := bufio.NewReader(says)
	for {
		line, err := lines.ReadString('\n')
		if found := urlPattern.FindString(line); found != "" {
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return found, stop, nil
		}
		if err != nil {
			stop()
			return "", nil, fmt.Errorf("mockp0 named no URL on standard error: %w", err)
		}
	}
}

// exitCode is the code of a program that ran and left, -1 for any other outcome, 0 for none.
func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	default:
		return -1
	}
}
