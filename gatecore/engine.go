package gatecore

import (
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// Engine judges commands. It is safe for concurrent use; its verdicts never change.
type Engine struct {
	set       *ruleSet
	table     *Table
	gateFiles []string
	keyFiles  []string
	pool      sync.Pool
	panics    atomic.Int64 // recovered panics; tests want none
}

// New makes an engine of the built-in table and the options. It costs little: what the table says about a program is built
// when a command first names it. It fails only in a build whose rules were changed without their index (go generate ./l0).
func New(o *Options) (*Engine, error) {
	index, sources := l0.BuiltIn(), l0.Sources()
	if index.Count != len(sources) {
		return nil, dataError("the index was made of %d domains, there are %d", index.Count, len(sources))
	}
	e := &Engine{set: newRuleSet(index, sources)}
	if o != nil {
		e.table = o.Table
		e.gateFiles, e.keyFiles = slashed(o.GateFiles), slashed(o.KeyFiles)
	}
	e.pool.New = func() any { return &judge{} }
	return e, nil
}

// slashed returns the paths that are not empty in the form that words are resolved to.
func slashed(paths []string) (out []string) {
	for _, f := range paths {
		if f != "" {
			out = append(out, path.Clean(strings.ReplaceAll(f, "\\", "/")))
		}
	}
	return out
}

// Assess returns the verdict on command at a place.
//
// The command is never run or expanded. Findings come strictest first and
// hold at least one element. Assess is safe for concurrent use and never fails: what is
// over a limit comes back Undecided, with the rule that says which limit.
func (e *Engine) Assess(command string, at Place) Report {
	r, _ := e.assess(command, at, nil)
	return r
}

// Explain is Assess with the tree of parts that were judged.
func (e *Engine) Explain(command string, at Place) Explanation {
	root := &Part{Kind: "text", Text: clip(command, 200), End: len(command), Verdict: Allow}
	r, parts := e.assess(command, at, root)
	return Explanation{Report: r, Parts: parts}
}

func (e *Engine) assess(command string, at Place, root *Part) (r Report, parts []*Part) {
	j := e.pool.Get().(*judge)
	j.reset(e, command, at)
	j.trace = root
	defer func() {
		if p := recover(); p != nil {
			e.panics.Add(1)
			// The parser's state cannot be trusted after a panic: the judge and its parsers are
			// not put back. What was found so far stays.
			j.fixed, j.spanA, j.spanB, j.muted, j.stack, j.trace = true, 0, len(command), 0, nil, nil
			j.fireWhy(rulePanic, 0, len(command), "The command cannot be read.", "")
			r = j.report()
			if r.Verdict == Allow {
				r = unreadable(command)
			}
			return
		}
		j.release()
		e.pool.Put(j)
	}()
	j.judgeText(command)
	r = j.report()
	if root != nil {
		root.Verdict = r.Verdict
		parts = root.Children
		root.roll()
	}
	return r, parts
}

// roll gives every part the strictest verdict of what is below it.
func (p *Part) roll() {
	for _, c := range p.Children {
		c.roll()
		p.Verdict = max(p.Verdict, c.Verdict)
	}
	slices.Sort(p.Rules)
	p.Rules = slices.Compact(p.Rules)
}

func unreadable(command string) Report {
	f := Finding{RuleID: rulePanic, Verdict: Undecided, Kind: Unreadable, End: len(command), Why: "The command cannot be read."}
	return Report{Verdict: Undecided, Kind: Unreadable, Findings: []Finding{f}}
}

// place is an absolute path in its shortest form, with slashes; anything else is as good as none.
func place(p string) string {
	switch {
	case windowsPath(p):
		return path.Clean(strings.ReplaceAll(p, "\\", "/"))
	case strings.HasPrefix(p, "/"):
		return path.Clean(p)
	}
	return ""
}

// judgeText judges the whole command in every reading its dialect calls for.
func (j *judge) judgeText(command string) {
	at := j.at
	at.Dir, at.Home = place(at.Dir), place(at.Home)
	j.at = at
	text := j.hygiene(command)
	j.text = text
	if strings.TrimSpace(text) == "" {
		j.fire(ruleNothing, 0, len(command))
		return
	}
	switch at.Dialect {
	case PowerShell:
		j.windows(text, false)
	case Cmd:
		j.windows(text, true)
	case AutoDialect:
		if looksWindows(text) {
			j.windowsAuto(text)
			break
		}
		j.shellScript(text)
	default:
		if at.Dialect == Zsh {
			j.zsh(text)
		}
		j.shellScript(text)
		if at.Dialect > Cmd {
			j.fireWhy(rulePanic, 0, len(command), "The dialect is not known.", "")
		}
	}
	j.operatorText(text)
	if len(j.findings) == 0 {
		j.fire(ruleReader, 0, len(command))
	}
}

func (j *judge) shellScript(text string) {
	j.script(j.newScope(), text)
}

// newScope is the scope of a shell that has just begun.
func (j *judge) newScope() *scope {
	sc := j.mem.scopes.one()
	*sc = scope{mem: &j.mem.scopes, dir: j.at.Dir}
	return sc
}

// zsh marks what zsh alone would read otherwise.
func (j *judge) zsh(text string) {
	for _, mark := range [...]string{"=(", "${(", "(#", "(e:", "*(", "?(", ")(", "$~", "<->"} {
		if i := strings.Index(text, mark); i >= 0 {
			j.fire(ruleNode, i, i+len(mark))
			return
		}
	}
	for i := 0; i+1 < len(text); i++ { // =command names a program by path
		if text[i] == '=' && nameStart(text[i+1]) && (i == 0 || text[i-1] == ' ' || text[i-1] == '\n') {
			j.fire(ruleNode, i, i+1)
			return
		}
	}
}

// Rules lists every rule in force, by domain and id.
func (e *Engine) Rules() []RuleInfo {
	all := e.set.all()
	out := make([]RuleInfo, 0, len(all))
	for _, r := range all {
		k := Kind(r.kind)
		if r.Verdict != l0.Undecided {
			k = 0
		}
		out = append(out, RuleInfo{
			ID: r.ID, Domain: r.domain, Verdict: Verdict(r.Verdict), Kind: k, Why: r.Why, Instead: r.Instead,
			Yes: slices.Clone(r.Yes), No: slices.Clone(r.No),
		})
	}
	slices.SortStableFunc(out, func(a, b RuleInfo) int {
		if c := strings.Compare(a.Domain, b.Domain); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}
