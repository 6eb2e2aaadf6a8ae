package p0client

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	sequenceTokens = 512 // a sequence that reports this many was full, and what did not fit is gone
	permuteOrders  = 4   // sequences of one choice averaged over orders
	nestingLevels  = 4   // of a legacy answer
	sumSlack       = 0.01
	rounding       = 0.00005 // scores and confidences come with four decimals
	slack          = 1e-9    // for the arithmetic of this file
)

// reader checks answers. It is the only way from bytes to an answer.
type reader struct {
	op    string
	model string // the only model accepted; empty accepts all
}

// wire is a response as sent. Members keep their raw form until the question they belong to says what they must be.
type wire struct {
	Model      *string        `json:"model"`
	Answers    jsontext.Value `json:"answers"`
	Usage      *wireUsage     `json:"usage"`
	Confidence jsontext.Value `json:"answer_confidence"`
	Scores     jsontext.Value `json:"option_scores"`
	Routing    *wireRouting   `json:"routing"`
}

type wireUsage struct {
	Input  *int `json:"input_tokens"`
	Output *int `json:"output_tokens"`
}

type wireRouting struct {
	Model   string `json:"model"`
	Device  string `json:"device"`
	Perm    string `json:"perm"`
	Backend string `json:"backend"`
}

func (r reader) fail(id string, kind error, format string, args ...any) error {
	return &AnswerError{Op: r.op, ID: id, Detail: fmt.Sprintf(format, args...), Err: kind}
}

// batch reads the answers to several requests.
func (r reader) batch(body []byte, qs [][]asked) ([]*Response, error) {
	if jsontext.Value(body).Kind() != '[' {
		return nil, r.fail("", ErrMalformed, "it is not a JSON array")
	}
	var list []jsontext.Value
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, r.fail("", ErrMalformed, "%s", jsonFault(err))
	}
	if len(list) != len(qs) {
		return nil, r.fail("", ErrMissingAnswer, "%d requests brought %d answers", len(qs), len(list))
	}
	out := make([]*Response, len(list))
	for i, q := range qs {
		one, err := r.response(list[i], q)
		if err != nil {
			return nil, fmt.Errorf("requests[%d]: %w", i, err)
		}
		out[i] = one
	}
	return out, nil
}

// response reads the answer to one request and checks every question of it.
func (r reader) response(body []byte, qs []asked) (*Response, error) {
	if jsontext.Value(body).Kind() != '{' {
		return nil, r.fail("", ErrMalformed, "it is not a JSON object")
	}
	var w wire
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, r.fail("", ErrMalformed, "%s", jsonFault(err))
	}
	out := &Response{}
	if err := r.head(&w, qs, out); err != nil {
		return nil, err
	}
	answers, err := r.members(w.Answers, "answers")
	if err != nil {
		return nil, err
	}
	if answers == nil {
		return nil, r.fail("", ErrMissingAnswer, "there is no answers member")
	}
	var scores map[string]jsontext.Value
	if w.Scores != nil {
		if scores, err = r.members(w.Scores, "option_scores"); err != nil {
			return nil, err
		}
		if scores == nil {
			return nil, r.fail("", ErrMalformed, "option_scores is null")
		}
	}
	for _, q := range qs {
		if err := r.question(&w, q, answers, scores, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// jsonFault describes a decoding error without what was decoded.
func jsonFault(err error) string {
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return fmt.Sprintf("a name is repeated in an object (byte %d)", s.ByteOffset)
		}
		return fmt.Sprintf("it is not valid JSON (byte %d)", s.ByteOffset)
	}
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		return fmt.Sprintf("a member has the wrong type (byte %d)", s.ByteOffset)
	}
	return "it cannot be decoded"
}

// members decodes an object; nil for a member that is absent or null.
func (r reader) members(v jsontext.Value, name string) (map[string]jsontext.Value, error) {
	switch v.Kind() {
	case '{':
		m := map[string]jsontext.Value{}
		if err := json.Unmarshal(v, &m); err != nil {
			return nil, r.fail("", ErrMalformed, "%s", jsonFault(err))
		}
		return m, nil
	case 'n', 0:
		return nil, nil
	default:
		return nil, r.fail("", ErrMalformed, "%s is not an object", name)
	}
}

