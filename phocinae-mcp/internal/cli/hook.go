package cli

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/hook"
)

type hookCommand struct {
	Host      string `arg:"" help:"claude, codex, gemini, copilot or cursor."`
	AutoAllow bool   `help:"Say allow aloud where the host can take it, so that harmless commands no longer prompt."`
}

// hookMemory bounds the heap. A process killed for its memory would let the command run; a slow one is answered with deny.
const hookMemory = 512 << 20

// Run answers one event. Whatever is wrong with flags, environment, files or table has become an error before this
// point or becomes one here, and every error of a hook call ends in the host's deny (see Process.refuse).
func (c *hookCommand) Run(p *Process, f *config.Flags) error {
	host, err := hook.ParseHost(c.Host)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(hookMemory)
	s, err := p.assemble(f, p.onStderr)
	if err != nil {
		return err
	}
	defer s.close()
	shell, _ := p.Lookup("SHELL")
	status := hook.Run(p.hookContext, host, p.In, p.answer, p.Err, s.hookJudge(p), &hook.Options{
		Start: p.Start, AutoAllow: c.AutoAllow, Shell: shell, Self: p.executable(), Observe: s.hookRecord,
	})
	if status != hook.StatusAnswered {
		return &exitError{status: status} // told already; must not be answered a second time
	}
	return nil
}

func (s *parts) hookJudge(p *Process) hook.Judge {
	home := p.home()
	return func(ctx context.Context, c hook.Command) (hook.Decision, error) {
		d := s.judge.Decide(ctx, gate.Request{Command: c.Text, Dir: c.Dir, Home: home, Dialect: dialectOf(c.Dialect)})
		out := hook.Decision{Verdict: hook.Deny, Reason: d.Why, Rule: d.Rule, Instead: d.Instead}
		switch d.Verdict {
		case gatecore.Allow:
			out.Verdict = hook.Allow
		case gatecore.Undecided:
			out.Verdict = hook.Ask
		}
		return out, nil
	}
}

func dialectOf(d hook.Dialect) gatecore.Dialect {
	switch d {
	case hook.DialectBash:
		return gatecore.Bash
	case hook.DialectZsh:
		return gatecore.Zsh
	case hook.DialectPowerShell:
		return gatecore.PowerShell
	case hook.DialectCmd:
		return gatecore.Cmd
	}
	return gatecore.AutoDialect
}

// hookRecord writes the record of one event. Its error refuses the command, so it is one only where the operator requires
// records.
func (s *parts) hookRecord(_ context.Context, o hook.Outcome) error {
	if s.log == nil {
		return nil
	}
	r := audit.Record{
		Event: "hook", Tool: o.Tool, Transport: "hook", Client: o.Host.String(), Cwd: o.Dir, Decision: word(o.Decision.Verdict),
		Rule: o.Decision.Rule, Reason: o.Decision.Reason, Confirm: o.Answer, Duration: o.Duration,
	}
	for i, c := range o.Commands {
		if i > 0 {
			r.Command += "\n"
		}
		r.Command += c.Text
	}
	if o.Err != nil {
		r.Error, r.Layer = o.Err.Error(), string(gate.FailClosed)
	}
	err := s.log.Write(r)
	if err == nil {
		return nil
	}
	s.logger.Error("audit record lost", "error", err, "required", s.cfg.Audit.Required)
	if s.cfg.Audit.Required {
		return errors.New("the call could not be recorded, and the operator requires a record")
	}
	return nil
}

func word(v hook.Verdict) string {
	switch v {
	case hook.Allow:
		return "allow"
	case hook.Ask:
		return "ask"
	}
	return "deny"
}
