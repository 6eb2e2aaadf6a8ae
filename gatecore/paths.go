package gatecore

import (
	"path"
	"strings"
)

// pathClass is a row of GATE's table of deleted and overwritten paths.
type pathClass uint8

const (
	classOther pathClass = iota
	classWorkspace
	classTemp
	classHome
	classParent  // the working directory, anything above it, or everything in it
	classSystem  // a system tree
	classRoot    // the root directory
	classUnknown // the beginning is not known
)

// treeDenied reports whether the recursive column says deny.
func (c pathClass) treeDenied() bool { return c >= classHome }

// resolve returns the clean absolute path of a word, "" if its beginning is not known. Relative
// paths in an unknown directory come back relative.
func (j *judge) resolve(sc *scope, w *word) string {
	p := w.prefix()
	if p == "" {
		return ""
	}
	if len(p) > 1 && p[0] == '~' && p[1] == '/' && j.at.Home != "" {
		p = j.home(sc) + p[1:]
	}
	if p[0] == '/' || p[0] == '~' {
		return path.Clean(p)
	}
	if sc.dirLost {
		return ""
	}
	if sc.dir == "" {
		return path.Clean(p)
	}
	return path.Join(sc.dir, p)
}

// classOf finds the class of a word that names a path to be deleted or changed recursively.
func (j *judge) classOf(sc *scope, w *word) pathClass {
	t := w.text
	if t == "" {
		return classOther
	}
	p := w.prefix()
	if p == "" {
		return classUnknown
	}
	if strings.IndexByte(t, '\\') >= 0 || len(t) > 1 && t[1] == ':' {
		return j.windowsClass(t)
	}
	open := w.dyn
	if w.globAt > 0 && w.globAt-1 < len(p) {
		p = globBase(p, w.globAt-1)
		open = false
		if p == "" { // a component that matches everything here
			p = "."
		}
	}
	if open {
		p = openBase(p)
		if p == "" {
			p = "x" // an unknown name in the current directory
		}
	}
	return j.classOfPath(sc, p)
}

// globBase is what a pattern stands for: the directory if its first globbed component matches
// everything, else a name in it.
func globBase(p string, at int) string {
	slash := strings.LastIndexByte(p[:at], '/')
	dir, comp := p[:slash+1], p[slash+1:]
	if i := strings.IndexByte(comp, '/'); i >= 0 {
		comp = comp[:i]
	}
	if dir == "/" {
		return "/"
	}
	if i := strings.IndexByte(comp, '['); i >= 0 && strings.Trim(comp[:i], "*?.") == "" && strings.IndexByte(comp[i:], ']') > 0 {
		comp = comp[:i] + "?" + comp[i+strings.IndexByte(comp[i:], ']')+1:] // one of several characters
	}
	if strings.Trim(comp, "*?.") == "" || strings.HasPrefix(comp, "[") {
		return dir
	}
	return dir + "x"
}

// openBase is a path whose last part is not known.
func openBase(p string) string {
	if strings.HasSuffix(p, "/") {
		return p
	}
	if path.Dir(p) == "/" {
		return "/"
	}
	return p
}

func (j *judge) classOfPath(sc *scope, p string) pathClass {
	abs := p
	switch {
	case p[0] == '~':
		if j.at.Home == "" {
			return classHome
		}
		abs = j.home(sc) + p[1:]
	case p[0] != '/':
		if sc.dirLost {
			return classUnknown
		}
		if sc.dir == "" {
			clean := path.Clean(p)
			if clean == "." || clean == ".." || strings.HasPrefix(clean, "../") {
				return classParent
			}
			return classWorkspace
		}
		abs = sc.dir + "/" + p
	}
	abs = path.Clean(abs)
	if len(sc.mounts) > 0 {
		if p, ok := sc.onHost(abs); ok {
			inside := *sc
			inside.shared, inside.mounts = true, nil
			return max(j.classOfPath(sc.host(), p), j.classOfPath(&inside, abs))
		}
	}
	if abs == "/" || abs == "//" {
		return classRoot
	}
	ws := j.at.Dir
	if ws != "" {
		ws = path.Clean(ws)
		if abs == ws || strings.HasPrefix(ws, abs+"/") {
			if systemTree(abs) {
				return classSystem
			}
			return classParent
		}
	}
	if sc.dir != "" && (abs == sc.dir || strings.HasPrefix(sc.dir, abs+"/")) && !temporary(abs) && !below(abs, ws) {
		return classParent
	}
	switch {
	case abs == "/tmp" || abs == "/var/tmp" || abs == "/dev/shm" || abs == "/private/tmp" || abs == "/var/folders":
		return classSystem
	case temporary(abs) && !j.holdsHome(abs):
		return classTemp
	case below(abs, ws) && workspaceAllowed(ws):
		return classWorkspace
	case systemTree(abs):
		return classSystem
	case j.homeTree(abs):
		return classHome
	case below(abs, ws):
		return classWorkspace
	}
	return classOther
}

