package main

import (
	"errors"
	"testing"

	"github.com/matryer/is"
)

func TestOnlyAnEndWithoutFindingIsTriedAgain(t *testing.T) {
	const head = "go test -fuzz ^FuzzX$: exit status 1\nfuzz: elapsed: 10s, execs: 9\n"
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"time ran out", head + "--- FAIL: FuzzX (10.12s)\n    context deadline exceeded\nFAIL\nexit status 1\n", true},
		{"a failing input", head + "--- FAIL: FuzzX (5.37s)\n    --- FAIL: FuzzX (0.00s)\n    \n    Failing input written to testdata/fuzz/FuzzX/94\nFAIL\n", false},
		{"a failing input that says so itself", head + "--- FAIL: FuzzX (5s)\n    --- FAIL: FuzzX (0.00s)\n    context deadline exceeded\nFAIL\n", false},
		{"a panic", head + "--- FAIL: FuzzX (5s)\n    context deadline exceeded\nFAIL\npanic: x\n", false},
		{"a build that fails", "FAIL x [build failed]\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) { is.New(t).Equal(endedBadly(errors.New(tc.text)), tc.want) })
	}
	is.New(t).True(!endedBadly(nil))
}
