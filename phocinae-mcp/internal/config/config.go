package config

import (
	"log/slog"
	"path/filepath"
	"runtime"
	"time"

	"github.com/phocinae/phocinae-go/gatecore"
)

// DefaultServer is the address of the inference service when nothing else is said.
const DefaultServer = "http://127.0.0.1:8155"

// Config is a checked configuration. It is read-only after Resolve and safe to share.
type Config struct {
	File string // the configuration file; empty when there is none

	Transport  string // "stdio" or "http"
	Host       string // loopback
	Port       int    // 0 picks a free one
	AllowHosts []string
	HTTPToken  string // bearer clients must send; empty for none

	Server       string // base URL of the service
	ServerToken  string // bearer for that service; empty for none
	AllowServers []string
	Timeout      time.Duration
	Model        string
	Rate         float64 // requests a second
	Burst        int
	L1           bool

	Guard      Guard
	FailClosed gatecore.Verdict // Deny, or Undecided for ask
	Thresholds gatecore.Thresholds

	ConfirmTimeout time.Duration
	StateKeys      [][]byte // first seals, all open; empty: random per process
	StateKeyFile   string
	StateDir       string // folder of used confirmations; empty without a state folder

	Audit Audit

	Lang      string // "zh" or "en"
	LogLevel  slog.Level
	LogFormat string // "text" or "json"
}

// Audit says where and how calls are recorded.
type Audit struct {
	Path     string // empty: off
	Where    string // what named Path, for messages: a flag, a variable or a file's member
	Off      bool   // switched off by the operator, as opposed to: no folder known
	Required bool
	Raw      bool
	Sync     bool
	MaxBytes int64 // 0: never rotate
	Keep     int   // rotated files to keep; 0: all
	Key      []byte
	KeyFile  string
}

// Environment is what Resolve knows about the process. The zero value of each member means "there is none".
type Environment struct {
	Lookup     func(string) (string, bool) // as os.LookupEnv; required
	Executable string                      // absolute path of this program
	Home       string                      // the user's home directory
}

// stateFolder is the folder for files this program keeps: $XDG_STATE_HOME/phocinae-mcp, its default, or empty.
func (e *Environment) stateFolder() string {
	if dir, ok := e.Lookup("XDG_STATE_HOME"); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, "phocinae-mcp")
	}
	if runtime.GOOS == "windows" {
		if dir, ok := e.Lookup("LOCALAPPDATA"); ok && filepath.IsAbs(dir) {
			return filepath.Join(dir, "phocinae-mcp")
		}
	}
	if filepath.IsAbs(e.Home) {
		return filepath.Join(e.Home, ".local", "state", "phocinae-mcp")
	}
	return ""
}

// GateFiles lists the absolute paths a judged command must not touch: this program, its configuration, its table (also the
// place where one would be found at the next start), its audit file, its keys and its confirmations.
func (c *Config) GateFiles(executable string) []string {
	return named(executable, c.File, c.Guard.Path, tableBeside(executable), c.Audit.Path, c.Audit.KeyFile, c.StateKeyFile, c.StateDir)
}

// KeyFiles lists those of GateFiles that must not be read either.
func (c *Config) KeyFiles() []string { return named(c.Audit.KeyFile, c.StateKeyFile) }

func named(paths ...string) []string {
	var out []string
	for _, path := range paths {
		if path == "" {
			continue
		}
		if abs, err := filepath.Abs(path); err == nil {
			out = append(out, abs)
			// A link and what it points to are the same file under two names.
			if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
				out = append(out, real)
			}
		}
	}
	return out
}
