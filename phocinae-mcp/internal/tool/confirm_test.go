package tool

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
)

// The table of TOOLS.md, "Confirmation round", line by line.
func TestConfirmationRound(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answer  any
		want    string // decision, or "form" for another round
		layer   string
		confirm string
	}{
		{"accept and approve", yes, "allow", "human_confirm", "approved"},
		{"approve with a note", accept(map[string]any{"approve": true, "note": "fine"}), "allow", "human_confirm", "approved"},
		{"accept and not approve", no, "deny", "human_confirm", "declined"},
		{"decline", decline, "deny", "human_confirm", "declined"},
		{"decline with an approving content", map[string]any{"action": "decline", "content": map[string]any{"approve": true}}, "deny", "human_confirm", "declined"},
		{"cancel", cancel, "ask", "human_confirm", "cancelled"},
		{"no answer", nil, "form", "", "offered"},
		{"accept without content", accept(nil), "form", "", "offered"},
		{"accept of an empty form", accept(map[string]any{}), "form", "", "offered"},
		{"approve is no boolean", accept(map[string]any{"approve": "true"}), "form", "", "offered"},
		{"approve is a number", accept(map[string]any{"approve": 1}), "form", "", "offered"},
		{"note is no string", accept(map[string]any{"approve": true, "note": 1}), "form", "", "offered"},
		{"an unknown key only", accept(map[string]any{"ok": true}), "form", "", "offered"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, nil)
			c := w.client(v2026, true)
			first := c.gate(cmd("ask me"), nil)
			is.Equal(first.Type, "input_required")
			is.Equal(w.trail.last(t).Confirm, "offered")
			second := c.gate(cmd("ask me"), retry(first.State, tt.answer))
			is.Equal(w.trail.last(t).Confirm, tt.confirm)
			if tt.want == "form" {
				is.Equal(second.Type, "input_required")
				is.True(second.State != first.State)
				return
			}
			is.Equal(second.Decision, tt.want)
			is.Equal(second.Layer, tt.layer)
			is.Equal(second.HumanAction, map[string]string{"allow": "none", "deny": "block", "ask": "confirm"}[tt.want])
			is.Equal(len(w.trail.all()), 2) // one record a call
		})
	}
}

// Answers that are not even shaped like an answer are sent raw: mcptest would refuse to send them.
func TestMalformedAnswersNeverApprove(t *testing.T) {
	for _, raw := range []string{
		`{"action":"ACCEPT","content":{"approve":true}}`, `{"content":{"approve":true}}`, `{}`, `null`, `true`, `"accept"`, `[]`,
		`{"action":"accept","content":[true]}`, `{"action":"accept","content":"approve"}`, `{"action":"accept","content":{"Approve":true}}`,
		`{"action":"accept","content":{"approve":null}}`, `{"action":"accept","content":{"approve":{}}}`,
	} {
		t.Run(raw, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, nil)
			first := w.client(v2026, true).gate(cmd("ask me"), nil)
			line := rawCall("ask me", `"requestState":`+text(first.State)+`,"inputResponses":{"gate_approval":`+raw+`}`)
			out := w.line(line)
			is.True(!strings.Contains(out, `"decision":"allow"`))
			is.True(!strings.Contains(out, `\"decision\":\"allow\"`))
		})
	}
}

