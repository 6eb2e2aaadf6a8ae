package contract

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/phocinae/phocinae-go/p0client"
)

var update = flag.Bool("update", false, "rewrite the golden requests")

// TestGoldenRequests pins the exact bytes that are sent, and what the service understands of them.
func TestGoldenRequests(t *testing.T) {
	for _, tt := range []struct {
		name string
		path string
		typ  string // of the question to look at, where a call sends two requests
		do   func(context.Context, *p0client.Client) error
	}{
		{"gate-noul", "/v1/systemone", "noul", askGate},
		{"gate-score", "/v1/systemone", "score", askGate},
		{"classify", "/v1/systemone", "choice", func(ctx context.Context, c *p0client.Client) error {
			_, err := c.Classify(ctx, "After paying, the page is <blank> & 空白.", []string{"praise", "bug report", "提问"})
			return err
		}},
		{"route", "/v1/systemone", "choice", func(ctx context.Context, c *p0client.Client) error {
			_, err := c.Route(ctx, "find the latest news", []string{"web_search: search the public web", "read_file"}, false)
			return err
		}},
		{"route-permuted", "/v1/systemone/permute", "choice", func(ctx context.Context, c *p0client.Client) error {
			_, err := c.Route(ctx, "find the latest news", []string{"web_search: search the public web", "read_file"}, true)
			return err
		}},
		{"score", "/v1/systemone", "score", func(ctx context.Context, c *p0client.Client) error {
			_, err := c.Score(ctx, "A short,\nclear text.", []string{"is clear", "is \"short\""})
			return err
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			s := newStand(t)
			c := connect(t, s.url, p0client.Options{Bearer: "token"})
			defer c.Close()
			is.NoErr(tt.do(t.Context(), c))
			is.NoErr(tt.do(t.Context(), c)) // the same bytes again
			var found []mockp0.Recorded
			for _, r := range s.Requests() {
				if r.Requests[0].Questions[0].Type == tt.typ {
					found = append(found, r)
				}
			}
			is.Equal(len(found), 2)
			is.Equal(found[0].Body, found[1].Body)
			r := found[0]
			is.Equal(r.Method, "POST")
			is.Equal(r.Path, tt.path)
			is.Equal(r.Header.Get("Content-Type"), "application/json")
			is.Equal(r.Header.Get("Accept"), "application/json")
			is.Equal(r.Header.Get("Accept-Encoding"), "identity")
			is.Equal(r.Header.Get("Authorization"), "Bearer token")
			is.Equal(len(r.Requests[0].Questions), 1) // one question a request

			file := filepath.Join("testdata", "requests", tt.name+".json")
			if *update {
				is.NoErr(os.WriteFile(file, append(r.Body, '\n'), 0o600))
			}
			want, err := os.ReadFile(file)
			is.NoErr(err)
			is.Equal(string(r.Body)+"\n", string(want))
		})
	}
}

func askGate(ctx context.Context, c *p0client.Client) error {
	_, err := c.Gate(ctx, p0client.GateQuestion{Command: "git commit -m 'fix: \"blank\" <page>' && make\ttest", Dir: "/home/dev/work/app"})
	return err
}
