package interop_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

// The official client hands on what it decoded. What the program really sent is looked at on the way to it: each
// message is checked against the schema of its revision.

// tap is one stdio conversation between the official client and the program.
type tap struct {
	t    *testing.T
	wire mcptest.Checker
	mu   sync.Mutex // one line after the other
	said int
}

// start runs the program and returns the transport to it.
func (w *tap) start(exe string, flags ...string) mcp.Transport {
	w.t.Helper()
	is := is.New(w.t)
	cmd := exec.Command(exe, flags...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	is.NoErr(err)
	out, err := cmd.StdoutPipe()
	is.NoErr(err)
	is.NoErr(cmd.Start())
	w.t.Cleanup(func() {
		_ = in.Close() // the program ends with its input
		if err := cmd.Wait(); err != nil {
			w.t.Errorf("the program ended with %v", err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.said == 0 {
			w.t.Error("nothing came by")
		}
	})
	sent := &lines{each: func(line []byte) { w.wire.Sent(line) }}
	return &mcp.IOTransport{
		Reader: io.NopCloser(io.TeeReader(out, &lines{each: w.heard})),
		Writer: writeCloser{io.MultiWriter(sent, in), in},
	}
}

func (w *tap) heard(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said++
	if err := w.wire.Received(line); err != nil {
		w.t.Errorf("invalid message: %v\n%.2000s", err, line)
	}
}

type writeCloser struct {
	io.Writer
	io.Closer
}

// lines hands on whole lines of what is written to it.
type lines struct {
	rest []byte
	each func(line []byte)
}

func (l *lines) Write(b []byte) (int, error) {
	l.rest = append(l.rest, b...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(b), nil
		}
		l.each(line)
		l.rest = bytes.Clone(rest)
	}
}

// webTap is the way of a client's HTTP requests.
type webTap struct{ t *testing.T }

// RoundTrip checks each message of the answer as the client reads it.
func (w webTap) RoundTrip(r *http.Request) (*http.Response, error) {
	wire := new(mcptest.Checker)
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(body)
		if err != nil {
			return nil, err
		}
		wire.SentHTTP(r.Header, text)
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	heard := func(message []byte) {
		if err := wire.Received(message); err != nil {
			w.t.Errorf("invalid message: %v\n%.2000s", err, message)
		}
	}
	if a.Header.Get("Content-Type") == "text/event-stream" {
		events := &lines{each: func(line []byte) {
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				heard(data)
			}
		}}
		a.Body = readCloser{io.TeeReader(a.Body, events), a.Body}
		return a, nil
	}
	text, err := io.ReadAll(a.Body)
	_ = a.Body.Close()
	if len(text) > 0 && err == nil {
		heard(text)
	}
	a.Body = io.NopCloser(bytes.NewReader(text))
	return a, err
}

type readCloser struct {
	io.Reader
	io.Closer
}
