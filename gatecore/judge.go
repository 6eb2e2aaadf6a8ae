package gatecore

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// Limits of one judgement, GATE "From text to verdict".
const (
	maxCodePoints = 20000
	maxOpeners    = 200
	maxDepth      = 32
	maxReparse    = 16 // times the text
	maxWordBytes  = 64 << 10
	maxBraces     = 1024
	maxSteps      = 16384 // simple commands judged, every reading of each counted
	maxModes      = 32    // readings of one command with several possible values
	maxFindings   = 256   // kept per judgement; the first one that is stricter or less readable than all before is never dropped
)

// judge is the state of one judgement. It is pooled; parsers are kept per nesting level.
type judge struct {
	e       *Engine
	set     *ruleSet
	at      Place
	src     string
	depth   int
	reparse int // bytes of re-parsed text left
	wordB   int // bytes of resolved words left
	braces  int // words from braces left
	steps   int // simple commands left
	wraps   int // wrappers around the command being judged

	findings []Finding
	muted    int  // >0: undecided findings are dropped (texts read for deny only)
	fixed    bool // spans of nested text: use start and end below
	spanA    int
	spanB    int
	text     string // the text whose offsets nodes carry

	parsers []levelParsers
	mem     *memory // apart, so that what goes back to an earlier state of the judge does not hand out memory twice

	mode    int   // which reading of ambiguous words
	sites   []int // numbers of possible values met in this reading
	modeMul int

	trace     *Part // nil unless explaining
	stack     []*Part
	posix     bool // the POSIX reading is being judged
	cmdlets   bool // the Windows reading is judged too: cmdlets are not found by the shell and harmless there
	cmdletMet bool // such a cmdlet was met
	cmdText   bool // the text is read as cmd's
	inText    bool // the text of powershell -Command or cmd /c is judged
}

type levelParsers struct {
	bash, posix, recover *syntax.Parser
}

// memory is what a judgement takes its parts from.
type memory struct {
	words       arena[word]
	scopes      arena[scope]
	invocations arena[invocation]
	opts        arena[optUse]
	operands    arena[operand]
	plain       plainMemory
}

func (m *memory) reset() {
	m.words.reset()
	m.scopes.reset()
	m.invocations.reset()
	m.opts.reset()
	m.operands.reset()
	m.plain.reset()
}

func (j *judge) reset(e *Engine, src string, at Place) {
	parsers, mem, fb := j.parsers, j.mem, j.findings
	if mem == nil {
		mem = new(memory)
	}
	*j = judge{
		e: e, set: e.set, at: at, src: src, text: src, parsers: parsers, mem: mem, findings: fb[:0],
		reparse: maxReparse*len(src) + 4096, wordB: maxWordBytes, braces: maxBraces, steps: maxSteps,
	}
}

// release drops everything that points into the judged text.
func (j *judge) release() {
	clear(j.findings)
	j.mem.reset()
	j.src, j.text, j.trace, j.e, j.set = "", "", nil, nil, nil
}

// span maps offsets of the text being read to offsets of the command.
func (j *judge) span(a, b int) (int, int) {
	if j.fixed {
		return j.spanA, j.spanB
	}
	return min(a, len(j.src)), min(max(b, a), len(j.src))
}

// fire adds the finding of a rule. An unknown id is a programming error that still fails closed.
func (j *judge) fire(id string, a, b int) { j.fireWhy(id, a, b, "", "") }

func (j *judge) fireWhy(id string, a, b int, why, instead string) {
	f := Finding{RuleID: id, Verdict: Undecided, Kind: Unreadable, Why: why, Instead: instead}
	if r := j.set.rule(id); r != nil {
		f.Verdict, f.Kind = Verdict(r.Verdict), Kind(r.kind)
		if f.Verdict != Undecided {
			f.Kind = 0
		}
		if why == "" {
			f.Why = r.Why
		}
		if instead == "" {
			f.Instead = r.Instead
		}
	}
	if f.Verdict != Deny && j.muted > 0 {
		return
	}
	f.Start, f.End = j.span(a, b)
	if j.trace != nil {
		j.trace.Rules = append(j.trace.Rules, id)
		j.trace.Verdict = max(j.trace.Verdict, f.Verdict)
	}
	worse := true // than all that were found
	for i := range j.findings {
		g := &j.findings[i]
		if g.RuleID == id && g.Start == f.Start && g.End == f.End {
			return
		}
		worse = worse && cmp.Or(cmp.Compare(f.Verdict, g.Verdict), cmp.Compare(f.Kind, g.Kind)) > 0
	}
	if len(j.findings) >= maxFindings && !worse {
		return
	}
	j.findings = append(j.findings, f)
}

