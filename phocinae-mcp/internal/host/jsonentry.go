package host

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// handler is one hook of ours found in a file.
type handler struct {
	list  []string // path of the array
	group int      // index in it
	inner int      // index in the group's "hooks", -1 if the array holds handlers itself
	key   string   // of the member that holds the command
	line  string
	args  []string
}

func (f handler) path() []step {
	p := append(names2steps(f.list...), step{index: f.group})
	if f.inner >= 0 {
		p = append(p, step{name: "hooks"}, step{index: f.inner})
	}
	return p
}

// handlers finds our hooks for h in one array.
func handlers(data []byte, root *node, h Host, list hookList, keys []string) []handler {
	arr := root.find(names2steps(list.path...))
	if arr == nil || arr.kind != '[' {
		return nil
	}
	var found []handler
	add := func(n *node, group, inner int) {
		key, line, args := commandOf(data, n, keys)
		if ours(line, args, h) {
			found = append(found, handler{list: list.path, group: group, inner: inner, key: key, line: line, args: args})
		}
	}
	for i, it := range arr.items {
		if !list.grouped {
			add(it.value, i, -1)
			continue
		}
		inner, _ := it.value.member("hooks")
		if inner == nil || inner.kind != '[' {
			continue
		}
		for j, hook := range inner.items {
			add(hook.value, i, j)
		}
	}
	return found
}

func commandOf(data []byte, n *node, keys []string) (key, line string, args []string) {
	for _, k := range keys {
		if v, _ := n.member(k); v != nil && v.kind == '"' {
			key, line = k, v.text(data)
			break
		}
	}
	if v, _ := n.member("args"); v != nil && v.kind == '[' {
		for _, it := range v.items {
			args = append(args, it.value.text(data))
		}
	}
	return key, line, args
}