func TestStateIsGoodForOneCallOnly(t *testing.T) {
	w := newWorld(t, nil)
	c := w.client(v2026, true)
	state := func(command string) string {
		t.Helper()
		r := c.gate(cmd(command), nil)
		if r.Type != "input_required" {
			t.Fatalf("no form for %q: %+v", command, r)
		}
		return r.State
	}
	refuse := func(name string, arguments map[string]any, state string) {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			r := c.gate(arguments, retry(state, yes))
			is.Equal(r.code, -32602)
			is.True(r.text != "")
			is.True(!strings.Contains(strings.ToLower(r.text), "key")) // nothing about keys
			is.Equal(w.trail.last(t).Confirm, "refused")
		})
	}
	s := state("ask a")
	refuse("for another command", cmd("ask b"), s)
	refuse("for another directory", map[string]any{"command": "ask a", "cwd": "/elsewhere"}, s)
	refuse("for another server", map[string]any{"command": "ask a", "server": "http://127.0.0.1:9"}, s)
	refuse("for the same command spelled with a blank", cmd("ask a "), s)
	refuse("changed", cmd("ask a"), flip(s))
	refuse("cut", cmd("ask a"), s[:len(s)-4])
	refuse("empty base64", cmd("ask a"), "AAAA")
	refuse("no base64", cmd("ask a"), "not a state!")
	refuse("even for a command the table allows", cmd("allow x"), s)

	t.Run("order of members does not matter, and it is good once", func(t *testing.T) {
		is := is.New(t)
		args := map[string]any{"command": "ask c", "cwd": "/work", "server": "http://127.0.0.1:9"}
		first := c.gate(args, nil)
		out := w.line(rawCallWith(`{"server":"http://127.0.0.1:9","cwd":"/work","command":"ask\u0020c"}`,
			`"requestState":`+text(first.State)+`,"inputResponses":{"gate_approval":{"action":"accept","content":{"approve":true}}}`))
		is.True(strings.Contains(out, `"decision":"allow"`))
		is.Equal(c.gate(args, retry(first.State, yes)).code, -32602) // used before
	})
	t.Run("a retry without a usable answer uses it up too", func(t *testing.T) {
		is := is.New(t)
		s := state("ask d")
		is.Equal(c.gate(cmd("ask d"), retry(s, nil)).Type, "input_required")
		is.Equal(c.gate(cmd("ask d"), retry(s, yes)).code, -32602)
	})
	t.Run("it expires", func(t *testing.T) {
		is := is.New(t)
		s := state("ask e")
		w.pass(stateLife)
		r := c.gate(cmd("ask e"), retry(s, yes))
		is.Equal(r.code, -32602)
		is.True(strings.Contains(r.text, "expired"))
	})
	t.Run("another process does not take it", func(t *testing.T) {
		is := is.New(t)
		s := state("ask f")
		other := connect(t, w.build(), v2026, true)
		is.Equal(other.gate(cmd("ask f"), retry(s, yes)).code, -32602)
	})
	t.Run("another tool does not take it", func(t *testing.T) {
		is := is.New(t)
		s := state("ask g")
		r := c.read(map[string]any{"name": "classify", "arguments": map[string]any{"state": "x", "labels": []string{"a", "b"}}, "requestState": s})
		is.Equal(r.code, -32602)
		is.Equal(w.trail.last(t).Confirm, "refused")
		_, err := c.Request(t.Context(), "resources/read", map[string]any{"uri": policyURI, "requestState": s})
		is.True(err != nil)
	})
	t.Run("the command is not readable in it", func(t *testing.T) {
		is := is.New(t)
		s := state("ask for-something-recognisable")
		plain, err := base64.RawURLEncoding.DecodeString(s)
		is.NoErr(err)
		is.True(!strings.Contains(string(plain), "recognisable"))
		is.True(len(s) < 4096)
	})
}

func flip(s string) string {
	b := []byte(s)
	if b[20] == 'A' {
		b[20] = 'B'
	} else {
		b[20] = 'A'
	}
	return string(b)
}

func TestAnswerWithoutStateIsAFirstCall(t *testing.T) {
	is := is.New(t)
	c := newWorld(t, nil).client(v2026, true)
	r := c.gate(cmd("ask me"), map[string]any{"inputResponses": map[string]any{"gate_approval": yes}})
	is.Equal(r.Type, "input_required")
}

func TestDenyIsFinal(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	c := w.client(v2026, true)
	is.Equal(c.gate(cmd("deny me"), nil).Decision, "deny")
	is.Equal(c.gate(cmd("odd me"), nil).Type, "input_required") // unreadable text may be asked about

	// Whatever happened between question and answer, a deny wins over an approval.
	state := c.gate(cmd("ask me"), nil).State
	w.table.say("") // same findings
	w.cfg.FailClosed = 0
	r := c.gate(cmd("deny me"), retry(state, yes))
	is.Equal(r.code, -32602)
}

