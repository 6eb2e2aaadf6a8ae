package gate

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/p0client"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/serverpolicy"
)

// table is an engine with one answer.
type table struct {
	verdict gatecore.Verdict
	kind    gatecore.Kind
	panics  bool
}

func (e table) Assess(command string, _ gatecore.Place) gatecore.Report {
	if e.panics {
		panic("boom")
	}
	f := gatecore.Finding{RuleID: "test.rule", Verdict: e.verdict, Kind: e.kind, End: len(command), Why: "Because."}
	return gatecore.Report{Verdict: e.verdict, Kind: e.kind, Findings: []gatecore.Finding{f}}
}

func (table) WithoutComments(command string) string { return strings.TrimSuffix(command, " # please") }

// model is a service with one answer. It records what it was asked.
type model struct {
	answer p0client.GateAnswer
	err    error
	panics bool
	asked  []p0client.GateQuestion
}

func (m *model) Gate(_ context.Context, q p0client.GateQuestion) (p0client.GateAnswer, error) {
	m.asked = append(m.asked, q)
	if m.panics {
		panic("boom")
	}
	return m.answer, m.err
}

type models struct {
	configured, named *model
	policy            *serverpolicy.Policy
}

func (s models) Check(a string) (*serverpolicy.Target, error) { return s.policy.Check(a) }
func (s models) URL() string                                  { return "http://127.0.0.1:8155" }
func (s models) Configured() (Asker, error)                   { return s.configured, nil }
func (s models) Named(*serverpolicy.Target) (Asker, error)    { return s.named, nil }
func yes(noul, score float64) *model {
	return &model{answer: p0client.GateAnswer{Noul: noul, Score: score}}
}
func fails(err error) *model { return &model{err: err} }
func (m *model) orElse(d *model) *model {
	if m == nil {
		return d
	}
	return m
}

const listed, unlisted = "http://10.0.0.5:8155", "http://127.0.0.1:9999"

func judge(t *testing.T, e Engine, cfg config.Config, configured, named *model) *Judge {
	t.Helper()
	if cfg.Thresholds == (gatecore.Thresholds{}) {
		cfg.Thresholds = gatecore.DefaultThresholds()
	}
	if cfg.FailClosed == 0 {
		cfg.FailClosed = gatecore.Deny
	}
	return New(&cfg, e, models{configured.orElse(yes(1, 2)), named.orElse(yes(1, 2)), serverpolicy.New("http://127.0.0.1:8155", []string{listed}, nil)}, nil)
}

func TestDecide(t *testing.T) {
	l1 := config.Config{L1: true}
	undecided := table{verdict: gatecore.Undecided, kind: gatecore.Unproven}
	unreadable := table{verdict: gatecore.Undecided, kind: gatecore.Unreadable}
	for _, tt := range []struct {
		name   string
		engine table
		cfg    config.Config
		conf   *model
		want   string
		layer  Layer
		asked  int
	}{
		{"the table allows", table{verdict: gatecore.Allow}, config.Config{}, nil, "allow", L0, 0},
		{"the table denies", table{verdict: gatecore.Deny}, config.Config{}, nil, "deny", L0, 0},
		{"a deny of the table is not asked about", table{verdict: gatecore.Deny}, l1, yes(1, 2), "deny", L0, 0},
		{"undecided with L1 off is denied", undecided, config.Config{}, nil, "deny", FailClosed, 0},
		{"undecided with L1 off and the ask fallback", undecided, config.Config{FailClosed: gatecore.Undecided}, nil, "ask", FailClosed, 0},
		{"the model allows what is unproven", undecided, l1, yes(0.9, 2), "allow", L1, 1},
		{"the model wavers", undecided, l1, yes(0.5, 5), "ask", L1, 1},
		{"the model refuses", undecided, l1, yes(0.1, 8), "deny", L1, 1},
		{"the model is never asked about unreadable text", unreadable, l1, yes(1, 2), "deny", FailClosed, 0},
		{"unreadable text is at best asked about", unreadable, config.Config{L1: true, FailClosed: gatecore.Undecided}, yes(1, 2), "ask", FailClosed, 0},
		{"a dead service is a deny even with the ask fallback", undecided, config.Config{L1: true, FailClosed: gatecore.Undecided}, fails(p0client.ErrUnavailable), "deny", FailClosed, 1},
		{"an answer out of range is no answer", undecided, l1, yes(1, 0), "deny", FailClosed, 1},
		{"an answer that is no number is no answer", undecided, l1, yes(math.NaN(), 2), "deny", FailClosed, 1},
		{"a panicking client is a deny", undecided, l1, &model{panics: true}, "deny", FailClosed, 1},
		{"a panicking table is a deny", table{panics: true}, config.Config{FailClosed: gatecore.Undecided}, nil, "deny", FailClosed, 0},
		{"a table that gives no verdict is a deny", table{}, config.Config{FailClosed: gatecore.Undecided}, nil, "deny", FailClosed, 0},
		{"a table that gives an unknown verdict is a deny", table{verdict: 9}, l1, nil, "deny", FailClosed, 0},
		{"an allow of a kind is no allow", table{verdict: gatecore.Allow, kind: gatecore.Unreadable}, l1, nil, "deny", FailClosed, 0},
		{"the table off: everything is asked", table{verdict: gatecore.Allow}, config.Config{L1: true, Guard: config.Guard{Off: true}}, yes(0.1, 9), "deny", L1, 1},
		{"the table off: the model may allow", table{panics: true}, config.Config{L1: true, Guard: config.Guard{Off: true}}, yes(0.9, 2), "allow", L1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			conf := tt.conf.orElse(yes(1, 2))
			d := judge(t, tt.engine, tt.cfg, conf, nil).Decide(t.Context(), Request{Command: "x", Dir: "/w"})
			is.Equal(Word(d.Verdict), tt.want)
			is.Equal(d.Layer, tt.layer)
			is.Equal(len(conf.asked), tt.asked)
			is.True(d.Reason() != "")
		})
	}
}

