package config

import (
	"fmt"
	"strconv"
	"strings"
)

// Problem is one wrong setting.
type Problem struct {
	Where   string // "--timeout", "PHOCINAE_MCP_TIMEOUT" or "/etc/gate.json: timeout"
	Found   string // what is wrong, with the value where that is no secret
	Allowed string // what would be right; may be empty
}

func (p Problem) String() string {
	s := p.Where + ": " + p.Found
	if p.Allowed != "" {
		s += "; allowed: " + p.Allowed
	}
	return s
}

// Problems is every problem found in one attempt to start; never empty when returned as an error.
type Problems struct {
	List []Problem
	Bind bool // a refused listen address is among them: the program's exit status is 2 then, else 3
}

func (p *Problems) Error() string {
	parts := make([]string, len(p.List))
	for i, problem := range p.List {
		parts[i] = problem.String()
	}
	return strings.Join(parts, " | ")
}

// ExitCode is 2 for a refused listen address and 3 for everything else.
func (p *Problems) ExitCode() int {
	if p.Bind {
		return 2
	}
	return 3
}

func (p *Problems) add(where, allowed, format string, args ...any) {
	p.List = append(p.List, Problem{Where: where, Found: fmt.Sprintf(format, args...), Allowed: allowed})
}

// quoted shows a value of a setting in a message: escaped and cut, so that one record stays one short line.
func quoted(s string) string {
	const most = 120
	if len(s) > most {
		return strconv.QuoteToGraphic(strings.ToValidUTF8(s[:most], "")) + "… (cut)"
	}
	return strconv.QuoteToGraphic(s)
}
