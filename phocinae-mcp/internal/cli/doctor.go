package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/p0client"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/approval"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/host"
)

type doctorCommand struct{}

// finding is one line of the doctor: what was looked at, how it stands, what to do.
type finding struct {
	state string // "ok", "note" or "bad"
	about string
	text  string
	todo  string
}

// Run looks at everything a judgement depends on. It ends with status 1 if something is wrong.
func (doctorCommand) Run(p *Process, f *config.Flags) error {
	cfg, err := config.Resolve(f, p.environment())
	if err != nil {
		return err
	}
	var found []finding
	found = append(found, finding{"ok", "program", "phocinae-mcp " + Version + " at " + p.executable(), ""})
	if trouble := nameTrouble(p.executable()); trouble != "" {
		found = append(found, finding{"note", "name", trouble, ""})
	}
	found = append(found, checkNames(os.Environ())...)
	found = append(found, p.checkTable(cfg)...)
	found = append(found, p.checkService(f, cfg)...)
	found = append(found, checkAudit(cfg)...)
	found = append(found, checkConfirmations(cfg)...)
	found = append(found, p.checkHosts()...)
	return p.tell(found)
}

// checkNames looks for variables that are named like ours and mean nothing: a setting that is misspelt is not in force.
func checkNames(environ []string) (out []finding) {
	known := map[string]bool{}
	for _, s := range config.Settings() {
		for _, name := range s.Envs {
			known[name] = true
		}
	}
	for _, s := range config.SecretEnvs() {
		known[s[0]] = true
	}
	slices.Sort(environ)
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if upper := strings.ToUpper(name); (strings.HasPrefix(upper, "PHOCINAE_MCP_") || strings.HasPrefix(upper, "PHOCINAE_GUARD_")) && !known[upper] {
			out = append(out, finding{"note", "variable", name + " is no setting and has no effect", "compare it with the names that phocinae-mcp --help lists"})
		}
	}
	return out
}

// checkTable judges two commands whose verdict is known.
func (p *Process) checkTable(cfg *config.Config) []finding {
	if cfg.Guard.Off {
		return []finding{{"note", "table", "off: every command is put to the model", "leave --guard none away to have the table back"}}
	}
	e, err := newEngine(cfg, p.executable())
	if err != nil {
		return []finding{{"bad", "table", err.Error(), "repair that file, or start without it"}}
	}
	var out []finding
	for command, want := range map[string]gatecore.Verdict{"git status": gatecore.Allow, "rm -rf /": gatecore.Deny} {
		if r := e.Assess(command, gatecore.Place{Dir: p.dir(), Home: p.home()}); r.Verdict != want {
			out = append(out, finding{"bad", "table", fmt.Sprintf("%q comes out as %s", command, gate.Word(r.Verdict)), "look at the operator's table"})
		}
	}
	if len(out) == 0 {
		out = append(out, finding{"ok", "table", fmt.Sprintf("%s, %d rules", cfg.Guard.Describe(), len(e.Rules())), ""})
	}
	return out
}

// checkService asks the service how it is. It is needed for L1 and for the three other tools.
func (p *Process) checkService(f *config.Flags, cfg *config.Config) []finding {
	s, err := p.assemble(f, p.onStderr)
	if err != nil {
		return nil // told by the table's or the audit's own check
	}
	defer s.close()
	state := "note"
	if cfg.L1 {
		state = "bad"
	}
	client, err := s.pool.Configured()
	if err != nil {
		return []finding{{state, "service", err.Error(), "check --server"}}
	}
	ctx, cancel := context.WithTimeout(context.Background(), cfg.Timeout)
	defer cancel()
	start := time.Now()
	_, err = client.Health(ctx)
	if err != nil {
		kind, text, _ := gate.Failure(err)
		text = strings.TrimSuffix(strings.TrimPrefix(text, kind+": "), " (health)")
		what := "classify, route and score will answer errors"
		if cfg.L1 {
			what = "undecided commands are denied, " + what
		}
		return []finding{{state, "service", cfg.Server + ": " + text + "; " + what, "start the service or name it with --server"}}
	}
	out := []finding{{"ok", "service", fmt.Sprintf("%s answers in %s", cfg.Server, time.Since(start).Round(time.Millisecond)), ""}}
	if cfg.L1 {
		if _, err := client.Gate(ctx, p0client.GateQuestion{Command: "git status"}); err != nil {
			_, text, _ := gate.Failure(err)
			out = append(out, finding{"bad", "model", text, "check --model and PHOCINAE_MCP_SERVER_TOKEN"})
		}
	}
	return out
}

// checkAudit looks whether a record could be appended. Where there is no file yet, the folder that it would be made in is
// tried; no record is written.
func checkAudit(cfg *config.Config) []finding {
	const todo = "make the file writable, or choose another with --audit"
	path := cfg.Audit.Path
	if path == "" {
		if cfg.Audit.Off {
			return []finding{{"note", "audit", "off", "leave --audit off away to keep records"}}
		}
		return []finding{{"note", "audit", "off: there is no home directory to keep it in", "name a file with --audit"}}
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := canMake(filepath.Dir(path)); err != nil {
			return []finding{{"bad", "audit", path + " cannot be made: " + err.Error(), todo}}
		}
		return []finding{{"ok", "audit", path + " (made with the first record)", ""}}
	case err != nil:
		return []finding{{"bad", "audit", err.Error(), todo}}
	}
	defer func() { _ = file.Close() }() // nothing was written
	if _, err := audit.Files(path); err != nil {
		return []finding{{"bad", "audit", err.Error(), "run phocinae-mcp audit verify"}}
	}
	return []finding{{"ok", "audit", path, ""}}
}

