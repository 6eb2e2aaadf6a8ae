package gatecore

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// ruleSet is a table of which nothing is built before it is needed: an index says which domains speak about a name, a domain's
// data is made when a command names one of its programs or a finding one of its rules, and the grammar of a program
// and of each subcommand when it is called. It is safe for concurrent use: what two goroutines make at once is equal, and
// the first to finish is kept.
type ruleSet struct {
	index    *l0.Index
	sources  []func() l0.Domain
	domains  []atomic.Pointer[domain]
	programs []atomic.Pointer[program] // at the places of index.Programs
	windows  []atomic.Pointer[program] // at the places of index.Windows
	common   atomic.Pointer[[]compiledMatch]
}

// domain is the data of one domain, and its rules with what the engine knows of them.
type domain struct {
	l0.Domain
	rules []rule
}

func newRuleSet(index *l0.Index, sources []func() l0.Domain) *ruleSet {
	return &ruleSet{
		index: index, sources: sources, domains: make([]atomic.Pointer[domain], len(sources)),
		programs: make([]atomic.Pointer[program], len(index.Programs)), windows: make([]atomic.Pointer[program], len(index.Windows)),
	}
}

// program finds a program that is not one of Windows by its name, or nil.
func (s *ruleSet) program(name string) *program {
	return s.find(s.index.Programs, s.programs, name, false)
}

// windowsProgram finds a program of Windows by its name in lower case, or nil.
func (s *ruleSet) windowsProgram(lower string) *program {
	return s.find(s.index.Windows, s.windows, lower, true)
}

// find looks name up in one list of the index, and makes its program if nobody has asked for it before.
func (s *ruleSet) find(entries []l0.Entry, made []atomic.Pointer[program], name string, windows bool) *program {
	i := l0.PlaceOf(entries, name)
	if i < 0 {
		return nil
	}
	if p := made[i].Load(); p != nil {
		return p
	}
	return s.make(&made[i], entries[i], windows)
}

// make gathers what the domains of an entry say about its program.
func (s *ruleSet) make(where *atomic.Pointer[program], e l0.Entry, windows bool) *program {
	p := &program{name: e.Name}
	for i := range s.sources {
		if e.Domains&(1<<i) == 0 {
			continue
		}
		d := s.domain(i)
		for k := range d.Programs {
			if data := &d.Programs[k]; p.data == nil && (data.Style == l0.Windows) == windows && listed(data.Names, e.Name, windows) {
				p.style, p.anywhere, p.network, p.data = data.Style, data.GlobalsAnywhere, data.Network, data
			}
		}
		for k := range d.rules {
			r := &d.rules[k]
			for m := range r.When {
				if listed(r.When[m].Program, e.Name, windows) {
					p.matches = append(p.matches, pendingMatch{r, &r.When[m]})
				}
			}
		}
	}
	if p.data == nil {
		return nil // an index of other data: the program is unknown
	}
	if !where.CompareAndSwap(nil, p) {
		return where.Load()
	}
	return p
}

// listed reports whether name is one of a blank-separated list; lower: without regard to case.
func listed(list, name string, lower bool) bool {
	for n := range strings.FieldsSeq(list) {
		if n == name || lower && strings.ToLower(n) == name {
			return true
		}
	}
	return false
}

// domain returns the data of a domain.
func (s *ruleSet) domain(i int) *domain {
	if d := s.domains[i].Load(); d != nil {
		return d
	}
	d := &domain{Domain: s.sources[i]()}
	d.rules = make([]rule, len(d.Rules))
	for k := range d.Rules {
		r := rule{Rule: &d.Rules[k], kind: d.Rules[k].Kind, domain: d.Name}
		if r.Verdict == l0.Undecided && r.kind == 0 {
			r.kind = l0.Unproven
		}
		d.rules[k] = r
	}
	if !s.domains[i].CompareAndSwap(nil, d) {
		return s.domains[i].Load()
	}
	return d
}

// rule finds a rule by its id, or nil.
func (s *ruleSet) rule(id string) *rule {
	i := l0.PlaceOf(s.index.Rules, id)
	if i < 0 {
		return nil
	}
	for k := range s.sources {
		if s.index.Rules[i].Domains&(1<<k) == 0 {
			continue
		}
		d := s.domain(k)
		if n := slices.IndexFunc(d.rules, func(r rule) bool { return r.ID == id }); n >= 0 {
			return &d.rules[n]
		}
	}
	return nil
}

// universal returns the matches that name no program.
func (s *ruleSet) universal() []compiledMatch {
	if s.index.Universal == 0 {
		return nil
	}
	if c := s.common.Load(); c != nil {
		return *c
	}
	var out []compiledMatch
	for i := range s.sources {
		if s.index.Universal&(1<<i) == 0 {
			continue
		}
		d := s.domain(i)
		for k := range d.rules {
			for m := range d.rules[k].When {
				if d.rules[k].When[m].Program == "" {
					out = append(out, compileMatch(&d.rules[k], &d.rules[k].When[m]))
				}
			}
		}
	}
	s.common.Store(&out)
	return out
}

// all returns every rule, in the order of the domains.
func (s *ruleSet) all() []*rule {
	var out []*rule
	for i := range s.sources {
		d := s.domain(i)
		for k := range d.rules {
			out = append(out, &d.rules[k])
		}
	}
	return out
}
