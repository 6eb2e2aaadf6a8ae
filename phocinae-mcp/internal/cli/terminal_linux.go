package cli

import (
	"os"
	"syscall"
)

const getTermios = syscall.TCGETS

// dropInput forgets what was typed before now.
func dropInput(f *os.File) error {
	const flush, input = 0x540b, 0 // TCFLSH, TCIFLUSH: ioctl_tty(2)
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), flush, input); errno != 0 {
		return errno
	}
	return nil
}
