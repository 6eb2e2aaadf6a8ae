package mcptest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
)

// pipe is the stdio transport between two goroutines.
type pipe struct {
	server *mcpserver.Server

	life   context.Context // ends with the connection
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu sync.Mutex // one message is one write
	in *io.PipeWriter
}

func newPipe(s *mcpserver.Server) *pipe { return &pipe{server: s} }

func (p *pipe) start(c *Client) {
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	p.in = in
	p.life, p.cancel = context.WithCancel(context.Background())
	p.done.Go(func() {
		err := stdio.Serve(p.life, p.server, stdin, stdout, nil)
		if err != nil && !errors.Is(err, context.Canceled) {
			c.t.Errorf("mcptest: the server ended: %v", err)
		}
		_ = stdin.Close()
		_ = stdout.Close()
	})
	p.done.Go(func() {
		lines := bufio.NewReader(out)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				if len(line) > 0 {
					c.t.Errorf("mcptest: the server sent half a line: %s", clip(line))
				}
				return
			}
			c.receive(p.life, bytes.TrimSuffix(line, []byte("\n")))
		}
	})
}

func (p *pipe) post(_ context.Context, c *Client, m outgoing) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.wire.Sent(m.message)
	if _, err := p.in.Write(append(m.message[:len(m.message):len(m.message)], '\n')); err != nil {
		return errClosed
	}
	return nil
}

func (p *pipe) cancels(*Client) bool { return false }

// close is what a host does that leaves: end of input, then a signal.
func (p *pipe) close(*Client) {
	_ = p.in.Close() // a PipeWriter's Close has no errors
	p.cancel()
	p.done.Wait()
}
