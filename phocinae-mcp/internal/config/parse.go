package config

import (
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/serverpolicy"
)

// parser checks a given value and stores it. Its error says what is wrong with the value, not what is allowed.
type parser func(*Config, *given, *Environment) error

var parsers = map[string]parser{
	"transport":  oneOf(func(c *Config) *string { return &c.Transport }, "stdio", "http"),
	"host":       oneOf(func(c *Config) *string { return &c.Host }, "127.0.0.1", "localhost", "::1"),
	"port":       whole(0, 65535, func(c *Config, n int64) { c.Port = int(n) }),
	"allow_host": parseAllowHosts,

	"server":       parseServer,
	"allow_server": parseAllowServers,
	"timeout":      duration(100*time.Millisecond, 120*time.Second, func(c *Config, d time.Duration) { c.Timeout = d }),
	"model":        parseModel,
	"rate":         parseRate,
	"burst":        whole(1, 100_000, func(c *Config, n int64) { c.Burst = int(n) }),
	"l1_enabled":   truth(func(c *Config) *bool { return &c.L1 }),

	"guard":          parseGuard,
	"fail_closed":    parseFailClosed,
	"noul_threshold": parseThreshold(math.Nextafter(0.5, 1), 1, func(t *gatecore.Thresholds) *float64 { return &t.Noul }),
	"ask_at":         parseThreshold(2, 10, func(t *gatecore.Thresholds) *float64 { return &t.AskAt }),
	"deny_at":        parseThreshold(2, 10, func(t *gatecore.Thresholds) *float64 { return &t.DenyAt }),

	"confirm_timeout": duration(100*time.Millisecond, 600*time.Second, func(c *Config, d time.Duration) { c.ConfirmTimeout = d }),
	"state_dir":       parseStateDir,
	"state_key_file":  keyFile(func(c *Config) *string { return &c.StateKeyFile }),

	"audit":          parseAudit,
	"audit_required": truth(func(c *Config) *bool { return &c.Audit.Required }),
	"audit_raw":      truth(func(c *Config) *bool { return &c.Audit.Raw }),
	"audit_sync":     truth(func(c *Config) *bool { return &c.Audit.Sync }),
	"audit_max_size": whole(0, 1<<20, func(c *Config, n int64) { c.Audit.MaxBytes = n << 20 }),
	"audit_keep":     whole(0, 100_000, func(c *Config, n int64) { c.Audit.Keep = int(n) }),
	"audit_key_file": keyFile(func(c *Config) *string { return &c.Audit.KeyFile }),

	"lang":       oneOf(func(c *Config) *string { return &c.Lang }, "zh", "en"),
	"log_level":  parseLogLevel,
	"log_format": oneOf(func(c *Config) *string { return &c.LogFormat }, "text", "json"),
}

func oneOf(into func(*Config) *string, allowed ...string) parser {
	return func(cfg *Config, g *given, _ *Environment) error {
		for _, a := range allowed {
			if g.values[0] == a {
				*into(cfg) = a
				return nil
			}
		}
		return fmt.Errorf("%s is not one of them", quoted(g.values[0]))
	}
}

func truth(into func(*Config) *bool) parser {
	return func(cfg *Config, g *given, _ *Environment) error {
		v, err := Truth(g.values[0])
		if err != nil {
			return err
		}
		*into(cfg) = v
		return nil
	}
}

// Truth reads a truth value: 1, true, yes, on, 0, false, no or off in any letter case. Anything else is an error: a word
// that only looks like "off" must not switch something on.
func Truth(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "1", "true", "yes", "on":
		return true, nil
	case "0", "false", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%s is not a truth value", quoted(s))
}

func whole(least, most int64, store func(*Config, int64)) parser {
	return func(cfg *Config, g *given, _ *Environment) error {
		n, err := strconv.ParseInt(g.values[0], 10, 64)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%s is not a whole number from %d to %d", quoted(g.values[0]), least, most)
		}
		store(cfg, n)
		return nil
	}
}

func number(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(s, "xX_") {
		return 0, fmt.Errorf("%s is not a number", quoted(s))
	}
	return v, nil
}

func duration(least, most time.Duration, store func(*Config, time.Duration)) parser {
	return func(cfg *Config, g *given, _ *Environment) error {
		d, err := seconds(g.values[0])
		if err != nil {
			return err
		}
		if d < least || d > most {
			return fmt.Errorf("%s is out of range", quoted(g.values[0]))
		}
		store(cfg, d)
		return nil
	}
}

// seconds reads "5", "2.5" or a Go duration.
func seconds(s string) (time.Duration, error) {
	if v, err := number(s); err == nil {
		if math.Abs(v) > 1e6 {
			return 0, fmt.Errorf("%s is out of range", quoted(s))
		}
		return time.Duration(math.Round(v * float64(time.Second))), nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%s is neither seconds nor a duration", quoted(s))
	}
	return d, nil
}

