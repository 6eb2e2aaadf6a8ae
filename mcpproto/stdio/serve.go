package stdio

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// Options configure [Serve]. The zero value and nil are ready to use.
type Options struct {
	MaxLine     int    // bytes of one message without its line end; 0 means 4 MiB
	MaxInFlight int    // requests served at once; 0 means 4096
	Principal   string // who is at the other end, for handlers; usually ""
}

const (
	defaultMaxLine     = 4 << 20
	defaultMaxInFlight = 4096

	drainTime    = 4 * time.Second         // after the end of input: calls may finish by themselves
	cancelTime   = 600 * time.Millisecond  // then: they may answer a cancelled context
	shutdownTime = 1400 * time.Millisecond // the same when ctx is cancelled
	flushTime    = 250 * time.Millisecond  // then: the output may take what is left
)

// Serve serves one peer until the end of in, the end of ctx, or a broken out. It returns nil at the end of input and
// when the peer stopped reading, the cause of ctx when that ended, and any other error of in. All answers that can
// be given have been written by then.
func Serve(ctx context.Context, srv *mcpserver.Server, in io.Reader, out io.Writer, o *Options) error {
	s := newSession(ctx, srv, in, out, o)
	defer s.conn.Close()
	defer close(s.done)
	go s.watch()
	go s.read()
	select {
	case err := <-s.input:
		s.conn.EndInput()
		if !s.wait(drainTime) {
			s.conn.CancelAll(mcpserver.ErrShutdown)
			s.finish(cancelTime)
		}
		s.flush()
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	case <-s.out.broken:
		s.conn.CancelAll(mcpserver.ErrCancelled)
		s.wait(shutdownTime)
		return nil
	case <-ctx.Done():
		s.stopped.Store(true)
		s.conn.EndInput()
		s.conn.CancelAll(mcpserver.ErrShutdown)
		s.finish(shutdownTime)
		s.flush()
		return context.Cause(ctx)
	}
}

// session is one run of Serve.
type session struct {
	base  context.Context
	conn  *mcpserver.Conn
	srv   *mcpserver.Server
	in    *framer
	out   *writer
	facts mcpserver.Facts
	most  int64

	input   chan error    // how the input ended
	done    chan struct{} // closed when Serve returns
	stopped atomic.Bool   // nothing more is to be served

	live    atomic.Int64 // exchanges being served
	aside   atomic.Int64 // those of them that are not on the reading goroutine, without subscriptions
	work    chan mcpserver.Exchange
	fresh   atomic.Int64 // exchanges given to workers that have not begun
	resting atomic.Int64 // workers that wait for work
	idle    chan struct{}
	drain   atomic.Bool // somebody waits for live to become 0

	// inline is 2n+1 while the reading goroutine serves its n-th exchange itself, and 2n when it is back. Whoever
	// swaps 2n+1 for 2n+2 first has the right to read on: the goroutine itself, or the watcher for a new one.
	inline atomic.Uint64
	parked atomic.Bool
	wake   chan struct{}
}

func newSession(ctx context.Context, srv *mcpserver.Server, in io.Reader, out io.Writer, o *Options) *session {
	if o == nil {
		o = &Options{}
	}
	limit, most := o.MaxLine, o.MaxInFlight
	if limit <= 0 {
		limit = defaultMaxLine
	}
	if most <= 0 {
		most = defaultMaxInFlight
	}
	s := &session{
		base: context.WithoutCancel(ctx), srv: srv, out: newWriter(out), most: int64(most),
		facts: mcpserver.Facts{Principal: o.Principal}, input: make(chan error, 1), done: make(chan struct{}),
		work: make(chan mcpserver.Exchange), idle: make(chan struct{}, 1), wake: make(chan struct{}, 1),
	}
	s.in = newFramer(in, limit, func() { s.out.hold(false) }) // nothing is kept back while waiting for more
	s.conn = srv.NewConn(mcpserver.ConnOptions{Transport: mcpproto.Stdio, Push: s.out.put})
	return s
}

