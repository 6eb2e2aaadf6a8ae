package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Host is an agent host with a hook before tools run. The zero value is invalid.
type Host uint8

// The hosts this package speaks to.
const (
	Claude  Host = iota + 1 // Claude Code: PreToolUse, PermissionRequest
	Codex                   // Codex CLI: PreToolUse, PermissionRequest
	Gemini                  // Gemini CLI: BeforeTool
	Copilot                 // Copilot CLI and coding agent: preToolUse
	Cursor                  // Cursor: beforeShellExecution, beforeMCPExecution, preToolUse
)

// Hosts lists every host in the order the documentation uses.
func Hosts() []Host { return []Host{Claude, Codex, Gemini, Copilot, Cursor} }

// String returns the name used on the command line, or "unknown".
func (h Host) String() string {
	switch h {
	case Claude:
		return "claude"
	case Codex:
		return "codex"
	case Gemini:
		return "gemini"
	case Copilot:
		return "copilot"
	case Cursor:
		return "cursor"
	}
	return "unknown"
}

// ErrUnknownHost reports a host name that is not one of [Hosts]. There is no format to answer in: the caller writes the text to
// standard error and leaves with [StatusBlocked].
var ErrUnknownHost = errors.New("hook: unknown host")

// ParseHost reads a command-line name, exactly as [Host.String] writes it.
func ParseHost(name string) (Host, error) {
	for _, h := range Hosts() {
		if h.String() == name {
			return h, nil
		}
	}
	return 0, fmt.Errorf("%w %q, known are claude, codex, gemini, copilot, cursor", ErrUnknownHost, name)
}

// The only exit statuses a hook may leave with: hosts run the command on any other.
const (
	StatusAnswered = 0 // the answer is on standard output (or is silence)
	StatusBlocked  = 2 // nothing usable on standard output; the reason is on standard error
)

// Verdict is the judge's opinion. Larger is stricter; zero is invalid and counts as Deny.
type Verdict uint8

// The verdicts.
const (
	Allow Verdict = iota + 1 // run it
	Ask                      // a person decides
	Deny                     // never run it
)

