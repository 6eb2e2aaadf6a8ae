package gatecore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrTable reports an operator's table that cannot be used; the error itself is a *TableError.
var ErrTable = errors.New("gatecore: table")

// TableError is everything that is wrong with one table. It matches ErrTable.
type TableError struct {
	Path     string   // the file; empty if the table came from memory
	Problems []string // at least one, in the order of the text: "line 3, column 9: what was found (allowed: …)"
}

// Error names the file once and then every problem, in one line.
func (e *TableError) Error() string {
	s := ErrTable.Error() + ": "
	if e.Path != "" {
		s += e.Path + ": "
	}
	return s + strings.Join(e.Problems, "; ")
}

// Is reports that target is ErrTable.
func (e *TableError) Is(target error) bool { return target == ErrTable }

// Table is an operator's table, read and checked. It never changes after loading. Nil is an
// empty table.
//
// A table can add denies and lift what the built-in table does not know. It can never lift a deny, a
// write, a credential, a helper program, a path, a variable or an endpoint.
type Table struct {
	exact     map[string]bool // whole commands, words joined by one blank
	prefixes  [][]string      // leading words
	runners   [][]string      // leading words of test and lint runners
	blacklist []tableRegex
	ask       []tableRegex
	protected []string
}

type tableRegex struct {
	name, note string
	re         *regexp.Regexp
}

// maxTableBytes caps a table file; the ancestor's own is 20 kB.
const maxTableBytes = 4 << 20

// LoadTable reads a table from a file. All problems come in one *TableError; a file that
// cannot be read is the file system's error.
func LoadTable(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("gatecore: table: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxTableBytes+1))
	if err != nil {
		return nil, fmt.Errorf("gatecore: table: %w", err)
	}
	if len(data) > maxTableBytes {
		return nil, &TableError{Path: path, Problems: []string{fmt.Sprintf("over %d bytes", maxTableBytes)}}
	}
	t, err := ParseTable(data)
	if e, ok := errors.AsType[*TableError](err); ok {
		e.Path = path
	}
	return t, err
}

// ParseTable reads a table from JSON: an object with the members
//
//	version           1 (may be missing)
//	whitelist         ["git fetch"]        whole commands
//	whitelist_prefix  ["make lint"]        leading words
//	blacklist         [["name", "regex", "note"]]
//	runners           ["npm test", "go test"]
//	ask               [["name", "regex", "note"]]
//	protected_paths   ["/srv/data", "*.tf"]
//
// Members whose names start with an underscore are comments. Unknown and repeated members,
// wrong types, empty entries and expressions that Go's RE2 refuses are errors; all come in one *TableError.
func ParseTable(data []byte) (*Table, error) {
	p := &tableParser{t: &Table{exact: map[string]bool{}}, data: data}
	p.parse()
	if len(p.problems) > 0 {
		return nil, &TableError{Problems: p.problems}
	}
	return p.t, nil
}

type tableParser struct {
	t        *Table
	data     []byte
	problems []string
}

// errorf notes a problem with the text at byte at.
func (p *tableParser) errorf(at int, format string, args ...any) {
	before := p.data[:min(max(at, 0), len(p.data))]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	p.problems = append(p.problems, fmt.Sprintf("line %d, column %d: ", line, column)+fmt.Sprintf(format, args...))
}

const tableMembers = "version, whitelist, whitelist_prefix, blacklist, runners, ask, protected_paths"

func (p *tableParser) parse() {
	p.data = bytes.TrimPrefix(p.data, []byte("\xef\xbb\xbf"))
	if at := invalidUTF8(p.data); at >= 0 {
		p.errorf(at, "not UTF-8 (allowed: JSON in UTF-8)")
		return
	}
	// Read whole before anything is taken from it: only then is a syntax error's offset one of the text.
	var all json.RawMessage
	if err := json.Unmarshal(p.data, &all); err != nil {
		at := len(p.data)
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = int(e.Offset) - 1
			if strings.HasPrefix(e.Error(), "unexpected end") {
				at++
			}
		}
		p.errorf(at, "malformed JSON: %v (allowed: one object with %s)", err, tableMembers)
		return
	}
	dec := json.NewDecoder(bytes.NewReader(p.data))
	if tok, _ := dec.Token(); tok != json.Delim('{') {
		p.errorf(len(p.data)-len(bytes.TrimLeft(p.data, " \t\r\n")), "not a JSON object (allowed: one object with %s)", tableMembers)
		return
	}
	seen := map[string]bool{}
	for dec.More() {
		key, _ := dec.Token()
		name, _ := key.(string)
		end := int(dec.InputOffset())
		at := bytes.LastIndexByte(p.data[:end-1], '"') // the name's first quote; inexact only for a name with a quote in it
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			p.errorf(end, "malformed JSON in %q: %v", name, err)
			return
		}
		if seen[name] {
			p.errorf(at, "%q is there twice (allowed: once)", name)
		}
		seen[name] = true
		p.member(name, raw, at, int(dec.InputOffset())-len(raw))
	}
}

// invalidUTF8 is the place of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

func (p *tableParser) member(name string, raw json.RawMessage, nameAt, at int) {
	switch name {
	case "version":
		if s := strings.TrimSpace(string(raw)); s != "1" && s != `"1"` {
			p.errorf(at, "version is %s (allowed: 1)", s)
		}
	case "whitelist":
		for _, s := range p.strings(name, raw, at) {
			p.t.exact[strings.Join(strings.Fields(s), " ")] = true
		}
	case "whitelist_prefix":
		p.t.prefixes = append(p.t.prefixes, p.words(name, raw, at)...)
	case "runners":
		p.t.runners = append(p.t.runners, p.words(name, raw, at)...)
	case "blacklist":
		p.t.blacklist = append(p.t.blacklist, p.regexes(name, raw, at)...)
	case "ask":
		p.t.ask = append(p.t.ask, p.regexes(name, raw, at)...)
	case "protected_paths":
		p.t.protected = append(p.t.protected, p.strings(name, raw, at)...)
	default:
		if !strings.HasPrefix(name, "_") {
			p.errorf(nameAt, "unknown member %q (allowed: %s, and comments whose names begin with _)", name, tableMembers)
		}
	}
}

