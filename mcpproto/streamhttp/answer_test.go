package streamhttp_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

const progressMeta = `"_meta":{"progressToken":"t","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func TestAnswersAreJSONUnlessSomethingPrecedesThem(t *testing.T) {
	progress := strings.Replace(modern("1", "tools/call", `"name":"progress"`), modernMeta, progressMeta, 1)
	h := streamhttp.NewHandler(wiretest.NewServer(wiretest.Options()).Server, nil)
	defer h.Close()
	for _, r := range []struct {
		name, body, accept string
		status             int
		kind               string
		messages           int
	}{
		{"H30: a plain call", echo, "application/json, text/event-stream", 200, "application/json", 1},
		{"progress first", progress, "application/json, text/event-stream", 200, "text/event-stream", 4},
		{"progress for a client of JSON alone", progress, "application/json", 200, "application/json", 1},
		{"H06: a plain call for a client of events alone", echo, "text/event-stream", 200, "text/event-stream", 1},
		{"an error for a client of events alone", modern("1", "nope", ""), "text/event-stream", 404, "application/json", 1},
		{"a subscription for a client of JSON alone", modern("1", "subscriptions/listen", `"notifications":{}`), "application/json", 406, "application/json", 1},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			req := request(t.Context(), r.body, "", "")
			req.Header.Set("Accept", r.accept)
			a := post(t, h, req)
			is.Equal(a.status, r.status)
			is.Equal(a.header.Get("Content-Type"), r.kind)
			all := a.messages()
			is.Equal(len(all), r.messages)
			if r.kind == "text/event-stream" {
				is.Equal(a.header.Get("X-Accel-Buffering"), "no")
				is.Equal(a.header.Get("Cache-Control"), "no-store")
			}
		})
	}
}

// running is a call or subscription in progress inside a synctest bubble.
type running struct {
	*answer
	done   chan struct{}
	cancel context.CancelCauseFunc
}

func start(t *testing.T, h http.Handler, body, legacy, session string) *running {
	ctx, cancel := context.WithCancelCause(t.Context())
	r := &running{answer: newAnswer(t), done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(r.done)
		r.serve(r, h, request(ctx, body, legacy, session))
	}()
	synctest.Wait()
	return r
}

// leave is what a client does that closes its connection.
func (r *running) leave() {
	r.mu.Lock()
	r.gone = true
	r.mu.Unlock()
	r.cancel(nil)
	synctest.Wait()
}

func (r *running) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// watched is a server that notes what became of its calls.
func watched() (*wiretest.Fixture, func() []mcpserver.Fate) {
	var mu sync.Mutex
	var fates []mcpserver.Fate
	o := wiretest.Options()
	o.Observe = func(_ context.Context, out *mcpserver.Outcome) {
		mu.Lock()
		defer mu.Unlock()
		fates = append(fates, out.Fate)
	}
	return wiretest.NewServer(o), func() []mcpserver.Fate {
		mu.Lock()
		defer mu.Unlock()
		return append([]mcpserver.Fate(nil), fates...)
	}
}

func TestAModernClientThatLeavesCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, fates := watched()
		h := streamhttp.NewHandler(f.Server, nil)
		defer h.Close()
		call := start(t, h, modern("1", "tools/call", `"name":"slow"`), "", "")
		is.True(!call.over())
		call.leave()
		is.True(call.over())                                     // H26: cancelled at once
		is.Equal(fates(), []mcpserver.Fate{mcpserver.Cancelled}) // and said so
		is.Equal(call.body.Len(), 0)
	})
}

func TestALegacyClientThatLeavesDoesNotCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, fates := watched()
		h := streamhttp.NewHandler(f.Server, nil)
		defer h.Close()
		call := start(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`, "2025-11-25", "")
		call.leave()
		is.True(!call.over()) // H26: a lost connection is no cancellation
		close(f.Release)
		<-call.done
		is.Equal(fates(), []mcpserver.Fate{mcpserver.Served}) // its end is on record, its answer dropped
		is.Equal(call.body.Len(), 0)
	})
}

