package gatecore

import (
	"path"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// names is a compiled list of globs: exact ones in a map, those with one star at an end by their first or
// last byte, the rest in order.
type names struct {
	exact  map[string]bool
	starts [256][]string
	ends   [256][]string
	globs  []string
}

func compileNames(s string) names {
	n := names{exact: map[string]bool{}}
	for w := range strings.FieldsSeq(s) {
		switch star := strings.IndexByte(w, '*'); {
		case star < 0:
			n.exact[w] = true
		case star == len(w)-1 && star > 0:
			n.starts[w[0]] = append(n.starts[w[0]], w[:star])
		case star == 0 && len(w) > 1 && strings.IndexByte(w[1:], '*') < 0:
			n.ends[w[len(w)-1]] = append(n.ends[w[len(w)-1]], w[1:])
		default:
			n.globs = append(n.globs, w)
		}
	}
	return n
}

func (n *names) match(s string) bool {
	if s == "" {
		return false
	}
	if n.exact[s] {
		return true
	}
	for _, p := range n.starts[s[0]] {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	for _, p := range n.ends[s[len(s)-1]] {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return anyGlob(n.globs, s)
}

// special is the compiled form of l0.PathLists and l0.Env.
type specialNames struct {
	secretNames, notSecret, startup, history names
	secretPaths, startupPaths, agentPaths    []string
	hostPaths                                []string
	risky, suffixes, inert, keys             names
}

var lists = compileLists()

func compileLists() *specialNames {
	p, e := l0.Paths(), l0.EnvNames()
	return &specialNames{
		secretNames: compileNames(p.SecretNames), notSecret: compileNames(p.NotSecretNames),
		startup: compileNames(p.Startup), history: compileNames(p.History),
		secretPaths: unblank(p.SecretPaths), startupPaths: unblank(p.StartupPaths), agentPaths: unblank(p.AgentPaths), hostPaths: unblank(p.HostPaths),
		risky: compileNames(e.Risky), suffixes: compileNames(e.Suffixes), inert: compileNames(e.Inert), keys: compileNames(e.Keys),
	}
}

// unblank splits a list; a question mark in it stands for a blank.
func unblank(s string) []string {
	out := strings.Fields(s)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], "?", " ")
	}
	return out
}

type envClass uint8

const (
	envInert envClass = iota
	envHelper
)

// envRisk says whether a variable can make a program run, load or reach something. reaches is
// true if the variable is certainly in the environment of a program.
func envRisk(name string, reaches bool) envClass {
	if lists.inert.exact[name] {
		return envInert
	}
	if lists.risky.match(name) || reaches && lists.suffixes.match(name) {
		return envHelper
	}
	return envInert
}

// credential reports a word that names a file of secrets, or a directory of them.
func (j *judge) credential(sc *scope, w *word) bool {
	if len(w.text) < 2 {
		return false
	}
	full := j.fullPath(sc, w)
	return secretPath(full) || j.gateKey(full)
}

// gateKey reports one of the gate's own keys, also behind a pattern: whoever reads it can seal confirmations.
func (j *judge) gateKey(full string) bool {
	for _, k := range j.e.keyFiles {
		if full == k {
			return true
		}
		if ok, err := path.Match(full, k); ok && err == nil {
			return true
		}
	}
	return false
}

// fullPath is the word as an absolute path if that can be said, unknown bytes kept.
func (j *judge) fullPath(sc *scope, w *word) string {
	p := strings.ReplaceAll(w.text, "\\", "/")
	switch {
	case p == "":
		return ""
	case strings.HasPrefix(p, "~/"):
		p = j.home(sc) + p[1:]
	case p[0] != '/' && sc.dir != "" && !sc.dirLost && !strings.HasPrefix(p, dynMark):
		p = sc.dir + "/" + p
	}
	return path.Clean(p)
}

func secretPath(full string) bool {
	base := path.Base(full)
	if lists.notSecret.match(base) {
		return false
	}
	lower := strings.ToLower(base)
	if lists.secretNames.match(base) || lower != base && lists.secretNames.match(lower) {
		return !strings.HasPrefix(full, "/usr/share/") && !strings.HasPrefix(full, "/etc/ssl/certs/")
	}
	if path.Base(path.Dir(full)) == ".ssh" && base == "config" {
		return false
	}
	if !strings.HasPrefix(full, "/") {
		full = "/" + full
	}
	return anyGlob(lists.secretPaths, full)
}

// credentialPattern reports a file name pattern that selects credentials.
func (j *judge) credentialPattern(pattern string) bool {
	base := path.Base(pattern)
	if strings.Trim(base, "*?.") == "" {
		return base == ".*" || base == ".?*" || base == ".[!.]*"
	}
	if lists.notSecret.match(base) {
		return false
	}
	if secretPath(pattern) {
		return true
	}
	if !strings.ContainsAny(base, "*?[") {
		return false
	}
	candidates := [...]string{".env", ".env.local", "id_rsa", "id_ed25519", ".netrc", ".npmrc", ".pgpass", "server.pem", ".git-credentials", "credentials.json", "secrets.yml"}
	for i, n := range candidates {
		if i >= len(candidates)-2 && !hasLetter(strings.TrimSuffix(base, path.Ext(base))) {
			continue // *.json says nothing about credentials
		}
		if ok, err := path.Match(base, n); ok && err == nil {
			return true
		}
	}
	return false
}

func hasLetter(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) >= 0
}

// protectedFile reports startup, agent, hook, history and schedule files. home says that
// the path is below a home directory.
func protectedFile(p string, home bool) bool {
	base := path.Base(p)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	if lists.startup.exact[base] && (home && strings.Count(p, "/") <= 3 || base != ".gitconfig" && base != ".vimrc" && strings.HasPrefix(base, ".") && home) {
		return true
	}
	if lists.history.exact[base] && home {
		return true
	}
	if !strings.Contains(p, "/.") && !strings.Contains(p, "cron") && !strings.Contains(p, "Library") && !strings.Contains(p, "Startup") && !strings.Contains(p, "opencode.json") {
		return false
	}
	return anyGlob(lists.startupPaths, p) || anyGlob(lists.agentPaths, p)
}
