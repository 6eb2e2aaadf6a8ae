package streamhttp_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

func TestOnlyLoopbackIsBound(t *testing.T) {
	f := wiretest.NewServer(wiretest.Options())
	for _, r := range []struct {
		name, addr string
		o          *streamhttp.Options
		ok         bool
		want       string // host of the bound address
	}{
		{"IPv4", "127.0.0.1:0", nil, true, "127.0.0.1"},
		{"localhost is IPv4, whatever a resolver says", "localhost:0", nil, true, "127.0.0.1"},
		{"everywhere", ":0", nil, false, ""},
		{"everywhere, spelled out", "0.0.0.0:0", nil, false, ""},
		{"IPv6 everywhere", "[::]:0", nil, false, ""},
		{"a name", "gate.example:0", nil, false, ""},
		{"the local network", "192.168.1.10:0", nil, false, ""},
		{"another loopback address", "127.0.0.2:0", nil, false, ""},
		{"everywhere, when told so", "0.0.0.0:0", &streamhttp.Options{AllowNonLoopback: true}, true, ""},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			s, err := streamhttp.Listen(r.addr, f.Server, r.o)
			if !r.ok {
				is.True(errors.Is(err, streamhttp.ErrNotLoopback))
				return
			}
			is.NoErr(err)
			if host, _, err := net.SplitHostPort(s.Addr().String()); r.want != "" {
				is.NoErr(err)
				is.Equal(host, r.want)
			}
			is.NoErr(s.Close())
		})
	}
}

func TestIPv6LoopbackIsServed(t *testing.T) { // H36
	is := is.New(t)
	s, err := streamhttp.Listen("[::1]:0", wiretest.NewServer(wiretest.Options()).Server, nil)
	if err != nil {
		t.Skip("this machine has no IPv6 loopback")
	}
	serve(t, s)
	text := head("HTTP/1.1", "/mcp", fmt.Sprintf("Content-Length: %d\r\n", len(list))) + list
	a := dial(t, s).ask(t, strings.Replace(text, "Host: localhost", "Host: "+s.Addr().String(), 1))
	is.Equal(a.StatusCode, http.StatusOK)
}

// serve runs a server until the test ends.
func serve(t *testing.T, s *streamhttp.Server) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
}

// wire is a bare connection to a running server. Every message that it reads is checked against the schema of its
// revision.
type wire struct {
	net.Conn
	r       *bufio.Reader
	checked mcptest.Checker
}

func dial(t *testing.T, s *streamhttp.Server) *wire {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	return &wire{Conn: c, r: bufio.NewReader(c)}
}

const listHead = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
	"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n"

// head is the head of a tools/list request.
func head(proto, path, more string) string {
	return "POST " + path + " " + proto + "\r\nHost: localhost\r\n" + listHead + more + "\r\n"
}

func (w *wire) ask(t *testing.T, text string) *http.Response {
	t.Helper()
	w.sent(text)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	return w.answer(t)
}

func (w *wire) answer(t *testing.T) *http.Response {
	t.Helper()
	a, err := http.ReadResponse(w.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	a.Body = io.NopCloser(bytes.NewReader(body))
	switch kind := a.Header.Get("Content-Type"); {
	case kind == "application/json":
		received(t, &w.checked, body)
	case bytes.Contains(body, []byte("jsonrpc")):
		t.Errorf("a message of type %q: %q", kind, body)
	}
	return a
}

// sent notes a whole request; what is none is refused without an id.
func (w *wire) sent(text string) {
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		return
	}
	body, _ := io.ReadAll(r.Body) // one that is cut off is refused too
	w.checked.SentHTTP(r.Header, body)
}

// events reads messages of an event stream up to one that holds part.
func (w *wire) events(t *testing.T, part string) {
	t.Helper()
	for line := ""; !strings.Contains(line, part); {
		var err error
		if line, err = w.r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			received(t, &w.checked, []byte(strings.TrimSuffix(data, "\n")))
		} else if strings.Contains(line, "jsonrpc") {
			t.Errorf("a message that is no event: %q", line)
		}
	}
}

func listen(t *testing.T, o *streamhttp.Options) *streamhttp.Server {
	t.Helper()
	s, err := streamhttp.Listen("127.0.0.1:0", wiretest.NewServer(wiretest.Options()).Server, o)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, s)
	return s
}

