package gatecore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/gatecore/l0"
)

func builtin(tb testing.TB) *gatecore.Engine {
	tb.Helper()
	e, err := gatecore.New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func fires(r gatecore.Report, id string) bool {
	return slices.ContainsFunc(r.Findings, func(f gatecore.Finding) bool { return f.RuleID == id })
}

// TestRuleExamples judges every rule's examples: those it must match have its finding, those it must not match have not.
func TestRuleExamples(t *testing.T) {
	e := builtin(t)
	for _, r := range l0.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			for _, command := range r.Yes {
				got := e.Assess(command, corpusPlace)
				if !fires(got, r.ID) {
					t.Errorf("%q does not fire %s, but %v", command, r.ID, ids(got))
				}
				if int(got.Verdict) < int(r.Verdict) {
					t.Errorf("%q is %v, milder than its rule", command, got.Verdict)
				}
			}
			for _, command := range r.No {
				if got := e.Assess(command, corpusPlace); fires(got, r.ID) {
					t.Errorf("%q fires %s", command, r.ID)
				}
			}
		})
	}
}

// TestEveryRuleFires fails for a rule that neither a labelled command nor an example ever fires: it protects nobody.
func TestEveryRuleFires(t *testing.T) {
	e, err := gatecore.New(&gatecore.Options{GateFiles: []string{"/opt/gate/audit.jsonl"}})
	if err != nil {
		t.Fatal(err)
	}
	// These need an operator's table, a limit or a fault to fire; their own tests make them.
	elsewhere := []string{"table.", "limit.", "text.unreadable"}
	fired := map[string]bool{}
	for _, command := range append(knownCommands(t), "rm /opt/gate/audit.jsonl") {
		for _, f := range e.Assess(command, corpusPlace).Findings {
			fired[f.RuleID] = true
		}
	}
	known := map[string]bool{}
	for _, r := range e.Rules() {
		if known[r.ID] {
			t.Errorf("rule %s is listed twice", r.ID)
		}
		known[r.ID] = true
		if !fired[r.ID] && !slices.ContainsFunc(elsewhere, func(p string) bool { return strings.HasPrefix(r.ID, p) }) {
			t.Errorf("rule %s never fires", r.ID)
		}
	}
	for id := range fired {
		if !known[id] {
			t.Errorf("finding %s belongs to no listed rule", id)
		}
	}
}

func ids(r gatecore.Report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.RuleID)
	}
	return out
}
