package main

import (
	"bytes"
	"fmt"
	"strconv"
)

// era is how a client speaks.
type era int

const (
	legacy era = iota + 1
	modern
)

func (e era) String() string {
	if e == modern {
		return "2026-07-28"
	}
	return "2025-11-25"
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}}`

// commands are what a coding agent runs in a minute: readers, a pipeline, an install, and two that must be refused.
var commands = []string{
	`git status`,
	`ls -la src`,
	`grep -rn "TODO" src | head -20`,
	`npm install left-pad`,
	`rm -rf /`,
	`git diff --stat HEAD~1 && git log --oneline -5`,
	`cat package.json | jq .scripts`,
	`git push --force origin main`,
}

// opening is the first request of a client and what must follow its answer.
func (e era) opening() (request, after []byte) {
	if e == modern {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{%s}}`+"\n", meta), nil
	}
	return []byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}` + "\n"),
		[]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
}

// call appends the n-th tools/call as one line.
func (e era) call(b []byte, n int) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = strconv.AppendInt(b, int64(n)+1, 10)
	b = append(b, `,"method":"tools/call","params":{"name":"gate","arguments":{"command":`...)
	b = strconv.AppendQuote(b, commands[n%len(commands)])
	b = append(b, `,"cwd":"/home/dev/app"}`...)
	if e == modern {
		b = append(b, ',')
		b = append(b, meta...)
	}
	return append(b, "}}\n"...)
}

// hookEvent is what a host sends before a shell command.
const hookEvent = `{"session_id":"s","transcript_path":"/tmp/t","cwd":"/home/dev/app","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf / --no-preserve-root"}}` + "\n"

// checkAnswer reports an answer that is no result of the call.
func checkAnswer(line []byte, n int) error {
	if !bytes.Contains(line, []byte(`"result"`)) || !bytes.Contains(line, []byte("decision")) {
		return fmt.Errorf("%w: call %d was answered with %.200s", errUnable, n, line)
	}
	return nil
}