// head checks what belongs to the whole response: model, routing and length.
func (r reader) head(w *wire, qs []asked, out *Response) error {
	if w.Model != nil {
		out.Model = *w.Model
	}
	if r.model != "" && w.Model != nil && *w.Model != r.model {
		return r.fail("", ErrModelMismatch, "another model answered than the one asked")
	}
	if w.Routing != nil {
		out.Routing = Routing(*w.Routing)
	}
	if w.Usage == nil || w.Usage.Input == nil {
		return r.fail("", ErrTruncated, "usage.input_tokens is missing")
	}
	n := *w.Usage.Input
	if n < 0 || w.Usage.Output != nil && *w.Usage.Output < 0 {
		return r.fail("", ErrOutOfRange, "usage holds a negative number")
	}
	out.Usage.InputTokens = n
	if w.Usage.Output != nil {
		out.Usage.OutputTokens = *w.Usage.Output
	}
	if limit := tokenLimit(qs, out.Routing); n >= limit {
		return r.fail("", ErrTruncated, "%d tokens were read, and from %d on nothing says that this was all", n, limit)
	}
	return nil
}

// tokenLimit is the count from which a sequence may have been full. The service reports the sum over all
// sequences; only where a lone choice was averaged over four orders, and the service says so, are there four of
// equal length. For several questions nothing says how the sum is shared, so the limit of one holds for all.
func tokenLimit(qs []asked, r Routing) int {
	if len(qs) == 1 && len(qs[0].options) >= 2 && r.Perm == "avg-k4" {
		return permuteOrders * sequenceTokens
	}
	return sequenceTokens
}

// question checks one answer and files it.
func (r reader) question(w *wire, q asked, answers, scores map[string]jsontext.Value, out *Response) error {
	v, err := r.value(q, answers[q.id], 0)
	if err != nil {
		return err
	}
	probs, err := r.optionScores(q, scores)
	if err != nil {
		return err
	}
	conf, err := r.confidence(q, w.Confidence)
	if err != nil {
		return err
	}
	switch q.kind {
	case TypeNoul:
		a, err := r.noul(q, v, probs)
		a.Confidence = conf
		if err != nil {
			return err
		}
		put(&out.nouls, q.id, a)
	case TypeChoice:
		a, err := r.choice(q, v, probs)
		a.Confidence, a.Model, a.Usage = conf, out.Model, out.Usage
		if err != nil {
			return err
		}
		put(&out.choices, q.id, a)
	default:
		a, err := r.score(q, v, probs)
		a.Confidence, a.Model, a.Usage = conf, out.Model, out.Usage
		if err != nil {
			return err
		}
		put(&out.scores, q.id, a)
	}
	return nil
}

// put files an answer in a map that is made when the first one comes.
func put[A any](m *map[string]A, id string, a A) {
	if *m == nil {
		*m = map[string]A{}
	}
	(*m)[id] = a
}

// scalar is an answer's bare value.
type scalar struct {
	isBool bool
	truth  bool
	number float64
	nested bool
}

// own lists the members under which a legacy answer of each type may stand.
func own(t Type) []string {
	switch t {
	case TypeNoul:
		return []string{"noul", "answer", "value"}
	case TypeChoice:
		return []string{"choice", "index", "answer", "value"}
	default:
		return []string{"score", "answer", "value"}
	}
}

