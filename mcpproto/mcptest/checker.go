package mcptest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// Checker checks everything a server says on one connection: it follows what the client sent, so that it knows the
// revision and the method that each message of the server belongs to. It is for tests that read the wire themselves;
// a [Client] checks its messages without one.
//
// The zero value is ready. Tell it each message of the client before it is sent, and hand it each message of the
// server as it came. Over HTTP one Checker follows either one exchange or one session. Safe for concurrent use.
type Checker struct {
	mu         sync.Mutex
	named      mcpproto.Version   // the legacy one that the last version header named; 0 if none
	negotiated []mcpproto.Version // by the initialize requests, in order; 0 while unanswered or refused
	modern     bool               // a modern request was sent
	legacy     bool               // a legacy request was sent
	open       map[string][]asked // by raw id, oldest first
	tokens     map[string]asked   // by progress token
	listens    map[string]bool    // keys of ids of subscriptions/listen
}

// asked is one request of the client.
type asked struct {
	method   string           // "" for one that cannot be read
	era      mcpproto.Era     // 0 if undecided: then only an error answers, and it has to suit every revision
	revision mcpproto.Version // of a legacy HTTP request whose header names it, else 0
	shakes   int              // how many initialize requests were sent up to this one
}

// Sent notes one message that the client sends over stdio, or a batch. What is no message is nothing that could be
// answered by id. It decides eras as the server has to: MCP 2026-07-28, basic/versioning.
func (c *Checker) Sent(message []byte) {
	c.sent(mcpproto.EraFacts{Transport: mcpproto.Stdio}, message)
}

// SentHTTP is Sent for a body and its headers.
func (c *Checker) SentHTTP(header http.Header, body []byte) {
	if v, ok := mcpproto.ParseVersion(header.Get(mcpproto.HeaderVersion)); ok && v.Era() == mcpproto.Legacy {
		c.mu.Lock()
		c.named = v
		c.mu.Unlock()
	}
	c.sent(mcpproto.EraFacts{Transport: mcpproto.HTTP, Header: header}, body)
}

func (c *Checker) sent(f mcpproto.EraFacts, message []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	items, err := mcpproto.DecodeBatch(message)
	if err != nil {
		m, err := mcpproto.Decode(message)
		items = []mcpproto.BatchItem{{Message: m}}
		if err != nil {
			items[0].Err = mcpproto.AsDecodeError(err)
		}
	}
	for _, it := range items {
		switch {
		case it.Err != nil && !it.Err.ID.IsZero():
			c.ask(it.Err.ID, asked{})
		case it.Err == nil && it.Message.Kind == mcpproto.Request:
			c.request(f, it.Message)
		}
	}
}

func (c *Checker) request(f mcpproto.EraFacts, m *mcpproto.Message) {
	f.Initialized, f.Session = len(c.negotiated) > 0, c.agreed(len(c.negotiated))
	era, named, undecided := mcpproto.EraOf(m, f)
	a := asked{method: m.Method, era: era, revision: named}
	switch {
	case undecided != nil:
		a.era = 0
	case era == mcpproto.Modern:
		c.modern = true
	default:
		c.legacy = true
		if m.Method == mcpproto.MethodInitialize {
			c.negotiated = append(c.negotiated, 0)
			a.revision = 0
		}
		a.shakes = len(c.negotiated)
	}
	if m.Method == mcpproto.MethodListen {
		put(&c.listens, m.ID.Key(), true)
	}
	if meta, _ := m.RequestMeta(mcpproto.Legacy, nil); !meta.ProgressToken.IsZero() {
		put(&c.tokens, meta.ProgressToken.Key(), a)
	}
	c.ask(m.ID, a)
}

func (c *Checker) ask(id mcpproto.ID, a asked) {
	put(&c.open, id.String(), append(c.open[id.String()], a))
}

func put[V any](m *map[string]V, key string, v V) {
	if *m == nil {
		*m = make(map[string]V)
	}
	(*m)[key] = v
}

// agreed is the revision that the first shakes initialize requests negotiated; 0 if none did.
func (c *Checker) agreed(shakes int) mcpproto.Version {
	for _, v := range slices.Backward(c.negotiated[:shakes]) {
		if v != 0 {
			return v
		}
	}
	return 0
}

// current is the revision in which a legacy server speaks unasked.
func (c *Checker) current() mcpproto.Version {
	if c.named != 0 {
		return c.named
	}
	if v := c.agreed(len(c.negotiated)); v != 0 {
		return v
	}
	return mcpproto.EarliestKnown
}

