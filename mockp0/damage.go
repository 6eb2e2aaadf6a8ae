package mockp0

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// damage maps the kinds that spoil a good answer to what they make of its bytes.
var damage = map[string]func(*content, *Fault) []byte{
	EmptyBody:     func(*content, *Fault) []byte { return nil },
	Garbage:       func(*content, *Fault) []byte { return []byte("<html>Bad gateway</html>") },
	NotObject:     notObjectBody,
	Trailing:      func(c *content, _ *Fault) []byte { return append(c.bytes(), `{"answers":{}}`...) },
	CutJSON:       func(c *content, _ *Fault) []byte { b := c.bytes(); return b[:len(b)/2] },
	RepeatedNames: each(repeatNames),
	BadUTF8:       each(func(r *response, _ *Fault) { r.top = r.top.with("note", []byte("\"\xff\xfe\"")) }),
	LoneSurrogate: each(func(r *response, _ *Fault) { r.top = r.top.with("note", []byte(`"\ud83d"`)) }),
	DeepNesting:   each(nest),
	Overflow:      each(func(r *response, _ *Fault) { r.number("1e999") }),
	NotANumber:    each(func(r *response, _ *Fault) { r.number("NaN") }),
	WrongType:     each(func(r *response, _ *Fault) { r.values(func(*judged) string { return `"yes"` }) }),
	BareNumber: each(func(r *response, _ *Fault) {
		r.values(func(j *judged) string { return map[bool]string{true: "0.9", false: "true"}[j.q.Type == "noul"] })
	}),
	NullAnswer:   each(func(r *response, _ *Fault) { r.values(func(*judged) string { return "null" }) }),
	MissingID:    each(func(r *response, _ *Fault) { r.top = r.top.with("answers", []byte(`{"another question":true}`)) }),
	NoAnswers:    each(func(r *response, _ *Fault) { r.top = r.top.without("answers") }),
	NullAnswers:  each(func(r *response, _ *Fault) { r.top = r.top.with("answers", []byte("null")) }),
	AnswersArray: each(func(r *response, _ *Fault) { r.top = r.top.with("answers", []byte("[true]")) }),
	TooHigh: each(func(r *response, _ *Fault) {
		r.values(func(j *judged) string {
			return map[string]string{"noul": `{"noul":1.5}`, "score": "11"}[j.q.Type] + ifChoice(j, strconv.Itoa(len(j.q.Options)))
		})
	}),
	TooLow: each(func(r *response, _ *Fault) {
		r.values(func(j *judged) string {
			return map[string]string{"noul": `{"noul":-0.1}`, "score": "1"}[j.q.Type] + ifChoice(j, "-1")
		})
	}),
	Fraction: each(func(r *response, _ *Fault) {
		r.values(func(j *judged) string {
			if j.q.Type == "choice" {
				return "0.5"
			}
			return string(j.literal())
		})
	}),
	ScoresDisagree: each(func(r *response, _ *Fault) {
		r.scores(func(j *judged) string { return string(contrary(j)) })
	}),
	ScoresSum: each(func(r *response, _ *Fault) {
		r.scores(func(j *judged) string {
			half := make([]float64, len(j.probs))
			for i, p := range j.probs {
				half[i] = p / 2
			}
			return string(floats(half))
		})
	}),
	ScoresShort: each(func(r *response, _ *Fault) {
		r.scores(func(j *judged) string { return string(floats(j.probs[:len(j.probs)-1])) })
	}),
	ScoresRange: each(func(r *response, _ *Fault) {
		r.scores(func(j *judged) string {
			out := append([]float64{}, j.probs...)
			out[0]--
			out[len(out)-1]++
			if len(out) == 1 {
				out[0] = 1.5
			}
			return string(floats(out))
		})
	}),
	ScoresMissing: each(func(r *response, _ *Fault) {
		r.top = r.top.with("option_scores", []byte(`{"another question":[0.1,0.9]}`))
	}),
	ScoresNull:    each(func(r *response, _ *Fault) { r.top = r.top.with("option_scores", []byte("null")) }),
	BadConfidence: each(func(r *response, _ *Fault) { r.top = r.top.with("answer_confidence", []byte("1.7")) }),
	NoUsage:       each(func(r *response, _ *Fault) { r.top = r.top.without("usage") }),
	FullSequence: each(func(r *response, _ *Fault) {
		n := sequenceTokens
		if r.permute {
			n *= 4
		}
		r.top = r.top.with("usage", []byte(`{"input_tokens":`+strconv.Itoa(n)+`,"output_tokens":0}`))
	}),
	OtherModel: each(func(r *response, _ *Fault) { r.top = r.top.with("model", []byte(`"another-model"`)) }),
}

