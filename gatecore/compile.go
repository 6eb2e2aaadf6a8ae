package gatecore

import (
	"errors"
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

	// effHarmful are the effects a planted or dynamic option could bring in.
	effHarmful = effWrite | effAppend | effChange | effRun | effConfig | effSend | effCode | effCodeFile | effShell | effSecret
)

type arity uint8

const (
	noValue arity = iota
	needsValue
	mayValue
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

type command struct {
	path     string
	class    l0.Class
	sig      signature
	opts     grammar
	supplied []string
	decodes  []string
	always   bool // decodes without any option
	special  l0.Special
	lang     l0.Language
	why      string
	instead  string
	rules    []compiledMatch
}

type node struct {
	cmd   *command
	kids  map[string]*node
	globs []globKid
}

type globKid struct {
	pattern string
	node    *node
}

type program struct {
	name     string
	style    l0.Style
	anywhere bool
	network  bool
	root     *node
}

type group []optionTest

type optionTest struct {
	name   string
	value  string // glob, only if valued
	valued bool
}

type compiledMatch struct {
	rule    *rule
	m       *l0.Match
	has     []group
	not     []optionTest
	operand []string
	first   []string
	last    []string
	without []string
	env     []string
}

type rule struct {
	l0.Rule
	domain string
}

type ruleSet struct {
	programs  map[string]*program
	windows   map[string]*program
	rules     map[string]*rule
	list      []*rule
	universal []compiledMatch // matches that name no program
}

// compile turns the data into maps and reports every mistake in it at once.
func compile(domains []l0.Domain) (*ruleSet, error) {
	c := &compiler{set: &ruleSet{
		programs: map[string]*program{}, windows: map[string]*program{}, rules: map[string]*rule{},
	}}
	for i := range domains {
		for k := range domains[i].Programs {
			c.program(&domains[i].Programs[k])
		}
	}
	for i := range domains {
		for k := range domains[i].Rules {
			c.rule(domains[i].Name, &domains[i].Rules[k])
		}
	}
	for _, cmds := range c.commands {
		for _, cmd := range cmds {
			cmd.opts.finish()
		}
	}
	return c.set, errors.Join(c.errs...)
}

type compiler struct {
	set      *ruleSet
	errs     []error
	commands map[string][]*command // by program name
}

func (c *compiler) errorf(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("gatecore: rule data: "+format, args...))
}

func (c *compiler) program(d *l0.Program) {
	if c.commands == nil {
		c.commands = map[string][]*command{}
	}
	names := strings.Fields(d.Names)
	if len(names) == 0 {
		c.errorf("a program without a name")
		return
	}
	where := c.set.programs
	if d.Style == l0.Windows {
		where = c.set.windows
	}
	for _, name := range names {
		if strings.ToLower(name) != name && d.Style == l0.Windows {
			name = strings.ToLower(name)
		}
		if where[name] != nil {
			c.errorf("program %q is listed twice", name)
			continue
		}
		p := &program{name: name, style: d.Style, anywhere: d.GlobalsAnywhere, network: d.Network, root: &node{}}
		p.root.cmd = c.command(name, "", &d.Command, d)
		for i := range d.Commands {
			for _, path := range splitList(d.Commands[i].Path) {
				c.attach(p, path, c.command(name, path, &d.Commands[i], d))
			}
		}
		where[name] = p
	}
}

