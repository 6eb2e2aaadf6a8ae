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

// ErrTable reports an operator's table that cannot be used.
var ErrTable = errors.New("gatecore: table")

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

// LoadTable reads a table from a file. All problems come in one error, which wraps ErrTable
// or the error of the file system.
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
		return nil, fmt.Errorf("%w: %s is over %d bytes", ErrTable, path, maxTableBytes)
	}
	t, err := ParseTable(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
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
// wrong types, empty entries and expressions that Go's RE2 refuses are errors; all come in one error that wraps ErrTable.
func ParseTable(data []byte) (*Table, error) {
	p := &tableParser{t: &Table{exact: map[string]bool{}}}
	p.parse(data)
	if len(p.errs) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrTable, errors.Join(p.errs...))
	}
	return p.t, nil
}

type tableParser struct {
	t    *Table
	errs []error
}

func (p *tableParser) errorf(format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf(format, args...))
}

func (p *tableParser) parse(data []byte) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		p.errorf("not UTF-8")
		return
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	tok, err := dec.Token()
	if err != nil || tok != json.Delim('{') {
		p.errorf("not a JSON object")
		return
	}
	seen := map[string]bool{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			p.errorf("malformed JSON: %v", err)
			return
		}
		name, _ := key.(string)
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			p.errorf("malformed JSON in %q: %v", name, err)
			return
		}
		if seen[name] {
			p.errorf("%q is there twice", name)
		}
		seen[name] = true
		p.member(name, raw)
	}
	if _, err := dec.Token(); err != nil {
		p.errorf("malformed JSON: %v", err)
		return
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		p.errorf("text after the object")
	}
}

func (p *tableParser) member(name string, raw json.RawMessage) {
	switch name {
	case "version":
		if s := strings.TrimSpace(string(raw)); s != "1" && s != `"1"` {
			p.errorf("version %s is not 1", s)
		}
	case "whitelist":
		for _, s := range p.strings(name, raw) {
			p.t.exact[strings.Join(strings.Fields(s), " ")] = true
		}
	case "whitelist_prefix":
		p.t.prefixes = append(p.t.prefixes, p.words(name, raw)...)
	case "runners":
		p.t.runners = append(p.t.runners, p.words(name, raw)...)
	case "blacklist":
		p.t.blacklist = append(p.t.blacklist, p.regexes(name, raw)...)
	case "ask":
		p.t.ask = append(p.t.ask, p.regexes(name, raw)...)
	case "protected_paths":
		p.t.protected = append(p.t.protected, p.strings(name, raw)...)
	default:
		if !strings.HasPrefix(name, "_") {
			p.errorf("unknown member %q (allowed: version, whitelist, whitelist_prefix, blacklist, runners, ask, protected_paths)", name)
		}
	}
}

func (p *tableParser) strings(name string, raw json.RawMessage) []string {
	var out []string
	if err := json.Unmarshal(raw, &out); err != nil || out == nil && string(raw) != "[]" {
		p.errorf("%q is not an array of strings", name)
		return nil
	}
	for i, s := range out {
		if strings.TrimSpace(s) == "" {
			p.errorf("%s[%d] is empty", name, i)
		}
	}
	return out
}

func (p *tableParser) words(name string, raw json.RawMessage) [][]string {
	var out [][]string
	for _, s := range p.strings(name, raw) {
		if f := strings.Fields(s); len(f) > 0 {
			out = append(out, f)
		}
	}
	return out
}

func (p *tableParser) regexes(name string, raw json.RawMessage) []tableRegex {
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil || entries == nil && string(raw) != "[]" {
		p.errorf("%q is not an array of [name, regex, note]", name)
		return nil
	}
	var out []tableRegex
	for i, e := range entries {
		var t []string
		if err := json.Unmarshal(e, &t); err != nil || len(t) < 2 || len(t) > 3 {
			p.errorf("%s[%d] is not [name, regex, note]", name, i)
			continue
		}
		if t[0] == "" || t[1] == "" {
			p.errorf("%s[%d] has an empty name or regex", name, i)
			continue
		}
		re, err := regexp.Compile(t[1])
		if err != nil {
			p.errorf("%s[%d] (%s): %v", name, i, t[0], err)
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