func (j *judge) report() Report {
	fs := slices.Clone(j.findings)
	if len(fs) == 0 {
		j.fire(ruleNothing, 0, len(j.src))
		fs = slices.Clone(j.findings)
	}
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Verdict, a.Verdict), cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Start, b.Start),
			cmp.Compare(a.End, b.End), strings.Compare(a.RuleID, b.RuleID))
	})
	r := Report{Verdict: fs[0].Verdict, Findings: fs}
	if r.Verdict == Undecided {
		r.Kind = fs[0].Kind
	}
	return r
}

// Rules that the engine fires by itself; l0/builtinrules.go holds their texts.
const (
	ruleReader      = "reader.ok"
	ruleNothing     = "text.nothing"
	ruleUTF8        = "text.encoding"
	ruleNUL         = "text.nul"
	ruleLong        = "text.too-long"
	ruleCR          = "text.carriage-return"
	ruleInvisible   = "text.invisible"
	ruleHidden      = "text.invisible-in-command"
	ruleOpeners     = "text.nesting"
	ruleSyntax      = "text.syntax"
	ruleBudget      = "text.budget"
	rulePanic       = "text.unreadable"
	ruleComment     = "guard.comment"
	ruleHeredoc     = "guard.heredoc"
	ruleAssignName  = "guard.assignment"
	ruleNode        = "guard.construct"
	ruleArith       = "guard.arithmetic"
	ruleIndirect    = "guard.evaluated-again"
	ruleDynProgram  = "program.dynamic"
	ruleDynDelete   = "program.dynamic-delete"
	ruleCtlProgram  = "program.control-characters"
	ruleProgramPath = "program.path"
	ruleProgram     = "unknown.program"
	ruleCommand     = "unknown.command"
	ruleOption      = "unknown.option"
	ruleOperands    = "unknown.operands"
	ruleDynWord     = "word.dynamic"
	ruleWrites      = "class.writes"
	ruleNetwork     = "class.network"
	ruleDatabase    = "class.database"
	ruleInteractive = "class.interactive"
	ruleInterpreter = "class.interpreter"
	ruleShell       = "class.shell"
	ruleElevated    = "class.elevated"
	ruleRemote      = "class.remote"
	ruleWritingRun  = "class.writing-wrapper"
	ruleRunner      = "class.package-runner"
	ruleSecrets     = "class.secrets"
	ruleBuiltin     = "class.shell-state"
	ruleOptRun      = "option.runs-program"
	ruleOptConfig   = "option.configuration"
	ruleOptEndpoint = "option.endpoint"
	ruleOptChange   = "option.changes"
	ruleOptWrite    = "write.file"
	ruleEnv         = "env.helper"
	ruleCredential  = "credential.read"
	ruleExfil       = "credential.sent"
	ruleWriteDeny   = "write.protected"
	ruleWriteCred   = "write.credential"
	ruleWriteDevice = "write.device"
	ruleGateWrite   = "gate.files"
	ruleWriteDyn    = "write.dynamic"
	ruleFetched     = "code.fetched"
	ruleDecoded     = "code.decoded"
	rulePiped       = "code.piped"
	ruleCodeDyn     = "code.dynamic"
	ruleCodeDeny    = "code.destroys"
	ruleSQL         = "sql.destroys"
	ruleHistoryOff  = "shell.history-off"
	ruleBomb        = "shell.fork-bomb"
	ruleNetFile     = "net.device-file"
	ruleOperator    = "table.blacklist"
	ruleAsk         = "table.ask"
	ruleWindows     = "windows.unread"
)