// String returns "allow", "ask", "deny" or "invalid".
func (v Verdict) String() string {
	switch v {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return "invalid"
}

// Dialect names the language a command is written in.
type Dialect string

// The dialects. DialectAuto leaves the choice to the judge, which takes the strictest reading.
const (
	DialectAuto       Dialect = ""
	DialectBash       Dialect = "bash"
	DialectZsh        Dialect = "zsh"
	DialectPowerShell Dialect = "powershell"
	DialectCmd        Dialect = "cmd"
)

// Command is one thing a tool call would run.
type Command struct {
	Text    string   // never blank; for an argv the words quoted for a POSIX shell, so that reading Text gives exactly Argv
	Argv    []string // the words if the host gave an array, else nil; read-only
	Dir     string   // absolute working directory, or "" if the event names none
	Dialect Dialect  // of Text
	Host    Host
	Event   string // the host's event name, such as "PreToolUse"
	Tool    string // the host's tool name, such as "Bash"
	Session string // the host's session or conversation id; may be ""
	Typed   bool   // Text is typed into a running terminal
	Unsure  string // if not "", why Text is not the whole story: an Allow for it becomes Ask with this reason
}

// Decision is the judge's answer about one command.
type Decision struct {
	Verdict Verdict
	Reason  string // one sentence for a person; may be ""
	Rule    string // stable id of the rule that decided; may be ""
	Instead string // a safer command; may be ""
}

// Judge decides about one command. An error, a panic, an invalid verdict and a late answer all count as Deny. The context ends
// when the answer would come too late.
type Judge func(ctx context.Context, c Command) (Decision, error)

// Outcome is what became of one event, for the audit trail.
type Outcome struct {
	Host     Host
	Event    string    // "" if it could not be read
	Tool     string    // "" if it could not be read
	Session  string    // "" if absent or unreadable
	Dir      string    // the event's working directory
	Commands []Command // what was judged; empty for tools that run nothing and for broken events
	Decision Decision  // the merged decision; Allow for tools that run nothing
	Answer   string    // what the host is told: "silent", "allow", "ask" or "deny"
	Err      error     // why no decision could be made; nil otherwise
	Duration time.Duration
}

// Options adjusts Run. The zero value and nil are ready to use.
type Options struct {
	Start    time.Time     // when the process started; zero means the call of Run
	Deadline time.Duration // from Start to the answer; at most and by default MaxDeadline

	AutoAllow bool // say allow where the host can take it, so that it does not prompt

	Shell string // the value of SHELL: hosts run their bash tool in zsh when the user's shell is zsh
	Self  string // absolute path of this program: its own MCP tools are not judged as commands

	MaxEventBytes int // default 4 MiB

	// Observe, if set, is called once per event before the answer leaves. An error or panic turns the answer into a refusal.
	Observe func(context.Context, Outcome) error
}

// MaxDeadline is the longest a hook may think. Every host lets the command run when its own clock (10 seconds at the shortest) runs out.
const MaxDeadline = 8 * time.Second

const (
	defaultMaxEventBytes = 4 << 20
	maxCommands          = 64
)

// ErrTimeout reports that the verdict did not come in time. It says nothing about the command.
var ErrTimeout = errors.New("hook: timed out, the command was not judged")

// Run reads one event of host from in, judges it and writes the answer to out, diagnostics to errOut. It returns the exit status:
// StatusAnswered, or StatusBlocked if host is unknown or out could not be written. It never panics. From then on the process ignores SIGPIPE.
func Run(ctx context.Context, host Host, in io.Reader, out, errOut io.Writer, judge Judge, o *Options) (status int) {
	surviveBrokenPipe()
	r := &run{host: host, judge: judge, out: out, errOut: errOut, o: o.withDefaults()}
	defer func() {
		if p := recover(); p != nil {
			status = DenyFor(host.String(), fmt.Sprintf("internal error: %v", p), out, errOut)
		}
	}()
	r.adapter = adapterFor(host)
	if r.adapter == nil {
		return blocked(errOut, ErrUnknownHost.Error())
	}
	end := r.o.Start.Add(r.o.Deadline)
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	// What is left after the judge's share pays for the audit record and the write.
	judging, stop := context.WithDeadline(ctx, end.Add(-r.o.Deadline/16))
	defer stop()
	res := r.decide(judging, in)
	return r.write(ctx, r.observe(ctx, res))
}

// DenyFor writes host's refusal, with reason, for use before anything else works: a wrong flag, a bad environment value, an unreadable
// table. It returns the exit status: StatusAnswered, or StatusBlocked with text on errOut if the name is not a host's or out
// could not be written.
func DenyFor(host, reason string, out, errOut io.Writer) int {
	surviveBrokenPipe()
	h, err := ParseHost(host)
	if err != nil {
		return blocked(errOut, err.Error())
	}
	body := Denial(h, reason)
	if n, err := out.Write(body); err != nil || n != len(body) {
		return blocked(errOut, "refused ("+oneLine(reason)+"), and the answer could not be written")
	}
	warn(errOut, "refused: "+reason)
	return StatusAnswered
}

// Denial returns host's refusal of its main event as one line of JSON. A host that is not one of [Hosts] gets nil.
func Denial(host Host, reason string) []byte {
	a := adapterFor(host)
	if a == nil {
		return nil
	}
	return a.answer(request{}, Deny, failureText(reason))
}

// adapter is what differs between hosts. Implementations hold no state.
type adapter interface {
	// read finds out what the event wants to run. On error the request still holds what could be read before it.
	read(ev object, o *Options) (request, error)
	// answer renders a verdict; nil means silence. It is asked for Allow only if the host is to be told aloud or cannot take silence.
	answer(req request, v Verdict, reason string) []byte
	// silence is what the host reads as "no opinion".
	silence(req request) []byte
	// canAsk reports whether the host takes an ask for this event.
	canAsk(req request) bool
	// canAllow reports whether the host takes an explicit allow for this event.
	canAllow(req request) bool
}

// request is one event, read.
type request struct {
	event    string // "" for the host's main event
	tool     string
	session  string
	dir      string
	commands []Command
	plain    bool // the host's own shell tool with known fields only: an explicit allow covers all it does
}

func adapterFor(h Host) adapter {
	switch h {
	case Claude:
		return claude{}
	case Codex:
		return codex{}
	case Gemini:
		return gemini{}
	case Copilot:
		return copilot{}
	case Cursor:
		return cursor{}
	}
	return nil
}

func (o *Options) withDefaults() *Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Start.IsZero() {
		c.Start = time.Now()
	}
	if c.Deadline <= 0 || c.Deadline > MaxDeadline {
		c.Deadline = MaxDeadline
	}
	if c.MaxEventBytes <= 0 {
		c.MaxEventBytes = defaultMaxEventBytes
	}
	return &c
}

func warn(w io.Writer, text string) {
	if w != nil {
		_, _ = io.WriteString(w, "phocinae-mcp[warn]: "+oneLine(text)+"\n") // nothing is left to tell if this fails
	}
}

func blocked(errOut io.Writer, text string) int {
	warn(errOut, text)
	return StatusBlocked
}

func oneLine(s string) string { return clean(strings.TrimSpace(s), maxReason) }
