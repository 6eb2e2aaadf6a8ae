package p0client

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Type is the kind of a question.
type Type string

// The three kinds of question.
const (
	TypeNoul   Type = "noul"   // does the state hold? A probability of true.
	TypeChoice Type = "choice" // which option fits the state best? An index.
	TypeScore  Type = "score"  // rate the state. A number from 2 to 10.
)

// Question is a Noul, a Choice or a Score.
type Question interface{ questionType() Type }

// Noul asks whether the state holds.
type Noul struct {
	ID string // not empty, unique in its request
	// Threshold is the probability from which the answer counts as true, above 0 and at most 1; 0 means the
	// client's NoulThreshold.
	Threshold float64
}

// Choice asks which option fits the state best.
type Choice struct {
	ID      string   // not empty, unique in its request
	Options []string // 1 to 255; how much of each is read is said at ChoiceRead
}

// Score asks for a rating of the state from 2 to 10.
type Score struct {
	ID string // not empty, unique in its request
}

func (Noul) questionType() Type   { return TypeNoul }
func (Choice) questionType() Type { return TypeChoice }
func (Score) questionType() Type  { return TypeScore }

// Request is one state with the questions about it. The service reads each question with the state alone: what
// a question means has to stand in the state.
//
// One question a request is the rule worth keeping: with several, the service reports one token count for all,
// and a call fails as truncated when that sum reaches the limit of a single sequence.
type Request struct {
	State     string
	Questions []Question // 1 to 64
}

// asked is a validated question, as the answer reader needs it.
type asked struct {
	id        string
	kind      Type
	options   []string
	threshold float64
}

// prepare validates r and returns its questions. field is the prefix of field names, such as "requests[2].".
func (c *Client) prepare(p *problems, field string, r Request) []asked {
	if !utf8.ValidString(r.State) {
		p.add(field+"state", "is not UTF-8")
	}
	if n := len(r.Questions); n < 1 || n > MaxQuestions {
		p.add(field+"questions", "must hold 1 to %d questions, holds %d", MaxQuestions, n)
		return nil
	}
	seen := make(map[string]bool, len(r.Questions))
	out := make([]asked, 0, len(r.Questions))
	for i, q := range r.Questions {
		at := fmt.Sprintf("%squestions[%d]", field, i)
		a, ok := c.prepareOne(p, at, q)
		if !ok {
			continue
		}
		checkID(p, at+".id", a.id, seen)
		out = append(out, a)
	}
	return out
}

// prepareOne validates what is particular to the question's type.
func (c *Client) prepareOne(p *problems, at string, q Question) (asked, bool) {
	switch q := q.(type) {
	case Noul:
		t := or(q.Threshold, c.threshold)
		if !(t > 0 && t <= 1) {
			p.add(at+".threshold", "must be above 0 and at most 1")
		}
		return asked{id: q.ID, kind: TypeNoul, threshold: t}, true
	case Choice:
		if n := len(q.Options); n < 1 || n > MaxOptions {
			p.add(at+".options", "must hold 1 to %d options, holds %d", MaxOptions, n)
		}
		for i, o := range q.Options {
			if !utf8.ValidString(o) {
				p.add(fmt.Sprintf("%s.options[%d]", at, i), "is not UTF-8")
			}
		}
		return asked{id: q.ID, kind: TypeChoice, options: q.Options}, true
	case Score:
		return asked{id: q.ID, kind: TypeScore}, true
	default:
		p.add(at, "must be a Noul, a Choice or a Score")
		return asked{}, false
	}
}

func checkID(p *problems, at, id string, seen map[string]bool) {
	switch {
	case id == "":
		p.add(at, "is empty")
	case !utf8.ValidString(id):
		p.add(at, "is not UTF-8")
	case seen[id]:
		p.add(at, "is used twice")
	}
	seen[id] = true
}

// checkText reports a text that is blank or not UTF-8.
func checkText(p *problems, at, s string) {
	switch {
	case strings.TrimSpace(s) == "":
		p.add(at, "is blank")
	case !utf8.ValidString(s):
		p.add(at, "is not UTF-8")
	}
}

