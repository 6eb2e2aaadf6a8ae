package stdio_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
)

// TestConversations plays the recorded conversations over pipes and checks every message against the schema of its
// revision.
func TestConversations(t *testing.T) {
	is := is.New(t)
	all, err := wiretest.Load("../testdata/wire")
	is.NoErr(err)
	for _, c := range all {
		if c.Only == "http" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			is := is.New(t)
			p := newPeer(t, nil, nil)
			saved := wiretest.Saved{}
			for i, s := range c.Steps {
				for _, l := range s.Client {
					p.send(saved.Expand(l))
				}
				if err := saved.MatchAll(s.Server, p.recv(len(s.Server))); err != nil {
					t.Fatalf("step %d: %v", i+1, err)
				}
			}
			rest, err := p.end()
			is.NoErr(err)          // the end of input is no error
			is.Equal(len(rest), 0) // nothing is sent that was not expected
		})
	}
}

// TestTheExampleAnswersValidly checks the line that the example prints: the example itself is for reading.
func TestTheExampleAnswersValidly(t *testing.T) {
	is := is.New(t)
	source, err := os.ReadFile("example_test.go")
	is.NoErr(err)
	sent := regexp.MustCompile("NewReader\\(`(.*)`\\)").FindSubmatch(source)
	printed := regexp.MustCompile("// Output: (.*)").FindSubmatch(source)
	is.True(sent != nil && printed != nil)
	var w wire
	w.sent(string(sent[1]))
	w.received(t, string(printed[1])+"\n")
}
