package streamhttp_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

// TestConversations plays the conversations that stdio plays, legacy ones in a session.
func TestConversations(t *testing.T) {
	is := is.New(t)
	all, err := wiretest.Load("../testdata/wire")
	is.NoErr(err)
	played := 0
	for _, c := range all {
		if c.Only == "stdio" && !strings.HasPrefix(c.Name, "legacy-") {
			continue // about lines on one stream, or rule 4 of the eras; a session plays the legacy ones
		}
		played++
		t.Run(c.Name, func(t *testing.T) {
			h := streamhttp.NewHandler(wiretest.NewServer(wiretest.Options()).Server, &streamhttp.Options{LegacySessions: true})
			defer h.Close()
			p := &player{t: t, h: h, got: make(chan string, 64)}
			saved := wiretest.Saved{}
			for i, s := range c.Steps {
				for _, l := range s.Client {
					p.send(saved.Expand(l))
				}
				if err := saved.MatchAll(s.Server, p.take(len(s.Server))); err != nil {
					t.Fatalf("step %d: %v", i+1, err)
				}
			}
			p.open.Wait()
			if len(p.got) > 0 {
				t.Fatalf("not expected: %s", <-p.got)
			}
		})
	}
	is.True(played >= 10) // the folder is not empty by mistake
}

// player is one client. Requests run on goroutines of their own, as their streams stay open.
type player struct {
	t       *testing.T
	h       http.Handler
	version string // legacy, as negotiated
	session string
	checked mcptest.Checker
	got     chan string
	open    sync.WaitGroup
}

func (p *player) send(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	r := request(p.t.Context(), line, p.version, p.session)
	a := newAnswer(p.t)
	a.checked = &p.checked
	if !strings.Contains(line, `"method"`) || !strings.Contains(line, `"id"`) || strings.Contains(line, `"initialize"`) {
		a.serve(a, p.h, r)
		p.finish(a)
		return
	}
	p.open.Go(func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			a.serve(a, p.h, r)
		}()
		for {
			select {
			case e := <-a.events:
				p.deliver(string(e))
			case <-done:
				p.finish(a)
				return
			}
		}
	})
}

func (p *player) finish(a *answer) {
	if id := a.header.Get(mcpproto.HeaderSession); id != "" {
		p.session = id
	}
	for {
		select {
		case e := <-a.events:
			p.deliver(string(e))
			continue
		default:
		}
		break
	}
	if a.body.Len() > 0 {
		p.deliver("data: " + a.body.String())
	}
}

func (p *player) deliver(event string) {
	data, ok := strings.CutPrefix(event, "data: ")
	if !ok || strings.Contains(data, "\n") {
		p.t.Errorf("not one data line: %q", event)
	}
	p.got <- data
}

// take waits for n messages.
func (p *player) take(n int) []string {
	var out []string
	for range n {
		select {
		case m := <-p.got:
			p.hear(m)
			out = append(out, m)
		case <-time.After(10 * time.Second):
			p.t.Fatalf("%d of %d messages arrived:\n%s", len(out), n, strings.Join(out, "\n"))
		}
	}
	return out
}

// hear notes the revision that initialize agreed on.
func (p *player) hear(message string) {
	var m struct {
		Result struct{ ProtocolVersion string }
	}
	if json.Unmarshal([]byte(message), &m) == nil && m.Result.ProtocolVersion != "" { // an array has no result
		p.version = m.Result.ProtocolVersion
	}
}
