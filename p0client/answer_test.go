package p0client

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/matryer/is"
)

const usage = `"usage":{"input_tokens":60,"output_tokens":0}`

var (
	askNoul   = []asked{{id: "q", kind: TypeNoul, threshold: 0.65}}
	askChoice = []asked{{id: "q", kind: TypeChoice, options: []string{"a", "b", "c"}}}
	askScore  = []asked{{id: "q", kind: TypeScore}}
)

// answerTo wraps one value and further members into a response.
func answerTo(value string, more ...string) string {
	return `{"answers":{"q":` + value + `},` + strings.Join(append(more, usage), ",") + `}`
}

func scores(list string) string { return `"option_scores":{"q":` + list + `}` }

func TestNoulAnswers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		body  string
		p     float64
		truth bool
		exact bool
		err   error
	}{
		{"true without scores is certain", answerTo(`true`), 1, true, false, nil},
		{"false without scores is certain", answerTo(`false`), 0, false, false, nil},
		{"scores give the probability", answerTo(`true`, scores(`[0.1,0.9]`)), 0.9, true, true, nil},
		{"scores make the wavering band", answerTo(`false`, scores(`[0.5,0.5]`)), 0.5, false, true, nil},
		{"the threshold itself is true", answerTo(`true`, scores(`[0.35,0.65]`)), 0.65, true, true, nil},
		{"false at a rounded-up threshold stays below it", answerTo(`false`, scores(`[0.35,0.65]`)), math.Nextafter(0.65, 0), false, true, nil},
		{"true with a score below the threshold", answerTo(`true`, scores(`[0.36,0.64]`)), 0, false, false, ErrMalformed},
		{"false with a score above the threshold", answerTo(`false`, scores(`[0.34,0.66]`)), 0, false, false, ErrMalformed},
		{"scores that do not add up", answerTo(`true`, scores(`[0.1,0.8]`)), 0, false, false, ErrOutOfRange},
		{"scores that add up but for rounding", answerTo(`true`, scores(`[0.1,0.905]`)), 0.905, true, true, nil},
		{"one score", answerTo(`true`, scores(`[1]`)), 0, false, false, ErrMalformed},
		{"three scores", answerTo(`true`, scores(`[0,0,1]`)), 0, false, false, ErrMalformed},
		{"a score that is text", answerTo(`true`, scores(`[0,"1"]`)), 0, false, false, ErrMalformed},
		{"a score in a list of its own", answerTo(`true`, scores(`[[0.1,0.9]]`)), 0, false, false, ErrMalformed},
		{"a score in an object", answerTo(`true`, scores(`[0.1,{"a":0.9}]`)), 0, false, false, ErrMalformed},
		{"a score too large for a number", answerTo(`true`, scores(`[0.1,1e999]`)), 0, false, false, ErrOutOfRange},
		{"no scores in the list", answerTo(`true`, scores(`[ ]`)), 0, false, false, ErrMalformed},
		{"scores with blanks between them", answerTo(`true`, scores(`[ 0.1 , 0.9 ]`)), 0.9, true, true, nil},
		{"a negative score", answerTo(`true`, scores(`[-0.1,1.1]`)), 0, false, false, ErrOutOfRange},
		{"scores that are no array", answerTo(`true`, scores(`0.9`)), 0, false, false, ErrMalformed},
		{"scores without this question", answerTo(`true`, `"option_scores":{}`), 0, false, false, ErrMissingAnswer},
		{"scores null", answerTo(`true`, `"option_scores":null`), 0, false, false, ErrMalformed},
		{"scores null for this question", answerTo(`true`, scores(`null`)), 0, false, false, ErrMissingAnswer},
		{"scores an array for all", answerTo(`true`, `"option_scores":[0.1,0.9]`), 0, false, false, ErrMalformed},
		{"nested probability", answerTo(`{"type":"noul","noul":0.5}`), 0.5, false, true, nil},
		{"nested probability above the threshold", answerTo(`{"noul":0.7}`), 0.7, true, true, nil},
		{"nested bool", answerTo(`{"answer":true}`), 1, true, false, nil},
		{"four levels", answerTo(`{"answer":{"value":{"answer":{"noul":true}}}}`), 1, true, false, nil},
		{"five levels", answerTo(`{"answer":{"value":{"answer":{"value":{"noul":true}}}}}`), 0, false, false, ErrMalformed},
		{"two members that agree", answerTo(`{"noul":true,"value":true}`), 1, true, false, nil},
		{"two members that disagree", answerTo(`{"noul":true,"value":false}`), 0, false, false, ErrMalformed},
		{"nested answer of another type", answerTo(`{"type":"score","noul":1}`), 0, false, false, ErrMalformed},
		{"nested answer without a value", answerTo(`{"score":5}`), 0, false, false, ErrMissingAnswer},
		{"nested null", answerTo(`{"noul":null}`), 0, false, false, ErrMissingAnswer},
		{"nested probability and scores agree", answerTo(`{"noul":0.9}`, scores(`[0.1,0.9]`)), 0.9, true, true, nil},
		{"nested probability and scores disagree", answerTo(`{"noul":0.9}`, scores(`[0.2,0.8]`)), 0, false, false, ErrMalformed},
		{"bare number", answerTo(`0.9`), 0, false, false, ErrMalformed},
		{"text", answerTo(`"true"`), 0, false, false, ErrMalformed},
		{"array", answerTo(`[true]`), 0, false, false, ErrMalformed},
		{"probability above 1", answerTo(`{"noul":1.01}`), 0, false, false, ErrOutOfRange},
		{"probability below 0", answerTo(`{"noul":-0.01}`), 0, false, false, ErrOutOfRange},
		{"a number too large", answerTo(`{"noul":1e999}`), 0, false, false, ErrOutOfRange},
		{"null", answerTo(`null`), 0, false, false, ErrMissingAnswer},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r, err := reader{op: "test"}.response([]byte(tt.body), askNoul)
			if tt.err != nil {
				is.True(r == nil)               // nothing is half returned
				is.True(errors.Is(err, tt.err)) // the right kind
				return
			}
			is.NoErr(err)
			a, err := r.Noul("q")
			is.NoErr(err)
			is.Equal(a, NoulAnswer{True: tt.truth, Probability: tt.p, Exact: tt.exact, valid: true})
		})
	}
}

