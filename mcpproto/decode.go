package mcpproto

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how many levels of objects and arrays a message may nest; the message itself is the first.
const MaxDepth = 64

// Kind says what a message is. Zero is invalid.
type Kind uint8

// The kinds of messages.
const (
	Request      Kind = iota + 1 // has a method and an id
	Notification                 // has a method and no id
	Response                     // has a result or an error; its ID is zero if it was illegal
)

// Message is one decoded message. Everything raw in it shares memory with the bytes given to [Decode]; those must
// not change while the message is in use.
type Message struct {
	Kind   Kind
	ID     ID
	Method string
	Params Params
	Result jsontext.Value // of a Response; nil if absent
	Err    jsontext.Value // of a Response: the error object; nil if absent
}

// Params are the params of a request or notification, indexed one level deep. Values are raw and already known to be
// strict JSON.
type Params struct {
	raw  jsontext.Value
	bad  bool // present, but neither an object nor null
	n    int
	few  [4]Member // as many as a call has that comes back with answers
	more []Member
	meta Meta
}

// Member is one member of an object.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Raw returns the params as they came; nil if absent or null.
func (p *Params) Raw() jsontext.Value { return p.raw }

// Malformed reports that params are there but are not an object.
func (p *Params) Malformed() bool { return p.bad }

// Meta returns the _meta member.
func (p *Params) Meta() *Meta { return &p.meta }

// Get returns a member, raw; nil if it is absent. A JSON null comes back as null.
func (p *Params) Get(name string) jsontext.Value {
	for i := range p.few[:min(p.n, len(p.few))] {
		if p.few[i].Name == name {
			return p.few[i].Value
		}
	}
	for i := range p.more {
		if p.more[i].Name == name {
			return p.more[i].Value
		}
	}
	return nil
}

// Text returns a string member. present is false if it is absent; ok is false if it is anything but a string.
func (p *Params) Text(name string) (s string, present, ok bool) {
	v := p.Get(name)
	if v == nil {
		return "", false, true
	}
	s, ok = unquote(v)
	return s, true, ok
}

func (p *Params) add(name string, v jsontext.Value) {
	if p.n < len(p.few) {
		p.few[p.n] = Member{name, v}
	} else {
		p.more = append(p.more, Member{name, v})
	}
	p.n++
}

// Meta is the _meta member of params, indexed; the values are raw and unchecked. See [Message.RequestMeta].
type Meta struct {
	raw          jsontext.Value
	bad          bool // present, but neither an object nor null
	version      jsontext.Value
	capabilities jsontext.Value
	client       jsontext.Value
	rare         *rareMeta // nil if there is none of it
}

// rareMeta is what few requests carry.
type rareMeta struct {
	logLevel jsontext.Value
	progress jsontext.Value
	trace    [3]jsontext.Value // traceparent, tracestate, baggage
}

// seldom returns the rare members.
func (m *Meta) seldom() rareMeta {
	if m.rare == nil {
		return rareMeta{}
	}
	return *m.rare
}

// Raw returns the _meta object as it came; nil if absent.
func (m *Meta) Raw() jsontext.Value { return m.raw }

// PerRequest reports whether any member of the modern per-request set is there.
func (m *Meta) PerRequest() bool {
	return m.version != nil || m.capabilities != nil || m.client != nil || m.seldom().logLevel != nil
}

// Decode decodes one message in one pass. data must hold exactly one JSON value, blanks around it allowed.
//
// Errors are of type [*DecodeError]. -32700: not exactly one JSON value, invalid UTF-8, or nested too deep (then with
// the id if the rest is one complete object). -32600: legal JSON that is not a legal message: an array, a scalar,
// another jsonrpc, a name repeated anywhere, a lone surrogate, an id that is no string or integer. Member names are
// case-sensitive; unknown members are ignored.
func Decode(data []byte) (*Message, error) {
	if deeperThan(data, MaxDepth) {
		return nil, refuseDeep(data)
	}
	s := decoders.Get().(*decoder)
	m, err := s.message(data)
	s.release()
	return m, err
}

// decoder is one pooled pass over one message.
type decoder struct {
	data []byte
	buf  bytes.Buffer
	dec  *jsontext.Decoder
	key  []byte // scratch for names with escapes
}

var decoders = sync.Pool{New: func() any { return &decoder{dec: jsontext.NewDecoder(new(bytes.Buffer))} }}

func (s *decoder) release() {
	s.data, s.buf = nil, bytes.Buffer{}
	s.dec.Reset(&s.buf)
	decoders.Put(s)
}

// top is what the outer object has told so far.
type top struct {
	version, method, id, params bool // seen
	okVersion, okMethod, okID   bool
}

func (s *decoder) message(data []byte) (*Message, error) {
	s.data, s.buf = data, *bytes.NewBuffer(data)
	s.dec.Reset(&s.buf)
	if s.dec.PeekKind() != '{' {
		return nil, refuse(data, nil)
	}
	m, t := new(Message), top{}
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, refuse(data, err)
	}
	for s.dec.PeekKind() != '}' {
		if err := s.member(m, &t); err != nil {
			return nil, refuse(data, err)
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, refuse(data, err)
	}
	if _, err := s.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, refuse(data, err)
	}
	return m.settle(&t)
}

