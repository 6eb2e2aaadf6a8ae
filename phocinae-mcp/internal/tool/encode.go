package tool

import (
	"sync"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// buffers are what gate's answers are written into.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const keepBuffer = 64 << 10 // larger ones are not kept

// gateResult is encode(Output(d)), to the byte, without reflection: it is the answer to nearly every call.
func gateResult(d *gate.Decision) (*mcpproto.ToolResult, error) {
	room := buffers.Get().(*[]byte)
	o := mcpproto.NewObject(*room)
	writeGate(o, d)
	result, buf, err := o.Result()
	if cap(buf) <= keepBuffer {
		*room = buf
		buffers.Put(room)
	}
	return result, err
}

// writeGate writes the members of GateOutput in their order.
func writeGate(o *mcpproto.Object, d *gate.Decision) {
	o.String("command", d.Request.Command)
	optional(o, "cwd", d.Request.Dir)
	o.String("decision", gate.Word(d.Verdict))
	o.String("layer", string(d.Layer))
	o.String("reason", d.Reason())
	o.String("human_action", gate.HumanAction(d.Verdict))
	if all := d.Findings[:min(len(d.Findings), maxFindings)]; len(all) > 0 {
		o.List("findings", len(all), func(i int, o *mcpproto.Object) {
			f := &all[i]
			o.String("rule", f.RuleID)
			o.String("verdict", f.Verdict.String())
			o.Int("start", f.Start)
			o.Int("end", f.End)
			o.String("why", f.Why)
			optional(o, "instead", f.Instead)
		})
	}
	if a := d.Answer; a != nil {
		o.Float("noul", a.Noul)
		o.Float("score", a.Score)
		optional(o, "noul_state", a.State)
		if a.Confidence > 0 {
			o.Float("confidence", a.Confidence)
		}
		optional(o, "model", a.Model)
	}
	o.String("engine", d.Engine)
	optional(o, "server", d.Server)
	o.String("tool", nameGate)
	if d.Status != 0 {
		o.Int("status", d.Status)
	}
	optional(o, "error", d.Error)
	o.String("fail_closed", gate.Word(d.Fallback))
}

func optional(o *mcpproto.Object, name, value string) {
	if value != "" {
		o.String(name, value)
	}
}
