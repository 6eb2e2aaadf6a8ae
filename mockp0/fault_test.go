package mockp0

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// client follows nothing and keeps nothing.
func client(t *testing.T) *http.Client {
	tr := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// get asks a running server one question under a fault.
func get(ctx context.Context, t *testing.T, srv *Server, question string) (*http.Response, []byte, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "POST", srv.URL+pathAsk, strings.NewReader(body("git status", question)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client(t).Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp, b, err
}

func faulty(t *testing.T, f Fault) *Server {
	t.Helper()
	return NewServer(t, &Script{Rules: []Rule{{Name: "f", Fault: &f}}})
}

// plain is what an undamaged service says to the noul question.
func plain() string { return post(New(nil), pathAsk, body("git status", qNoul)).Body.String() }

// raw sends one request over a bare connection and returns every byte that came back.
func raw(t *testing.T, srv *Server) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	b := body("git status", qNoul)
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", pathAsk, len(b), b)
	_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	out, _ := io.ReadAll(conn)
	return string(out)
}

// TestBrokenExchangesOnTheWire looks at the very bytes.
func TestBrokenExchangesOnTheWire(t *testing.T) {
	p := plain()
	length := fmt.Sprintf("Content-Length: %d\r\n", len(p))
	for _, tt := range []struct {
		name string
		f    Fault
		ok   func(got string) bool
	}{
		{"closes before the header", Fault{Kind: CloseBeforeHeaders}, func(g string) bool { return g == "" }},
		{"resets", Fault{Kind: Reset}, func(g string) bool { return g == "" }},
		{"closes after the header", Fault{Kind: CloseAfterHeaders}, func(g string) bool { return strings.HasSuffix(g, length+"\r\n") }},
		{"cuts in the middle", Fault{Kind: Cut}, func(g string) bool { return strings.HasSuffix(g, length+"\r\n"+p[:len(p)/2]) }},
		{"cuts after three bytes", Fault{Kind: Cut, Bytes: 3}, func(g string) bool { return strings.HasSuffix(g, length+"\r\n"+p[:3]) }},
		{"length too long", Fault{Kind: WrongLength}, func(g string) bool {
			return strings.HasSuffix(g, fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(p)+7, p))
		}},
		{"length too short", Fault{Kind: WrongLength, Bytes: -3}, func(g string) bool {
			return strings.HasSuffix(g, fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(p)-3, p))
		}},
		{"HTTP/1.0, cut", Fault{Kind: HTTP10}, func(g string) bool {
			return g == "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n"+p[:len(p)/2]
		}},
		{"HTTP/1.0, whole", Fault{Kind: HTTP10, Bytes: 1 << 20}, func(g string) bool {
			return g == "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n"+p
		}},
		{"not HTTP", Fault{Kind: NotHTTP}, func(g string) bool { return strings.HasPrefix(g, "+OK") }},
		{"bad chunk", Fault{Kind: BadChunk}, func(g string) bool { return strings.HasSuffix(g, "chunked\r\n\r\nZZ\r\n"+p) }},
		{"redirect to a good answer", Fault{Kind: Redirect}, func(g string) bool {
			return strings.HasPrefix(g, "HTTP/1.1 307 ") && strings.Contains(g, "Location: /followed/v1/systemone\r\n")
		}},
		{"redirect to itself", Fault{Kind: RedirectLoop, Status: 301}, func(g string) bool {
			return strings.HasPrefix(g, "HTTP/1.1 301 ") && strings.Contains(g, "Location: /v1/systemone\r\n")
		}},
		{"status with a body of its own", Fault{Kind: Status, Status: 429, Body: "slow", Header: map[string]string{"Retry-After": "3", "Content-Type": "text/plain"}}, func(g string) bool {
			return strings.HasPrefix(g, "HTTP/1.1 429 ") && strings.Contains(g, "Retry-After: 3\r\n") && strings.Contains(g, "Content-Type: text/plain\r\n") && strings.HasSuffix(g, "\r\n\r\nslow")
		}},
		{"status with the usual body", Fault{Kind: Status, Status: 503}, func(g string) bool { return strings.HasSuffix(g, `{"detail":"mockp0: status 503 as scripted"}`) }},
		{"any body", Fault{Kind: Body, Body: "[1]"}, func(g string) bool {
			return strings.HasSuffix(g, "\r\n\r\n[1]") && strings.HasPrefix(g, "HTTP/1.1 200 ")
		}},
		{"called HTML", Fault{Kind: ContentType}, func(g string) bool { return strings.Contains(g, "Content-Type: text/html") && strings.HasSuffix(g, p) }},
		{"huge without a length", Fault{Kind: HugeBody, Bytes: 100_000}, func(g string) bool { return len(g) > 100_000 && strings.Contains(g, "Transfer-Encoding: chunked") }},
		{"huge with a length", Fault{Kind: HugeLength, Bytes: 100_000}, func(g string) bool { return strings.Contains(g, "Content-Length: 100000\r\n") && len(g) > 100_000 }},
		{"huge header", Fault{Kind: HugeHeader, Bytes: 100_000}, func(g string) bool {
			return strings.Contains(g, strings.Repeat("p", 100_000)) && strings.HasSuffix(g, p)
		}},
		{"delayed", Fault{Kind: Delay, DelayMS: 1}, func(g string) bool { return strings.HasSuffix(g, p) }},
		{"dripping", Fault{Kind: SlowDrip, DelayMS: 1}, func(g string) bool { return strings.HasSuffix(g, p) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := faulty(t, tt.f)
			if got := raw(t, srv); !tt.ok(got) {
				t.Errorf("%d bytes: %.600q", len(got), got)
			}
			if srv.Hits("f") != 1 || srv.Requests()[0].Fault != tt.f.Kind {
				t.Error("the fault was not counted")
			}
		})
	}
}

