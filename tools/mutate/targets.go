package main

// targets is the decisive code: where one wrong condition turns into a wrong verdict, an accepted forgery or a guessed answer.
var targets = []target{
	{module: "gatecore", pkg: ".", file: "synthesis.go", tests: "Synthe|Threshold|Noul"},
	{module: "gatecore", pkg: ".", file: "judge.go", funcs: []string{"fireWhy", "report"}, tests: "Finding|Corpus$|Hygiene|OperatorTable"},
	{module: "mcpproto", pkg: ".", file: "state.go", tests: "State|Ledger|Nonce"},
	{module: "mcpproto", pkg: ".", file: "nonce.go", tests: "State|Ledger|Nonce"},
	{module: "mcpproto", pkg: ".", file: "header.go", tests: "Header|Mirror|Param|Sentinel"},
	{module: "p0client", pkg: ".", file: "answer.go"},
}
