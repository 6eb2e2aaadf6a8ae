package cli

import "os"

func brokenPipe() []os.Signal { return nil }
