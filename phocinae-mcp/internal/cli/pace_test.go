package cli

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"
)

func TestReadingWaitsForCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var calls atomic.Int64
		r := &pacedReader{strings.NewReader(strings.Repeat("x", 3*paceChunk)), func() int { return int(calls.Load()) }}
		b := make([]byte, 2*paceChunk)

		start := time.Now()
		n, err := r.Read(b)
		is.NoErr(err)
		is.Equal(n, paceChunk)
		is.Equal(time.Since(start), time.Duration(0)) // nothing in flight: at once

		calls.Store(paceCalls)
		go func() {
			time.Sleep(5 * time.Millisecond)
			calls.Store(paceCalls - 1)
		}()
		start = time.Now()
		_, err = r.Read(b)
		is.NoErr(err)
		waited := time.Since(start)
		is.True(waited >= 5*time.Millisecond && waited <= 5*time.Millisecond+paceStep) // until a call was answered

		calls.Store(paceCalls)
		start = time.Now()
		_, err = r.Read(b)
		is.NoErr(err)
		is.Equal(time.Since(start), paceLimit) // calls that wait for a person do not stop reading
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