// flow is what is known about the bytes that a command prints or reads.
type flow struct {
	text     string // the whole of it, if known
	known    bool
	piped    bool // there is an upstream at all
	network  bool
	decoded  bool
	secret   bool
	key      bool   // the value of a variable whose name says that it is a secret
	local    bool   // the accounts of this machine: no secret to read, but nothing to send
	shell    bool   // the output of a shell that runs unknown input
	tree     bool   // it lists everything below a place that may not be deleted
	listing  bool   // the paths it lists are credentials
	ids      string // the client all of whose objects it lists
	from     string // the one start of the paths it lists, if they were narrowed
	shape    shape  // how the text begins, if it is not known
	numbered bool   // every line begins with its number and a colon
}

func (f flow) join(g flow) flow {
	f.network = f.network || g.network
	f.decoded = f.decoded || g.decoded
	f.secret = f.secret || g.secret
	f.key = f.key || g.key
	f.local = f.local || g.local
	f.listing = f.listing || g.listing
	f.shell = f.shell || g.shell
	f.shape, f.numbered = anyShape, false
	return f
}

func (f flow) tainted() bool { return f.network || f.decoded || f.secret }

// scope is what one shell process knows. Clones are cheap until written.
type scope struct {
	mem     *arena[scope] // where clones come from; may be nil
	vars    map[string][]value
	shared  bool // vars belongs to another scope too
	dir     string
	dirLost bool // after a cd to an unknown place
	funcs   map[string]*syntax.Stmt
	calling []string
	aliases map[string]string
	arrays  map[string][]word // elements of arrays assigned in this text; only serves deny, see guard.assignment
	args    []word            // positional parameters of a function call; nil = unknown
	argForm shape             // of positional parameters that are not known
	hasArgs bool
	arg0    *word           // $0 as sh -c was given it; nil = the shell's name
	files   map[string]flow // where files written in this text come from
	cond    int             // >0: the current command may not run
	loops   int             // >0: it may run more than once
	widen   bool            // what can be anything takes no further values
	changes int             // counts the variables and functions that were set to something new
	in      flow            // standard input
	pipeOut bool            // output goes into a pipe
	bg      bool
	outside bool    // the next command is no function: command, builtin, exec
	mounts  []mount // of the container that the commands run in
	netOpen bool    // a descriptor of this shell is a network connection
}

type value struct {
	text  string
	dyn   bool
	num   bool  // a number, whatever its text turns out to be
	shape shape // if nothing of the text is known
	glob  bool
	flow  flow
}

func (s *scope) clone() *scope {
	c := s.mem.one()
	*c = *s
	c.shared, s.shared = true, true
	return c
}

// process is the scope of a new process: functions and aliases stay behind.
func (s *scope) process() *scope {
	c := s.clone()
	c.funcs, c.aliases = nil, nil
	return c
}

func (s *scope) set(name string, v value, add bool) {
	if s.vars == nil || s.shared {
		m := make(map[string][]value, len(s.vars)+4)
		for k, x := range s.vars {
			m[k] = x
		}
		s.vars, s.shared = m, false
	}
	old := s.vars[name]
	defer func() {
		if !slices.Equal(old, s.vars[name]) {
			s.changes++
		}
	}()
	switch {
	case !add:
		s.vars[name] = []value{v}
	case s.widen && len(old) == 1 && old[0].anything():
		v.text, v.dyn, v.num, v.shape, v.glob, v.flow = dynMark, true, false, anyShape, old[0].glob || v.glob, old[0].flow.join(v.flow)
		s.vars[name] = []value{v}
	case len(old) == 0:
		// What the environment holds is as inert as a name that the text never assigns.
		s.vars[name] = []value{v, {text: dynMark, dyn: true, num: true}}
	case slices.Contains(old, v): // each reading of ${x:=word} assigns again
	case len(old) < maxModes:
		s.vars[name] = append(slices.Clone(old), v)
	default:
		num := v.num && !slices.ContainsFunc(old, func(o value) bool { return !o.num && (o.dyn || !isDigits(o.text)) })
		s.vars[name] = append(slices.Clone(old[:maxModes-1]), value{text: dynMark, dyn: true, num: num, flow: v.flow})
	}
}

func (s *scope) assign(name string, v value) { s.set(name, v, s.cond > 0) }

var _ = l0.Allow

func (j *judge) fireNode(id string, n syntax.Node) {
	j.fire(id, int(n.Pos().Offset()), int(n.End().Offset()))
}
