package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/hook"
)

// commandLine is the whole command line. Settings are root flags, so that they may stand before or after the command.
type commandLine struct {
	config.Flags

	Version bool `help:"Print the version and exit." short:"V"`

	Serve      serveCommand      `cmd:"" default:"withargs" help:"Serve MCP over stdio or HTTP (the default command)."`
	Gate       gateCommand       `cmd:"" help:"Judge one command: exit 0 allow, 1 deny, 2 ask, 3 usage."`
	Explain    explainCommand    `cmd:"" help:"Show how a command is read and which rules speak about it."`
	Hook       hookCommand       `cmd:"" help:"Answer an agent host's pre-command event on standard input."`
	Install    installCommand    `cmd:"" help:"Write this program into a host's configuration."`
	ShowConfig configCommand     `cmd:"" name:"config" help:"Print what install would write."`
	Policy     policyCommand     `cmd:"" help:"List the rules in force."`
	AuditTrail auditCommand      `cmd:"" name:"audit" help:"Read the audit trail."`
	Doctor     doctorCommand     `cmd:"" help:"Check service, table, audit file and hosts."`
	Demo       demoCommand       `cmd:"" help:"Play a whole conversation against a mock service."`
	Completion completionCommand `cmd:"" help:"Print a completion script for bash, zsh or fish."`
}

const description = "A fail-closed approval gate for shell commands, with classify, route and score, over MCP."

// exitError ends the program with a status; an empty text was already told.
type exitError struct {
	status int
	text   string
}

func (e *exitError) Error() string { return e.text }

// ExitCode is the status to leave with.
func (e *exitError) ExitCode() int { return e.status }

func usage(text string) error { return &exitError{3, text} }

// newParser builds the kong model. Help goes to w; kong never ends the process by itself.
func newParser(c *commandLine, w io.Writer, exited *bool) (*kong.Kong, error) {
	return kong.New(c, kong.Name("phocinae-mcp"), kong.Description(description), kong.Writers(w, w),
		kong.Exit(func(int) { *exited = true }), kong.ValueFormatter(config.HelpText), kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.ExplicitGroups(config.Groups()))
}

// run tells hook calls, which must end in an answer whatever happens, from all others.
func (p *Process) run() (status int) {
	if host, is := p.hookHost(); is {
		return p.guardHook(host)
	}
	defer func() {
		if r := recover(); r != nil {
			// Not the runtime's own end: its status 2 would read as "ask" where a verdict was wanted.
			_, _ = fmt.Fprintf(p.Err, "phocinae-mcp[error]: internal error: %s\n%s", oneLine(fmt.Sprint(r)), debug.Stack())
			status = 1
		}
	}()
	return p.command()
}

// command parses, resolves and runs, and turns every outcome but a panic into an exit status.
func (p *Process) command() int {
	p.Args = spelled(p.Args)
	if done, err := p.early(); done {
		if err != nil {
			return p.refuse(err)
		}
		return 0
	}
	if run := p.plain(); run != nil {
		if err := run(); err != nil {
			return p.refuse(err)
		}
		return 0
	}
	var c commandLine
	var help bytes.Buffer
	exited := false
	parser, err := newParser(&c, &help, &exited)
	if err != nil {
		return p.fail(3, "command line model: %v", err)
	}
	ctx, err := p.parse(parser, &exited)
	switch {
	case (exited || err == nil && c.Version) && p.unanswered():
		return p.refuse(errors.New("--help and --version do not judge commands"))
	case exited:
		if _, err := p.Out.Write(help.Bytes()); err != nil {
			return p.refuse(err)
		}
		return 0
	case err != nil:
		return p.refuse(err)
	case c.Version:
		if err := p.version(); err != nil {
			return p.refuse(err)
		}
		return 0
	}
	if err := ctx.Run(p, &c.Flags, parser); err != nil {
		return p.refuse(err)
	}
	return 0
}

// parse runs kong. Help makes kong go on with a model it has not filled, so a panic after help is none.
func (p *Process) parse(parser *kong.Kong, exited *bool) (ctx *kong.Context, err error) {
	defer func() {
		if r := recover(); r != nil {
			if !*exited {
				panic(r)
			}
			err = errors.New("help")
		}
	}()
	return parser.Parse(p.Args)
}

// refuse tells an error in one line and returns its status.
func (p *Process) refuse(err error) int {
	if e, ok := errors.AsType[*exitError](err); ok && e.text == "" {
		return e.status
	}
	if name, is := p.hookHost(); is {
		return hook.DenyFor(name, "the gate could not start: "+oneLine(err.Error()), p.answer, p.Err)
	}
	if text, is := outputFault(err, p.Out); is {
		return p.fail(1, "%s", text)
	}
	status := 3
	var coded interface{ ExitCode() int }
	if _, parse := errors.AsType[*kong.ParseError](err); !parse && errors.As(err, &coded) {
		status = coded.ExitCode()
	}
	text := oneLine(err.Error())
	if text == "" {
		return status
	}
	if e, parse := errors.AsType[*kong.ParseError](err); parse {
		text = p.parseProblem(e)
	}
	return p.fail(status, "%s", text)
}

// unanswered reports a hook call with a host that waits for an answer, as opposed to a person at a terminal.
func (p *Process) unanswered() bool {
	host, is := p.hookHost()
	return is && host != "" && !terminal(p.In)
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\n", "; ")), " ")
}

// plain is the command of the two shortest command lines, the ones that hosts' configurations hold: nothing at all, and
// "hook HOST". Building the model of the whole command line would be a tenth of such a start. Nil for all others.
func (p *Process) plain() func() error {
	switch {
	case len(p.Args) == 0:
		return func() error { return serveCommand{}.Run(p, &config.Flags{}) }
	case len(p.Args) == 2 && p.Args[0] == "hook" && !strings.HasPrefix(p.Args[1], "-"):
		return func() error { return (&hookCommand{Host: p.Args[1]}).Run(p, &config.Flags{}) }
	}
	return nil
}

// early answers what needs no parser, the version, and reports whether that was asked.
func (p *Process) early() (asked bool, err error) {
	if asked = len(p.Args) == 1 && (p.Args[0] == "--version" || p.Args[0] == "-V"); asked {
		err = p.version()
	}
	return asked, err
}

func (p *Process) version() error {
	_, err := io.WriteString(p.Out, "phocinae-mcp "+Version+"\n")
	return err
}
