package cli

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
)

// explanation is one finding without parts, as the engine leaves it after a panic.
func explanation(v gatecore.Verdict, k gatecore.Kind, rule string) *gatecore.Explanation {
	f := gatecore.Finding{RuleID: rule, Verdict: v, Kind: k, End: 2, Why: "The command cannot be read."}
	return &gatecore.Explanation{Report: gatecore.Report{Verdict: v, Kind: k, Findings: []gatecore.Finding{f}}}
}

// TestExplainSaysThatAJudgementBrokeOff: no parts after a fault must not look like a command without parts.
func TestExplainSaysThatAJudgementBrokeOff(t *testing.T) {
	const says = "The judgement broke off"
	for _, tt := range []struct {
		claim string
		e     *gatecore.Explanation
		want  bool
		head  string
	}{
		{"undecided after a fault", explanation(gatecore.Undecided, gatecore.Unreadable, "text.unreadable"), true, "UNDECIDED (UNREADABLE)  ls"},
		{"a syntax error is no fault", explanation(gatecore.Undecided, gatecore.Unreadable, "text.syntax"), false, "UNDECIDED (UNREADABLE)  ls"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			text := explainText("ls", tt.e, false)
			is.Equal(strings.Contains(text, says), tt.want)
			is.Equal(brokenOff(tt.e), tt.want)
			is.True(strings.HasPrefix(text, tt.head)) // the verdict is told either way
		})
	}
	t.Run("a deny found before the fault stays one", func(t *testing.T) {
		is := is.New(t)
		e := explanation(gatecore.Deny, 0, "operator.deny")
		e.Findings = append(e.Findings, explanation(gatecore.Undecided, gatecore.Unreadable, "text.unreadable").Findings...)
		text := explainText("ls", e, false)
		is.True(strings.HasPrefix(text, "DENY  ls"))
		is.True(strings.Contains(text, says))
		is.Equal(outlook(&config.Config{FailClosed: gatecore.Undecided}, e), "gate answers deny.")
	})
}

func TestOutlookIsWhatGateWouldDo(t *testing.T) {
	deny, ask := gatecore.Deny, gatecore.Undecided
	for _, tt := range []struct {
		claim string
		cfg   config.Config
		v     gatecore.Verdict
		k     gatecore.Kind
		want  string
	}{
		{"allow", config.Config{FailClosed: deny}, gatecore.Allow, 0, "gate answers allow."},
		{"deny", config.Config{FailClosed: ask, L1: true}, gatecore.Deny, 0, "gate answers deny."},
		{"an allow of some kind is none", config.Config{FailClosed: ask}, gatecore.Allow, gatecore.Unproven, "gate answers deny."},
		{"undecided without L1", config.Config{FailClosed: deny}, gatecore.Undecided, gatecore.Unproven, "gate answers deny: the table leaves it undecided, and L1 is off."},
		{"the operator's fallback", config.Config{FailClosed: ask}, gatecore.Undecided, gatecore.Unproven, "gate answers ask: the table leaves it undecided, and L1 is off."},
		{"undecided with L1", config.Config{FailClosed: deny, L1: true, Server: "http://s"}, gatecore.Undecided, gatecore.Unproven, "gate puts it to the service at http://s (L1 is on)."},
		{"unreadable with L1", config.Config{FailClosed: ask, L1: true}, gatecore.Undecided, gatecore.Unreadable, "gate answers ask: text that cannot be read for certain is not put to the service."},
		{"table off", config.Config{Guard: config.Guard{Off: true}, L1: true, Server: "http://s"}, gatecore.Deny, 0, "gate does not look at the table (--guard none): it puts every command to the service at http://s."},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			is.Equal(outlook(&tt.cfg, explanation(tt.v, tt.k, "x")), tt.want)
		})
	}
}
