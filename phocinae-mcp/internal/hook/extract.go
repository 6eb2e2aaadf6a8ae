package hook

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// extractor collects the commands of one tool call.
type extractor struct {
	base     Command // dialect, directory and the rest that every command of the call shares
	commands []Command
	shell    bool // one of the host's shell tools
	loose    bool // the tool's name speaks of a shell: loose field names count too
	typed    bool
	named    Dialect // of the shell the input asks for
}

// extract finds what a call of tool with input in would run. No commands and no error means that it runs nothing. plain reports that it is a shell tool of the
// host called with nothing but fields known to be harmless.
func (ts toolset) extract(tool string, in object, dir string) (commands []Command, plain bool, err error) {
	if ts.quiet[tool] || ownMCPTool(tool) {
		return nil, false, nil
	}
	x := extractor{base: Command{Dir: dir}}
	dialect, shell := ts.shell[tool]
	typing, typed := ts.typing[tool]
	x.shell, x.typed = shell, typed || !shell && typingName(tool)
	x.loose = x.typed || !shell && shellName(tool)
	x.base.Dialect = dialect
	if typed {
		x.base.Dialect = typing
	} else if !shell {
		x.base.Dialect = namedDialect(tool)
	}
	if err := x.walk(in, 0); err != nil {
		return nil, false, fmt.Errorf("hook: tool %q: %w", clip(tool), err)
	}
	if len(x.commands) == 0 && !x.idle(tool, in) {
		return nil, false, fmt.Errorf("hook: tool %q looks like a shell, and no command can be read from its input", clip(tool))
	}
	return x.commands, shell && harmless(in), nil
}

// idle reports that a call without any command found really runs nothing.
func (x *extractor) idle(tool string, in object) bool {
	switch {
	case x.shell:
		return false
	case x.typed:
		return !holdsText(in, typedKey) // waiting for output is often writing nothing
	case x.loose:
		return passiveName(tool) || !holdsText(in, func(string) bool { return true })
	}
	return true
}

func typedKey(folded string) bool { return looseKeys[folded] || commandKeys[folded] }

// holdsText reports a string that is not empty anywhere below a member whose name matches.
func holdsText(v any, match func(folded string) bool) bool {
	switch v := v.(type) {
	case object:
		for name, m := range v {
			if match(foldKey(name)) && anyText(m) || holdsText(m, match) {
				return true
			}
		}
	case []any:
		for _, m := range v {
			if holdsText(m, match) {
				return true
			}
		}
	}
	return false
}

func anyText(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case []any:
		return slices.ContainsFunc(v, anyText)
	case object:
		for _, m := range v {
			if anyText(m) {
				return true
			}
		}
	}
	return false
}

func harmless(in object) bool {
	for name := range in {
		if !harmlessKeys[foldKey(name)] {
			return false
		}
	}
	return true
}

// walk judges one object's members, in the order of their names so that the same event gives the same answer.
func (x *extractor) walk(in object, depth int) error {
	if depth > maxDepth {
		return errors.New("its input is nested too deeply")
	}
	dir, err := workdir(in, x.base.Dir)
	if err != nil {
		return err
	}
	outer, named := x.base, x.named
	x.base.Dir = dir
	x.surroundings(in)
	defer func() { x.base, x.named = outer, named }()

	words, err := argWords(in)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if err := x.member(in, name, words, depth); err != nil {
			return err
		}
	}
	return nil
}

func (x *extractor) member(in object, name string, words []string, depth int) error {
	v, key := in[name], foldKey(name)
	if v == nil {
		return nil
	}
	if s, ok := v.(string); ok && wrapKeys[key] && strings.HasPrefix(strings.TrimSpace(s), "{") {
		inner, err := decodeObject([]byte(s))
		if err == nil {
			return x.walk(inner, depth+1)
		}
		if x.shell {
			return fmt.Errorf("its %s cannot be read", clip(name))
		}
	}
	switch {
	case programKeys[key] && (words != nil || x.shell || x.loose):
		if s, ok := v.(string); ok && s != "" {
			return x.argv(append([]string{s}, words...))
		}
		return nil
	case argKeys[key] && words != nil && headOf(in):
		return nil // judged with the command they belong to
	case commandKeys[key] || x.loose && looseKeys[key]:
		return x.command(name, v, words, depth)
	}
	return x.nested(v, depth)
}

