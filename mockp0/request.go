package mockp0

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of the real service.
const (
	maxBody      = 2 << 20
	maxQuestions = 64
	maxOptions   = 255
	maxBatch     = 64
)

// Question is one question of a recorded request.
type Question struct {
	ID        string
	Type      string
	Options   []string // nil if not sent
	Threshold *float64 // nil if not sent
}

// Request is one recorded request body.
type Request struct {
	Model     string
	State     string
	Questions []Question
}

// failure is an error answer of the service.
type failure struct {
	status int
	body   []byte
	text   bool // plain text instead of JSON
}

func detail(status int, format string, args ...any) *failure {
	return &failure{status: status, body: append(append([]byte(`{"detail":`), encode(fmt.Sprintf(format, args...))...), '}')}
}

// fault422 is one entry of FastAPI's list of validation errors. Like the real one it quotes what was sent.
type fault422 struct {
	Type  string          `json:"type"`
	Loc   []any           `json:"loc"`
	Msg   string          `json:"msg"`
	Input json.RawMessage `json:"input"`
}

func faults422(list []fault422) *failure {
	body := append(append([]byte(`{"detail":`), encode(list)...), '}')
	return &failure{status: http.StatusUnprocessableEntity, body: body}
}

// encode is json.Marshal without HTML escapes, for values that cannot fail.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("mockp0: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// checkSyntax is the part of the checks that the real service makes before it looks at the token.
func checkSyntax(contentType string, body []byte) (json.RawMessage, *failure) {
	if len(body) == 0 {
		return nil, faults422([]fault422{{Type: "missing", Loc: []any{"body"}, Msg: "Field required", Input: json.RawMessage("null")}})
	}
	if !isJSON(contentType) {
		return nil, faults422([]fault422{notObject([]any{"body"}, encode(string(body)))})
	}
	if !utf8.Valid(body) {
		return nil, detail(http.StatusBadRequest, "There was an error parsing the body")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v json.RawMessage
	err := d.Decode(&v)
	if err == nil {
		if _, after := d.Token(); !errors.Is(after, io.EOF) {
			err = errors.New("extra data")
		}
	}
	if err != nil {
		return nil, faults422([]fault422{{Type: "json_invalid", Loc: []any{"body", d.InputOffset()}, Msg: "JSON decode error", Input: json.RawMessage("{}")}})
	}
	return v, nil
}

func isJSON(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	return err == nil && (t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"))
}

func notObject(loc []any, input json.RawMessage) fault422 {
	return fault422{Type: "model_attributes_type", Loc: loc, Msg: "Input should be a valid dictionary or object to extract fields from", Input: input}
}

// decoder collects the type errors of one body, as pydantic does.
type decoder struct{ faults []fault422 }

func (d *decoder) add(kind string, loc []any, msg string, input json.RawMessage) {
	d.faults = append(d.faults, fault422{Type: kind, Loc: loc, Msg: msg, Input: input})
}

// at extends a location without sharing its array.
func at(loc []any, more ...any) []any { return append(append([]any{}, loc...), more...) }

// object reads a JSON object; names are matched exactly and the last of a repeated one counts, as in Python.
func (d *decoder) object(raw json.RawMessage, loc []any) (map[string]json.RawMessage, bool) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		d.faults = append(d.faults, notObject(loc, raw))
		return nil, false
	}
	return m, true
}

func (d *decoder) text(m map[string]json.RawMessage, whole json.RawMessage, loc []any, name string) string {
	raw, ok := m[name]
	if !ok {
		d.add("missing", at(loc, name), "Field required", whole)
		return ""
	}
	return d.str(raw, at(loc, name))
}

func (d *decoder) str(raw json.RawMessage, loc []any) string {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		d.add("string_type", loc, "Input should be a valid string", raw)
		return ""
	}
	return *s
}

func (d *decoder) list(raw json.RawMessage, loc []any) []json.RawMessage {
	var l []json.RawMessage
	if json.Unmarshal(raw, &l) != nil || l == nil {
		d.add("list_type", loc, "Input should be a valid list", raw)
	}
	return l
}

func (d *decoder) request(raw json.RawMessage, loc []any) Request {
	m, ok := d.object(raw, loc)
	if !ok {
		return Request{}
	}
	r := Request{Model: d.text(m, raw, loc, "model"), State: d.text(m, raw, loc, "state")}
	qs, ok := m["questions"]
	if !ok {
		d.add("missing", at(loc, "questions"), "Field required", raw)
		return r
	}
	for i, q := range d.list(qs, at(loc, "questions")) {
		r.Questions = append(r.Questions, d.question(q, at(loc, "questions", i)))
	}
	return r
}

