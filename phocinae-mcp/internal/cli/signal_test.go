//go:build unix

package cli

import (
	"bytes"
	"context"
	"os"
	"syscall"
	"testing"

	"github.com/matryer/is"
)

func TestUntilSignal(t *testing.T) {
	is := is.New(t)
	ctx, armed, _, release := untilSignal(syscall.SIGUSR1)
	<-armed
	self, err := os.FindProcess(os.Getpid())
	is.NoErr(err)
	is.NoErr(self.Signal(syscall.SIGUSR1))
	<-ctx.Done()
	is.NoErr(self.Signal(syscall.SIGUSR1)) // a second one does not kill what is ending in order
	release()

	ctx, _, end, release := untilSignal(syscall.SIGUSR1)
	end()
	<-ctx.Done()
	is.Equal(context.Cause(ctx), context.Canceled)
	release() // also when the signals are not caught yet
}

func TestNothingIsWrittenBeforeSignalsAreCaught(t *testing.T) {
	is := is.New(t)
	var out bytes.Buffer
	ready, written := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(written)
		_, _ = (&writerAfter{ready: ready, w: &out}).Write([]byte("answer"))
	}()
	select {
	case <-written:
		t.Fatal("written too early")
	default:
	}
	close(ready)
	<-written
	is.Equal(out.String(), "answer")
}
