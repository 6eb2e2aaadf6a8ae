// Package judge is the gate tool that the peer servers serve: the same L0 judgement as the product's, through gatecore,
// so that a comparison shows the protocol stacks and nothing else.
package judge

import "github.com/phocinae/phocinae-go/gatecore"

// Input is what the tool takes.
type Input struct {
	Command string `json:"command" jsonschema:"the shell command to judge"`
	CWD     string `json:"cwd,omitempty" jsonschema:"the working directory, absolute"`
}

// Output is what the tool answers.
type Output struct {
	Command  string `json:"command"`
	Decision string `json:"decision"`
	Layer    string `json:"layer"`
	Reason   string `json:"reason"`
}

// Judge answers with L0's verdict; undecided is deny, as in a gate without a model behind it.
func Judge(engine *gatecore.Engine, in Input) Output {
	report := engine.Assess(in.Command, gatecore.Place{Dir: in.CWD})
	out := Output{Command: in.Command, Decision: "deny", Layer: "L0", Reason: report.Findings[0].Why}
	switch report.Verdict {
	case gatecore.Allow:
		out.Decision = "allow"
	case gatecore.Undecided:
		out.Layer = "fail_closed"
	}
	return out
}
