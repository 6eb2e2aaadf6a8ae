package gatecore

// Engine judges commands. It is safe for concurrent use and never changes.
type Engine struct {
	table *Table
}

// New compiles the built-in table and the options into an engine.
func New(o *Options) (*Engine, error) {
	e := &Engine{}
	if o != nil {
		e.table = o.Table
	}
	return e, nil
}

// Assess returns the verdict on command at a place.
//
// The command is never run or expanded. Findings come strictest first and
// hold at least one element. Assess is safe for concurrent use and never fails: what is
// over a limit comes back Undecided, with the rule that says which limit.
func (e *Engine) Assess(command string, at Place) Report {
	f := Finding{RuleID: "text.unreadable", Verdict: Undecided, Kind: Unreadable, End: len(command), Why: "The text cannot be judged."}
	return Report{Verdict: Undecided, Kind: Unreadable, Findings: []Finding{f}}
}

// Explain is Assess with the tree of parts that were judged.
func (e *Engine) Explain(command string, at Place) Explanation {
	return Explanation{Report: e.Assess(command, at)}
}

// Rules lists every rule in force, by domain and id.
func (e *Engine) Rules() []RuleInfo { return nil }

// WithoutComments returns the command without its shell comments, for the question to the
// model. Text that does not parse is returned as it is.
func (e *Engine) WithoutComments(command string) string { return command }
