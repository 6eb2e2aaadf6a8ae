//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package audit

import (
	"errors"
	"os"
	"syscall"
)

const (
	moveNeedsClose = false
	hasModeBits    = true
)

var errBusy = errors.New("audit: another process is rotating")

// tryLock takes an exclusive flock on f without waiting: a stopped process must not be able to hold up a verdict.
func tryLock(f file) (unlock func(), err error) {
	osFile, ok := f.(*os.File)
	if !ok {
		return func() {}, nil
	}
	fd := int(osFile.Fd())
	switch err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, errBusy
	case err != nil:
		return nil, err
	}
	// The rename may be followed by closing f, which drops the lock as well; unlocking a closed descriptor is refused.
	return func() { _ = syscall.Flock(int(osFile.Fd()), syscall.LOCK_UN) }, nil
}
