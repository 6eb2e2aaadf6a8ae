package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/phocinae/phocinae-go/mockp0"
)

// ErrUnexpected reports that some answer was not as it must be.
var ErrUnexpected = errors.New("demo: not every answer was as expected")

// The commands of the conversation that the table leaves undecided. The mock's answers are scripted by them.
const (
	harmless = "npm install left-pad"
	doubtful = "npm install right-pad"
	risky    = "npm publish"
	another  = "npm install middle-pad"
)

func script() *mockp0.Script {
	answer := func(command string, noul, score float64) mockp0.Rule {
		return mockp0.Rule{Name: command, Match: mockp0.Match{Contains: command}, Answer: &mockp0.Answer{Noul: mockp0.Float(noul), Score: mockp0.Float(score)}}
	}
	choose := func(text, label string) mockp0.Rule {
		return mockp0.Rule{Name: text, Match: mockp0.Match{Type: "choice", Contains: text}, Answer: &mockp0.Answer{Label: label}}
	}
	return &mockp0.Script{Rules: []mockp0.Rule{
		answer(harmless, 0.9, 2), answer(doubtful, 0.5, 5), answer(another, 0.5, 5), answer(risky, 0.1, 8),
		choose("The build is red again", "complaint"), choose("Where is the login handled", "search"),
		{Name: "essay", Match: mockp0.Match{Type: "score", Contains: "A short, clear text"}, Answer: &mockp0.Answer{Score: mockp0.Float(8)}},
	}}
}

// Options say how the transcript looks.
type Options struct {
	Colours bool
}

// play is the state of one performance.
type play struct {
	ctx     context.Context // of the performance: ends the children
	w       io.Writer
	colours bool
	exe     string
	dir     string
	good    int
	bad     int
	calls   int
	failed  error // of writing
}

// Run plays the conversation with the program exe and writes the transcript to w. ErrUnexpected if anything differs.
func Run(ctx context.Context, exe string, w io.Writer, o *Options) error {
	dir, err := os.MkdirTemp("", "phocinae-demo-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a folder for temporary files; the system clears it, too
	service, err := mockp0.Start("127.0.0.1:0", script())
	if err != nil {
		return err
	}
	defer service.Close()
	p := &play{ctx: ctx, w: w, exe: exe, dir: dir}
	if o != nil {
		p.colours = o.Colours
	}
	p.say("phocinae-mcp demo: the real program over stdio, a mock inference service at %s\n", service.URL)
	for _, act := range []func(string) error{p.table, p.model, p.person, p.inference} {
		if err := act(service.URL); err != nil {
			return err
		}
	}
	url := service.URL
	service.Close()
	if err := p.gone(url); err != nil {
		return err
	}
	p.trail()
	p.title("Summary")
	p.say("  %d as expected, %d not\n", p.good, p.bad)
	switch {
	case p.failed != nil:
		return p.failed
	case p.bad > 0:
		return ErrUnexpected
	}
	return nil
}

func (p *play) say(format string, args ...any) {
	if _, err := fmt.Fprintf(p.w, format, args...); err != nil && p.failed == nil {
		p.failed = err
	}
}

func (p *play) title(s string) { p.say("\n%s\n", p.paint("1", s)) }

func (p *play) paint(code, s string) string {
	if !p.colours {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// expect prints one exchange and compares it.
func (p *play) expect(said, heard, want, detail string) {
	mark := p.paint("32", "ok ")
	if heard == want {
		p.good++
	} else {
		p.bad++
		mark = p.paint("31", "BAD")
	}
	p.say("  %s → %s\n      ← %s", mark, said, p.paint("1", heard))
	if heard != want {
		p.say("   (expected %s)", want)
	}
	p.say("\n")
	if detail != "" {
		p.say("        %s\n", p.paint("2", detail))
	}
}

// start runs the program with its records in the play's folder.
func (p *play) start(args ...string) (*agent, error) {
	return start(p.ctx, p.exe, p.dir, append(args, "--audit", filepath.Join(p.dir, "audit.jsonl"))...)
}

// gate judges one command and compares decision and layer.
func (p *play) gate(a *agent, command, want string, extra map[string]any) (*result, error) {
	p.calls++
	m, err := a.call("gate", map[string]any{"command": command}, extra)
	if err != nil {
		return nil, err
	}
	heard, detail := verdict(m)
	p.expect(fmt.Sprintf("gate %q", command), heard, want, detail)
	return m.Result, nil
}

// verdict tells an answer of gate in few words.
func verdict(m *message) (heard, detail string) {
	if m.Error != nil {
		return fmt.Sprintf("error %d", m.Error.Code), m.Error.Message
	}
	if m.Result.ResultType == "input_required" {
		form := m.Result.InputRequests["gate_approval"].Params.Message
		return "form for a person", strings.ReplaceAll(form, "\n", "\n        ")
	}
	var d struct{ Decision, Layer, Reason string }
	if err := json.Unmarshal(m.Result.Structured, &d); err != nil || m.Result.IsError {
		return "no verdict", string(m.Result.Structured)
	}
	return d.Decision + " (" + d.Layer + ")", d.Reason
}

// table is the first act: a legacy client, the table alone.
func (p *play) table(string) error {
	p.title("1. A legacy client (2025-11-25), the table alone")
	a, err := p.start()
	if err != nil {
		return err
	}
	m, err := a.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "demo", "version": "1"},
	})
	if err != nil {
		return err
	}
	p.expect("initialize 2025-11-25", version(m), "2025-11-25", "")
	if err := a.notify("notifications/initialized"); err != nil {
		return err
	}
	if m, err = a.request("ping", nil); err != nil {
		return err
	}
	p.expect("ping", answered(m), "{}", "")
	if m, err = a.request("tools/list", nil); err != nil {
		return err
	}
	p.expect("tools/list", toolNames(m), "classify, gate, route, score", "")
	for _, step := range [][2]string{
		{"git status", "allow (L0)"}, {"rm -rf /", "deny (L0)"}, {"ls && rm -rf ~", "deny (L0)"}, {harmless, "deny (fail_closed)"},
	} {
		if _, err := p.gate(a, step[0], step[1], nil); err != nil {
			return err
		}
	}
	if m, err = a.request("shutdown", nil); err != nil {
		return err
	}
	p.expect("shutdown", answered(m), "{}", "")
	return p.end(a)
}

