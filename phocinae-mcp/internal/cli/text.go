package cli

import (
	"fmt"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/approval"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// paint says whether output may hold colours.
type paint bool

func (c paint) code(code, s string) string {
	if !c || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (c paint) dim(s string) string  { return c.code("2", s) }
func (c paint) bold(s string) string { return c.code("1", s) }

// word colours a verdict's word.
func (c paint) word(v gatecore.Verdict, s string) string {
	switch v {
	case gatecore.Allow:
		return c.code("32", s)
	case gatecore.Undecided:
		return c.code("33", s)
	}
	return c.code("31", s)
}

// verdictText is a decision for a person. Everything that is not ours is escaped: it goes to a terminal.
func verdictText(d *gate.Decision, c paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", c.bold(c.word(d.Verdict, strings.ToUpper(gate.Word(d.Verdict)))), approval.Escape(d.Request.Command))
	fmt.Fprintf(&b, "  %s %s\n", c.dim("layer "), d.Layer)
	fmt.Fprintf(&b, "  %s %s\n", c.dim("reason"), approval.Escape(d.Reason()))
	for _, f := range d.Findings {
		fmt.Fprintf(&b, "  %s %s", c.word(f.Verdict, fmt.Sprintf("%-9s", f.Verdict)), f.RuleID)
		if part := spanText(d.Request.Command, f.Start, f.End); part != "" {
			fmt.Fprintf(&b, " %s", c.dim("["+part+"]"))
		}
		fmt.Fprintf(&b, "\n    %s\n", approval.Escape(f.Why))
		if f.Instead != "" {
			fmt.Fprintf(&b, "    instead: %s\n", approval.Escape(f.Instead))
		}
	}
	if a := d.Answer; a != nil {
		fmt.Fprintf(&b, "  %s may run %.4g (%s), risk %.4g\n", c.dim("model "), a.Noul, a.State, a.Score)
	}
	if d.Error != "" {
		fmt.Fprintf(&b, "  %s %s\n", c.dim("error "), approval.Escape(d.Error))
	}
	return b.String()
}

// spanText is the part of a command a finding is about, escaped and cut.
func spanText(command string, start, end int) string {
	if start < 0 || end > len(command) || start >= end {
		return ""
	}
	const most = 60
	runes := []rune(command[start:end])
	if len(runes) > most {
		return approval.Escape(string(runes[:most/2])) + "…" + approval.Escape(string(runes[len(runes)-most/2:]))
	}
	return approval.Escape(string(runes))
}
