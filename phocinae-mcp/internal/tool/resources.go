package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

const (
	policyURI = "phocinae://policy/gate-approval"
	tableURI  = "phocinae://policy/l0-table"
)

// resources adds the two documents about the policy in force.
func (t *tools) resources(s *mcpserver.Server) error {
	return errors.Join(
		s.AddResource(mcpproto.Resource{
			URI: policyURI, Name: "gate-approval", Title: "Approval policy", MimeType: "text/markdown",
			Description: "What allow, ask and deny demand, the invariants, and the thresholds in force.",
		}, func(_ context.Context, call *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
			if call.RequestState != "" {
				return nil, foreignState()
			}
			return document(policyURI, "text/markdown", t.policy()), nil
		}),
		s.AddResource(mcpproto.Resource{
			URI: tableURI, Name: "l0-table", Title: "Rules in force", MimeType: "application/json",
			Description: "Every rule of the deterministic table, the operator's included.",
		}, func(_ context.Context, call *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
			if call.RequestState != "" {
				return nil, foreignState()
			}
			text, err := TableJSON(t.Rules, t.Judge.EngineName(), t.Config.Guard.Describe())
			if err != nil {
				return nil, err
			}
			return document(tableURI, "application/json", text), nil
		}),
	)
}

func document(uri, mime, text string) *mcpproto.ReadResult {
	return &mcpproto.ReadResult{Contents: []mcpproto.ResourceContents{{URI: uri, MimeType: mime, Text: text}}}
}

// TableJSON lists the rules in force as one JSON object.
func TableJSON(rules Rules, engine, table string) (string, error) {
	list := rules.Rules()
	if list == nil {
		list = []gatecore.RuleInfo{}
	}
	raw, err := mcpproto.Marshal(&struct {
		Engine string              `json:"engine"`
		Table  string              `json:"table"`
		Rules  []gatecore.RuleInfo `json:"rules"`
	}{engine, table, list})
	return string(raw), err
}

// policy is the approval policy as Markdown.
func (t *tools) policy() string {
	c := t.Config
	var b strings.Builder
	b.WriteString(`# Approval policy

## What a decision demands

| decision | human_action | the host must |
|---|---|---|
| allow | none | run the command exactly as it was judged |
| ask | confirm | show command and reason to a person and not run it before a yes |
| deny | block | not run it, in this or any other spelling; offer reason and safer way |

## What always holds

1. No failure of anything turns into allow.
2. deny is final: no retry, confirmation, override, prefix or table lifts it.
3. Wrapping, quoting, chaining or splitting a command never makes its verdict milder.
4. A confirmation is good for one command, one working directory, one principal, one use and five minutes. An accept is not proof of a person.
5. A server argument can only make a verdict stricter, unless the operator listed that service.
6. Every call leaves one audit record.

## In force here

`)
	fmt.Fprintf(&b, "- engine: %s\n- table: %s\n", t.Judge.EngineName(), tableName(c.Guard.Path, c.Guard.Off))
	if c.L1 {
		th := c.Thresholds
		fmt.Fprintf(&b, "- L1: on, model %s\n- may run: probability from %g is true, up to %.4g is false, between wavers\n", c.Model, th.Noul, 1-th.Noul)
		fmt.Fprintf(&b, "- risk: from %g ask, from %g deny; the stricter of both counts\n", th.AskAt, th.DenyAt)
	} else {
		fmt.Fprintf(&b, "- L1: off; undecided commands are answered with %s\n", gate.Word(c.FailClosed))
	}
	return b.String()
}

// tableName tells an agent whose table is in force without the path: an agent has no business with that file.
func tableName(path string, off bool) string {
	switch {
	case off:
		return "off"
	case path != "":
		return "built-in and the operator's"
	}
	return "built-in"
}
