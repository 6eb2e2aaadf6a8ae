package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
)

var emptyObject = jsontext.Value("{}")

// callTool serves tools/call.
func (c *Conn) callTool(ctx context.Context, call *Call) {
	s := c.server
	t, e, fate := s.readCall(call)
	if e != nil {
		c.fail(&call.Request, e, fate)
		return
	}
	if s.calls.Add(1) > int64(s.opts.MaxCalls) {
		s.calls.Add(-1)
		c.runTool(ctx, call, nil, s.overloaded, Overloaded)
		return
	}
	defer s.calls.Add(-1)
	c.runTool(ctx, call, t, t.handler, Served)
}

// readCall checks everything about a call but its arguments' schema.
func (s *Server) readCall(call *Call) (*tool, *mcpproto.Error, Fate) {
	p := call.Params
	if p.Malformed() {
		return nil, mcpproto.InvalidParams("params is not an object"), BadParams
	}
	if call.Name == "" && !namesATool(p) {
		return nil, mcpproto.InvalidParams("params.name is missing or not a string"), BadParams
	}
	t := s.reg.Load().tools.byKey[call.Name]
	if t == nil {
		return nil, mcpproto.InvalidParams("unknown tool %q", clipText(call.Name)), UnknownTool
	}
	if t.needs && call.Era == mcpproto.Modern {
		if missing, lacks := call.Capabilities.Missing(t.opts.Requires); lacks {
			return nil, mcpproto.MissingCapability(missing), LacksCapability
		}
	}
	switch args := p.Get("arguments"); args.Kind() {
	case '{':
		call.Arguments = args
	case 'n', 0:
		call.Arguments = emptyObject
	default:
		return nil, mcpproto.InvalidParams("params.arguments is not an object"), BadParams
	}
	var e *mcpproto.Error
	call.InputResponses, call.RequestState, e = readInput(p)
	if e != nil {
		return nil, e, BadParams
	}
	return t, nil, 0
}

// namesATool reports params whose name is a string, if only the empty one.
func namesATool(p *mcpproto.Params) bool {
	_, present, ok := p.Text("name")
	return present && ok
}

// readInput reads what a retry carries beside the params of the first call.
func readInput(p *mcpproto.Params) (mcpproto.InputResponses, string, *mcpproto.Error) {
	state, _, ok := p.Text("requestState")
	if !ok && p.Get("requestState").Kind() != 'n' {
		return nil, "", mcpproto.InvalidParams("params.requestState is not a string")
	}
	raw := p.Get("inputResponses")
	if raw == nil || raw.Kind() == 'n' {
		return nil, state, nil
	}
	r := mcpproto.InputResponses{}
	if raw.Kind() != '{' || mcpproto.Unmarshal(raw, &r) != nil {
		return nil, "", mcpproto.InvalidParams("params.inputResponses is not an object")
	}
	return r, state, nil
}

