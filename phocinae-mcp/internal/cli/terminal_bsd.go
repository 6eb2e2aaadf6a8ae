//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"os"
	"syscall"
	"unsafe"
)

const getTermios = syscall.TIOCGETA

// dropInput forgets what was typed before now.
func dropInput(f *os.File) error {
	which := int32(1)                                                                                             // FREAD
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCFLUSH, uintptr(unsafe.Pointer(&which))) //nolint:gosec // the kernel reads our number; the standard library has no other way
	if errno != 0 {
		return errno
	}
	return nil
}
