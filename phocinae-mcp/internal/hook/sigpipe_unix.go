//go:build unix

package hook

import (
	"os/signal"
	"syscall"
)

// surviveBrokenPipe keeps a write to a closed standard output an error. By default the signal ends the process with a status that hosts
// read as leave to run the command.
func surviveBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }
