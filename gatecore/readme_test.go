package gatecore_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/phocinae/phocinae-go/gatecore"
)

var update = flag.Bool("update", false, "write the generated part of README.md")

const (
	tableBegin = "<!-- rules:begin -->\n"
	tableEnd   = "<!-- rules:end -->\n"
)

// ruleTable is the Markdown table of the rules in force, in the order of the table.
func ruleTable(rules []gatecore.RuleInfo) string {
	var b strings.Builder
	b.WriteString("| rule | verdict | why | safer |\n|---|---|---|---|\n")
	cell := strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;").Replace
	for _, r := range rules {
		verdict := r.Verdict.String()
		if r.Kind == gatecore.Unreadable {
			verdict += " (" + r.Kind.String() + ")"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, verdict, cell(r.Why), cell(r.Instead))
	}
	return b.String()
}

// TestReadmeTable fails when the table in README.md is not that of the data. Run with -update to write it.
func TestReadmeTable(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begins := strings.Cut(string(data), tableBegin)
	old, tail, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		t.Fatal("README.md lacks the marks around the table of rules")
	}
	table := ruleTable(builtin(t).Rules())
	if *update {
		if err := os.WriteFile("README.md", []byte(head+tableBegin+table+tableEnd+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != table {
		t.Error("README.md's table of rules is not that of the data: go test -run TestReadmeTable -update")
	}
}

// TestReadmeExample fails when the program in README.md is not the tested example.
func TestReadmeExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, body, ok := strings.Cut(string(source), "func ExampleEngine_Assess() {\n")
	body, _, found := strings.Cut(body, "\t// Output:")
	if !ok || !found {
		t.Fatal("example_test.go lacks ExampleEngine_Assess with its output")
	}
	if !strings.Contains(string(readme), "func main() {\n"+body+"}\n") {
		t.Error("README.md's program is not the body of ExampleEngine_Assess")
	}
}
