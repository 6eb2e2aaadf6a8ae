package tool

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/approval"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// fickle is an engine that changes its mind when it is told to; every judgement before was ask.
type fickle struct {
	table
	mu      sync.Mutex
	verdict gatecore.Verdict
}

func (e *fickle) turn(v gatecore.Verdict) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.verdict = v
}

func (e *fickle) Assess(command string, at gatecore.Place) gatecore.Report {
	e.mu.Lock()
	v := e.verdict
	e.mu.Unlock()
	if v == 0 {
		return e.table.Assess(command, at)
	}
	f := gatecore.Finding{RuleID: "test.turned", Verdict: v, End: len(command), Why: "It turned."}
	return gatecore.Report{Verdict: v, Findings: []gatecore.Finding{f}}
}

func newFickle(t *testing.T) (*world, *fickle) {
	t.Helper()
	w, e := newWorld(t, nil), &fickle{}
	s, err := NewServer(Deps{
		Config: &w.cfg, Judge: gate.New(&w.cfg, e, nil, nil), Rules: w.table, Audit: w.trail, Dir: "/work", Now: w.clock,
		Output: mcpserver.OutputTrusted,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.server = s
	return w, e
}

// TestVerdictTurnsBetweenQuestionAndAnswer: what counts is the verdict at the time of the answer.
func TestVerdictTurnsBetweenQuestionAndAnswer(t *testing.T) {
	for _, tt := range []struct {
		claim    string
		verdict  gatecore.Verdict
		answer   any
		decision string
		layer    string
		confirm  string
	}{
		{"an approval cannot soften a deny", gatecore.Deny, yes, "deny", "L0", "overruled"},
		{"a deny needs no answer", gatecore.Deny, nil, "deny", "L0", "overruled"},
		{"a decline is heard though the table allows by now", gatecore.Allow, decline, "deny", "human_confirm", "declined"},
		{"a closed form stays unanswered though the table allows by now", gatecore.Allow, cancel, "ask", "human_confirm", "cancelled"},
		{"an approval of what the table allows by now", gatecore.Allow, yes, "allow", "L0", "approved"},
		{"what the table allows by now is not asked about again", gatecore.Allow, nil, "allow", "L0", ""},
		{"nor after an unusable answer", gatecore.Allow, accept(nil), "allow", "L0", ""},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			w, e := newFickle(t)
			c := w.client(v2026, true)
			state := c.gate(cmd("ask me"), nil).State
			e.turn(tt.verdict)
			r := c.gate(cmd("ask me"), retry(state, tt.answer))
			is.Equal(r.Decision, tt.decision)
			is.Equal(r.Layer, tt.layer)
			is.Equal(w.trail.last(t).Confirm, tt.confirm)
		})
	}
	for _, v := range []struct {
		claim   string
		verdict gatecore.Verdict
		want    string
	}{
		{"a legacy approval cannot soften a deny", gatecore.Deny, "deny"},
		{"a legacy approval of what the table allows by now", gatecore.Allow, "allow"},
	} {
		t.Run(v.claim, func(t *testing.T) {
			is := is.New(t)
			w, e := newFickle(t)
			c := w.client(v1125, true, turning{yes, func() { e.turn(v.verdict) }})
			is.Equal(c.gate(cmd("ask me"), nil).Decision, v.want)
			is.Equal(len(c.asked), 1)
			is.Equal(w.trail.last(t).Confirm, "overruled")
		})
	}
}

// turning is an answer whose encoding is the moment at which something happens.
type turning struct {
	answer any
	happen func()
}

// MarshalJSON makes it happen.
func (a turning) MarshalJSON() ([]byte, error) {
	a.happen()
	return mcpproto.Marshal(a.answer)
}

func TestLegacyClientIsAskedAboutWhatChanged(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	c := w.client(v1125, true, turning{yes, func() { w.table.say(", which changed") }}, no)
	r := c.gate(cmd("ask me"), nil)
	is.Equal(len(c.asked), 2) // the first approval was for something else
	is.True(strings.Contains(c.asked[1], "which changed"))
	is.Equal(r.Decision, "deny")
}

func TestRetryOfAClientThatShowsNoForms(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	state := w.client(v2026, true).gate(cmd("ask me"), nil).State
	r := w.client(v2026, false).gate(cmd("ask me"), retry(state, nil))
	is.Equal(r.Type, "complete") // nothing that it cannot show
	is.Equal(r.Decision, "ask")
}

// TestSealedContentsAreChecked: a seal that fits says who made the state, not that this version can read it.
func TestSealedContentsAreChecked(t *testing.T) {
	good := sealed{Format: stateFormat, Instance: "i", Transport: mcpproto.Stdio.String()}
	change := func(f func(*sealed)) any { s := good; f(&s); return &s }
	for _, tt := range []struct {
		claim string
		data  any
		want  error // nil: believed
	}{
		{"as it was made", &good, nil},
		{"a later round", change(func(s *sealed) { s.Round = extraRounds }), nil},
		{"of another format", change(func(s *sealed) { s.Format = stateFormat + 1 }), mcpproto.ErrStateMalformed},
		{"without a format", change(func(s *sealed) { s.Format = 0 }), mcpproto.ErrStateMalformed},
		{"of a round before the first", change(func(s *sealed) { s.Round = -1 }), mcpproto.ErrStateMalformed},
		{"with a member of another type", map[string]any{"v": stateFormat, "i": "i", "t": "stdio", "r": "0"}, mcpproto.ErrStateMalformed},
		{"no object", []int{stateFormat}, mcpproto.ErrStateMalformed},
		{"for another transport", change(func(s *sealed) { s.Transport = mcpproto.HTTP.String() }), errOther},
		{"of another process", change(func(s *sealed) { s.Instance = "j" }), errOther},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			now := time.Now()
			ts := &tools{
				Deps: Deps{Now: func() time.Time { return now }}, sealer: mcpproto.RandomStateSealer(),
				ledger: mcpproto.NewMemoryLedger(0), instance: "i",
			}
			params, err := mcpproto.DigestParams(jsontext.Value(`{}`))
			is.NoErr(err)
			data, err := mcpproto.Marshal(tt.data)
			is.NoErr(err)
			state, err := ts.sealer.Seal(mcpproto.StateClaims{
				Method: stateMethod, Params: params, Issued: now, Expires: now.Add(stateLife), Data: data,
			})
			is.NoErr(err)
			call := &mcpserver.Call{Request: mcpserver.Request{Transport: mcpproto.Stdio}, RequestState: state}
			s, err := ts.open(call, params)
			is.True(errors.Is(err, tt.want))
			is.Equal(s != nil, tt.want == nil)
			_, again := ts.open(call, params)
			is.Equal(errors.Is(again, mcpproto.ErrNonceUsed), tt.want == nil) // what was refused did not use anything up
		})
	}
}