func TestChoiceAnswers(t *testing.T) {
	for _, tt := range []struct {
		name string
		body string
		want int
		err  error
	}{
		{"index", answerTo(`2`), 2, nil},
		{"nested choice", answerTo(`{"choice":1}`), 1, nil},
		{"nested index", answerTo(`{"type":"choice","index":1}`), 1, nil},
		{"the same number written as a fraction", answerTo(`1.0`), 1, nil},
		{"outside the options", answerTo(`3`), 0, ErrOutOfRange},
		{"negative", answerTo(`-1`), 0, ErrOutOfRange},
		{"no integer", answerTo(`0.5`), 0, ErrOutOfRange},
		{"beyond every int", answerTo(`1e30`), 0, ErrOutOfRange},
		{"bool", answerTo(`true`), 0, ErrMalformed},
		{"the label instead of its index", answerTo(`"a"`), 0, ErrMalformed},
		{"scores that agree", answerTo(`1`, scores(`[0.1,0.8,0.1]`)), 1, nil},
		{"a tie but for rounding", answerTo(`1`, scores(`[0.4001,0.4,0.2]`)), 1, nil},
		{"scores that name another", answerTo(`0`, scores(`[0.1,0.8,0.1]`)), 0, ErrMalformed},
		{"too few scores", answerTo(`1`, scores(`[0.2,0.8]`)), 0, ErrMalformed},
		{"scores that add up to too much", answerTo(`1`, scores(`[0.4,0.8,0.4]`)), 0, ErrOutOfRange},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r, err := reader{op: "test"}.response([]byte(tt.body), askChoice)
			if tt.err != nil {
				is.True(errors.Is(err, tt.err)) // the right kind
				return
			}
			is.NoErr(err)
			a, err := r.Choice("q")
			is.NoErr(err)
			is.Equal(a.Choice, tt.want)
			is.Equal(a.Label, askChoice[0].options[tt.want])
			is.True(a.Valid())
		})
	}
}

