package mcpproto

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// InputRequired asks the client for input before a request can be completed. At least one of the two members must be
// set. MCP 2026-07-28, basic/patterns/mrtr.
type InputRequired struct {
	Requests InputRequests  `json:"inputRequests,omitzero"`
	State    string         `json:"requestState,omitzero"` // opaque to the client, echoed on the retry; see [StateSealer]
	Meta     jsontext.Value `json:"_meta,omitzero"`
}

// InputRequests are the questions of one round, by a key that the server chooses.
type InputRequests map[string]InputRequest

// InputRequest is one question; exactly one member is set.
type InputRequest struct {
	Elicit *ElicitParams
	Sample *SampleParams
	Roots  *RootsParams
}

// ElicitParams asks the user for a form, or to visit an address. Requested is a flat object schema.
type ElicitParams struct {
	Mode      string         `json:"mode,omitzero"` // "form", "url", or "" for form
	Message   string         `json:"message"`
	Requested jsontext.Value `json:"requestedSchema,omitzero"`
	URL       string         `json:"url,omitzero"`
}

// For returns p with only the members that revision v knows: mode from 2025-11-25 on. A form without a schema asks for
// nothing but consent; it gets the empty object schema, as every revision demands one.
func (p ElicitParams) For(v Version) ElicitParams {
	if !v.HasIcons() {
		p.Mode = ""
	}
	if p.Mode != "url" && len(p.Requested) == 0 {
		p.Requested = jsontext.Value(`{"type":"object","properties":{}}`)
	}
	return p
}

// SampleParams asks the client's model for a message.
type SampleParams struct {
	Messages         []SamplingMessage `json:"messages"`
	MaxTokens        int64             `json:"maxTokens"`
	ModelPreferences *ModelPreferences `json:"modelPreferences,omitzero"`
	SystemPrompt     string            `json:"systemPrompt,omitzero"`
	IncludeContext   string            `json:"includeContext,omitzero"`
	Temperature      *float64          `json:"temperature,omitzero"`
	StopSequences    []string          `json:"stopSequences,omitempty"`
	Metadata         jsontext.Value    `json:"metadata,omitzero"`
	Tools            []Tool            `json:"tools,omitempty"`
	ToolChoice       *ToolChoice       `json:"toolChoice,omitzero"`
}

// For returns p with only what revision v knows. Before 2025-11-25 a message has exactly one block, so one with more
// becomes several of the same role, and there are no tools: see [SampleParams.UsesTools].
func (p SampleParams) For(v Version) SampleParams {
	if v.HasIcons() {
		return p
	}
	p.Tools, p.ToolChoice = nil, nil
	messages := make([]SamplingMessage, 0, len(p.Messages))
	for _, m := range p.Messages {
		for _, c := range m.Content {
			messages = append(messages, SamplingMessage{Role: m.Role, Content: []Content{c.For(v)}})
		}
	}
	p.Messages = messages
	return p
}

// UsesTools reports whether p offers tools or holds blocks of their use. Only clients that declared sampling.tools may
// be asked then. MCP 2026-07-28, schema, "CreateMessageRequestParams".
func (p *SampleParams) UsesTools() bool {
	if len(p.Tools) > 0 || p.ToolChoice != nil {
		return true
	}
	for _, m := range p.Messages {
		for i := range m.Content {
			if k := m.Content[i].Type; k == KindToolUse || k == KindToolResult {
				return true
			}
		}
	}
	return false
}

// ModelPreferences are wishes about the model; priorities are 0…1.
type ModelPreferences struct {
	Hints                []ModelHint `json:"hints,omitempty"`
	CostPriority         *float64    `json:"costPriority,omitzero"`
	SpeedPriority        *float64    `json:"speedPriority,omitzero"`
	IntelligencePriority *float64    `json:"intelligencePriority,omitzero"`
}

// ModelHint names a model or a part of a model's name.
type ModelHint struct {
	Name string `json:"name,omitzero"`
}

// ToolChoice says how a sampled model may use tools.
type ToolChoice struct {
	Mode string `json:"mode,omitzero"` // "auto", "none" or "required"
}

// SamplingMessage is one message of a sampling conversation. Content is written as one block if it has exactly one
// and List is false.
type SamplingMessage struct {
	Role    string
	Content []Content
	List    bool // Content came, or shall go, as an array
	Meta    jsontext.Value
}

type wireSampling struct {
	Role    string         `json:"role"`
	Content jsontext.Value `json:"content"`
	Meta    jsontext.Value `json:"_meta,omitzero"`
}

// MarshalJSONTo encodes m.
func (m SamplingMessage) MarshalJSONTo(e *jsontext.Encoder) error {
	if !isMeta(m.Meta) {
		return fmt.Errorf("mcpproto: sampling message: _meta: %w", errNotObject)
	}
	raw, err := marshalBlocks(m.Content, m.List)
	if err != nil {
		return err
	}
	return json.MarshalEncode(e, &wireSampling{m.Role, raw, m.Meta})
}

