//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"os"
	"syscall"
	"unsafe"
)

// isTerminal asks the driver: a character device such as /dev/null is none.
func isTerminal(f *os.File) bool {
	var state syscall.Termios
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), getTermios, uintptr(unsafe.Pointer(&state))) //nolint:gosec // the kernel fills our struct; the standard library has no other way to ask
	return errno == 0
}

const ttyIn, ttyOut = "/dev/tty", "/dev/tty"