// Received checks one message of the server, or a batch, as [Check] does. Further violations: an answer to an id that
// was not sent byte for byte, a second result for it, progress under a token nobody gave, and news of a subscription
// nobody opened, or of none where no legacy client finished its handshake. An error without id has to suit 2025-11-25,
// the first revision that allows one, and 2026-07-28; so does an error for a request that cannot be read, in every
// revision.
func (c *Checker) Received(message []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, err := parse(message)
	if err != nil {
		return err
	}
	elements, ok := v.([]any)
	if !ok {
		m, err := mcpproto.Decode(message)
		if err != nil {
			return fmt.Errorf("mcptest: no message: %w", err)
		}
		return c.received(m, v)
	}
	if !c.named.HasBatches() && !slices.Contains(c.negotiated, mcpproto.Version20250326) { // the batch may be older than the last agreement
		return fmt.Errorf("mcptest: %s has no batches", c.current())
	}
	items, err := mcpproto.DecodeBatch(message)
	if err != nil {
		return fmt.Errorf("mcptest: no batch: %w", err)
	}
	for i, it := range items {
		if it.Err != nil {
			return fmt.Errorf("batch element %d: %w", i, it.Err)
		}
		if err := c.received(it.Message, elements[i]); err != nil {
			return fmt.Errorf("batch element %d: %w", i, err)
		}
	}
	return nil
}

func (c *Checker) received(m *mcpproto.Message, v any) error {
	if m.Kind != mcpproto.Response {
		return c.unasked(m, v)
	}
	if m.ID.IsZero() {
		return suits(Revisions(), "", v)
	}
	id := m.ID.String()
	list := c.open[id]
	if len(list) == 0 {
		return fmt.Errorf("mcptest: an answer to %.100s, which was not asked or is answered already", id)
	}
	var first error
	for i, a := range list {
		err := c.answer(a, m, v)
		if err == nil {
			if m.Err == nil || len(list) == 1 { // of an id sent twice an error may answer either
				c.open[id] = slices.Delete(slices.Clone(list), i, i+1)
			}
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// answer checks m as the answer to one request.
func (c *Checker) answer(a asked, m *mcpproto.Message, v any) error {
	switch {
	case a.era == mcpproto.Modern:
		return suits([]mcpproto.Version{mcpproto.LatestModern}, a.method, v)
	case a.era == 0 && m.Result != nil:
		return errors.New("mcptest: a result for a request that belongs to no era")
	case a.era == 0:
		return suits(Revisions(), "", v)
	case a.revision != 0:
		return suits([]mcpproto.Version{a.revision}, a.method, v)
	case a.method == mcpproto.MethodInitialize && m.Result != nil:
		return c.shake(a, m, v)
	}
	revision := c.agreed(a.shakes)
	if revision == 0 {
		revision = mcpproto.EarliestKnown
	}
	return suits([]mcpproto.Version{revision}, a.method, v)
}

func (c *Checker) shake(a asked, m *mcpproto.Message, v any) error {
	var hello struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if err := mcpproto.Unmarshal(m.Result, &hello); err != nil {
		return fmt.Errorf("mcptest: initialize: %w", err)
	}
	revision, ok := mcpproto.ParseVersion(hello.ProtocolVersion)
	if !ok || revision.Era() != mcpproto.Legacy {
		return fmt.Errorf("mcptest: initialize agreed on %.100q", hello.ProtocolVersion)
	}
	if err := suits([]mcpproto.Version{revision}, a.method, v); err != nil {
		return err
	}
	c.negotiated[a.shakes-1] = revision
	return nil
}

// unasked checks a notification or a request of the server.
func (c *Checker) unasked(m *mcpproto.Message, v any) error {
	legacy := []mcpproto.Version{c.current()}
	if m.Kind == mcpproto.Request {
		return suits(legacy, "", v)
	}
	var meta struct {
		Subscription mcpproto.ID `json:"io.modelcontextprotocol/subscriptionId"`
	}
	if raw := m.Params.Meta().Raw(); raw != nil {
		if err := mcpproto.Unmarshal(raw, &meta); err != nil {
			return fmt.Errorf("mcptest: _meta: %w", err)
		}
	}
	if !meta.Subscription.IsZero() {
		if !c.listens[meta.Subscription.Key()] {
			return fmt.Errorf("mcptest: news of subscription %.100s, which nobody opened", meta.Subscription)
		}
		return suits([]mcpproto.Version{mcpproto.LatestModern}, "", v)
	}
	switch m.Method {
	case mcpproto.NoteProgress:
		return c.progress(m, v)
	case mcpproto.NoteMessage:
		if !c.modern {
			return suits(legacy, "", v)
		}
		err := suits([]mcpproto.Version{mcpproto.LatestModern}, "", v)
		if err != nil && c.legacy { // nothing in a log message says whose it is
			return suits(legacy, "", v)
		}
		return err
	case mcpproto.NoteCancelled: // of a question
	default:
		if c.named == 0 && c.agreed(len(c.negotiated)) == 0 {
			return fmt.Errorf("mcptest: %s of no subscription, to a client that shook no hands", m.Method)
		}
	}
	return suits(legacy, "", v)
}

func (c *Checker) progress(m *mcpproto.Message, v any) error {
	token, _ := mcpproto.ParseID(m.Params.Get("progressToken"))
	a, ok := c.tokens[token.Key()]
	if !ok {
		return fmt.Errorf("mcptest: progress under the token %.100s, which nobody gave", token)
	}
	return c.answer(a, m, v)
}

// suits checks v, a message of a server, against each of some revisions.
func suits(revisions []mcpproto.Version, answers string, v any) error {
	for _, revision := range revisions {
		s, err := schemaOf(revision)
		if err != nil {
			return err
		}
		if err := s.message(ToClient, func(string) string { return answers }, v); err != nil {
			return err
		}
	}
	return nil
}