func TestRoundsEnd(t *testing.T) {
	is := is.New(t)
	c := newWorld(t, nil).client(v2026, true)
	r := c.gate(cmd("ask me"), nil)
	for range extraRounds {
		is.Equal(r.Type, "input_required")
		r = c.gate(cmd("ask me"), retry(r.State, accept(nil)))
	}
	is.Equal(r.Type, "input_required")
	r = c.gate(cmd("ask me"), retry(r.State, accept(nil)))
	is.Equal(r.Decision, "ask")
	is.Equal(r.HumanAction, "confirm")
}

func TestChangedFindingsAskAgain(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	c := w.client(v2026, true)
	first := c.gate(cmd("ask me"), nil)
	w.table.say(", which changed")
	second := c.gate(cmd("ask me"), retry(first.State, yes))
	is.Equal(second.Type, "input_required") // the person saw something else
	is.Equal(c.gate(cmd("ask me"), retry(second.State, yes)).Decision, "allow")
}

func TestDeclineIsRememberedForAMinute(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	c := w.client(v2026, true)
	c.gate(cmd("ask me"), retry(c.gate(cmd("ask me"), nil).State, decline))
	again := c.gate(cmd("ask me"), nil)
	is.Equal(again.Decision, "deny")
	is.Equal(again.Layer, "human_confirm")
	is.True(strings.Contains(again.Reason, "A person can run it")) // says how to go on
	is.True(!strings.Contains(again.Reason, "refused"))            // nobody knows whether a person did it
	is.Equal(c.gate(cmd("ask another"), nil).Type, "input_required")
	w.pass(61 * time.Second)
	is.Equal(c.gate(cmd("ask me"), nil).Type, "input_required")
}

func TestThirtyPromptsAMinute(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	c := w.client(v2026, true)
	for i := range 30 {
		is.Equal(c.gate(cmd(fmt.Sprint("ask ", i)), nil).Type, "input_required")
	}
	r := c.gate(cmd("ask one more"), nil)
	is.Equal(r.Decision, "ask")
	is.Equal(w.trail.last(t).Confirm, "too_many_prompts")
	w.pass(time.Minute)
	is.Equal(c.gate(cmd("ask one more"), nil).Type, "input_required")
}

