package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// odd are tools/call messages that go wrong in every way a client can manage, as lines. Each is one call.
func odd() map[string]string {
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":` + params + `}`
	}
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	return map[string]string{
		"no params":               `{"jsonrpc":"2.0","id":"%s","method":"tools/call"}`,
		"params is an array":      call(`[]`),
		"no name":                 call(`{"arguments":{"command":"ls"},` + meta + `}`),
		"name is a number":        call(`{"name":5,"arguments":{"command":"ls"},` + meta + `}`),
		"unknown tool":            call(`{"name":"gates","arguments":{"command":"ls"},` + meta + `}`),
		"tool of another case":    call(`{"name":"Gate","arguments":{"command":"ls"},` + meta + `}`),
		"arguments is a string":   call(`{"name":"gate","arguments":"ls",` + meta + `}`),
		"arguments is null":       call(`{"name":"gate","arguments":null,` + meta + `}`),
		"no arguments":            call(`{"name":"gate",` + meta + `}`),
		"misspelt command":        call(`{"name":"gate","arguments":{"comand":"ls"},` + meta + `}`),
		"command of another case": call(`{"name":"gate","arguments":{"Command":"ls"},` + meta + `}`),
		"an argument more":        call(`{"name":"gate","arguments":{"command":"ls","force":true},` + meta + `}`),
		"command is an array":     call(`{"name":"gate","arguments":{"command":["ls"]},` + meta + `}`),
		"blank command":           call(`{"name":"gate","arguments":{"command":" \u2003\n"},` + meta + `}`),
		"command too long":        call(`{"name":"gate","arguments":{"command":"` + strings.Repeat("a", 20_001) + `"},` + meta + `}`),
		"relative cwd":            call(`{"name":"gate","arguments":{"command":"ls","cwd":"x"},` + meta + `}`),
		"server elsewhere":        call(`{"name":"gate","arguments":{"command":"ls","server":"http://10.0.0.1:80"},` + meta + `}`),
		"server with user info":   call(`{"name":"gate","arguments":{"command":"ls","server":"http://127.0.0.1@evil.example"},` + meta + `}`),
		"no labels":               call(`{"name":"classify","arguments":{"state":"x","labels":[]},` + meta + `}`),
		"a blank tool":            call(`{"name":"route","arguments":{"state":"x","tools":[" "]},` + meta + `}`),
		"forged state":            call(`{"name":"gate","arguments":{"command":"ls"},"requestState":"AAAA",` + meta + `}`),
		"state is a number":       call(`{"name":"gate","arguments":{"command":"ls"},"requestState":1,` + meta + `}`),
		"responses is an array":   call(`{"name":"gate","arguments":{"command":"ls"},"inputResponses":[],` + meta + `}`),
		"another revision":        call(`{"name":"gate","arguments":{"command":"ls"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-29","io.modelcontextprotocol/clientCapabilities":{}}}`),
		"no capabilities":         call(`{"name":"gate","arguments":{"command":"ls"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`),
		"meta is a string":        call(`{"name":"gate","arguments":{"command":"ls"},"_meta":"x"}`),
		"legacy without a hello":  call(`{"name":"gate","arguments":{"command":"ls"}}`),
		"a lone surrogate":        call(`{"name":"gate","arguments":{"command":"ls \ud800"},` + meta + `}`),
		"a NUL":                   call(`{"name":"gate","arguments":{"command":"ls \u0000"},` + meta + `}`),
	}
}

// unreadable are lines that say tools/call and are no request: an id that is none, a name twice, another protocol.
var unreadable = []string{
	`{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}}`,
	`{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}}`,
	`{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}}`,
	`{"jsonrpc":"1.0","id":"u4","method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}}`,
	`{"jsonrpc":"2.0","id":"u5","method":"tools/call","params":{"name":"gate","arguments":{"command":"rm -rf /","command":"ls"}}}`,
	`{"jsonrpc":"2.0","id":"u6","id":"u7","method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}}`,
}

// noCalls are lines of which nobody can say that they are calls: they are refused, and there is nothing to record.
var noCalls = []string{
	`{"jsonrpc":"2.0","id":"u8","method":"tools/call","method":"ping","params":{"name":"gate","arguments":{"command":"ls"}}}`,
	`{"jsonrpc":"2.0","id":"u9","method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}`,
	`{"jsonrpc":"2.0","id":"u10","method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}} {}`,
	`[{"jsonrpc":"2.0","id":"u11","method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}}]`,
	`{"jsonrpc":"2.0","id":"u12","Method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}}`,
	"\"\xff\"",
}

