package gatecore

import (
	"errors"
	"math"
	"testing"

	"github.com/matryer/is"
)

func TestSynthesize(t *testing.T) {
	soft := DefaultThresholds()
	soft.DenyAt = 9.9
	for _, c := range []struct {
		claim       string
		noul, score float64
		t           Thresholds
		want        Verdict
	}{
		{"sure and harmless", 0.9, 2, DefaultThresholds(), Allow},
		{"wavering and middling", 0.5, 5, DefaultThresholds(), Undecided},
		{"against and risky", 0.1, 8, DefaultThresholds(), Deny},
		{"the score alone denies", 0.9, 8, DefaultThresholds(), Deny},
		{"the noul alone denies", 0.1, 2, DefaultThresholds(), Deny},
		{"wavering alone asks", 0.5, 2, DefaultThresholds(), Undecided},
		{"the bound is true", 0.65, 3.9, DefaultThresholds(), Allow},
		{"the ask bound asks", 0.65, 4, DefaultThresholds(), Undecided},
		{"the deny bound denies", 0.65, 7, DefaultThresholds(), Deny},
		{"just under the deny bound asks", 0.65, 6.999, DefaultThresholds(), Undecided},
		{"the lower bound is false", 0.35, 2, DefaultThresholds(), Deny},
		{"just over it wavers", 0.3501, 2, DefaultThresholds(), Undecided},
		{"a raised deny bound asks", 0.9, 8, soft, Undecided},
		{"ends of the range", 1, 10, DefaultThresholds(), Deny},
		{"a threshold of one", 1, 2, Thresholds{Noul: 1, AskAt: 4, DenyAt: 7}, Allow},
		{"a threshold of one leaves no false but zero", 0, 2, Thresholds{Noul: 1, AskAt: 4, DenyAt: 7}, Deny},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			got, err := Synthesize(Answers{Noul: c.noul, Score: c.score}, c.t)
			is.NoErr(err)
			is.Equal(got.String(), c.want.String())
		})
	}
}

func TestSynthesizeRefuses(t *testing.T) {
	for _, c := range []struct {
		claim string
		a     Answers
	}{
		{"a missing score", Answers{Noul: 0.9}},
		{"a score below the range", Answers{Noul: 0.9, Score: 1.99}},
		{"a score above the range", Answers{Noul: 0.9, Score: 10.01}},
		{"a negative probability", Answers{Noul: -0.01, Score: 2}},
		{"a probability above one", Answers{Noul: 1.01, Score: 2}},
		{"a probability that is no number", Answers{Noul: math.NaN(), Score: 2}},
		{"a score that is no number", Answers{Noul: 0.9, Score: math.NaN()}},
		{"an infinite score", Answers{Noul: 0.9, Score: math.Inf(1)}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			got, err := Synthesize(c.a, DefaultThresholds())
			is.True(errors.Is(err, ErrAnswer))
			is.Equal(got, Deny) // a caller who forgets the error still denies
		})
	}
}

func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		claim string
		t     Thresholds
		ok    bool
	}{
		{"the defaults", DefaultThresholds(), true},
		{"the ends", Thresholds{Noul: 1, AskAt: 2, DenyAt: 10}, true},
		{"ask and deny may agree", Thresholds{Noul: 0.65, AskAt: 7, DenyAt: 7}, true},
		{"zero", Thresholds{}, false},
		{"half is no majority", Thresholds{Noul: 0.5, AskAt: 4, DenyAt: 7}, false},
		{"above one", Thresholds{Noul: 1.1, AskAt: 4, DenyAt: 7}, false},
		{"ask above deny", Thresholds{Noul: 0.65, AskAt: 8, DenyAt: 7}, false},
		{"deny above the scale", Thresholds{Noul: 0.65, AskAt: 4, DenyAt: 10.5}, false},
		{"ask below the scale", Thresholds{Noul: 0.65, AskAt: 1, DenyAt: 7}, false},
		{"not a number", Thresholds{Noul: math.NaN(), AskAt: 4, DenyAt: 7}, false},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			err := c.t.Validate()
			is.Equal(err == nil, c.ok)
			if !c.ok {
				is.True(errors.Is(err, ErrThresholds))
				got, err := Synthesize(Answers{Noul: 1, Score: 2}, c.t)
				is.True(err != nil)
				is.Equal(got, Deny)
			}
		})
	}
}

func FuzzSynthesize(f *testing.F) {
	f.Add(0.9, 2.0, 0.65, 4.0, 7.0)
	f.Add(0.35, 4.0, 0.65, 4.0, 7.0)
	f.Fuzz(func(t *testing.T, noul, score, n, ask, deny float64) {
		v, err := Synthesize(Answers{noul, score}, Thresholds{n, ask, deny})
		if err != nil && v != Deny {
			t.Fatalf("an error came with %v", v)
		}
		if v == Allow && !(noul >= n && score < ask && score < deny) {
			t.Fatalf("allow for noul %v score %v at %v %v %v", noul, score, n, ask, deny)
		}
	})
}