// value unwraps an answer down to a bool or a number.
func (r reader) value(q asked, v jsontext.Value, depth int) (scalar, error) {
	switch v.Kind() {
	case 0, 'n':
		return scalar{}, r.fail(q.id, ErrMissingAnswer, "there is no answer to this question")
	case 't', 'f':
		return scalar{isBool: true, truth: v.Kind() == 't', nested: depth > 0}, nil
	case '0':
		f, err := r.number(q.id, v, "the answer")
		return scalar{number: f, nested: depth > 0}, err
	case '{':
		if depth == nestingLevels {
			return scalar{}, r.fail(q.id, ErrMalformed, "the answer is nested more than %d levels deep", nestingLevels)
		}
		return r.unwrap(q, v, depth)
	default:
		return scalar{}, r.fail(q.id, ErrMalformed, "the answer is neither bool nor number")
	}
}

// unwrap looks into a legacy answer. Several members that could hold the value must agree.
func (r reader) unwrap(q asked, v jsontext.Value, depth int) (scalar, error) {
	m, err := r.members(v, "the answer")
	if err != nil {
		return scalar{}, err
	}
	if t, ok := m["type"]; ok {
		var name string
		if json.Unmarshal(t, &name) != nil || name != string(q.kind) {
			return scalar{}, r.fail(q.id, ErrMalformed, "the answer is of another type than the question")
		}
	}
	var found *scalar
	for _, name := range own(q.kind) {
		inner, ok := m[name]
		if !ok {
			continue
		}
		s, err := r.value(q, inner, depth+1)
		if err != nil {
			return scalar{}, err
		}
		if found != nil && *found != s {
			return scalar{}, r.fail(q.id, ErrMalformed, "the answer says two things")
		}
		found = &s
	}
	if found == nil {
		return scalar{}, r.fail(q.id, ErrMissingAnswer, "the answer holds no value for a %s", q.kind)
	}
	return *found, nil
}

// number reads a JSON number that fits a float64.
func (r reader) number(id string, v jsontext.Value, what string) (float64, error) {
	if v.Kind() != '0' {
		return 0, r.fail(id, ErrMalformed, "%s is not a number", what)
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || !finite(f) {
		return 0, r.fail(id, ErrOutOfRange, "%s does not fit a float64", what)
	}
	return f, nil
}

// probability reads a number in [0,1].
func (r reader) probability(id string, v jsontext.Value, what string) (float64, error) {
	f, err := r.number(id, v, what)
	if err == nil && (f < 0 || f > 1) {
		err = r.fail(id, ErrOutOfRange, "%s is outside 0 to 1", what)
	}
	return f, err
}

// optionScores reads the probabilities of one question's options; nil if the service runs without them.
func (r reader) optionScores(q asked, all map[string]jsontext.Value) ([]float64, error) {
	if all == nil {
		return nil, nil
	}
	v, ok := all[q.id]
	if !ok || v.Kind() == 'n' {
		return nil, r.fail(q.id, ErrMissingAnswer, "option_scores lacks this question")
	}
	if v.Kind() != '[' {
		return nil, r.fail(q.id, ErrMalformed, "its option scores are not an array")
	}
	want := scoreCount(q)
	out := make([]float64, 0, want)
	sum := 0.0
	for e := range elements(v) {
		p, err := r.probability(q.id, e, "an option score")
		if err != nil {
			return nil, err
		}
		out = append(out, p)
		sum += p
	}
	if len(out) != want {
		return nil, r.fail(q.id, ErrMalformed, "it has %d option scores instead of %d", len(out), want)
	}
	// Each of many options may be off by its rounding; two never exceed the fixed slack by it.
	if math.Abs(sum-1) > math.Max(sumSlack, float64(len(out))*rounding)+slack {
		return nil, r.fail(q.id, ErrOutOfRange, "its option scores do not add up to 1")
	}
	return out, nil
}

// elements yields the parts between the commas of a valid JSON array. If all elements are numbers these are the
// elements; else one of them starts like something else.
func elements(array jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		inner := bytes.TrimSpace(array)
		inner = bytes.TrimSpace(inner[1 : len(inner)-1])
		if len(inner) == 0 {
			return
		}
		for part := range bytes.SplitSeq(inner, []byte(",")) {
			if !yield(bytes.TrimSpace(part)) {
				return
			}
		}
	}
}

