// Command echo answers every line with the same line: the floor under any line protocol over pipes.
package main

import (
	"bufio"
	"io"
	"os"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			if err == io.EOF {
				return
			}
			os.Exit(1)
		}
		if _, err := os.Stdout.Write(line); err != nil {
			os.Exit(1)
		}
	}
}
