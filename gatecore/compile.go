package gatecore

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// The table is compiled piece by piece, so that an engine costs nearly nothing: a program is gathered from its domains when
// its name first appears in a command (see ruleSet), with its tree of subcommands, and a subcommand's grammar and rules
// when it is first called. The built-in table is checked by the tests, with compile and checkAll.

// command is one subcommand. What is embedded is there after ready.
type command struct {
	path    string
	class   l0.Class
	special l0.Special
	lang    l0.Language
	why     string
	instead string

	data *l0.Command // nil for a subcommand that only a rule names
	prog *program
	once sync.Once
	errs []error
	*compiled
}

// compiled is what a command's data and the rules about it say, in the form that judgements need.
type compiled struct {
	sig      signature
	opts     grammar
	supplied []string
	decodes  []string
	always   bool // decodes without any option
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

// program is one name of a program. Fields after once are valid after ready.
type program struct {
	name     string
	style    l0.Style
	anywhere bool
	network  bool

	data    *l0.Program
	matches []pendingMatch
	once    sync.Once
	errs    []error

	root *node
	list []*command
}

type pendingMatch struct {
	rule *rule
	m    *l0.Match
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
	*l0.Rule
	kind   l0.Kind
	domain string
}

// compile checks a table and makes a set of it. It reports repeated names and ids, and rules about programs that are
// not listed, all at once.
func compile(domains []l0.Domain) (*ruleSet, error) {
	c := &checker{programs: map[string]bool{}, windows: map[string]bool{}, ids: map[string]bool{}}
	sources := make([]func() l0.Domain, len(domains))
	for i := range domains {
		sources[i] = func() l0.Domain { return domains[i] }
		for k := range domains[i].Programs {
			c.program(&domains[i].Programs[k])
		}
	}
	for i := range domains {
		for k := range domains[i].Rules {
			c.rule(domains[i].Name, &domains[i].Rules[k])
		}
	}
	return newRuleSet(l0.IndexOf(domains), sources), errors.Join(c.errs...)
}

// checkAll compiles every program and subcommand and reports every mistake in the data.
func (s *ruleSet) checkAll() error {
	var errs []error
	check := func(p *program) {
		p.ready()
		errs = append(errs, p.errs...)
		for _, cmd := range p.list {
			cmd.ready()
			errs = append(errs, cmd.errs...)
		}
	}
	for _, e := range s.index.Programs {
		check(s.program(e.Name))
	}
	for _, e := range s.index.Windows {
		check(s.windowsProgram(e.Name))
	}
	return errors.Join(errs...)
}

// checker finds the mistakes of a table that concern several of its parts.
type checker struct {
	programs, windows, ids map[string]bool
	errs                   []error
}

func dataError(format string, args ...any) error {
	return fmt.Errorf("gatecore: rule data: "+format, args...)
}

func (c *checker) program(d *l0.Program) {
	where := c.programs
	if d.Style == l0.Windows {
		where = c.windows
	}
	n := 0
	for name := range strings.FieldsSeq(d.Names) {
		n++
		if d.Style == l0.Windows {
			name = strings.ToLower(name)
		}
		if where[name] {
			c.errs = append(c.errs, dataError("program %q is listed twice", name))
		}
		where[name] = true
	}
	if n == 0 {
		c.errs = append(c.errs, dataError("a program without a name"))
	}
}

func (c *checker) rule(domain string, d *l0.Rule) {
	if d.ID == "" || d.Why == "" || d.Verdict < l0.Allow || d.Verdict > l0.Deny {
		c.errs = append(c.errs, dataError("rule %q of %s lacks an id, a why or a verdict", d.ID, domain))
		return
	}
	if c.ids[d.ID] {
		c.errs = append(c.errs, dataError("rule %s exists twice", d.ID))
	}
	c.ids[d.ID] = true
	for i := range d.When {
		for name := range strings.FieldsSeq(d.When[i].Program) {
			if !c.programs[name] && !c.windows[strings.ToLower(name)] {
				c.errs = append(c.errs, dataError("rule %s: program %q is not listed", d.ID, name))
			}
		}
	}
}

// ready builds the tree of subcommands once.
func (p *program) ready() *program {
	p.once.Do(func() {
		p.root = &node{}
		p.attach("", &p.data.Command)
		for i := range p.data.Commands {
			for _, path := range splitList(p.data.Commands[i].Path) {
				p.attach(path, &p.data.Commands[i])
			}
		}
		for _, m := range p.matches {
			p.ensurePaths(splitList(m.m.Command))
		}
	})
	return p
}

func splitList(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if strings.Contains(part, "  ") {
			part = strings.Join(strings.Fields(part), " ")
		}
		out = append(out, part)
	}
	return out
}

