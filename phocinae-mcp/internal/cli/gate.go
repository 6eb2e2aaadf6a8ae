package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/approval"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/tool"
)

// judged is the input that gate and explain share.
type judged struct {
	Command string  `arg:"" help:"The command, as one word, or - to read it from standard input."`
	Cwd     *string `help:"Working directory of the command (default: the current one)." placeholder:"DIR"`
	Dialect string  `help:"Shell whose rules apply: auto, bash, zsh, powershell or cmd." default:"auto" placeholder:"NAME"`
	Text    bool    `help:"Readable output (default on a terminal)." xor:"form"`
	JSON    bool    `name:"json" help:"JSON output (default elsewhere)." xor:"form"`
}

const (
	maxCommand = 20_000 // characters
	maxDir     = 4096   // bytes
)

// request checks the input and makes a request of it.
func (j *judged) request(p *Process) (gate.Request, error) {
	r := gate.Request{Command: j.Command, Dir: p.dir(), Home: p.home()}
	if j.Command == standardInput {
		data, err := io.ReadAll(io.LimitReader(p.In, 4*maxCommand+2))
		if err != nil {
			return r, usage("standard input: " + err.Error())
		}
		r.Command = strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	}
	n := utf8.RuneCountInString(r.Command)
	if strings.TrimSpace(r.Command) == "" {
		return r, usage("COMMAND: blank; allowed: 1 to 20000 characters, not blank")
	}
	if n > maxCommand {
		return r, usage(fmt.Sprintf("COMMAND: %d characters or more; allowed: 1 to 20000 characters", n))
	}
	if j.Cwd != nil {
		// Empty is no wish for the current directory: it is a variable that a script has not set.
		if strings.TrimSpace(*j.Cwd) == "" || len(*j.Cwd) > maxDir {
			return r, usage(fmt.Sprintf("--cwd: blank or longer than %d bytes; allowed: a directory, absolute or from here", maxDir))
		}
		dir, err := filepath.Abs(*j.Cwd)
		if err != nil {
			return r, usage("--cwd: " + err.Error())
		}
		r.Dir = dir
	}
	dialects := map[string]gatecore.Dialect{
		"auto": gatecore.AutoDialect, "bash": gatecore.Bash, "zsh": gatecore.Zsh, "powershell": gatecore.PowerShell, "cmd": gatecore.Cmd,
	}
	d, ok := dialects[j.Dialect]
	if !ok {
		return r, usage(fmt.Sprintf("--dialect: %q is not one of them; allowed: auto, bash, zsh, powershell or cmd", j.Dialect))
	}
	r.Dialect = d
	return r, nil
}

// readable reports whether output is meant for a person.
func (j *judged) readable(p *Process) bool { return j.Text || !j.JSON && terminal(p.Out) }

type gateCommand struct {
	judged
	Confirm bool `help:"On ask, show the form on the terminal and wait for a typed yes."`
}

// Run prints one verdict; the exit status tells it too.
func (c *gateCommand) Run(p *Process, f *config.Flags) error {
	r, err := c.request(p)
	if err != nil {
		return err
	}
	s, err := p.assemble(f, p.onStderr)
	if err != nil {
		return err
	}
	defer s.close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	d := s.judge.Decide(ctx, r)
	confirm := ""
	if c.Confirm && d.Verdict == gatecore.Undecided {
		d, confirm = p.confirmOnTerminal(ctx, s, d)
	} else if c.Confirm && d.Layer == gate.FailClosed && d.Error == "" && d.Kind != 0 {
		s.logger.Info("--confirm: nothing was asked, because the verdict is the fallback, deny; with --fail-closed ask undecided commands are asked about")
	}
	d = s.record(d, confirm, "gate", "cli", p.Start)
	if err := c.print(p, &d); err != nil {
		return &exitError{1, "standard output: " + err.Error()}
	}
	switch d.Verdict {
	case gatecore.Allow:
		return nil
	case gatecore.Undecided:
		return &exitError{status: 2}
	}
	return &exitError{status: 1}
}

func (c *gateCommand) print(p *Process, d *gate.Decision) error {
	if !c.readable(p) {
		raw, err := mcpproto.Marshal(tool.Output(d))
		if err != nil {
			return err
		}
		_, err = p.Out.Write(append(raw, '\n'))
		return err
	}
	_, err := io.WriteString(p.Out, verdictText(d, paint(p.colours(p.Out))))
	return err
}

// record writes the audit record of a decision made outside the server. Without a required record there is no allow.
func (s *parts) record(d gate.Decision, confirm, event, transport string, start time.Time) gate.Decision {
	if s.log == nil {
		return d
	}
	r := audit.Record{
		Event: event, Tool: "gate", Transport: transport, Command: d.Request.Command, Cwd: d.Request.Dir, Decision: gate.Word(d.Verdict),
		Layer: string(d.Layer), Rule: d.Rule, Reason: d.Why, Confirm: confirm, Error: d.Error, Duration: time.Since(start),
	}
	if d.Answer != nil {
		r.Noul, r.Score = &d.Answer.Noul, &d.Answer.Score
	}
	err := s.log.Write(r)
	if err == nil {
		return d
	}
	s.logger.Error("audit record lost", "error", err, "required", s.cfg.Audit.Required)
	if s.cfg.Audit.Required {
		return s.judge.Failed(d.Request, "audit", "the call could not be recorded, and the operator requires a record")
	}
	return d
}

// confirmOnTerminal asks the person at the controlling terminal; standard input may be a pipe from anybody.
func (p *Process) confirmOnTerminal(ctx context.Context, s *parts, d gate.Decision) (gate.Decision, string) {
	message, err := approval.Form(tool.Subject(&d, s.engine), s.cfg.Lang)
	if err != nil {
		return d, "too_long_to_show"
	}
	in, err := os.Open(ttyIn)
	if err != nil {
		return d, "no_terminal"
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(ttyOut, os.O_WRONLY, 0)
	if err != nil {
		return d, "no_terminal"
	}
	defer func() { _ = out.Close() }()
	// What was typed before the form is shown is no answer to it.
	if err := dropInput(in); err != nil {
		return d, "no_terminal"
	}
	if _, err := fmt.Fprintf(out, "\n%s\n\nType yes to run it, anything else leaves it undecided: ", message); err != nil {
		return d, "no_terminal"
	}
	if !typedYes(ctx, in) {
		return d, "no_answer"
	}
	now := s.judge.Decide(ctx, d.Request)
	if now.Verdict != gatecore.Undecided {
		return now, "overruled"
	}
	now.Verdict, now.Layer = gatecore.Allow, gate.HumanConfirm
	now.Why = "Approved at the terminal. It was asked because: " + now.Why
	return now, "approved"
}

// typedYes waits for one line and reports whether it is yes. The end of input and the end of the context are no.
func typedYes(ctx context.Context, in io.Reader) bool {
	line := make(chan string, 1)
	go func() {
		text, err := bufio.NewReader(io.LimitReader(in, 64)).ReadString('\n')
		if err != nil {
			text = "" // half a line is no answer
		}
		line <- text
	}()
	select {
	case text := <-line:
		return strings.TrimSpace(text) == "yes"
	case <-ctx.Done():
		return false
	}
}

func failClosed(cfg *config.Config) string { return gate.Word(cfg.FailClosed) }
