package gatecore

import (
	"path"
	"slices"
	"strings"
)

// mount is a directory of this machine that a container sees under another name.
type mount struct {
	target, source string // clean and absolute
}

// mounted is the scope of a container: paths below its mounts are judged as the paths of this machine that they are.
func (j *judge) mounted(sc *scope, inv *invocation) {
	var ms []mount
	for i := range inv.opts {
		u := &inv.opts[i]
		if !u.hasVal {
			continue
		}
		source, target := "", ""
		switch u.name {
		case "-v", "--volume":
			parts := strings.Split(u.val.text, ":")
			if len(parts) < 2 || len(parts) > 2 && readOnly(strings.Split(parts[2], ",")) {
				continue
			}
			source, target = parts[0], parts[1]
		case "--mount":
			source, target = bindMount(u.val.text)
		default:
			continue
		}
		if source == "" || strings.IndexByte("/.~", source[0]) < 0 || !strings.HasPrefix(target, "/") || strings.Contains(source, dynMark) {
			continue // a volume of the engine, or unknown
		}
		if p := j.resolve(sc, &word{text: source}); p != "" {
			ms = append(ms, mount{path.Clean(target), p})
		}
	}
	if len(ms) == 0 {
		return
	}
	sc.mounts = ms
	if w := inv.value("-w", "--workdir"); w != nil && !w.dyn && path.IsAbs(w.text) {
		if _, ok := sc.onHost(path.Clean(w.text)); ok {
			sc.dir, sc.dirLost = path.Clean(w.text), false
		}
	}
}

func readOnly(options []string) bool {
	return slices.Contains(options, "ro") || slices.Contains(options, "readonly")
}

// bindMount reads type=bind,source=…,target=….
func bindMount(s string) (source, target string) {
	fields := strings.Split(s, ",")
	if readOnly(fields) {
		return "", ""
	}
	for _, f := range fields {
		switch k, v, _ := strings.Cut(f, "="); k {
		case "source", "src":
			source = v
		case "target", "dst", "destination":
			target = v
		}
	}
	return source, target
}

// onHost is the path of this machine that a clean absolute path of a container is.
func (s *scope) onHost(p string) (string, bool) {
	for _, m := range s.mounts {
		if p == m.target || below(p, m.target) {
			return path.Join(m.source, p[len(m.target):]), true
		}
	}
	return "", false
}

// host is the scope in which paths of this machine are judged.
func (s *scope) host() *scope {
	c := *s
	c.shared, c.mounts, c.dir, c.dirLost = true, nil, "", false
	return &c
}
