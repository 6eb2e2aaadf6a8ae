package contract

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/phocinae/phocinae-go/p0client"
)

// BenchmarkClientAgainstBare alternates a bare http.Client, which sends the same bytes and reads the body, with
// the client, so that both meet the same machine. client/bare is the ratio; the goal is 1.3.
func BenchmarkClientAgainstBare(b *testing.B) {
	s := newStand(b)
	c := connect(b, s.url, p0client.Options{Rate: math.Inf(1)})
	defer c.Close()
	if _, err := c.Score(b.Context(), "a short clear text", []string{"clear", "short"}); err != nil {
		b.Fatal(err)
	}
	body := s.Requests()[0].Body
	tr := &http.Transport{DisableCompression: true}
	defer tr.CloseIdleConnections()
	bare := &http.Client{Transport: tr}
	var plain, ours time.Duration
	for b.Loop() {
		start := time.Now()
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, s.url+"/v1/systemone", bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := bare.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadAll(resp.Body); err != nil {
			b.Fatal(err)
		}
		_ = resp.Body.Close() // read whole
		middle := time.Now()
		if _, err := c.Score(b.Context(), "a short clear text", []string{"clear", "short"}); err != nil {
			b.Fatal(err)
		}
		plain, ours = plain+middle.Sub(start), ours+time.Since(middle)
	}
	b.ReportMetric(float64(ours)/float64(plain), "client/bare")
	b.ReportMetric(float64(plain.Nanoseconds())/float64(b.N), "bare-ns/op")
	b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N), "client-ns/op")
}

// BenchmarkGateAgainstOneQuestion compares two questions at once with one, at a service that takes 20 ms. The goal
// is 1.15.
func BenchmarkGateAgainstOneQuestion(b *testing.B) {
	s := newStand(b)
	s.follow(b, &mockp0.Script{Rules: []mockp0.Rule{{Fault: &mockp0.Fault{Kind: mockp0.Delay, DelayMS: 20}}}})
	c := connect(b, s.url, p0client.Options{Rate: math.Inf(1)})
	defer c.Close()
	one := p0client.Request{State: "the build is green", Questions: []p0client.Question{p0client.Noul{ID: "n"}}}
	var single, gate time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := c.Ask(b.Context(), one); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		if _, err := c.Gate(b.Context(), p0client.GateQuestion{Command: "make -C web build", Dir: "/home/dev/app"}); err != nil {
			b.Fatal(err)
		}
		single, gate = single+middle.Sub(start), gate+time.Since(middle)
	}
	b.ReportMetric(float64(gate)/float64(single), "gate/one")
	b.ReportMetric(float64(gate.Microseconds())/1000/float64(b.N), "gate-ms/op")
}
