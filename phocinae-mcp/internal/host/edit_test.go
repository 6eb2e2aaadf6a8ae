package host

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// plain turns a node into what encoding/json would make of it.
func (n *node) plain(data []byte) any {
	switch n.kind {
	case '{':
		m := map[string]any{}
		for _, it := range n.items {
			m[it.key] = it.value.plain(data)
		}
		return m
	case '[':
		list := []any{}
		for _, it := range n.items {
			list = append(list, it.value.plain(data))
		}
		return list
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(data[n.start:n.end]))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

func meaning(t testing.TB, data []byte) any {
	t.Helper()
	root, err := parseJSONC(data)
	is.New(t).NoErr(err)
	if root == nil {
		return map[string]any{}
	}
	return root.plain(data)
}

func TestJSONCReads(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		ok       bool
	}{
		{"plain", `{"a": [1, -2.5e3, true, false, null, "x\u0041"]}`, true},
		{"comments everywhere", "/*a*/{//b\n\"a\"/*c*/:/*d*/1/*e*/,/*f*/}//g", true},
		{"trailing commas", `{"a": [1,],}`, true},
		{"nothing", "", true},
		{"only comments", "// x\n/* y */", true},
		{"a comma alone", `[,]`, false},
		{"two commas", `[1,,2]`, false},
		{"no comma", `[1 2]`, false},
		{"no colon", `{"a" 1}`, false},
		{"no name", `{1: 2}`, false},
		{"single quotes", `{'a': 1}`, false},
		{"a bad escape", `"\x"`, false},
		{"a control character", "\"a\nb\"", false},
		{"an open string", `"a`, false},
		{"an open comment", `1 /* x`, false},
		{"an open array", `[1`, false},
		{"a bad number", `01`, false},
		{"a word", `nil`, false},
		{"text after it", `1 2`, false},
		{"a repeated name", `{"a":1,"\u0061":2}`, false},
		{"bad UTF-8", "\"\xff\"", false},
		{"nested too deeply", strings.Repeat("[", 300) + strings.Repeat("]", 300), false},
		{"wrong bracket", `[1}`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := parseJSONC([]byte(tc.in))
			is.New(t).Equal(err == nil, tc.ok)
		})
	}
}

func TestRemoveKeepsTheRest(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		index    int
		want     string
	}{
		{"the only one", "[1]", 0, "[]"},
		{"the only one, on its line", "[\n  1\n]", 0, "[]"},
		{"the only one, with a comment", "[\n  // x\n  1\n]", 0, "[\n  // x\n]"},
		{"the first", "[1, 2]", 0, "[ 2]"},
		{"the last", "[1, 2]", 1, "[1]"},
		{"the last of lines", "[\n  1,\n  2\n]", 1, "[\n  1\n]"},
		{"the last with its comma", "[\n  1,\n  2,\n]", 1, "[\n  1,\n]"},
		{"the last after a comment", "[\n  1, // one\n  2\n]", 1, "[\n  1 // one\n]"},
		{"a comment may not swallow the end", "[1, // one\n2]", 1, "[1 // one\n]"},
		{"nor the next", "[ // zero\n1, 2]", 0, "[ // zero\n 2]"},
		{"the middle", "[\n  1,\n  2, // two\n  3\n]", 1, "[\n  1, // two\n  3\n]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := remove([]byte(tc.in), nil, tc.index)
			is.NoErr(err)
			is.Equal(string(got), tc.want)
		})
	}
}

