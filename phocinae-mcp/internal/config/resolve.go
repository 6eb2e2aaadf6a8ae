package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/phocinae/phocinae-go/gatecore"
)

// given is one value of a setting together with where it came from.
type given struct {
	setting *Setting
	values  []string // one, unless the setting repeats
	where   string
	source  source
	env     string // the variable's name when source is fromEnv
}

type source uint8

const (
	fromDefault source = iota + 1
	fromFile
	fromEnv
	fromFlag
)

// Resolve decides every setting and checks it. The error, if any, is a *Problems with everything found.
func Resolve(f *Flags, env Environment) (*Config, error) {
	problems := &Problems{}
	cfg := &Config{}
	settings := Settings()
	file := readFile(f, &env, settings, problems)
	cfg.File = file.path
	for i := range settings {
		s := &settings[i]
		if s.Name == "config" {
			continue
		}
		g := pick(s, f, &env, file)
		apply(cfg, &g, &env, problems)
	}
	readSecrets(cfg, &env, problems)
	checkTogether(cfg, func(name string) string { // looked up again only for a message
		for i := range settings {
			if settings[i].Name == name {
				g := pick(&settings[i], f, &env, file)
				return g.named()
			}
		}
		panic("config: no setting " + name)
	}, problems)
	if len(problems.List) > 0 {
		return nil, problems
	}
	return cfg, nil
}

// pick finds the strongest source of one setting.
func pick(s *Setting, f *Flags, env *Environment, file *fileValues) given {
	if values := f.typed(s); len(values) > 0 {
		return given{setting: s, values: values, where: s.Flag, source: fromFlag}
	}
	for _, name := range s.Envs {
		value, ok := env.Lookup(name)
		// An empty variable is "not given", except where the contract counts every other word as an error.
		if !ok || value == "" && !s.Bool {
			continue
		}
		values := []string{value}
		if s.Repeats {
			values = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
		}
		return given{setting: s, values: values, where: name, source: fromEnv, env: name}
	}
	if values, ok := file.values[s.Name]; ok {
		return given{setting: s, values: values, where: file.path + ": " + s.Name, source: fromFile}
	}
	g := given{setting: s, where: s.Flag, source: fromDefault}
	if s.Default != "" {
		g.values = []string{s.Default}
	}
	return g
}

// apply checks one setting and stores it in cfg.
func apply(cfg *Config, g *given, env *Environment, problems *Problems) {
	if len(g.values) == 0 && g.source != fromDefault {
		problems.add(g.where, g.setting.Allowed, "empty")
		return
	}
	if err := g.sane(); err != nil {
		problems.add(g.where, g.setting.Allowed, "%v", err)
		problems.Bind = problems.Bind || g.setting.Name == "host"
		return
	}
	parse, ok := parsers[g.setting.Name]
	if !ok {
		panic("config: no parser for " + g.setting.Name) // a test walks all settings
	}
	if err := parse(cfg, g, env); err != nil {
		problems.add(g.where, g.setting.Allowed, "%v", err)
		if g.setting.Name == "host" {
			problems.Bind = true
		}
	}
}

// longestValue is the most bytes a value may have: more than any path or address that a system takes.
const longestValue = 4096

// sane refuses what is no value of any setting.
func (g *given) sane() error {
	if g.source == fromDefault {
		return nil
	}
	for _, v := range g.values {
		switch {
		case v == "":
			return errors.New("empty")
		case strings.TrimSpace(v) == "":
			return fmt.Errorf("%s is blank", quoted(v))
		case strings.ContainsFunc(v, unicode.IsControl):
			return fmt.Errorf("%s has a control character", quoted(v))
		case len(v) > longestValue:
			return fmt.Errorf("%d bytes are too long", len(v))
		}
	}
	return nil
}

// named says where a value came from, for messages about several settings: what was typed, or what could be.
func (g *given) named() string {
	if g.source == fromDefault {
		return g.where + " (default)"
	}
	return g.where
}

