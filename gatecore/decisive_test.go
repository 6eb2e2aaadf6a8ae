package gatecore

import (
	"fmt"
	"math"
	"testing"

	"github.com/matryer/is"
)

func TestThresholdsAtTheirEnds(t *testing.T) {
	is := is.New(t)
	is.NoErr(Thresholds{Noul: 0.65, AskAt: 10, DenyAt: 10}.Validate()) // the highest scores
	is.NoErr(Thresholds{Noul: 0.65, AskAt: 2, DenyAt: 2}.Validate())   // the lowest
	is.True(Thresholds{Noul: 0.65, AskAt: 2, DenyAt: 10.1}.Validate() != nil)
	is.True(Thresholds{Noul: 0.65, AskAt: 1.9, DenyAt: 10}.Validate() != nil)
}

func TestNoulState(t *testing.T) {
	for _, c := range []struct {
		claim string
		p     float64
		t     Thresholds
		want  string
	}{
		{"certain", 1, DefaultThresholds(), "true"},
		{"at the threshold", 0.65, DefaultThresholds(), "true"},
		{"between", 0.5, DefaultThresholds(), "wavering"},
		{"at the lower bound", 0.35, DefaultThresholds(), "false"},
		{"impossible", 0, DefaultThresholds(), "false"},
		{"over one is nothing", 1.5, DefaultThresholds(), "false"},
		{"under zero is nothing", -0.5, DefaultThresholds(), "false"},
		{"not a number is nothing", math.NaN(), DefaultThresholds(), "false"},
		{"bad thresholds hold for nothing", 0.9, Thresholds{}, "false"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			is.Equal(NoulState(c.p, c.t), c.want)
		})
	}
}

// findings returns a judge that has read a long text and found nothing yet.
func findings(t *testing.T) *judge {
	t.Helper()
	is := is.New(t)
	e, err := New(nil)
	is.NoErr(err)
	j := e.pool.Get().(*judge)
	j.reset(e, fmt.Sprintf("%4000s", "x"), Place{})
	return j
}

func TestFindingTexts(t *testing.T) {
	is := is.New(t)
	j := findings(t)
	rule := j.set.rule("fs.remove-tree")
	is.True(rule != nil && rule.Why != "" && rule.Instead != "") // a rule with both texts
	j.fireWhy("fs.remove-tree", 0, 1, "", "")
	j.fireWhy("fs.remove-tree", 2, 3, "own words", "own way")
	is.Equal(j.findings[0].Why, rule.Why)
	is.Equal(j.findings[0].Instead, rule.Instead)
	is.Equal(j.findings[1].Why, "own words")
	is.Equal(j.findings[1].Instead, "own way")
}

func TestFindingIsKeptOncePerPlace(t *testing.T) {
	is := is.New(t)
	j := findings(t)
	j.fire("class.writes", 0, 4)
	j.fire("class.writes", 0, 4) // the same again
	is.Equal(len(j.findings), 1)
	j.fire("class.writes", 1, 4) // begins elsewhere
	j.fire("class.writes", 0, 5) // ends elsewhere
	j.fire("class.network", 0, 4)
	is.Equal(len(j.findings), 4)
}

func TestFindingsAreBoundedAndTheStrictestIsKept(t *testing.T) {
	is := is.New(t)
	j := findings(t)
	for n := range maxFindings {
		is.Equal(len(j.findings), n)
		j.fire("class.writes", n, n+1)
	}
	j.fire("class.network", 0, 9)
	is.Equal(len(j.findings), maxFindings) // full: another undecided adds nothing
	j.fire("fs.remove-tree", 0, 9)
	is.Equal(len(j.findings), maxFindings+1) // but the first deny is kept
	j.fire("fs.remove-system", 0, 9)
	is.Equal(len(j.findings), maxFindings+1) // and one is enough
	is.Equal(j.report().Verdict, Deny)
	is.Equal(j.report().Findings[0].RuleID, "fs.remove-tree")
}

func TestFindingOfADenyAmongMany(t *testing.T) {
	is := is.New(t)
	j := findings(t)
	j.fire("fs.remove-tree", 0, 9)
	for n := range maxFindings {
		j.fire("class.writes", n, n+1)
	}
	j.fire("fs.remove-system", 0, 9)
	is.Equal(len(j.findings), maxFindings) // a deny is there already
}