// checkConfirmations looks whether confirmations could be used up. That takes a folder only with a key of the operator's.
func checkConfirmations(cfg *config.Config) []finding {
	if len(cfg.StateKeys) == 0 {
		return nil
	}
	if err := approval.NewFolderLedger(cfg.StateDir).Prepare(time.Now()); err != nil {
		return []finding{{"bad", "confirm", cfg.StateDir + ": " + err.Error() + "; no form is shown", "make the folder writable for its owner only, or choose another with --state-dir"}}
	}
	return []finding{{"ok", "confirm", cfg.StateDir, ""}}
}

// canMake reports why dir could not be made, or nothing be made in it: a file is made and removed in the deepest folder
// on the way that exists.
func canMake(dir string) error {
	for {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s is not a folder", dir)
		case err == nil:
			file, err := os.CreateTemp(dir, ".phocinae-mcp-doctor-*")
			if err != nil {
				return cause(err)
			}
			return cause(errors.Join(file.Close(), os.Remove(file.Name())))
		case !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir:
			return err
		}
		dir = filepath.Dir(dir)
	}
}

// cause says which folder and why, without the random name of the file that was tried.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", filepath.Dir(e.Path), e.Err)
	}
	return err
}

// checkHosts feeds every installed hook a harmless and a dangerous event, started the way the host does it.
func (p *Process) checkHosts() (out []finding) {
	env, err := host.CurrentEnv()
	if err != nil {
		return []finding{{"note", "hosts", err.Error(), ""}}
	}
	any := false
	for _, h := range host.Hosts() {
		seen := map[string]bool{} // in the home directory the project's file is the user's
		for _, scope := range []host.Scope{host.User, host.Project} {
			o := &host.Options{Env: env, Exe: p.executable(), Scope: scope}
			entries, err := host.Installed(h, o)
			if err == nil {
				err = unreadable(h, *o)
			}
			if err != nil {
				if any = true; !seen[err.Error()] {
					out = append(out, finding{"bad", h.String(), strings.TrimPrefix(err.Error(), "host: "), "repair or remove that file"})
				}
				seen[err.Error()] = true
				continue
			}
			for _, e := range entries {
				any = true
				key := e.Kind.String() + " " + e.Path
				if scope == host.Project && seen[key] {
					continue
				}
				seen[key] = true
				out = append(out, p.checkEntry(h, e, o)...)
			}
		}
	}
	if !any {
		out = append(out, finding{"note", "hosts", "no host is configured", "run phocinae-mcp install claude (or another host)"})
	}
	return out
}

// unreadable finds a configuration that is there and cannot be read: the host may then run without the hook in it, and
// whether there is one is not known.
func unreadable(h host.Host, o host.Options) error {
	o.DryRun = true
	for _, k := range []host.Kind{host.Hook, host.MCP} {
		if !h.Has(k) {
			continue
		}
		o.Kinds = []host.Kind{k}
		if _, err := host.Install(h, &o); errors.Is(err, host.ErrNotEditable) {
			return err
		}
	}
	return nil
}

func (p *Process) checkEntry(h host.Host, e host.Entry, o *host.Options) []finding {
	about := h.String() + " " + e.Kind.String()
	if e.Exe != "" {
		if _, err := os.Stat(e.Exe); err != nil {
			return []finding{{"bad", about, e.Exe + " in " + e.Path + " does not exist", "run phocinae-mcp install " + h.String()}}
		}
		if filepath.Clean(e.Exe) != filepath.Clean(p.executable()) {
			return append([]finding{{"note", about, e.Path + " starts another program: " + e.Exe, ""}}, p.feed(about, h, e, o)...)
		}
	}
	return p.feed(about, h, e, o)
}

func (p *Process) feed(about string, h host.Host, e host.Entry, o *host.Options) []finding {
	if e.Kind != host.Hook {
		return []finding{{"ok", about, e.Path, ""}}
	}
	checks, err := host.SelfTest(context.Background(), e, o)
	if err != nil {
		return []finding{{"bad", about, "the hook cannot be started: " + err.Error(), "run phocinae-mcp install " + h.String()}}
	}
	var out []finding
	for _, c := range checks {
		text := fmt.Sprintf("%s event: %s (%s)", c.Name, c.Detail, c.Took.Round(time.Millisecond))
		if c.OK {
			out = append(out, finding{"ok", about, text, ""})
		} else {
			out = append(out, finding{"bad", about, text, "run phocinae-mcp install " + h.String()})
		}
	}
	return out
}

// tell prints the findings and turns a bad one into the exit status.
func (p *Process) tell(found []finding) error {
	c := paint(p.colours(p.Out))
	marks := map[string]string{"ok": c.code("32", "ok  "), "note": c.code("33", "note"), "bad": c.code("31", "bad ")}
	var b strings.Builder
	bad := 0
	for _, f := range found {
		fmt.Fprintf(&b, "%s %-10s %s\n", marks[f.state], f.about, oneLine(f.text))
		if f.todo != "" && f.state != "ok" {
			fmt.Fprintf(&b, "%16s → %s\n", "", f.todo)
		}
		if f.state == "bad" {
			bad++
		}
	}
	if _, err := io.WriteString(p.Out, b.String()); err != nil {
		return err
	}
	if bad > 0 {
		things := "1 thing is wrong"
		if bad > 1 {
			things = fmt.Sprintf("%d things are wrong", bad)
		}
		return &exitError{1, things}
	}
	return nil
}
