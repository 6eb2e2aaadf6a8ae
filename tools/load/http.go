package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/phocinae/phocinae-go/tools/internal/product"
)

// answerWithin is far more than any call may take: the service's timeout is two seconds.
const answerWithin = 20 * time.Second

func driveHTTP(ctx context.Context, s *scene) error {
	server, err := product.StartHTTP(ctx, s.binary, append([]string{"--transport", "http", "--port", "0"}, s.flags()...)...)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.time)
	defer cancel()
	host := strings.TrimPrefix(server.URL, "http://")
	var wg sync.WaitGroup
	for n := range s.clients {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(s.seed, uint64(n))) //nolint:gosec // a run must be repeatable from its seed
			for ctx.Err() == nil {
				s.tally.fail(s.visit(ctx, host, r))
			}
		})
	}
	wg.Go(func() { s.watchMemory(ctx, server.Cmd.Process.Pid) })
	wg.Wait()
	took, err := server.Stop()
	if took > 6*time.Second {
		err = errors.Join(err, fmt.Errorf("the program took %s to leave", took))
	}
	return err
}

// visit is one connection: a run of calls, or a client that is slow, or one that leaves in the middle.
func (s *scene) visit(ctx context.Context, host string, r *rand.Rand) error {
	conn, err := (&net.Dialer{Timeout: answerWithin}).DialContext(ctx, "tcp", host)
	if err != nil {
		if end, _ := ctx.Deadline(); ctx.Err() != nil || !time.Now().Before(end) {
			return nil // the dialler's clock may be ahead of the context's by a moment
		}
		return err
	}
	defer func() { _ = conn.Close() }()
	switch r.IntN(20) {
	case 0: // sends a call and leaves without waiting
		s.tally.vanished.Add(1)
		_, _ = conn.Write(s.post(host, pick(r), 1, r.IntN(2) == 0))
		return nil
	case 1: // sends half a request and leaves after a while
		s.tally.slow.Add(1)
		message := s.post(host, pick(r), 1, true)
		_, _ = conn.Write(message[:len(message)/2])
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(r.IntN(500)) * time.Millisecond):
		}
		return nil
	}
	in := bufio.NewReader(conn)
	for id := range 50 {
		if ctx.Err() != nil {
			return nil
		}
		if err := s.exchange(conn, in, host, pick(r), id, r.IntN(2) == 0); err != nil {
			return err
		}
	}
	return nil
}

func (s *scene) exchange(conn net.Conn, in *bufio.Reader, host string, c call, id int, modern bool) error {
	if err := conn.SetDeadline(time.Now().Add(answerWithin)); err != nil {
		return err
	}
	dead := s.tally.dead.Load()
	if _, err := conn.Write(s.post(host, c, id, modern)); err != nil {
		return fmt.Errorf("%s %s: %w", c.name, c.arguments, err)
	}
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return fmt.Errorf("%s %s was not answered: %w", c.name, c.arguments, err)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	s.tally.answered.Add(1)
	if got := idOf(answer); got != id {
		return fmt.Errorf("%s %s: id %d was answered with id %d: %.300s", c.name, c.arguments, id, got, answer)
	}
	return c.judge(answer, dead)
}

func (s *scene) post(host string, c call, id int, modern bool) []byte {
	body := c.request(id, modern)
	version, mirrored := "2025-11-25", ""
	if modern {
		version, mirrored = "2026-07-28", "Mcp-Method: tools/call\r\nMcp-Name: "+c.name+"\r\n"
	}
	return fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"MCP-Protocol-Version: %s\r\n%sContent-Length: %d\r\n\r\n%s", host, version, mirrored, len(body), body)
}