// checkTogether holds the rules that need several settings. from says where each came from.
func checkTogether(cfg *Config, from func(name string) string, problems *Problems) {
	// A value that did not parse was reported already; a second complaint about its leftover zero would mislead.
	if t := cfg.Thresholds; t.Noul != 0 && t.AskAt != 0 && t.DenyAt != 0 {
		switch err := t.Validate(); {
		case t.AskAt > t.DenyAt:
			problems.add(from("ask_at"), "2 to 10, with ask_at not above deny_at", "%v is above the %v of %s", t.AskAt, t.DenyAt, from("deny_at"))
		case err != nil: // each was checked by itself
			problems.add("thresholds", "0.5 < noul_threshold ≤ 1 and 2 ≤ ask_at ≤ deny_at ≤ 10", "%v", err)
		}
	}
	if cfg.Guard.Off && !cfg.L1 {
		problems.add(from("guard"), "none together with --l1-enabled", "none: without the table every command is asked of the service, and L1 is off: %s", from("l1_enabled"))
	}
	if len(cfg.StateKeys) > 0 && cfg.StateDir == "" {
		problems.add(from("state_dir"), "an absolute path", "not known: a confirmation key needs a folder of used confirmations, and there is no home directory")
	}
	if cfg.Audit.Required && cfg.Audit.Path == "" {
		problems.add(from("audit_required"), "a path in --audit", "nothing could be recorded, the audit is off: %s", from("audit"))
	}
}

// Guard says which table judges.
type Guard struct {
	Off   bool   // --guard none
	Path  string // JSON file; empty: the built-in table alone
	Where string // what named Path, for messages: a flag, a variable, a file's member, or where it was found
}

// Describe names the table in one word for logs and reports.
func (g Guard) Describe() string {
	switch {
	case g.Off:
		return "none"
	case g.Path != "":
		return g.Path
	}
	return "built-in"
}

const (
	tableName  = "l0_table.json"
	scriptName = "guard.py" // the ancestor's; never run
)

// parseGuard finds the table a setting names: a JSON file, the ancestor's guard.py or its folder. A variable or file that
// travels with a project must not name a path relative to wherever the process happens to start: an agent could plant
// the table that judges it there. A flag was typed by a person for this one start and may.
func parseGuard(cfg *Config, g *given, env *Environment) error {
	if g.source == fromDefault {
		return probeGuard(cfg, env)
	}
	path := g.values[0]
	if path == "none" && g.env != "PHOCINAE_GUARD_TABLE" {
		cfg.Guard.Off = true
		return nil
	}
	switch {
	case !filepath.IsAbs(path) && g.source == fromEnv:
		return planted(path)
	case !filepath.IsAbs(path) && g.source == fromFile:
		path = filepath.Join(filepath.Dir(cfg.File), path)
	}
	found, err := tableAt(path)
	if err != nil {
		return err
	}
	cfg.Guard.Path, cfg.Guard.Where = found, g.where
	return nil
}

// tableAt follows the three spellings to a file that can be opened.
func tableAt(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", quoted(path), cause(err))
	}
	switch {
	case info.IsDir():
		path = filepath.Join(path, tableName)
	case filepath.Base(path) == scriptName:
		path = filepath.Join(filepath.Dir(path), tableName)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return abs, readable(abs)
}

// probeGuard looks beside the executable, never beside the working directory.
func probeGuard(cfg *Config, env *Environment) error {
	if env.Executable == "" {
		return nil
	}
	path := tableBeside(env.Executable)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	cfg.Guard.Path, cfg.Guard.Where = path, "the table beside the program"
	return readable(path)
}

// tableBeside is where a table is looked for when none is named.
func tableBeside(executable string) string {
	if executable == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(executable), "..", "phocinae-guard", tableName)
}

func readable(path string) error {
	// Looked at before it is opened: opening a named pipe waits for a writer that may never come.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", quoted(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s: %w", quoted(path), cause(err))
	}
	defer func() { _ = f.Close() }() // read only
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file", quoted(path))
	}
	return nil
}

// cause drops the operation and path of a file error: the message names the path already.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// parseThreshold stores one threshold within its bounds; that they fit together is checked later.
func parseThreshold(least, most float64, into func(*gatecore.Thresholds) *float64) parser {
	return func(cfg *Config, g *given, _ *Environment) error {
		v, err := number(g.values[0])
		if err != nil {
			return err
		}
		if v < least || v > most {
			return fmt.Errorf("%s is out of range", quoted(g.values[0]))
		}
		*into(&cfg.Thresholds) = v
		return nil
	}
}
