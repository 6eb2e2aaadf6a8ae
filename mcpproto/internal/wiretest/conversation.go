// Package wiretest is for the tests of this module: recorded conversations that every transport must play alike, and
// the server they are held with.
//
// A conversation is a txtar file. Its comment opens with one sentence; a line "only: stdio" or "only: http" limits
// it. Sections named client hold lines to send, sections named server the messages that must come back, in any order
// within one section, no more and no less. In a server section the string "$any" matches any value, "$save:NAME"
// matches any value and keeps it, "$use:NAME" matches the kept value, and a member "...": true lets an object have
// more members. In a client section "$use:NAME" is replaced. A client line that is no JSON is sent as it is.
package wiretest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Conversation is one file.
type Conversation struct {
	Name  string // file name without extension
	Only  string // "stdio", "http" or ""
	Steps []Step
}

// Step is what the client sends and what comes back.
type Step struct {
	Client []string
	Server []string
}

// Load reads all conversations of a folder, sorted by name.
func Load(dir string) ([]Conversation, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("wiretest: no conversations in %s", dir)
	}
	slices.Sort(names)
	var list []Conversation
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			return nil, err
		}
		c, err := parse(string(b))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n, err)
		}
		c.Name = strings.TrimSuffix(filepath.Base(n), ".txtar")
		list = append(list, c)
	}
	return list, nil
}

func parse(text string) (c Conversation, err error) {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(name, " --") {
			next := strings.TrimSuffix(name, " --")
			if next != "client" && next != "server" {
				return c, fmt.Errorf("unknown section %q", next)
			}
			if next == "client" && section != "client" || section == "" {
				c.Steps = append(c.Steps, Step{})
			}
			section = next
			continue
		}
		switch {
		case section == "":
			if o, ok := strings.CutPrefix(line, "only: "); ok {
				c.Only = o
			}
		case strings.HasPrefix(line, "#"), section == "server" && line == "":
		case section == "client":
			s := &c.Steps[len(c.Steps)-1]
			s.Client = append(s.Client, line)
		default:
			s := &c.Steps[len(c.Steps)-1]
			s.Server = append(s.Server, line)
		}
	}
	return c, nil
}

// Saved holds what "$save:NAME" kept, by name, as JSON.
type Saved map[string]string

// Expand puts kept values into a client line.
func (s Saved) Expand(line string) string {
	for k, v := range s {
		line = strings.ReplaceAll(line, `"$use:`+k+`"`, v)
	}
	return line
}

// MatchAll reports how got differs from want, in any order.
func (s Saved) MatchAll(want []string, got []string) error {
	if len(want) != len(got) {
		return fmt.Errorf("want %d messages, got %d:\n%s", len(want), len(got), strings.Join(got, "\n"))
	}
	rest := slices.Clone(got)
	for _, w := range want {
		var first error
		found := slices.IndexFunc(rest, func(g string) bool {
			err := s.match(w, g)
			if first == nil {
				first = err
			}
			return err == nil
		})
		if found < 0 {
			return fmt.Errorf("want %s\ngot\n%s\nfirst difference: %w", w, strings.Join(rest, "\n"), first)
		}
		rest = slices.Delete(rest, found, found+1)
	}
	return nil
}

func (s Saved) match(want, got string) error {
	w, err := decode(want)
	if err != nil {
		return fmt.Errorf("expected message is not JSON: %w", err)
	}
	g, err := decode(got)
	if err != nil {
		return fmt.Errorf("message is not JSON: %w", err)
	}
	keep := Saved{}
	if err := s.compare("", w, g, keep); err != nil {
		return err
	}
	for k, v := range keep {
		s[k] = v
	}
	return nil
}

// number keeps digits apart from strings.
type number string

func decode(text string) (any, error) {
	var v any
	err := json.Unmarshal([]byte(text), &v, json.WithUnmarshalers(
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, p *any) error {
			if d.PeekKind() != '0' {
				return errors.ErrUnsupported
			}
			raw, err := d.ReadValue()
			*p = number(raw)
			return err
		})))
	return v, err
}

func (s Saved) compare(at string, want, got any, keep Saved) error {
	if t, ok := want.(string); ok {
		switch name, save := strings.CutPrefix(t, "$save:"); {
		case t == "$any":
			return nil
		case save:
			keep[name] = encode(got)
			return nil
		}
		if name, use := strings.CutPrefix(t, "$use:"); use {
			if s[name] != encode(got) {
				return fmt.Errorf("%s: want the value kept as %s", at, name)
			}
			return nil
		}
	}
	switch w := want.(type) {
	case map[string]any:
		return s.compareObjects(at, w, got, keep)
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Errorf("%s: want %s, got %s", at, encode(want), encode(got))
		}
		for i := range w {
			if err := s.compare(fmt.Sprintf("%s/%d", at, i), w[i], g[i], keep); err != nil {
				return err
			}
		}
		return nil
	}
	if want != got {
		return fmt.Errorf("%s: want %s, got %s", at, encode(want), encode(got))
	}
	return nil
}

func (s Saved) compareObjects(at string, want map[string]any, got any, keep Saved) error {
	g, ok := got.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: want an object, got %s", at, encode(got))
	}
	open := want["..."] == true
	for k := range g {
		if _, ok := want[k]; !ok && !open {
			return fmt.Errorf("%s: unexpected member %q", at, k)
		}
	}
	for k, w := range want {
		if k == "..." {
			continue
		}
		v, ok := g[k]
		if !ok {
			return fmt.Errorf("%s: member %q is missing", at, k)
		}
		if err := s.compare(at+"/"+k, w, v, keep); err != nil {
			return err
		}
	}
	return nil
}

func encode(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true), json.WithMarshalers(
		json.MarshalFunc(func(n number) ([]byte, error) { return []byte(n), nil })))
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(bytes.TrimSpace(b))
}
