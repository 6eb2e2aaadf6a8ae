//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package cli

import "os"

// isTerminal believes the mode: there is no further test in the standard library here.
func isTerminal(*os.File) bool { return true }

// dropInput does nothing: there is no way in the standard library here.
func dropInput(*os.File) error { return nil }

const ttyIn, ttyOut = "CONIN$", "CONOUT$"
