package mcpserver

import (
	"context"
	"sync"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// maxBatchWorkers bounds how many messages of one batch are served at once.
const maxBatchWorkers = 16

// HandleBatch serves an array of messages for 2025-03-26 and answers with one array, or not at all if nothing in it
// is answered. initialize and subscriptions/listen inside an array are -32600. Call it only where [Conn.Batches]
// reports true. MCP 2025-03-26, basic, "Batching".
func (c *Conn) HandleBatch(ctx context.Context, items []mcpproto.BatchItem, f Facts, out Sink) {
	answers := make([]batchSink, len(items))
	var wg sync.WaitGroup
	slots := make(chan struct{}, maxBatchWorkers)
	for i := range items {
		answers[i].out = out
		if c.batchInline(ctx, &items[i], f, &answers[i]) {
			continue
		}
		x, waits := c.take(ctx, items[i].Message, f, &answers[i])
		if !waits {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			x.serve()
		})
	}
	wg.Wait()
	b := []byte{'['}
	for i := range answers {
		if answers[i].msg == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, answers[i].msg...)
	}
	if len(b) > 1 {
		_ = out.Answer(append(b, ']'), Answer{Era: mcpproto.Legacy}) // a dead peer is noticed by the transport
	}
}

// batchInline serves what needs no goroutine.
func (c *Conn) batchInline(ctx context.Context, it *mcpproto.BatchItem, f Facts, out *batchSink) bool {
	if it.Err != nil {
		c.refuse(ctx, it.Err, f, out)
		return true
	}
	m := it.Message
	if m.Kind == mcpproto.Request &&
		(m.Method == mcpproto.MethodInitialize || m.Method == mcpproto.MethodListen || m.Params.Meta().PerRequest()) {
		c.refuse(ctx, &mcpproto.DecodeError{
			Code: mcpproto.CodeInvalidRequest, ID: m.ID, Method: m.Method, Message: "not allowed in a batch",
		}, f, out)
		return true
	}
	return false
}

// batchSink keeps an answer for the array and passes the rest on.
type batchSink struct {
	out Sink
	msg []byte
}

func (b *batchSink) Send(msg []byte) error { return b.out.Send(msg) }

func (b *batchSink) Answer(msg []byte, _ Answer) error {
	b.msg = append([]byte(nil), msg...)
	return nil
}