func (d *decoder) question(raw json.RawMessage, loc []any) Question {
	m, ok := d.object(raw, loc)
	if !ok {
		return Question{}
	}
	q := Question{ID: d.text(m, raw, loc, "id")}
	switch t, ok := m["type"]; {
	case !ok:
		d.add("missing", at(loc, "type"), "Field required", raw)
	case string(t) == `"noul"`, string(t) == `"choice"`, string(t) == `"score"`:
		q.Type = strings.Trim(string(t), `"`)
	default:
		d.add("literal_error", at(loc, "type"), "Input should be 'noul', 'choice' or 'score'", t)
	}
	if o, ok := m["options"]; ok && string(o) != "null" {
		q.Options = []string{}
		for i, e := range d.list(o, at(loc, "options")) {
			q.Options = append(q.Options, d.str(e, at(loc, "options", i)))
		}
	}
	if t, ok := m["threshold"]; ok && string(t) != "null" {
		q.Threshold = d.float(t, at(loc, "threshold"))
	}
	return q
}

// float takes what pydantic takes for a float: numbers, bools, and strings that hold a number.
func (d *decoder) float(raw json.RawMessage, loc []any) *float64 {
	text := string(raw)
	switch text {
	case "true":
		return Float(1)
	case "false":
		return Float(0)
	}
	var s string
	isText := json.Unmarshal(raw, &s) == nil
	if isText {
		text = strings.TrimSpace(s)
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil || errors.Is(err, strconv.ErrRange):
		return &f
	case isText:
		d.add("float_parsing", loc, "Input should be a valid number, unable to parse string as a number", raw)
	default:
		d.add("float_type", loc, "Input should be a valid number", raw)
	}
	return nil
}

// decodeBody reads the body of a POST endpoint.
func decodeBody(path string, raw json.RawMessage) ([]Request, *failure) {
	var d decoder
	var out []Request
	body := []any{"body"}
	switch {
	case path != pathBatch:
		out = []Request{d.request(raw, body)}
	case raw[0] == '[':
		for i, e := range d.list(raw, body) {
			out = append(out, d.request(e, at(body, i)))
		}
	default:
		m, ok := d.object(raw, body)
		if list, has := m["requests"]; ok && has {
			for i, e := range d.list(list, at(body, "requests")) {
				out = append(out, d.request(e, at(body, "requests", i)))
			}
		}
	}
	if len(d.faults) > 0 {
		return nil, faults422(d.faults)
	}
	return out, nil
}

// validate applies the rules of the service itself. The first violation is the answer.
func (c *compiled) validate(path string, list []Request) *failure {
	if path == pathBatch && len(list) == 0 {
		return detail(422, "batch is empty")
	}
	if path == pathBatch && len(list) > maxBatch {
		return detail(422, "too many batch items (%d > %d)", len(list), maxBatch)
	}
	for i := range list {
		if f := c.validateOne(&list[i]); f != nil {
			return f
		}
	}
	return nil
}

func (c *compiled) validateOne(r *Request) *failure {
	switch n := len(r.Questions); {
	case r.Model != c.Model:
		return detail(422, "unknown model %s; available models: [%s]", pyQuote(r.Model), c.Model)
	case n > maxQuestions:
		return detail(422, "too many questions (%d > %d)", n, maxQuestions)
	case n == 0:
		return detail(422, "questions must be non-empty")
	}
	seen := map[string]bool{}
	for i := range r.Questions {
		q := &r.Questions[i]
		if q.ID == "" {
			return detail(422, "question id must be non-empty")
		}
		if seen[q.ID] {
			return detail(422, "duplicate question id %s", pyQuote(q.ID))
		}
		seen[q.ID] = true
		if f := q.validate(); f != nil {
			return f
		}
	}
	return nil
}

func (q *Question) validate() *failure {
	id := pyQuote(q.ID)
	switch {
	case q.Type == "choice" && q.Options == nil:
		return detail(422, "question %s: choice questions require options", id)
	case q.Type == "choice" && len(q.Options) == 0:
		return detail(422, "question %s: options must be non-empty", id)
	case q.Type == "choice" && len(q.Options) > maxOptions:
		return detail(422, "question %s: too many options (%d > %d)", id, len(q.Options), maxOptions)
	case q.Type == "score" && q.Options != nil:
		return detail(422, "question %s: score questions must not carry options", id)
	case q.Type == "noul" && q.Threshold != nil && !(*q.Threshold >= 0 && *q.Threshold <= 1):
		return detail(422, "question %s: threshold must be within [0, 1]", id)
	}
	return nil
}

// pyQuote writes a string as Python's %r does, for the characters that occur in names.
func pyQuote(s string) string {
	q := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = `"`
	}
	return q + strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, q, `\`+q).Replace(s) + q
}
