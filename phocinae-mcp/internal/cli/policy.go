package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/tool"
)

type policyCommand struct {
	JSON bool `name:"json" help:"JSON output."`
}

// Run lists the rules in force.
func (c *policyCommand) Run(p *Process, f *config.Flags) error {
	s, err := p.assemble(f, p.onStderr)
	if err != nil {
		return err
	}
	defer s.close()
	if c.JSON {
		text, err := tool.TableJSON(s.engine, s.judge.EngineName(), s.cfg.Guard.Describe())
		if err != nil {
			return err
		}
		_, err = io.WriteString(p.Out, text+"\n")
		return err
	}
	var b strings.Builder
	paint := paint(p.colours(p.Out))
	fmt.Fprintf(&b, "engine %s, table %s, L1 %s, undecided without L1: %s\n", s.judge.EngineName(), s.cfg.Guard.Describe(), onOff(s.cfg.L1), failClosed(s.cfg))
	domain := ""
	for _, r := range s.engine.Rules() {
		if r.Domain != domain {
			domain = r.Domain
			fmt.Fprintf(&b, "\n%s\n", paint.bold(domain))
		}
		fmt.Fprintf(&b, "  %s %-34s %s\n", paint.word(r.Verdict, fmt.Sprintf("%-9s", r.Verdict)), r.ID, r.Why)
		if r.Instead != "" {
			fmt.Fprintf(&b, "  %44s instead: %s\n", "", r.Instead)
		}
	}
	_, err = io.WriteString(p.Out, b.String())
	return err
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