func (s *decoder) member(m *Message, t *top) error {
	key, err := s.name()
	if err != nil {
		return err
	}
	switch string(key) {
	case "params":
		t.params = true
		return s.params(&m.Params)
	case "jsonrpc":
		v, err := s.value()
		t.version = true
		t.okVersion = string(v) == `"2.0"`
		return err
	case "method":
		v, err := s.value()
		t.method = true
		m.Method, t.okMethod = methodName(v)
		return err
	case "id":
		v, err := s.value()
		t.id = true
		if err == nil {
			m.ID, t.okID = ParseID(v)
		}
		return err
	case "result":
		m.Result, err = s.value()
		return err
	case "error":
		m.Err, err = s.value()
		return err
	}
	_, err = s.value()
	return err
}

// settle says what the message is, now that it is known to be strict JSON.
func (m *Message) settle(t *top) (*Message, error) {
	answer := m.Result != nil || m.Err != nil
	if !t.method && answer {
		m.Kind = Response // never answered, whatever else is wrong with it
		return m, nil
	}
	var why string
	switch {
	case t.id && !t.okID:
		why = "id is not a string or an integer"
	case !t.version || !t.okVersion:
		why = `jsonrpc is not "2.0"`
	case !t.method:
		why = "method is missing"
	case !t.okMethod:
		why = "method is not a string"
	case answer:
		why = "method together with result or error"
	case t.id:
		m.Kind = Request
		return m, nil
	default:
		m.Kind = Notification
		return m, nil
	}
	return nil, &DecodeError{Code: CodeInvalidRequest, ID: m.ID, Method: m.Method, Message: why}
}

func methodName(v jsontext.Value) (string, bool) {
	if len(v) < 2 || v[0] != '"' {
		return "", false
	}
	if inner := v[1 : len(v)-1]; !hasBackslash(inner) {
		return intern(inner), true
	}
	return unquote(v)
}

// name reads a member name; the bytes are good until the next call.
func (s *decoder) name() ([]byte, error) {
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	if len(v) < 2 || v[0] != '"' {
		return nil, errNotName
	}
	if inner := v[1 : len(v)-1]; !hasBackslash(inner) {
		return inner, nil
	}
	s.key, err = jsontext.AppendUnquote(s.key[:0], v)
	return s.key, err
}

var errNotName = errors.New("mcpproto: member name is not a string")

// value reads one value and returns the part of data that holds it.
func (s *decoder) value() (jsontext.Value, error) {
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(s.dec.InputOffset())
	return jsontext.Value(s.data[end-len(v) : end : end]), nil
}

// object reads the members of an object, calling each with the name; each must read exactly one value. It returns
// the object raw.
func (s *decoder) object(each func(name []byte) error) (jsontext.Value, error) {
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	start := int(s.dec.InputOffset()) - 1
	for s.dec.PeekKind() != '}' {
		key, err := s.name()
		if err != nil {
			return nil, err
		}
		if err := each(key); err != nil {
			return nil, err
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	end := int(s.dec.InputOffset())
	return jsontext.Value(s.data[start:end:end]), nil
}

func (s *decoder) params(p *Params) error {
	if s.dec.PeekKind() != '{' {
		v, err := s.value()
		p.bad = err == nil && v.Kind() != 'n'
		return err
	}
	raw, err := s.object(func(key []byte) error {
		if string(key) == "_meta" {
			return s.meta(&p.meta)
		}
		name := intern(key)
		v, err := s.value()
		p.add(name, v)
		return err
	})
	p.raw = raw
	return err
}

func (s *decoder) meta(m *Meta) error {
	if s.dec.PeekKind() != '{' {
		v, err := s.value()
		m.bad = err == nil && v.Kind() != 'n'
		return err
	}
	raw, err := s.object(func(key []byte) error {
		slot := m.slot(key)
		v, err := s.value()
		if slot != nil {
			*slot = v
		}
		return err
	})
	m.raw = raw
	return err
}

func (m *Meta) slot(key []byte) *jsontext.Value {
	switch string(key) {
	case KeyProtocolVersion:
		return &m.version
	case KeyClientCapabilities:
		return &m.capabilities
	case KeyClientInfo:
		return &m.client
	case KeyLogLevel, "progressToken", "traceparent", "tracestate", "baggage":
		if m.rare == nil {
			m.rare = new(rareMeta)
		}
		return m.rare.slot(key)
	}
	return nil
}

func (m *rareMeta) slot(key []byte) *jsontext.Value {
	switch string(key) {
	case KeyLogLevel:
		return &m.logLevel
	case "progressToken":
		return &m.progress
	case "traceparent":
		return &m.trace[0]
	case "tracestate":
		return &m.trace[1]
	case "baggage":
		return &m.trace[2]
	}
	return nil
}

// BatchItem is one element of an array of messages: a message or what is wrong with it.
type BatchItem struct {
	Message *Message     // nil if Err is set
	Err     *DecodeError // nil if Message is set
}

// DecodeBatch decodes an array of messages, which only 2025-03-26 allows. An empty array, or data that is no array,
// is a [*DecodeError]. MCP 2025-03-26, basic, "Batching".
func DecodeBatch(data []byte) ([]BatchItem, error) {
	if deeperThan(data, MaxDepth) {
		return nil, refuseDeep(data)
	}
	parts, err := splitArray(data)
	if err != nil {
		return nil, err
	}
	items := make([]BatchItem, len(parts))
	for i, part := range parts {
		m, err := Decode(part)
		items[i].Message = m
		if err != nil {
			items[i].Err = AsDecodeError(err)
		}
	}
	return items, nil
}

// AsDecodeError returns the [*DecodeError] in err, or a -32700 without id for any other error.
func AsDecodeError(err error) *DecodeError {
	if e, ok := errors.AsType[*DecodeError](err); ok {
		return e
	}
	return &DecodeError{Code: CodeParse, Message: "not a JSON value"}
}