func TestOnARealConnection(t *testing.T) {
	s := listen(t, nil)
	sized := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n", len(body)) }

	t.Run("H34: both spellings of the endpoint, and no other", func(t *testing.T) {
		is := is.New(t)
		w := dial(t, s)
		is.Equal(w.ask(t, head("HTTP/1.1", "/mcp", sized(list))+list).StatusCode, 200)
		is.Equal(w.ask(t, head("HTTP/1.1", "/mcp/", sized(list))+list).StatusCode, 200)
		is.Equal(w.ask(t, head("HTTP/1.1", "/other", sized(list))+list).StatusCode, 404)
	})
	t.Run("H25: a connection outlives a refused message", func(t *testing.T) {
		is := is.New(t)
		w := dial(t, s)
		is.Equal(w.ask(t, head("HTTP/1.1", "/mcp", sized(list))+list).StatusCode, 200)
		is.Equal(w.ask(t, head("HTTP/1.1", "/mcp", sized("{bad"))+"{bad").StatusCode, 400)
		is.Equal(w.ask(t, head("HTTP/1.1", "/mcp", sized(list))+list).StatusCode, 200)
	})
	t.Run("H25: HTTP/1.0 is served without chunks", func(t *testing.T) {
		is := is.New(t)
		a := dial(t, s).ask(t, head("HTTP/1.0", "/mcp", sized(list))+list)
		is.Equal(a.StatusCode, 200)
		is.Equal(len(a.TransferEncoding), 0)
	})
	t.Run("H19: a huge length is refused before the body", func(t *testing.T) {
		is := is.New(t)
		a := dial(t, s).ask(t, head("HTTP/1.1", "/mcp", "Content-Length: 17179869184\r\n")+strings.Repeat("x", 1000))
		is.Equal(a.StatusCode, 413)
		is.True(a.Close)
	})
	t.Run("H19: endless chunks are refused", func(t *testing.T) {
		is := is.New(t)
		w := dial(t, s)
		go func() {
			_, _ = io.WriteString(w, head("HTTP/1.1", "/mcp", "Transfer-Encoding: chunked\r\n"))
			chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat(" ", 1<<20))
			for range 64 {
				if _, err := io.WriteString(w, chunk); err != nil {
					return // refused, as it should be
				}
			}
		}()
		is.Equal(w.answer(t).StatusCode, 413)
	})
	t.Run("a chunked body ends its connection", func(t *testing.T) {
		is := is.New(t)
		a := dial(t, s).ask(t, head("HTTP/1.1", "/mcp", "Transfer-Encoding: chunked\r\n")+fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(list), list))
		is.Equal(a.StatusCode, 200)
		is.True(a.Close)
	})
	t.Run("H20: 100-continue", func(t *testing.T) {
		is := is.New(t)
		w := dial(t, s)
		start := head("HTTP/1.1", "/mcp", sized(list)+"Expect: 100-continue\r\n")
		w.sent(start + list)
		_, err := io.WriteString(w, start)
		is.NoErr(err)
		line, err := w.r.ReadString('\n')
		is.NoErr(err)
		is.Equal(line, "HTTP/1.1 100 Continue\r\n")
		_, err = w.r.ReadString('\n')
		is.NoErr(err)
		is.Equal(w.ask(t, list).StatusCode, 200)
	})
	t.Run("100-continue is not sent for what is refused", func(t *testing.T) {
		is := is.New(t)
		a := dial(t, s).ask(t, head("HTTP/1.1", "/mcp", "Content-Length: 9999999\r\nExpect: 100-continue\r\n"))
		is.Equal(a.StatusCode, 413)
	})
	t.Run("H24: a body that stalls is answered 408, and others go on", func(t *testing.T) {
		is := is.New(t)
		s := listen(t, &streamhttp.Options{BodyTimeout: 200 * time.Millisecond})
		var stalled []*wire
		for range 50 {
			w := dial(t, s)
			_, err := io.WriteString(w, head("HTTP/1.1", "/mcp", "Content-Length: 100\r\n")+"{")
			is.NoErr(err)
			stalled = append(stalled, w)
		}
		is.Equal(dial(t, s).ask(t, head("HTTP/1.1", "/mcp", sized(list))+list).StatusCode, 200)
		for _, w := range stalled {
			a := w.answer(t)
			is.Equal(a.StatusCode, 408)
			is.True(a.Close)
		}
	})
	t.Run("a call may take longer than its body may", func(t *testing.T) {
		is := is.New(t)
		s := listen(t, &streamhttp.Options{BodyTimeout: 200 * time.Millisecond})
		w := dial(t, s)
		w.call(t, "slow")
		_ = w.SetReadDeadline(time.Now().Add(400 * time.Millisecond))
		_, err := w.r.ReadByte()
		var timeout net.Error
		is.True(errors.As(err, &timeout) && timeout.Timeout()) // still running, not cancelled by the body's deadline
		is.NoErr(w.Close())                                    // which does cancel it
	})
	t.Run("a head over 16 KiB is refused", func(t *testing.T) {
		is := is.New(t)
		a := dial(t, s).ask(t, head("HTTP/1.1", "/mcp", sized(list)+"X-Pad: "+strings.Repeat("x", 16<<10)+"\r\n")+list)
		is.Equal(a.StatusCode, http.StatusRequestHeaderFieldsTooLarge)
	})
	t.Run("a head of 15 KiB is served", func(t *testing.T) {
		is := is.New(t)
		a := dial(t, s).ask(t, head("HTTP/1.1", "/mcp", sized(list)+"X-Pad: "+strings.Repeat("x", 15<<10)+"\r\n")+list)
		is.Equal(a.StatusCode, 200)
	})
}

