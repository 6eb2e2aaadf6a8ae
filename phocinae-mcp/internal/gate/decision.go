package gate

import (
	"fmt"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore"
)

// Layer names what reached the decision. The zero value is invalid.
type Layer string

// The layers of a decision.
const (
	L0           Layer = "L0"            // the deterministic table
	L1           Layer = "L1"            // both model answers, combined
	FailClosed   Layer = "fail_closed"   // nobody could decide
	HumanConfirm Layer = "human_confirm" // the confirmation round was answered
)

// Word is how a verdict is told to the outside: "allow", "ask" or "deny". An invalid verdict reads as deny.
func Word(v gatecore.Verdict) string {
	switch v {
	case gatecore.Allow:
		return "allow"
	case gatecore.Undecided:
		return "ask"
	}
	return "deny"
}

// HumanAction says what the host must do about a verdict: "none", "confirm" or "block".
func HumanAction(v gatecore.Verdict) string {
	switch v {
	case gatecore.Allow:
		return "none"
	case gatecore.Undecided:
		return "confirm"
	}
	return "block"
}

// Answer is what a service said about one command.
type Answer struct {
	Noul       float64
	Score      float64
	State      string  // "true", "wavering" or "false"
	Confidence float64 // 0 when the service gave none
	Model      string
}

// Decision is the outcome for one command.
type Decision struct {
	Request  Request
	Verdict  gatecore.Verdict // Undecided means: ask a person
	Layer    Layer
	Kind     gatecore.Kind      // of L0's undecided, else zero
	Findings []gatecore.Finding // of L0, strictest first; nil with the table off
	Why      string             // one sentence for a person, without rule id
	Rule     string             // id of the rule that decided or left it undecided; may be empty
	Instead  string             // a safer way; may be empty
	Answer   *Answer            // the strictest service's answers; nil when no service was used
	Server   string             // services asked, separated by a blank; empty when none was
	Engine   string
	Fallback gatecore.Verdict // the configured answer for undecided commands
	Status   int              // HTTP status of a failed service; 0 otherwise
	Error    string           // kind of failure and one sentence; empty without a failure
}

// Reason is the decision's sentence with the rule in front, as it is told to agents.
func (d *Decision) Reason() string {
	var b strings.Builder
	if d.Rule != "" {
		b.WriteString(d.Rule + ": ")
	}
	b.WriteString(d.Why)
	if d.Instead != "" && d.Verdict != gatecore.Allow {
		b.WriteString(" Instead: " + d.Instead)
	}
	return b.String()
}

// about takes the strictest finding's words into the decision.
func (d *Decision) about(findings []gatecore.Finding) {
	d.Findings = findings
	if len(findings) == 0 {
		return
	}
	first := findings[0]
	d.Rule, d.Why, d.Instead = first.RuleID, first.Why, first.Instead
	same := 0
	for _, f := range findings[1:] {
		if f.Verdict == first.Verdict && f.RuleID != first.RuleID {
			same++
		}
	}
	if same > 0 && first.Verdict != gatecore.Allow {
		d.Why += fmt.Sprintf(" (Further findings: %d.)", same)
	}
}
