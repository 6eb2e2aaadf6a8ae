package p0client

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func text(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// TestNoulAtItsBounds: what is exactly at a bound counts as the comments of answer.go say.
func TestNoulAtItsBounds(t *testing.T) {
	threshold := 0.65 // a variable: constants would be computed more exactly than answers are
	low, high := threshold-rounding-slack, threshold+rounding+slack
	apart := 2*rounding + slack
	for _, tt := range []struct {
		name  string
		body  string
		p     float64
		truth bool
		err   error
	}{
		{"a nested probability of nothing", answerTo(`{"type":"noul","noul":0}`), 0, false, nil},
		{"a nested certainty", answerTo(`{"type":"noul","noul":1}`), 1, true, nil},
		{"a nested probability at the threshold", answerTo(`{"type":"noul","noul":0.65}`), 0.65, true, nil},
		{"true, and just below the threshold by rounding, may not run", answerTo(`true`, scores(`[0.35004,0.64996]`)), 0.64996, false, nil},
		{"true, and as far below as rounding goes", answerTo(`true`, scores(`[`+text(1-low)+`,`+text(low)+`]`)), low, false, nil},
		{"true, and a hair further", answerTo(`true`, scores(`[`+text(1-low)+`,`+text(math.Nextafter(low, 0))+`]`)), 0, false, ErrMalformed},
		{"false, and as far above as rounding goes", answerTo(`false`, scores(`[`+text(1-high)+`,`+text(high)+`]`)), math.Nextafter(threshold, 0), false, nil},
		{"false, and a hair further", answerTo(`false`, scores(`[`+text(1-high)+`,`+text(math.Nextafter(high, 1))+`]`)), 0, false, ErrMalformed},
		{"answer and score as far apart as rounding goes", answerTo(`{"type":"noul","noul":0}`, scores(`[`+text(1-apart)+`,`+text(apart)+`]`)), 0, false, nil},
		{"answer and score a hair further apart", answerTo(`{"type":"noul","noul":0}`, scores(`[`+text(1-apart)+`,`+text(math.Nextafter(apart, 1))+`]`)), 0, false, ErrMalformed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r, err := reader{op: "test"}.response([]byte(tt.body), askNoul)
			is.True(errors.Is(err, tt.err)) // the right kind, or none
			if tt.err != nil {
				return
			}
			a, err := r.Noul("q")
			is.NoErr(err)
			is.Equal(a.Probability, tt.p)
			is.Equal(a.True, tt.truth)
		})
	}
}

func TestScoreBetweenLevels(t *testing.T) {
	is := is.New(t)
	const level5 = `[0.01,0.01,0.01,0.9,0.01,0.01,0.01,0.02,0.02]`
	_, err := reader{op: "test"}.response([]byte(answerTo(`5.5`, scores(level5))), askScore)
	is.NoErr(err) // the level below it is the likeliest
	_, err = reader{op: "test"}.response([]byte(answerTo(`4.5`, scores(level5))), askScore)
	is.NoErr(err) // the level above it is
	_, err = reader{op: "test"}.response([]byte(answerTo(`6.5`, scores(level5))), askScore)
	is.True(errors.Is(err, ErrMalformed)) // neither is
}

func TestTopOptionAtItsBound(t *testing.T) {
	is := is.New(t)
	base := 0.25 // a variable: constants would be computed more exactly than answers are
	bound := base + 2*rounding + slack
	is.True(isTop([]float64{base, bound}, 0))                     // as much higher as rounding goes
	is.True(!isTop([]float64{base, math.Nextafter(bound, 1)}, 0)) // a hair more
}

func TestTokenCounts(t *testing.T) {
	is := is.New(t)
	_, err := reader{op: "test"}.response([]byte(`{"answers":{"q":true},"usage":{"input_tokens":0,"output_tokens":0}}`), askNoul)
	is.NoErr(err) // zero is a count
	two := []asked{{id: "q", kind: TypeChoice, options: []string{"a", "b"}}}
	one := []asked{{id: "q", kind: TypeChoice, options: []string{"a"}}}
	is.Equal(tokenLimit(two, Routing{Perm: "avg-k4"}), permuteOrders*sequenceTokens) // two options have orders
	is.Equal(tokenLimit(one, Routing{Perm: "avg-k4"}), sequenceTokens)               // one has none
}

func TestFaultsOfDecodingAreDescribed(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"a repeated name", `{"answers":{"q":true,"q":true},` + usage + `}`, "repeated"},
		{"no JSON", `{"answers":`, "not valid JSON"},
		{"a wrong type", `{"answers":{"q":true},"model":7,` + usage + `}`, "wrong type"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := reader{op: "test"}.response([]byte(tt.body), askNoul)
			is.True(errors.Is(err, ErrMalformed))
			is.True(strings.Contains(err.Error(), tt.want)) // says which, without what was decoded
		})
	}
}