func below(abs, dir string) bool {
	return dir != "" && dir != "/" && strings.HasPrefix(abs, dir+"/")
}

// workspaceAllowed refuses a claimed working directory that would turn a system tree into a workspace.
func workspaceAllowed(ws string) bool {
	return strings.Count(ws, "/") >= 2 && !coreTree(ws)
}

func temporary(abs string) bool {
	for _, t := range [...]string{"/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/", "/var/folders/"} {
		if strings.HasPrefix(abs, t) {
			return true
		}
	}
	return false
}

func firstPart(abs string) string {
	s := strings.TrimPrefix(abs, "/")
	if i := strings.IndexByte(s, '/'); i >= 0 {
		s = s[:i]
	}
	return s
}

// coreTree reports paths in trees that nobody works in.
func coreTree(abs string) bool {
	switch firstPart(abs) {
	case "bin", "boot", "dev", "etc", "proc", "run", "sbin", "sys", "System":
		return true
	}
	return strings.HasPrefix(firstPart(abs), "lib")
}

func systemTree(abs string) bool {
	if coreTree(abs) {
		return true
	}
	switch f := firstPart(abs); f {
	case "sdcard": // the shared storage of an Android device
		return true
	case "opt", "srv", "usr", "var", "Library", "Applications", "Windows", "private":
		return true
	case "mnt": // drives below WSL
		return abs == "/mnt" || len(abs) == 6 || len(abs) > 6 && abs[6] == '/' && windowsTree(abs[7:])
	case "home", "Users", "media", "Volumes", "nix", "snap":
		return abs == "/"+f
	case "c", "d", "C":
		return abs == "/"+f || strings.HasPrefix(strings.ToLower(abs), "/c/windows")
	}
	return false
}

// windowsTree reports a directory of Windows or of its users on a drive.
func windowsTree(rest string) bool {
	first, _, _ := strings.Cut(strings.ToLower(rest), "/")
	return first == "windows" || first == "users" || strings.HasPrefix(first, "program") || first == ""
}

// homeTree reports a home directory of any user, or a path below one.
func (j *judge) homeTree(abs string) bool {
	h := j.at.Home
	if h != "" && (abs == path.Clean(h) || below(abs, path.Clean(h))) || temporary(abs) && j.holdsHome(abs) {
		return true
	}
	if len(abs) > 8 && abs[2] == '/' && strings.EqualFold(abs[2:9], "/users/") { // Git Bash's name for C:\Users
		return true
	}
	return strings.HasPrefix(abs, "/home/") || strings.HasPrefix(abs, "/Users/") || abs == "/root" || strings.HasPrefix(abs, "/root/") ||
		strings.HasPrefix(abs, "~")
}

// holdsHome reports the home directory and what lies above it. A home in a temporary tree, as builds and containers have
// it, is still a home.
func (j *judge) holdsHome(abs string) bool {
	if j.at.Home == "" {
		return false
	}
	h := path.Clean(j.at.Home)
	return abs == h || below(h, abs)
}

func (j *judge) windowsClass(t string) pathClass {
	u := strings.ToLower(strings.ReplaceAll(t, "\\", "/"))
	if len(u) > 1 && u[1] == ':' {
		rest := path.Clean("/" + u[2:])
		switch {
		case rest == "/" || strings.HasPrefix(rest, "/*"):
			return classRoot
		case strings.HasPrefix(rest, "/windows"), strings.HasPrefix(rest, "/program"):
			return classSystem
		case strings.HasPrefix(rest, "/users"):
			return classHome
		}
		return classOther
	}
	if strings.HasPrefix(u, "/") || strings.HasPrefix(u, "//") {
		return classSystem
	}
	if c := path.Clean(u); c == "." || c == ".." || strings.HasPrefix(c, "../") || c == "*" {
		return classParent
	}
	return classWorkspace
}

// otherDrivePath reports an absolute path on a drive outside the work tree and the temporary directories.
func (j *judge) otherDrivePath(w *word) bool {
	if !windowsPath(w.text) {
		return false
	}
	p := strings.ToLower(strings.ReplaceAll(w.text, "\\", "/"))
	p = p[:2] + path.Clean(p[2:])
	dir := strings.ToLower(strings.ReplaceAll(j.at.Dir, "\\", "/"))
	return !below(p, dir) && !strings.HasPrefix(p[2:], "/temp/") && !strings.HasPrefix(p[2:], "/tmp/") && !strings.Contains(p, "/appdata/local/temp/")
}

// device reports files whose writing reaches hardware or memory.
func device(p string) bool {
	if !strings.HasPrefix(p, "/dev/") {
		return false
	}
	for _, d := range [...]string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mem", "kmem", "port", "md", "dm-", "mapper/", "loop", "sr", "nbd", "mtd"} {
		if strings.HasPrefix(p[5:], d) {
			return true
		}
	}
	return false
}

