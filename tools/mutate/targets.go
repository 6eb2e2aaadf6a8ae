package main

// targets is the decisive code: where one wrong condition turns into a wrong verdict, an accepted forgery or a guessed answer.
var targets = []target{
	{module: "gatecore", pkg: ".", file: "synthesis.go", tests: "Synthe|Threshold|Noul"},
	{module: "gatecore", pkg: ".", file: "judge.go", funcs: []string{"fireWhy", "report"}, tests: "Finding|Corpus$|Hygiene|OperatorTable"},
	{module: "gatecore", pkg: ".", file: "engine.go", funcs: []string{"assess", "judgeText", "place"}, tests: engineTests},
	{module: "mcpproto", pkg: ".", file: "state.go", tests: "State|Ledger|Nonce"},
	{module: "mcpproto", pkg: ".", file: "nonce.go", tests: "State|Ledger|Nonce"},
	{module: "mcpproto", pkg: ".", file: "header.go", tests: "Header|Mirror|Param|Sentinel"},
	{module: "p0client", pkg: ".", file: "answer.go"},
	{module: "phocinae-mcp", pkg: "./internal/gate", file: "judge.go"},
	{module: "phocinae-mcp", pkg: "./internal/tool", file: "confirm.go", tests: confirmTests},
}

// Tests that decide about a target and are quick, where the whole package would take too long for every mutant.
const (
	engineTests  = "Corpus$|Hygiene|OperatorTable|Place|Explain|PanicNever|DialectDecides|GateFiles|Home"
	confirmTests = "Confirm|Malformed|State|Deny|Rounds|Changed|Declin|Prompts|Forms|Legacy|SharedKey|TooLong|Verdict|Sealed|Outcome|Folder|Programs|Subject"
)
