package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/approval"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
)

type explainCommand struct{ judged }

// Run shows how a command is read. Nothing is asked of a service and nothing is recorded: no verdict is given to anybody.
func (c *explainCommand) Run(p *Process, f *config.Flags) error {
	r, err := c.request(p)
	if err != nil {
		return err
	}
	s, err := p.assemble(f, p.onStderr)
	if err != nil {
		return err
	}
	defer s.close()
	e := s.engine.Explain(r.Command, gatecore.Place{Dir: r.Dir, Home: r.Home, Dialect: r.Dialect})
	if !c.readable(p) {
		raw, err := mcpproto.Marshal(&struct {
			Command string `json:"command"`
			Cwd     string `json:"cwd,omitzero"`
			gatecore.Explanation
			BrokenOff bool `json:"broken_off,omitzero"`
		}{r.Command, r.Dir, e, brokenOff(&e)})
		if err != nil {
			return err
		}
		_, err = p.Out.Write(append(raw, '\n'))
		return err
	}
	text := explainText(r.Command, &e, paint(p.colours(p.Out))) + "\n" + outlook(s.cfg, &e) + "\n"
	_, err = io.WriteString(p.Out, text)
	return err
}

// brokenOff reports a judgement that a fault of the engine ended: its verdict stands, but there are no parts to show.
func brokenOff(e *gatecore.Explanation) bool {
	if len(e.Parts) > 0 {
		return false
	}
	for _, f := range e.Findings {
		if f.RuleID == "text.unreadable" {
			return true
		}
	}
	return false
}

// outlook says what gate makes of the table's verdict under the present settings.
func outlook(cfg *config.Config, e *gatecore.Explanation) string {
	switch {
	case cfg.Guard.Off:
		return "gate does not look at the table (--guard none): it puts every command to the service at " + cfg.Server + "."
	case e.Verdict == gatecore.Allow && e.Kind == 0:
		return "gate answers allow."
	case e.Verdict != gatecore.Undecided:
		return "gate answers deny."
	case cfg.L1 && e.Kind == gatecore.Unproven:
		return "gate puts it to the service at " + cfg.Server + " (L1 is on)."
	case cfg.L1:
		return "gate answers " + failClosed(cfg) + ": text that cannot be read for certain is not put to the service."
	}
	return "gate answers " + failClosed(cfg) + ": the table leaves it undecided, and L1 is off."
}

func explainText(command string, e *gatecore.Explanation, c paint) string {
	var b strings.Builder
	verdict := e.Verdict.String()
	if e.Kind != 0 {
		verdict += " (" + e.Kind.String() + ")"
	}
	fmt.Fprintf(&b, "%s  %s\n", c.bold(c.word(e.Verdict, strings.ToUpper(verdict))), approval.Escape(command))
	if brokenOff(e) {
		b.WriteString("The judgement broke off: a fault of this program ended it before the command was read, so there are no parts to show.\n" +
			"The verdict above stands. Please report the command with the output of phocinae-mcp --version.\n")
	}
	for i, part := range e.Parts {
		branch(&b, part, "", i == len(e.Parts)-1, c)
	}
	b.WriteString("\n")
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "%s %s %s\n    %s\n", c.word(f.Verdict, fmt.Sprintf("%-9s", f.Verdict)), c.bold(f.RuleID),
			c.dim(fmt.Sprintf("bytes %d-%d [%s]", f.Start, f.End, spanText(command, f.Start, f.End))), approval.Escape(f.Why))
		if f.Instead != "" {
			fmt.Fprintf(&b, "    instead: %s\n", approval.Escape(f.Instead))
		}
	}
	return b.String()
}

// branch draws one part and its children.
func branch(b *strings.Builder, part *gatecore.Part, indent string, last bool, c paint) {
	if part == nil {
		return
	}
	mark, deeper := "├─ ", "│  "
	if last {
		mark, deeper = "└─ ", "   "
	}
	what := approval.Escape(part.Text)
	if len(part.Words) > 0 {
		quoted := make([]string, len(part.Words))
		for i, w := range part.Words {
			quoted[i] = approval.Escape(w)
			if strings.ContainsAny(w, " \t\n'\"") || w == "" {
				quoted[i] = fmt.Sprintf("%q", w)
			}
		}
		what = strings.Join(quoted, " ")
	}
	fmt.Fprintf(b, "%s%s%s %s", c.dim(indent+mark), c.word(part.Verdict, part.Verdict.String()), c.dim(" "+part.Kind), what)
	if part.Reading != "" {
		b.WriteString(c.dim(" (read as " + part.Reading + ")"))
	}
	if len(part.Rules) > 0 {
		b.WriteString("  " + c.dim(strings.Join(part.Rules, ", ")))
	}
	b.WriteString("\n")
	for i, child := range part.Children {
		branch(b, child, indent+deeper, i == len(part.Children)-1, c)
	}
}