// end closes the input and looks at the exit.
func (p *play) end(a *agent) error {
	err := a.close()
	heard := "exit 0"
	if err != nil {
		heard = err.Error() + ": " + a.errs.String()
	}
	p.expect("end of input", heard, "exit 0", "")
	return nil
}

func version(m *message) string {
	if m.Result == nil {
		return "error"
	}
	return m.Result.ProtocolVersion
}

func answered(m *message) string {
	if m.Error != nil {
		return fmt.Sprintf("error %d", m.Error.Code)
	}
	return "{}"
}

func toolNames(m *message) string {
	if m.Result == nil {
		return "error"
	}
	var names []string
	for _, t := range m.Result.Tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// model is the second act: the model decides what the table leaves open.
func (p *play) model(url string) error {
	p.title("2. A modern client (2026-07-28) without forms, the model asked")
	a, err := p.start("--l1-enabled", "--server", url)
	if err != nil {
		return err
	}
	a.modern = map[string]any{}
	m, err := a.request("server/discover", nil)
	if err != nil {
		return err
	}
	p.expect("server/discover", answered(m), "{}", "")
	if m, err = a.request("resources/list", nil); err != nil {
		return err
	}
	p.expect("resources/list", fmt.Sprint(len(m.Result.Resources)), "2", "")
	if m, err = a.request("resources/read", map[string]any{"uri": "phocinae://policy/gate-approval"}); err != nil {
		return err
	}
	p.expect("resources/read phocinae://policy/gate-approval", answered(m), "{}", "")
	for _, step := range [][2]string{
		{"git status", "allow (L0)"}, {harmless, "allow (L1)"}, {doubtful, "ask (L1)"}, {risky, "deny (L1)"}, {"rm -rf /", "deny (L0)"},
	} {
		if _, err := p.gate(a, step[0], step[1], nil); err != nil {
			return err
		}
	}
	return p.end(a)
}

// person is the third act: the confirmation round.
func (p *play) person(url string) error {
	p.title("3. A modern client with forms: an ask reaches a person")
	a, err := p.start("--l1-enabled", "--server", url)
	if err != nil {
		return err
	}
	a.modern = map[string]any{"elicitation": map[string]any{"form": map[string]any{}}}
	r, err := p.gate(a, doubtful, "form for a person", nil)
	if err != nil {
		return err
	}
	yes := answer(r, map[string]any{"action": "accept", "content": map[string]any{"approve": true}})
	p.say("      the person types: yes\n")
	if _, err := p.gate(a, doubtful, "allow (human_confirm)", yes); err != nil {
		return err
	}
	p.say("      the same answer once more\n")
	if _, err := p.gate(a, doubtful, "error -32602", yes); err != nil {
		return err
	}
	if r, err = p.gate(a, another, "form for a person", nil); err != nil {
		return err
	}
	p.say("      that answer for another command\n")
	if _, err := p.gate(a, doubtful, "error -32602", answer(r, map[string]any{"action": "accept", "content": map[string]any{"approve": true}})); err != nil {
		return err
	}
	p.say("      the person declines\n")
	if _, err := p.gate(a, another, "deny (human_confirm)", answer(r, map[string]any{"action": "decline"})); err != nil {
		return err
	}
	p.say("      asked again at once: nobody is bothered twice\n")
	if _, err := p.gate(a, another, "deny (human_confirm)", nil); err != nil {
		return err
	}
	return p.end(a)
}

func answer(r *result, reply map[string]any) map[string]any {
	state := ""
	if r != nil {
		state = r.RequestState
	}
	return map[string]any{"requestState": state, "inputResponses": map[string]any{"gate_approval": reply}}
}

// questions are the calls of the three inference tools.
var questions = []struct {
	tool, member, want string
	arguments          map[string]any
}{
	{"classify", "label", "complaint", map[string]any{"state": "The build is red again", "labels": []string{"praise", "complaint", "question"}}},
	{"route", "tool", "search", map[string]any{"state": "Where is the login handled?", "tools": []string{"edit", "search", "deploy"}}},
	{"score", "score", "8", map[string]any{"state": "A short, clear text", "criteria": []string{"clarity", "brevity"}}},
}

// inference is the fourth act: the three other tools.
func (p *play) inference(url string) error {
	p.title("4. classify, route, score")
	a, err := p.start("--server", url)
	if err != nil {
		return err
	}
	a.modern = map[string]any{}
	for _, q := range questions {
		p.calls++
		m, err := a.call(q.tool, q.arguments, nil)
		if err != nil {
			return err
		}
		p.expect(q.tool+" "+short(q.arguments), member(m, q.member), q.want, "")
	}
	return p.end(a)
}

// gone is the fifth act: the service has died.
func (p *play) gone(url string) error {
	p.title("5. The service is gone: nothing turns into allow")
	a, err := p.start("--l1-enabled", "--server", url)
	if err != nil {
		return err
	}
	a.modern = map[string]any{}
	if _, err := p.gate(a, harmless, "deny (fail_closed)", nil); err != nil {
		return err
	}
	if _, err := p.gate(a, "git status", "allow (L0)", nil); err != nil {
		return err
	}
	for _, q := range questions {
		p.calls++
		m, err := a.call(q.tool, q.arguments, nil)
		if err != nil {
			return err
		}
		p.expect(q.tool+" "+short(q.arguments), member(m, q.member), "tool error", text(m))
	}
	return p.end(a)
}

func text(m *message) string {
	if m.Result == nil || len(m.Result.Content) == 0 {
		return ""
	}
	return m.Result.Content[0].Text
}

func short(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// member is one member of the structured content, or what the answer is instead.
func member(m *message, name string) string {
	switch {
	case m.Error != nil:
		return fmt.Sprintf("error %d", m.Error.Code)
	case m.Result.IsError:
		return "tool error"
	}
	var all map[string]any
	if err := json.Unmarshal(m.Result.Structured, &all); err != nil {
		return "nothing"
	}
	return fmt.Sprint(all[name])
}

// trail counts the records: one for every call.
func (p *play) trail() {
	p.title("6. The audit trail")
	data, err := os.ReadFile(filepath.Join(p.dir, "audit.jsonl"))
	heard := fmt.Sprintf("%d records", strings.Count(string(data), "\n"))
	if err != nil {
		heard = err.Error()
	}
	p.expect(fmt.Sprintf("%d calls were made", p.calls), heard, fmt.Sprintf("%d records", p.calls), "")
}