func TestScoreAnswers(t *testing.T) {
	const level4 = `[0.01,0.01,0.9,0.01,0.01,0.01,0.02,0.02,0.01]`
	for _, tt := range []struct {
		name string
		body string
		want float64
		err  error
	}{
		{"lowest", answerTo(`2`), 2, nil},
		{"highest", answerTo(`10`), 10, nil},
		{"between levels", answerTo(`3.9`), 3.9, nil},
		{"nested", answerTo(`{"score":5}`), 5, nil},
		{"below", answerTo(`1.99`), 0, ErrOutOfRange},
		{"above", answerTo(`10.01`), 0, ErrOutOfRange},
		{"bool", answerTo(`true`), 0, ErrMalformed},
		{"scores that agree", answerTo(`4`, scores(level4)), 4, nil},
		{"scores that agree with the nearest level", answerTo(`3.9`, scores(level4)), 3.9, nil},
		{"scores that name another level", answerTo(`2`, scores(level4)), 0, ErrMalformed},
		{"eight levels", answerTo(`4`, scores(`[0,0,1,0,0,0,0,0]`)), 0, ErrMalformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r, err := reader{op: "test"}.response([]byte(tt.body), askScore)
			if tt.err != nil {
				is.True(errors.Is(err, tt.err)) // the right kind
				return
			}
			is.NoErr(err)
			a, err := r.Score("q")
			is.NoErr(err)
			is.Equal(a.Score, tt.want)
			is.True(a.Valid())
		})
	}
}