// call starts a tools/call on a bare connection.
func (w *wire) call(t *testing.T, tool string) {
	t.Helper()
	w.begin(t, "tools/call\r\nMcp-Name: "+tool, modern("1", "tools/call", `"name":"`+tool+`"`))
}

// begin sends a request whose Mcp-Method header, and what follows it, is given.
func (w *wire) begin(t *testing.T, mirrors, body string) {
	t.Helper()
	text := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s",
		strings.Replace(listHead, "tools/list", mirrors, 1), len(body), body)
	w.sent(text)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
}

func TestADroppedConnectionCancels(t *testing.T) { // H26
	is := is.New(t)
	ended := make(chan mcpserver.Fate, 1)
	o := wiretest.Options()
	o.Observe = func(_ context.Context, out *mcpserver.Outcome) { ended <- out.Fate }
	f := wiretest.NewServer(o)
	s, err := streamhttp.Listen("127.0.0.1:0", f.Server, nil)
	is.NoErr(err)
	serve(t, s)
	w := dial(t, s)
	w.call(t, "slow")
	<-f.Started
	is.NoErr(w.Close())
	select {
	case fate := <-ended:
		is.Equal(fate, mcpserver.Cancelled)
	case <-time.After(5 * time.Second):
		t.Fatal("the call runs on")
	}
}

// A reader of a large answer that stops reading keeps its request open no longer than one write may
// take.
func TestAReaderThatStopsIsCutOff(t *testing.T) {
	is := is.New(t)
	f := wiretest.NewServer(wiretest.Options())
	began := make(chan struct{})
	is.NoErr(f.AddTool(mcpserver.Tool{Name: "large"}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		close(began)
		return mcpproto.TextResult(strings.Repeat("x", 64<<20)), nil
	}))
	s, err := streamhttp.Listen("127.0.0.1:0", f.Server, &streamhttp.Options{MaxOpenRequests: 1, WriteTimeout: 300 * time.Millisecond})
	is.NoErr(err)
	serve(t, s)
	dial(t, s).call(t, "large") // never read
	<-began
	other := dial(t, s)
	status := func() int {
		return other.ask(t, head("HTTP/1.1", "/mcp", fmt.Sprintf("Content-Length: %d\r\n", len(list)))+list).StatusCode
	}
	is.Equal(status(), http.StatusServiceUnavailable) // its request is open
	for limit := time.Now().Add(10 * time.Second); status() != http.StatusOK; {
		if time.Now().After(limit) {
			t.Fatal("its request is still open")
		}
	}
}

// A shutdown ends subscriptions with their result and cancels what will not end by itself, and the
// answers still leave.
func TestShutdownAnswersWhatIsOpen(t *testing.T) {
	is := is.New(t)
	f, fates := watched()
	s, err := streamhttp.Listen("127.0.0.1:0", f.Server, nil)
	is.NoErr(err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()

	call := dial(t, s)
	call.call(t, "slow")
	<-f.Started
	sub := dial(t, s)
	sub.begin(t, "subscriptions/listen", modern("2", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`))
	sub.events(t, "acknowledged")
	began := time.Now()
	stop()
	sub.events(t, `"id":2`)
	is.True(time.Since(began) < 2*time.Second) // subscriptions end at once
	a := call.answer(t)                        // calls get their time, then the handler's fail-closed answer
	text, err := io.ReadAll(a.Body)
	is.NoErr(err)
	is.True(strings.Contains(string(text), "denied: mcpserver: server is shutting down"))
	is.NoErr(<-done)
	is.True(time.Since(began) < 6*time.Second)
	is.Equal(len(fates()), 1)
	_, err = net.Dial("tcp", s.Addr().String())
	is.True(err != nil) // nobody listens any more
}

func TestStaticBearer(t *testing.T) {
	for _, r := range []struct {
		name   string
		token  string
		values []string
		ok     bool
	}{
		{"the token", "s3cret", []string{"Bearer s3cret"}, true},
		{"the scheme in another case", "s3cret", []string{"bearer s3cret"}, true},
		{"another token", "s3cret", []string{"Bearer s3cre"}, false},
		{"another scheme", "s3cret", []string{"Basic s3cret"}, false},
		{"nothing", "s3cret", nil, false},
		{"twice", "s3cret", []string{"Bearer s3cret", "Bearer s3cret"}, false},
		{"an empty token lets nobody in", "", []string{"Bearer "}, false},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			principal, ok := streamhttp.StaticBearer(r.token, "op")(&http.Request{Header: http.Header{"Authorization": r.values}})
			is.Equal(ok, r.ok)
			is.Equal(principal == "op", r.ok)
		})
	}
}