func TestResetIsAReset(t *testing.T) {
	is := is.New(t)
	_, _, err := get(t.Context(), t, faulty(t, Fault{Kind: Reset}), qNoul)
	is.True(errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF)) // EOF where the peer's close came first
}

func TestGzipBombUnpacksToItsSize(t *testing.T) {
	is := is.New(t)
	resp, b, err := get(t.Context(), t, faulty(t, Fault{Kind: GzipBomb, Bytes: 1 << 20}), qNoul)
	is.NoErr(err)
	is.Equal(resp.Header.Get("Content-Encoding"), "gzip")
	is.True(len(b) < 10_000) // small on the wire
	z, err := gzip.NewReader(strings.NewReader(string(b)))
	is.NoErr(err)
	all, err := io.ReadAll(z)
	is.NoErr(err)
	is.Equal(len(all), 1<<20)
	is.True(json.Valid(all)) // a client that unpacks gets a good answer
}

func TestFollowedRedirectGivesAGoodAnswer(t *testing.T) {
	is := is.New(t)
	w := post(New(&Script{Rules: []Rule{{Fault: &Fault{Kind: Redirect}}, {Answer: &Answer{Noul: Float(1)}}}}), pathFollowed+pathAsk, body("x", qNoul))
	is.True(strings.Contains(w.Body.String(), `"answers":{"q":true}`)) // what a client that follows falls for
}

func TestContinueThenNothing(t *testing.T) {
	is := is.New(t)
	srv := faulty(t, Fault{Kind: Continue})
	conn, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
	is.NoErr(err)
	defer conn.Close()
	b := body("git status", qNoul)
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", pathAsk, len(b), b)
	r := bufio.NewReader(conn)
	for range 3 {
		line, err := r.ReadString('\n')
		is.NoErr(err)
		is.True(strings.HasPrefix(line, "HTTP/1.1 100 "))
		_, err = r.ReadString('\n')
		is.NoErr(err)
	}
	srv.Close() // ends what hangs
	rest, _ := io.ReadAll(r)
	is.Equal(len(rest), 0)
}

func TestHangsEndWithTheClient(t *testing.T) {
	for _, kind := range []string{Hang, HangBody, Continue} {
		t.Run(kind, func(t *testing.T) {
			is := is.New(t)
			srv := faulty(t, Fault{Kind: kind})
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, _, err := get(ctx, t, srv, qNoul)
			is.True(errors.Is(err, context.DeadlineExceeded))
		}) // and goleak sees that no handler stayed
	}
}

func TestHangsEndWithTheServer(t *testing.T) {
	for _, f := range []Fault{{Kind: Hang}, {Kind: HangBody}, {Kind: Delay, DelayMS: 60_000}, {Kind: SlowDrip, DelayMS: 60_000}} {
		t.Run(f.Kind, func(t *testing.T) {
			is := is.New(t)
			srv := faulty(t, f)
			done := make(chan error)
			go func() { _, _, err := get(context.Background(), t, srv, qNoul); done <- err }()
			for srv.Count() == 0 {
				runtime.Gosched() // nothing announces an arrival
			}
			srv.Close()
			srv.Close() // twice is fine
			is.True(<-done != nil)
		})
	}
}