// UnmarshalJSONFrom decodes one block or an array of blocks.
func (m *SamplingMessage) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var w wireSampling
	if err := json.UnmarshalDecode(d, &w); err != nil {
		return err
	}
	blocks, list, err := unmarshalBlocks(w.Content)
	*m = SamplingMessage{Role: w.Role, Content: blocks, List: list, Meta: absentIfNull(w.Meta)}
	return err
}

func marshalBlocks(c []Content, list bool) (jsontext.Value, error) {
	if len(c) == 1 && !list {
		return Marshal(c[0])
	}
	return Marshal(notNil(c))
}

func unmarshalBlocks(raw jsontext.Value) (blocks []Content, list bool, err error) {
	if raw.Kind() == '[' {
		err = json.Unmarshal(raw, &blocks)
		return blocks, true, err
	}
	var c Content
	err = json.Unmarshal(raw, &c)
	return []Content{c}, false, err
}

// RootsParams asks for the client's roots; it has no members of its own.
type RootsParams struct{}

type wireInputRequest struct {
	Method string         `json:"method"`
	Params jsontext.Value `json:"params,omitzero"`
}

// Method returns the method of the question, or "" if none is set.
func (r InputRequest) Method() string {
	switch {
	case r.Elicit != nil:
		return MethodElicit
	case r.Sample != nil:
		return MethodSample
	case r.Roots != nil:
		return MethodRoots
	}
	return ""
}

// MarshalJSONTo encodes the question as a bare {method, params} object, without jsonrpc and id.
func (r InputRequest) MarshalJSONTo(e *jsontext.Encoder) error {
	w := wireInputRequest{Method: r.Method()}
	var err error
	switch {
	case r.Elicit != nil:
		w.Params, err = Marshal(r.Elicit.For(LatestModern))
	case r.Sample != nil:
		w.Params, err = Marshal(r.Sample)
	case r.Roots != nil:
	default:
		err = errors.New("mcpproto: empty input request")
	}
	if err != nil {
		return err
	}
	return json.MarshalEncode(e, &w)
}

// UnmarshalJSONFrom decodes one of the three known questions.
func (r *InputRequest) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var w wireInputRequest
	if err := json.UnmarshalDecode(d, &w); err != nil {
		return err
	}
	*r = InputRequest{}
	switch w.Method {
	case MethodElicit:
		r.Elicit = new(ElicitParams)
		return json.Unmarshal(orEmptyObject(w.Params), r.Elicit)
	case MethodSample:
		r.Sample = new(SampleParams)
		return json.Unmarshal(orEmptyObject(w.Params), r.Sample)
	case MethodRoots:
		r.Roots = new(RootsParams)
		return nil
	}
	return fmt.Errorf("mcpproto: unknown input request %q", w.Method)
}

// Needs returns the capabilities that a client must have declared to be asked these questions.
func (r InputRequests) Needs() ClientCapabilities {
	var need ClientCapabilities
	for _, q := range r {
		switch {
		case q.Elicit != nil:
			if need.Elicitation == nil {
				need.Elicitation = &ElicitationCapability{}
			}
			if q.Elicit.Mode == "url" {
				need.Elicitation.URL = jsontext.Value("{}")
			} else {
				need.Elicitation.Form = jsontext.Value("{}")
			}
		case q.Sample != nil:
			if need.Sampling == nil {
				need.Sampling = &SamplingCapability{}
			}
			if q.Sample.UsesTools() {
				need.Sampling.Tools = jsontext.Value("{}")
			}
		case q.Roots != nil:
			need.Roots = &RootsCapability{}
		}
	}
	return need
}

// Check reports what is wrong with n for a client with the given capabilities: a server bug (nothing asked, an empty
// question) is a plain error, an undeclared kind is the -32021 [*Error].
func (n *InputRequired) Check(have *ClientCapabilities) error {
	if len(n.Requests) == 0 && n.State == "" {
		return errors.New("mcpproto: input required, but neither requests nor state")
	}
	for k, q := range n.Requests {
		if q.Method() == "" {
			return fmt.Errorf("mcpproto: input request %q is empty", k)
		}
	}
	if missing, lacks := have.Missing(n.Requests.Needs()); lacks {
		return MissingCapability(missing)
	}
	return nil
}

// InputResponses are the answers of a retry, by the key of the question, as they came. The typed accessors check
// one answer; keys that nobody asked for are simply never looked at.
type InputResponses map[string]jsontext.Value

// ErrNoResponse reports that a retry carries no answer under a key.
var ErrNoResponse = errors.New("mcpproto: no such input response")

// ErrBadResponse reports an answer that is not what the question asked for. Treat it like no answer.
var ErrBadResponse = errors.New("mcpproto: unusable input response")

// ElicitResult is the answer to a form.
type ElicitResult struct {
	Action  string         `json:"action"`           // "accept", "decline" or "cancel"
	Content jsontext.Value `json:"content,omitzero"` // an object, or nil
}

