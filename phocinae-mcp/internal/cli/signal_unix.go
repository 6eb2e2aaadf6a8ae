//go:build !windows

package cli

import (
	"os"
	"syscall"
)

func brokenPipe() []os.Signal { return []os.Signal{syscall.SIGPIPE} }