// sink is the way back to the peer; there is one, for all exchanges.
func (s *session) Send(msg []byte) error                       { return s.out.put(msg) }
func (s *session) Answer(msg []byte, _ mcpserver.Answer) error { return s.out.put(msg) }

// read holds the right to read until the input ends or the right is lost.
func (s *session) read() {
	over := false
	defer func() {
		if !over { // a handler ended this goroutine: another one must read on
			go s.read()
		}
	}()
	for !over {
		data, err := s.in.next()
		if s.stopped.Load() {
			over = true
			return
		}
		s.out.hold(err == nil && s.in.waiting())
		switch {
		case err == nil:
			s.serve(data, &over)
		case !s.skip(err):
			over = true
			s.input <- err
		}
	}
}

// skip answers a frame that is no message and reports whether the stream goes on.
func (s *session) skip(err error) bool {
	e := &mcpproto.DecodeError{Code: mcpproto.CodeInvalidRequest, Message: "message is too long"}
	switch {
	case errors.Is(err, errBadHeader):
		e = &mcpproto.DecodeError{Code: mcpproto.CodeParse, Message: "malformed Content-Length framing"}
	case !errors.Is(err, errLineTooLong):
		return false
	}
	s.conn.Refuse(s.base, e, s.facts, s)
	return true
}

// serve serves one message, here or aside. It sets over if this goroutine lost the right to read meanwhile.
func (s *session) serve(data []byte, over *bool) {
	m, err := mcpproto.Decode(data)
	if err != nil {
		s.refuse(data, mcpproto.AsDecodeError(err))
		return
	}
	switch load := s.conn.Load(m); {
	case load == mcpserver.Instant:
		s.conn.Handle(s.base, m, s.facts, s)
	case s.aside.Load() >= s.most:
		s.conn.Reject(s.base, m, s.facts, mcpproto.Errorf(mcpproto.CodeInternal, "too many requests in flight"), s)
	case load == mcpserver.Short && s.betterHere():
		s.handleHere(m, over)
	default:
		if x, waits := s.conn.Admit(s.base, m, s.facts, s); waits {
			s.serveAside(x)
		}
	}
}

// mostFresh is how many exchanges may wait for a worker while more messages are being read: enough to keep the other
// processors busy, few enough to keep the same goroutines, and with them their stacks, in use. With 4 or with 24 a
// pipelined client gets about a tenth fewer answers a second. Measured by tools/bench on two processors.
const mostFresh = 12

// betterHere reports whether a quick message should be served by the goroutine that reads: if it is alone, and if the
// workers have enough to do, so that reading on would only make a longer queue.
func (s *session) betterHere() bool {
	if s.in.waiting() {
		return s.fresh.Load() >= mostFresh
	}
	return s.aside.Load() == 0
}

// restingWorkers is how many goroutines may wait for the next exchange that is served aside. A new goroutine has to grow
// its stack step by step, which costs as much as a quick call.
const restingWorkers = 32

// serveAside serves an exchange on another goroutine, one that waits for work if there is one.
func (s *session) serveAside(x mcpserver.Exchange) {
	s.begin(x.Method() != mcpproto.MethodListen)
	s.fresh.Add(1)
	select {
	case s.work <- x:
		return
	default:
	}
	runtime.Gosched() // of many messages that came together most find a worker that has just become free
	select {
	case s.work <- x:
	default:
		go s.worker(x)
	}
}

// worker serves one exchange after the other until enough others wait for the next.
func (s *session) worker(x mcpserver.Exchange) {
	for {
		s.handleAside(x)
		if s.resting.Add(1) > restingWorkers {
			s.resting.Add(-1)
			return
		}
		select {
		case x = <-s.work:
			s.resting.Add(-1)
		case <-s.done:
			return
		}
	}
}

