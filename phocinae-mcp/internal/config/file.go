package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxFile is the most a configuration file may hold, in bytes.
const maxFile = 1 << 20

// fileValues is the content of a configuration file, as text per setting.
type fileValues struct {
	path   string // absolute; empty when there is none
	values map[string][]string
}

// readFile reads the configuration file a flag or variable names. All its problems are reported.
func readFile(f *Flags, env *Environment, settings []Setting, problems *Problems) *fileValues {
	out := &fileValues{values: map[string][]string{}}
	g := pick(&settings[0], f, env, out)
	if len(g.values) == 0 {
		return out
	}
	if err := g.sane(); err != nil {
		problems.add(g.where, g.setting.Allowed, "%v", err)
		return out
	}
	if g.source == fromEnv && !filepath.IsAbs(g.values[0]) {
		problems.add(g.where, g.setting.Allowed, "%v", planted(g.values[0]))
		return out
	}
	data, path, err := slurp(g.values[0])
	if err != nil {
		problems.add(g.where, g.setting.Allowed, "%s: %v", quoted(g.values[0]), err)
		return out
	}
	out.path = path
	var members map[string]jsontext.Value
	if err := json.Unmarshal(data, &members); err != nil {
		problems.add(path, "one JSON object", "%v", syntax(data, err))
		return out
	}
	if members == nil {
		problems.add(path, "one JSON object", "null")
		return out
	}
	out.take(members, settings, problems)
	return out
}

// slurp reads a regular file of at most maxFile bytes and tells its absolute path.
func slurp(name string) (data []byte, path string, err error) {
	path, err = filepath.Abs(name)
	if err != nil {
		return nil, "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, path, cause(err)
	}
	defer func() { _ = file.Close() }() // read only
	data, err = io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, path, cause(err)
	}
	if len(data) > maxFile {
		return nil, path, fmt.Errorf("larger than %d bytes", maxFile)
	}
	return data, path, nil
}

// syntax keeps the useful part of a JSON error: what and where.
func syntax(data []byte, err error) error {
	e, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return err
	}
	before := data[:min(max(e.ByteOffset, 0), int64(len(data)))]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("line %d, column %d: %w", line, column, e.Err)
}

// take turns members into text, in a fixed order so that messages are the same each time.
func (v *fileValues) take(members map[string]jsontext.Value, settings []Setting, problems *Problems) {
	known := make(map[string]*Setting, len(settings))
	for i := range settings {
		known[settings[i].Name] = &settings[i]
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		where := v.path + ": " + name
		s, ok := known[name]
		if !ok || name == "config" {
			problems.add(v.path, "members "+memberList(settings), "unknown member %s", quoted(name))
			continue
		}
		values, err := texts(s, members[name])
		if err != nil {
			problems.add(where, s.Allowed, "%v", err)
			continue
		}
		v.values[name] = values
	}
}

func memberList(settings []Setting) string {
	var names []string
	for _, s := range settings {
		if s.Name != "config" {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ", ")
}

// texts reads a member as the text a flag would have had. Kinds are not converted: "true" in quotes is no boolean.
func texts(s *Setting, raw jsontext.Value) ([]string, error) {
	kind := raw.Kind()
	switch {
	case s.Repeats:
		var list []string
		if kind != '[' || json.Unmarshal(raw, &list) != nil {
			return nil, fmt.Errorf("%s is not an array of strings", quoted(string(raw)))
		}
		if len(list) == 0 {
			return nil, errors.New("the array is empty; leave the member out instead")
		}
		return list, nil
	case s.Bool:
		if kind != 't' && kind != 'f' {
			return nil, fmt.Errorf("%s is not true or false", quoted(string(raw)))
		}
		return []string{string(raw)}, nil
	case kind == '0' && numeric(s):
		return []string{string(raw)}, nil
	case kind == '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
		return []string{text}, nil
	}
	return nil, fmt.Errorf("%s is of the wrong kind", quoted(string(raw)))
}

// numeric reports whether the setting may be a bare number in the file.
func numeric(s *Setting) bool {
	switch s.Name {
	case "port", "timeout", "noul_threshold", "ask_at", "deny_at", "rate", "burst", "confirm_timeout", "audit_max_size", "audit_keep":
		return true
	}
	return false
}
