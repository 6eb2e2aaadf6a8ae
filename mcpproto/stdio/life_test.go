package stdio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
)

func TestFraming(t *testing.T) {
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	pong := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	const tooLong = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"message is too long"}}`
	const badFrame = `{"jsonrpc":"2.0","error":{"code":-32700,"message":"malformed Content-Length framing"}}`
	pad := strings.Repeat(" ", 200)
	for _, tt := range []struct {
		claim, in string
		want      []string
	}{
		{"a byte order mark at the start is skipped (A03)", "\xef\xbb\xbf" + ping("1") + "\n", []string{pong("1")}},
		{"a byte order mark alone on the first line is a blank line", "\xef\xbb\xbf\n" + ping("1") + "\n", []string{pong("1")}},
		{"line ends may be CRLF, blank lines count for nothing (A04)", ping("1") + "\r\n\r\n\n  \t\n" + ping("2") + "\r\n", []string{pong("1"), pong("2")}},
		{"a last line without newline is served", ping("1") + "\n" + ping("2"), []string{pong("1"), pong("2")}},
		{"a truncated last line is a parse error (A05)", ping("1")[:30], []string{`{"jsonrpc":"2.0","error":{"code":-32700,"message":"not exactly one JSON value in UTF-8"}}`}},
		{"an empty input is no error (G02)", "", nil},
		{"a line of exactly the limit is served", ping("1") + pad[:100-len(ping("1"))] + "\r\n", []string{pong("1")}},
		{"a line over the limit is skipped to its end", ping("1") + pad + "\n" + ping("2") + "\n", []string{tooLong, pong("2")}},
		{"a line over the limit may be the last", ping("1") + "\n" + strings.Repeat("x", 200<<10), []string{pong("1"), tooLong}},
		{"a line far over the limit is skipped in bounded memory", strings.Repeat("x", 300<<10) + "\n" + ping("2") + "\n", []string{tooLong, pong("2")}},
		{"Content-Length framing is understood", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(ping("1")), ping("1")), []string{pong("1")}},
		{"framing and lines may alternate", fmt.Sprintf("content-type: x\ncontent-length:%d\n\n%s%s\n", len(ping("1")), ping("1"), ping("2")), []string{pong("1"), pong("2")}},
		{"a framed message may span lines", "Content-Length: 41\n\n{\"jsonrpc\":\"2.0\",\n\"id\":1,\"method\":\"ping\"}\n" + ping("2"), []string{pong("1"), pong("2")}},
		{"a framed message over the limit is skipped", "Content-Length: 150\n\n" + strings.Repeat("x", 150) + ping("2") + "\n", []string{tooLong, pong("2")}},
		{"a bad length is an error, and the next line is served", "Content-Length: x\n" + ping("2") + "\n", []string{badFrame, pong("2")}},
		{"two lengths are an error", "Content-Length: 5\nContent-Length: 5\n" + ping("2") + "\n", []string{badFrame, pong("2")}},
		{"headers without a length are an error", "Content-Type: x\n\n" + ping("2") + "\n", []string{badFrame, pong("2")}},
		{"a framed message cut off is an error", "Content-Length: 50\n\n{}", []string{badFrame}},
		{"invalid UTF-8 is a parse error", "\"\xff\"\n" + ping("2") + "\n", []string{`{"jsonrpc":"2.0","error":{"code":-32700,"message":"not exactly one JSON value in UTF-8"}}`, pong("2")}},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			p := newPeer(t, nil, &stdio.Options{MaxLine: 100})
			p.sendRaw(tt.in, ping("1"), ping("2"))
			got, err := p.end()
			is.NoErr(err)
			is.Equal(got, tt.want)
		})
	}
}

func TestLongAndDeepLines(t *testing.T) {
	is := is.New(t)
	p := newPeer(t, nil, nil)
	p.send(call("1", "echo", `{"text":"`+strings.Repeat("A", 70_000)+`"}`)) // A06
	is.True(strings.Contains(p.recv(1)[0], `"structuredContent"`))
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping","params":` + deep + `}`) // A09
	is.Equal(p.recv(1)[0], `{"jsonrpc":"2.0","id":2,"error":{"code":-32700,"message":"nested too deep"}}`)
	p.send(strings.Repeat("[", 4<<20))
	is.Equal(p.recv(1)[0], `{"jsonrpc":"2.0","error":{"code":-32700,"message":"nested too deep"}}`)
	p.send(`{"jsonrpc":"2.0","id":"` + strings.Repeat("i", 1<<20) + `","method":"ping"}`) // B06
	is.True(len(p.recv(1)[0]) > 1<<20)                                                    // the huge id comes back
	p.send(request("3", "tools/list"))
	p.recv(1)
	_, err := p.end()
	is.NoErr(err)
}

