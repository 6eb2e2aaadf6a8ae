package mockp0

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// DefaultModel is the name the service goes by unless the script says otherwise.
const DefaultModel = "Phocinae-Largha-150M-v1"

// Script says how the service answers. The zero value and nil give the defaults of a real service.
//
// Its JSON form has the member names of the tags; unknown members are errors.
type Script struct {
	Model  string `json:"model,omitzero"`  // served name; empty means DefaultModel
	Bearer string `json:"bearer,omitzero"` // token that /v1/ paths demand; empty demands none
	Device string `json:"device,omitzero"` // "cpu" (default) or "cuda"
	// NoExtensions leaves out answer_confidence, action, option_scores and routing.
	NoExtensions bool `json:"no_extensions,omitzero"`
	// Legacy nests answers as old servers do, noul as a probability, answer_confidence as one number, no other extension.
	Legacy bool `json:"legacy,omitzero"`
	// LegacyLevels is the depth of nesting under Legacy, 1 (default) to 16.
	LegacyLevels int `json:"legacy_levels,omitzero"`
	// PermAlways averages choices at /v1/systemone too, as the real service does on request.
	PermAlways bool `json:"perm_always,omitzero"`
	// Strict answers a question that no rule answers with status 500, and fails the test under NewServer.
	Strict bool   `json:"strict,omitzero"`
	Rules  []Rule `json:"rules,omitzero"`
}

// Rule pairs a condition with an answer, a fault, or both (the answer is then what the fault damages or delays).
type Rule struct {
	Name   string  `json:"name,omitzero"` // for Hits and Recorded
	Match  Match   `json:"match,omitzero"`
	Answer *Answer `json:"answer,omitzero"`
	Fault  *Fault  `json:"fault,omitzero"`
	Times  int     `json:"times,omitzero"` // how often the rule applies; 0 means always
}

// Match is the condition of a rule. Empty members match everything; all others must hold.
type Match struct {
	// Path is "" for the three POST endpoints, "*" for every path, or one path such as "/health".
	Path     string   `json:"path,omitzero"`
	Type     string   `json:"type,omitzero"`     // of the question: noul, choice, score
	ID       string   `json:"id,omitzero"`       // of the question
	Options  []string `json:"options,omitzero"`  // of the question, in any order
	State    string   `json:"state,omitzero"`    // regular expression (RE2) on the state
	Contains string   `json:"contains,omitzero"` // text in the state
}

// Answer is a scripted answer. A rule answers the types for which a value is given; one without any value takes
// the default answer and sets only the rest.
type Answer struct {
	Noul     *float64 `json:"noul,omitzero"`     // P(true)
	Choice   *int     `json:"choice,omitzero"`   // index of the option in the request
	Label    string   `json:"label,omitzero"`    // text of the option
	Position *int     `json:"position,omitzero"` // place in the order read, whatever stands there
	Score    *float64 `json:"score,omitzero"`    // 2 to 10
	// Confidence is the probability of the chosen option or level; default 0.9.
	Confidence *float64 `json:"confidence,omitzero"`
	// Value is sent as the answer as it stands, for any type.
	Value json.RawMessage `json:"value,omitzero"`
	// InputTokens replaces the counted usage.
	InputTokens *int `json:"input_tokens,omitzero"`
	// Model replaces the name in the response.
	Model string `json:"model,omitzero"`
}

// Float returns a pointer to f, for Answer.
func Float(f float64) *float64 { return &f }

// Int returns a pointer to i, for Answer.
func Int(i int) *int { return &i }

// Fault is one way to fail. Kinds are listed at the constants; a member that a kind does not use is an error.
type Fault struct {
	Kind    string            `json:"kind"`
	Status  int               `json:"status,omitzero"`   // Status, Redirect, RedirectLoop
	Body    string            `json:"body,omitzero"`     // Status, Body
	Header  map[string]string `json:"header,omitzero"`   // Status, Body, ContentType: headers to set
	DelayMS int               `json:"delay_ms,omitzero"` // Delay, SlowDrip: milliseconds
	Bytes   int               `json:"bytes,omitzero"`    // Cut, HugeBody, GzipBomb, WrongLength, HTTP10, HugeHeader
	Depth   int               `json:"depth,omitzero"`    // DeepNesting
}

func (f *Fault) delay(def time.Duration) time.Duration {
	if f.DelayMS == 0 {
		return def
	}
	return time.Duration(f.DelayMS) * time.Millisecond
}

// ParseScript reads the JSON form of a script and validates it. All problems are in one error.
func ParseScript(data []byte) (*Script, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	s := new(Script)
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("mockp0: script: %s%w", position(data, err), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("mockp0: script: text after the script")
	}
	return s, s.Validate()
}

