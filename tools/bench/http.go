package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"time"
)

var urlPattern = regexp.MustCompile(`http://[0-9.:\[\]]+`)

// startHTTP starts a server on a port of its choice and reads its URL from what it says on standard error.
func startHTTP(ctx context.Context, s server) (*exec.Cmd, string, error) {
	cmd := exec.CommandContext(ctx, s.http[0], s.http[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	says, err := cmd.StderrPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	lines := bufio.NewReader(says)
	for {
		line, err := lines.ReadString('\n')
		if found := urlPattern.FindString(line); found != "" {
			go func() { _, _ = io.Copy(io.Discard, lines) }()
			return cmd, found, nil
		}
		if err != nil {
			return nil, "", errors.Join(fmt.Errorf("%s named no URL on standard error: %w", s.name, err), cmd.Wait())
		}
	}
}

// overHTTP makes calls tools/call over so many keep-alive connections, each with one call in flight. The client writes
// prepared bytes and reads with net/http's reader, the same for every server, so that it weighs as little as can be.
func overHTTP(ctx context.Context, s server, e era, calls, connections int) (sample, error) {
	cmd, base, err := startHTTP(ctx, s)
	if err != nil {
		return sample{}, err
	}
	at, err := url.Parse(base)
	if err != nil {
		return sample{}, err
	}
	each := calls / connections
	var mu sync.Mutex
	var all []time.Duration
	var failed error
	var wg sync.WaitGroup
	begin := time.Now()
	for c := range connections {
		wg.Go(func() {
			times, err := drive(ctx, at.Host, e, each, c*each)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			failed = errors.Join(failed, err)
		})
	}
	wg.Wait()
	took := time.Since(begin)
	peak := peakOf(cmd)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return sample{}, err
	}
	_ = cmd.Wait() // a server that dies of the signal is fine
	if failed != nil {
		return sample{}, failed
	}
	got := percentiles(all)
	got.perSecond = float64(len(all)) / took.Seconds()
	got.cpu, got.peak = cpuOf(cmd)/time.Duration(len(all)), peak
	return got, nil
}

// drive makes calls on one connection and returns how long each took.
func drive(ctx context.Context, host string, e era, calls, first int) ([]time.Duration, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	in := bufio.NewReaderSize(conn, 1<<15)
	times := make([]time.Duration, 0, calls)
	var body, request []byte
	for n := range calls {
		body = e.call(body[:0], first+n)
		request = append(request[:0], head(host, e, len(body))...)
		request = append(request, body...)
		begin := time.Now()
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return nil, err
		}
		answer, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			return nil, err
		}
		times = append(times, time.Since(begin))
		if resp.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%w: status %s: %.200s", errUnable, resp.Status, answer)
		}
		if n < len(commands) {
			if err := checkAnswer(answer, n); err != nil {
				return nil, err
			}
		}
	}
	return times, nil
}

func head(host string, e era, length int) string {
	text := "POST /mcp HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"MCP-Protocol-Version: " + e.String() + "\r\n"
	if e == modern {
		text += "Mcp-Method: tools/call\r\nMcp-Name: gate\r\n"
	}
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n", text, length)
}
