package gatecore_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/gatecore"
)

// corpusPlace is the place every labelled command is judged at.
var corpusPlace = gatecore.Place{Dir: "/home/dev/work/app", Home: "/home/dev"}

// labelled is one line of a corpus: a command and the answer a person gave it.
type labelled struct {
	ID         string `json:"id"`
	Command    string `json:"command"`
	Want       string `json:"want"` // allow, ask or deny
	Kind       string `json:"kind"`
	Confidence string `json:"confidence"` // high or low
	Why        string `json:"why"`
}

// corpusPolicy is the first line of a corpus.
type corpusPolicy struct {
	Policy  map[string]string `json:"_policy"`
	Runners []string          `json:"_operator_runners"`
	Cases   int               `json:"_cases"`
}

// readCorpus reads a JSON Lines corpus and checks its form: every label known, every id unique, no command twice.
func readCorpus(tb testing.TB, name string) (corpusPolicy, []labelled) {
	tb.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var (
		policy   corpusPolicy
		cases    []labelled
		ids      = map[string]bool{}
		commands = map[string]string{}
	)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			if err := json.Unmarshal(lines.Bytes(), &policy); err != nil {
				tb.Fatalf("%s:1: %v", name, err)
			}
			continue
		}
		var c labelled
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			tb.Fatalf("%s:%d: %v", name, n, err)
		}
		switch {
		case c.Want != "allow" && c.Want != "ask" && c.Want != "deny":
			tb.Fatalf("%s:%d: label %q", name, n, c.Want)
		case c.Confidence != "high" && c.Confidence != "low":
			tb.Fatalf("%s:%d: confidence %q", name, n, c.Confidence)
		case c.ID == "" || ids[c.ID]:
			tb.Fatalf("%s:%d: id %q missing or used twice", name, n, c.ID)
		case commands[c.Command] != "":
			tb.Fatalf("%s:%d: %s has the command of %s", name, n, c.ID, commands[c.Command])
		}
		ids[c.ID], commands[c.Command] = true, c.ID
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	if policy.Cases != len(cases) {
		tb.Fatalf("%s: first line says %d cases, file has %d", name, policy.Cases, len(cases))
	}
	return policy, cases
}

