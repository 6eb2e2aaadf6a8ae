package mcpserver_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// TestConversations plays the recorded conversations without a transport, over one Conn.
func TestConversations(t *testing.T) {
	is := is.New(t)
	all, err := wiretest.Load("../testdata/wire")
	is.NoErr(err)
	for _, c := range all {
		if c.Only == "http" || c.Name == "stdio-lines" { // what a line is, is for the transport
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			got := make(chan string, 1024)
			take := func(msg []byte) error { got <- string(msg); return nil }
			p := connect(t, wiretest.NewServer(wiretest.Options()).Server, mcpserver.ConnOptions{Transport: mcpproto.Stdio, Push: take})
			var open sync.WaitGroup
			saved := wiretest.Saved{}
			for i, s := range c.Steps {
				for _, l := range s.Client {
					p.hand(saved.Expand(l), got, &open)
				}
				if err := saved.MatchAll(s.Server, next(t, got, len(s.Server))); err != nil {
					t.Fatalf("step %d: %v", i+1, err)
				}
			}
			p.Close()
			open.Wait()
			if len(got) > 0 {
				t.Fatalf("not expected: %s", <-got)
			}
		})
	}
}

// hand does with one line what a transport does: what is served at once is, the rest aside.
func (c *peer) hand(line string, got chan<- string, open *sync.WaitGroup) {
	ctx := context.Background()
	out := &sink{each: got}
	m, err := mcpproto.Decode([]byte(line))
	if err == nil && c.conn.Load(m) != mcpserver.Instant {
		c.note(line, nil)
		out.peer = c
		open.Go(func() { c.conn.Handle(ctx, m, mcpserver.Facts{}, out) })
		return
	}
	items, batch := mcpproto.DecodeBatch([]byte(line))
	if batch != nil || !c.conn.Batches(0) {
		if strings.TrimSpace(line) != "" {
			c.handle(ctx, line, mcpserver.Facts{}, out)
		}
		return
	}
	c.note(line, nil)
	out.peer = c
	open.Go(func() { c.conn.HandleBatch(ctx, items, mcpserver.Facts{}, out) })
}

func next(t *testing.T, got <-chan string, n int) (all []string) {
	t.Helper()
	limit := time.After(60 * time.Second)
	for len(all) < n {
		select {
		case m := <-got:
			all = append(all, m)
		case <-limit:
			t.Fatalf("%d of %d messages came: %q", len(all), n, all)
		}
	}
	return all
}
