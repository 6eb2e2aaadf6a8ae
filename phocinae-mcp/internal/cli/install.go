package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/host"
)

// hostChoice is what install and config share.
type hostChoice struct {
	Host    string `arg:"" help:"claude, codex, gemini, copilot, cursor, or (MCP only) vscode, zed, opencode, cline, windsurf, goose."`
	MCP     bool   `name:"mcp" help:"Only the MCP server entry."`
	Hook    bool   `help:"Only the command hook."`
	Project bool   `help:"The files of the project in the current directory instead of the user's."`
	OnFail  bool   `name:"on-failure-block" help:"Claude Code 2.1.295 or later: block when the hook itself cannot start."`
}

// options checks the choice. Without --mcp and --hook everything the host takes is meant.
func (c *hostChoice) options(p *Process) (host.Host, *host.Options, error) {
	h, err := host.Parse(c.Host)
	if err != nil {
		return 0, nil, usage(strings.TrimPrefix(err.Error(), "host: "))
	}
	env, err := host.CurrentEnv()
	if err != nil {
		return 0, nil, usage(err.Error())
	}
	o := &host.Options{Env: env, Exe: p.executable(), OnFailureBlock: c.OnFail}
	if c.Project {
		o.Scope = host.Project
	}
	for _, k := range []host.Kind{host.Hook, host.MCP} {
		wanted := k == host.Hook && c.Hook || k == host.MCP && c.MCP || !c.Hook && !c.MCP && h.Has(k)
		if wanted && !h.Has(k) {
			return 0, nil, usage(fmt.Sprintf("--%s: %s takes no %s", k, h.Title(), k))
		}
		if wanted {
			o.Kinds = append(o.Kinds, k)
		}
	}
	if !filepath.IsAbs(o.Exe) {
		return 0, nil, usage("the absolute path of this program is unknown; start it by its path")
	}
	return h, o, nil
}

// programName is the name by which entries in hosts' configurations are recognised as ours.
const programName = "phocinae-mcp"

// nameTrouble says why entries with this path would not be found again, or "".
func nameTrouble(exe string) string {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(exe)), ".exe")
	switch {
	case exe == "":
		return ""
	case strings.Contains(filepath.ToSlash(exe), "/go-build"):
		return "this program was started by go run and will be gone from " + exe + "; use go install"
	case name != programName:
		return fmt.Sprintf("this program is named %s; install, doctor and --uninstall recognise their entries by the name %s; rename it and install again", filepath.Base(exe), programName)
	}
	return ""
}

type installCommand struct {
	hostChoice
	DryRun    bool `help:"Show the change, write nothing."`
	Uninstall bool `help:"Take the entries out again."`
}

// Run edits the host's configuration.
func (c *installCommand) Run(p *Process) error {
	h, o, err := c.options(p)
	if err != nil {
		return err
	}
	if trouble := nameTrouble(o.Exe); trouble != "" {
		p.warn(trouble)
	}
	o.DryRun = c.DryRun
	do := host.Install
	if c.Uninstall {
		do = host.Uninstall
	}
	changes, err := do(h, o)
	if err != nil {
		return &exitError{1, strings.TrimPrefix(err.Error(), "host: ")}
	}
	var b strings.Builder
	changed := false
	for _, change := range changes {
		changed = changed || change.Action != host.Unchanged
		kinds := make([]string, len(change.Kinds))
		for i, k := range change.Kinds {
			kinds[i] = k.String()
		}
		would := ""
		if c.DryRun && change.Action != host.Unchanged {
			would = "would be "
		}
		fmt.Fprintf(&b, "%s: %s%s (%s)\n", change.Path, would, change.Action, strings.Join(kinds, ", "))
		if change.Backup != "" {
			fmt.Fprintf(&b, "  backup: %s\n", change.Backup)
		}
		if c.DryRun {
			b.WriteString(change.Diff())
		}
	}
	if changed && !c.DryRun && !c.Uninstall {
		fmt.Fprintf(&b, "Restart %s, then run: phocinae-mcp doctor\n", h.Title())
	}
	_, err = io.WriteString(p.Out, b.String())
	return err
}

type configCommand struct{ hostChoice }

// Run prints what install would write into files that do not exist yet.
func (c *configCommand) Run(p *Process) error {
	h, o, err := c.options(p)
	if err != nil {
		return err
	}
	for i, k := range o.Kinds {
		s, err := host.ConfigSnippet(h, k, o)
		if err != nil {
			return &exitError{1, strings.TrimPrefix(err.Error(), "host: ")}
		}
		if i > 0 {
			s.Text = "\n" + s.Text
		}
		// Where it belongs goes to standard error, so that standard output can be piped into that file.
		if _, err := fmt.Fprintf(p.Err, "phocinae-mcp[info]: %s (%s)\n", s.Path, k); err != nil {
			return err
		}
		if _, err := io.WriteString(p.Out, s.Text); err != nil {
			return err
		}
	}
	return nil
}
