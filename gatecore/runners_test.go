package gatecore_test

import (
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/gatecore"
)

// TestListedRunner holds what an operator lists to what was listed: options and words that bring in other code, other
// directories or files are judged as without the list.
func TestListedRunner(t *testing.T) {
	e := corpusEngine(t, []string{"make test", "pytest", "go test", "npm test", "cargo test", "housetest run"})
	for _, tc := range []struct {
		claim    string
		want     gatecore.Verdict
		commands []string
	}{
		{"what is listed, with options that choose and print", gatecore.Allow, []string{
			"make test", "pytest -q", "pytest -x -k foo tests/test_a.py", "pytest tests/a.py::test_b", "pytest --maxfail=1 --lf", "pytest -ra --durations=5",
			"pytest tests -q --cov=src --cov-report=term", "go test ./...", "go test -race -count=1 -run TestX -v ./pkg", "npm test --silent", "npm test -- --watch=false",
			"cargo test --workspace --all-features -- --nocapture", "cargo test --release --profile ci", "housetest run --fast a",
		}},
		{"variables of a make file, another make file, another directory", gatecore.Undecided, []string{
			"make test SHELL=/tmp/x", "make test CC=/tmp/x", "make test FOO=bar", "make test .SHELLFLAGS=-c", "make test -f /tmp/x.mk", "make test -C /tmp/x", "make test --eval='x:;ls'",
			"make test --include-dir=/tmp/x", "make test --mak=/tmp/x.mk",
		}},
		{"plugins and configuration", gatecore.Undecided, []string{
			"pytest -p evil", "pytest -pevil", "pytest -c /tmp/x.ini", "pytest --rootdir=/tmp/x", "pytest -o addopts='-p evil'", "pytest --override-ini=addopts=x", "pytest --pdbcls=evil:E",
			"pytest --pyargs evil", "npm test --script-shell=/tmp/x", "npm test --prefix /tmp/x", "npm test --node-options='--require /tmp/x'", "npm test -- --config=/tmp/x.js",
			"cargo test --config /tmp/x.toml", "cargo test --manifest-path /tmp/x/Cargo.toml", "go test -exec /tmp/x ./...", "go test -toolexec /tmp/x ./...", "go test -C /tmp/x ./...",
			"go test -ldflags='-extld=/tmp/x' ./...", "go test -overlay=/tmp/x ./...", "housetest run --plugin x", "housetest run -c x",
		}},
		{"files that are written", gatecore.Undecided, []string{"pytest --junitxml=/tmp/x.xml", "pytest --basetemp=/home/dev/x", "cargo test --target-dir /tmp/x", "go test -o /tmp/x ./...", "go test -c ./..."}},
		{"a value that is itself denied", gatecore.Deny, []string{"make test X='$(shell rm -rf /)'", "make test SHELL='rm -rf /'", "housetest run --exec='rm -rf /'"}},
	} {
		t.Run(tc.claim, func(t *testing.T) {
			is := is.New(t)
			for _, c := range tc.commands {
				if got := e.Assess(c, corpusPlace).Verdict; got != tc.want {
					t.Errorf("%q is %v, want %v", c, got, tc.want)
				}
			}
			is.True(len(tc.commands) > 0)
		})
	}
}

// TestVerboseIsNoVersion holds apart tools whose -v prints their version and tools that run with it and say more.
func TestVerboseIsNoVersion(t *testing.T) {
	e := corpusEngine(t, []string{})
	for _, c := range []string{"pytest -v", "py.test -v", "nose2 -v", "behave -v", "flake8 -v", "mypy -v", "pylint -v", "ctest -V", "mage -v", "black -v"} {
		if got := e.Assess(c, corpusPlace).Verdict; got != gatecore.Undecided {
			t.Errorf("%q is %v", c, got)
		}
	}
	for _, c := range []string{"eslint -v", "make -v", "pytest --version", "mypy --version", "jest -v"} {
		if got := e.Assess(c, corpusPlace).Verdict; got != gatecore.Allow {
			t.Errorf("%q is %v", c, got)
		}
	}
}
