package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// spelled turns the two words that people try first into the flags that do it: "version", and "help" or "help COMMAND".
func spelled(args []string) []string {
	switch {
	case len(args) == 1 && args[0] == "version":
		return []string{"--version"}
	case len(args) > 0 && args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

// parseProblem says what is wrong with a command line, what would be right, and where to look further.
func (p *Process) parseProblem(e *kong.ParseError) string {
	text := oneLine(e.Error())
	help := "phocinae-mcp --help"
	var names []string
	if e.Context != nil {
		for _, step := range e.Context.Path {
			if step.Command != nil {
				names = append(names, step.Command.Name)
			}
		}
	}
	typed := len(names) > 0 && slices.Contains(p.Args, names[0]) // else it is the default command
	if typed {
		help = "phocinae-mcp " + strings.Join(names, " ") + " --help"
	}
	switch missing, expected := strings.CutPrefix(text, `expected "<`); {
	case expected:
		text = "the " + strings.ToUpper(strings.TrimSuffix(missing, `>"`)) + " is missing"
		if names[len(names)-1] == "gate" || names[len(names)-1] == "explain" {
			text += ", the command to be judged, in quotes as one word (or - to read it from standard input)"
		}
	case typed && (names[0] == "gate" || names[0] == "explain") && p.bare(names[0]):
		text = fmt.Sprintf("the command to be judged must be one word: put it in quotes, as in phocinae-mcp %s 'git status'", names[0])
	case strings.HasPrefix(text, "unexpected argument") && !typed && e.Context != nil:
		return unknownCommand(p.Args, e.Context.Model.Node)
	default:
		text = strings.ReplaceAll(text, `expected string value but got "EOL" (<EOL>)`, "the value is missing")
	}
	return text + "; " + help + " lists what is allowed"
}

// bare reports a command to be judged that was typed without quotes: something follows its first word.
func (p *Process) bare(name string) bool {
	rest := p.Args[slices.Index(p.Args, name)+1:]
	return len(rest) > 1 && rest[0] != "" && rest[0][0] != '-'
}

// unknownCommand names the commands, and the one that was probably meant.
func unknownCommand(args []string, root *kong.Node) string {
	word := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			word = a
			break
		}
	}
	var names []string
	meant := ""
	for _, child := range root.Children {
		names = append(names, child.Name)
		if meant == "" && distance(word, child.Name) <= 2 {
			meant = ", did you mean " + child.Name + "?"
		}
	}
	return fmt.Sprintf("%q is no command%s; allowed: %s", word, meant, strings.Join(names, ", "))
}

// distance is the number of letters to insert, remove or replace that lie between two short words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}

// reason is what the system says of a file, without the operation and the path: the message names the file that was meant,
// which a temporary one beside it is not.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// outputFault reports an error of writing to standard output, and what the system says. It is no fault of the usage.
func outputFault(err error, out *os.File) (string, bool) {
	e, ok := errors.AsType[*fs.PathError](err)
	if !ok || out == nil || e.Op != "write" || e.Path != out.Name() {
		return "", false
	}
	return "standard output: " + e.Err.Error(), true
}