// inert output names.
func harmlessOutput(p string) bool {
	switch p {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty":
		return true
	}
	return strings.HasPrefix(p, "/dev/fd/") && strings.Trim(p[8:], "0123456789") == ""
}

// writeTarget judges a file that is written.
func (j *judge) writeTarget(sc *scope, w *word, appending bool) {
	if !w.dyn && harmlessOutput(w.text) {
		return
	}
	if id := j.writeDenied(sc, w, appending); id != "" {
		j.fire(id, w.start, w.end)
		return
	}
	if w.dyn && w.prefix() == "" {
		j.fire(ruleWriteDyn, w.start, w.end)
		return
	}
	j.fire(ruleOptWrite, w.start, w.end)
}

// writeDenied returns the rule that forbids writing to a word, or "".
func (j *judge) writeDenied(sc *scope, w *word, appending bool) string {
	if j.gateFile(sc, w) {
		return ruleGateWrite
	}
	p := j.resolve(sc, w)
	if p == "" {
		p = path.Clean("./" + w.prefix())
	}
	if len(sc.mounts) > 0 {
		if q, ok := sc.onHost(p); ok {
			if id := j.writeDenied(sc.host(), &word{text: q}, appending); id != "" {
				return id
			}
		}
	}
	if w.flow.piped && p == "/dev/fd/63" { // >(command)
		return ""
	}
	if device(p) {
		return ruleWriteDevice
	}
	if harmlessOutput(p) || p == "/dev/full" || p == "/dev/zero" || strings.HasPrefix(p, "/dev/pts/") {
		return ""
	}
	if strings.HasPrefix(p, "/dev/tcp/") || strings.HasPrefix(p, "/dev/udp/") {
		return ""
	}
	switch c := j.classOf(sc, &word{text: w.prefix()}); {
	case (c == classSystem || c == classRoot) && p != "/tmp" && w.prefix() != "":
		return ruleWriteDeny
	}
	if protectedFile(p, j.homeTree(p)) || j.operatorProtected(p) {
		return ruleWriteDeny
	}
	if j.credential(sc, w) && (!appending || !below(p, j.at.Dir)) {
		return ruleWriteCred
	}
	return ""
}

// gateFile reports one of the gate's own files, or a path above or below one.
func (j *judge) gateFile(sc *scope, w *word) bool {
	p := j.resolve(sc, w)
	if p == "" {
		return false
	}
	if strings.Contains(p, "phocinae") && (strings.Contains(p, "phocinae-mcp") || strings.Contains(p, ".phocinae") || strings.Contains(p, "/phocinae/")) {
		return !below(p, j.at.Dir) // the gate's own names, wherever they are installed
	}
	for _, g := range j.e.gateFiles {
		if p == g || strings.HasPrefix(p, g+"/") || strings.HasPrefix(g, p+"/") && p != "/" && strings.Count(p, "/") > 1 {
			return true
		}
	}
	return false
}

func (j *judge) operatorProtected(p string) bool {
	if j.e.table == nil {
		return false
	}
	for _, t := range j.e.table.protected {
		if glob(t, p) || p == t || strings.HasPrefix(p, strings.TrimSuffix(t, "/")+"/") || strings.IndexByte(t, '/') < 0 && path.Base(p) == t {
			return true
		}
	}
	return false
}

// readFile judges a file whose content is read and returns what it brings.
func (j *judge) readFile(sc *scope, w *word) flow {
	if w.flow.secret {
		j.fire(ruleCredential, w.start, w.end)
	}
	if j.credential(sc, w) || w.flow.listing && w.text != "/dev/fd/63" || w.globAt > 0 && j.credentialPattern(w.text) {
		j.fire(ruleCredential, w.start, w.end)
		return flow{secret: true, network: w.flow.network, decoded: w.flow.decoded}
	}
	if w.text == "-" {
		return flow{}
	}
	if device(j.resolve(sc, w)) {
		j.fireWhy(ruleCredential, w.start, w.end, "The content of a disk or of memory holds everything, secrets too.", "")
		return flow{secret: true}
	}
	if strings.HasPrefix(w.text, "/dev/tcp/") || strings.HasPrefix(w.text, "/dev/udp/") {
		j.fire(ruleNetFile, w.start, w.end)
		return flow{network: true}
	}
	f := w.flow
	f.known, f.text = false, ""
	if p := j.resolve(sc, w); p != "" {
		f = f.join(sc.origin(p))
		f.local = f.local || accounts[p]
	}
	return f
}

// fileFlow is the content of a file that becomes standard input.
func (j *judge) fileFlow(sc *scope, w *word) flow {
	f := j.readFile(sc, w)
	if len(sc.files) > 0 {
		if o := sc.files[j.resolve(sc, w)]; o.known {
			f.text, f.known = o.text, false // what a later command appends is not seen, so it never proves anything
		}
	}
	if w.flow.known {
		f.text, f.known = w.flow.text, true
	}
	return f
}
