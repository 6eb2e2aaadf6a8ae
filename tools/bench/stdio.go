package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// process is a running server and the pipes to it.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	started time.Time
}

func startStdio(ctx context.Context, s server) (*process, error) {
	cmd := exec.CommandContext(ctx, s.stdio[0], s.stdio[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16), started: time.Now()}
	return p, cmd.Start()
}

// open sends the era's first request, reads its answer and sends what follows.
func (p *process) open(s server, e era) error {
	request, after := e.opening()
	if _, err := p.in.Write(request); err != nil {
		return err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%w: no answer to the opening request: %w", errUnable, err)
	}
	if !s.floor && !bytes.Contains(line, []byte(`"result"`)) {
		return fmt.Errorf("%w: the opening request was answered with %.200s", errUnable, line)
	}
	if s.floor || after == nil {
		return nil
	}
	_, err = p.in.Write(after)
	return err
}

// end closes the pipe, waits, and returns what the operating system counted for the process.
func (p *process) end() (cpu time.Duration, peakMiB float64, err error) {
	peak := peakOf(p.cmd)
	if err := p.in.Close(); err != nil {
		return 0, 0, err
	}
	if _, err := io.Copy(io.Discard, p.out); err != nil {
		return 0, 0, err
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return 0, 0, err
	}
	return cpuOf(p.cmd), peak, nil
}

func cpuOf(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// peakOf is the most resident memory, in MiB, that a running process has had; 0 where the system does not tell. What a
// parent learns from wait4 would not do: it counts the moments before exec, when the child still is a copy of this program.
func peakOf(cmd *exec.Cmd) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kib, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0
	}
	return kib / 1024
}

// startsARound is how many processes are started for one sample of what a start takes: a single start says little.
const startsARound = 15

// medianOf runs one start many times. Times and processor time are medians, memory is the largest.
func medianOf(start func() (sample, error)) (sample, error) {
	var all [startsARound]sample
	for i := range all {
		var err error
		if all[i], err = start(); err != nil {
			return sample{}, err
		}
	}
	middle := func(of func(sample) time.Duration) time.Duration {
		slices.SortFunc(all[:], func(a, b sample) int { return cmp.Compare(of(a), of(b)) })
		return of(all[startsARound/2])
	}
	got := sample{cold: middle(func(s sample) time.Duration { return s.cold }), cpu: middle(func(s sample) time.Duration { return s.cpu })}
	for _, s := range all {
		got.peak = max(got.peak, s.peak)
	}
	return got, nil
}

// coldStart is the time from starting the process to its first answer.
func coldStart(ctx context.Context, s server, e era) (sample, error) {
	p, err := startStdio(ctx, s)
	if err != nil {
		return sample{}, err
	}
	openErr := p.open(s, e)
	took := time.Since(p.started)
	_, peak, err := p.end()
	return sample{cold: took, peak: peak}, errors.Join(openErr, err)
}

// oneShot is the time a host waits for one hook call: a process that reads an event, answers and ends.
func oneShot(ctx context.Context, s server) (sample, error) {
	cmd := exec.CommandContext(ctx, s.hook[0], s.hook[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	cmd.Stdin = strings.NewReader(hookEvent)
	begin := time.Now()
	answer, err := cmd.Output()
	took := time.Since(begin)
	if err != nil {
		return sample{}, fmt.Errorf("%w: %w", errUnable, err)
	}
	if !s.floor && !bytes.Contains(answer, []byte("deny")) {
		return sample{}, fmt.Errorf("%w: the event was answered with %.200s", errUnable, answer)
	}
	return sample{cold: took, cpu: cpuOf(cmd)}, nil
}

// overStdio makes calls tools/call with at most window of them in flight. With a window of one each answer is timed.
func overStdio(ctx context.Context, s server, e era, calls, window int) (sample, error) {
	p, err := startStdio(ctx, s)
	if err != nil {
		return sample{}, err
	}
	if err := p.open(s, e); err != nil {
		_, _, _ = p.end()
		return sample{}, err
	}
	begin := time.Now()
	var got sample
	if window == 1 {
		got, err = sequential(p, s, e, calls)
	} else {
		err = pipelined(p, s, e, calls, window)
	}
	took := time.Since(begin)
	cpu, peak, endErr := p.end()
	if err := errors.Join(err, endErr); err != nil {
		return sample{}, err
	}
	got.perSecond = float64(calls) / took.Seconds()
	got.cpu, got.peak = cpu/time.Duration(calls), peak
	return got, nil
}

func sequential(p *process, s server, e era, calls int) (sample, error) {
	times := make([]time.Duration, 0, calls)
	var request []byte
	for n := range calls {
		request = e.call(request[:0], n)
		begin := time.Now()
		if _, err := p.in.Write(request); err != nil {
			return sample{}, err
		}
		line, err := readAnswer(p.out)
		if err != nil {
			return sample{}, err
		}
		times = append(times, time.Since(begin))
		if !s.floor && n < len(commands) {
			if err := checkAnswer(line, n); err != nil {
				return sample{}, err
			}
		}
	}
	return percentiles(times), nil
}

// readAnswer reads lines until one that answers a request; a server may send notifications between.
func readAnswer(r *bufio.Reader) ([]byte, error) {
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		if bytes.Contains(line, []byte(`"id":`)) {
			return line, nil
		}
	}
}

func pipelined(p *process, s server, e era, calls, window int) error {
	slots := make(chan struct{}, window)
	failed := make(chan error, 1)
	go func() {
		var request []byte
		for n := range calls {
			slots <- struct{}{}
			request = e.call(request[:0], n)
			if _, err := p.in.Write(request); err != nil {
				failed <- err
				return
			}
		}
		failed <- nil
	}()
	for n := range calls {
		line, err := readAnswer(p.out)
		if err != nil {
			return err
		}
		<-slots
		if !s.floor && n < len(commands) {
			if err := checkAnswer(line, n); err != nil {
				return err
			}
		}
	}
	return <-failed
}

func percentiles(times []time.Duration) sample {
	slices.Sort(times)
	at := func(q float64) time.Duration { return times[min(len(times)-1, int(q*float64(len(times))))] }
	return sample{p50: at(0.5), p99: at(0.99), p999: at(0.999)}
}
