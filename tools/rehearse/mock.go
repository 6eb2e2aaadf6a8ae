package main

import (
	"context"
	"errors"
	"os/exec"

	"github.com/phocinae/phocinae-go/tools/internal/product"
)

// startMock starts the mock service on a free port. stop ends it.
func startMock(ctx context.Context, exe string) (url string, stop func(), err error) {
	server, err := product.StartHTTP(ctx, exe, "--addr", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	return server.URL, func() { _, _ = server.Stop() }, nil
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
