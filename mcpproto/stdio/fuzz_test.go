package stdio_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
)

// FuzzServe checks that whatever lines come in, every line that goes out is a valid message of the revision that it
// belongs to.
func FuzzServe(f *testing.F) {
	all, err := wiretest.Load("../testdata/wire")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range all {
		var lines []string
		for _, s := range c.Steps {
			lines = append(lines, s.Client...)
		}
		f.Add([]byte(strings.Join(lines, "\n")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Contains(bytes.ToLower(data), []byte("content-")) || bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
			t.Skip("what is framed otherwise is for FuzzFraming")
		}
		var w wire
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			w.sent(string(bytes.TrimRight(line, "\r")))
		}
		fix := wiretest.NewServer(wiretest.Options())
		close(fix.Release)
		go func() {
			for range fix.Started { // nobody waits for slow calls here
			}
		}()
		defer close(fix.Started)
		var out strings.Builder
		if err := stdio.Serve(t.Context(), fix.Server, bytes.NewReader(data), &out, nil); err != nil {
			t.Fatal(err)
		}
		w.output(t, out.String())
	})
}
