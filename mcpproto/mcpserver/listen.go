package mcpserver

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
)

// change is a set of lists that changed.
type change uint8

const (
	changeTools change = 1 << iota
	changePrompts
	changeResources
)

var changeNotes = []struct {
	what   change
	method string
}{
	{changeTools, mcpproto.NoteToolsChanged},
	{changePrompts, mcpproto.NotePromptsChanged},
	{changeResources, mcpproto.NoteResourcesChanged},
}

// ears are all who may want to hear of changes.
type ears struct {
	mu  sync.Mutex
	all map[*mailbox]struct{}
}

func (e *ears) add(b *mailbox) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.all == nil {
		e.all = map[*mailbox]struct{}{}
	}
	e.all[b] = struct{}{}
}

func (e *ears) remove(b *mailbox) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.all, b)
}

// tell puts a change into every mailbox that wants it. It never blocks on a reader.
func (s *Server) tell(what change, uri string) {
	s.ears.mu.Lock()
	defer s.ears.mu.Unlock()
	for b := range s.ears.all {
		b.put(what, uri)
	}
}

// mailbox holds what one subscriber has not been told yet. Equal news are told once, so it is bounded by what was
// asked for, and a slow reader costs nothing but its own news.
type mailbox struct {
	mu     sync.Mutex
	wants  change
	uris   map[string]struct{}
	lists  change
	due    []string // URIs, oldest first, each once
	signal chan struct{}
	arrive func() // called, without lock, when something was put; may be nil
}

func newMailbox(wants change, uris []string) *mailbox {
	b := &mailbox{wants: wants, uris: map[string]struct{}{}, signal: make(chan struct{}, 1)}
	for _, u := range uris {
		b.uris[u] = struct{}{}
	}
	return b
}

func (b *mailbox) put(what change, uri string) {
	b.mu.Lock()
	what &= b.wants
	_, wanted := b.uris[uri]
	wanted = wanted && uri != ""
	b.lists |= what
	if wanted && !slices.Contains(b.due, uri) {
		b.due = append(b.due, uri)
	}
	b.mu.Unlock()
	if what == 0 && !wanted {
		return
	}
	select {
	case b.signal <- struct{}{}:
	default:
	}
	if b.arrive != nil {
		b.arrive()
	}
}

// take returns the notifications that are due. meta is the encoded _meta object of each, or nil.
func (b *mailbox) take(meta jsontext.Value) [][]byte {
	b.mu.Lock()
	lists, due := b.lists, b.due
	b.lists, b.due = 0, nil
	b.mu.Unlock()
	var out [][]byte
	for _, n := range changeNotes {
		if lists&n.what == 0 {
			continue
		}
		var params any // a legacy server sends none
		if meta != nil {
			params = &mcpproto.ListChangedParams{Meta: meta}
		}
		out = append(out, note(n.method, params))
	}
	for _, uri := range due {
		out = append(out, note(mcpproto.NoteResourceUpdated, &mcpproto.ResourceUpdatedParams{URI: uri, Meta: meta}))
	}
	return out
}

// note encodes a notification. params is nil or one of mcpproto's types for it, with members that are valid JSON. Ids
// in it keep their spelling, except for characters that some line reader takes for a line end.
func note(method string, params any) []byte {
	var raw jsontext.Value
	if params != nil {
		raw, _ = json.Marshal(params, jsontext.EscapeForJS(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true)) // cannot fail
		raw = bytes.ReplaceAll(raw, []byte("\u0085"), []byte(`\u0085`))
	}
	return mcpproto.AppendNotification(nil, method, raw)
}

// subscribe reports false if there are too many subscriptions already.
func (b *mailbox) subscribe(uri string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.uris[uri]; !ok && len(b.uris) >= maxSubscribedURIs {
		return false
	}
	b.uris[uri] = struct{}{}
	return true
}

func (b *mailbox) unsubscribe(uri string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.uris, uri)
	b.due = slices.DeleteFunc(b.due, func(u string) bool { return u == uri })
}

func (b *mailbox) want(c change) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wants = c
}

// filter is what a subscription is about.
type filter mcpproto.SubscriptionFilter

// maxSubscribedURIs bounds one subscription.
const maxSubscribedURIs = 4096

// grant leaves what the server declares.
func (f *filter) grant(c mcpproto.ServerCapabilities) (wants change) {
	f.Tools = f.Tools && c.Tools != nil && c.Tools.ListChanged
	f.Prompts = f.Prompts && c.Prompts != nil && c.Prompts.ListChanged
	f.Resources = f.Resources && c.Resources != nil && c.Resources.ListChanged
	if c.Resources == nil || !c.Resources.Subscribe {
		f.URIs = nil
	}
	f.URIs = slices.DeleteFunc(f.URIs, func(uri string) bool { return !mcpproto.IsURI(uri) })
	return f.changes()
}

func (f *filter) changes() (wants change) {
	if f.Tools {
		wants |= changeTools
	}
	if f.Prompts {
		wants |= changePrompts
	}
	if f.Resources {
		wants |= changeResources
	}
	return wants
}

// canListen reports whether subscriptions/listen is served: something that changes is declared.
func canListen(c mcpproto.ServerCapabilities) bool {
	all := filter{Tools: true, Prompts: true, Resources: true}
	return all.grant(c) != 0 || c.Resources != nil && c.Resources.Subscribe
}

// serveListen acknowledges, then passes on news until the client or the server ends it. A slow reader blocks only
// this goroutine. MCP 2026-07-28, basic/patterns/subscriptions.
func (c *Conn) serveListen(ctx context.Context, r *Request) {
	f := filter{}
	raw := r.Params.Get("notifications")
	if raw == nil || raw.Kind() != '{' || mcpproto.Unmarshal(raw, &f) != nil {
		c.fail(r, mcpproto.InvalidParams("params.notifications is missing or malformed"), BadParams)
		return
	}
	if len(f.URIs) > maxSubscribedURIs {
		c.fail(r, mcpproto.InvalidParams("at most %d resource subscriptions fit", maxSubscribedURIs), BadParams)
		return
	}
	wants := f.grant(c.server.capabilities(c.server.reg.Load()))
	box := newMailbox(wants, f.URIs)
	c.server.ears.add(box)
	defer c.server.ears.remove(box)

	meta := append(append([]byte(`{"`+mcpproto.KeySubscriptionID+`":`), r.ID.Raw()...), '}')
	ack := &mcpproto.AcknowledgedParams{Notifications: mcpproto.SubscriptionFilter(f), Meta: meta}
	if err := r.send(note(mcpproto.NoteAcknowledged, ack)); err != nil {
		c.forget(r)
		return
	}
	for {
		select {
		case <-ctx.Done():
			c.endListen(ctx, r, meta)
			return
		case <-box.signal:
			for _, n := range box.take(meta) {
				if r.send(n) != nil {
					c.forget(r)
					return
				}
			}
		}
	}
}

// endListen says goodbye if it is the server that ends the subscription, and nothing otherwise.
func (c *Conn) endListen(ctx context.Context, r *Request, meta jsontext.Value) {
	if !shuttingDown(ctx) || !r.ended.CompareAndSwap(false, true) {
		c.forget(r)
		return
	}
	if c.opts.Transport == mcpproto.Stdio {
		_ = r.send(note(mcpproto.NoteCancelled, &mcpproto.CancelledParams{RequestID: r.ID, Meta: meta})) // the peer may be gone already
	}
	body := append(append([]byte(`{"_meta":`), meta...), '}')
	c.reply(r, func(dst []byte, st *mcpproto.Stamp) ([]byte, error) { return st.AppendObject(dst, body) }, nil)
}
