package p0client

import (
	"context"
	"errors"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

// hang answers nothing until the client goes away.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func TestTimeoutBoundsACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{Timeout: 2 * time.Second}, hang)
		defer stop()
		start := time.Now()
		_, err := c.Gate(t.Context(), GateQuestion{Command: "make"})
		is.True(errors.Is(err, ErrTimeout))
		is.True(errors.Is(err, context.DeadlineExceeded))
		is.Equal(time.Since(start), 2*time.Second)
	})
}

func TestCallersDeadlineCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{}, hang)
		defer stop()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, err := c.Score(ctx, "x", []string{"y"})
		is.True(errors.Is(err, ErrTimeout))
		is.Equal(time.Since(start), 100*time.Millisecond)
	})
}

func TestTimeoutWhileTheBodyArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{Timeout: time.Second}, func(w http.ResponseWriter, r *http.Request) {
			reply(good[:20])(w, r)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		defer stop()
		_, err := c.Score(t.Context(), "x", []string{"y"})
		is.True(errors.Is(err, ErrTimeout))
		_, err = c.Health(t.Context())
		is.True(errors.Is(err, ErrTimeout))
	})
}

func TestTimeoutWhileAnErrorArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{Timeout: time.Second}, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		defer stop()
		_, err := c.Health(t.Context())
		is.True(errors.Is(err, ErrTimeout))
	})
}

func TestCancelledBeforeAnythingIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{}, func(http.ResponseWriter, *http.Request) { t.Error("sent") })
		defer stop()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.Gate(ctx, GateQuestion{Command: "make"})
		is.True(errors.Is(err, ErrCanceled))
		is.True(errors.Is(err, context.Canceled))
		is.Equal(Kind(err), "canceled")
	})
}

// TestCancellationIsPrompt: wherever a call waits, cancelling ends it at once, in a world where only waiting takes time.
func TestCancellationIsPrompt(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    Options
		prep func(*Client)
	}{
		{"while the service thinks", Options{}, func(*Client) {}},
		{"while waiting for the rate limit", Options{Rate: 0.5, Burst: 1, Timeout: time.Minute}, func(c *Client) { c.limiter.Allow() }},
		{"while waiting for a free slot", Options{MaxConcurrent: 1}, func(c *Client) { c.slots <- struct{}{} }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				is := is.New(t)
				c, stop := inMemory(t, tt.o, hang)
				defer stop()
				tt.prep(c)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				start := time.Now()
				_, err := c.Gate(ctx, GateQuestion{Command: "make"})
				is.True(errors.Is(err, ErrCanceled))
				is.Equal(time.Since(start), time.Second) // and no moment later
			})
		})
	}
}

func TestWaitThatCannotFitFailsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{Rate: 0.1, Burst: 1, Timeout: 5 * time.Second}, reply(good))
		defer stop()
		_, err := c.Score(t.Context(), "x", []string{"y"})
		is.NoErr(err)
		start := time.Now()
		_, err = c.Score(t.Context(), "x", []string{"y"}) // a free place comes in 10 s
		is.True(errors.Is(err, ErrRateLimited))
		is.Equal(time.Since(start), time.Duration(0))
		e, ok := errors.AsType[*StatusError](err)
		is.True(ok)
		is.True(!e.FromServer)
	})
}

func TestRateIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var n atomic.Int32
		c, stop := inMemory(t, Options{Rate: 10, Burst: 5, Timeout: time.Minute}, func(w http.ResponseWriter, r *http.Request) {
			n.Add(1)
			reply(good)(w, r)
		})
		defer stop()
		start := time.Now()
		for range 25 {
			_, err := c.Score(t.Context(), "x", []string{"y"})
			is.NoErr(err)
		}
		is.Equal(n.Load(), int32(25))
		is.Equal(time.Since(start).Round(time.Millisecond), 2*time.Second) // five at once, then ten a second
	})
}

func TestNoMoreInFlightThanAllowedConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var now, most atomic.Int32
		c, stop := inMemory(t, Options{MaxConcurrent: 3, Rate: math.Inf(1)}, func(w http.ResponseWriter, r *http.Request) {
			k := now.Add(1)
			defer now.Add(-1)
			for m := most.Load(); k > m && !most.CompareAndSwap(m, k); m = most.Load() {
				continue
			}
			time.Sleep(10 * time.Millisecond)
			reply(good)(w, r)
		})
		defer stop()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				_, err := c.Gate(t.Context(), GateQuestion{Command: "make"})
				is.NoErr(err)
			})
		}
		wg.Wait()
		is.Equal(most.Load(), int32(3))
	})
}

func TestBothGateQuestionsAreAskedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(20 * time.Millisecond)
			reply(good)(w, r)
		})
		defer stop()
		start := time.Now()
		_, err := c.Gate(t.Context(), GateQuestion{Command: "make"})
		is.NoErr(err)
		is.Equal(time.Since(start), 20*time.Millisecond)
	})
}

func TestSlotIsGivenBackWhateverHappens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{MaxConcurrent: 1, Timeout: time.Second}, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/health" {
				<-r.Context().Done()
				return
			}
			reply(good)(w, r)
		})
		defer stop()
		for range 3 {
			_, err := c.Health(t.Context())
			is.True(errors.Is(err, ErrTimeout))
			_, err = c.Score(t.Context(), "x", []string{"y"})
			is.NoErr(err)
		}
		is.Equal(len(c.slots), 0)
	})
}

func TestBackoffEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		c, stop := inMemory(t, Options{Timeout: 500 * time.Millisecond, Retry: &Retry{Attempts: 5, Backoff: time.Second}}, hang)
		stop() // no network any more
		c.closed.Store(false)
		start := time.Now()
		_, err := c.Health(t.Context())
		is.True(errors.Is(err, ErrUnavailable))
		is.Equal(time.Since(start), 500*time.Millisecond)
	})
}
