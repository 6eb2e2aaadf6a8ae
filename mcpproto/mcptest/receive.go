package mcptest

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// incoming is any message of a server.
type incoming struct {
	ID     jsontext.Value `json:"id,omitzero"`
	Method string         `json:"method,omitzero"`
	Params jsontext.Value `json:"params,omitzero"`
	Result jsontext.Value `json:"result,omitzero"`
	Error  *wireError     `json:"error,omitzero"`
}

type wireError struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data,omitzero"`
}

// receive checks and delivers one message of the server. ctx ends with the connection.
func (c *Client) receive(ctx context.Context, message []byte) {
	var m incoming
	if err := json.Unmarshal(message, &m); err != nil {
		c.t.Errorf("mcptest: the server sent no message: %v\n%s", err, clip(message))
		return
	}
	open := c.open(m)
	if err := c.wire.Received(message); err != nil {
		c.t.Errorf("mcptest: the server sent an invalid message: %v\n%s", err, clip(message))
	}
	switch {
	case m.Method != "" && m.ID != nil:
		c.answers.Go(func() { c.answerAsk(ctx, m) })
	case m.Method != "":
		c.note(m)
	case open != nil && m.Error != nil:
		open.answer <- answer{err: m.Error.asError()}
	case open != nil:
		open.answer <- answer{result: m.Result.Clone()}
	case m.Error != nil && m.ID == nil:
		c.t.Errorf("mcptest: the server could not read a message: %d %s", m.Error.Code, m.Error.Message)
	}
}

// open takes the call that m answers off the list, if there is one.
func (c *Client) open(m incoming) *call {
	if m.Method != "" || m.ID == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	open := c.calls[string(m.ID)]
	delete(c.calls, string(m.ID))
	return open
}

func (e *wireError) asError() *mcpproto.Error {
	out := &mcpproto.Error{Code: e.Code, Message: e.Message}
	if e.Data != nil {
		out.Data = e.Data.Clone()
	}
	return out
}

// note records a notification and hands it to the subscription it belongs to.
func (c *Client) note(m incoming) {
	n := Note{Method: m.Method, Params: m.Params.Clone()}
	var tag struct {
		Meta struct {
			Subscription jsontext.Value `json:"io.modelcontextprotocol/subscriptionId"`
		} `json:"_meta"`
		RequestID jsontext.Value `json:"requestId"`
	}
	_ = json.Unmarshal(n.Params, &tag) // params without a tag belong to no subscription
	c.mu.Lock()
	c.notes = append(c.notes, n)
	close(c.arrived)
	c.arrived = make(chan struct{})
	var deliver func(Note)
	if open, ok := c.calls[string(tag.Meta.Subscription)]; ok {
		deliver = open.notes
	}
	c.mu.Unlock()
	if deliver != nil {
		deliver(n)
	}
}

// answerAsk answers the request of a legacy server.
func (c *Client) answerAsk(ctx context.Context, m incoming) {
	id, ok := mcpproto.ParseID(m.ID)
	if !ok {
		return // the schema check failed the test already
	}
	result, err := c.ask(ctx, Ask{Method: m.Method, Params: m.Params.Clone()})
	if ctx.Err() != nil {
		return
	}
	var reply []byte
	if err != nil {
		reply = mcpproto.AppendError(nil, id, wireOf(err))
	} else {
		reply = append(mcpproto.AppendResultHead(nil, id), result...)
		reply = append(reply, '}')
		if err := Check(c.o.Revision, ToServer, m.Method, reply); err != nil {
			c.t.Logf("mcptest: answering with %s, which is not valid: %v", clip(reply), err)
		}
	}
	err = c.carrier.post(ctx, c, outgoing{message: reply})
	if err != nil && !errors.Is(err, errClosed) && ctx.Err() == nil {
		c.t.Errorf("mcptest: answering %s: %v", m.Method, err)
	}
}

func wireOf(err error) *mcpproto.Error {
	var e *mcpproto.Error
	if errors.As(err, &e) {
		return e
	}
	return &mcpproto.Error{Code: mcpproto.CodeInternal, Message: err.Error()}
}

var errRefused = &mcpproto.Error{Code: mcpproto.CodeInvalidParams, Message: "this client answers nothing"}

func (c *Client) ask(ctx context.Context, a Ask) (jsontext.Value, error) {
	if c.o.Answer == nil {
		return nil, errRefused
	}
	v, err := c.o.Answer(ctx, a)
	if err != nil {
		return nil, err
	}
	return mcpproto.Marshal(v)
}