// entry is where element i of an array that stands at byte at begins.
func (p *tableParser) entry(raw json.RawMessage, at, i int) int {
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, _ = dec.Token() // the bracket: raw has been read before
	var skipped json.RawMessage
	for range i {
		_ = dec.Decode(&skipped)
	}
	from := int(dec.InputOffset())
	return at + from + len(raw[from:]) - len(bytes.TrimLeft(raw[from:], ", \t\r\n"))
}

func (p *tableParser) strings(name string, raw json.RawMessage, at int) []string {
	var out []string
	if err := json.Unmarshal(raw, &out); err != nil || out == nil && string(raw) != "[]" {
		p.errorf(at, "%q is not an array of strings (allowed: [\"go test\", …])", name)
		return nil
	}
	for i, s := range out {
		if strings.TrimSpace(s) == "" {
			p.errorf(p.entry(raw, at, i), "%s[%d] is empty (allowed: text that is not blank)", name, i)
		}
	}
	return out
}

func (p *tableParser) words(name string, raw json.RawMessage, at int) [][]string {
	var out [][]string
	for _, s := range p.strings(name, raw, at) {
		if f := strings.Fields(s); len(f) > 0 {
			out = append(out, f)
		}
	}
	return out
}

func (p *tableParser) regexes(name string, raw json.RawMessage, at int) []tableRegex {
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil || entries == nil && string(raw) != "[]" {
		p.errorf(at, "%q is not an array (allowed: [[\"name\", \"regex\", \"note\"], …])", name)
		return nil
	}
	var out []tableRegex
	for i, e := range entries {
		var t []string
		if err := json.Unmarshal(e, &t); err != nil || len(t) < 2 || len(t) > 3 {
			p.errorf(p.entry(raw, at, i), "%s[%d] is not two or three strings (allowed: [\"name\", \"regex\", \"note\"], the note may be missing)", name, i)
			continue
		}
		if t[0] == "" || t[1] == "" {
			p.errorf(p.entry(raw, at, i), "%s[%d] has an empty name or regex (allowed: neither empty)", name, i)
			continue
		}
		re, err := regexp.Compile(t[1])
		if err != nil {
			p.errorf(p.entry(raw, at, i), "%s[%d] (%s): %v (allowed: RE2 syntax, so no look-around and no back-references)", name, i, t[0], err)
			continue
		}
		r := tableRegex{name: t[0], re: re}
		if len(t) == 3 {
			r.note = t[2]
		}
		out = append(out, r)
	}
	return out
}

// runner is the number of words that a listed runner and the command have in common at the beginning, or 0. A dynamic
// word is none.
func (t *Table) runner(ws []word) int {
	if t == nil {
		return 0
	}
	return leading(t.runners, ws)
}

// lifts reports a command that the operator's whitelist names.
func (t *Table) lifts(ws []word) bool {
	if t == nil || len(t.exact) == 0 && len(t.prefixes) == 0 {
		return false
	}
	for i := range ws {
		if ws[i].dyn || ws[i].globAt > 0 {
			return false
		}
	}
	return t.exact[plainJoin(ws)] || leads(t.prefixes, ws)
}

func leads(lists [][]string, ws []word) bool { return leading(lists, ws) > 0 }

// leading is the length of the first list that the words begin with, or 0.
func leading(lists [][]string, ws []word) int {
next:
	for _, l := range lists {
		if len(l) > len(ws) {
			continue
		}
		for i, s := range l {
			if ws[i].text != s || ws[i].dyn {
				continue next
			}
		}
		for _, w := range ws[len(l):] {
			if w.dyn {
				continue next
			}
		}
		return len(l)
	}
	return 0
}

// collapse turns every run of blanks, Unicode ones included, into one blank.
func collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), " ")
}

// operatorText matches the operator's expressions against the whole text.
func (j *judge) operatorText(text string) {
	t := j.e.table
	if t == nil || len(t.blacklist)+len(t.ask) == 0 {
		return
	}
	j.operatorMatch(collapse(text), 0, len(j.src))
}

// operatorWords matches them against a simple command after resolution.
func (j *judge) operatorWords(ws []word) {
	t := j.e.table
	if t == nil || len(t.blacklist)+len(t.ask) == 0 || len(ws) == 0 {
		return
	}
	a, b := ws[0].start, ws[len(ws)-1].end
	j.operatorMatch(collapse(strings.ReplaceAll(plainJoin(ws), dynMark, "")), a, b)
}

func (j *judge) operatorMatch(s string, a, b int) {
	for i := range j.e.table.blacklist {
		if r := &j.e.table.blacklist[i]; r.re.MatchString(s) {
			j.fireWhy(ruleOperator, a, b, r.sentence("forbids"), "")
		}
	}
	for i := range j.e.table.ask {
		if r := &j.e.table.ask[i]; r.re.MatchString(s) {
			j.fireWhy(ruleAsk, a, b, r.sentence("asks about"), "")
		}
	}
}

func (r *tableRegex) sentence(verb string) string {
	s := "The operator's table " + verb + " this (" + r.name + ")"
	if r.note != "" {
		return s + ": " + r.note
	}
	return s + "."
}
