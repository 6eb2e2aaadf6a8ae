package host

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// yamlLine is one line of a block mapping.
type yamlLine struct {
	start, end int // bytes, end after the line end
	indent     int
	key        string // of "key:" at this indent; "" otherwise
	value      string // after the colon, comment removed
	blank      bool   // empty or only a comment
}

// yamlLines reads a file as lines of block mappings. It takes the part of YAML that settings files use and refuses the rest: tabs as
// indentation, several documents, quoted or flow values over several lines, keys that are not plain.
func yamlLines(data []byte) ([]yamlLine, error) {
	switch {
	case len(data) > maxFile:
		return nil, fmt.Errorf("larger than %d bytes", maxFile)
	case !utf8.Valid(data):
		return nil, errors.New("not valid UTF-8")
	}
	var lines []yamlLine
	pos := 0
	if bytes.HasPrefix(data, bom) {
		pos = len(bom)
	}
	block := -1 // indent of the key whose block scalar is being skipped
	for number := 1; pos < len(data); number++ {
		end := len(data)
		if n := bytes.IndexByte(data[pos:], '\n'); n >= 0 {
			end = pos + n + 1
		}
		l, err := yamlRead(strings.TrimRight(string(data[pos:end]), "\r\n"), block)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		l.start, l.end = pos, end
		if !l.blank && l.indent <= block {
			block = -1
		}
		if block < 0 && blockScalar(l.value) {
			block = l.indent
		}
		lines = append(lines, l)
		pos = end
	}
	return lines, yamlShape(lines)
}

func yamlRead(text string, block int) (yamlLine, error) {
	body := strings.TrimLeft(text, " ")
	l := yamlLine{indent: len(text) - len(body)}
	if body == "" || block < 0 && body[0] == '#' {
		l.blank = true
		return l, nil
	}
	if block >= 0 && l.indent > block {
		return l, nil // text of a block scalar
	}
	if body[0] == '#' {
		l.blank = true
		return l, nil
	}
	if body[0] == '\t' {
		return l, errors.New("a tab as indentation")
	}
	rest := body
	for strings.HasPrefix(rest, "- ") {
		rest = strings.TrimLeft(rest[2:], " ")
	}
	key, value, isKey := yamlKey(rest)
	if isKey && rest == body {
		l.key = key
	}
	if !isKey {
		value = rest
	}
	l.value = stripComment(value)
	return l, balanced(l.value)
}

// yamlKey splits "key: value" with a plain or quoted key.
func yamlKey(s string) (key, value string, ok bool) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return "", "", false
		}
		key, s = s[1:1+end], s[end+2:]
		if s != ":" && !strings.HasPrefix(s, ": ") {
			return "", "", false
		}
		return key, strings.TrimSpace(s[1:]), true
	}
	i := strings.Index(s+" ", ": ")
	if i <= 0 || strings.ContainsAny(s[:1], "[]{}&*!|>%@`,?#") {
		return "", "", false
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[min(i+1, len(s)):]), true
}

func stripComment(s string) string {
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote && (quote == '\'' || s[i-1] != '\\') {
				quote = 0
			}
		case i == 0 && (c == '"' || c == '\''):
			quote = c
		case c == '#' && (i == 0 || s[i-1] == ' '):
			return strings.TrimSpace(s[:i])
		}
	}
	return strings.TrimSpace(s)
}

func blockScalar(value string) bool {
	return value != "" && (value[0] == '|' || value[0] == '>')
}

// balanced refuses quoted and flow values that do not end on their line.
func balanced(value string) error {
	if value == "" {
		return nil
	}
	switch value[0] {
	case '"', '\'':
		q := value[0]
		for i := 1; i < len(value); i++ {
			switch {
			case q == '"' && value[i] == '\\':
				i++
			case q == '\'' && value[i] == q && i+1 < len(value) && value[i+1] == q:
				i++
			case value[i] == q:
				if strings.TrimSpace(value[i+1:]) != "" {
					return errors.New("text after a quoted value")
				}
				return nil
			}
		}
		return errors.New("a quoted value over several lines")
	case '[', '{':
		return balancedFlow(value)
	}
	return nil
}

