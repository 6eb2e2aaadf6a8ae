package tool

import (
	"context"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// gate serves one call of the gate tool.
func (t *tools) gate(ctx context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
	n := &note{tool: nameGate}
	call.Note = n
	var a gateArguments
	if wrong := parseArguments(call.Arguments, t.gateFields(&a)); len(wrong) > 0 {
		n.command = a.command
		return badArguments(call, n, wrong)
	}
	r := t.request(&a)
	n.command, n.cwd = r.Command, r.Dir
	if call.RequestState != "" && call.Era == mcpproto.Modern {
		return t.retry(ctx, call, n, r)
	}
	d := t.Judge.Decide(ctx, r)
	if d.Verdict != gatecore.Undecided {
		return t.answer(n, d)
	}
	return t.confirm(ctx, call, n, d)
}

func (t *tools) request(a *gateArguments) gate.Request {
	r := gate.Request{Command: a.command, Dir: a.cwd, Home: t.Home, Server: a.server}
	if r.Dir == "" {
		r.Dir = t.Dir
	}
	return r
}

// answer ends a call with a decision.
func (t *tools) answer(n *note, d gate.Decision) (*mcpproto.ToolResult, error) {
	n.reached, n.decision = d, &n.reached
	return gateResult(n.decision)
}