func clipText(s string) string {
	const most = 100
	if len(s) <= most {
		return s
	}
	n := most
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

func (s *Server) overloaded(ctx context.Context, call *Call) (*mcpproto.ToolResult, error) {
	if s.opts.Overloaded != nil {
		return s.opts.Overloaded(ctx, call)
	}
	return mcpproto.ErrorResult("The server has too many calls in flight. Try again later."), nil
}

var errNoResult = errors.New("mcpserver: handler returned neither result nor error")

// runTool runs one handler and settles the call whatever the handler does: return, panic, or end its goroutine.
// t is nil if the handler is not the tool's own. fate is what a good result means.
func (c *Conn) runTool(ctx context.Context, call *Call, t *tool, h ToolHandler, fate Fate) {
	o := &Outcome{Fate: Panicked, Call: call}
	begin := c.server.opts.Now()
	call.ready.Store(true)
	defer func() {
		end := c.server.opts.Now()
		if t != nil {
			t.last.Store(int64(end.Sub(begin)))
		}
		o.Duration = end.Sub(call.Start)
		if o.Result == nil && o.Err == nil {
			o.Err = mcpproto.WireError(errNoResult, call.Era)
		}
		c.settle(ctx, call, o)
	}()
	defer func() {
		if p := recover(); p != nil {
			o.Fate, o.Result, o.Err = Panicked, nil, nil // a result whose check panicked is not sent
			o.Cause = fmt.Errorf("mcpserver: panic: %v", p)
			c.server.opts.Logger.Error("panic in handler", "method", call.Method, "name", call.Name,
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	if t != nil && !t.opts.OwnArgumentCheck {
		if done := c.checkArguments(call, t, o); done {
			return
		}
	}
	res, err := h(ctx, call)
	switch {
	case err != nil:
		o.Fate, o.Cause, o.Err = Failed, err, mcpproto.WireError(err, call.Era)
		c.logUncoded(call, err)
	case res == nil:
		o.Fate, o.Cause = Failed, errNoResult
	default:
		o.Fate, o.Result = fate, res
		c.checkResult(call, t, o)
	}
	if fate == Overloaded {
		o.Fate = Overloaded
	}
}

func (c *Conn) logUncoded(call *Call, err error) {
	var coded *mcpproto.Error
	if !errors.As(err, &coded) && !errors.Is(err, context.Canceled) {
		c.server.opts.Logger.Error("handler failed", "method", call.Method, "name", call.Name, "error", err)
	}
}

// checkArguments fills o and reports true if the arguments break the schema.
func (c *Conn) checkArguments(call *Call, t *tool, o *Outcome) bool {
	list, err := t.input.violations(call.Arguments)
	if err != nil {
		c.server.opts.Logger.Error("input schema is unusable", "tool", call.Name, "error", err)
		o.Fate, o.Cause = Failed, err
		return true
	}
	if list == nil {
		return false
	}
	o.Fate = BadArguments
	res, err := call.BadArguments(describe(call.Name, list))
	if err != nil {
		e := mcpproto.WireError(err, call.Era)
		e.Data = map[string]any{"violations": list}
		o.Err = e
		return true
	}
	o.Result, o.Err = res, nil
	return true
}

// checkResult replaces a result that must not be sent.
func (c *Conn) checkResult(call *Call, t *tool, o *Outcome) {
	res := o.Result
	if res.Need != nil {
		if e := c.checkNeed(&call.Request, res.Need); e != nil {
			o.Fate, o.Result, o.Err, o.Cause = Failed, nil, mcpproto.WireError(e, call.Era), e
		}
		return
	}
	if t == nil || t.output.text == nil || c.server.opts.Output == OutputTrusted || res.IsError {
		return
	}
	err := t.checkOutput(res)
	if err == nil {
		return
	}
	c.server.opts.Logger.Error("result breaks its output schema", "tool", call.Name, "error", err)
	if c.server.opts.Output == OutputFails {
		o.Fate, o.Result, o.Err, o.Cause = Failed, nil, mcpproto.WireError(err, call.Era), err
	}
}

func (t *tool) checkOutput(res *mcpproto.ToolResult) error {
	if res.Structured == nil {
		return errors.New("mcpserver: structured content is missing")
	}
	list, err := t.output.violations(res.Structured)
	if err != nil {
		return err
	}
	if list != nil {
		return fmt.Errorf("mcpserver: %d violations, the first: %s", len(list), list[0])
	}
	return nil
}

// checkNeed reports why a client cannot be asked for input.
func (c *Conn) checkNeed(r *Request, need *mcpproto.InputRequired) error {
	if r.Era != mcpproto.Modern {
		err := errors.New("mcpserver: a legacy client cannot answer input_required")
		c.server.opts.Logger.Error("unusable result", "method", r.Method, "error", err)
		return err
	}
	err := need.Check(r.Capabilities)
	var coded *mcpproto.Error
	if err != nil && !errors.As(err, &coded) {
		c.server.opts.Logger.Error("unusable result", "method", r.Method, "error", err)
	}
	return err
}

// settle reports the outcome and sends the answer, once, whoever comes first.
func (c *Conn) settle(ctx context.Context, call *Call, o *Outcome) {
	r := &call.Request
	if !r.ended.CompareAndSwap(false, true) {
		return
	}
	if o.Fate.Executed() && o.Fate != Abandoned && clientGone(ctx) {
		o.Fate = Cancelled
	}
	b := getBuffer()
	defer putBuffer(b)
	a := c.encode(b, call, o)
	res, e := o.Result, o.Err
	c.observe(ctx, o)
	if o.Fate == Cancelled || clientGone(ctx) && o.Fate != Abandoned {
		c.drop(r)
		return
	}
	if o.Result != res || o.Err != e {
		*b = (*b)[:0]
		a = c.encode(b, call, o)
	}
	c.deliver(r, *b, a)
}

// encode writes the answer of o into b. What cannot be encoded becomes -32603, in o too.
func (c *Conn) encode(b *[]byte, call *Call, o *Outcome) Answer {
	r := &call.Request
	if o.Err == nil && o.Result != nil {
		st := mcpproto.Stamp{Version: r.Version, Server: c.server.stamp}
		out := mcpproto.AppendResultHead(*b, r.ID)
		var err error
		if o.Result.Need != nil {
			out, err = st.AppendNeed(out, o.Result.Need)
		} else {
			out, err = st.AppendTool(out, o.Result)
		}
		if err == nil {
			*b = append(out, '}')
			return Answer{Era: r.Era}
		}
		c.server.opts.Logger.Error("unusable result", "method", r.Method, "name", call.Name, "error", err)
		o.Fate, o.Result, o.Err, o.Cause = Failed, nil, mcpproto.WireError(err, r.Era), err
	}
	if o.Err == nil {
		o.Err = mcpproto.WireError(errNoResult, r.Era)
	}
	wire := mcpproto.WireError(o.Err, r.Era)
	*b = mcpproto.AppendError((*b)[:0], r.ID, wire)
	return Answer{Code: wire.Code, Era: r.Era}
}

// observe calls the observer; its panic becomes the answer's.
func (c *Conn) observe(ctx context.Context, o *Outcome) {
	s := c.server
	if s.opts.Observe == nil {
		return
	}
	if o.Duration == 0 { // no handler was run
		o.Duration = s.opts.Now().Sub(o.Call.Start)
	}
	err, panicked := s.run(o.Call.Method, o.Call.Name, func() error { s.opts.Observe(ctx, o); return nil })
	if panicked {
		o.Result, o.Err = nil, mcpproto.WireError(err, o.Call.Era)
	}
}
