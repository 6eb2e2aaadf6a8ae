package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/service"
)

// parts are what the judging commands share.
type parts struct {
	cfg    *config.Config
	engine *gatecore.Engine
	pool   *service.Pool
	judge  *gate.Judge
	log    *audit.Log // nil: off
	logger *slog.Logger
}

// assemble resolves the configuration and builds everything a judgement needs. Nothing is dialled; of files only the
// configuration, the keys and the table are read.
func (p *Process) assemble(f *config.Flags, logger func(*config.Config) *slog.Logger) (*parts, error) {
	cfg, err := config.Resolve(f, p.environment())
	if err != nil {
		return nil, err
	}
	s := &parts{cfg: cfg, pool: service.New(cfg), logger: logger(cfg)}
	if s.engine, err = newEngine(cfg, p.executable()); err != nil {
		return nil, err
	}
	if s.log, err = openAudit(cfg, s.logger); err != nil {
		return nil, err
	}
	s.judge = gate.New(cfg, s.engine, gate.FromPool(s.pool), s.logger)
	return s, nil
}

func (s *parts) close() {
	s.pool.Close()
	if s.log != nil {
		if err := s.log.Close(); err != nil {
			s.logger.Warn("audit file not closed", "error", err)
		}
	}
}

// openAudit makes the log. It touches the file only when the operator insists on records: otherwise a start must not fail,
// nor wait, for a file that only the first record needs.
func openAudit(cfg *config.Config, logger *slog.Logger) (*audit.Log, error) {
	a := cfg.Audit
	if a.Path == "" {
		if !a.Off {
			logger.Warn("audit is off: no home directory to keep it in")
		}
		return nil, nil
	}
	o := &audit.Options{
		Key: a.Key, Raw: a.Raw, Sync: a.Sync, MaxBytes: a.MaxBytes, MaxBackups: a.Keep, Lazy: !a.Required,
		Warn: func(err error) { logger.Warn("audit", "error", err) },
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = -1 // here 0 says never
	}
	log, err := audit.Open(a.Path, o)
	if err != nil {
		text := err.Error()
		if e, ok := errors.AsType[*audit.Error](err); ok {
			text = e.Cause()
		}
		return nil, &exitError{3, fmt.Sprintf("%s: %s: %s; allowed: a file that can be written, or off", a.Where, a.Path, text)}
	}
	return log, nil
}

// newEngine makes the engine. Faults of the operator's table stop the start.
func newEngine(cfg *config.Config, executable string) (*gatecore.Engine, error) {
	o := &gatecore.Options{GateFiles: cfg.GateFiles(executable), KeyFiles: cfg.KeyFiles()}
	if cfg.Guard.Path != "" {
		table, err := gatecore.LoadTable(cfg.Guard.Path)
		if err != nil {
			return nil, tableFault(cfg.Guard, err)
		}
		o.Table = table
	}
	return gatecore.New(o)
}

// tableFault says in one line what named the table, which file it is, where in it what is wrong, and what to do.
func tableFault(g config.Guard, err error) error {
	text := reason(err)
	if e, ok := errors.AsType[*gatecore.TableError](err); ok {
		text = strings.Join(e.Problems, " | ")
	}
	return &exitError{3, fmt.Sprintf("%s: %s: %s; nothing is judged until the table is repaired", g.Where, g.Path, text)}
}

// onStderr is the logger of commands that run for a moment: straight to standard error.
func (p *Process) onStderr(cfg *config.Config) *slog.Logger {
	return newLogger(p.Err, cfg.LogLevel, cfg.LogFormat)
}

// warn tells something beside the result.
func (p *Process) warn(text string) {
	slog.New(newLogHandler(p.Err, slog.LevelWarn)).Warn(text)
}

// standardInput is the name of standard input on the command line.
const standardInput = "-"