// command reads one command-like member.
func (x *extractor) command(name string, v any, words []string, depth int) error {
	key := foldKey(name)
	switch v := v.(type) {
	case string:
		return x.line(v, words)
	case object:
		return x.walk(v, depth+1)
	case []any:
		if x.typed {
			return x.keys(v)
		}
		if list, ok := stringList(v); ok && !listKeys[key] {
			if argKeys[key] || len(words) == 0 {
				return x.argv(list)
			}
			return x.argv(append(slices.Clone(list), words...))
		}
		return x.list(name, v, depth)
	}
	if x.shell {
		return fmt.Errorf("its %s is %s, want a string or an array of strings", clip(name), kind(v))
	}
	if _, flag := v.(bool); flag {
		return nil
	}
	return fmt.Errorf("its %s is %s and cannot be judged", clip(name), kind(v))
}

// list reads an array that holds several commands: lines, argv arrays or objects.
func (x *extractor) list(name string, list []any, depth int) error {
	for _, v := range list {
		var err error
		switch v := v.(type) {
		case string:
			err = x.line(v, nil)
		case object:
			err = x.walk(v, depth+1)
		case []any:
			words, ok := stringList(v)
			if !ok {
				return fmt.Errorf("its %s holds something that is no command", clip(name))
			}
			err = x.argv(words)
		default:
			err = fmt.Errorf("its %s holds %s, want strings", clip(name), kind(v))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nested looks for commands further down.
func (x *extractor) nested(v any, depth int) error {
	switch v := v.(type) {
	case object:
		return x.walk(v, depth+1)
	case []any:
		if depth > maxDepth {
			return errors.New("its input is nested too deeply")
		}
		for _, m := range v {
			if err := x.nested(m, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// line adds shell text. Words given beside it are judged in both ways hosts use them: each as one word, and joined with blanks.
func (x *extractor) line(text string, words []string) error {
	if x.typed {
		return x.typing(text)
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if len(words) == 0 {
		return x.add(Command{Text: text})
	}
	quoted, joined := quoteWords(words), strings.Join(words, " ")
	if err := x.add(Command{Text: text + " " + quoted}); err != nil || quoted == joined {
		return err
	}
	return x.add(Command{Text: text + " " + joined})
}

func (x *extractor) argv(words []string) error {
	if len(words) == 0 || strings.TrimSpace(words[0]) == "" {
		return errors.New("its argument list names no program")
	}
	// The words are quoted for a POSIX shell, whatever program they start.
	return x.add(Command{Text: quoteWords(words), Argv: words, Dialect: DialectBash})
}

const (
	unsurePartial = "text without a line end is typed into a running terminal: what it becomes part of cannot be seen"
	unsureKeys    = "keys that are not text are typed into a running terminal: what they do cannot be seen"
)

// namedKey is how hosts write keys in typed text, such as {enter} or {up}.
var namedKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\{[a-z]+[a-z0-9+-]*\}|<[a-z]+(-[a-z0-9]+)?>`)
})

// enterKey is the one named key that can be judged: it ends the line.
var enterKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\{(enter|return|cr|lf)\}`) })

// typing adds text that goes to a running terminal. Only whole lines of plain text can be allowed.
func (x *extractor) typing(text string) error {
	if text == "" {
		return nil
	}
	c := Command{Typed: true}
	if namedKey().MatchString(text) {
		c.Unsure = unsureKeys
		text = enterKey().ReplaceAllString(text, "\n")
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if !strings.HasSuffix(text, "\n") && c.Unsure == "" {
		c.Unsure = unsurePartial
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && invisible(r) }) {
		c.Unsure = unsureKeys
	}
	if strings.TrimSpace(text) == "" {
		c.Unsure = unsureKeys // a bare Enter confirms whatever the terminal asks
	}
	c.Text = text
	return x.add(c)
}

// keys adds an array of keystrokes, as terminal multiplexers take them.
func (x *extractor) keys(list []any) error {
	words, ok := stringList(list)
	if !ok {
		return errors.New("its keys cannot be read")
	}
	if strings.Join(words, "") == "" {
		return nil
	}
	var b strings.Builder
	for _, w := range words {
		switch strings.ToLower(w) {
		case "enter", "return", "c-m", "kpenter":
			b.WriteString("\n")
		case "space":
			b.WriteString(" ")
		default:
			b.WriteString(w)
		}
	}
	return x.add(Command{Text: b.String(), Typed: true, Unsure: unsureKeys})
}

func (x *extractor) add(c Command) error {
	if len(x.commands) >= maxCommands {
		return fmt.Errorf("it holds more than %d commands", maxCommands)
	}
	c.Dir = x.base.Dir
	if c.Unsure == "" {
		c.Unsure = x.base.Unsure
	}
	if c.Dialect == DialectAuto {
		c.Dialect = x.base.Dialect
	}
	x.commands = append(x.commands, c)
	if x.named != DialectAuto && x.named != c.Dialect && c.Argv == nil {
		// A tool may ignore the shell it is asked for: both readings count.
		c.Dialect = x.named
		x.commands = append(x.commands, c)
	}
	return nil
}

const (
	unsureEnv   = "environment variables are set for the command: what they change cannot be seen"
	unsureShell = "the command is read by a shell that is not known"
	unsureArgs  = "the command comes with arguments in a form that cannot be read"
)

// surroundings looks at what stands beside the commands of in and changes how they are read.
func (x *extractor) surroundings(in object) {
	head := headOf(in)
	for _, name := range slices.Sorted(maps.Keys(in)) {
		key := foldKey(name)
		switch v := in[name].(type) {
		case object:
			switch {
			case envKeys[key] && len(v) > 0:
				x.base.Unsure = unsureEnv
			case argKeys[key] && head && len(v) > 0:
				x.base.Unsure = unsureArgs
			}
		case []any:
			if envKeys[key] && len(v) > 0 {
				x.base.Unsure = unsureEnv
			}
		case string:
			if !interpreterKeys[key] {
				continue
			}
			if d, known := interpreter(v); !known {
				x.base.Unsure = unsureShell
			} else if d != DialectAuto {
				x.named = d
			}
		}
	}
}

// workdir returns the directory in which the commands of in start.
func workdir(in object, base string) (string, error) {
	dir := base
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if !dirKeys[foldKey(name)] {
			continue
		}
		switch v := in[name].(type) {
		case nil:
		case string:
			dir = joinDir(base, v)
		default:
			return "", fmt.Errorf("its %s is %s, want a string", clip(name), kind(v))
		}
	}
	return dir, nil
}

// argWords returns the words that stand beside a command or program in in, nil if there are none.
func argWords(in object) ([]string, error) {
	if !headOf(in) {
		return nil, nil
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if !argKeys[foldKey(name)] {
			continue
		}
		switch v := in[name].(type) {
		case []any:
			list, ok := stringList(v)
			if !ok {
				return nil, fmt.Errorf("its %s holds something that is no string", clip(name))
			}
			words = append(append([]string{}, words...), list...) // not nil, even if empty: the program runs without any
		case string:
			if v != "" {
				words = append(words, v)
			}
		}
	}
	return words, nil
}

// headOf reports that in names a command or program to which words can belong.
func headOf(in object) bool {
	for name, v := range in {
		key := foldKey(name)
		if v != nil && (programKeys[key] || commandKeys[key] && !argKeys[key] && !listKeys[key]) {
			return true
		}
	}
	return false
}

func stringList(list []any) ([]string, bool) {
	words := make([]string, 0, len(list))
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil, false
		}
		words = append(words, s)
	}
	return words, true
}

// namedDialect reads a dialect out of a tool's name.
func namedDialect(tool string) Dialect {
	words := nameWords(tool)
	if words["powershell"] || words["pwsh"] {
		return DialectPowerShell
	}
	return DialectAuto
}
