package cli

import (
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

func TestReadingWaitsForAnswers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		during func(p *pace, calls *atomic.Int64)
		least  time.Duration
		most   time.Duration
	}{
		{"an answer lets the next chunk in", func(p *pace, _ *atomic.Int64) {
			time.Sleep(5 * time.Millisecond)
			_, _ = p.Write([]byte("answer\n"))
		}, 5 * time.Millisecond, 5 * time.Millisecond},
		{"calls that wait for a person do not stop reading", func(*pace, *atomic.Int64) {}, paceLimit, paceLimit},
		{"what needed no answer is forgotten when the server is idle", func(_ *pace, calls *atomic.Int64) { calls.Store(0) }, 0, paceSettle},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				var calls atomic.Int64
				calls.Store(1)
				line := strings.Repeat("x", 99) + "\n"
				p := newPace(strings.NewReader(strings.Repeat(line, 1000)), io.Discard, func() int { return int(calls.Load()) }, nil)
				b := make([]byte, 100*paceOpen)

				start := time.Now()
				n, err := p.Read(b)
				is.NoErr(err)
				is.Equal(n, len(b))                           // as many lines as may be open
				is.Equal(time.Since(start), time.Duration(0)) // at once

				go tt.during(p, &calls)
				start = time.Now()
				_, err = p.Read(b)
				is.NoErr(err)
				waited := time.Since(start)
				is.True(waited >= tt.least && waited <= tt.most)
			})
		})
	}
	t.Run("calls that wait hold up reading once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			is := is.New(t)
			waiting := strings.Repeat("{}\n", 10*paceOpen)
			p := newPace(io.MultiReader(strings.NewReader(waiting), strings.NewReader("{}\n"), strings.NewReader("{}\n"), strings.NewReader("{}\n")),
				io.Discard, func() int { return 10 * paceOpen }, nil)
			b := make([]byte, len(waiting))
			var waits []time.Duration
			for range 4 {
				start := time.Now()
				_, err := p.Read(b)
				is.NoErr(err)
				waits = append(waits, time.Since(start))
			}
			is.Equal(waits, []time.Duration{0, paceLimit, 0, 0})

			_, err := p.Write([]byte(waiting)) // all are answered at last: that is no credit for later
			is.NoErr(err)
			_, err = p.Read(b)
			is.Equal(err, io.EOF)
			is.Equal(p.open.Load(), int64(0))
		})
	})
	t.Run("a large buffer is filled in parts", func(t *testing.T) {
		is := is.New(t)
		p := newPace(strings.NewReader(strings.Repeat("x", 3*paceChunk)), io.Discard, func() int { return 0 }, nil)
		n, err := p.Read(make([]byte, 2*paceChunk))
		is.NoErr(err)
		is.Equal(n, paceChunk)
	})
}

func TestOrphansEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var parent atomic.Int64
		parent.Store(100)
		ended := make(chan struct{})
		go whenOrphaned(t.Context(), 100, func() int { return int(parent.Load()) }, func() { close(ended) })
		time.Sleep(10 * orphanCheck)
		select {
		case <-ended:
			t.Fatal("ended although the parent lives")
		default:
		}
		parent.Store(1)
		start := time.Now()
		<-ended
		is.True(time.Since(start) <= orphanCheck)
	})
}
