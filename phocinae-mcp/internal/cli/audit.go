package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
)

type auditCommand struct {
	Verify auditVerify `cmd:"" help:"Look for edited, removed, reordered and inserted records; exit 1 if any."`
	Tail   auditTail   `cmd:"" help:"Show the last records."`
	Stats  auditStats  `cmd:"" help:"Count decisions, rules, layers and latency."`
	Report auditReport `cmd:"" help:"Write one self-contained HTML page."`
}

// auditConfig resolves the settings and insists on a file.
func (p *Process) auditConfig(f *config.Flags) (*config.Config, error) {
	cfg, err := config.Resolve(f, p.environment())
	if err != nil {
		return nil, err
	}
	if cfg.Audit.Path == "" {
		return nil, usage("--audit: off; allowed: the path of an audit file")
	}
	return cfg, nil
}

// auditError tells a reading error in the words of the command line.
func auditError(path string, err error) error {
	if errors.Is(err, audit.ErrNoFile) {
		return &exitError{1, "--audit " + path + ": there is no such file yet"}
	}
	return &exitError{1, strings.TrimPrefix(err.Error(), "audit: ")}
}

type auditVerify struct {
	Expect []string `help:"A record that must be there, as WRITER:SEQ:HASH; repeatable." placeholder:"HEAD" sep:"none"`
	Pruned bool     `help:"The oldest files were removed on purpose."`
	JSON   bool     `name:"json" help:"JSON output."`
}

// Run checks the chain and says what it cannot see.
func (c *auditVerify) Run(p *Process, f *config.Flags) error {
	cfg, err := p.auditConfig(f)
	if err != nil {
		return err
	}
	o := &audit.VerifyOptions{Pruned: c.Pruned}
	if len(cfg.Audit.Key) > 0 {
		o.Keys = [][]byte{cfg.Audit.Key}
	}
	for _, text := range c.Expect {
		head, err := audit.ParseHead(text)
		if err != nil {
			return usage("--expect: " + strings.TrimPrefix(err.Error(), "audit: "))
		}
		o.Expect = append(o.Expect, head)
	}
	r, err := audit.Verify(cfg.Audit.Path, o)
	if err != nil {
		return auditError(cfg.Audit.Path, err)
	}
	if c.JSON {
		err = p.printJSON(r)
	} else {
		_, err = io.WriteString(p.Out, verifyText(r, paint(p.colours(p.Out))))
	}
	if err == nil && !r.OK() {
		return &exitError{status: 1}
	}
	return err
}

func verifyText(r *audit.VerifyReport, c paint) string {
	var b strings.Builder
	for _, problem := range r.Problems {
		fmt.Fprintf(&b, "%s %s\n", c.code("31", "bad "), audit.Escape(problem.String()))
	}
	if more := r.Found - len(r.Problems); more > 0 {
		fmt.Fprintf(&b, "%s and %d more\n", c.code("31", "bad "), more)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "%s %s\n", c.code("33", "note"), audit.Escape(note))
	}
	state := c.code("32", "ok  ")
	if !r.OK() {
		state = c.code("31", "bad ")
	}
	fmt.Fprintf(&b, "%s %d records of %d writers in %d files, %d with a key, %d problems\n", state, r.Records, r.Writers, len(r.Files), r.Keyed, r.Found)
	for _, h := range r.Heads {
		fmt.Fprintf(&b, "head %s\n", h)
	}
	for _, blind := range r.Blind {
		fmt.Fprintf(&b, "%s %s\n", c.dim("blind"), blind)
	}
	return b.String()
}

type auditTail struct {
	Lines  int  `short:"n" help:"How many records." default:"10"`
	All    bool `help:"All records."`
	Follow bool `short:"f" help:"Wait for more."`
	JSON   bool `name:"json" help:"The records as they are."`
}

// Run shows the end of the trail.
func (c *auditTail) Run(p *Process, f *config.Flags) error {
	cfg, err := p.auditConfig(f)
	if err != nil {
		return err
	}
	if c.Lines < 1 {
		return usage(fmt.Sprintf("--lines: %d; allowed: 1 or more", c.Lines))
	}
	if c.All {
		c.Lines = -1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := audit.Tail(ctx, cfg.Audit.Path, p.Out, &audit.TailOptions{Lines: c.Lines, Follow: c.Follow, JSON: c.JSON}); err != nil {
		return auditError(cfg.Audit.Path, err)
	}
	return nil
}

// auditRange limits what is counted.
type auditRange struct {
	Since string `help:"Only records from here on: a date, a time (RFC 3339) or a duration back (24h)." placeholder:"WHEN"`
	Until string `help:"Only records before: the same." placeholder:"WHEN"`
}

func (r *auditRange) parse(now time.Time) (out audit.Range, err error) {
	if out.Since, err = when("--since", r.Since, now); err != nil {
		return out, err
	}
	out.Until, err = when("--until", r.Until, now)
	return out, err
}

func when(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usage(fmt.Sprintf("%s: %q; allowed: a date (2026-07-28), a time (2026-07-28T10:00:00Z) or a duration back (24h)", flag, text))
}

type auditStats struct {
	auditRange
	JSON bool `name:"json" help:"JSON output."`
}

// Run counts.
func (c *auditStats) Run(p *Process, f *config.Flags) error {
	cfg, err := p.auditConfig(f)
	if err != nil {
		return err
	}
	limits, err := c.parse(p.Start)
	if err != nil {
		return err
	}
	s, err := audit.Stats(cfg.Audit.Path, limits)
	if err != nil {
		return auditError(cfg.Audit.Path, err)
	}
	if c.JSON {
		return p.printJSON(s)
	}
	return s.WriteText(p.Out)
}

type auditReport struct {
	auditRange
	File string `arg:"" help:"The page to write, or - for standard output."`
}

// Run writes the page. An existing page is replaced in one step.
func (c *auditReport) Run(p *Process, f *config.Flags) error {
	cfg, err := p.auditConfig(f)
	if err != nil {
		return err
	}
	limits, err := c.parse(p.Start)
	if err != nil {
		return err
	}
	o := &audit.ReportOptions{Range: limits, Lang: cfg.Lang}
	v := &audit.VerifyOptions{}
	if len(cfg.Audit.Key) > 0 {
		v.Keys = [][]byte{cfg.Audit.Key}
	}
	if o.Verify, err = audit.Verify(cfg.Audit.Path, v); err != nil {
		return auditError(cfg.Audit.Path, err)
	}
	var page bytes.Buffer
	if err := audit.WriteReport(&page, cfg.Audit.Path, o); err != nil {
		return auditError(cfg.Audit.Path, err)
	}
	if c.File == standardInput {
		_, err = p.Out.Write(page.Bytes())
		return err
	}
	if err := replace(c.File, page.Bytes()); err != nil {
		return &exitError{1, c.File + ": " + reason(err) + "; allowed: a file in a folder that can be written, or - for standard output"}
	}
	_, err = fmt.Fprintf(p.Out, "%s: %d records\n", c.File, o.Verify.Records)
	return err
}

// replace writes a file beside its place and moves it there. The page holds commands, so it is its owner's alone.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".phocinae-mcp-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (p *Process) printJSON(v any) error {
	raw, err := mcpproto.Marshal(v)
	if err != nil {
		return err
	}
	_, err = p.Out.Write(append(raw, '\n'))
	return err
}