// installHook adds or updates our hooks for h.
func installHook(data []byte, h Host, o *Options) ([]byte, error) {
	entry := hookEntry(h, o)
	data, err := rooted(data)
	if err != nil {
		return nil, err
	}
	for _, m := range entry.head {
		root, err := parseJSONC(data)
		if err != nil {
			return nil, err
		}
		if v, _ := root.member(m.key); v != nil {
			continue
		}
		if data, err = insert(data, nil, m.key, m.value); err != nil {
			return nil, err
		}
	}
	for _, list := range entry.lists {
		if data, err = installList(data, h, list, entry.keys, o); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func installList(data []byte, h Host, list hookList, keys []string, o *Options) ([]byte, error) {
	data, err := ensure(data, list.path, '[')
	if err != nil {
		return nil, err
	}
	root, err := parseJSONC(data)
	if err != nil {
		return nil, err
	}
	found := handlers(data, root, h, list, keys)
	if len(found) == 0 {
		return insert(data, names2steps(list.path...), "", list.element)
	}
	for _, f := range found {
		if data, err = updateHandler(data, f, h, list, keys, o); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// updateHandler brings an older entry of ours up to date: the program's path, and members that are missing or make the hook weaker. What
// the user set otherwise, flags of the command included, stays.
func updateHandler(data []byte, f handler, h Host, list hookList, keys []string, o *Options) ([]byte, error) {
	want := list.element
	if list.grouped {
		inner, _ := want[len(want)-1].value.([]any)
		want, _ = inner[0].(object)
	}
	var err error
	if f.renewed(h, o) != f.line {
		if data, err = replace(data, append(f.path(), step{name: f.key}), f.renewed(h, o)); err != nil {
			return nil, err
		}
	}
	for _, m := range want {
		if m.key == "args" || slices.Contains(keys, m.key) {
			continue // the command, done
		}
		root, err := parseJSONC(data)
		if err != nil {
			return nil, err
		}
		v, _ := root.find(f.path()).member(m.key)
		switch {
		case v == nil:
			data, err = insert(data, f.path(), m.key, m.value)
		case weaker(string(data[v.start:v.end]), m):
			data, err = replace(data, append(f.path(), step{name: m.key}), m.value)
		}
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// renewed is the handler's command with this program's path in it.
func (f handler) renewed(h Host, o *Options) string {
	if len(f.args) > 0 {
		return o.Exe
	}
	_, rest := splitExe(f.line)
	return o.quoteExe(h) + rest
}

// weaker reports a setting that lets a command run where ours would not: a host's clock shorter than the hook's own, or failing open.
func weaker(have string, m member) bool {
	switch want := m.value.(type) {
	case bool:
		return have != fmt.Sprint(want)
	case int:
		n, err := strconv.ParseFloat(have, 64)
		return strings.HasPrefix(m.key, "timeout") && (err != nil || n < float64(want)*2/3)
	}
	return m.key == "onFailure" && have != quoteJSON(fmt.Sprint(m.value))
}

// uninstallHook removes our hooks for h, and the containers that become empty.
func uninstallHook(data []byte, h Host, o *Options) ([]byte, error) {
	entry := hookEntry(h, o)
	for _, list := range entry.lists {
		for {
			root, err := parseJSONC(data)
			if err != nil {
				return nil, err
			}
			if root != nil && root.kind != '{' {
				return nil, errors.New("it does not hold an object")
			}
			found := handlers(data, root, h, list, entry.keys)
			if len(found) == 0 {
				break
			}
			if data, err = removeHandler(data, root, found[len(found)-1]); err != nil {
				return nil, err
			}
		}
	}
	return data, nil
}

func removeHandler(data []byte, root *node, f handler) ([]byte, error) {
	at := names2steps(f.list...)
	group := root.find(append(slices.Clone(at), step{index: f.group}))
	var err error
	if inner, _ := group.member("hooks"); f.inner >= 0 && len(inner.items) > 1 {
		data, err = remove(data, append(slices.Clone(at), step{index: f.group}, step{name: "hooks"}), f.inner)
	} else {
		data, err = remove(data, at, f.group)
	}
	if err != nil {
		return nil, err
	}
	return prune(data, f.list)
}

// installMCP adds or updates our entry in a JSON host.
func installMCP(data []byte, h Host, o *Options) ([]byte, error) {
	data, err := rooted(data)
	if err != nil {
		return nil, err
	}
	parent, entry := mcpEntry(h, o)
	root, err := parseJSONC(data)
	if err != nil {
		return nil, err
	}
	if h == OpenCode && oldOpenCode(root) {
		parent = parent[:1]
	}
	if data, err = ensure(data, parent, '{'); err != nil {
		return nil, err
	}
	if root, err = parseJSONC(data); err != nil {
		return nil, err
	}
	at := names2steps(append(slices.Clone(parent), Name)...)
	have := root.find(at)
	if have == nil {
		return insert(data, at[:len(at)-1], Name, entry)
	}
	command, _ := have.member("command")
	line := firstText(data, command)
	switch {
	case !startsUs(line):
		return nil, fmt.Errorf("%s.%s is already there and starts something else (%q); rename or remove it first", strings.Join(parent, "."), Name, line)
	case line == o.Exe:
		return data, nil
	case command.kind == '[':
		return replace(data, append(at, step{name: "command"}, step{index: 0}), o.Exe)
	}
	return replace(data, append(at, step{name: "command"}), o.Exe)
}

// firstText is a string, or the first of an array of strings.
func firstText(data []byte, n *node) string {
	if n != nil && n.kind == '[' && len(n.items) > 0 {
		n = n.items[0].value
	}
	return n.text(data)
}

// oldOpenCode reports a file of the first generation: entries stand directly below mcp. The second generation ignores them there, the
// first fails on a member called servers.
func oldOpenCode(root *node) bool {
	mcp, _ := root.member("mcp")
	if mcp == nil || mcp.kind != '{' || len(mcp.items) == 0 {
		return false
	}
	servers, _ := mcp.member("servers")
	return servers == nil
}

// uninstallMCP removes our entry from a JSON host.
func uninstallMCP(data []byte, h Host, o *Options) ([]byte, error) {
	root, err := parseJSONC(data)
	if err != nil {
		return nil, err
	}
	if root != nil && root.kind != '{' {
		return nil, errors.New("it does not hold an object")
	}
	parent, _ := mcpEntry(h, o)
	for depth := len(parent); depth > 0; depth-- {
		at := parent[:depth]
		n := root.find(names2steps(at...))
		have, index := n.member(Name)
		command, _ := have.member("command")
		if have == nil || !startsUs(firstText(data, command)) {
			continue
		}
		if data, err = remove(data, names2steps(at...), index); err != nil {
			return nil, err
		}
		return prune(data, at)
	}
	return data, nil
}