// each damages every response of an answer, or for a batch only the last: one bad part must spoil all.
func each(hurt func(*response, *Fault)) func(*content, *Fault) []byte {
	return func(c *content, f *Fault) []byte {
		hurt(&c.parts[len(c.parts)-1], f)
		return c.bytes()
	}
}

func ifChoice(j *judged, s string) string {
	if j.q.Type == "choice" {
		return s
	}
	return ""
}

func notObjectBody(c *content, _ *Fault) []byte {
	if c.array {
		return []byte("{}")
	}
	return append(append([]byte{'['}, c.bytes()...), ']')
}

// values replaces every answer of a response.
func (r *response) values(f func(*judged) string) {
	r.replace("answers", f)
}

// scores replaces every question's option scores, also where the script sends none.
func (r *response) scores(f func(*judged) string) {
	r.replace("option_scores", f)
}

func (r *response) replace(name string, f func(*judged) string) {
	if len(r.answers) == 0 {
		return
	}
	var o object
	for i := range r.answers {
		j := &r.answers[i]
		o = append(o, member{j.q.ID, []byte(f(j))})
	}
	r.top = r.top.with(name, o.bytes())
}

// number puts a literal where a number belongs: into the answers, or into the first number of another object.
func (r *response) number(literal string) {
	if len(r.answers) > 0 {
		r.values(func(j *judged) string {
			if j.q.Type == "noul" {
				return `{"noul":` + literal + `}`
			}
			return literal
		})
		return
	}
	for i, m := range r.top {
		var n json.Number
		if json.Unmarshal(m.raw, &n) == nil && !strings.HasPrefix(string(m.raw), `"`) {
			r.top[i].raw = []byte(literal)
			return
		}
	}
	for i, m := range r.top {
		if m.name == "data" {
			r.top[i].raw = bytes.Replace(m.raw, []byte(`"context_length":512`), []byte(`"context_length":`+literal), 1)
		}
	}
}

// repeatNames sends the first member again; of answers, with the value that would be most dangerous.
func repeatNames(r *response, _ *Fault) {
	if len(r.answers) == 0 {
		r.top = append(r.top, r.top[0])
		return
	}
	var o object
	for i := range r.answers {
		j := &r.answers[i]
		second := map[string]string{"noul": "true", "score": "2", "choice": "0"}[j.q.Type]
		o = append(o, member{j.q.ID, j.literal()}, member{j.q.ID, []byte(second)})
	}
	r.top = r.top.with("answers", o.bytes())
}

// nest wraps every answer, or a member nobody asked for, in levels.
func nest(r *response, f *Fault) {
	depth := 5
	if f.Depth != 0 {
		depth = f.Depth
	}
	wrap := func(v string) string {
		return strings.Repeat(`{"answer":`, depth) + v + strings.Repeat("}", depth)
	}
	if len(r.answers) == 0 {
		r.top = r.top.with("note", []byte(wrap("true")))
		return
	}
	r.values(func(j *judged) string { return wrap(string(j.literal())) })
}

// contrary is a distribution that speaks for anything but the answer.
func contrary(j *judged) json.RawMessage {
	n := len(j.probs)
	if n < 2 {
		return json.RawMessage("[0.0]")
	}
	best := argmax(j.probs)
	if j.q.Type == "noul" {
		best = 0
		if j.probs[1] >= j.threshold() {
			best = 1
		}
	}
	out := make([]float64, n)
	// Two places away, so that a score between two levels has none of them as its best.
	away := (best + max(1, n/2)) % n
	out[away] = 1
	return floats(out)
}
