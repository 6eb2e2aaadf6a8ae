//go:build !unix

package hook

// surviveBrokenPipe has nothing to do where there is no such signal.
func surviveBrokenPipe() {}