func TestEveryRequestBeforeTheEndIsAnswered(t *testing.T) { // G01
	is := is.New(t)
	fix := wiretest.NewServer(wiretest.Options())
	p := newPeer(t, fix, nil)
	lines := []string{call(`"slow"`, "slow", "{}")}
	for i := range 20 {
		lines = append(lines, call(fmt.Sprint(i), "failed", "{}"))
	}
	p.send(append(lines, request("20", "tools/list"))...)
	<-fix.Started
	_ = p.in.Close()
	p.recv(21) // none of them waits for the slow one
	close(fix.Release)
	rest, err := p.end()
	is.NoErr(err)
	is.Equal(len(rest), 1)
	is.True(strings.Contains(rest[0], `"slow done"`))
}

func TestIdsInFlight(t *testing.T) { // B07, B08, F16
	is := is.New(t)
	o := wiretest.Options()
	fates := observed(o)
	fix := wiretest.NewServer(o)
	p := newPeer(t, fix, nil)
	p.send(call("7", "slow", "{}"))
	<-fix.Started
	p.send(request("7", "tools/list"), call("7.0", "failed", "{}"), request(`"7"`, "server/discover"))
	got := p.recv(3)
	slices.Sort(got)
	is.True(strings.HasPrefix(got[0], `{"jsonrpc":"2.0","id":"7","result"`)) // "7" is another id
	is.True(strings.HasPrefix(got[1], `{"jsonrpc":"2.0","id":7,"error":{"code":-32600`))
	is.True(strings.HasPrefix(got[2], `{"jsonrpc":"2.0","id":7.0,"error":{"code":-32600`)) // 7.0 is the same id
	close(fix.Release)
	is.True(strings.Contains(p.recv(1)[0], "slow done"))
	p.send(request("7", "tools/list"))
	is.True(strings.Contains(p.recv(1)[0], `"tools"`)) // the id works again
	_, err := p.end()
	is.NoErr(err)
	is.Equal(fates(), []mcpserver.Fate{mcpserver.BadMessage, mcpserver.Served}) // both calls are on record
}

func TestCancelledCallIsNotAnswered(t *testing.T) { // G08
	is := is.New(t)
	o := wiretest.Options()
	fates := observed(o)
	fix := wiretest.NewServer(o)
	p := newPeer(t, fix, nil)
	p.send(call(`"a"`, "slow", "{}"))
	<-fix.Started
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061"}}`, request("1", "tools/list"))
	is.True(strings.Contains(p.recv(1)[0], `"id":1`))
	rest, err := p.end()
	is.NoErr(err)
	is.Equal(rest, nil) // no message for the cancelled call
	is.Equal(fates(), []mcpserver.Fate{mcpserver.Cancelled})
}