func TestPruneKeepsComments(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"nothing of the user's", `{"a": {"b": []}}`, `{}`},
		{"before the colon", `{"a" /*x*/: {"b": []}}`, `{"a" /*x*/: {}}`},
		{"before the value", "{\"a\": // x\n {\"b\": []}}", "{\"a\": // x\n {}}"},
		{"before the comma", `{"a": {"b": []} /*x*/, "c": 1}`, `{"a": {} /*x*/, "c": 1}`},
		{"after the comma", `{"a": {"b": []}, /*x*/ "c": 1}`, `{ /*x*/ "c": 1}`},
		{"further in", `{"a": {"b": /*x*/ []}}`, `{"a": {"b": /*x*/ []}}`},
		{"in the list", `{"a": {"b": [/*x*/]}}`, `{"a": {"b": [/*x*/]}}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			got, err := prune([]byte(tc.in), []string{"a", "b"})
			is.NoErr(err)
			is.Equal(string(got), tc.want)
		})
	}
}

// Adding our entries keeps the meaning of everything else and is idempotent; taking them out gives the old meaning back.
func FuzzJSONCEdit(f *testing.F) {
	for _, s := range []string{
		"", "{}", "{ }", "{\n}", `{"a":1}`, "{\"hooks\": {}}", "{\"hooks\": {\"PreToolUse\": [1,],},}", "// x\n{/*a*/}", "{\n\t\"a\": 1 // x\n}", "{\"a\": 1, // x\n}",
		"{\r\n  \"hooks\": { // h\r\n  }\r\n}\r\n", "\xef\xbb\xbf{\"version\": 2}", `{"mcpServers": {"a": {}}}`, `{"hooks": {"preToolUse": [ /* none */ ]}}`, "{\"mcp\": {\"x\": {}}}", "{\"a\":\r1}",
	} {
		for h := range Hosts() {
			f.Add(uint8(h), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		is := is.New(t)
		h := Hosts()[int(n)%len(Hosts())]
		o := testOptions("/home/u")
		if _, err := parseJSONC(data); err != nil {
			_, err = installHook(data, Claude, o)
			is.True(err != nil) // broken files are refused
			return
		}
		if bytes.Contains(data, []byte("phocinae")) {
			return // may hold something of ours already
		}
		was := meaning(t, data)
		for _, k := range []Kind{Hook, MCP} {
			p, err := locate(h, k, User, o.Env)
			if err != nil || p.format != jsonFormat {
				continue
			}
			once, err := installInto(p, h, k, data, o)
			if err != nil {
				continue // not an object, or something else in our place
			}
			twice, err := installInto(p, h, k, once, o)
			is.NoErr(err)
			is.Equal(string(twice), string(once)) // idempotent
			e, found := entryIn(p, h, k, once, o)
			is.True(found)
			is.Equal(e.Exe, testExe)
			gone, err := uninstallFrom(p, h, k, once, o)
			is.NoErr(err)
			_, found = entryIn(p, h, k, gone, o)
			is.True(!found)
			is.True(equalButForEmpty(meaning(t, gone), was)) // the rest means what it meant
			is.Equal(comments(gone), comments(data))         // and every comment is still there
		}
	})
}

// equalButForEmpty compares meanings. An empty container of ours cannot be told from one of the user's, nor a version.
func equalButForEmpty(a, b any) bool {
	return reflect.DeepEqual(bare(a, true), bare(b, true))
}

func bare(v any, top bool) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for k, e := range m {
		if top && k == "version" {
			continue
		}
		e = bare(e, false)
		if em, ok := e.(map[string]any); ok && len(em) == 0 {
			continue
		}
		if el, ok := e.([]any); ok && len(el) == 0 {
			continue
		}
		out[k] = e
	}
	return out
}

// comments counts the comments in a file.
func comments(data []byte) int {
	p := &parser{data: data}
	if bytes.HasPrefix(data, bom) {
		p.pos = len(bom)
	}
	if p.space() == nil && p.pos < len(data) {
		if _, err := p.value(0); err == nil {
			_ = p.space()
		}
	}
	return p.comments
}

// The line readers for TOML and YAML: no panic, idempotent, and what is left after taking ours out is what was there, up to white space at the end.
func FuzzLineEdit(f *testing.F) {
	for _, fx := range fixtures(f) {
		if fx.kind == MCP && (fx.host == Codex || fx.host == Goose) {
			f.Add(fx.host == Codex, fx.before)
		}
	}
	f.Fuzz(func(t *testing.T, toml bool, data []byte) {
		is := is.New(t)
		o := testOptions("/home/u")
		h := Goose
		if toml {
			h = Codex
		}
		p, err := locate(h, MCP, User, o.Env)
		is.NoErr(err)
		once, err := installInto(p, h, MCP, data, o)
		if err != nil || bytes.Contains(data, []byte("phocinae")) {
			return
		}
		twice, err := installInto(p, h, MCP, once, o)
		is.NoErr(err)
		is.Equal(string(twice), string(once))
		e, found := entryIn(p, h, MCP, once, o)
		is.True(found)
		is.Equal(e.Exe, testExe)
		gone, err := uninstallFrom(p, h, MCP, once, o)
		is.NoErr(err)
		if toml || !bytes.Contains(data, []byte("extensions")) {
			is.Equal(strings.TrimSpace(string(gone)), strings.TrimSpace(string(data)))
		}
		is.True(!bytes.Contains(gone, []byte(testExe)))
	})
}
