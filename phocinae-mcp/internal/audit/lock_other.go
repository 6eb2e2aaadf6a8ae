//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package audit

import (
	"errors"
	"runtime"
)

const (
	moveNeedsClose = runtime.GOOS == "windows" // an open file cannot be renamed there
	hasModeBits    = runtime.GOOS != "windows"
)

var errBusy = errors.New("audit: another process is rotating")

// tryLock does nothing here. Two processes that rotate at the same moment then leave a short file; no record is lost.
func tryLock(file) (unlock func(), err error) { return func() {}, nil }
