package gatecore

import (
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

func TestAllRuleDataCompiles(t *testing.T) {
	is := is.New(t)
	set, err := compile(l0.Domains())
	is.NoErr(err)            // names and ids are unique, rules name listed programs
	is.NoErr(set.checkAll()) // every option list, signature and path is well formed
}

func TestDataMistakesAreReported(t *testing.T) {
	one := func(p l0.Program, r ...l0.Rule) []l0.Domain {
		return []l0.Domain{{Name: "x", Programs: []l0.Program{p}, Rules: r}}
	}
	ok := l0.Program{Names: "x", Command: l0.Command{Is: l0.Reader, Operands: "file*"}}
	for _, c := range []struct {
		claim string
		data  []l0.Domain
	}{
		{"a name listed twice", append(one(ok), one(ok)...)},
		{"a program without a name", one(l0.Program{})},
		{"a rule without a why", one(ok, l0.Rule{ID: "a.b", Verdict: l0.Deny})},
		{"an id used twice", one(ok, l0.Rule{ID: "a.b", Why: "x.", Verdict: l0.Deny}, l0.Rule{ID: "a.b", Why: "x.", Verdict: l0.Deny})},
		{"a rule about an unlisted program", one(ok, l0.Rule{ID: "a.b", Why: "x.", Verdict: l0.Deny, When: []l0.Match{{Program: "y"}}})},
		{"an unknown role", one(l0.Program{Names: "x", Command: l0.Command{Operands: "fil*"}})},
		{"a signature that repeats twice", one(l0.Program{Names: "x", Command: l0.Command{Operands: "file* word*"}})},
		{"an option without a dash", one(l0.Program{Names: "x", Command: l0.Command{Options: l0.Options{Read: "a"}}})},
		{"a subcommand listed twice", one(l0.Program{Names: "x", Commands: []l0.Command{{Path: "a, a"}}})},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			set, err := compile(c.data)
			if err == nil {
				err = set.checkAll()
			}
			is.True(err != nil)
		})
	}
}

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		sig  string
		n    int
		want []role
	}{
		{"file+ write", 3, []role{roleFile, roleFile, roleWrite}},
		{"word file*", 1, []role{roleWord}},
		{"file? write?", 2, []role{roleFile, roleWrite}},
		{"file? write?", 1, []role{roleFile}},
		{"-", 1, []role{roleNone}},
		{"word cmd*", 3, []role{roleWord, roleCmd, roleCmd}},
	} {
		t.Run(c.sig, func(t *testing.T) {
			is := is.New(t)
			sig, err := compileSignature(c.sig)
			is.NoErr(err)
			var got []role
			for i := range c.n {
				got = append(got, sig.role(i, c.n))
			}
			is.Equal(got, c.want)
		})
	}
}