func balancedFlow(value string) error {
	var open []byte
	quote := byte(0)
	for i := range len(value) {
		c := value[i]
		switch {
		case quote != 0:
			if c == quote && (quote == '\'' || value[i-1] != '\\') {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			open = append(open, c+2) // the closing one comes two later in ASCII
		case c == ']' || c == '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return errors.New("brackets do not match")
			}
			open = open[:len(open)-1]
			if len(open) == 0 && strings.TrimSpace(value[i+1:]) != "" {
				return errors.New("text after a closing bracket")
			}
		}
	}
	if len(open) > 0 || quote != 0 {
		return errors.New("a flow value over several lines")
	}
	return nil
}

// yamlShape refuses top levels that are not one block mapping, and keys that appear twice in it.
func yamlShape(lines []yamlLine) error {
	seen := map[string]bool{}
	began := false
	for i, l := range lines {
		if l.blank || l.indent > 0 {
			if !l.blank && !began {
				return fmt.Errorf("line %d: indented before the first key", i+1)
			}
			continue
		}
		switch {
		case l.value == "---" && l.key == "" && !began:
			continue
		case l.key == "" && began && l.value != "---" && l.value != "..." && listItem(lines, i):
			continue
		case l.key == "":
			return fmt.Errorf("line %d: the top level is not one mapping of keys", i+1)
		case seen[l.key]:
			return fmt.Errorf("line %d: the key %q appears twice", i+1, l.key)
		}
		seen[l.key], began = true, true
	}
	return nil
}

// listItem reports a list element at the left margin, which belongs to the key before it.
func listItem(lines []yamlLine, i int) bool {
	for j := i - 1; j >= 0; j-- {
		if lines[j].blank || lines[j].indent > 0 {
			continue
		}
		return lines[j].key == "" || lines[j].value == ""
	}
	return false
}

const yamlParent = "extensions"

// installYAML adds or updates extensions.phocinae.
func installYAML(data []byte, o *Options) ([]byte, error) {
	lines, err := yamlLines(data)
	if err != nil {
		return nil, err
	}
	nl := "\n"
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		nl = "\r\n"
	}
	parent, last, indent := yamlBlock(lines)
	if parent < 0 {
		sep := ""
		if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) && !bytes.Equal(data, bom) {
			sep = nl
		}
		return append(bytes.Clone(data), sep+yamlParent+":"+nl+yamlEntry(o, 2, nl)...), nil
	}
	if v := lines[parent].value; v != "" && v != "{}" {
		return nil, fmt.Errorf("%s is not a block of entries but %q", yamlParent, v)
	}
	if err := entriesOnly(lines, parent, last, indent); err != nil {
		return nil, err
	}
	if first, end := yamlChild(lines, parent, last, indent); first >= 0 {
		return updateYAML(data, lines[first:end], o)
	}
	end := lines[last].end
	text := yamlEntry(o, indent, nl)
	if !bytes.HasSuffix(data[:end], []byte("\n")) {
		text = nl + strings.TrimSuffix(text, nl)
	}
	splices := []splice{{end, end, text}}
	if lines[parent].value == "{}" {
		from := lines[parent].start + len(yamlParent) + 1
		if !bytes.HasPrefix(data[lines[parent].start:], []byte(yamlParent+":")) {
			return nil, fmt.Errorf("%s is written in a way that cannot be extended", yamlParent)
		}
		at := from + bytes.Index(data[from:], []byte("{}"))
		splices = append([]splice{{from, at + 2, ""}}, splices...)
	}
	return apply(data, splices...), nil
}

