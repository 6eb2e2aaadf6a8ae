package gatecore

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// WithoutComments returns the command without its shell comments, for the question to the
// model: free text must not be able to argue. Text that does not parse, or is over the limits, is returned as it is.
func (e *Engine) WithoutComments(command string) (out string) {
	if !strings.Contains(command, "#") || len(command) > 4*maxCodePoints || openers(command) > maxOpeners {
		return command
	}
	defer func() {
		if recover() != nil {
			out = command
		}
	}()
	f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(command), "")
	if err != nil {
		return command
	}
	var spans [][2]int
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			spans = append(spans, [2]int{int(c.Pos().Offset()), int(c.End().Offset())})
		}
		return true
	})
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var sb strings.Builder
	at := 0
	for _, s := range spans {
		if s[0] < at || s[1] > len(command) || s[1] < s[0] {
			continue
		}
		sb.WriteString(strings.TrimRight(command[at:s[0]], " \t"))
		at = s[1]
	}
	sb.WriteString(command[at:])
	return strings.Trim(sb.String(), "\n")
}
