package p0client

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a service on a real socket and returns a client for it; both end with the test.
func serve(t testing.TB, o *Options, h http.HandlerFunc) *Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return connect(t, srv.URL, o)
}

func connect(t testing.TB, url string, o *Options) *Client {
	t.Helper()
	c, err := New(url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// reply is a handler that always answers with one JSON text.
func reply(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}

// good answers both gate questions, a choice and a score, whatever is asked.
const good = `{"model":"Phocinae-Largha-150M-v1","answers":{"may_run":true,"risk":2,"choice":0,"score":7},"usage":{"input_tokens":60,"output_tokens":0}}`

// pipes is a network in memory, for tests in which time is false.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "pipe"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	mine, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return mine, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inMemory starts a service inside a bubble and returns its client and what ends both.
func inMemory(t *testing.T, o Options, h http.HandlerFunc) (*Client, func()) {
	t.Helper()
	p := newPipes()
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server notices that its client left only after the body
		h(w, r)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(p) }()
	o.DialContext = p.dial
	c, err := New("http://service.test", &o)
	if err != nil {
		t.Fatal(err)
	}
	return c, func() {
		c.Close()
		_ = srv.Close()
		<-done
	}
}
