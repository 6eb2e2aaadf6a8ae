package mcpserver

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// matcher is a parsed URI template: literals and expressions in turn.
type matcher struct {
	literals []string // one more than names
	names    []string
	wide     []bool // {+name}: may hold slashes
}

func parseTemplate(t string) (*matcher, error) {
	m := &matcher{}
	rest := t
	for {
		lit, after, found := strings.Cut(rest, "{")
		if strings.Contains(lit, "}") {
			return nil, errors.New("unbalanced braces")
		}
		m.literals = append(m.literals, lit)
		if !found {
			break
		}
		expr, tail, closed := strings.Cut(after, "}")
		name, wide := strings.CutPrefix(expr, "+")
		if !closed || !isVarName(name) {
			return nil, fmt.Errorf("expression {%s} is not supported", expr)
		}
		if len(m.names) > 0 && lit == "" {
			return nil, errors.New("two expressions side by side")
		}
		m.names, m.wide, rest = append(m.names, name), append(m.wide, wide), tail
	}
	if len(m.names) == 0 {
		return nil, errors.New("no expression")
	}
	if !mcpproto.IsURI(strings.Join(m.literals, "x")) {
		return nil, errors.New("what it expands to is not a URI")
	}
	return m, nil
}

func isVarName(s string) bool {
	for _, c := range s {
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return s != ""
}

// values returns the decoded value of each expression if uri fits. Expressions take as little as they can.
func (m *matcher) values(uri string) (map[string]string, bool) {
	rest, ok := strings.CutPrefix(uri, m.literals[0])
	if !ok || !mcpproto.IsURI(uri) {
		return nil, false
	}
	vars := make(map[string]string, len(m.names))
	for i, name := range m.names {
		lit := m.literals[i+1]
		end := len(rest)
		if lit != "" {
			if i == len(m.names)-1 {
				end = strings.LastIndex(rest, lit)
				if end < 0 || end+len(lit) != len(rest) {
					return nil, false
				}
			} else if end = strings.Index(rest, lit); end < 0 {
				return nil, false
			}
		}
		raw := rest[:end]
		v, err := url.PathUnescape(raw)
		if raw == "" || err != nil || !m.wide[i] && strings.Contains(raw, "/") {
			return nil, false
		}
		vars[name], rest = v, rest[min(end+len(lit), len(rest)):]
	}
	return vars, rest == ""
}
