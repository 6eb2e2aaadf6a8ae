//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package cli

import "os"

// isTerminal believes the mode: there is no further test in the standard library here.
func isTerminal(*os.File) bool { return true }

const ttyIn, ttyOut = "CONIN$", "CONOUT$"
