package contract

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/phocinae/phocinae-go/p0client"
)

// duel measures ours against theirs so that a noisy machine does not matter much: in each round both are called in
// turn, the first one alternating, and the round's ratio is that of the two medians. The result is the median of the
// rounds. A stall hits one call of one round and is not seen in either.
//
// It is reported as a metric. With GOALS=1 in the environment a result above goal fails the benchmark, provided there
// were enough rounds to speak of a median.
func duel(b *testing.B, metric string, goal float64, calls int, theirs, ours func()) {
	b.Helper()
	var ratios, one, other []float64
	clock := func(f func()) float64 {
		start := time.Now()
		f()
		return float64(time.Since(start).Nanoseconds())
	}
	theirs() // connections are open, pools are filled
	ours()
	for b.Loop() {
		t, o := make([]float64, 0, calls), make([]float64, 0, calls)
		for i := range calls {
			if i%2 == 0 {
				t, o = append(t, clock(theirs)), append(o, clock(ours))
				continue
			}
			mine := clock(ours)
			t, o = append(t, clock(theirs)), append(o, mine)
		}
		mt, mo := median(t), median(o)
		ratios, one, other = append(ratios, mo/mt), append(one, mt), append(other, mo)
	}
	got := median(ratios)
	b.ReportMetric(got, metric)
	b.ReportMetric(median(one), "theirs-ns")
	b.ReportMetric(median(other), "ours-ns")
	b.ReportMetric(float64(len(ratios)), "rounds")
	const enough = 15
	if os.Getenv("GOALS") != "" && len(ratios) >= enough && got > goal {
		b.Errorf("%s is %.3f, the goal is %.2f", metric, got, goal)
	}
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// patience is a timeout that only a broken service reaches. A machine that stands still for a few seconds (a paused
// virtual machine, say) is none: the clock runs on, and a call with the usual timeout rightly ends in an error then.
const patience = time.Minute

// BenchmarkClientAgainstBare compares the client with a bare http.Client that sends the same bytes and reads the body.
func BenchmarkClientAgainstBare(b *testing.B) {
	s := newStand(b)
	c := connect(b, s.url, p0client.Options{Rate: math.Inf(1), Timeout: patience})
	defer c.Close()
	ours := func() {
		if _, err := c.Score(b.Context(), "a short clear text", []string{"clear", "short"}); err != nil {
			b.Fatal(err)
		}
	}
	ours()
	body := s.Requests()[0].Body
	tr := &http.Transport{DisableCompression: true}
	defer tr.CloseIdleConnections()
	bare := &http.Client{Transport: tr, Timeout: patience}
	theirs := func() {
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
	}
	duel(b, "client/bare", 1.3, 32, theirs, ours)
}

// BenchmarkGateAgainstOneQuestion compares two questions at once with one, at a service that takes 20 ms.
func BenchmarkGateAgainstOneQuestion(b *testing.B) {
	s := newStand(b)
	s.follow(b, &mockp0.Script{Rules: []mockp0.Rule{{Fault: &mockp0.Fault{Kind: mockp0.Delay, DelayMS: 20}}}})
	c := connect(b, s.url, p0client.Options{Rate: math.Inf(1), Timeout: patience})
	defer c.Close()
	one := p0client.Request{State: "the build is green", Questions: []p0client.Question{p0client.Noul{ID: "n"}}}
	duel(b, "gate/one", 1.15, 3, func() {
		if _, err := c.Ask(b.Context(), one); err != nil {
			b.Fatal(err)
		}
	}, func() {
		if _, err := c.Gate(b.Context(), p0client.GateQuestion{Command: "make -C web build", Dir: "/home/dev/app"}); err != nil {
			b.Fatal(err)
		}
	})
}

func TestMedianIgnoresAStall(t *testing.T) {
	is := is.New(t)
	is.Equal(median([]float64{3, 1, 2}), 2.0)
	is.Equal(median([]float64{4, 1, 2, 3}), 2.5)
	is.Equal(median([]float64{20, 21, 5000, 20, 21}), 21.0) // one call stood still
}