func TestResponsesAsAWhole(t *testing.T) {
	for _, tt := range []struct {
		name  string
		body  string
		model string
		err   error
	}{
		{"all there", answerTo(`true`), "", nil},
		{"unknown members are not ours", answerTo(`true`, `"action":{"q":{"act_probability":0.5}}`, `"new":[1]`), "", nil},
		{"empty", ``, "", ErrMalformed},
		{"blank", `  `, "", ErrMalformed},
		{"text", `"ok"`, "", ErrMalformed},
		{"array", `[` + answerTo(`true`) + `]`, "", ErrMalformed},
		{"two values", answerTo(`true`) + answerTo(`true`), "", ErrMalformed},
		{"cut", answerTo(`true`)[:30], "", ErrMalformed},
		{"repeated member", `{"answers":{"q":true},"answers":{"q":true},` + usage + `}`, "", ErrMalformed},
		{"repeated id", `{"answers":{"q":false,"q":true},` + usage + `}`, "", ErrMalformed},
		{"repeated name in a member that is not read", answerTo(`true`, `"action":{"a":1,"a":2}`), "", ErrMalformed},
		{"repeated name in a nested answer", answerTo(`{"noul":false,"noul":true}`), "", ErrMalformed},
		{"repeated name written differently", `{"answers":{"q":false,"\u0071":true},` + usage + `}`, "", ErrMalformed},
		{"member in other letters", `{"Answers":{"q":true},` + usage + `}`, "", ErrMissingAnswer},
		{"bad UTF-8", answerTo(`true`, "\"note\":\"\xff\""), "", ErrMalformed},
		{"half a surrogate pair", answerTo(`true`, `"note":"\ud83d"`), "", ErrMalformed},
		{"NaN", answerTo(`{"noul":NaN}`), "", ErrMalformed},
		{"very deep", answerTo(strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000)), "", ErrMalformed},
		{"no answers", `{` + usage + `}`, "", ErrMissingAnswer},
		{"null answers", `{"answers":null,` + usage + `}`, "", ErrMissingAnswer},
		{"answers array", `{"answers":[true],` + usage + `}`, "", ErrMalformed},
		{"another id", `{"answers":{"Q":true},` + usage + `}`, "", ErrMissingAnswer},
		{"no usage", `{"answers":{"q":true}}`, "", ErrTruncated},
		{"null usage", `{"answers":{"q":true},"usage":null}`, "", ErrTruncated},
		{"no input tokens", `{"answers":{"q":true},"usage":{"output_tokens":0}}`, "", ErrTruncated},
		{"511 tokens", `{"answers":{"q":true},"usage":{"input_tokens":511}}`, "", nil},
		{"512 tokens", `{"answers":{"q":true},"usage":{"input_tokens":512}}`, "", ErrTruncated},
		{"fewer than no tokens", `{"answers":{"q":true},"usage":{"input_tokens":-1}}`, "", ErrOutOfRange},
		{"tokens as text", `{"answers":{"q":true},"usage":{"input_tokens":"60"}}`, "", ErrMalformed},
		{"tokens in fractions", `{"answers":{"q":true},"usage":{"input_tokens":60.5}}`, "", ErrMalformed},
		{"a noul is one sequence whatever the routing says", `{"answers":{"q":true},"usage":{"input_tokens":512},"routing":{"perm":"avg-k4"}}`, "", ErrTruncated},
		{"confidence of another type", answerTo(`true`, `"answer_confidence":"high"`), "", ErrMalformed},
		{"confidence out of range", answerTo(`true`, `"answer_confidence":{"q":1.5}`), "", ErrOutOfRange},
		{"one confidence for all", answerTo(`true`, `"answer_confidence":0.5`), "", nil},
		{"confidence of other questions", answerTo(`true`, `"answer_confidence":{"x":0.5}`), "", nil},
		{"null confidence", answerTo(`true`, `"answer_confidence":null`), "", nil},
		{"routing of another type", answerTo(`true`, `"routing":7`), "", ErrMalformed},
		{"model of another type", answerTo(`true`, `"model":7`), "", ErrMalformed},
		{"another model where any will do", answerTo(`true`, `"model":"other"`), "", nil},
		{"another model where one is demanded", answerTo(`true`, `"model":"other"`), "mine", ErrModelMismatch},
		{"the model demanded", answerTo(`true`, `"model":"mine"`), "mine", nil},
		{"no model where one is demanded", answerTo(`true`), "mine", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r, err := reader{op: "test", model: tt.model}.response([]byte(tt.body), askNoul)
			if tt.err == nil {
				is.NoErr(err)
				return
			}
			is.True(r == nil)               // nothing is half returned
			is.True(errors.Is(err, tt.err)) // the right kind
			is.True(len(err.Error()) < 300) // no body in the text
		})
	}
}

func TestTokenLimitCountsOrders(t *testing.T) {
	body := func(tokens, perm string) string {
		return `{"answers":{"q":1},"usage":{"input_tokens":` + tokens + `},"routing":{"perm":"` + perm + `"}}`
	}
	one := []asked{{id: "q", kind: TypeChoice, options: []string{"only"}}}
	for _, tt := range []struct {
		name string
		qs   []asked
		body string
		err  error
	}{
		{"four orders of 511", askChoice, body("2044", "avg-k4"), nil},
		{"four full orders", askChoice, body("2048", "avg-k4"), ErrTruncated},
		{"one order of 512", askChoice, body("512", "none"), ErrTruncated},
		{"a service that does not say how it read", askChoice, `{"answers":{"q":1},"usage":{"input_tokens":512}}`, ErrTruncated},
		{"one option has one order", one, body("512", "avg-k4"), ErrTruncated},
		{"of several questions nothing is known", append(append([]asked{}, askChoice...), asked{id: "r", kind: TypeScore}), body("512", "avg-k4"), ErrTruncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := reader{op: "test"}.response([]byte(tt.body), tt.qs)
			is.True(errors.Is(err, tt.err)) // nil where the answer stands
		})
	}
}

