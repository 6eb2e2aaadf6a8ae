package gatecore_test

import (
	"fmt"

	"github.com/phocinae/phocinae-go/gatecore"
)

func ExampleEngine_Assess() {
	engine, err := gatecore.New(nil)
	if err != nil {
		panic(err)
	}
	place := gatecore.Place{Dir: "/home/dev/work/app", Home: "/home/dev"}
	for _, command := range []string{
		"git status && grep -rn 'rm -rf' docs | head",
		"npm install",
		"sudo bash -c 'cd ~; rm -rf *'",
	} {
		report := engine.Assess(command, place)
		first := report.Findings[0]
		fmt.Printf("%s: %s: %q\n", report.Verdict, first.RuleID, command[first.Start:first.End])
	}
	// Output:
	// allow: reader.ok: "git status && grep -rn 'rm -rf' docs | head"
	// undecided: class.writes: "npm install"
	// deny: fs.remove-tree: "'cd ~; rm -rf *'"
}