func TestDamagedAnswers(t *testing.T) {
	p := plain()
	for _, tt := range []struct{ kind, question, want string }{
		{EmptyBody, qNoul, ""},
		{Garbage, qNoul, "<html>Bad gateway</html>"},
		{NotObject, qNoul, "[" + p + "]"},
		{Trailing, qNoul, p + `{"answers":{}}`},
		{CutJSON, qNoul, p[:len(p)/2]},
		{RepeatedNames, qNoul, `"answers":{"q":false,"q":true}`},
		{RepeatedNames, qScore, `,"q":2}`},
		{BadUTF8, qNoul, "\"note\":\"\xff\xfe\"}"},
		{LoneSurrogate, qNoul, `"note":"\ud83d"}`},
		{DeepNesting, qNoul, `"answers":{"q":{"answer":{"answer":{"answer":{"answer":{"answer":false}}}}}}`},
		{Overflow, qNoul, `"answers":{"q":{"noul":1e999}}`},
		{Overflow, qChoice, `"answers":{"q":1e999}`},
		{NotANumber, qScore, `"answers":{"q":NaN}`},
		{WrongType, qNoul, `"answers":{"q":"yes"}`},
		{BareNumber, qNoul, `"answers":{"q":0.9}`},
		{BareNumber, qScore, `"answers":{"q":true}`},
		{NullAnswer, qNoul, `"answers":{"q":null}`},
		{MissingID, qNoul, `"answers":{"another question":true}`},
		{NoAnswers, qNoul, `{"model":"Phocinae-Largha-150M-v1","usage"`},
		{NullAnswers, qNoul, `"answers":null`},
		{AnswersArray, qNoul, `"answers":[true]`},
		{TooHigh, qNoul, `"q":{"noul":1.5}`},
		{TooHigh, qScore, `"answers":{"q":11}`},
		{TooHigh, qChoice, `"answers":{"q":3}`},
		{TooLow, qNoul, `"q":{"noul":-0.1}`},
		{TooLow, qScore, `"answers":{"q":1}`},
		{TooLow, qChoice, `"answers":{"q":-1}`},
		{Fraction, qChoice, `"answers":{"q":0.5}`},
		{ScoresDisagree, qNoul, `"option_scores":{"q":[0.0,1.0]}`},
		{ScoresSum, qNoul, `"option_scores":{"q":[0.1792,0.3209]}`},
		{ScoresShort, qChoice, `"option_scores":{"q":[0.021,0.3479]}`},
		{ScoresRange, qNoul, `"option_scores":{"q":[-0.6417,1.6417]}`},
		{ScoresMissing, qNoul, `"option_scores":{"another question":[0.1,0.9]}`},
		{ScoresNull, qNoul, `"option_scores":null`},
		{BadConfidence, qNoul, `"answer_confidence":1.7`},
		{NoUsage, qNoul, `"answers":{"q":false},"answer_confidence"`},
		{FullSequence, qNoul, `"usage":{"input_tokens":512,"output_tokens":0}`},
		{OtherModel, qNoul, `{"model":"another-model"`},
	} {
		t.Run(tt.kind+" of "+tt.question, func(t *testing.T) {
			w := post(New(&Script{Rules: []Rule{{Fault: &Fault{Kind: tt.kind}}}}), pathAsk, body("git status", tt.question))
			got := w.Body.String()
			if w.Code != 200 || !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("status %d, body %s\nlacks %s", w.Code, got, tt.want)
			}
		})
	}
}

