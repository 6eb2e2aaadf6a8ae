package host

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// Host is a program that can be configured to use this one. The zero value is invalid.
type Host uint8

// The hosts. The first five have hooks; all of them are MCP clients.
const (
	Claude Host = iota + 1
	Codex
	Gemini
	Copilot
	Cursor
	VSCode
	Zed
	OpenCode
	Cline
	Windsurf
	Goose
)

// Hosts lists every host in the order the documentation uses.
func Hosts() []Host {
	return []Host{Claude, Codex, Gemini, Copilot, Cursor, VSCode, Zed, OpenCode, Cline, Windsurf, Goose}
}

var names = map[Host][2]string{
	Claude: {"claude", "Claude Code"}, Codex: {"codex", "Codex CLI"}, Gemini: {"gemini", "Gemini CLI"}, Copilot: {"copilot", "Copilot CLI"},
	Cursor: {"cursor", "Cursor"}, VSCode: {"vscode", "VS Code"}, Zed: {"zed", "Zed"}, OpenCode: {"opencode", "opencode"},
	Cline: {"cline", "Cline"}, Windsurf: {"windsurf", "Windsurf"}, Goose: {"goose", "Goose"},
}

// String returns the name used on the command line, or "unknown".
func (h Host) String() string {
	if n, ok := names[h]; ok {
		return n[0]
	}
	return "unknown"
}

// Title returns the name its makers use.
func (h Host) Title() string { return names[h][1] }

// Has reports whether the host takes entries of kind k.
func (h Host) Has(k Kind) bool {
	switch k {
	case Hook:
		return h >= Claude && h <= Cursor
	case MCP:
		return h >= Claude && h <= Goose
	}
	return false
}

// ErrUnknownHost reports a name that is not one of Hosts.
var ErrUnknownHost = errors.New("host: unknown host")

// Parse reads a command-line name, exactly as [Host.String] writes it.
func Parse(name string) (Host, error) {
	var known []string
	for _, h := range Hosts() {
		if h.String() == name {
			return h, nil
		}
		known = append(known, h.String())
	}
	return 0, fmt.Errorf("%w %q, known are %s", ErrUnknownHost, name, strings.Join(known, ", "))
}

// Kind is what is installed. The zero value is invalid.
type Kind uint8

// The kinds.
const (
	Hook Kind = iota + 1 // the command hook that judges every shell command: the barrier
	MCP                  // the MCP server with its tools: advice the model may take
)

// String returns "hook" or "mcp".
func (k Kind) String() string {
	switch k {
	case Hook:
		return "hook"
	case MCP:
		return "mcp"
	}
	return "invalid"
}

// Scope says whose configuration is meant. The zero value is the user's.
type Scope uint8

// The scopes.
const (
	User    Scope = iota // the user's own files, for all projects
	Project              // files below Env.Dir, for one project
)

// Env is the system a configuration is written for. Every field is plain data, so that tests need no real home.
type Env struct {
	OS   string            // as runtime.GOOS
	Home string            // absolute
	Dir  string            // absolute; the project, for Scope Project
	Vars map[string]string // XDG_CONFIG_HOME, APPDATA, CLAUDE_CONFIG_DIR, CODEX_HOME; missing and "" are the same
}

var envNames = []string{"XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR", "CODEX_HOME"}

// CurrentEnv describes the system this process runs on.
func CurrentEnv() (Env, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Env{}, fmt.Errorf("host: no home directory: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return Env{}, fmt.Errorf("host: no working directory: %w", err)
	}
	e := Env{OS: runtime.GOOS, Home: home, Dir: dir, Vars: map[string]string{}}
	for _, name := range envNames {
		e.Vars[name] = os.Getenv(name)
	}
	return e, nil
}

// ErrNoPlace reports a host that has no file for the kind and scope asked for.
var ErrNoPlace = errors.New("host: nothing to install there")

// place is one file of a host.
type place struct {
	path   string
	format format
}

type format uint8

const (
	jsonFormat format = iota + 1
	tomlFormat
	yamlFormat
)