func TestClientsWithoutForms(t *testing.T) {
	t.Run("modern", func(t *testing.T) {
		is := is.New(t)
		r := newWorld(t, nil).client(v2026, false).gate(cmd("ask me"), nil)
		is.Equal(r.Decision, "ask")
		is.Equal(r.HumanAction, "confirm")
	})
	t.Run("modern with addresses only", func(t *testing.T) {
		is := is.New(t)
		out := newWorld(t, nil).line(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gate","arguments":{"command":"ask me"},"_meta":{` +
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}}}}}`)
		is.True(strings.Contains(out, `"decision":"ask"`))
	})
	for _, v := range []struct {
		name  string
		forms bool
		out   string
	}{{"2024-11-05", true, "ask"}, {"2025-03-26", true, "ask"}} {
		t.Run(v.name+" has no forms whatever it declares", func(t *testing.T) {
			is := is.New(t)
			rev := v2024
			if v.name == "2025-03-26" {
				rev = v0325
			}
			is.Equal(newWorld(t, nil).client(rev, false).gate(cmd("ask me"), nil).Decision, v.out)
		})
	}
}

func TestTooLongForAForm(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	r := w.client(v2026, true).gate(cmd("ask "+strings.Repeat("x", 6000)), nil)
	is.Equal(r.Decision, "ask")
	is.Equal(w.trail.last(t).Confirm, "too_long_to_show")
}

func TestLegacyElicitation(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers []any
		want    string
		layer   string
		confirm string
		asked   int
	}{
		{"approved", []any{yes}, "allow", "human_confirm", "approved", 1},
		{"not approved", []any{no}, "deny", "human_confirm", "declined", 1},
		{"declined", []any{decline}, "deny", "human_confirm", "declined", 1},
		{"cancelled", []any{cancel}, "ask", "human_confirm", "cancelled", 1},
		{"an empty form is asked again", []any{accept(nil), yes}, "allow", "human_confirm", "approved", 2},
		{"three empty forms end it", []any{accept(nil), accept(nil), accept(nil)}, "ask", "fail_closed", "rounds_used_up", 3},
	} {
		for _, v := range []string{"2025-06-18", "2025-11-25"} {
			t.Run(tt.name+" "+v, func(t *testing.T) {
				is := is.New(t)
				w := newWorld(t, nil)
				rev := v0618
				if v == "2025-11-25" {
					rev = v1125
				}
				c := w.client(rev, true, tt.answers...)
				r := c.gate(cmd("ask me"), nil)
				is.Equal(r.Decision, tt.want)
				is.Equal(r.Layer, tt.layer)
				is.Equal(len(c.asked), tt.asked)
				is.Equal(strings.Contains(c.asked[0], `"mode"`), v == "2025-11-25")
				is.Equal(w.trail.last(t).Confirm, tt.confirm)
				is.Equal(len(w.trail.all()), 1)
			})
		}
	}
	t.Run("nobody answers in time", func(t *testing.T) {
		is := is.New(t)
		w := newWorld(t, func(c *config.Config) { c.ConfirmTimeout = 30 * time.Millisecond })
		r := w.client(v1125, true).gate(cmd("ask me"), nil)
		is.Equal(r.Decision, "ask")
		is.Equal(r.HumanAction, "confirm")
		is.Equal(w.trail.last(t).Confirm, "no_answer")
	})
	t.Run("a decline is remembered", func(t *testing.T) {
		is := is.New(t)
		c := newWorld(t, nil).client(v1125, true, decline)
		c.gate(cmd("ask me"), nil)
		is.Equal(c.gate(cmd("ask me"), nil).Decision, "deny")
		is.Equal(len(c.asked), 1)
	})
}

func TestSharedKey(t *testing.T) {
	key := sha256.Sum256([]byte("one"))
	old := sha256.Sum256([]byte("two"))
	shared := func(t *testing.T, keys ...[]byte) *world {
		dir := t.TempDir()
		return newWorld(t, func(c *config.Config) { c.StateKeys, c.StateDir = keys, dir })
	}
	t.Run("another process takes the state, once", func(t *testing.T) {
		is := is.New(t)
		w := shared(t, key[:])
		a, b := w.client(v2026, true), connect(t, w.build(), v2026, true)
		s := a.gate(cmd("ask me"), nil).State
		is.Equal(b.gate(cmd("ask me"), retry(s, yes)).Decision, "allow")
		is.Equal(a.gate(cmd("ask me"), retry(s, yes)).code, -32602)
	})
	t.Run("keys rotate: the first seals, all open", func(t *testing.T) {
		is := is.New(t)
		w := shared(t, old[:])
		s := w.client(v2026, true).gate(cmd("ask me"), nil).State
		w.cfg.StateKeys = [][]byte{key[:], old[:]}
		is.Equal(connect(t, w.build(), v2026, true).gate(cmd("ask me"), retry(s, yes)).Decision, "allow")
		s = connect(t, w.build(), v2026, true).gate(cmd("ask me"), nil).State
		w.cfg.StateKeys = [][]byte{old[:]}
		is.Equal(connect(t, w.build(), v2026, true).gate(cmd("ask me"), retry(s, yes)).code, -32602)
	})
	t.Run("a ledger that cannot be written refuses", func(t *testing.T) {
		is := is.New(t)
		dir := filepath.Join(t.TempDir(), "used")
		w := newWorld(t, func(c *config.Config) { c.StateKeys, c.StateDir = [][]byte{key[:]}, dir })
		c := w.client(v2026, true)
		state := c.gate(cmd("ask me"), nil).State
		is.True(state != "") // it was asked while the folder was there
		is.NoErr(os.RemoveAll(dir))
		is.NoErr(os.WriteFile(dir, nil, 0o600))
		r := c.gate(cmd("ask me"), retry(state, yes))
		is.Equal(r.code, -32602)
		is.True(!strings.Contains(r.text, dir)) // no path
	})
}

func TestOneStateManyRetriesConcurrentSafe(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	c := w.client(v2026, true)
	s := c.gate(cmd("ask me"), nil).State
	var wg sync.WaitGroup
	var mu sync.Mutex
	allowed := 0
	for range 16 {
		wg.Go(func() {
			if c.gate(cmd("ask me"), retry(s, yes)).Decision == "allow" {
				mu.Lock()
				defer mu.Unlock()
				allowed++
			}
		})
	}
	wg.Wait()
	is.Equal(allowed, 1)
}
