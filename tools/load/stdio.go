package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// inFlight is how many calls the pipelined client leaves open.
const inFlight = 64

// driveStdio keeps inFlight calls open on one pipe for s.time, then closes it and expects the rest of the answers and exit
// status 0.
func driveStdio(ctx context.Context, s *scene) error {
	cmd := exec.CommandContext(ctx, s.binary, s.flags()...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	watched, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	go s.watchMemory(watched, cmd.Process.Pid)

	open := &pending{calls: map[int]sent{}, slots: make(chan struct{}, inFlight)}
	received := make(chan error, 1)
	go func() { received <- s.receive(bufio.NewReaderSize(out, 1<<16), open) }()

	r := rand.New(rand.NewPCG(s.seed, 1000)) //nolint:gosec // a run must be repeatable from its seed
	end := time.Now().Add(s.time)
	var sendErr error
	for id := 0; time.Now().Before(end) && ctx.Err() == nil && sendErr == nil; id++ {
		c := pick(r)
		open.add(id, sent{c, s.tally.dead.Load()})
		_, sendErr = in.Write(c.request(id, r.IntN(2) == 0))
	}
	closeErr := in.Close()
	receiveErr := <-received
	waitErr := cmd.Wait()
	if left := open.left(); left > 0 {
		s.tally.fail(fmt.Errorf("%d calls were never answered", left))
	}
	return errors.Join(sendErr, closeErr, receiveErr, waitErr)
}

// receive reads answers until the program closes its output.
func (s *scene) receive(out *bufio.Reader, open *pending) error {
	for {
		line, err := out.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return nil
		}
		if !bytes.HasPrefix(line, []byte("{")) || err != nil {
			return fmt.Errorf("standard output carries something else than a message: %.300q", line)
		}
		id := idOf(line)
		c, ok := open.take(id)
		if !ok {
			s.tally.fail(fmt.Errorf("an answer to id %d, which is not open: %.300s", id, line))
			continue
		}
		s.tally.answered.Add(1)
		s.tally.fail(c.judge(line, c.dead))
	}
}

type sent struct {
	call
	dead bool
}

// pending is the calls in flight; adding waits for a free slot.
type pending struct {
	mu    sync.Mutex
	calls map[int]sent
	slots chan struct{}
}

func (p *pending) add(id int, c sent) {
	p.slots <- struct{}{}
	p.mu.Lock()
	p.calls[id] = c
	p.mu.Unlock()
}

func (p *pending) take(id int) (sent, bool) {
	p.mu.Lock()
	c, ok := p.calls[id]
	delete(p.calls, id)
	p.mu.Unlock()
	if ok {
		<-p.slots
	}
	return c, ok
}

func (p *pending) left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls)
}

// watchMemory keeps the highest resident size that the kernel has seen of the process. Where there is no /proc nothing is
// watched.
func (s *scene) watchMemory(ctx context.Context, pid int) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return
		}
		for line := range strings.Lines(string(data)) {
			if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				if err == nil {
					s.tally.peakMiB.Store(kib >> 10)
				}
			}
		}
	}
}