func TestKeepAliveComments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, _ := watched()
		h := streamhttp.NewHandler(f.Server, nil)
		defer h.Close()
		listen := start(t, h, modern("1", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`), "", "")
		is.Equal(len(listen.events), 1) // acknowledged
		<-listen.events
		time.Sleep(31 * time.Second) // bubble time
		synctest.Wait()
		is.Equal(len(listen.events), 2) // one every 15 s
		is.Equal(string(<-listen.events), ": keep-alive")
		f.ToolsChanged() // news put the next comment off
		synctest.Wait()
		time.Sleep(14 * time.Second)
		synctest.Wait()
		is.Equal(len(listen.events), 2)
		listen.leave()
		is.True(listen.over())

		only := newAnswer(t)
		req := request(t.Context(), modern("2", "tools/call", `"name":"slow"`), "", "")
		req.Header.Set("Accept", "text/event-stream")
		done := make(chan struct{})
		go func() { defer close(done); only.serve(only, h, req) }()
		time.Sleep(16 * time.Second)
		synctest.Wait()
		is.Equal(string(<-only.events), ": keep-alive") // a long call shows that it lives
		close(f.Release)
		<-done
		is.Equal(len(only.messages()), 1)
		is.Equal(only.status, 200)
	})
}

func TestSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, _ := watched()
		h := streamhttp.NewHandler(f.Server, nil)
		defer h.Close()
		body := func(id string) string {
			return modern(id, "subscriptions/listen", `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://text"]}`)
		}
		first, second := start(t, h, body("1"), "", ""), start(t, h, body(`"two"`), "", "")
		f.ToolsChanged()
		f.PromptsChanged() // not asked for
		f.ResourceUpdated("test://text")
		synctest.Wait()
		all := first.messages()
		is.Equal(len(all), 3)
		for _, m := range all {
			is.True(strings.Contains(m, `"io.modelcontextprotocol/subscriptionId":1`))
		}
		first.leave()
		is.True(first.over())
		is.Equal(len(first.messages()), 0) // the client ended it: no result

		h.Close() // the server ends the other
		synctest.Wait()
		is.True(second.over())
		all = second.messages()
		is.Equal(len(all), 4)
		last := all[len(all)-1]
		is.True(strings.Contains(last, `"id":"two"`))
		is.True(!strings.Contains(strings.Join(all, ""), "notifications/cancelled")) // that is for stdio

		late := start(t, h, body("3"), "", "")
		is.True(late.over()) // none begins after the end
	})
}

// stuck is a reader that stopped reading: every write blocks until it leaves.
type stuck struct {
	*answer
	left chan struct{}
}

func (s stuck) Write([]byte) (int, error) { <-s.left; return 0, http.ErrAbortHandler }

func TestAReaderThatStopsBlocksNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, _ := watched()
		h := streamhttp.NewHandler(f.Server, nil)
		defer h.Close()
		ctx, cancel := context.WithCancel(t.Context())
		slow := stuck{newAnswer(t), make(chan struct{})}
		done := make(chan struct{})
		go func() {
			defer close(done)
			slow.serve(slow, h, request(ctx, modern("1", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`), "", ""))
		}()
		good := start(t, h, modern("2", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`), "", "")
		for range 1000 {
			f.ToolsChanged()
		}
		synctest.Wait()
		is.True(len(good.messages()) >= 2)                                             // acknowledged and told
		is.Equal(post(t, h, request(t.Context(), echo, "", "")).status, http.StatusOK) // calls go on
		close(slow.left)
		cancel()
		<-done
		good.leave()
	})
}

func TestTooManyOpenRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, _ := watched()
		h := streamhttp.NewHandler(f.Server, &streamhttp.Options{MaxOpenRequests: 2})
		defer h.Close()
		slow := modern("1", "tools/call", `"name":"slow"`)
		a, b := start(t, h, slow, "", ""), start(t, h, slow, "", "")
		over := post(t, h, request(t.Context(), list, "", ""))
		expect{http.StatusServiceUnavailable, mcpproto.CodeInvalidRequest, ""}.compare(t, over)
		is.Equal(over.header.Get("Retry-After"), "1")
		close(f.Release)
		<-a.done
		<-b.done
		is.Equal(post(t, h, request(t.Context(), list, "", "")).status, http.StatusOK)
	})
}
