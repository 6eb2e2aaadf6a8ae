package cli

import (
	"bytes"
	"os"
	"testing"

	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
)

// BenchmarkStart is everything between the start of the process and the first byte read, without the engine, which is
// built beside it.
func BenchmarkStart(b *testing.B) {
	p := &Process{Args: []string{"serve", "--audit", "off"}, In: os.Stdin, Out: os.Stdout, Err: &bytes.Buffer{}, Lookup: os.LookupEnv}
	b.Run("command line", func(b *testing.B) {
		for b.Loop() {
			var c commandLine
			var help bytes.Buffer
			exited := false
			parser, err := newParser(&c, &help, &exited)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.parse(parser, &exited); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("configuration", func(b *testing.B) {
		for b.Loop() {
			if _, err := config.Resolve(&config.Flags{}, p.environment()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("server", func(b *testing.B) {
		for b.Loop() {
			s, err := p.assemble(&config.Flags{}, p.onStderr)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.server(s); err != nil {
				b.Fatal(err)
			}
			s.close()
		}
	})
}