// TestEveryCallLeavesOneRecord is invariant 6 from the outside.
func TestEveryCallLeavesOneRecord(t *testing.T) {
	for _, overHTTP := range []bool{false, true} {
		t.Run(map[bool]string{false: "stdio", true: "http"}[overHTTP], func(t *testing.T) {
			is := is.New(t)
			p := start(t, setting{http: overHTTP, args: []string{"--fail-closed", "ask"}})
			want := map[string]int{}
			for name, text := range odd() {
				body := fmt.Sprintf(strings.ReplaceAll(text, "%s", "%[1]s"), name)
				// Over stdio two of them are odd, but whole calls of the oldest revision, for a harmless command.
				may := (name == "legacy without a hello" || name == "meta is a string") && !overHTTP
				a, err := p.send(name, modern, "gate", body)
				is.NoErr(err)
				if strings.Contains(a.raw, `\"decision\":\"allow\"`) != may {
					t.Errorf("%s: %s", name, a.raw)
				}
				want[name]++
			}
			// Two in flight with one id cannot be told apart over stdio; here the second comes after the first.
			for range 2 {
				a, err := p.call("twice", modern, "gate", `{"command":"git status"}`)
				is.NoErr(err)
				is.Equal(a.decision(), "allow")
				want["twice"]++
			}
			p.end()
			got := map[string]int{}
			for _, r := range p.records() {
				got[strings.Trim(r.RequestID, `"`)]++
			}
			for name, n := range want {
				if got[name] != n {
					t.Errorf("%s: %d records, want %d", name, got[name], n)
				}
				delete(got, name)
			}
			is.Equal(len(got), 0) // nothing else was recorded
			p.verify()
		})
	}
}

// Lines that are no request are refused, are no verdict, and leave a record all the same if they speak of tools/call.
func TestUnreadableCallsLeaveOneRecord(t *testing.T) {
	is := is.New(t)
	p := start(t, setting{})
	for _, line := range append(noCalls, unreadable...) {
		p.write(line + "\n")
	}
	p.write(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"gate","arguments":{"command":"ls"}}}` + "\n")
	p.initialize()
	p.end()
	for _, line := range p.strays() {
		if strings.Contains(line, `decision`) || !strings.Contains(line, `"error"`) {
			t.Errorf("answered: %s", line)
		}
	}
	is.Equal(len(p.strays()), len(noCalls)+len(unreadable)) // a refusal each; the call without an id gets none
	is.Equal(len(p.records()), len(unreadable)+1)           // and every call among them is recorded
}

// TestRequiredRecordThroughTheProgram: with --audit-required no record means no allow, however the file fails.
func TestRequiredRecordThroughTheProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs /dev/full and POSIX folders")
	}
	deny := func(t *testing.T, p *program, id string) {
		t.Helper()
		is := is.New(t)
		for _, v := range []string{modern, legacy} {
			a, err := p.call(id+v, v, "gate", `{"command":"git status"}`)
			is.NoErr(err)
			is.Equal(a.decision(), "deny")
			is.Equal(a.Result.Structured.Layer, "fail_closed")
		}
		a, err := p.call(id+"classify", modern, "classify", `{"state":"x","labels":["a","b"]}`)
		is.NoErr(err)
		is.True(a.Result != nil && a.Result.IsError)
	}
	t.Run("a full device", func(t *testing.T) {
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("there is none")
		}
		p := start(t, setting{args: []string{"--audit", "/dev/full", "--audit-required"}})
		p.initialize()
		deny(t, p, "full")
		p.end()
	})
	t.Run("the folder becomes a file", func(t *testing.T) {
		is := is.New(t)
		dir := filepath.Join(t.TempDir(), "trail")
		path := filepath.Join(dir, "audit.jsonl")
		p := start(t, setting{args: []string{"--audit", path, "--audit-required"}})
		p.initialize()
		a, err := p.call("before", modern, "gate", `{"command":"git status"}`)
		is.NoErr(err)
		is.Equal(a.decision(), "allow")
		is.NoErr(os.RemoveAll(dir))
		is.NoErr(os.WriteFile(dir, nil, 0o600))
		deny(t, p, "after")
		is.NoErr(os.Remove(dir))
		a, err = p.call("again", modern, "gate", `{"command":"git status"}`)
		is.NoErr(err)
		is.Equal(a.decision(), "allow") // the folder is made again
		p.end()
	})
	t.Run("the file becomes a folder or a pipe", func(t *testing.T) {
		is := is.New(t)
		path := filepath.Join(t.TempDir(), "audit.jsonl")
		p := start(t, setting{args: []string{"--audit", path, "--audit-required"}})
		p.initialize()
		is.NoErr(os.Remove(path))
		is.NoErr(os.Mkdir(path, 0o700))
		deny(t, p, "folder")
		p.end()
	})
}
