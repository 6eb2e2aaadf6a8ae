package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/domain"
	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/safety"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
)

const linesSchema = `{"type":"array","description":"what to order, one SKU a line","items":{"type":"object",
	"properties":{"sku":{"type":"string","description":"as search_inventory shows it"},"quantity":{"type":"integer","description":"how many"}},
	"required":["sku","quantity"],"additionalProperties":false}}`

const searchSchema = `{"type":"object","properties":{"text":{"type":"string","description":"part of a SKU or a name; empty lists all"}},
	"required":["text"],"additionalProperties":false}`

const draftSchema = `{"type":"object","properties":{"lines":` + linesSchema + `,
	"draft_id":{"type":"string","description":"replaces that draft; leave out for a new one"}},"required":["lines"],"additionalProperties":false}`

const reviewSchema = `{"type":"object","properties":{"draft_id":{"type":"string","description":"from draft_purchase_order"}},
	"required":["draft_id"],"additionalProperties":false}`

const submitSchema = `{"type":"object","properties":{"draft_id":{"type":"string","description":"from draft_purchase_order"},
	"handle":{"type":"string","description":"from the newest preview of this draft: draft_purchase_order or review_draft"}},
	"required":["draft_id"],"additionalProperties":false}`

// desk wires the domain to the gate: the only place that knows both.
type desk struct {
	store *domain.Store
	gate  *safety.Gate
}

// newServer returns a server with the four tools.
func newServer(store *domain.Store, gate *safety.Gate, audit *safety.Audit) (*mcpserver.Server, error) {
	d := desk{store, gate}
	s := mcpserver.New(mcpproto.Implementation{Name: "purchaseorder", Version: "1.0.0"}, &mcpserver.Options{
		Schemas:      schemacheck.Compile,
		Instructions: "Search, draft, read the preview, then submit with its handle. Nothing is ordered before submit_purchase_order.",
		Observe:      func(_ context.Context, o *mcpserver.Outcome) { audit.Observe(o) },
	})
	yes, no := true, false
	readOnly := &mcpproto.ToolAnnotations{ReadOnlyHint: &yes}
	changes := &mcpproto.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}
	orders := &mcpproto.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &yes}
	return s, errors.Join(
		s.AddTool(mcpserver.Tool{
			Name: "search_inventory", InputSchema: json.RawMessage(searchSchema), Annotations: readOnly,
			Description: "Lists items with price, stock and the stock below which they may be ordered. Changes nothing.",
		}, handle(d.search)),
		s.AddTool(mcpserver.Tool{
			Name: "draft_purchase_order", InputSchema: json.RawMessage(draftSchema), Annotations: changes,
			Description: "Keeps a draft and previews it: price, every problem, and the handle that submit_purchase_order needs. Orders nothing.",
		}, handle(d.draft)),
		s.AddTool(mcpserver.Tool{
			Name: "review_draft", InputSchema: json.RawMessage(reviewSchema), Annotations: readOnly,
			Description: "Previews a draft again and gives a new handle. Changes nothing.",
		}, handle(d.review)),
		s.AddTool(mcpserver.Tool{
			Name: "submit_purchase_order", InputSchema: json.RawMessage(submitSchema), Annotations: orders,
			Description: "Places the order. Needs the handle of the newest preview; a handle is good once and for a few minutes.",
		}, handle(d.submit)),
	)
}

// handle decodes the arguments, which the server has checked against the schema, and turns what the tool says into a
// result: a value, or an error that the model reads and can act on.
func handle[In any](tool func(principal string, in In) (any, error)) mcpserver.ToolHandler {
	return func(_ context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		var in In
		if err := mcpproto.Unmarshal(call.Arguments, &in); err != nil {
			return nil, mcpproto.InvalidParams("arguments: %v", err)
		}
		out, err := tool(call.Principal, in)
		if err != nil {
			return mcpproto.ErrorResult(err.Error()), nil
		}
		value, err := mcpproto.Marshal(out)
		if err != nil {
			return nil, err
		}
		return mcpproto.StructuredResult(value), nil
	}
}

type searchInput struct {
	Text string `json:"text"`
}

type searchOutput struct {
	Items []domain.Item `json:"items"`
}

func (d desk) search(_ string, in searchInput) (any, error) {
	return searchOutput{d.store.Search(in.Text)}, nil
}

type draftInput struct {
	Lines   []domain.Line `json:"lines"`
	DraftID string        `json:"draft_id"`
}

// preview is what draft and review show. A draft with problems gets no handle: it could not be placed.
type preview struct {
	DraftID    string           `json:"draft_id"`
	Lines      []domain.Line    `json:"lines"`
	TotalCents int              `json:"total_cents"`
	Problems   []domain.Problem `json:"problems"`
	Handle     string           `json:"handle,omitzero"`
	Next       string           `json:"next"`
}

func (d desk) draft(principal string, in draftInput) (any, error) {
	order, err := d.store.Draft(in.DraftID, in.Lines)
	if err != nil {
		return nil, next(err, "leave draft_id out to begin a new draft")
	}
	return d.preview(principal, order)
}

type reviewInput struct {
	DraftID string `json:"draft_id"`
}

func (d desk) review(principal string, in reviewInput) (any, error) {
	order, err := d.store.Find(in.DraftID)
	if err != nil {
		return nil, next(err, "call draft_purchase_order first")
	}
	return d.preview(principal, order)
}

func (d desk) preview(principal string, order domain.Order) (any, error) {
	p := preview{
		DraftID: order.ID, Lines: order.Lines, TotalCents: d.store.TotalCents(order.Lines),
		Problems: d.store.Check(order.Lines), Next: "read this preview, then call submit_purchase_order with draft_id and handle",
	}
	if len(p.Problems) > 0 {
		p.Next = "mend all problems with draft_purchase_order and the same draft_id"
		return p, nil
	}
	content, err := content(order)
	if err != nil {
		return nil, err
	}
	p.Handle, err = d.gate.Preview("order", order.ID, principal, content)
	return p, err
}

type submitInput struct {
	DraftID string `json:"draft_id"`
	Handle  string `json:"handle"`
}

type submitOutput struct {
	Placed domain.Order `json:"placed"`
}

// submit passes the gate first and places exactly the order that the handle was made for. A handle that passed is used up
// even if the order turns out to have problems by now.
func (d desk) submit(principal string, in submitInput) (any, error) {
	order, err := d.store.Find(in.DraftID)
	if err != nil {
		return nil, next(err, "it was submitted already or never drafted; begin with draft_purchase_order")
	}
	content, err := content(order)
	if err != nil {
		return nil, err
	}
	if err := d.gate.Pass("order", order.ID, principal, in.Handle, content); err != nil {
		return nil, err
	}
	problems, err := d.store.Place(order)
	switch {
	case err != nil:
		return nil, next(err, "it changed while you submitted; call review_draft")
	case len(problems) > 0:
		return nil, next(errors.New("the order has problems: "+sentence(problems)), "mend all of them with draft_purchase_order")
	}
	return submitOutput{order}, nil
}

// content is what a handle is made over: the whole order.
func content(order domain.Order) (jsontext.Value, error) { return mcpproto.Marshal(order) }

// next adds to an error what to do about it.
func next(err error, what string) error { return errors.New(err.Error() + ": " + what) }

func sentence(problems []domain.Problem) string {
	text := ""
	for n, p := range problems {
		if n > 0 {
			text += "; "
		}
		text += p.Path + ": " + p.Reason
	}
	return text
}
