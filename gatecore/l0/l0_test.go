package l0_test

import (
	"path"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// paths splits a comma-separated path list and evens its blanks.
func paths(list string) []string {
	var out []string
	for p := range strings.SplitSeq(list, ",") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// listed maps program names to their subcommand paths, in order. Windows names are kept apart, as the engine does.
func listed(windows bool) map[string][]string {
	all := map[string][]string{}
	for _, d := range l0.Domains() {
		for _, p := range d.Programs {
			if (p.Style == l0.Windows) != windows {
				continue
			}
			var list []string
			for _, c := range p.Commands {
				list = append(list, paths(c.Path)...)
			}
			for name := range strings.FieldsSeq(p.Names) {
				all[name] = list
			}
		}
	}
	return all
}

func TestEveryRuleCarriesItsProof(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range l0.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			is := is.New(t)
			is.True(!ids[r.ID])                    // id is used once
			is.True(strings.Contains(r.ID, "."))   // id is domain.name
			is.True(strings.HasSuffix(r.Why, ".")) // why is a sentence
			is.True(r.Verdict == l0.Undecided || r.Verdict == l0.Deny || len(r.When) == 0)
			if len(r.When) > 0 {
				is.True(len(r.Yes) > 0) // a command it must match
				is.True(len(r.No) > 0)  // a command it must not match
			}
			ids[r.ID] = true
		})
	}
}

// TestRulesNameListedCommands finds rule paths that no program lists, which would never fire.
func TestRulesNameListedCommands(t *testing.T) {
	plain, windows := listed(false), listed(true)
	for _, r := range l0.Rules() {
		for _, m := range r.When {
			for name := range strings.FieldsSeq(m.Program) {
				if plain[name] == nil && windows[name] == nil {
					if _, ok := plain[name]; !ok {
						if _, ok := windows[name]; !ok {
							t.Errorf("%s: program %q is not listed", r.ID, name)
						}
					}
				}
			}
			for _, want := range paths(m.Command) {
				found := false
				for name := range strings.FieldsSeq(m.Program) {
					for _, have := range append(plain[name], windows[name]...) {
						found = found || have == want || strings.HasPrefix(have, want+" ")
					}
				}
				if !found {
					t.Errorf("%s: no program of %q lists %q", r.ID, m.Program, want)
				}
			}
		}
	}
}

// TestNoPathIsShadowed finds globbed paths that an earlier globbed path of the same program always takes.
func TestNoPathIsShadowed(t *testing.T) {
	for _, d := range l0.Domains() {
		for _, p := range d.Programs {
			var earlier []string
			for _, c := range p.Commands {
				for _, have := range paths(c.Path) {
					if strings.Contains(have, "*") {
						for _, e := range earlier {
							if covers(e, have) {
								t.Errorf("%s: %q comes after %q, which takes all of it", p.Names, have, e)
							}
						}
						earlier = append(earlier, have)
					}
				}
			}
		}
	}
}

// covers reports whether glob path a matches everything that glob path b does.
func covers(a, b string) bool {
	as, bs := strings.Fields(a), strings.Fields(b)
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if ok, err := path.Match(as[i], strings.ReplaceAll(bs[i], "*", "x")); err != nil || !ok {
			return false
		}
	}
	return true
}

// TestDomainsAreFresh checks that a caller who changes the table changes only his copy.
func TestDomainsAreFresh(t *testing.T) {
	is := is.New(t)
	first := l0.Domains()
	for i := range first {
		first[i].Name = "changed"
		for k := range first[i].Rules {
			first[i].Rules[k].ID = "changed"
		}
	}
	for _, d := range l0.Domains() {
		is.True(d.Name != "changed") // name of a second copy
		for _, r := range d.Rules {
			is.True(r.ID != "changed") // rule of a second copy
		}
	}
}