// A cancellation finds its call, however close behind it comes and whoever serves the call.
func TestCancellationRightBehindItsCall(t *testing.T) {
	is := is.New(t)
	o := wiretest.Options()
	fates := observed(o)
	p := newPeer(t, wiretest.NewServer(o), nil)
	var lines []string
	const calls = 60
	for i := range calls {
		id := fmt.Sprint(i)
		lines = append(lines, call(id, "slow", "{}"), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`)
	}
	p.send(append(lines, request("100", "tools/list"))...)
	is.True(strings.Contains(p.recv(1)[0], `"id":100`))
	rest, err := p.end()
	is.NoErr(err)
	is.Equal(rest, nil) // no call is answered
	is.Equal(fates(), slices.Repeat([]mcpserver.Fate{mcpserver.Cancelled}, calls))
}

func TestSlowCallsBlockNobody(t *testing.T) { // G11
	is := is.New(t)
	fix := wiretest.NewServer(wiretest.Options())
	p := newPeer(t, fix, nil)
	var lines []string
	for i := range 72 {
		lines = append(lines, call(fmt.Sprint(i), "slow", "{}"))
	}
	p.send(lines...)
	for range 72 {
		<-fix.Started // all of them run at once
	}
	p.send(request("100", "server/discover"), request("101", "tools/list"), call("102", "failed", "{}"))
	p.recv(3)
	close(fix.Release)
	p.recv(72)
	_, err := p.end()
	is.NoErr(err)
}

func TestTooManyRequestsInFlight(t *testing.T) {
	is := is.New(t)
	o := wiretest.Options()
	fates := observed(o)
	fix := wiretest.NewServer(o)
	p := newPeer(t, fix, &stdio.Options{MaxInFlight: 2})
	p.send(call("1", "slow", "{}"), call("2", "slow", "{}"))
	<-fix.Started
	<-fix.Started
	p.send(call("3", "failed", "{}"), request("4", "server/discover"))
	got := p.recv(2)
	is.Equal(got[0], `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"too many requests in flight"}}`)
	is.True(strings.Contains(got[1], "supportedVersions")) // discover never counts
	close(fix.Release)
	p.recv(2)
	_, err := p.end()
	is.NoErr(err)
	is.Equal(fates(), []mcpserver.Fate{mcpserver.Overloaded, mcpserver.Served, mcpserver.Served})
}

// inBubble runs a conversation under fake time: calls of slow with the ids 1 to calls have begun when in runs. What
// the server wrote by the end of in is checked.
func inBubble(t *testing.T, calls int, in func(*is.I, *io.PipeWriter, *strings.Builder, context.CancelCauseFunc, <-chan error)) {
	synctest.Test(t, func(t *testing.T) {
		fix := wiretest.NewServer(wiretest.Options())
		inR, inW := io.Pipe()
		var out strings.Builder
		ctx, cancel := context.WithCancelCause(t.Context())
		served := make(chan error, 1)
		go func() { served <- stdio.Serve(ctx, fix.Server, inR, &out, nil) }()
		var w wire
		for i := range calls {
			line := call(fmt.Sprint(i+1), "slow", "{}")
			w.sent(line)
			_, _ = io.WriteString(inW, line+"\n")
			<-fix.Started
		}
		in(is.New(t), inW, &out, cancel, served)
		_ = inW.Close()
		cancel(nil)
		close(fix.Release)
		synctest.Wait()
		w.output(t, out.String())
	})
}

func TestEndOfInputDrains(t *testing.T) { // G03
	inBubble(t, 2, func(is *is.I, in *io.PipeWriter, out *strings.Builder, _ context.CancelCauseFunc, served <-chan error) {
		begin := time.Now()
		_ = in.Close()
		is.NoErr(<-served)
		took := time.Since(begin)
		is.True(took >= 4*time.Second && took < 4500*time.Millisecond) // the grace period, and no more
		is.Equal(strings.Count(out.String(), "denied: "+mcpserver.ErrShutdown.Error()), 2)
	})
}

func TestStubbornHandlerIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		o := wiretest.Options()
		fates := observed(o)
		fix := wiretest.NewServer(o)
		release := make(chan struct{})
		is.NoErr(fix.AddTool(mcpserver.Tool{Name: "stubborn"},
			func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
				<-release
				return mcpproto.TextResult("allow"), nil
			}))
		var out strings.Builder
		var w wire
		line := call("1", "stubborn", "{}")
		w.sent(line)
		begin := time.Now()
		err := stdio.Serve(t.Context(), fix.Server, strings.NewReader(line), &out, nil)
		is.NoErr(err)
		is.True(time.Since(begin) <= 5*time.Second)
		close(release)
		synctest.Wait()
		is.Equal(w.output(t, out.String()), []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"server is shutting down"}}`})
		is.Equal(fates(), []mcpserver.Fate{mcpserver.Abandoned}) // on record once, though the handler returned later
	})
}

func TestCancelledContextEndsAtOnce(t *testing.T) { // G04
	inBubble(t, 1, func(is *is.I, _ *io.PipeWriter, out *strings.Builder, cancel context.CancelCauseFunc, served <-chan error) {
		begin := time.Now()
		stop := errors.New("terminated")
		cancel(stop)
		is.True(errors.Is(<-served, stop))
		is.True(time.Since(begin) < 100*time.Millisecond)
		is.Equal(strings.Count(out.String(), "denied"), 1) // the fail-closed answer was still given
		is.True(strings.HasSuffix(out.String(), "}\n"))    // no half line
	})
}

func TestSubscriptionOverStdio(t *testing.T) {
	is := is.New(t)
	fix := wiretest.NewServer(wiretest.Options())
	p := newPeer(t, fix, nil)
	p.send(`{"jsonrpc":"2.0","id":"s1","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["test://text"],"unknown":true},` + benchMeta + `}}`)
	is.Equal(p.recv(1)[0], `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":`+
		`{"toolsListChanged":true,"resourceSubscriptions":["test://text"]},"_meta":{"io.modelcontextprotocol/subscriptionId":"s1"}}}`)
	fix.PromptsChanged() // not asked for
	fix.ResourceUpdated("test://other")
	fix.ToolsChanged()
	is.Equal(p.recv(1)[0], `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s1"}}}`)
	fix.ResourceUpdated("test://text")
	is.Equal(p.recv(1)[0], `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"test://text","_meta":{"io.modelcontextprotocol/subscriptionId":"s1"}}}`)

	p.send(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + benchMeta + `}}`)
	p.recv(1)
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s1"}}`, request("3", "tools/list"))
	p.recv(1)
	rest, err := p.end() // the server ends the other one: cancelled, then the result
	is.NoErr(err)
	is.Equal(rest, []string{
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2,"io.modelcontextprotocol/serverInfo":{"name":"wiretest","version":"1"}}}}`,
	})
}

func TestLegacyClientHearsOfChanges(t *testing.T) {
	is := is.New(t)
	fix := wiretest.NewServer(wiretest.Options())
	p := newPeer(t, fix, nil)
	fix.ToolsChanged() // before initialize nobody listens
	p.send(legacyInit("2025-06-18", "{}"), `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"test://text"}}`)
	p.recv(2)
	fix.ToolsChanged()
	is.Equal(p.recv(1)[0], `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	fix.ResourceUpdated("test://text")
	is.Equal(p.recv(1)[0], `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"test://text"}}`)
	rest, err := p.end()
	is.NoErr(err)
	is.Equal(rest, nil)
}