// corpusEngine is an engine whose operator listed the given runners and nothing else.
func corpusEngine(tb testing.TB, runners []string) *gatecore.Engine {
	tb.Helper()
	data, err := json.Marshal(map[string]any{"runners": runners})
	if err != nil {
		tb.Fatal(err)
	}
	table, err := gatecore.ParseTable(data)
	if err != nil {
		tb.Fatal(err)
	}
	e, err := gatecore.New(&gatecore.Options{Table: table})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// answer is the corpus' word for a verdict: what the gate leaves open, a person is asked about.
func answer(v gatecore.Verdict) string {
	switch v {
	case gatecore.Allow:
		return "allow"
	case gatecore.Undecided:
		return "ask"
	case gatecore.Deny:
		return "deny"
	}
	return "invalid"
}

// tally counts one corpus.
type tally struct {
	matrix                map[[2]string]int // want, got
	high, highExact       int
	all, exact            int
	dangerous, blocked    []string // want ask or deny and got allow; want allow and got anything else
	missedDeny, otherMiss []string
	highMiss              []string
}

func (s *tally) add(c labelled, r gatecore.Report) {
	got := answer(r.Verdict)
	s.matrix[[2]string{c.Want, got}]++
	s.all++
	if c.Confidence == "high" {
		s.high++
	}
	line := fmt.Sprintf("%s want %s got %s (%s): %q", c.ID, c.Want, got, r.Findings[0].RuleID, c.Command)
	if got == c.Want {
		s.exact++
		if c.Confidence == "high" {
			s.highExact++
		}
		return
	}
	if c.Confidence == "high" {
		s.highMiss = append(s.highMiss, c.ID)
	}
	switch {
	case got == "allow":
		s.dangerous = append(s.dangerous, line)
	case c.Want == "allow":
		s.blocked = append(s.blocked, line)
	case c.Want == "deny":
		s.missedDeny = append(s.missedDeny, line)
	default:
		s.otherMiss = append(s.otherMiss, line)
	}
}

func (s *tally) count(want string) int {
	n := 0
	for _, got := range []string{"allow", "ask", "deny"} {
		n += s.matrix[[2]string{want, got}]
	}
	return n
}

// String is the confusion matrix, one row a label.
func (s *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-12s %6s %6s %6s\n", "want \\ got", "allow", "ask", "deny")
	for _, want := range []string{"allow", "ask", "deny"} {
		fmt.Fprintf(&b, "%-12s", want)
		for _, got := range []string{"allow", "ask", "deny"} {
			fmt.Fprintf(&b, " %6d", s.matrix[[2]string{want, got}])
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "exact %d/%d, high confidence %d/%d", s.exact, s.all, s.highExact, s.high)
	return b.String()
}

// TestCorpus judges every labelled command. A command that a person would not have let through is never allowed;
// the other bounds are GATE.md's.
func TestCorpus(t *testing.T) {
	for _, name := range []string{"corpus.jsonl", "extra.jsonl"} {
		t.Run(name, func(t *testing.T) {
			policy, cases := readCorpus(t, name)
			e := corpusEngine(t, policy.Runners)
			s := &tally{matrix: map[[2]string]int{}}
			for _, c := range cases {
				s.add(c, e.Assess(c.Command, corpusPlace))
			}
			t.Log(s)
			list := func(what string, lines []string) string {
				return what + ":\n\t" + strings.Join(lines, "\n\t")
			}
			if len(s.dangerous) > 0 {
				t.Error(list("allowed though dangerous or unclear", s.dangerous))
			}
			if n := s.count("allow"); len(s.blocked)*100 > 2*n {
				t.Error(list(fmt.Sprintf("harmless commands blocked, %d of %d", len(s.blocked), n), s.blocked))
			}
			if n := s.count("deny"); (n-len(s.missedDeny))*100 < 97*n {
				t.Error(list(fmt.Sprintf("destructive commands not denied, %d of %d", len(s.missedDeny), n), s.missedDeny))
			}
			if s.highExact*100 < 97*s.high {
				t.Error(list(fmt.Sprintf("high confidence: %d of %d exact", s.highExact, s.high), s.highMiss))
			}
			if s.exact*100 < 93*s.all {
				t.Errorf("%d of %d exact", s.exact, s.all)
			}
			if misses := append(append(s.blocked, s.missedDeny...), s.otherMiss...); len(misses) > 0 {
				if name == "extra.jsonl" { // our own labels: a change either keeps them or says why a label changes
					t.Error(list("differs from the label", misses))
				} else {
					t.Log(list("differs from the label", misses))
				}
			}
		})
	}
}

// TestCorpusIsDeterministic judges each command three times, on two engines, in two orders, and expects the same report:
// nothing of a judgement is left for the next one, whose memory it is.
func TestCorpusIsDeterministic(t *testing.T) {
	is := is.New(t)
	policy, cases := readCorpus(t, "extra.jsonl")
	one, two := corpusEngine(t, policy.Runners), corpusEngine(t, policy.Runners)
	first := make([]gatecore.Report, len(cases))
	for i, c := range cases {
		first[i] = one.Assess(c.Command, corpusPlace)
		is.Equal(first[i], one.Assess(c.Command, corpusPlace)) // same engine, same report
	}
	for i, c := range slices.Backward(cases) {
		is.Equal(first[i], two.Assess(c.Command, corpusPlace)) // another engine, another order, same report
	}
}

// TestFindingsAreUsable checks what a person sees: at least one finding, a reason, a span inside the command,
// strictest first, and the report's verdict that of its first finding.
func TestFindingsAreUsable(t *testing.T) {
	for _, name := range []string{"corpus.jsonl", "extra.jsonl"} {
		policy, cases := readCorpus(t, name)
		e := corpusEngine(t, policy.Runners)
		for _, c := range cases {
			r := e.Assess(c.Command, corpusPlace)
			if len(r.Findings) == 0 {
				t.Fatalf("%s: no finding for %q", c.ID, c.Command)
			}
			if r.Findings[0].Verdict != r.Verdict {
				t.Errorf("%s: report %v, first finding %v", c.ID, r.Verdict, r.Findings[0].Verdict)
			}
			for i, f := range r.Findings {
				if f.RuleID == "" || f.Why == "" {
					t.Errorf("%s: finding %d has no rule or no reason: %+v", c.ID, i, f)
				}
				if f.Start < 0 || f.End < f.Start || f.End > len(c.Command) {
					t.Errorf("%s: span %d..%d outside %q", c.ID, f.Start, f.End, c.Command)
				}
				if i > 0 && f.Verdict > r.Findings[i-1].Verdict {
					t.Errorf("%s: finding %d is stricter than the one before", c.ID, i)
				}
			}
		}
	}
}
