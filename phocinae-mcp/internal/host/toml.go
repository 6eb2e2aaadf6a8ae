package host

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// tomlLine is one logical line: a table header, a key with its value (which may span lines), or blank.
type tomlLine struct {
	start, end int      // bytes, end after the line end
	table      []string // of a header
	array      bool     // the header is [[…]]
	key        []string // of a key with a value
	value      string   // raw
	comment    bool     // nothing but a comment
}

// tomlLines reads a file as far as its structure goes: it tells headers, keys and the ends of values apart and refuses what is not TOML at
// that level. It does not check the insides of numbers and dates.
func tomlLines(data []byte) ([]tomlLine, error) {
	switch {
	case len(data) > maxFile:
		return nil, fmt.Errorf("larger than %d bytes", maxFile)
	case !utf8.Valid(data):
		return nil, errors.New("not valid UTF-8")
	}
	t := &tomlScanner{data: data}
	if bytes.HasPrefix(data, bom) {
		t.pos = len(bom)
	}
	var lines []tomlLine
	for t.pos < len(data) {
		l, err := t.line()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(t.pos, len(data))], []byte("\n")), err)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

type tomlScanner struct {
	data []byte
	pos  int
}

func (t *tomlScanner) peek() byte {
	if t.pos < len(t.data) {
		return t.data[t.pos]
	}
	return '\n' // the end of the file ends a line
}

func (t *tomlScanner) blanks() {
	for t.pos < len(t.data) && (t.data[t.pos] == ' ' || t.data[t.pos] == '\t') {
		t.pos++
	}
}

func (t *tomlScanner) line() (tomlLine, error) {
	l := tomlLine{start: t.pos}
	t.blanks()
	var err error
	switch c := t.peek(); {
	case c == '[':
		err = t.header(&l)
	case c == '#':
		l.comment = true
	case c != '\n' && c != '\r':
		err = t.pair(&l)
	}
	if err == nil {
		err = t.lineEnd()
	}
	l.end = t.pos
	return l, err
}

func (t *tomlScanner) lineEnd() error {
	t.blanks()
	if t.peek() == '#' {
		n := bytes.IndexByte(t.data[t.pos:], '\n')
		if n < 0 {
			n = len(t.data) - t.pos
		}
		t.pos += n
	}
	if t.peek() == '\r' && t.pos+1 < len(t.data) && t.data[t.pos+1] == '\n' {
		t.pos++
	}
	switch {
	case t.pos >= len(t.data):
		return nil
	case t.data[t.pos] == '\n':
		t.pos++
		return nil
	}
	return fmt.Errorf("unexpected %q", firstRune(t.data[t.pos:]))
}

func (t *tomlScanner) header(l *tomlLine) error {
	t.pos++
	if t.peek() == '[' {
		l.array = true
		t.pos++
	}
	var err error
	if l.table, err = t.keyPath(); err != nil {
		return err
	}
	closing := "]"
	if l.array {
		closing = "]]"
	}
	if !bytes.HasPrefix(t.data[t.pos:], []byte(closing)) {
		return errors.New("table header without an end")
	}
	t.pos += len(closing)
	return nil
}

func (t *tomlScanner) pair(l *tomlLine) error {
	var err error
	if l.key, err = t.keyPath(); err != nil {
		return err
	}
	if t.peek() != '=' {
		return errors.New("a key without a value")
	}
	t.pos++
	t.blanks()
	start := t.pos
	err = t.value(0)
	l.value = string(t.data[start:t.pos])
	return err
}

// keyPath reads a dotted key and the blanks around it.
func (t *tomlScanner) keyPath() ([]string, error) {
	var path []string
	for {
		t.blanks()
		part, err := t.keyPart()
		if err != nil {
			return nil, err
		}
		path = append(path, part)
		t.blanks()
		if t.peek() != '.' {
			return path, nil
		}
		t.pos++
	}
}

