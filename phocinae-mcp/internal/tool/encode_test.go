package tool

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// sameEncoding holds gateResult to what reflection makes of the same decision.
func sameEncoding(t *testing.T, d *gate.Decision) {
	t.Helper()
	is := is.New(t)
	want, wantErr := encode(Output(d))
	got, gotErr := gateResult(d)
	is.Equal(gotErr != nil, wantErr != nil)
	if wantErr != nil {
		return
	}
	is.Equal(string(got.Structured), string(want.Structured))
	is.Equal(len(got.Content), len(want.Content))
	is.Equal(got.Content[0].Text, want.Content[0].Text)
}

func TestGateResultIsTheOutput(t *testing.T) {
	full := gate.Decision{
		Request: gate.Request{Command: "rm -rf \"$x\" <&>\u2028\x7f\xff", Dir: "/a\tb"}, Verdict: gatecore.Undecided, Layer: gate.L1, Why: "why", Rule: "r.x",
		Instead: "ls", Findings: []gatecore.Finding{
			{RuleID: "a", Verdict: gatecore.Deny, Start: 1, End: 2, Why: "w", Instead: "i"}, {RuleID: "b", Verdict: gatecore.Allow},
		}, Answer: &gate.Answer{Noul: 0.1, Score: 3, State: "true", Confidence: 0.5, Model: "m"}, Server: "http://a http://b", Engine: "e",
		Fallback: gatecore.Undecided, Status: 503, Error: "unavailable: x",
	}
	sameEncoding(t, &full)
	sameEncoding(t, &gate.Decision{})
	// Every field alone in another state, so that none is forgotten, swapped or always there.
	for i := range reflect.TypeFor[gate.Decision]().NumField() {
		without := full
		reflect.ValueOf(&without).Elem().Field(i).SetZero()
		sameEncoding(t, &without)
		var only gate.Decision
		reflect.ValueOf(&only).Elem().Field(i).Set(reflect.ValueOf(full).Field(i))
		sameEncoding(t, &only)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), -1, 1e-9} {
		bad := full
		bad.Answer = &gate.Answer{Noul: v, Score: v, Confidence: v}
		sameEncoding(t, &bad)
	}
	many := full
	for range 3 * maxFindings {
		many.Findings = append(many.Findings, gatecore.Finding{RuleID: "more", Verdict: gatecore.Undecided})
	}
	sameEncoding(t, &many)
	many.Request.Command = strings.Repeat("x\n", keepBuffer)
	sameEncoding(t, &many)
	sameEncoding(t, &full) // after a large one
}

func FuzzGateResult(f *testing.F) {
	f.Add("ls", "/", "why", "rule", "instead", "server", 0.5, 3, uint8(1))
	f.Fuzz(func(t *testing.T, command, dir, why, rule, instead, server string, number float64, n int, v uint8) {
		sameEncoding(t, &gate.Decision{
			Request: gate.Request{Command: command, Dir: dir}, Verdict: gatecore.Verdict(v), Layer: gate.L0, Why: why, Rule: rule, Instead: instead,
			Findings: []gatecore.Finding{{RuleID: rule, Verdict: gatecore.Verdict(v % 5), Start: n, End: n + 1, Why: why, Instead: instead}},
			Answer:   &gate.Answer{Noul: number, Score: number, State: server, Confidence: number, Model: dir}, Server: server, Status: n, Error: why,
		})
	})
}