func TestDamageOfOtherEndpoints(t *testing.T) {
	is := is.New(t)
	s := func(kind string) *Service {
		return New(&Script{Rules: []Rule{{Match: Match{Path: "*"}, Fault: &Fault{Kind: kind}}}})
	}
	is.True(strings.Contains(ask(s(Overflow), "GET", pathHealth, "", "").Body.String(), `"uptime_s":1e999`))
	is.True(strings.Contains(ask(s(Overflow), "GET", pathModels, "", "").Body.String(), `"context_length":1e999`))
	is.True(strings.HasSuffix(ask(s(RepeatedNames), "GET", pathHealth, "", "").Body.String(), `,"status":"ok"}`))
	is.True(strings.HasSuffix(ask(s(DeepNesting), "GET", pathHealth, "", "").Body.String(), `{"answer":true}}}}}}`))
	is.Equal(post(s(NotObject), pathBatch, "["+body("s", qNoul)+"]").Body.String(), "{}")
	is.True(strings.Contains(post(s(FullSequence), pathPermute, body("s", qChoice)).Body.String(), `"input_tokens":2048`))
	w := post(s(NullAnswer), pathBatch, "["+body("s", qNoul)+","+body("s", qNoul)+"]") // one bad part is enough
	is.Equal(strings.Count(w.Body.String(), `"q":null`), 1)
	is.Equal(post(s(NullAnswer), pathAsk, "{").Code, 422) // a refusal has no answer to damage
	is.Equal(ask(New(&Script{Rules: []Rule{{Fault: &Fault{Kind: Garbage}}}}), "GET", pathHealth, "", "").Body.String()[:1], "{")
}

func TestFaultAndAnswerInOneRule(t *testing.T) {
	is := is.New(t)
	s := New(&Script{Rules: []Rule{{Answer: &Answer{Noul: Float(0.9)}, Fault: &Fault{Kind: ScoresDisagree}, Times: 1}}})
	is.True(strings.Contains(post(s, pathAsk, body("x", qNoul)).Body.String(), `"answers":{"q":true}`))
	is.Equal(s.Requests()[0].Fault, ScoresDisagree)
	is.Equal(s.Requests()[0].Status, 200)
	post(s, pathAsk, body("x", qNoul))
	is.Equal(s.Requests()[1].Fault, "") // used up
}

// TestEveryKindIsInTheTable: a kind without a row would be missing from every matrix.
func TestEveryKindIsInTheTable(t *testing.T) {
	is := is.New(t)
	seen := map[string]bool{}
	names := map[string]bool{}
	for _, f := range Faults() {
		is.True(!names[f.Name])
		names[f.Name], seen[f.Fault.Kind] = true, true
		is.Equal(len(f.Fault.check()), 0)
		is.True(len(f.Kinds) > 0)
		is.True(f.Questions() != f.Hurts(""))
		is.True(f.Hurts("choice")) // every fault hurts a choice
	}
	for kind := range uses {
		is.True(seen[kind] || kind == Body) // Body sends whatever the test wants
	}
}

func TestWithoutASocketAbortsTheHandler(t *testing.T) {
	is := is.New(t)
	defer func() { is.Equal(recover(), http.ErrAbortHandler) }()
	post(New(&Script{Rules: []Rule{{Fault: &Fault{Kind: NotHTTP}}}}), pathAsk, body("x", qNoul))
}

func TestAddresses(t *testing.T) {
	is := is.New(t)
	for _, bad := range []string{"", "127.0.0.1", "0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:80"} {
		_, err := Start(bad, nil)
		is.True(err != nil) // nothing is bound
	}
	_, err := Start("127.0.0.1:0", &Script{LegacyLevels: -1})
	is.True(err != nil)
	srv, err := Start("localhost:0", nil)
	is.NoErr(err)
	defer srv.Close()
	_, err = Start(strings.TrimPrefix(srv.URL, "http://"), nil)
	is.True(err != nil) // busy
}

func TestClosedService(t *testing.T) {
	is := is.New(t)
	s := New(nil)
	s.Close()
	s.Close()
	is.Equal(post(s, pathAsk, body("x", qNoul)).Code, 503)
	a, b := net.Pipe()
	is.True(!s.adopt(a))
	_, err := b.Read(make([]byte, 1))
	is.True(err != nil) // closed
}

func TestNewServerFailsTheTest(t *testing.T) {
	is := is.New(t)
	var tb fakeTB
	is.True(NewServer(&tb, &Script{LegacyLevels: 99}) == nil)
	is.True(strings.Contains(tb.said, "legacy_levels"))
}

type fakeTB struct{ said string }

func (f *fakeTB) Helper()                      {}
func (f *fakeTB) Cleanup(func())               {}
func (f *fakeTB) Errorf(s string, args ...any) { f.said = fmt.Sprintf(s, args...) }
func (f *fakeTB) Fatalf(s string, args ...any) { f.said = fmt.Sprintf(s, args...) }