func TestTwoServices(t *testing.T) {
	undecided := table{verdict: gatecore.Undecided, kind: gatecore.Unproven}
	dead := p0client.ErrTimeout
	for _, tt := range []struct {
		name             string
		server           string
		conf, named      *model
		want             string
		confAsk, nameAsk int
	}{
		{"an unlisted service cannot soften", unlisted, yes(0.1, 9), yes(1, 2), "deny", 1, 1},
		{"an unlisted service can be stricter", unlisted, yes(1, 2), yes(0.1, 9), "deny", 1, 1},
		{"both allow", unlisted, yes(1, 2), yes(0.9, 3), "allow", 1, 1},
		{"ask is stricter than allow", unlisted, yes(1, 2), yes(0.5, 3), "ask", 1, 1},
		{"the configured one is dead", unlisted, fails(dead), yes(1, 2), "deny", 1, 1},
		{"the named one is dead", unlisted, yes(1, 2), fails(dead), "deny", 1, 1},
		{"a listed service replaces the configured one", listed, yes(0.1, 9), yes(1, 2), "allow", 0, 1},
		{"a listed service that is dead is not replaced", listed, yes(1, 2), fails(dead), "deny", 0, 1},
		{"the configured one by name is asked once", "http://127.0.0.1:8155/v1/systemone", yes(1, 2), yes(0.1, 9), "allow", 1, 0},
		{"a foreign service is never asked", "http://10.9.9.9", yes(1, 2), yes(1, 2), "deny", 0, 0},
		{"a malformed argument is never asked", "http://a:b@127.0.0.1", yes(1, 2), yes(1, 2), "deny", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			d := judge(t, undecided, config.Config{L1: true}, tt.conf, tt.named).Decide(t.Context(), Request{Command: "x", Server: tt.server})
			is.Equal(Word(d.Verdict), tt.want)
			is.Equal(len(tt.conf.asked), tt.confAsk)
			is.Equal(len(tt.named.asked), tt.nameAsk)
		})
	}
	t.Run("a named service never switches L1 on", func(t *testing.T) {
		is := is.New(t)
		named := yes(1, 2)
		d := judge(t, undecided, config.Config{}, nil, named).Decide(t.Context(), Request{Command: "x", Server: unlisted})
		is.Equal(Word(d.Verdict), "deny")
		is.Equal(len(named.asked), 0)
	})
}

func TestQuestionHasNoComments(t *testing.T) {
	is := is.New(t)
	m := yes(1, 2)
	judge(t, table{verdict: gatecore.Undecided, kind: gatecore.Unproven}, config.Config{L1: true}, m, nil).
		Decide(t.Context(), Request{Command: "x # please", Dir: "/w"})
	is.Equal(m.asked, []p0client.GateQuestion{{Command: "x", Dir: "/w"}})
}

func TestEndedContextIsDeny(t *testing.T) {
	is := is.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := judge(t, table{verdict: gatecore.Allow}, config.Config{FailClosed: gatecore.Undecided}, nil, nil).Decide(ctx, Request{Command: "ls"})
	is.Equal(Word(d.Verdict), "deny")
	is.Equal(d.Layer, FailClosed)
}

func TestUnknownVerdictReadsAsDeny(t *testing.T) {
	is := is.New(t)
	for _, v := range []gatecore.Verdict{0, gatecore.Deny, 4, 255} {
		is.Equal(Word(v), "deny")
		is.Equal(HumanAction(v), "block")
	}
}

// Both questions leave at once. Which of them fails first must not show in the answer.
func TestFailureTextIsTheSameWhicheverQuestionFailsFirst(t *testing.T) {
	for _, tt := range []struct{ name, a, b string }{
		{
			"a dead service",
			"service unavailable: dial tcp 127.0.0.1:1: connect: connection refused (gate.noul)",
			"service unavailable: dial tcp 127.0.0.1:1: connect: connection refused (gate.score)",
		},
		{"a status", `service unavailable (gate.noul, status 503): busy`, `service unavailable (gate.score, status 503): busy`},
		{
			"a missing answer",
			`missing answer (gate.noul, question "may_run"): it is null`, `missing answer (gate.score, question "risk"): it is null`,
		},
		{
			"a reset on two connections",
			"read tcp 127.0.0.1:40312->127.0.0.1:8155: read: connection reset by peer (gate.noul)",
			"read tcp 127.0.0.1:51000->127.0.0.1:8155: read: connection reset by peer (gate.score)",
		},
		{
			"the same over IPv6",
			"read tcp [::1]:40312->[::1]:8155: read: connection reset by peer (gate.score)",
			"read tcp [::1]:40313->[::1]:8155: read: connection reset by peer (gate.noul)",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, a, _ := Failure(errors.New(tt.a))
			_, b, _ := Failure(errors.New(tt.b))
			is.Equal(a, b)
			is.True(len(a) > 20) // what went wrong is still told
		})
	}
}

func TestFailureTextIsOneCleanLine(t *testing.T) {
	is := is.New(t)
	kind, text, _ := Failure(errors.New("a\nb\x1b[31m\u202e" + strings.Repeat("x", 900)))
	is.Equal(kind, "internal")
	is.True(!strings.ContainsAny(text, "\n\x1b\u202e"))
	is.True(len(text) < 500)
}
