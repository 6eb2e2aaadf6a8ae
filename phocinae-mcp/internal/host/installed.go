package host

import "slices"

// Entry is one entry of ours found in a host's configuration.
type Entry struct {
	Host Host
	Kind Kind
	Path string   // the configuration file
	Exe  string   // the program's path in it
	Args []string // of hooks: how the host starts it, in exec form
	Line string   // of hooks: the command line, if the host starts it through a shell; then Args is nil
}

// Installed returns what is installed for h, nothing if nothing is. Files that cannot be read are errors.
func Installed(h Host, o *Options) ([]Entry, error) {
	var found []Entry
	for _, k := range []Kind{Hook, MCP} {
		p, err := locate(h, k, o.Scope, o.Env)
		if err != nil {
			continue
		}
		data, exists, err := readConfig(p.path)
		if err != nil {
			return nil, err
		}
		if !exists {
			continue
		}
		if e, ok := entryIn(p, h, k, data, o); ok {
			found = append(found, e)
		}
	}
	return found, nil
}

// entryIn finds our entry of one kind in a file's bytes.
func entryIn(p place, h Host, k Kind, data []byte, o *Options) (Entry, bool) {
	e := Entry{Host: h, Kind: k, Path: p.path}
	switch {
	case k == Hook:
		return hookIn(e, data, o)
	case p.format == tomlFormat:
		e.Exe = tomlExe(data)
	case p.format == yamlFormat:
		e.Exe = yamlExe(data)
	default:
		e.Exe = jsonExe(data, h, o)
	}
	return e, startsUs(e.Exe)
}

func hookIn(e Entry, data []byte, o *Options) (Entry, bool) {
	root, err := parseJSONC(data)
	if err != nil {
		return e, false
	}
	hook := hookEntry(e.Host, o)
	for _, list := range hook.lists {
		found := handlers(data, root, e.Host, list, hook.keys)
		if len(found) == 0 {
			continue
		}
		f := found[0]
		if len(f.args) > 0 {
			e.Exe, e.Args = f.line, f.args
			return e, true
		}
		e.Line = f.line
		e.Exe, _ = splitExe(f.line)
		return e, true
	}
	return e, false
}

func jsonExe(data []byte, h Host, o *Options) string {
	root, err := parseJSONC(data)
	if err != nil {
		return ""
	}
	parent, _ := mcpEntry(h, o)
	for depth := len(parent); depth > 0; depth-- {
		at := append(slices.Clone(parent[:depth]), Name, "command")
		if n := root.find(names2steps(at...)); n != nil {
			return firstText(data, n)
		}
	}
	return ""
}

func tomlExe(data []byte) string {
	lines, err := tomlLines(data)
	if err != nil {
		return ""
	}
	first, last := tomlEntry(lines)
	if first < 0 {
		return ""
	}
	for _, l := range lines[first:last] {
		if len(l.key) == 1 && l.key[0] == "command" {
			return unquoteTOML(l.value)
		}
	}
	return ""
}

func yamlExe(data []byte) string {
	lines, err := yamlLines(data)
	if err != nil {
		return ""
	}
	parent, last, indent := yamlBlock(lines)
	if parent < 0 {
		return ""
	}
	first, end := yamlChild(lines, parent, last, indent)
	if first < 0 {
		return ""
	}
	for _, l := range lines[first:end] {
		if l.key == "cmd" {
			return unquoteYAML(l.value)
		}
	}
	return ""
}
