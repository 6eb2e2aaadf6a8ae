package gatecore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func tableEngine(t *testing.T, text string) *Engine {
	t.Helper()
	table, err := ParseTable([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(&Options{Table: table})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestOperatorTable(t *testing.T) {
	e := tableEngine(t, `{
		"_comment": "the ancestor's form",
		"whitelist": ["mytool status", "git frob"],
		"whitelist_prefix": ["lint", "git log --frob", "rm"],
		"blacklist": [["no-deploy", "deploy\\s+prod", "ask the release manager"], ["no-cat-x", "^cat x$", ""]],
		"runners": ["npm test", "go test", "python3 -m pytest"],
		"ask": [["slow", "slow-report", "it takes an hour"]],
		"protected_paths": ["/data/keep", "*.tf"]
	}`)
	for _, c := range []struct {
		claim, command string
		want           Verdict
	}{
		{"a whole command is lifted", "mytool status", Allow},
		{"more words are not", "mytool status -x", Undecided},
		{"fewer words are not", "mytool", Undecided},
		{"leading words are lifted", "lint --all src", Allow},
		{"an unknown subcommand is lifted", "git frob", Allow},
		{"an unknown option is lifted", "git log --frob", Allow},
		{"a write is never lifted", "rm x", Undecided},
		{"a deny is never lifted", "rm -rf /", Deny},
		{"a lifted command's redirection is not", "lint > out.txt", Undecided},
		{"a lifted command's variable is not", "LD_PRELOAD=x lint", Undecided},
		{"a lifted name at another path is not", "./lint", Undecided},
		{"a dynamic word is not lifted", "lint $x", Undecided},
		{"a dynamic program is not lifted", "x=lint; $x", Undecided},
		{"a runner is allowed", "npm test", Allow},
		{"a runner with arguments", "go test ./...", Allow},
		{"another script of the runner's program is not", "npm run build", Undecided},
		{"a runner with a dynamic word is not", "go test $x", Undecided},
		{"a runner under sudo is not", "sudo npm test", Undecided},
		{"an option that runs a program is judged behind a runner", "go test ./... -exec runit", Undecided},
		{"a deny behind a runner's option stays", `go test ./... -exec "rm -rf /"`, Deny},
		{"so does its other spelling", `go test --exec='rm -rf /' ./...`, Deny},
		{"a file that a runner's option writes is judged", "go test -coverprofile=/etc/passwd ./...", Deny},
		{"an option that is part of the listed words", "python3 -m pytest -q", Allow},
		{"another value of that option is not listed", "python3 -m http.server", Undecided},
		{"a runner's common options are allowed", "go test -race -run TestX -count=1 -v ./...", Allow},
		{"a command behind a listed prefix is judged", "lint rm -rf /", Deny},
		{"a shell behind a listed prefix is judged", "lint sh -c 'rm -rf /'", Deny},
		{"the blacklist denies", "deploy prod", Deny},
		{"blanks are collapsed first", "deploy \t\u00a0 prod", Deny},
		{"resolved words are seen", "d'e'ploy pr\\od", Deny},
		{"wrapped words are seen", "env A=1 sh -c 'deploy  prod'", Deny},
		{"anchors see each simple command", "ls; cat x", Deny},
		{"the blacklist adds to the built-in denies", "git reset --hard", Deny},
		{"ask is undecided", "slow-report", Undecided},
		{"a protected path is not written", "echo x > /data/keep/a", Deny},
		{"a protected pattern is not written", "echo x > main.tf", Deny},
		{"other paths are undecided", "echo x > /data/other", Undecided},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			got := e.Assess(c.command, Place{Dir: "/home/dev/work/app", Home: "/home/dev"})
			is.Equal(got.Verdict.String(), c.want.String())
		})
	}
	t.Run("ask cannot be lifted by a model", func(t *testing.T) {
		is := is.New(t)
		is.Equal(e.Assess("slow-report", Place{}).Kind, Unreadable)
	})
	t.Run("the operator's note is the reason", func(t *testing.T) {
		is := is.New(t)
		is.True(strings.Contains(e.Assess("deploy prod", Place{}).Findings[0].Why, "ask the release manager"))
	})
}

func TestTableProblems(t *testing.T) {
	for _, c := range []struct{ claim, text, want string }{
		{"not an object", `[]`, "not a JSON object"},
		{"not JSON", `{"whitelist": [`, "malformed"},
		{"text after it", `{} {}`, "line 1, column 4: malformed JSON"},
		{"an unknown member", `{"whitelst": []}`, "whitelst"},
		{"a repeated member", `{"whitelist": [], "whitelist": []}`, "twice"},
		{"a wrong type", `{"whitelist": "ls"}`, "array of strings"},
		{"null is no list", `{"whitelist": null}`, "array of strings"},
		{"a number in a list", `{"runners": [1]}`, "array of strings"},
		{"an empty entry", `{"whitelist_prefix": [" "]}`, "empty"},
		{"a look-ahead", `{"blacklist": [["x", "(?!a)", ""]]}`, "blacklist[0] (x)"},
		{"a short triple", `{"blacklist": [["x"]]}`, "blacklist[0]"},
		{"another version", `{"version": 2}`, "version is 2 (allowed: 1)"},
		{"not UTF-8", "{\"whitelist\": [\"\xff\"]}", "UTF-8"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			_, err := ParseTable([]byte(c.text))
			is.True(errors.Is(err, ErrTable))
			is.True(strings.Contains(err.Error(), c.want))
		})
	}
	for _, c := range []struct{ claim, text, want string }{
		{"a syntax error's place", "{\n  \"whitelist\": [\"a\",]\n}", "line 2, column 21: malformed JSON: invalid character ']'"},
		{"an early end's place", "{\"whitelist\": [", "line 1, column 16: malformed JSON: unexpected end of JSON input"},
		{"an empty file", "", "line 1, column 1: malformed JSON"},
		{"a list instead of an object", "\n []", "line 2, column 2: not a JSON object (allowed: one object with version"},
		{"columns are characters", "{\"ü\": 1}", `line 1, column 2: unknown member "ü" (allowed: version,`},
		{"behind characters of two bytes", `{"_ü": "ü", "b": 1}`, `line 1, column 13: unknown member "b"`},
		{"a bad byte", "{\n\"a\": \"\xff\"}", "line 2, column 7: not UTF-8"},
		{"a repeated member", "{\"ask\": [],\n \"ask\": []}", `line 2, column 2: "ask" is there twice`},
		{"a wrong kind", `{"runners": 5}`, `line 1, column 13: "runners" is not an array of strings (allowed: ["go test", …])`},
		{"an empty entry", "{\"runners\": [\"a\",\n  \" \"]}", "line 2, column 3: runners[1] is empty"},
		{"an expression", "{\"ask\": [\n[\"a\", \"b\"],\n [\"x\", \"(\"]\n]}", "line 3, column 2: ask[1] (x): error parsing regexp: missing closing ): `(` (allowed: RE2 syntax"},
		{"an entry of another kind", `{"blacklist": [["a","b"], 7]}`, `line 1, column 27: blacklist[1] is not two or three strings (allowed: ["name", "regex", "note"]`},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			_, err := ParseTable([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nlacks %s", err, c.want)
			}
			e, ok := errors.AsType[*TableError](err)
			is.True(ok && len(e.Problems) == 1) // one problem, told once
		})
	}
	t.Run("all problems at once", func(t *testing.T) {
		is := is.New(t)
		_, err := ParseTable([]byte(`{"a": 1, "whitelist": 2, "blacklist": [["x", "("]]}`))
		for _, want := range []string{`"a"`, "whitelist", "blacklist[0]"} {
			is.True(strings.Contains(err.Error(), want))
		}
	})
}

func TestLoadTable(t *testing.T) {
	is := is.New(t)
	name := filepath.Join(t.TempDir(), "t.json")
	is.NoErr(os.WriteFile(name, []byte(`{"runners": ["make test"]}`), 0o600))
	table, err := LoadTable(name)
	is.NoErr(err)
	is.Equal(len(table.runners), 1)
	_, err = LoadTable(name + ".missing")
	is.True(errors.Is(err, os.ErrNotExist))
	is.NoErr(os.WriteFile(name, []byte(`{`), 0o600))
	_, err = LoadTable(name)
	is.True(errors.Is(err, ErrTable))
	is.Equal(strings.Count(err.Error(), name), 1) // the error says which file, once
	is.True(!strings.Contains(err.Error(), "\n")) // in one line
}