// appendRequest writes a request in the one fixed order of members, without spaces, so that the same request
// is the same bytes.
func appendRequest(b []byte, model, state string, qs []asked) []byte {
	b = append(b, `{"model":`...)
	b = quote(b, model)
	b = append(b, `,"state":`...)
	b = quote(b, state)
	b = append(b, `,"questions":[`...)
	for i, q := range qs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"id":`...)
		b = quote(b, q.id)
		b = append(b, `,"type":"`...)
		b = append(b, q.kind...)
		b = append(b, '"')
		switch q.kind {
		case TypeNoul:
			b = append(b, `,"threshold":`...)
			b = strconv.AppendFloat(b, q.threshold, 'g', -1, 64)
		case TypeChoice:
			b = append(b, `,"options":`...)
			b = quoteAll(b, q.options)
		}
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

// quote appends s as a JSON string. Callers have checked that s is UTF-8, the only thing that can fail.
func quote(b []byte, s string) []byte {
	out, err := jsontext.AppendQuote(b, s)
	if err != nil {
		panic("p0client: unchecked text: " + err.Error()) // recovered at the edge of every call
	}
	return out
}

func quoteAll(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = quote(b, s)
	}
	return append(b, ']')
}

// Usage is what the service says about the length of a request.
type Usage struct {
	InputTokens  int // of all sequences of the request together; averaging over orders counts each order
	OutputTokens int // 0: nothing is generated
}

// Routing says who answered. Empty if the service runs without its extensions.
type Routing struct {
	Model   string
	Device  string // "cpu" or "cuda"
	Perm    string // "none", or "avg-k4" if choices were averaged over four orders
	Backend string
}

// NoulAnswer answers a Noul. The zero value reads as false with probability 0.
type NoulAnswer struct {
	// True reports that the service answered true and that Probability reached the threshold.
	True bool
	// Probability of true, from the service's option scores where it sends them, else 1 or 0.
	Probability float64
	// Exact is false if the service sent no scores, so that Probability is only 1 or 0.
	Exact bool
	// Confidence is the service's probability of the answer it gave, whichever that was. Nil if not sent.
	Confidence *float64
	valid      bool
}

// ChoiceAnswer answers a Choice. The zero value has an empty Label and Valid reports false.
type ChoiceAnswer struct {
	Choice     int       // index into the options, from 0
	Label      string    // the option itself
	Confidence *float64  // probability of the chosen option; nil if not sent
	Scores     []float64 // per option, in the order asked; nil if not sent
	Model      string    // as the service names itself; may be empty
	Usage      Usage
	valid      bool
}

// ScoreAnswer answers a Score. The zero value's score, 0, is outside the range of any answer.
type ScoreAnswer struct {
	Score      float64   // 2 to 10
	Confidence *float64  // probability of that level; nil if not sent
	Scores     []float64 // of the levels 2 to 10; nil if not sent
	Model      string    // as the service names itself; may be empty
	Usage      Usage
	valid      bool
}

// Valid reports that the answer came from a service and was checked. It is false for a zero value.
func (a NoulAnswer) Valid() bool { return a.valid }

// Valid reports that the answer came from a service and was checked. It is false for a zero value.
func (a ChoiceAnswer) Valid() bool { return a.valid }

// Valid reports that the answer came from a service and was checked. It is false for a zero value.
func (a ScoreAnswer) Valid() bool {
	return a.valid && a.Score >= 2 && a.Score <= 10 && !math.IsNaN(a.Score)
}

// Response holds the checked answers to one Request.
type Response struct {
	Model   string // as the service names itself; may be empty
	Usage   Usage
	Routing Routing
	nouls   map[string]NoulAnswer
	choices map[string]ChoiceAnswer
	scores  map[string]ScoreAnswer
}

// Noul returns the answer to the Noul with that id, or an error that matches ErrMissingAnswer if none was asked.
func (r *Response) Noul(id string) (NoulAnswer, error) {
	if r != nil {
		if a, ok := r.nouls[id]; ok {
			return a, nil
		}
	}
	return NoulAnswer{}, notAsked(id, TypeNoul)
}

// Choice returns the answer to the Choice with that id, or an error that matches ErrMissingAnswer if none was asked.
func (r *Response) Choice(id string) (ChoiceAnswer, error) {
	if r != nil {
		if a, ok := r.choices[id]; ok {
			return a, nil
		}
	}
	return ChoiceAnswer{}, notAsked(id, TypeChoice)
}

// Score returns the answer to the Score with that id, or an error that matches ErrMissingAnswer if none was asked.
func (r *Response) Score(id string) (ScoreAnswer, error) {
	if r != nil {
		if a, ok := r.scores[id]; ok {
			return a, nil
		}
	}
	return ScoreAnswer{}, notAsked(id, TypeScore)
}

func notAsked(id string, t Type) error {
	return &AnswerError{Op: "response", ID: id, Detail: "no " + string(t) + " with this id was asked", Err: ErrMissingAnswer}
}