func scoreCount(q asked) int {
	switch q.kind {
	case TypeNoul:
		return 2
	case TypeChoice:
		return len(q.options)
	default:
		return 9
	}
}

// confidence reads answer_confidence: absent, an object by question, or (old services) one number.
func (r reader) confidence(q asked, v jsontext.Value) (*float64, error) {
	if v.Kind() == '{' {
		m, err := r.members(v, "answer_confidence")
		if err != nil {
			return nil, err
		}
		v = m[q.id]
	}
	if v.Kind() == 0 || v.Kind() == 'n' {
		return nil, nil
	}
	f, err := r.probability(q.id, v, "the confidence")
	if err != nil {
		return nil, err
	}
	return &f, nil
}

// noul combines the answer with its scores. True needs both; where they contradict each other there is no answer.
func (r reader) noul(q asked, v scalar, probs []float64) (NoulAnswer, error) {
	p, exact := v.number, !v.isBool
	switch {
	case v.isBool:
		if v.truth {
			p = 1
		}
	case !v.nested:
		return NoulAnswer{}, r.fail(q.id, ErrMalformed, "the answer to a noul is a bare number")
	case p < 0 || p > 1:
		return NoulAnswer{}, r.fail(q.id, ErrOutOfRange, "the probability is outside 0 to 1")
	}
	truth := p >= q.threshold
	if probs != nil {
		s := probs[1]
		if !v.isBool && math.Abs(s-p) > 2*rounding+slack {
			return NoulAnswer{}, r.fail(q.id, ErrMalformed, "the answer and its scores disagree")
		}
		// With the answer true the probability is at least the threshold, with false below it, but for rounding.
		if truth && s < q.threshold-rounding-slack || !truth && s > q.threshold+rounding+slack {
			return NoulAnswer{}, r.fail(q.id, ErrMalformed, "the answer and its scores disagree")
		}
		if v.isBool {
			p = s
		} else {
			p = math.Min(p, s)
		}
		exact = true
	}
	if !truth && p >= q.threshold {
		p = math.Nextafter(q.threshold, 0) // rounding lifted it over; the service said false
	}
	return NoulAnswer{True: truth && p >= q.threshold, Probability: p, Exact: exact, valid: true}, nil
}

func (r reader) choice(q asked, v scalar, probs []float64) (ChoiceAnswer, error) {
	if v.isBool {
		return ChoiceAnswer{}, r.fail(q.id, ErrMalformed, "the answer to a choice is a bool")
	}
	if v.number != math.Trunc(v.number) || v.number < 0 || v.number >= float64(len(q.options)) {
		return ChoiceAnswer{}, r.fail(q.id, ErrOutOfRange, "the answer is not an index of one of the %d options", len(q.options))
	}
	i := int(v.number)
	if probs != nil && !isTop(probs, i) {
		return ChoiceAnswer{}, r.fail(q.id, ErrMalformed, "the answer is not the option with the highest score")
	}
	return ChoiceAnswer{Choice: i, Label: q.options[i], Scores: probs, valid: true}, nil
}

func (r reader) score(q asked, v scalar, probs []float64) (ScoreAnswer, error) {
	if v.isBool {
		return ScoreAnswer{}, r.fail(q.id, ErrMalformed, "the answer to a score is a bool")
	}
	if v.number < 2 || v.number > 10 {
		return ScoreAnswer{}, r.fail(q.id, ErrOutOfRange, "the score is outside 2 to 10")
	}
	below, above := int(math.Floor(v.number))-2, int(math.Ceil(v.number))-2
	if probs != nil && !isTop(probs, below) && !isTop(probs, above) {
		return ScoreAnswer{}, r.fail(q.id, ErrMalformed, "the answer is not the level with the highest score")
	}
	return ScoreAnswer{Score: v.number, Scores: probs, valid: true}, nil
}

// isTop reports that no other option scores higher, but for rounding.
func isTop(probs []float64, i int) bool {
	for _, p := range probs {
		if p > probs[i]+2*rounding+slack {
			return false
		}
	}
	return true
}