func TestBatchAnswers(t *testing.T) {
	a := answerTo(`true`)
	two := [][]asked{askNoul, askNoul}
	for _, tt := range []struct {
		name string
		body string
		err  error
	}{
		{"two for two", `[` + a + `,` + a + `]`, nil},
		{"one for two", `[` + a + `]`, ErrMissingAnswer},
		{"three for two", `[` + a + `,` + a + `,` + a + `]`, ErrMissingAnswer},
		{"object", a, ErrMalformed},
		{"one broken", `[` + a + `,{}]`, ErrTruncated},
		{"one null", `[` + a + `,null]`, ErrMalformed},
		{"cut", `[` + a, ErrMalformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			list, err := reader{op: "test"}.batch([]byte(tt.body), two)
			is.True(errors.Is(err, tt.err)) // nil where all stand
			is.Equal(len(list) == 2, tt.err == nil)
		})
	}
}

func TestZeroValuesAreNoApproval(t *testing.T) {
	is := is.New(t)
	is.True(!GateAnswer{}.Valid())
	is.True(!NoulAnswer{}.Valid() && !NoulAnswer{}.True && NoulAnswer{}.Probability == 0)
	is.True(!ChoiceAnswer{}.Valid())
	is.True(!ScoreAnswer{}.Valid())
	is.True(GateAnswer{}.Score < 2) // outside the range of any judgement
	var r *Response
	_, err := r.Noul("q")
	is.True(errors.Is(err, ErrMissingAnswer))
	_, err = new(Response).Choice("q")
	is.True(errors.Is(err, ErrMissingAnswer))
	_, err = new(Response).Score("q")
	is.True(errors.Is(err, ErrMissingAnswer))
}

// FuzzAnswer: whatever bytes arrive, the reader does not panic, and an answer that it lets through is in range,
// valid, and came with a token count that proves it was read whole.
func FuzzAnswer(f *testing.F) {
	for _, v := range []string{`true`, `{"noul":0.5}`, `1`, `{"choice":1}`, `3.9`, `{"answer":{"value":{"score":5}}}`, `null`, `1e999`} {
		f.Add([]byte(answerTo(v)))
		f.Add([]byte(answerTo(v, scores(`[0.1,0.9]`), `"answer_confidence":{"q":0.9}`)))
		f.Add([]byte(answerTo(v, scores(`[0.1,0.8,0.1]`), `"routing":{"perm":"avg-k4"}`)))
		f.Add([]byte(`[` + answerTo(v) + `]`))
	}
	in := func(x, lo, hi float64) bool { return x >= lo && x <= hi }
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, qs := range [][]asked{askNoul, askChoice, askScore} {
			r, err := reader{op: "fuzz"}.response(body, qs)
			if err != nil {
				if r != nil || Kind(err) == "unknown" {
					t.Fatalf("error %v with response %v", err, r)
				}
				continue
			}
			if n := r.Usage.InputTokens; n < 0 || n >= permuteOrders*sequenceTokens {
				t.Fatalf("%d tokens let through", n)
			}
			switch qs[0].kind {
			case TypeNoul:
				a, err := r.Noul("q")
				if err != nil || !a.Valid() || !in(a.Probability, 0, 1) || a.True != (a.Probability >= 0.65) {
					t.Fatalf("%+v, %v", a, err)
				}
			case TypeChoice:
				a, err := r.Choice("q")
				if err != nil || !a.Valid() || !in(float64(a.Choice), 0, 2) || a.Label != askChoice[0].options[a.Choice] {
					t.Fatalf("%+v, %v", a, err)
				}
			default:
				a, err := r.Score("q")
				if err != nil || !a.Valid() || !in(a.Score, 2, 10) || a.Confidence != nil && !in(*a.Confidence, 0, 1) {
					t.Fatalf("%+v, %v", a, err)
				}
			}
		}
		if _, err := (reader{op: "fuzz"}).batch(body, [][]asked{askNoul}); err != nil && Kind(err) == "unknown" {
			t.Fatal(err)
		}
	})
}