// entriesOnly refuses a block that is not a mapping: a line at or left of the entries' indent that holds no key.
func entriesOnly(lines []yamlLine, parent, last, indent int) error {
	for i := parent + 1; i <= last; i++ {
		if l := lines[i]; !l.blank && (l.indent < indent || l.indent == indent && l.key == "") {
			return fmt.Errorf("line %d: %s is not a block of entries", i+1, yamlParent)
		}
	}
	return nil
}

// yamlBlock returns the line of our parent key, the last line of its block and the indent of its entries; -1 if there is no such key.
func yamlBlock(lines []yamlLine) (parent, last, indent int) {
	parent, indent = -1, 2
	for i, l := range lines {
		switch {
		case parent < 0 && l.indent == 0 && l.key == yamlParent:
			parent, last = i, i
		case parent < 0 || l.blank:
		case l.indent == 0:
			return parent, last, indent
		default:
			if last == parent {
				indent = l.indent
			}
			last = i
		}
	}
	return parent, last, indent
}

// yamlChild returns the lines of our entry: lines[first:end], -1 if there is none. Comments and blank lines at its end do not belong to it.
func yamlChild(lines []yamlLine, parent, last, indent int) (first, end int) {
	first = -1
	for i := parent + 1; i <= last; i++ {
		l := lines[i]
		switch {
		case first < 0 && l.indent == indent && l.key == Name:
			first, end = i, i+1
		case first < 0 || l.blank:
		case l.indent <= indent:
			return first, end
		default:
			end = i + 1
		}
	}
	return first, end
}

func updateYAML(data []byte, entry []yamlLine, o *Options) ([]byte, error) {
	for _, l := range entry {
		if l.key != "cmd" {
			continue
		}
		have := unquoteYAML(l.value)
		switch {
		case have == o.Exe:
			return data, nil
		case !startsUs(have):
			return nil, fmt.Errorf("%s.%s is already there and starts something else (%s); rename or remove it first", yamlParent, Name, l.value)
		}
		at := l.start + bytes.LastIndex(data[l.start:l.end], []byte(l.value))
		return apply(data, splice{at, at + len(l.value), quoteYAML(o.Exe)}), nil
	}
	return nil, fmt.Errorf("%s.%s is already there without a cmd; remove it first", yamlParent, Name)
}

// uninstallYAML removes extensions.phocinae, and extensions if nothing is left in it.
func uninstallYAML(data []byte) ([]byte, error) {
	lines, err := yamlLines(data)
	if err != nil {
		return nil, err
	}
	parent, last, indent := yamlBlock(lines)
	if parent < 0 {
		return data, nil
	}
	first, end := yamlChild(lines, parent, last, indent)
	if first < 0 {
		return data, nil
	}
	mine := false
	for _, l := range lines[first:end] {
		mine = mine || l.key == "cmd" && startsUs(unquoteYAML(l.value))
	}
	if !mine {
		return data, nil
	}
	from := lines[first].start
	if first == parent+1 && end == last+1 && lines[parent].value == "" {
		from = lines[parent].start
	}
	return apply(data, splice{from, lines[end-1].end, ""}), nil
}

func yamlEntry(o *Options, indent int, nl string) string {
	pad := strings.Repeat(" ", indent)
	in := pad + "  "
	return pad + Name + ":" + nl +
		in + "enabled: true" + nl +
		in + "type: stdio" + nl +
		in + "name: " + Name + nl +
		in + "cmd: " + quoteYAML(o.Exe) + nl +
		in + "args: []" + nl +
		in + "envs: {}" + nl +
		in + "timeout: 300" + nl
}

func quoteYAML(s string) string {
	if ordinary(s) && !strings.ContainsAny(s, `:@\`) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func unquoteYAML(s string) string {
	if len(s) >= 2 && s[0] == s[len(s)-1] {
		switch s[0] {
		case '\'':
			return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
		case '"':
			return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(s[1 : len(s)-1])
		}
	}
	return s
}
