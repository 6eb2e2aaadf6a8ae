package tool

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// note is what a handler leaves for the record of its call.
type note struct {
	tool     string
	command  string
	cwd      string
	args     jsontext.Value // of the tools that are recorded by digest
	sizes    []audit.Size
	decision *gate.Decision // nil: none was reached
	reached  gate.Decision  // what decision points to
	confirm  string
	failed   string
}

// observe records every call before its answer leaves. What cannot be recorded although it has to be becomes a deny.
func (t *tools) observe(_ context.Context, o *mcpserver.Outcome) {
	if t.Audit == nil {
		return
	}
	err := t.Audit.Write(recordOf(o))
	if err == nil {
		return
	}
	t.Logger.Error("audit record lost", "error", err, "tool", o.Call.Name, "required", t.Config.Audit.Required)
	if t.Config.Audit.Required && o.Result != nil {
		t.withdraw(o)
	}
}

// withdraw replaces a result that left no trace.
func (t *tools) withdraw(o *mcpserver.Outcome) {
	const sentence = "the call could not be recorded, and the operator requires a record"
	if o.Call.Name != nameGate {
		o.Result = failure(o.Call.Name, "audit: "+sentence, nil)
		return
	}
	var r gate.Request
	if n, ok := o.Call.Note.(*note); ok && n != nil {
		r.Command, r.Dir = n.command, n.cwd
	}
	d := t.Judge.Failed(r, "audit", sentence)
	result, err := gateResult(&d)
	if err != nil {
		o.Result, o.Err = nil, &mcpproto.Error{Code: mcpproto.CodeInternal, Message: "internal error"}
		return
	}
	o.Result = result
}

// recordOf makes the record of one call, however early it ended.
func recordOf(o *mcpserver.Outcome) audit.Record {
	c := o.Call
	r := audit.Record{
		Event: "call", Tool: c.Name, Transport: c.Transport.String(), Client: clientName(c.Client), Principal: c.Principal,
		RequestID: c.ID.String(), Trace: c.Trace.Parent, Duration: o.Duration,
	}
	if c.Era != 0 {
		r.Era = c.Era.String()
	}
	if c.Version != 0 {
		r.Protocol = c.Version.String()
	}
	n, _ := c.Note.(*note)
	if n == nil {
		n = &note{args: c.Arguments}
	}
	n.fill(&r, c)
	if o.Fate != mcpserver.Served {
		r.Error = joined(o.Fate.String(), r.Error)
	}
	if o.Err != nil && r.Error == o.Fate.String() {
		r.Error = joined(r.Error, o.Err.Message)
	}
	return r
}

// fill takes over what the handler found out.
func (n *note) fill(r *audit.Record, c *mcpserver.Call) {
	r.Command, r.Cwd, r.Confirm, r.Error, r.Sizes = n.command, n.cwd, n.confirm, n.failed, n.sizes
	if n.args != nil {
		r.Args = n.args
	} else if n.command == "" {
		r.Args = c.Arguments // a gate call whose command could not be read
	}
	d := n.decision
	if d == nil {
		return
	}
	r.Decision, r.Layer, r.Rule, r.Reason = gate.Word(d.Verdict), string(d.Layer), d.Rule, d.Why
	if d.Answer != nil {
		r.Noul, r.Score = &d.Answer.Noul, &d.Answer.Score
	}
	r.Error = joined(r.Error, d.Error)
}

func joined(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, ": ")
}

func clientName(i mcpproto.Implementation) string {
	if i.Version == "" {
		return i.Name
	}
	return i.Name + "/" + i.Version
}
