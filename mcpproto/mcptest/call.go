package mcptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// ErrInputRequired reports a call that asked for input which [Options].Answer refused or did not
// give. [Client.Request] shows the raw round instead.
var ErrInputRequired = errors.New("mcptest: input required and not given")

// Call calls a tool and returns its final result: input rounds are answered with [Options].Answer.
// arguments is marshalled; nil sends none. Errors are those of [Client.Request] and
// ErrInputRequired.
func (c *Client) Call(ctx context.Context, tool string, arguments any) (*mcpproto.ToolResult, error) {
	params := map[string]any{"name": tool}
	if arguments != nil {
		params["arguments"] = arguments
	}
	raw, err := c.Rounds(ctx, mcpproto.MethodToolsCall, params)
	if err != nil {
		return nil, err
	}
	var result mcpproto.ToolResult
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, fmt.Errorf("mcptest: result: %w", err)
	}
	return &result, nil
}

// Rounds sends a request and answers the rounds of input it asks for, until it is complete.
// MCP 2026-07-28, basic/patterns/mrtr.
func (c *Client) Rounds(ctx context.Context, method string, params map[string]any) (jsontext.Value, error) {
	sent := make(map[string]any, len(params)+2)
	for name, v := range params {
		sent[name] = v
	}
	for range maxRounds {
		raw, err := c.Request(ctx, method, sent)
		if err != nil {
			return nil, err
		}
		var round struct {
			Type     string              `json:"resultType"`
			Requests map[string]incoming `json:"inputRequests"`
			State    *string             `json:"requestState"`
		}
		if err := json.Unmarshal(raw, &round); err != nil {
			return nil, fmt.Errorf("mcptest: result: %w", err)
		}
		if round.Type != "input_required" {
			return raw, nil
		}
		delete(sent, "inputResponses")
		delete(sent, "requestState")
		responses := make(map[string]jsontext.Value, len(round.Requests))
		for key, r := range round.Requests {
			answer, err := c.ask(ctx, Ask{Key: key, Method: r.Method, Params: r.Params})
			if err != nil {
				return nil, fmt.Errorf("%w: %s: %w", ErrInputRequired, key, err)
			}
			responses[key] = answer
		}
		if len(responses) > 0 {
			sent["inputResponses"] = responses
		}
		if round.State != nil {
			sent["requestState"] = *round.State
		}
	}
	return nil, fmt.Errorf("%w: %d rounds", ErrInputRequired, maxRounds)
}

// Tools lists all tools, page by page. Calls over HTTP mirror arguments into headers as the listed
// schemas ask for (x-mcp-header).
func (c *Client) Tools(ctx context.Context) ([]mcpproto.Tool, error) {
	var all []mcpproto.Tool
	var cursor string
	for {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		raw, err := c.Request(ctx, mcpproto.MethodToolsList, params)
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools []mcpproto.Tool `json:"tools"`
			Next  string          `json:"nextCursor"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, fmt.Errorf("mcptest: result: %w", err)
		}
		all = append(all, page.Tools...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, tool := range all {
		c.tools[tool.Name] = tool
	}
	return all, nil
}

// Subscription is one open subscriptions/listen.
type Subscription struct {
	// Granted is the subset of the asked notifications that the server acknowledged.
	Granted jsontext.Value

	c      *Client
	id     mcpproto.ID
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // why it ended, set before ended is closed

	mu    sync.Mutex
	queue []Note
	more  chan struct{} // capacity 1
}

// Listen opens a subscription and returns once the server acknowledged it. filter is the
// notifications member of the request, such as {"toolsListChanged": true}.
// MCP 2026-07-28, basic/patterns/subscriptions.
func (c *Client) Listen(ctx context.Context, filter any) (*Subscription, error) {
	open, m, err := c.begin(mcpproto.MethodListen, map[string]any{"notifications": filter})
	if err != nil {
		return nil, err
	}
	s := &Subscription{c: c, id: m.id, ended: make(chan struct{}), more: make(chan struct{}, 1)}
	c.mu.Lock()
	open.notes = s.push
	c.mu.Unlock()
	var life context.Context
	life, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.answers.Go(func() {
		_, s.err = c.finish(life, open, m)
		close(s.ended)
	})
	first, err := s.Next(ctx)
	if err != nil {
		s.Close()
		return nil, err
	}
	if first.Method != mcpproto.NoteAcknowledged {
		s.Close()
		return nil, fmt.Errorf("mcptest: a subscription began with %s", first.Method)
	}
	var ack struct {
		Notifications jsontext.Value `json:"notifications"`
	}
	if err := json.Unmarshal(first.Params, &ack); err != nil {
		s.Close()
		return nil, fmt.Errorf("mcptest: acknowledgement: %w", err)
	}
	s.Granted = ack.Notifications
	return s, nil
}

func (s *Subscription) push(n Note) {
	s.mu.Lock()
	s.queue = append(s.queue, n)
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// Next returns the next notification. The error is io.EOF after the server ended the subscription
// with a result, the server's error if it refused it, or ctx's.
func (s *Subscription) Next(ctx context.Context) (Note, error) {
	for {
		if n, ok := s.pop(); ok {
			return n, nil
		}
		select {
		case <-s.more:
		case <-ctx.Done():
			return Note{}, ctx.Err()
		case <-s.ended:
			if n, ok := s.pop(); ok { // it arrived just before the end
				return n, nil
			}
			if s.err == nil {
				return Note{}, io.EOF
			}
			return Note{}, s.err
		}
	}
}

func (s *Subscription) pop() (Note, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return Note{}, false
	}
	n := s.queue[0]
	s.queue = s.queue[1:]
	return n, true
}

// Close ends the subscription from the client's side and waits until nothing more can arrive from
// its request. It may be called again.
func (s *Subscription) Close() {
	s.cancel()
	<-s.ended
}
