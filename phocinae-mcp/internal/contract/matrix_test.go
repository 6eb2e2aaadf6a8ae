package contract

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/phocinae/phocinae-go/p0client"
)

// place is where a call stands when something happens to it, beside the fault that waits at the service.
type place struct {
	name string
	// options for the client; the deadline is set per fault
	rate    float64
	timeout time.Duration // 0: the fault's
	spent   bool          // the only free place of the rate limit is taken already
	// cancel: when the caller gives up
	before, during, after bool
	// want: nil means the fault's kinds; also: kinds that are right besides
	want, also []string
	sent       bool // whether a request may arrive at all
}

// places crosses before, during and after the wait for the rate limit with cancelled or not.
var places = []place{
	{name: "before the wait", rate: 0.001, spent: true, want: []string{"rate_limited"}},
	{name: "before the wait, cancelled", rate: math.Inf(1), before: true, want: []string{"canceled"}},
	{name: "during the wait", rate: 200, spent: true, sent: true},
	{name: "during the wait, cancelled", rate: 0.05, timeout: time.Hour, spent: true, during: true, want: []string{"canceled"}},
	{name: "after the wait", rate: math.Inf(1), sent: true},
	{name: "after the wait, cancelled", rate: math.Inf(1), after: true, also: []string{"canceled"}, sent: true},
}

// cell is one place of the matrix.
type cell struct {
	kind string
	late time.Duration // from the cancellation to the return
}

// run makes one call under one fault at one place and checks everything that must hold.
func run(t *testing.T, s *stand, f *mockp0.NamedFault, k *call, p *place) cell {
	t.Helper()
	where := fmt.Sprintf("%s × %s × %s", f.Name, k.name, p.name)
	timeout := 20 * time.Second
	if f.Slow {
		timeout = 250 * time.Millisecond
	}
	if p.timeout != 0 {
		timeout = p.timeout
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var once sync.Once
	var gaveUp time.Time
	giveUp := func() { once.Do(func() { gaveUp = time.Now(); cancel() }) }
	var onArrival func()
	if p.after {
		onArrival = giveUp
	}
	lane, url := s.lane(onArrival)
	s.follow(t, nil)
	c := connect(t, url, p0client.Options{Rate: p.rate, Burst: 1, Timeout: timeout, StrictModel: true})
	defer c.Close()
	if p.spent {
		// The place is taken even where a busy machine lets the deadline pass.
		if _, err := c.Health(context.Background()); err != nil && p0client.Kind(err) != "timeout" {
			t.Errorf("%s: health: %v", where, err)
			return cell{}
		}
	}
	s.follow(t, &mockp0.Script{Rules: []mockp0.Rule{{Name: "fault", Match: k.match, Fault: &f.Fault}}})

	switch {
	case p.before:
		giveUp()
	case p.during:
		defer time.AfterFunc(3*time.Millisecond, giveUp).Stop()
	}
	count := s.arrivals(lane)
	answered, err := k.do(ctx, c)
	returned := time.Now()
	once.Do(func() {}) // gaveUp is settled from here on

	out := cell{kind: p0client.Kind(err)}
	want := p.want
	if want == nil {
		want = append(slices.Clone(f.Kinds), p.also...)
		if f.Slow && p.spent {
			want = append(want, "rate_limited") // a busy machine leaves too little of a short deadline for the wait
		}
	}
	switch {
	case err == nil, answered:
		t.Errorf("%s: an answer came back (%v, %v)", where, answered, err)
	case !slices.Contains(want, out.kind):
		t.Errorf("%s: %s, want one of %v: %v", where, out.kind, want, err)
	case !p.sent && s.arrivals(lane) != count:
		t.Errorf("%s: a request was sent", where)
	}
	if !gaveUp.IsZero() && out.kind == "canceled" {
		out.late = returned.Sub(gaveUp)
	}
	return out
}

// TestFailClosedMatrix is every fault × every call × every place. Run it with -v to see the table.
func TestFailClosedMatrix(t *testing.T) {
	faults, all := mockp0.Faults(), calls()
	type row struct {
		cells [][]cell // by call, by place; nil where the fault cannot hurt the call
	}
	rows := make([]row, len(faults))
	next := make(chan int)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			s := newStand(t)
			for i := range next {
				rows[i].cells = make([][]cell, len(all))
				for j := range all {
					if !all[j].hurts(&faults[i]) {
						continue
					}
					for p := range places {
						rows[i].cells[j] = append(rows[i].cells[j], run(t, s, &faults[i], &all[j], &places[p]))
					}
				}
			}
		})
	}
	for i := range faults {
		next <- i
	}
	close(next)
	wg.Wait()

	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	fmt.Fprint(w, "fault")
	for _, k := range all {
		fmt.Fprint(w, "\t", k.name)
	}
	fmt.Fprintln(w)
	n := 0
	var late []time.Duration
	for i, r := range rows {
		fmt.Fprint(w, faults[i].Name)
		for _, cells := range r.cells {
			text := "-"
			if cells != nil {
				text = cells[4].kind // after the wait, not cancelled: what the fault itself leads to
			}
			fmt.Fprint(w, "\t", text)
			for _, c := range cells {
				n++
				if c.late > 0 {
					late = append(late, c.late)
				}
			}
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // into memory
	slices.Sort(late)
	t.Logf("%d faults, %d calls, %d places, %d cells, no answer in any; '-' where a fault has nothing to hurt\n%s", len(faults), len(all), len(places), n, b.String())
	t.Logf("cancellation to return: median %v, 99th of a hundred %v, latest %v of %d", late[len(late)/2], late[len(late)*99/100], late[len(late)-1], len(late))
	if n < 3000 {
		t.Errorf("only %d cells: the matrix has holes", n)
	}
}

// TestWithoutFaultsEveryCallAnswers shows that the matrix can fail: the same calls succeed when nothing is broken.
func TestWithoutFaultsEveryCallAnswers(t *testing.T) {
	for _, script := range []*mockp0.Script{nil, {NoExtensions: true}, {Legacy: true}, {Legacy: true, LegacyLevels: 4}, {PermAlways: true}} {
		s := newStand(t)
		s.follow(t, script)
		c := connect(t, s.url, p0client.Options{StrictModel: true})
		for _, k := range calls() {
			answered, err := k.do(t.Context(), c)
			if err != nil || !answered {
				t.Errorf("%s under %+v: %v", k.name, script, err)
			}
		}
		c.Close()
	}
}

// TestOddButWholeAnswersAreAnswers: what only looks like a fault is taken as HTTP means it.
func TestOddButWholeAnswersAreAnswers(t *testing.T) {
	for _, f := range []mockp0.Fault{
		{Kind: mockp0.Delay, DelayMS: 1},
		{Kind: mockp0.HTTP10, Bytes: 1 << 20},
		{Kind: mockp0.SlowDrip, DelayMS: 1},
		{Kind: mockp0.HugeBody, Bytes: 1 << 19}, // below the cap
		{Kind: mockp0.Fraction},                 // hurts an index only
	} {
		t.Run(f.Kind, func(t *testing.T) {
			s := newStand(t)
			s.follow(t, &mockp0.Script{Rules: []mockp0.Rule{{Match: mockp0.Match{Type: "score"}, Answer: &mockp0.Answer{Score: mockp0.Float(4)}, Fault: &f}}})
			c := connect(t, s.url, p0client.Options{Timeout: 20 * time.Second})
			defer c.Close()
			a, err := c.Score(t.Context(), "text", []string{"clear"})
			if err != nil || a.Score != 4 {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
}