func splitList(s string) []string {
	var out []string
	for _, part := range strings.Split(s, ",") {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func (c *compiler) attach(p *program, path string, cmd *command) {
	n := p.root
	for _, seg := range strings.Fields(path) {
		n = n.child(seg)
	}
	if n.cmd != nil {
		c.errorf("%s %s is listed twice", p.name, path)
		return
	}
	n.cmd = cmd
}

func (n *node) child(seg string) *node {
	if strings.Contains(seg, "*") {
		for _, g := range n.globs {
			if g.pattern == seg {
				return g.node
			}
		}
		k := &node{}
		n.globs = append(n.globs, globKid{seg, k})
		return k
	}
	if n.kids == nil {
		n.kids = map[string]*node{}
	}
	k := n.kids[seg]
	if k == nil {
		k = &node{}
		n.kids[seg] = k
	}
	return k
}

func (c *compiler) command(prog, path string, d *l0.Command, p *l0.Program) *command {
	cmd := &command{
		path: path, class: d.Is, special: d.Special, lang: d.Language, why: d.Why, instead: d.Instead,
		supplied: strings.Fields(d.Supplied),
	}
	if cmd.lang == l0.NoLanguage {
		cmd.lang = p.Language
	}
	if d.Decodes == "*" {
		cmd.always = true
	} else {
		cmd.decodes = strings.Fields(d.Decodes)
	}
	var err error
	if cmd.sig, err = compileSignature(d.Operands); err != nil {
		c.errorf("%s %s: %v", prog, path, err)
	}
	for _, l := range optionLists(&d.Options) {
		for _, w := range strings.Fields(l.list) {
			if err := cmd.opts.add(w, l.eff); err != nil {
				c.errorf("%s %s: %v", prog, path, err)
			}
		}
	}
	if p.Style != l0.Raw && p.Style != l0.Windows {
		for _, w := range []string{"--help", "--version"} {
			if cmd.opts.long[w] == nil {
				_ = cmd.opts.add(w, effHelp) // cannot fail: the name is new
			}
		}
	}
	c.commands[prog] = append(c.commands[prog], cmd)
	return cmd
}

type effectList struct {
	list string
	eff  effect
}

func optionLists(o *l0.Options) []effectList {
	return []effectList{
		{o.Read, effRead}, {o.File, effFile}, {o.Write, effWrite}, {o.Append, effAppend}, {o.Change, effChange},
		{o.Run, effRun}, {o.Config, effConfig}, {o.Endpoint, effEndpoint}, {o.Send, effSend}, {o.Code, effCode},
		{o.CodeFile, effCodeFile}, {o.Shell, effShell}, {o.Dir, effDir}, {o.Secret, effSecret},
		{o.Interact, effInteract}, {o.Help, effHelp}, {o.DryRun, effDryRun},
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

func (c *compiler) rule(domain string, d *l0.Rule) {
	if d.ID == "" || d.Why == "" || d.Verdict < l0.Allow || d.Verdict > l0.Deny {
		c.errorf("rule %q of %s lacks an id, a why or a verdict", d.ID, domain)
		return
	}
	if c.set.rules[d.ID] != nil {
		c.errorf("rule %s exists twice", d.ID)
		return
	}
	r := &rule{Rule: *d, domain: domain}
	if r.Verdict == l0.Undecided && r.Kind == 0 {
		r.Kind = l0.Unproven
	}
	c.set.rules[d.ID] = r
	c.set.list = append(c.set.list, r)
	for i := range d.When {
		c.match(r, &d.When[i])
	}
}

func (c *compiler) match(r *rule, m *l0.Match) {
	cm := compiledMatch{
		rule: r, m: m, has: parseGroups(m.Has), operand: strings.Fields(m.Operand), first: strings.Fields(m.First),
		last: strings.Fields(m.Last), without: strings.Fields(m.Without), env: strings.Fields(m.Env),
	}
	for _, w := range strings.Fields(m.Not) {
		cm.not = append(cm.not, parseTest(w))
	}
	if m.Program == "" {
		c.set.universal = append(c.set.universal, cm)
		return
	}
	paths := splitList(m.Command)
	for _, name := range strings.Fields(m.Program) {
		n := 0
		for _, key := range []string{name, strings.ToLower(name)} {
			for _, p := range []*program{c.set.programs[key], c.set.windows[key]} {
				if p != nil && (key == name || p.style == l0.Windows) {
					n++
				}
			}
		}
		if n == 0 {
			c.errorf("rule %s: program %q is not listed", r.ID, name)
			continue
		}
		bound := map[string]bool{}
		for _, key := range slices.Compact([]string{name, strings.ToLower(name)}) {
			for _, cmd := range c.commands[key] {
				if !underPath(cmd.path, paths) {
					continue
				}
				for _, p := range paths {
					bound[p] = bound[p] || underPath(cmd.path, []string{p})
				}
				c.bind(cmd, c.rootOf(key), cm)
			}
		}
		for _, p := range paths {
			if !bound[p] {
				c.bindNew(r, name, []string{p}, cm)
			}
		}
	}
}

// rootOf is the grammar that holds for every subcommand of the program, or nil.
func (c *compiler) rootOf(name string) *command {
	for _, p := range []*program{c.set.programs[name], c.set.windows[name]} {
		if p != nil && p.anywhere {
			return p.root.cmd
		}
	}
	return nil
}

// bindNew adds the subcommands a rule names and the program does not list.
func (c *compiler) bindNew(r *rule, name string, paths []string, cm compiledMatch) {
	for _, path := range paths {
		cmd := &command{path: path, class: l0.Writer, sig: signature{open: true, cmd: -1}}
		p := c.set.programs[name]
		if p == nil {
			p = c.set.windows[strings.ToLower(name)]
		}
		n := p.root
		for _, seg := range strings.Fields(path) {
			n = n.child(seg)
		}
		if n.cmd != nil {
			c.errorf("rule %s: %s %s cannot be bound", r.ID, name, path)
			continue
		}
		n.cmd = cmd
		c.commands[name] = append(c.commands[name], cmd)
		c.bind(cmd, c.rootOf(name), cm)
	}
}

// bind adds a match to a command, and the options it names to the command's grammar unless root has them.
func (c *compiler) bind(cmd, root *command, cm compiledMatch) {
	for _, g := range cm.has {
		for _, t := range g {
			if root == nil || root == cmd || root.opts.find(t.name) == nil {
				c.ensure(cmd, t)
			}
		}
	}
	cmd.rules = append(cmd.rules, cm)
}

func (c *compiler) ensure(cmd *command, t optionTest) {
	if t.name == "" || cmd.opts.find(t.name) != nil || cmd.opts.find(t.name+"=") != nil {
		return
	}
	w := t.name
	if t.valued {
		w += "="
	}
	if err := cmd.opts.add(w, effChange); err != nil {
		c.errorf("%s: %v", cmd.path, err)
	}
}

// underPath reports whether a command's path is, or is below, one of paths. No paths is every command.
func underPath(path string, paths []string) bool {
	if len(paths) == 0 {
		return true
	}
	for _, p := range paths {
		if path == p || strings.HasPrefix(path, p+" ") {
			return true
		}
	}
	return false
}

func parseGroups(s string) []group {
	var out []group
	for _, w := range strings.Fields(s) {
		var g group
		for _, alt := range strings.Split(w, "|") {
			g = append(g, parseTest(alt))
		}
		out = append(out, g)
	}
	return out
}

func parseTest(w string) optionTest {
	name, value, valued := strings.Cut(w, "=")
	if valued && !strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "/") {
		name += "="
	}
	return optionTest{name: name, value: value, valued: valued}
}

// glob reports whether s matches pattern, in which * is any text.
func glob(pattern, s string) bool {
	for {
		star := strings.IndexByte(pattern, '*')
		if star < 0 {
			return pattern == s
		}
		if !strings.HasPrefix(s, pattern[:star]) {
			return false
		}
		s, pattern = s[star:], pattern[star+1:]
		if pattern == "" {
			return true
		}
		next := strings.IndexByte(pattern, '*')
		if next < 0 {
			return strings.HasSuffix(s, pattern)
		}
		i := strings.Index(s, pattern[:next])
		if i < 0 {
			return false
		}
		s = s[i:]
	}
}

func anyGlob(patterns []string, s string) bool {
	for _, p := range patterns {
		if glob(p, s) {
			return true
		}
	}
	return false
}
