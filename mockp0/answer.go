package mockp0

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
)

const (
	scoreLevels    = 9 // answers 2 to 10
	encoderTokens  = 8192
	optionTokens   = 48
	sequenceTokens = 512
	headTokens     = 192
)

// h hashes its arguments; see the package documentation.
func h(parts ...string) uint64 {
	s := sha256.New()
	for _, p := range parts {
		s.Write([]byte(p))
		s.Write([]byte{0})
	}
	return binary.BigEndian.Uint64(s.Sum(nil))
}

// share turns weights into probabilities with one division each, which is exact on every machine.
func share(weights []uint64) []float64 {
	sum := uint64(0)
	for _, w := range weights {
		sum += w
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = float64(w) / float64(sum)
	}
	return out
}

func square(h uint64) uint64 { w := 1 + h%1000; return w * w }

func defaultNoul(state string) []float64 {
	n := h("noul", state) % 10001
	return share([]uint64{10000 - n, n})
}

func defaultScore(state string) []float64 {
	w := make([]uint64, scoreLevels)
	for i := range w {
		w[i] = square(h("score", state, strconv.Itoa(i+2)))
	}
	return share(w)
}

// defaultChoice gives probabilities by place in the order read.
func defaultChoice(state string, options []string, order []int) []float64 {
	w := make([]uint64, len(order))
	for place, i := range order {
		w[place] = square(h("choice", state, options[i]))
		if place == 0 {
			w[place] *= 6
		} else {
			w[place] *= 5
		}
	}
	return share(w)
}

// orders lists the orders in which a choice is read.
func orders(n int, permute bool) [][]int {
	plain := make([]int, n)
	for i := range plain {
		plain[i] = i
	}
	if !permute || n < 2 {
		return [][]int{plain}
	}
	reversed := slices.Clone(plain)
	slices.Reverse(reversed)
	seed := uint64(0)
	return [][]int{plain, reversed, shuffled(plain, &seed), shuffled(plain, &seed)}
}

// shuffled is Fisher and Yates's shuffle driven by SplitMix64, so that it is the same everywhere and for ever.
func shuffled(in []int, seed *uint64) []int {
	out := slices.Clone(in)
	for i := len(out) - 1; i > 0; i-- {
		*seed += 0x9E3779B97F4A7C15
		z := *seed
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		j := (z ^ z>>31) % uint64(i+1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// judged is the answer to one question.
type judged struct {
	q     *Question
	probs []float64       // by option in request order; false, true; levels 2 to 10
	value json.RawMessage // literal answer; nil to derive it from probs
	score *float64        // scripted score, which may lie between two levels
}

// judge answers one question, with a scripted answer or nil.
func judge(state string, q *Question, a *Answer, permute bool) judged {
	if a == nil {
		a = &Answer{}
	}
	j := judged{q: q, value: a.Value}
	switch q.Type {
	case "noul":
		j.probs = defaultNoul(state)
		if a.Noul != nil {
			j.probs = []float64{1 - *a.Noul, *a.Noul}
		}
	case "score":
		j.probs = defaultScore(state)
		if a.Score != nil {
			j.probs, j.score = around(*a.Score, a.top()), a.Score
		}
	default:
		j.probs = averaged(state, q, a, permute)
	}
	return j
}

// top is the probability that a scripted choice or level gets.
func (a *Answer) top() float64 {
	if a.Confidence != nil {
		return *a.Confidence
	}
	return 0.9
}

// averaged reads a choice in every order and averages each option's probability over them.
func averaged(state string, q *Question, a *Answer, permute bool) []float64 {
	n := len(q.Options)
	sum := make([]float64, n)
	all := orders(n, permute)
	for _, order := range all {
		for place, p := range readOnce(state, q, a, order) {
			sum[order[place]] += p
		}
	}
	for i := range sum {
		sum[i] /= float64(len(all))
	}
	return sum
}

// readOnce gives probabilities by place for one order.
func readOnce(state string, q *Question, a *Answer, order []int) []float64 {
	place := -1
	switch {
	case a.Position != nil:
		place = *a.Position
	case a.Choice != nil:
		place = slices.Index(order, *a.Choice)
	case a.Label != "":
		place = slices.Index(order, slices.Index(q.Options, a.Label))
	}
	if place < 0 || place >= len(order) {
		return defaultChoice(state, q.Options, order)
	}
	return peak(len(order), place, a.top())
}

// peak gives one place the probability top and shares the rest.
func peak(n, place int, top float64) []float64 {
	out := make([]float64, n)
	if n == 1 {
		return []float64{1}
	}
	for i := range out {
		out[i] = (1 - top) / float64(n-1)
	}
	out[place] = top
	return out
}

// around spreads a score over the levels. One that lies between two levels weighs these two.
func around(score, top float64) []float64 {
	low := int(score) - 2
	part := score - float64(int(score))
	if part == 0 {
		return peak(scoreLevels, low, top)
	}
	out := make([]float64, scoreLevels)
	out[low], out[low+1] = 1-part, part
	return out
}

// argmax is the first of the largest.
func argmax(p []float64) int {
	best := 0
	for i, v := range p {
		if v > p[best] {
			best = i
		}
	}
	return best
}

// literal is the answer in the form of the current protocol.
func (j *judged) literal() json.RawMessage {
	switch {
	case j.value != nil:
		return j.value
	case j.q.Type == "noul":
		return strconv.AppendBool(nil, j.probs[1] >= j.threshold())
	case j.score != nil:
		return strconv.AppendFloat(nil, *j.score, 'g', -1, 64)
	case j.q.Type == "score":
		return strconv.AppendInt(nil, int64(2+argmax(j.probs)), 10)
	default:
		return strconv.AppendInt(nil, int64(argmax(j.probs)), 10)
	}
}

func (j *judged) threshold() float64 {
	if j.q.Threshold == nil {
		return 0.5
	}
	return *j.q.Threshold
}

// legacy is the answer as old servers nest it.
func (j *judged) legacy(levels int) json.RawMessage {
	v := j.literal()
	if j.value == nil && j.q.Type == "noul" {
		v = appendFloat(nil, j.probs[1])
	}
	out := append([]byte(`{"type":"`+j.q.Type+`","`+j.q.Type+`":`), v...)
	out = append(out, '}')
	for range levels - 1 {
		out = append(append([]byte(`{"answer":`), out...), '}')
	}
	return out
}

// tokens is the length estimate: four bytes a token.
func tokens(s string) int { return (len(s) + 3) / 4 }

// sequence counts the tokens that one reading of a question takes, cut as the service cuts. ok is false if the
// options do not fit the encoder.
func sequence(state string, q *Question) (n int, ok bool) {
	options := q.Options
	if q.Type != "choice" {
		options = []string{"12345678901234567890", "12345678901234567890"}
	}
	each := make([]int, len(options))
	sum := 0
	for i, o := range options {
		each[i] = 1 + min(optionTokens, tokens(o))
		sum += each[i]
	}
	if sum > encoderTokens {
		return 0, false
	}
	head, room := headTokens, sequenceTokens
	for ; room <= encoderTokens; head, room = room, 2*room {
		used := cut(each, sum, head) + 12 // the fixed instruction and the separators
		if used < room {
			return min(room, used+tokens(state)), true
		}
	}
	return 0, false
}

// cut is the length of all options in a head of that size.
func cut(each []int, sum, head int) int {
	if head-sum >= 16 {
		return sum
	}
	most := max(4, (head-16)/len(each))
	total := 0
	for _, n := range each {
		total += min(n, most)
	}
	return total
}