func (s *session) handleAside(x mcpserver.Exchange) {
	s.fresh.Add(-1)
	defer s.end(x.Method() != mcpproto.MethodListen) // also if a handler ends the goroutine
	x.Serve()
}

func (s *session) refuse(data []byte, e *mcpproto.DecodeError) {
	if e.Array && s.conn.Batches(0) {
		items, err := mcpproto.DecodeBatch(data)
		if err == nil {
			s.begin(true)
			go func() {
				defer s.end(true)
				s.conn.HandleBatch(s.base, items, s.facts, s)
			}()
			return
		}
		e = mcpproto.AsDecodeError(err)
	}
	s.srv.Logger().Debug("message refused", "code", e.Code, "why", e.Message)
	s.conn.Refuse(s.base, e, s.facts, s)
}

// handleHere serves a message on the reading goroutine, which saves a change of threads. If it takes long, the
// watcher gives the right to read to a new goroutine, and this one ends with the message.
func (s *session) handleHere(m *mcpproto.Message, over *bool) {
	s.live.Add(1)
	turn := s.inline.Add(1)
	if s.parked.Load() {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}
	defer func() {
		if !s.inline.CompareAndSwap(turn, turn+1) {
			*over = true
			s.aside.Add(-1)
		}
		s.leave()
	}()
	s.conn.Handle(s.base, m, s.facts, s)
}

// begin and end bracket an exchange on a goroutine of its own.
func (s *session) begin(counted bool) {
	s.live.Add(1)
	if counted {
		s.aside.Add(1)
	}
}

func (s *session) end(counted bool) {
	if counted {
		s.aside.Add(-1)
	}
	s.leave()
}

func (s *session) leave() {
	if s.live.Add(-1) == 0 && s.drain.Load() {
		select {
		case s.idle <- struct{}{}:
		default:
		}
	}
}

// watchTick is how long a message may hold up the reading of the next, at least; at most it is twice as long.
const (
	watchTick  = time.Millisecond
	quietTicks = 50 // then the watcher sleeps until it is woken
)

// watch looks after messages that are served on the reading goroutine.
func (s *session) watch() {
	tick := time.NewTimer(time.Hour)
	defer tick.Stop()
	for {
		s.parked.Store(true)
		last := s.inline.Load()
		if last&1 == 0 {
			select {
			case <-s.wake:
			case <-s.done:
				return
			}
		}
		s.parked.Store(false)
		for quiet := 0; quiet < quietTicks; quiet++ {
			tick.Reset(watchTick)
			select {
			case <-tick.C:
			case <-s.done:
				return
			}
			now := s.inline.Load()
			if now == last && now&1 == 1 {
				s.takeOver(now)
			}
			if now != last {
				quiet = 0
			}
			last = now
		}
	}
}

// takeOver gives the right to read to a new goroutine if message turn is still being served.
func (s *session) takeOver(turn uint64) {
	s.aside.Add(1)
	if !s.inline.CompareAndSwap(turn, turn+1) {
		s.aside.Add(-1)
		return
	}
	s.out.hold(false)
	go s.read()
}

// wait reports whether all exchanges ended within d.
func (s *session) wait(d time.Duration) bool {
	s.drain.Store(true)
	t := time.NewTimer(d)
	defer t.Stop()
	for s.live.Load() > 0 {
		select {
		case <-s.idle:
		case <-s.out.broken:
			return true
		case <-t.C:
			return false
		}
	}
	return true
}

// finish gives cancelled exchanges d to answer and then answers for them.
func (s *session) finish(d time.Duration) {
	if !s.wait(d) {
		s.within(flushTime, s.conn.Abandon)
	}
}

// flush gives the output a moment to take what is left.
func (s *session) flush() { s.within(flushTime, s.out.flush) }

// within runs f, but waits no longer than d for it: a peer that does not read must not keep the process alive.
func (s *session) within(d time.Duration, f func()) {
	ended := make(chan struct{})
	go func() { defer close(ended); f() }()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ended:
	case <-t.C:
	}
}
