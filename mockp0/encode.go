package mockp0

import (
	"encoding/json"
	"strconv"
	"strings"
)

// member is one name and value of an object whose order counts.
type member struct {
	name string
	raw  json.RawMessage
}

// object is a JSON object in order; the same name may stand twice.
type object []member

func (o object) bytes() []byte {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, encode(m.name)...), ':'), m.raw...)
	}
	return append(out, '}')
}

// with returns a copy in which name has that value; it is added at the end if it was not there.
func (o object) with(name string, raw json.RawMessage) object {
	out := append(object{}, o...)
	for i := range out {
		if out[i].name == name {
			out[i].raw = raw
			return out
		}
	}
	return append(out, member{name, raw})
}

func (o object) without(name string) object {
	out := object{}
	for _, m := range o {
		if m.name != name {
			out = append(out, m)
		}
	}
	return out
}

// appendFloat writes a number as Python writes a float.
func appendFloat(b []byte, f float64) []byte {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return append(b, s...)
}

// round4 rounds to four decimals, halves to even, as Python does.
func round4(f float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 4, 64), 64)
	if err != nil {
		return f
	}
	return r
}

// floats writes an array of rounded numbers.
func floats(list []float64) json.RawMessage {
	out := []byte{'['}
	for i, f := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendFloat(out, round4(f))
	}
	return append(out, ']')
}

// response is one answer of the service before it becomes bytes, so that faults can damage a part of it.
type response struct {
	top     object
	answers []judged // parallel to the answers member; empty for endpoints without questions
	permute bool
}

// build writes the response to one request.
func (c *compiled) build(list []judged, input int, model string, permute bool) response {
	if model == "" {
		model = c.Model
	}
	name := encode(model)
	var answers, confidence, action, scores object
	lowest := 1.0
	for i := range list {
		j := &list[i]
		id := j.q.ID
		v := j.literal()
		if c.Legacy {
			v = j.legacy(c.LegacyLevels)
		}
		top := round4(j.probs[argmax(j.probs)])
		lowest = min(lowest, top)
		answers = append(answers, member{id, v})
		confidence = append(confidence, member{id, appendFloat(nil, top)})
		action = append(action, member{id, object{{"act_probability", appendFloat(nil, top)}}.bytes()})
		scores = append(scores, member{id, floats(j.probs)})
	}
	o := object{
		{"model", name},
		{"answers", answers.bytes()},
		{"usage", object{{"input_tokens", strconv.AppendInt(nil, int64(input), 10)}, {"output_tokens", []byte("0")}}.bytes()},
	}
	switch {
	case c.NoExtensions:
	case c.Legacy:
		o = append(o, member{"answer_confidence", appendFloat(nil, lowest)})
	default:
		perm := "none"
		if permute {
			perm = "avg-k4"
		}
		o = append(o, member{"answer_confidence", confidence.bytes()}, member{"action", action.bytes()}, member{"option_scores", scores.bytes()},
			member{"routing", object{
				{"model", name}, {"device", encode(c.Device)}, {"perm", encode(perm)}, {"backend", encode("mockp0")},
			}.bytes()})
	}
	return response{top: o, answers: list, permute: permute}
}