func (p *program) attach(path string, d *l0.Command) {
	n := p.root
	for seg := range strings.FieldsSeq(path) {
		n = n.child(seg)
	}
	if n.cmd != nil {
		p.errs = append(p.errs, dataError("%s %s is listed twice", p.name, path))
		return
	}
	n.cmd = &command{path: path, prog: p, data: d, class: l0.Writer}
	if d != nil {
		n.cmd.class, n.cmd.special, n.cmd.lang, n.cmd.why, n.cmd.instead = d.Is, d.Special, d.Language, d.Why, d.Instead
		if n.cmd.lang == l0.NoLanguage {
			n.cmd.lang = p.data.Language
		}
	}
	p.list = append(p.list, n.cmd)
}

// ensurePaths adds the subcommands that a rule names and the program does not list.
func (p *program) ensurePaths(paths []string) {
	for _, path := range paths {
		known := false
		for _, cmd := range p.list {
			known = known || cmd.path == path || strings.HasPrefix(cmd.path, path) && underPath(cmd.path, []string{path})
		}
		if !known {
			p.attach(path, nil)
		}
	}
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

// ready compiles the grammar and the rules once.
func (cmd *command) ready() *command {
	cmd.once.Do(cmd.compile)
	return cmd
}

// compile builds what is embedded, all of it or nothing: without it every later use panics, which is no mild verdict.
func (cmd *command) compile() {
	whole := false
	defer func() {
		if !whole {
			cmd.compiled = nil
		}
	}()
	p := cmd.prog
	cmd.compiled = &compiled{sig: signature{open: true, cmd: -1}}
	if d := cmd.data; d != nil {
		cmd.supplied = strings.Fields(d.Supplied)
		if d.Decodes == "*" {
			cmd.always = true
		} else {
			cmd.decodes = strings.Fields(d.Decodes)
		}
		var err error
		if cmd.sig, err = compileSignature(d.Operands); err != nil {
			cmd.errs = append(cmd.errs, dataError("%s %s: %v", p.name, cmd.path, err))
		}
		cmd.compileOptions(&d.Options)
	}
	root := p.root.cmd
	if p.anywhere && root != cmd {
		root.ready()
	} else {
		root = nil
	}
	for _, pm := range p.matches {
		if !underPath(cmd.path, splitList(pm.m.Command)) {
			continue
		}
		cm := compileMatch(pm.rule, pm.m)
		for _, g := range cm.has {
			for _, t := range g {
				if root == nil || root.opts.find(t.name) == nil {
					cmd.ensure(t)
				}
			}
		}
		cmd.rules = append(cmd.rules, cm)
	}
	cmd.opts.finish()
	whole = true
}

func (cmd *command) compileOptions(o *l0.Options) {
	style := cmd.prog.style
	for _, l := range optionLists(o) {
		for w := range strings.FieldsSeq(l.list) {
			if style == l0.Windows {
				w = strings.ToLower(w)
			}
			if err := cmd.opts.add(w, l.eff); err != nil {
				cmd.errs = append(cmd.errs, dataError("%s %s: %v", cmd.prog.name, cmd.path, err))
			}
		}
	}
	if style != l0.Raw && style != l0.Windows {
		for _, w := range []string{"--help", "--version"} {
			if cmd.opts.long[w] == nil {
				_ = cmd.opts.add(w, effHelp) // cannot fail: the name is new
			}
		}
	}
}

// ensure adds an option that a rule names and the command does not list.
func (cmd *command) ensure(t optionTest) {
	name := t.name
	if cmd.prog.style == l0.Windows {
		name = strings.ToLower(name)
	}
	if name == "" || cmd.opts.find(name) != nil || cmd.opts.find(name+"=") != nil {
		return
	}
	if t.valued {
		name += "="
	}
	if err := cmd.opts.add(name, effChange); err != nil {
		cmd.errs = append(cmd.errs, dataError("%s %s: %v", cmd.prog.name, cmd.path, err))
	}
}

func compileMatch(r *rule, m *l0.Match) compiledMatch {
	cm := compiledMatch{
		rule: r, m: m, has: parseGroups(m.Has), operand: strings.Fields(m.Operand), first: strings.Fields(m.First),
		last: strings.Fields(m.Last), without: strings.Fields(m.Without), env: strings.Fields(m.Env),
	}
	for w := range strings.FieldsSeq(m.Not) {
		cm.not = append(cm.not, parseTest(w))
	}
	return cm
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

// windowsShell reports the programs that take text of PowerShell or cmd.
func (p *program) windowsShell() bool {
	lang := p.ready().root.cmd.lang
	return lang == l0.CmdText || lang == l0.PowerShellText
}