func TestStateWords(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{mcpproto.ErrStateExpired, "it has expired; call again without it"},
		{mcpproto.ErrNonceUsed, "it was used before; call again without it"},
		{mcpproto.ErrNonceOld, "it is too old; call again without it"},
		{mcpproto.ErrNonce, "its use cannot be recorded; a person has to look at the server's log"},
		{mcpproto.ErrStateOther, "it was made for another request"},
		{errOther, "it was made for another request"},
		{mcpproto.ErrStateMalformed, "it was not made by this server or was changed on the way"},
		{errors.New("open /secret/place: no such file"), "it was not made by this server or was changed on the way"},
	} {
		t.Run(tt.err.Error(), func(t *testing.T) {
			is := is.New(t)
			is.Equal(stateWords(fmt.Errorf("opening: %w", tt.err)), tt.want)
		})
	}
}

func TestOutcomeBelievesNothingBesideAnError(t *testing.T) {
	is := is.New(t)
	approve := &mcpproto.ElicitResult{Action: mcpproto.ActionAccept, Content: jsontext.Value(`{"approve":true}`)}
	is.Equal(outcome(approve, nil), approved)
	is.Equal(outcome(approve, mcpproto.ErrBadResponse), unusable)
	is.Equal(outcome(nil, nil), unusable)
}

// TestNoFormWithoutAFolderToRedeemItIn: where the use of a confirmation cannot be recorded, no form is shown.
func TestNoFormWithoutAFolderToRedeemItIn(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	full := t.TempDir() // nothing can be written there: even as root a folder cannot be opened as a file
	if err := os.MkdirAll(filepath.Join(full, "try"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		claim, dir string
		blocked    bool
	}{
		{"a folder that can be made", filepath.Join(t.TempDir(), "used"), false},
		{"a file in its way", filepath.Join(blocked, "used"), true},
		{"a folder that takes no files", full, true},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			var log bytes.Buffer
			w := newWorld(t, func(c *config.Config) { c.StateKeys, c.StateDir = [][]byte{bytes.Repeat([]byte{7}, 32)}, tt.dir })
			s, err := NewServer(Deps{
				Config: &w.cfg, Judge: gate.New(&w.cfg, w.table, nil, nil), Rules: w.table, Audit: w.trail, Dir: "/work", Now: w.clock,
				Output: mcpserver.OutputTrusted,
				Logger: slog.New(slog.NewTextHandler(&log, nil)),
			})
			is.NoErr(err)
			w.server = s
			r := w.client(v2026, true).gate(cmd("ask me"), nil)
			is.Equal(strings.Contains(log.String(), "no form is shown"), tt.blocked)
			if !tt.blocked {
				is.Equal(r.Type, "input_required")
				is.Equal(w.trail.last(t).Confirm, "offered")
				return
			}
			is.Equal(r.Type, "complete")
			is.Equal(r.Decision, "ask") // as text, and never more
			is.Equal(r.HumanAction, "confirm")
			is.Equal(r.State, "")
			is.True(strings.Contains(r.Reason, "gate --confirm")) // the way that is left
			is.Equal(w.trail.last(t).Confirm, "not_redeemable")
		})
	}
}

func TestPrograms(t *testing.T) {
	is := is.New(t)
	is.Equal(Programs(nil), nil)
	is.Equal(Programs([]*gatecore.Part{
		nil, // never made, never fatal
		{Kind: "wrapper", Words: []string{"sudo", "-n"}, Children: []*gatecore.Part{
			{Kind: "text", Words: []string{"no program"}, Children: []*gatecore.Part{{Kind: "command", Words: []string{"rm", "x"}}}},
		}},
		{Kind: "command"}, // an assignment alone
		{Kind: "redirection", Words: []string{"/etc/passwd"}},
		{Kind: "command", Words: []string{"ls"}},
	}), []string{"sudo", "rm", "ls"})
}

func TestSubjectIsWhatAPersonHasToSee(t *testing.T) {
	is := is.New(t)
	d := &gate.Decision{
		Request: gate.Request{Command: "ask me", Dir: "/work"}, Server: "http://127.0.0.1:8155", Why: "Because.", Instead: "look first",
		Findings: []gatecore.Finding{{RuleID: "test.rule", Verdict: gatecore.Undecided}},
	}
	want := &approval.Subject{
		Command: "ask me", Dir: "/work", Service: "http://127.0.0.1:8155", Why: "Because.", Instead: "look first", Findings: d.Findings,
	}
	is.Equal(Subject(d, nil), want) // without a table no programs are known
	want.Programs = []string{"ask"}
	is.Equal(Subject(d, &table{}), want)
}
