package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
)

const (
	forms = `{"elicitation":{}}`
	yes   = `{"gate_approval":{"action":"accept","content":{"approve":true}}}`
	key   = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
)

// ask calls gate with a client that shows forms.
func (p *program) ask(id, arguments string) *answer {
	p.t.Helper()
	a, err := p.send(id, modern, "gate", message(id, modern, "gate", arguments, forms, ""))
	check(p.t, err)
	return a
}

// redeem repeats a call with a state and a yes.
func (p *program) redeem(id, arguments, state string) *answer {
	a, err := p.send(id, modern, "gate", message(id, modern, "gate", arguments, forms, fmt.Sprintf(`"requestState":%q,"inputResponses":%s`, state, yes)))
	if err != nil {
		p.t.Error(err)
		return &answer{}
	}
	return a
}

// state asks and demands a form.
func (p *program) state(id, arguments string) string {
	p.t.Helper()
	a := p.ask(id, arguments)
	if a.Result == nil || a.Result.Type != "input_required" || a.Result.State == "" {
		p.t.Fatalf("%s: no form: %s", id, a.raw)
	}
	return a.Result.State
}

const once = `{"command":"frobnicate --once"}`

var asking = []string{"--fail-closed", "ask"}

// TestConfirmationIsGoodOnceThroughTheProgram is invariant 4 from the outside.
func TestConfirmationIsGoodOnceThroughTheProgram(t *testing.T) {
	for _, overHTTP := range []bool{false, true} {
		t.Run(map[bool]string{false: "stdio", true: "http"}[overHTTP], func(t *testing.T) {
			is := is.New(t)
			p := start(t, setting{http: overHTTP, args: asking})
			state := p.state("first", once)

			// Used for anything else it approves nothing, and is not used up.
			for name, other := range map[string]string{
				"another command":   `{"command":"frobnicate --twice"}`,
				"a longer command":  `{"command":"frobnicate --once "}`,
				"another directory": `{"command":"frobnicate --once","cwd":"/"}`,
				"another service":   `{"command":"frobnicate --once","server":"http://127.0.0.1:8155"}`,
				"another case":      `{"command":"Frobnicate --once"}`,
			} {
				a := p.redeem(name, other, state)
				if a.code() != -32602 || a.decision() != "" {
					t.Errorf("%s: %s", name, a.raw)
				}
			}
			// Changed in any place it is nothing.
			for i := range len(state) {
				c := byte('A')
				if state[i] == c {
					c = 'B'
				}
				forged := state[:i] + string(c) + state[i+1:]
				if a := p.redeem(fmt.Sprintf("forged %d", i), once, forged); a.decision() == "allow" {
					t.Fatalf("changed at %d: %s", i, a.raw)
				}
				if i%7 == 0 {
					if a := p.redeem(fmt.Sprintf("cut %d", i), once, state[:i]); a.decision() == "allow" {
						t.Fatalf("cut at %d: %s", i, a.raw)
					}
				}
			}
			// Other tools do not take it.
			for _, tool := range []string{"classify", "route", "score"} {
				a, err := p.send("tool "+tool, modern, tool, message("tool "+tool, modern, tool, once, forms, fmt.Sprintf(`"requestState":%q,"inputResponses":%s`, state, yes)))
				is.NoErr(err)
				is.Equal(a.decision(), "")
			}
			// Redeemed by many at once it is good for exactly one of them.
			var wg sync.WaitGroup
			var mu sync.Mutex
			count := map[string]int{}
			for i := range 32 {
				wg.Go(func() {
					a := p.redeem(fmt.Sprintf("race %d", i), once, state)
					mu.Lock()
					defer mu.Unlock()
					count[fmt.Sprintf("%s %d", a.decision(), a.code())]++
				})
			}
			wg.Wait()
			is.Equal(count, map[string]int{"allow 0": 1, " -32602": 31})
			p.end()
			allowed := 0
			for _, r := range p.records() {
				if r.Decision == "allow" {
					allowed++
					is.Equal(r.Layer, "human_confirm")
				}
			}
			is.Equal(allowed, 1)
			p.verify()
		})
	}
}

// A denied command stays denied whatever a client sends along.
func TestDenyIsFinalThroughTheProgram(t *testing.T) {
	is := is.New(t)
	p := start(t, setting{args: asking})
	good := p.state("good", once)
	for name, command := range map[string]string{
		"plain": `rm -rf /`, "chained": `ls && rm -rf /`, "wrapped": `sudo sh -c 'rm -rf /'`, "in a substitution": `echo $(rm -rf /)`,
	} {
		arguments, err := json.Marshal(map[string]string{"command": command})
		is.NoErr(err)
		is.Equal(p.ask(name, string(arguments)).decision(), "deny")
		for _, state := range []string{good, "", "AAAA"} {
			a := p.redeem(name+"/"+state, string(arguments), state)
			if a.decision() == "allow" || a.decision() == "ask" || a.Result != nil && a.Result.Type == "input_required" {
				t.Errorf("%s: %s", name, a.raw)
			}
		}
	}
	is.Equal(p.redeem("after all", once, good).decision(), "allow") // none of it used the good one up
	p.end()
}

// Processes that share key and folder take each other's states, and each of them once among all.
func TestSharedConfirmationsThroughTheProgram(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	used := filepath.Join(dir, "used")
	s := setting{args: append([]string{"--state-dir", used}, asking...), env: []string{"PHOCINAE_MCP_STATE_KEY=" + key}}
	arguments := fmt.Sprintf(`{"command":"frobnicate --once","cwd":%q}`, filepath.ToSlash(dir))
	if runtime.GOOS == "windows" {
		t.Skip("the folder has no slashes there")
	}
	a, b := start(t, s), start(t, s)
	web := s
	web.http = true
	w := start(t, web)

	state := a.state("1", arguments)
	is.Equal(w.redeem("1", arguments, state).code(), -32602) // made for the other transport
	is.Equal(b.redeem("1", arguments, state).decision(), "allow")
	is.Equal(a.redeem("2", arguments, state).code(), -32602)
	is.Equal(b.redeem("2", arguments, state).code(), -32602)

	// Removing the folder brings nothing back.
	is.NoErr(os.RemoveAll(used))
	is.Equal(b.redeem("3", arguments, state).code(), -32602)
	is.Equal(a.redeem("3", arguments, state).code(), -32602)
	is.NoErr(os.RemoveAll(used))
	is.NoErr(os.Mkdir(used, 0o700))
	is.Equal(a.redeem("4", arguments, state).code(), -32602)

	// A folder that cannot be used takes nothing, and no form is shown whose answer could not be taken.
	fresh := a.state("fresh", arguments)
	refused := func(p *program, id string) {
		t.Helper()
		again := p.ask(id, arguments)
		is.Equal(again.decision(), "ask")
		is.Equal(again.Result.State, "")
		is.Equal(p.redeem(id+" redeemed", arguments, fresh).code(), -32602)
	}
	is.NoErr(os.RemoveAll(used))
	is.NoErr(os.WriteFile(used, nil, 0o600))
	refused(a, "5")
	is.NoErr(os.Remove(used))
	is.NoErr(os.Mkdir(used, 0o700))
	is.NoErr(os.Chmod(used, 0o777))
	c := start(t, s)
	refused(c, "6")

	// Another key knows none of it; a random one neither.
	other := s
	other.env = []string{"PHOCINAE_MCP_STATE_KEY=" + strings.Repeat("ff", 32)}
	o := start(t, other)
	is.Equal(o.redeem("9", arguments, state).code(), -32602)
	for _, p := range []*program{a, b, c, o, w} {
		p.end()
	}
}
