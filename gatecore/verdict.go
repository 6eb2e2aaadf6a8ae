package gatecore

import "fmt"

// Version is the version of the built-in table and of this module.
const Version = "0.1.0"

// Verdict is how strict the gate is about one command. Larger is stricter; zero is invalid.
type Verdict uint8

// The verdicts, mildest first.
const (
	Allow     Verdict = iota + 1 // provably only reads
	Undecided                    // the table does not know; the caller's fallback decides
	Deny                         // never run
)

// String returns "allow", "undecided", "deny", or "invalid".
func (v Verdict) String() string {
	switch v {
	case Allow:
		return "allow"
	case Undecided:
		return "undecided"
	case Deny:
		return "deny"
	}
	return "invalid"
}

// MarshalText encodes the verdict as String does; an invalid one is an error.
func (v Verdict) MarshalText() ([]byte, error) {
	if v < Allow || v > Deny {
		return nil, fmt.Errorf("gatecore: invalid verdict %d", v)
	}
	return []byte(v.String()), nil
}

// Kind says what sort of undecided a finding is. Zero belongs to Allow and Deny.
type Kind uint8

// The kinds of undecided.
const (
	Unproven   Kind = iota + 1 // readable, but not proven safe: may go to L1 or the operator's table
	Unreadable                 // cannot be read for certain: at best asked about
)

// String returns "unproven", "unreadable" or "".
func (k Kind) String() string {
	switch k {
	case Unproven:
		return "unproven"
	case Unreadable:
		return "unreadable"
	}
	return ""
}

// MarshalText encodes the kind as String does.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Dialect is the shell whose rules a text is read by.
type Dialect uint8

// The dialects. Zero is the strictest choice: every plausible reading counts.
const (
	AutoDialect Dialect = iota // bash, plus the Windows readings when the text looks so; strictest wins
	Bash
	Zsh // read as bash and as POSIX; what zsh alone would read otherwise is undecided
	PowerShell
	Cmd
)

// Place is where a command would run. Both directories are claims of the caller:
// they may move a verdict between deny and undecided and never make an allow.
type Place struct {
	Dir     string  // absolute working directory, or "" if unknown
	Home    string  // absolute home directory, or "" if unknown
	Dialect Dialect // AutoDialect if unknown
}

// Finding is one rule's opinion about part of a command.
type Finding struct {
	RuleID  string  `json:"rule"`              // stable, such as "git.reset-hard"; never reused for another meaning
	Verdict Verdict `json:"verdict"`           // this rule's own verdict
	Kind    Kind    `json:"kind,omitzero"`     // of an Undecided; zero otherwise
	Start   int     `json:"start"`             // byte offset in the command, inclusive
	End     int     `json:"end"`               // byte offset, exclusive
	Why     string  `json:"why"`               // one sentence for a person
	Instead string  `json:"instead,omitempty"` // a safer way; may be empty
}

// Report is the verdict on one command.
type Report struct {
	Verdict  Verdict   `json:"verdict"`
	Kind     Kind      `json:"kind,omitzero"` // of an Undecided; Unreadable if any finding is
	Findings []Finding `json:"findings"`      // strictest first, then by place; at least one
}

// Options are the optional parts of an engine. Nil and the zero value both work.
type Options struct {
	Table     *Table   // the operator's table; nil for none
	GateFiles []string // paths that commands must not touch: binary, configuration, table, audit file, keys; also what lies below them
	KeyFiles  []string // of these, the ones that must not be read either; reading them is reading a credential
}

// RuleInfo describes one rule in force, for listings.
type RuleInfo struct {
	ID      string   `json:"id"`
	Domain  string   `json:"domain"`
	Verdict Verdict  `json:"verdict"`
	Kind    Kind     `json:"kind,omitzero"`
	Why     string   `json:"why"`
	Instead string   `json:"instead,omitempty"`
	Yes     []string `json:"match,omitempty"`
	No      []string `json:"not_match,omitempty"`
}

// Explanation is a report with the way it was reached.
type Explanation struct {
	Report
	Parts []*Part `json:"parts"`
}

// Part is one simple command, redirection or text that was judged.
type Part struct {
	Kind     string   `json:"kind"`            // "command", "wrapper", "text", "redirection", "assignment"
	Text     string   `json:"text"`            // source text, at most 200 bytes
	Words    []string `json:"words,omitempty"` // resolved words; a dynamic part shows as …
	Start    int      `json:"start"`
	End      int      `json:"end"`
	Reading  string   `json:"reading,omitempty"` // "bash", "posix", "powershell", "cmd" where it differs from the first
	Verdict  Verdict  `json:"verdict"`           // strictest of this part's own findings
	Rules    []string `json:"rules,omitempty"`   // ids of this part's own findings
	Children []*Part  `json:"children,omitempty"`
}