// locate returns the file that holds entries of kind k.
func locate(h Host, k Kind, s Scope, e Env) (place, error) {
	if !h.Has(k) {
		return place{}, fmt.Errorf("%w: %s has no %s", ErrNoPlace, h, k)
	}
	rel, base, err := e.file(h, k, s)
	if err != nil {
		return place{}, err
	}
	if base == "" || !filepath.IsAbs(base) {
		return place{}, fmt.Errorf("host: the base directory %q for %s is not absolute", base, h)
	}
	p := place{path: filepath.Join(base, filepath.FromSlash(rel)), format: jsonFormat}
	switch path.Ext(rel) {
	case ".toml":
		p.format = tomlFormat
	case ".yaml":
		p.format = yamlFormat
	}
	if h == OpenCode {
		p.path = existing(p.path, p.path+"c")
	}
	return p, nil
}

// existing returns the second path if only that file is there, else the first.
func existing(first, second string) string {
	if _, err := os.Stat(first); err == nil {
		return first
	}
	if _, err := os.Stat(second); err == nil {
		return second
	}
	return first
}

// file returns a slash-separated path and the directory it is relative to.
func (e Env) file(h Host, k Kind, s Scope) (rel, base string, err error) {
	if s == Project {
		rel = projectFiles[h][k-1]
		if rel == "" {
			return "", "", fmt.Errorf("%w: %s has no project file for its %s", ErrNoPlace, h, k)
		}
		return rel, e.Dir, nil
	}
	switch h {
	case Claude:
		return e.claudeFile(k)
	case Codex:
		if k == Hook {
			return "hooks.json", e.or("CODEX_HOME", ".codex"), nil
		}
		return "config.toml", e.or("CODEX_HOME", ".codex"), nil
	case VSCode:
		return "Code/User/mcp.json", e.appConfig(), nil
	case Cline:
		return "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", e.appConfig(), nil
	case Zed:
		if e.OS == "windows" {
			return "Zed/settings.json", e.appConfig(), nil
		}
		return "zed/settings.json", e.dotConfig(), nil
	case OpenCode:
		return "opencode/opencode.json", e.dotConfig(), nil
	case Goose:
		if e.OS == "windows" {
			return "Block/goose/config/config.yaml", e.appConfig(), nil
		}
		return "goose/config.yaml", e.dotConfig(), nil
	}
	return userFiles[h][k-1], e.Home, nil
}

func (e Env) claudeFile(k Kind) (rel, base string, err error) {
	dir := e.Vars["CLAUDE_CONFIG_DIR"]
	switch {
	case k == Hook && dir != "":
		return "settings.json", dir, nil
	case k == Hook:
		return ".claude/settings.json", e.Home, nil
	case dir != "":
		return ".claude.json", dir, nil
	}
	return ".claude.json", e.Home, nil
}

// userFiles are the files at fixed places below the home directory, by kind.
var userFiles = map[Host][2]string{
	Gemini:   {".gemini/settings.json", ".gemini/settings.json"},
	Copilot:  {".copilot/hooks/phocinae-mcp.json", ".copilot/mcp-config.json"},
	Cursor:   {".cursor/hooks.json", ".cursor/mcp.json"},
	Windsurf: {"", ".codeium/windsurf/mcp_config.json"},
}

// projectFiles are the files below a project, by kind; "" where the host has none.
var projectFiles = map[Host][2]string{
	Claude:   {".claude/settings.json", ".mcp.json"},
	Codex:    {".codex/hooks.json", ".codex/config.toml"},
	Gemini:   {".gemini/settings.json", ".gemini/settings.json"},
	Copilot:  {".github/hooks/phocinae-mcp.json", ""},
	Cursor:   {".cursor/hooks.json", ".cursor/mcp.json"},
	VSCode:   {"", ".vscode/mcp.json"},
	Zed:      {"", ".zed/settings.json"},
	OpenCode: {"", "opencode.json"},
}

// appConfig is where desktop programs keep their settings.
func (e Env) appConfig() string {
	switch e.OS {
	case "windows":
		return e.or("APPDATA", "AppData/Roaming")
	case "darwin":
		return filepath.Join(e.Home, "Library", "Application Support")
	}
	return e.dotConfig()
}

// dotConfig is where command-line programs keep theirs, on macOS too.
func (e Env) dotConfig() string { return e.or("XDG_CONFIG_HOME", ".config") }

// or returns the directory a variable names, or one below the home directory.
func (e Env) or(name, rel string) string {
	if dir := e.Vars[name]; dir != "" {
		return dir
	}
	return filepath.Join(e.Home, filepath.FromSlash(rel))
}