func (t *tomlScanner) keyPart() (string, error) {
	start := t.pos
	if c := t.peek(); c == '"' || c == '\'' {
		if err := t.quoted(false); err != nil {
			return "", err
		}
		raw := string(t.data[start+1 : t.pos-1])
		if c == '"' && strings.Contains(raw, `\`) {
			return raw, nil // an escaped key is never ours
		}
		return raw, nil
	}
	for t.pos < len(t.data) && bareKey(t.data[t.pos]) {
		t.pos++
	}
	if t.pos == start {
		return "", errors.New("a key is missing")
	}
	return string(t.data[start:t.pos]), nil
}

func bareKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// quoted moves past a string that starts here; multi allows the triple forms.
func (t *tomlScanner) quoted(multi bool) error {
	q := t.data[t.pos]
	triple := []byte{q, q, q}
	if multi && bytes.HasPrefix(t.data[t.pos:], triple) {
		for i := t.pos + 3; i < len(t.data); i++ {
			if q == '"' && t.data[i] == '\\' {
				i++
				continue
			}
			if bytes.HasPrefix(t.data[i:], triple) {
				end := i + 3
				for n := 0; n < 2 && end < len(t.data) && t.data[end] == q; n++ {
					end++ // up to two quotes may stand before the closing three
				}
				t.pos = end
				return nil
			}
		}
		return errors.New("string without an end")
	}
	for i := t.pos + 1; i < len(t.data) && t.data[i] != '\n'; i++ {
		switch {
		case q == '"' && t.data[i] == '\\':
			i++
		case t.data[i] == q:
			t.pos = i + 1
			return nil
		}
	}
	return errors.New("string without an end")
}

func (t *tomlScanner) value(depth int) error {
	if depth > maxJSONDepth {
		return errors.New("nested too deeply")
	}
	switch t.peek() {
	case '"', '\'':
		return t.quoted(true)
	case '[':
		return t.group(']', false, depth)
	case '{':
		return t.group('}', true, depth)
	}
	start := t.pos
	for t.pos < len(t.data) && (bareKey(t.data[t.pos]) || strings.IndexByte("+.:", t.data[t.pos]) >= 0) {
		t.pos++
	}
	// A date and a time may be joined with a blank.
	if t.pos-start == 10 && t.peek() == ' ' && t.pos+1 < len(t.data) && t.data[t.pos+1] >= '0' && t.data[t.pos+1] <= '9' {
		t.pos++
		for t.pos < len(t.data) && (bareKey(t.data[t.pos]) || strings.IndexByte("+.:", t.data[t.pos]) >= 0) {
			t.pos++
		}
	}
	return bareValue(string(t.data[start:t.pos]))
}

// bareValue refuses words that are no TOML value; numbers and dates all start with a digit, a sign, or are inf or nan.
func bareValue(s string) error {
	switch s {
	case "true", "false":
		return nil
	case "":
		return errors.New("a value is missing")
	}
	body := strings.TrimLeft(s, "+-")
	if body == "inf" || body == "nan" || body != "" && body[0] >= '0' && body[0] <= '9' {
		return nil
	}
	return fmt.Errorf("%q is no value", s)
}

// group moves past an array or inline table.
func (t *tomlScanner) group(closing byte, keys bool, depth int) error {
	t.pos++
	comma := true
	for {
		t.gap()
		switch {
		case t.pos >= len(t.data):
			return errors.New("array or inline table without an end")
		case t.data[t.pos] == closing:
			t.pos++
			return nil
		case !comma:
			return errors.New("a comma is missing")
		}
		if keys {
			if _, err := t.keyPath(); err != nil {
				return err
			}
			if t.peek() != '=' {
				return errors.New("a key without a value")
			}
			t.pos++
			t.blanks()
		}
		if err := t.value(depth + 1); err != nil {
			return err
		}
		t.gap()
		if comma = t.peek() == ','; comma {
			t.pos++
		}
	}
}

// gap moves past white space and comments inside an array.
func (t *tomlScanner) gap() {
	for t.pos < len(t.data) {
		switch t.data[t.pos] {
		case ' ', '\t', '\n', '\r':
			t.pos++
		case '#':
			n := bytes.IndexByte(t.data[t.pos:], '\n')
			if n < 0 {
				n = len(t.data) - t.pos
			}
			t.pos += n
		default:
			return
		}
	}
}

const tomlTable = "mcp_servers"

// installTOML adds or updates [mcp_servers.phocinae].
func installTOML(data []byte, o *Options) ([]byte, error) {
	lines, err := tomlLines(data)
	if err != nil {
		return nil, err
	}
	if err := tomlConflict(lines); err != nil {
		return nil, err
	}
	nl := "\n"
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		nl = "\r\n"
	}
	first, last := tomlEntry(lines)
	if first < 0 {
		sep := ""
		if len(bytes.TrimSpace(bytes.TrimPrefix(data, bom))) > 0 {
			sep = nl
			if !bytes.HasSuffix(data, []byte("\n")) {
				sep = nl + nl
			}
		}
		text := sep + "[" + tomlTable + "." + Name + "]" + nl + "command = " + quoteTOML(o.Exe) + nl + "args = []" + nl
		return append(bytes.Clone(data), text...), nil
	}
	for _, l := range lines[first:last] {
		if len(l.table) > 0 && len(l.table) != 2 {
			break
		}
		if len(l.key) != 1 || l.key[0] != "command" {
			continue
		}
		if unquoteTOML(l.value) == o.Exe {
			return data, nil
		}
		if !startsUs(unquoteTOML(l.value)) {
			return nil, fmt.Errorf("[%s.%s] is already there and starts something else (%s); rename or remove it first", tomlTable, Name, l.value)
		}
		at := l.start + bytes.Index(data[l.start:l.end], []byte(l.value))
		return apply(data, splice{at, at + len(l.value), quoteTOML(o.Exe)}), nil
	}
	return nil, fmt.Errorf("[%s.%s] is already there without a command; remove it first", tomlTable, Name)
}

// uninstallTOML removes [mcp_servers.phocinae] with its sub-tables, and the blank line before it.
func uninstallTOML(data []byte) ([]byte, error) {
	lines, err := tomlLines(data)
	if err != nil {
		return nil, err
	}
	first, last := tomlEntry(lines)
	if first < 0 {
		return data, nil
	}
	if !startsUs(tomlExe(data)) {
		return data, nil
	}
	start, end := lines[first].start, lines[last-1].end
	if first > 0 && len(bytes.TrimSpace(data[lines[first-1].start:lines[first-1].end])) == 0 {
		start = lines[first-1].start
	}
	return apply(data, splice{start, end, ""}), nil
}

// tomlEntry returns the lines of our table, sub-tables directly after it included: lines[first:last], -1 if there is none.
// Comments and blank lines at its end belong to what follows.
func tomlEntry(lines []tomlLine) (first, last int) {
	first = -1
	for i, l := range lines {
		mine := len(l.table) >= 2 && l.table[0] == tomlTable && l.table[1] == Name
		switch {
		case first < 0 && mine:
			first, last = i, i+1
		case first < 0 || mine:
		case len(l.table) > 0:
			return first, last
		}
		if first >= 0 && (mine || len(l.key) > 0) {
			last = i + 1
		}
	}
	return first, last
}

// tomlConflict reports spellings of our entry, or of its parent, that a table header cannot extend.
func tomlConflict(lines []tomlLine) error {
	var table []string
	for _, l := range lines {
		if len(l.table) > 0 {
			table = l.table
			if l.array && table[0] == tomlTable && (len(table) == 1 || table[1] == Name) {
				return fmt.Errorf("%s is an array of tables", strings.Join(table, "."))
			}
			continue
		}
		if len(l.key) == 0 {
			continue
		}
		full := append(append([]string{}, table...), l.key...)
		inTable := len(table) >= 2 && table[0] == tomlTable && table[1] == Name
		switch {
		case full[0] != tomlTable || inTable:
		case len(full) == 1:
			return fmt.Errorf("%s is written as an inline table; write it as [%s.NAME] tables first", tomlTable, tomlTable)
		case full[1] == Name:
			return fmt.Errorf("%s.%s is written in another form than [%s.%s]; remove it first", tomlTable, Name, tomlTable, Name)
		}
	}
	return nil
}

func quoteTOML(s string) string {
	if !strings.ContainsAny(s, `"\`) {
		return `"` + s + `"`
	}
	if !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// unquoteTOML reads a one-line string; anything else is "".
func unquoteTOML(raw string) string {
	if len(raw) < 2 || raw[0] != raw[len(raw)-1] || strings.HasPrefix(raw, `"""`) || strings.HasPrefix(raw, "'''") {
		return ""
	}
	body := raw[1 : len(raw)-1]
	if raw[0] == '"' {
		return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(body)
	}
	return body
}