// Actions of an [ElicitResult].
const (
	ActionAccept  = "accept"
	ActionDecline = "decline"
	ActionCancel  = "cancel"
)

// Field returns one member of the content, raw; nil if there is none.
func (r *ElicitResult) Field(name string) jsontext.Value {
	var m map[string]jsontext.Value
	if !isObject(r.Content) || json.Unmarshal(r.Content, &m) != nil {
		return nil
	}
	return m[name]
}

// Bool returns a boolean member; ok is false if it is absent or anything but true and false.
func (r *ElicitResult) Bool(name string) (value, ok bool) {
	switch string(r.Field(name)) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// Text returns a string member; ok is false if it is absent or not a string.
func (r *ElicitResult) Text(name string) (value string, ok bool) { return unquote(r.Field(name)) }

// ParseElicitResult decodes the answer to a form strictly: the action must be one of the three, in lower case, and
// content an object if it is there. Errors wrap [ErrBadResponse].
func ParseElicitResult(raw jsontext.Value) (*ElicitResult, error) {
	var r ElicitResult
	if !isObject(raw) || json.Unmarshal(raw, &r) != nil {
		return nil, fmt.Errorf("%w: not an elicitation result", ErrBadResponse)
	}
	if string(r.Content) == "null" {
		r.Content = nil
	}
	if r.Content != nil && !isObject(r.Content) {
		return nil, fmt.Errorf("%w: content is not an object", ErrBadResponse)
	}
	switch r.Action {
	case ActionAccept, ActionDecline, ActionCancel:
		return &r, nil
	}
	return nil, fmt.Errorf("%w: unknown action", ErrBadResponse)
}

// SampleResult is the message that the client's model wrote.
type SampleResult struct {
	Role       string
	Content    []Content
	List       bool
	Model      string
	StopReason string
	Meta       jsontext.Value
}

type wireSampleResult struct {
	Role       string         `json:"role"`
	Content    jsontext.Value `json:"content"`
	Model      string         `json:"model"`
	StopReason string         `json:"stopReason,omitzero"`
	Meta       jsontext.Value `json:"_meta,omitzero"`
}

// MarshalJSONTo encodes r.
func (r SampleResult) MarshalJSONTo(e *jsontext.Encoder) error {
	raw, err := marshalBlocks(r.Content, r.List)
	if err != nil {
		return err
	}
	return json.MarshalEncode(e, &wireSampleResult{r.Role, raw, r.Model, r.StopReason, r.Meta})
}

// UnmarshalJSONFrom decodes r.
func (r *SampleResult) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var w wireSampleResult
	if err := json.UnmarshalDecode(d, &w); err != nil {
		return err
	}
	blocks, list, err := unmarshalBlocks(w.Content)
	*r = SampleResult{w.Role, blocks, list, w.Model, w.StopReason, w.Meta}
	return err
}

// ParseSampleResult decodes the answer to a sampling question. Errors wrap [ErrBadResponse].
func ParseSampleResult(raw jsontext.Value) (*SampleResult, error) {
	var r SampleResult
	if !isObject(raw) || json.Unmarshal(raw, &r) != nil || r.Role == "" || r.Model == "" {
		return nil, fmt.Errorf("%w: not a sampling result", ErrBadResponse)
	}
	return &r, nil
}

// Root is a place the client works in.
type Root struct {
	URI  string         `json:"uri"`
	Name string         `json:"name,omitzero"`
	Meta jsontext.Value `json:"_meta,omitzero"`
}

// RootsResult is the answer to roots/list.
type RootsResult struct {
	Roots []Root `json:"roots"`
}

// ParseRootsResult decodes the answer to roots/list. Errors wrap [ErrBadResponse].
func ParseRootsResult(raw jsontext.Value) (*RootsResult, error) {
	var r RootsResult
	if !isObject(raw) || json.Unmarshal(raw, &r) != nil || r.Roots == nil {
		return nil, fmt.Errorf("%w: not a roots result", ErrBadResponse)
	}
	return &r, nil
}

// Elicit returns the answer to the form under key. Errors are [ErrNoResponse] or wrap [ErrBadResponse].
func (r InputResponses) Elicit(key string) (*ElicitResult, error) {
	raw, ok := r[key]
	if !ok {
		return nil, ErrNoResponse
	}
	return ParseElicitResult(raw)
}

// Sample returns the answer to the sampling question under key. Errors are as for [InputResponses.Elicit].
func (r InputResponses) Sample(key string) (*SampleResult, error) {
	raw, ok := r[key]
	if !ok {
		return nil, ErrNoResponse
	}
	return ParseSampleResult(raw)
}

// Roots returns the answer to roots/list under key. Errors are as for [InputResponses.Elicit].
func (r InputResponses) Roots(key string) (*RootsResult, error) {
	raw, ok := r[key]
	if !ok {
		return nil, ErrNoResponse
	}
	return ParseRootsResult(raw)
}
