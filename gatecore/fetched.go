package gatecore

import (
	"maps"
	"path"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// everyFile, behind the path of a directory, is the key under which scope.files keeps where all that is in it comes from.
const everyFile = "/**"

// maxNoted bounds how many files and arrays of one text are kept, because every clone of a scope copies what it adds.
const maxNoted = 64

// origin is where the content of the file at p comes from: it was written, or unpacked with the directory it is in.
func (s *scope) origin(p string) flow {
	if len(s.files) == 0 || p == "" {
		return flow{}
	}
	f := s.files[p]
	for d := p; d != "/" && d != "."; {
		d = path.Dir(d)
		f = f.join(s.files[strings.TrimSuffix(d, "/")+everyFile])
	}
	return f
}

// wrote keeps what a file is written with, so that it can be read when it is run in the same text.
func (s *scope) wrote(p, text string) {
	if text == "" || len(s.files) >= maxNoted || len(s.files[p].text)+len(text) > maxWordBytes {
		return
	}
	m := make(map[string]flow, len(s.files)+1)
	maps.Copy(m, s.files)
	f := m[p]
	f.text, f.known = f.text+text, true
	m[p] = f
	s.files = m
}

// runsText judges, for deny only, a file that is run and whose text was written before in the same text. The interpreter is
// that of the command, or the one that the file's first line names; inv may be nil.
func (j *judge) runsText(sc *scope, w *word, inv *invocation) {
	if len(sc.files) == 0 {
		return
	}
	f := sc.files[j.resolve(sc, w)]
	if !f.known || j.depth+1 >= maxDepth || !j.spend(len(f.text)) {
		return
	}
	t := word{text: f.text, start: w.start, end: w.end}
	c := sc.process()
	c.in = flow{}
	first, _, _ := strings.Cut(f.text, "\n")
	j.muted++
	j.depth++
	switch {
	case inv != nil && (inv.cmd.class == l0.Interpreter || inv.cmd.class == l0.Database):
		j.code(c, inv, &t)
	case strings.HasPrefix(first, "#!") && hasAny(first, "python", "node", "perl", "ruby", "php", "deno", "bun", "lua"):
		j.foreign(c, &t)
	default:
		j.denyOnly(c, f.text, &t)
	}
	j.depth--
	j.muted--
}

// filled notes a directory that is filled from the network.
func (j *judge) filled(sc *scope, dir *word) {
	if p := j.resolve(sc, dir); p != "" && !dir.dyn {
		sc.note(strings.TrimSuffix(p, "/")+everyFile, flow{network: true})
	}
}

// unpacked notes where a repository is cloned to and where an archive that came from the network is unpacked: whatever
// runs from there in the same text is fetched code.
func (j *judge) unpacked(sc *scope, inv *invocation, out flow) {
	here := word{text: "."}
	switch inv.prog.name {
	case "git", "gh", "glab", "hg", "svn":
		j.cloned(sc, inv)
	case "tar", "gtar", "bsdtar":
		if out.network && inv.hasAny([]string{"-x", "--extract", "--get"}) {
			if w := inv.value("-C", "--directory"); w != nil {
				here = *w
			}
			j.filled(sc, &here)
		}
	case "unzip", "7z", "7za", "7zr", "unrar", "cpio", "pax", "unar":
		from := out.network
		for i := range inv.operands {
			from = from || sc.origin(j.resolve(sc, inv.operands[i].w)).network
		}
		if !from || inv.dry {
			return
		}
		if w := inv.value("-d", "-o", "-D", "--directory"); w != nil {
			here = *w
		}
		j.filled(sc, &here)
	case "gunzip", "bunzip2", "unxz", "unzstd", "unlz4", "unlzma":
		for i := range inv.operands {
			if p := j.resolve(sc, inv.operands[i].w); sc.origin(p).network {
				sc.note(strings.TrimSuffix(p, path.Ext(p)), flow{network: true})
			}
		}
	}
}

// cloned notes the directory of a repository that is fetched. One that is cloned from this machine is not.
func (j *judge) cloned(sc *scope, inv *invocation) {
	ops := inv.operands
	switch inv.cmd.path {
	case "clone", "checkout", "co", "export":
		if inv.prog.name == "svn" && inv.cmd.path == "clone" || inv.cmd.path != "clone" && inv.prog.name != "svn" {
			return
		}
	case "repo clone", "gist clone":
	default:
		return
	}
	if len(ops) == 0 {
		return
	}
	url := ops[0].w.text
	if inv.prog.name != "gh" && inv.prog.name != "glab" && !strings.Contains(url, ":") && (ops[0].w.globAt > 0 || strings.IndexAny(url, "/.~") == 0 || !ops[0].w.dyn) || strings.HasPrefix(url, "file:") {
		return
	}
	dir := word{text: strings.TrimSuffix(path.Base(strings.TrimRight(url, "/")), ".git")}
	if i := strings.LastIndexByte(dir.text, ':'); i >= 0 {
		dir.text = dir.text[i+1:]
	}
	if len(ops) > 1 {
		dir = *ops[1].w
	}
	j.filled(inv.scope(sc), &dir)
}

// fetchedFiles notes the files that a download names after its source.
func (j *judge) fetchedFiles(sc *scope, inv *invocation) {
	dir := "."
	switch inv.prog.name {
	case "wget", "wget2", "aria2c", "axel":
		if w := inv.value("-P", "--directory-prefix", "-d", "--dir"); w != nil && !w.dyn {
			dir = w.text
		}
	case "curl":
		if !inv.has("-O") && !inv.has("--remote-name") && !inv.has("--remote-name-all") && !inv.has("-J") {
			return
		}
		if w := inv.value("--output-dir"); w != nil && !w.dyn {
			dir = w.text
		}
	case "scp", "rsync", "aws", "gsutil":
		j.copiedHere(sc, inv)
		return
	default:
		return
	}
	for i := range inv.operands {
		t, _, _ := strings.Cut(inv.operands[i].w.text, "?")
		if i := strings.LastIndexByte(t, '/'); i >= 0 && i+1 < len(t) {
			j.noteFetched(sc, dir, t[i+1:])
		}
	}
}

func (j *judge) noteFetched(sc *scope, dir, name string) {
	w := word{text: strings.TrimSuffix(dir, "/") + "/" + name}
	if p := j.resolve(sc, &w); p != "" {
		sc.note(p, flow{network: true})
	}
}

// copiedHere notes copies from another machine, under the name given and under that of the source in it.
func (j *judge) copiedHere(sc *scope, inv *invocation) {
	ops := inv.operands
	if len(ops) < 2 {
		return
	}
	dest := ops[len(ops)-1].w
	if dest.dyn || remotePlace(dest.text) {
		return
	}
	for i := range ops[:len(ops)-1] {
		if t := ops[i].w.text; remotePlace(t) {
			if p := j.resolve(sc, dest); p != "" {
				sc.note(p, flow{network: true})
			}
			j.noteFetched(sc, dest.text, path.Base(t[strings.IndexByte(t, ':')+1:]))
		}
	}
}

// remotePlace reports host:path, and URLs such as s3://bucket/key.
func remotePlace(s string) bool {
	i := strings.IndexByte(s, ':')
	return i > 0 && strings.IndexByte(s[:i], '/') < 0
}

// runsFile denies running a file that was fetched or decoded in the same text.
func (j *judge) runsFile(sc *scope, w *word) {
	f := w.flow.join(sc.origin(j.resolve(sc, w)))
	if w.text == "-" || w.text == "/dev/stdin" {
		f = f.join(sc.in)
	}
	if f.network {
		j.fire(ruleFetched, w.start, w.end)
	} else if f.decoded {
		j.fire(ruleDecoded, w.start, w.end)
	}
}