func TestClientThatLeavesCannotAnswer(t *testing.T) {
	is := is.New(t)
	p := newPeer(t, nil, nil)
	p.send(legacyInit("2025-11-25", `{"elicitation":{}}`), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, call1("ask"))
	p.recv(2) // initialize and the question
	rest, err := p.end()
	is.NoErr(err)
	is.Equal(rest, []string{`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ask: mcpserver: client is gone"}]}}`})
}

func call1(tool string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `"}}`
}

// brokenWriter fails like a closed pipe.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestBrokenOutputEndsQuietly(t *testing.T) {
	is := is.New(t)
	inR, inW := io.Pipe()
	served := make(chan error, 1)
	fix := wiretest.NewServer(wiretest.Options())
	go func() { served <- stdio.Serve(t.Context(), fix.Server, inR, brokenWriter{}, nil) }()
	_, err := io.WriteString(inW, request("1", "tools/list")+"\n")
	is.NoErr(err)
	is.NoErr(<-served) // although the input is still open
	_ = inW.Close()
}

// countingWriter counts writes and can hold them up.
type countingWriter struct {
	strings.Builder
	writes int
}

func (w *countingWriter) Write(b []byte) (int, error) {
	w.writes++
	return w.Builder.Write(b)
}

func TestAnswersShareWritesOnlyWhileRequestsWait(t *testing.T) {
	is := is.New(t)
	var in strings.Builder
	for i := range 100 {
		in.WriteString(request(fmt.Sprint(i), "server/discover") + "\n")
	}
	out := &countingWriter{}
	fix := wiretest.NewServer(wiretest.Options())
	var w wire
	w.sent(in.String())
	is.NoErr(stdio.Serve(t.Context(), fix.Server, strings.NewReader(in.String()), out, nil))
	is.Equal(len(w.output(t, out.String())), 100)
	is.True(out.writes <= 10) // many answers a write

	out = &countingWriter{}
	inR, inW := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- stdio.Serve(t.Context(), fix.Server, inR, out, nil) }()
	for i := range 10 {
		line := request(fmt.Sprint(i), "server/discover")
		w.sent(line)
		_, err := io.WriteString(inW, line+"\n")
		is.NoErr(err)
	}
	_ = inW.Close()
	is.NoErr(<-served)
	is.Equal(len(w.output(t, out.String())), 10)
	is.Equal(out.writes, 10) // a lone answer is never kept back
}

func TestAnswersAreNotKeptBackForBlankLines(t *testing.T) {
	is := is.New(t)
	p := newPeer(t, nil, nil)
	p.send(request("1", "server/discover"), "", "  ", "") // blank lines wait, but no request
	p.recv(1)
	p.send(request("2", "server/discover") + "\nContent-Length: 9\n") // and neither does half a frame
	p.recv(1)
	_, err := p.end()
	is.NoErr(err)
}

func TestHandlerThatEndsItsGoroutine(t *testing.T) {
	is := is.New(t)
	fix := wiretest.NewServer(wiretest.Options())
	is.NoErr(fix.AddTool(mcpserver.Tool{Name: "exit"}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		runtime.Goexit()
		return nil, nil
	}))
	p := newPeer(t, fix, nil)
	for range 3 {
		p.send(call("1", "exit", "{}"))
		is.True(strings.Contains(p.recv(1)[0], "-32603"))
	}
	p.send(request("2", "server/discover"))
	p.recv(1)
	rest, err := p.end()
	is.NoErr(err)
	is.Equal(rest, nil)
}

func TestUnreadLogNeverBlocks(t *testing.T) { // G07
	is := is.New(t)
	blocked, release := io.Pipe() // nobody reads it
	defer release.Close()
	defer blocked.Close()
	d := mcpserver.NewDropWriter(release, 4096)
	for range 3000 {
		n, err := d.Write([]byte("a line of a log that nobody reads\n"))
		is.NoErr(err)
		is.Equal(n, 34)
	}
	is.True(d.Dropped() > 2000)
}