// position says where in data a decoding error lies: "line 2, column 7: ", or nothing if the error does not tell.
func position(data []byte, err error) string {
	at := int64(-1)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset - 1 // the offset is that behind the offending byte
	case errors.As(err, &kind):
		at = kind.Offset - 1
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		at = int64(len(data))
	}
	if at < 0 || at > int64(len(data)) {
		return ""
	}
	before := data[:at]
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d, column %d: ", bytes.Count(before, []byte{'\n'})+1, column)
}

// Validate reports everything that is wrong with a script in one error.
func (s *Script) Validate() error {
	_, err := compile(s)
	return err
}

// compiled is a script ready for use. It is not changed after compile, except for the counters of its rules.
type compiled struct {
	Script
	rules []*compiledRule
}

type compiledRule struct {
	Rule
	state *regexp.Regexp
	hits  int
}

func compile(s *Script) (*compiled, error) {
	c := &compiled{}
	if s != nil {
		c.Script = *s
	}
	if c.Model == "" {
		c.Model = DefaultModel
	}
	if c.Device == "" {
		c.Device = "cpu"
	}
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.LegacyLevels == 0 {
		c.LegacyLevels = 1
	}
	if c.LegacyLevels < 1 || c.LegacyLevels > 16 {
		bad("legacy_levels must be 1 to 16")
	}
	for i, r := range c.Rules {
		cr := &compiledRule{Rule: r}
		for _, e := range cr.check() {
			bad("rules[%d]: %w", i, e)
		}
		c.rules = append(c.rules, cr)
	}
	if len(errs) > 0 {
		return nil, fmt.Errorf("mockp0: script: %w", errors.Join(errs...))
	}
	return c, nil
}

// check validates a rule and prepares its pattern.
func (r *compiledRule) check() (errs []error) {
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if r.Answer == nil && r.Fault == nil {
		bad("has neither answer nor fault")
	}
	if r.Times < 0 {
		bad("times is negative")
	}
	if t := r.Match.Type; t != "" && t != "noul" && t != "choice" && t != "score" {
		bad("match.type %q is not noul, choice or score", t)
	}
	if p := r.Match.Path; p != "" && p != "*" && !strings.HasPrefix(p, "/") {
		bad("match.path %q is not a path", p)
	}
	var err error
	if r.state, err = regexp.Compile(r.Match.State); err != nil {
		bad("match.state: %w", err)
	}
	if r.Answer != nil {
		errs = append(errs, r.Answer.check()...)
	}
	if r.Fault != nil {
		errs = append(errs, r.Fault.check()...)
	}
	return errs
}

func (a *Answer) check() (errs []error) {
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("answer."+format, args...)) }
	within := func(name string, p *float64, lo, hi float64) {
		if p != nil && (math.IsNaN(*p) || *p < lo || *p > hi) {
			bad("%s must be %g to %g (for other values use value)", name, lo, hi)
		}
	}
	within("noul", a.Noul, 0, 1)
	within("score", a.Score, 2, 10)
	within("confidence", a.Confidence, 0, 1)
	n := 0
	for _, set := range []bool{a.Choice != nil, a.Label != "", a.Position != nil} {
		if set {
			n++
		}
	}
	if n > 1 {
		bad("choice, label and position exclude each other")
	}
	if a.Value != nil && !json.Valid(a.Value) {
		bad("value is not JSON")
	}
	if a.InputTokens != nil && *a.InputTokens < 0 {
		bad("input_tokens is negative")
	}
	return errs
}

// speaks reports whether the answer has something to say about a question.
func (a *Answer) speaks(q *Question) bool {
	if a.Value != nil {
		return true
	}
	choice := a.Choice != nil || a.Label != "" || a.Position != nil
	if a.Noul == nil && a.Score == nil && !choice {
		return true
	}
	switch q.Type {
	case "noul":
		return a.Noul != nil
	case "score":
		return a.Score != nil
	}
	switch {
	case a.Label != "":
		return slices.Contains(q.Options, a.Label)
	case a.Position != nil:
		return *a.Position >= 0 && *a.Position < len(q.Options)
	default:
		return choice && *a.Choice >= 0 && *a.Choice < len(q.Options)
	}
}

// matches reports whether a rule applies to a question, or with q nil to a request without readable questions.
func (r *compiledRule) matches(path, state string, q *Question) bool {
	if r.Times > 0 && r.hits >= r.Times {
		return false
	}
	m := &r.Match
	switch {
	case m.Path == "" && !isPost(path), m.Path != "" && m.Path != "*" && m.Path != path:
		return false
	case q == nil:
		return m.Type == "" && m.ID == "" && m.Options == nil && m.State == "" && m.Contains == ""
	case m.Type != "" && m.Type != q.Type, m.ID != "" && m.ID != q.ID:
		return false
	case m.Options != nil && !sameSet(m.Options, q.Options):
		return false
	case m.Contains != "" && !strings.Contains(state, m.Contains):
		return false
	}
	return r.state.MatchString(state)
}

func sameSet(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

func isPost(path string) bool {
	return path == pathAsk || path == pathPermute || path == pathBatch
}