func parseServer(cfg *Config, g *given, _ *Environment) error {
	base, err := serverpolicy.ParseBase(g.values[0])
	if err != nil {
		return err
	}
	cfg.Server = base.String()
	return nil
}

func parseAllowServers(cfg *Config, g *given, _ *Environment) error {
	for _, value := range g.values {
		base, err := serverpolicy.ParseBase(value)
		if err != nil {
			return err
		}
		cfg.AllowServers = append(cfg.AllowServers, base.String())
	}
	return nil
}

func parseAllowHosts(cfg *Config, g *given, _ *Environment) error {
	for _, name := range g.values {
		if name == "" || len(name) > 253 || strings.ContainsFunc(name, func(r rune) bool { return !inHostName(r) }) || !strings.ContainsFunc(name, inWord) {
			return fmt.Errorf("%s is not a host name", quoted(name))
		}
		cfg.AllowHosts = append(cfg.AllowHosts, name)
	}
	return nil
}

// inWord reports a character of which at least one makes a name: the others alone are a slip of the keyboard.
func inWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func inHostName(r rune) bool { return inWord(r) || r == '.' || r == '-' || r == '_' }

func parseModel(cfg *Config, g *given, _ *Environment) error {
	name := g.values[0]
	if n := utf8.RuneCountInString(name); n == 0 || n > 200 || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("%s is not a model name", quoted(name))
	}
	cfg.Model = name
	return nil
}

func parseRate(cfg *Config, g *given, _ *Environment) error {
	v, err := number(g.values[0])
	if err != nil {
		return err
	}
	if v <= 0 || v > 100_000 {
		return fmt.Errorf("%s is out of range", quoted(g.values[0]))
	}
	cfg.Rate = v
	return nil
}

func parseFailClosed(cfg *Config, g *given, _ *Environment) error {
	switch g.values[0] {
	case "deny":
		cfg.FailClosed = gatecore.Deny
	case "ask":
		cfg.FailClosed = gatecore.Undecided
	default:
		return fmt.Errorf("%s is not one of them", quoted(g.values[0]))
	}
	return nil
}

func parseStateDir(cfg *Config, g *given, env *Environment) error {
	if g.source == fromDefault {
		if folder := env.stateFolder(); folder != "" {
			cfg.StateDir = filepath.Join(folder, "used")
		}
		return nil
	}
	path, err := absolute(cfg, g)
	cfg.StateDir = path
	return err
}

func parseAudit(cfg *Config, g *given, env *Environment) error {
	cfg.Audit.Where = g.where
	if g.source == fromDefault {
		if folder := env.stateFolder(); folder != "" {
			cfg.Audit.Path = filepath.Join(folder, "audit.jsonl")
		}
		return nil
	}
	path := g.values[0]
	switch strings.ToLower(path) {
	case "off":
		cfg.Audit.Off = true
		return nil
	case "on", "true", "false", "yes", "no", "0", "1", "none", "null", "disabled":
		// A file of that name, in whatever directory, is not what anybody means.
		return fmt.Errorf("%s is neither off nor a path (./%s would be one)", quoted(path), path)
	}
	if g.source == fromFile && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(cfg.File), path)
	}
	abs, err := filepath.Abs(path)
	cfg.Audit.Path = abs
	return err
}

// absolute takes a path as it is, or relative to the configuration file that names it.
func absolute(cfg *Config, g *given) (string, error) {
	path := g.values[0]
	switch {
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	case g.source == fromFile:
		return filepath.Join(filepath.Dir(cfg.File), path), nil
	}
	return "", fmt.Errorf("%s is not an absolute path", quoted(path))
}

// planted refuses a relative path in a variable. A variable travels to every working directory, and whatever an agent has
// put there under that name would be taken for the operator's: the table, the settings, the key that seals confirmations.
func planted(path string) error {
	return fmt.Errorf("%s is relative; it is never looked for in the working directory, give an absolute path", quoted(path))
}

func keyFile(into func(*Config) *string) parser {
	return func(cfg *Config, g *given, _ *Environment) error {
		if g.source == fromDefault {
			return nil
		}
		path := g.values[0]
		switch {
		case filepath.IsAbs(path):
		case g.source == fromFile:
			path = filepath.Join(filepath.Dir(cfg.File), path)
		case g.source == fromEnv:
			return planted(path)
		}
		*into(cfg) = path
		return nil
	}
}

func parseLogLevel(cfg *Config, g *given, _ *Environment) error {
	switch g.values[0] {
	case "debug":
		cfg.LogLevel = slog.LevelDebug
	case "info":
		cfg.LogLevel = slog.LevelInfo
	case "warn":
		cfg.LogLevel = slog.LevelWarn
	case "error":
		cfg.LogLevel = slog.LevelError
	default:
		return fmt.Errorf("%s is not a level", quoted(g.values[0]))
	}
	return nil
}
