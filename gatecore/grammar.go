package gatecore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// effect is what an option does; one bit each, so that a command can say in one
// word what its options may do.
type effect uint32

const (
	effRead effect = 1 << iota
	effFile
	effWrite
	effAppend
	effChange
	effRun
	effConfig
	effEndpoint
	effSend
	effCode
	effCodeFile
	effShell
	effDir
	effSecret
	effInteract
	effHelp
	effDryRun
	effPrints

	// effHarmful are the effects a planted or dynamic option could bring in.
	effHarmful = effWrite | effAppend | effChange | effRun | effConfig | effSend | effCode | effCodeFile | effShell | effSecret
)

type arity uint8

const (
	noValue arity = iota
	needsValue
	mayValue
	twoValues // a name, then the value (jq --arg)
)

type option struct {
	name  string // "-k", "--key", "of="
	eff   effect
	arity arity
}

// grammar is the compiled form of l0.Options. Lookups never allocate.
type grammar struct {
	short    [128]*option
	long     map[string]*option // with dashes, without =
	sorted   []string           // the long names, for abbreviations
	prefixes []*option          // --no-*
	number   *option            // -5
	effects  effect
}

type role uint8

const (
	roleNone role = iota
	roleWord
	roleName
	roleFile
	roleWrite
	roleAppend
	roleDelete
	roleCode
	roleShell
	roleCmd
	roleHost
	roleSet
)

type slot struct {
	role     role
	min, max int // max -1 = any
}

// signature says what each operand is. open means that the table did not say.
type signature struct {
	slots []slot
	open  bool
	min   int
	max   int // -1 = any
	cmd   int // index of the slot of a wrapped command, or -1
}

type effectList struct {
	list string
	eff  effect
}

func optionLists(o *l0.Options) []effectList {
	return []effectList{
		{o.Read, effRead},
		{o.File, effFile},
		{o.Write, effWrite},
		{o.Append, effAppend},
		{o.Change, effChange},
		{o.Run, effRun},
		{o.Config, effConfig},
		{o.Endpoint, effEndpoint},
		{o.Send, effSend},
		{o.Code, effCode},
		{o.CodeFile, effCodeFile},
		{o.Shell, effShell},
		{o.Dir, effDir},
		{o.Secret, effSecret},
		{o.Interact, effInteract},
		{o.Help, effHelp},
		{o.DryRun, effDryRun},
		{o.Prints, effPrints},
	}
}

// add adds one word of an option list. The same option in two lists of one
// command has both effects.
func (g *grammar) add(w string, eff effect) error {
	if w == "-#" {
		g.number = &option{name: "-#", eff: eff}
		g.effects |= eff
		return nil
	}
	if strings.HasSuffix(w, "*") && strings.HasPrefix(w, "-") {
		g.prefixes = append(g.prefixes, &option{name: strings.TrimSuffix(w, "*"), eff: eff, arity: mayValue})
		g.effects |= eff
		return nil
	}
	o := &option{name: w, eff: eff}
	switch {
	case !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "/") && !strings.HasPrefix(w, "+"):
		if !strings.HasSuffix(w, "=") || len(w) < 2 {
			return fmt.Errorf("option %q neither starts with a dash nor is keyed", w)
		}
	case len(w) > 3 && strings.HasSuffix(w, "=="):
		o.name, o.arity = w[:len(w)-2], twoValues
	case len(w) > 1 && strings.HasSuffix(w, "="):
		o.name, o.arity = w[:len(w)-1], needsValue
	case len(w) > 2 && strings.HasSuffix(w, "?"):
		o.name, o.arity = w[:len(w)-1], mayValue
	}
	g.effects |= eff
	if g.long == nil {
		g.long = map[string]*option{}
	}
	if len(o.name) == 2 && o.name[0] == '-' && o.name[1] != '-' && o.name[1] < 128 {
		if old := g.short[o.name[1]]; old != nil {
			old.eff |= eff
			return nil
		}
		g.short[o.name[1]] = o
		return nil
	}
	if old := g.long[o.name]; old != nil {
		old.eff |= eff
		return nil
	}
	g.long[o.name] = o
	return nil
}

// finish sorts the long names for the search of abbreviations.
func (g *grammar) finish() {
	g.sorted = g.sorted[:0]
	for name := range g.long {
		g.sorted = append(g.sorted, name)
	}
	slices.Sort(g.sorted)
}

func (g *grammar) find(name string) *option {
	if len(name) == 2 && name[0] == '-' && name[1] < 128 && g.short[name[1]] != nil {
		return g.short[name[1]]
	}
	if o := g.long[name]; o != nil {
		return o
	}
	for _, p := range g.prefixes {
		if strings.HasPrefix(name, p.name) {
			return p
		}
	}
	return nil
}

// abbreviated finds the long options that start with name. One candidate is a
// meaning; several are none (the caller treats them as unknown, rules see all).
func (g *grammar) abbreviated(name string) []string {
	i, _ := slices.BinarySearch(g.sorted, name)
	n := i
	for n < len(g.sorted) && strings.HasPrefix(g.sorted[n], name) {
		n++
	}
	return g.sorted[i:n]
}

var roleNames = map[string]role{
	"word": roleWord, "name": roleName, "file": roleFile, "write": roleWrite, "append": roleAppend, "delete": roleDelete,
	"code": roleCode, "shell": roleShell, "cmd": roleCmd, "host": roleHost, "set": roleSet,
}

func compileSignature(s string) (signature, error) {
	sig := signature{cmd: -1}
	if s == "" {
		sig.open = true
		return sig, nil
	}
	if s == "-" {
		return sig, nil
	}
	for i, f := range strings.Fields(s) {
		sl := slot{min: 1, max: 1}
		switch f[len(f)-1] {
		case '?':
			sl.min, f = 0, f[:len(f)-1]
		case '*':
			sl.min, sl.max, f = 0, -1, f[:len(f)-1]
		case '+':
			sl.max, f = -1, f[:len(f)-1]
		}
		sl.role = roleNames[f]
		if sl.role == roleNone {
			return sig, fmt.Errorf("operand role %q does not exist", f)
		}
		if sl.role == roleCmd {
			sig.cmd, sl.max = i, -1
		}
		if sl.max < 0 && sig.max < 0 {
			return sig, fmt.Errorf("operand signature %q repeats twice", s)
		}
		sig.min += sl.min
		if sl.max < 0 {
			sig.max = -1
		} else if sig.max >= 0 {
			sig.max += sl.max
		}
		sig.slots = append(sig.slots, sl)
	}
	return sig, nil
}

// role returns the role of operand i of n.
func (s *signature) role(i, n int) role {
	if s.open {
		return roleNone
	}
	// Slots before the repeating one count from the left, those after it from the right.
	spare := n - s.min // operands that optional slots may take
	for _, sl := range s.slots {
		take := sl.min
		if spare > 0 {
			extra := spare
			if sl.max >= 0 {
				extra = min(extra, sl.max-sl.min)
			}
			take += extra
			spare -= extra
		}
		if i < take {
			return sl.role
		}
		i -= take
	}
	return roleNone
}

// writes reports a signature with an operand that is written or changes something.
func (s *signature) writes() bool {
	for i := range s.slots {
		switch s.slots[i].role {
		case roleWrite, roleAppend, roleDelete, roleSet:
			return true
		}
	}
	return false
}
