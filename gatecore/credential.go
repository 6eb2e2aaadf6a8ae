package gatecore

import (
	"math"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// names is a list of globs that is compiled when it is first asked: exact ones in a map, those with one star at an end by
// their first or last byte, the rest in order.
type names struct {
	source string // blank-separated
	once   sync.Once
	exact  map[string]bool
	starts buckets
	ends   buckets
	globs  []string
}

// buckets keeps texts by one ASCII byte.
type buckets struct {
	at    [utf8.RuneSelf]uint8 // place in texts, plus one
	texts [][]string
}

// add reports whether there was room.
func (b *buckets) add(by byte, text string) bool {
	if by >= utf8.RuneSelf || len(b.texts) >= math.MaxUint8 {
		return false
	}
	if b.at[by] == 0 {
		b.texts = append(b.texts, nil)
		b.at[by] = uint8(len(b.texts)) //nolint:gosec // at most 255: see above
	}
	i := b.at[by] - 1
	b.texts[i] = append(b.texts[i], text)
	return true
}

func (b *buckets) of(by byte) []string {
	if by >= utf8.RuneSelf || b.at[by] == 0 {
		return nil
	}
	return b.texts[b.at[by]-1]
}

func (n *names) compile() {
	n.exact = map[string]bool{}
	for w := range strings.FieldsSeq(n.source) {
		switch star := strings.IndexByte(w, '*'); {
		case star < 0:
			n.exact[w] = true
		case star == len(w)-1 && star > 0 && n.starts.add(w[0], w[:star]):
		case star == 0 && len(w) > 1 && strings.IndexByte(w[1:], '*') < 0 && n.ends.add(w[len(w)-1], w[1:]):
		default:
			n.globs = append(n.globs, w)
		}
	}
}

// has reports whether s is in the list as it is.
func (n *names) has(s string) bool {
	n.once.Do(n.compile)
	return n.exact[s]
}

func (n *names) match(s string) bool {
	if s == "" {
		return false
	}
	n.once.Do(n.compile)
	if n.exact[s] {
		return true
	}
	for _, p := range n.starts.of(s[0]) {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	for _, p := range n.ends.of(s[len(s)-1]) {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return anyGlob(n.globs, s)
}

// fragments is a list of globs for whole paths, split when it is first asked. A question mark in it stands for a blank.
type fragments struct {
	source string // blank-separated
	once   sync.Once
	globs  []string
	hidden []string // globs that begin with */. and so match no path without a name that begins with a dot
}

func (f *fragments) split() {
	for g := range strings.FieldsSeq(f.source) {
		g = strings.ReplaceAll(g, "?", " ")
		if strings.HasPrefix(g, "*/.") {
			f.hidden = append(f.hidden, g)
		} else {
			f.globs = append(f.globs, g)
		}
	}
}

func (f *fragments) match(path string) bool {
	f.once.Do(f.split)
	return anyGlob(f.globs, path) || strings.Contains(path, "/.") && anyGlob(f.hidden, path)
}

// specialNames are the lists of l0.PathLists and l0.Variables.
type specialNames struct {
	secretNames, notSecret, startup, history                  names
	secretPaths, startupPaths, agentPaths, hostPaths, scratch fragments
	risky, suffixes, inert, keys                              names
}

var lists = specialLists()

func specialLists() *specialNames {
	p, e := l0.Paths(), l0.EnvNames()
	return &specialNames{
		secretNames: names{source: p.SecretNames}, notSecret: names{source: p.NotSecretNames},
		startup: names{source: p.Startup}, history: names{source: p.History},
		secretPaths: fragments{source: p.SecretPaths}, startupPaths: fragments{source: p.StartupPaths},
		agentPaths: fragments{source: p.AgentPaths}, hostPaths: fragments{source: p.HostPaths}, scratch: fragments{source: p.AgentScratch},
		risky: names{source: e.Risky}, suffixes: names{source: e.Suffixes}, inert: names{source: e.Inert}, keys: names{source: e.Keys},
	}
}

type envClass uint8

const (
	envInert envClass = iota
	envHelper
)

// envRisk says whether a variable can make a program run, load or reach something. reaches is
// true if the variable is certainly in the environment of a program.
func envRisk(name string, reaches bool) envClass {
	if lists.inert.has(name) {
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
	return lists.secretPaths.match(full)
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
	if lists.startup.has(base) && (home && strings.Count(p, "/") <= 3 || base != ".gitconfig" && base != ".vimrc" && strings.HasPrefix(base, ".") && home) {
		return true
	}
	if lists.history.has(base) && home {
		return true
	}
	if !strings.Contains(p, "/.") && !strings.Contains(p, "cron") && !strings.Contains(p, "Library") && !strings.Contains(p, "Startup") && !strings.Contains(p, "opencode.json") {
		return false
	}
	return lists.startupPaths.match(p) || lists.agentPaths.match(p) && !lists.scratch.match(p)
}
