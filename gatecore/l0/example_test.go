package l0_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// A rule is data: what it says, a safer way, and the examples that prove it.
func ExampleRules() {
	for _, r := range l0.Rules() {
		if r.ID != "git.reset-hard" {
			continue
		}
		fmt.Println(r.Why)
		fmt.Println("instead:", r.Instead)
		fmt.Println("denied: ", r.Yes[0])
		fmt.Println("not:    ", r.No[0])
	}
	// Output:
	// git reset --hard discards uncommitted work that cannot be brought back.
	// instead: git stash push -u, or git reset --keep
	// denied:  git reset --hard
	// not:     git reset --soft HEAD~1
}

// What the table knows about a program: the class of each subcommand. What is not listed is undecided.
func ExampleDomains() {
	classes := map[l0.Class]string{l0.Reader: "reads", l0.Writer: "writes", l0.Network: "talks to the network"}
	for _, d := range l0.Domains() {
		for _, p := range d.Programs {
			if p.Style == l0.Windows || !slices.Contains(strings.Fields(p.Names), "git") {
				continue
			}
			for _, c := range p.Commands {
				first, _, _ := strings.Cut(c.Path, ",") // alternatives stand behind commas
				switch first {
				case "fetch", "status", "commit":
					fmt.Println("git", first, classes[c.Is])
				}
			}
		}
	}
	// Unordered output:
	// git status reads
	// git commit writes
	// git fetch talks to the network
}
