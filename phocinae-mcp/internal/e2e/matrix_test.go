package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mockp0"
)

// caller is one way a tool asks the service.
type caller struct {
	name, tool string
	types      []string // question types that the fault waits for; one alone means that the other answer is good
	arguments  func(mark string) string
}

func gateArguments(mark string) string {
	return fmt.Sprintf(`{"command":"frobnicate --case %s"}`, mark)
}

func callers() []caller {
	list := func(member string) func(string) string {
		return func(mark string) string {
			return fmt.Sprintf(`{"state":"text of %s","%s":["printer","billing","other"]}`, mark, member)
		}
	}
	return []caller{
		{"gate", "gate", []string{"noul", "score"}, gateArguments},
		{"gate with a good score", "gate", []string{"noul"}, gateArguments},
		{"gate with a good noul", "gate", []string{"score"}, gateArguments},
		{"classify", "classify", []string{"choice"}, list("labels")},
		{"route", "route", []string{"choice"}, list("tools")},
		{"score", "score", []string{"score"}, list("criteria")},
	}
}

// trial is one cell: a caller under a fault; without a fault it is the counter-check.
type trial struct {
	fault  *mockp0.NamedFault
	caller *caller
	mark   string // in the state, so that the mock knows which fault is meant
}

// trials crosses faults and callers and makes the script that hurts each of them in its own way.
func trials() ([]trial, *mockp0.Script) {
	var all []trial
	var rules []mockp0.Rule
	faults, who := mockp0.Faults(), callers()
	for i := range faults {
		for k := range who {
			f, c := &faults[i], &who[k]
			if !slices.ContainsFunc(c.types, f.Hurts) {
				continue
			}
			mark := fmt.Sprintf("mark-%d-%d-end", i, k)
			all = append(all, trial{f, c, mark})
			for _, kind := range c.types {
				rules = append(rules, mockp0.Rule{Name: mark, Match: mockp0.Match{Type: kind, Contains: mark}, Fault: &f.Fault})
			}
		}
	}
	return all, &mockp0.Script{Rules: append(rules,
		mockp0.Rule{Name: "yes", Match: mockp0.Match{Type: "noul"}, Answer: &mockp0.Answer{Noul: mockp0.Float(0.95)}},
		mockp0.Rule{Name: "no risk", Match: mockp0.Match{Type: "score"}, Answer: &mockp0.Answer{Score: mockp0.Float(2)}},
	)}
}

// TestEveryFaultThroughTheProgram is invariant 1 from the outside: whatever the service does, in every tool, over both
// transports and in both eras, the gate denies with layer fail_closed, the others say isError, one record is written, and
// the program goes on. The same calls without a fault are allowed and answered, so nothing here fails for another reason.
func TestEveryFaultThroughTheProgram(t *testing.T) {
	t.Parallel()
	all, script := trials()
	for _, overHTTP := range []bool{false, true} {
		t.Run(map[bool]string{false: "stdio", true: "http"}[overHTTP], func(t *testing.T) {
			t.Parallel()
			is := is.New(t)
			mock, err := mockp0.Start("127.0.0.1:0", script)
			is.NoErr(err)
			defer mock.Close()
			p := start(t, setting{http: overHTTP, args: []string{
				"--server", mock.URL, "--l1-enabled", "--timeout", "1", "--rate", "100000", "--burst", "100000", "--fail-closed", "ask",
			}})
			p.initialize()

			expected := map[string]trial{}
			seen := runTrials(t, p, all, expected)
			for _, c := range callers() { // the counter-check, and the proof that the program still lives
				for _, v := range []string{modern, legacy} {
					id := "good/" + c.name + "/" + v
					expected[id] = trial{caller: &c}
					a, err := p.call(id, v, c.tool, c.arguments("no mark"))
					is.NoErr(err)
					wantAnswer(t, id, &c, a)
				}
			}
			p.end()
			is.Equal(len(p.strays()), 0) // standard output holds answers only
			wantRecords(t, p, expected)
			p.verify()
			t.Logf("%d calls, kinds of failure: %v", len(expected), seen)
		})
	}
}

// runTrials makes every call, many at a time, in both eras.
func runTrials(t *testing.T, p *program, all []trial, expected map[string]trial) map[string]int {
	t.Helper()
	var mu sync.Mutex
	kinds := map[string]int{}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 24)
	for _, tr := range all {
		for _, v := range []string{modern, legacy} {
			id := fmt.Sprintf("%s/%s/%s", tr.fault.Name, tr.caller.name, v)
			expected[id] = tr
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				a, err := p.call(id, v, tr.caller.tool, tr.caller.arguments(tr.mark))
				if err != nil {
					t.Errorf("%s: %v", id, err)
					return
				}
				kind := wantRefusal(t, id, &tr, a)
				mu.Lock()
				kinds[kind]++
				mu.Unlock()
			})
		}
	}
	wg.Wait()
	return kinds
}

// wantRefusal demands a refusal of the right kind and returns the kind. A busy machine may turn any fault into a timeout, and
// bytes that another fault left on a shared connection make a call unavailable.
func wantRefusal(t *testing.T, id string, tr *trial, a *answer) string {
	t.Helper()
	text := ""
	switch {
	case a.Result == nil:
		t.Errorf("%s: no result: %s", id, a.raw)
		return ""
	case tr.caller.tool == "gate":
		v := a.Result.Structured
		if v == nil || v.Decision != "deny" || v.Layer != "fail_closed" || a.Result.IsError {
			t.Errorf("%s: not a fail-closed deny: %s", id, a.raw)
			return ""
		}
		text = v.Error
	default:
		if !a.Result.IsError || a.Result.Structured != nil || len(a.Result.Content) != 1 {
			t.Errorf("%s: not an error alone: %s", id, a.raw)
			return ""
		}
		_, text, _ = strings.Cut(string(a.Result.Content[0]), `\"error\":\"`)
	}
	kind, _, ok := strings.Cut(text, ":")
	if !ok || kind != "timeout" && kind != "unavailable" && !slices.Contains(tr.fault.Kinds, kind) {
		t.Errorf("%s: told as %q, want one of %v", id, text, tr.fault.Kinds)
	}
	return kind
}

func wantAnswer(t *testing.T, id string, c *caller, a *answer) {
	t.Helper()
	switch {
	case a.Result == nil || a.Result.IsError || a.Result.Structured == nil:
		t.Errorf("%s: no answer without a fault: %s", id, a.raw)
	case c.tool == "gate" && (a.decision() != "allow" || a.Result.Structured.Layer != "L1"):
		t.Errorf("%s: two good answers do not allow: %s", id, a.raw)
	}
}

// wantRecords demands exactly one record of each call, with what became of it.
func wantRecords(t *testing.T, p *program, expected map[string]trial) {
	t.Helper()
	left := maps.Clone(expected)
	for _, r := range p.records() {
		id := strings.Trim(r.RequestID, `"`)
		tr, ok := left[id]
		delete(left, id)
		switch {
		case !ok:
			t.Errorf("a record too many: %+v", r)
		case r.Tool != tr.caller.tool:
			t.Errorf("recorded as another tool: %+v", r)
		case tr.fault == nil:
		case tr.caller.tool == "gate" && (r.Decision != "deny" || r.Layer != "fail_closed" || r.Error == ""):
			t.Errorf("recorded as something else than a fail-closed deny: %+v", r)
		case tr.caller.tool != "gate" && r.Error == "":
			t.Errorf("recorded without its error: %+v", r)
		}
	}
	for id := range left {
		t.Errorf("no record of %s", id)
	}
}
