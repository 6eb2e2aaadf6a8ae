package stdio_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
)

// peer is a client at the other end of two pipes.
type peer struct {
	t      *testing.T
	fix    *wiretest.Fixture
	in     *io.PipeWriter
	out    *io.PipeReader
	lines  chan string
	served chan error
	cancel context.CancelCauseFunc
	wire   wire
}

// patience is for machines with more to do than cores.
const patience = 60 * time.Second

func newPeer(t *testing.T, fix *wiretest.Fixture, o *stdio.Options) *peer {
	t.Helper()
	if fix == nil {
		fix = wiretest.NewServer(wiretest.Options())
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancelCause(t.Context())
	p := &peer{t: t, fix: fix, in: inW, out: outR, lines: make(chan string, 4096), served: make(chan error, 1), cancel: cancel}
	var wg sync.WaitGroup
	wg.Go(func() {
		p.served <- stdio.Serve(ctx, fix.Server, inR, outW, o)
		_ = outW.Close()
	})
	wg.Go(func() {
		defer close(p.lines)
		r := bufio.NewReaderSize(outR, 1<<20)
		for {
			l, err := r.ReadString('\n')
			if l != "" {
				p.lines <- l
			}
			if err != nil {
				return
			}
		}
	})
	t.Cleanup(func() {
		cancel(nil)
		_ = inW.Close()
		_ = inR.Close()
		_ = outR.Close()
		wg.Wait()
	})
	return p
}

// send writes lines, each with a newline.
func (p *peer) send(lines ...string) {
	p.t.Helper()
	p.sendRaw(strings.Join(lines, "\n")+"\n", lines...)
}

// sendRaw writes bytes that hold the given messages, in whatever frames.
func (p *peer) sendRaw(text string, messages ...string) {
	p.t.Helper()
	p.wire.sent(messages...)
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Fatalf("send: %v", err)
	}
}

// recv returns the next n lines.
func (p *peer) recv(n int) []string {
	p.t.Helper()
	var got []string
	limit := time.After(patience)
	for len(got) < n {
		select {
		case l, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("output ended after %d of %d messages: %q", len(got), n, got)
			}
			got = append(got, p.wire.received(p.t, l))
		case <-limit:
			p.t.Fatalf("%d of %d messages came: %q", len(got), n, got)
		}
	}
	return got
}

// end closes the input and returns what Serve returned, and all lines that were left.
func (p *peer) end() ([]string, error) {
	p.t.Helper()
	_ = p.in.Close()
	select {
	case err := <-p.served:
		var rest []string
		for l := range p.lines {
			rest = append(rest, p.wire.received(p.t, l))
		}
		return rest, err
	case <-time.After(patience):
		p.t.Fatal("Serve did not return")
	}
	return nil, nil
}

// wire checks every line of the server that a test of this package reads.
type wire struct{ checked mcptest.Checker }

func (w *wire) sent(messages ...string) {
	for _, m := range messages {
		for line := range strings.SplitSeq(m, "\n") {
			w.checked.Sent([]byte(line))
		}
	}
}

// received holds a line to A01 (one line, one object or array, no carriage return, no byte order mark) and to the
// schema of its revision, and returns it without its newline.
func (w *wire) received(t testing.TB, l string) string {
	t.Helper()
	body, ok := strings.CutSuffix(l, "\n")
	if !ok || strings.ContainsAny(body, "\r\n\u2028\u2029\u0085\ufeff") || body == "" || body[0] != '{' && body[0] != '[' {
		t.Fatalf("not a protocol line: %q", l)
	}
	if err := w.checked.Received([]byte(body)); err != nil {
		t.Errorf("invalid message: %v\n%.2000s", err, body)
	}
	return body
}

// output checks all that a server wrote, whole lines only, and returns the lines.
func (w *wire) output(t testing.TB, text string) []string {
	t.Helper()
	var lines []string
	for l := range strings.Lines(text) {
		lines = append(lines, w.received(t, l))
	}
	return lines
}

func legacyInit(version, caps string) string {
	return `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":` + caps + `,"clientInfo":{"name":"t","version":"0"}}}`
}

func call(id, tool, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `,` + benchMeta + `}}`
}

func request(id, method string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + benchMeta + `}}`
}

func observed(o *mcpserver.Options) func() []mcpserver.Fate {
	var mu sync.Mutex
	var fates []mcpserver.Fate
	o.Observe = func(_ context.Context, out *mcpserver.Outcome) {
		mu.Lock()
		defer mu.Unlock()
		fates = append(fates, out.Fate)
	}
	return func() []mcpserver.Fate {
		mu.Lock()
		defer mu.Unlock()
		return append([]mcpserver.Fate(nil), fates...)
	}
}
