package gate

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/p0client"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/serverpolicy"
)

var unproven = table{verdict: gatecore.Undecided, kind: gatecore.Unproven}

func TestEngineNameTellsWhoDecides(t *testing.T) {
	is := is.New(t)
	is.Equal(judge(t, unproven, config.Config{}, nil, nil).EngineName(), "gatecore:"+gatecore.Version)
	is.Equal(judge(t, unproven, config.Config{L1: true, Guard: config.Guard{Off: true}}, nil, nil).EngineName(), "http:noul+score")
}

// TestWhyTellsWhatHappened: the sentence must not blame what was not asked.
func TestWhyTellsWhatHappened(t *testing.T) {
	unreadable := table{verdict: gatecore.Undecided, kind: gatecore.Unreadable}
	for _, tt := range []struct {
		claim  string
		engine table
		cfg    config.Config
		conf   *model
		want   string
	}{
		{
			"without L1 it says so", unproven,
			config.Config{},
			nil,
			"Because. L1 is off, so the configured fallback applies: deny.",
		},
		{
			"with L1 the text was the reason", unreadable,
			config.Config{L1: true},
			nil,
			"Because. Text that cannot be read for certain is not put to the model, so the configured fallback applies: deny.",
		},
		{
			"the model's numbers after the table", unproven,
			config.Config{L1: true},
			yes(0.9, 3),
			`The table leaves it undecided; the model rates "may run without a person" 0.9 (true) and its risk 3 of 10, which together mean allow.`,
		},
		{
			"the model's numbers without a table", unproven,
			config.Config{L1: true, Guard: config.Guard{Off: true}},
			yes(0.9, 3),
			`The table is off; the model rates "may run without a person" 0.9 (true) and its risk 3 of 10, which together mean allow.`,
		},
		{
			"a dead service after the table", unproven,
			config.Config{L1: true},
			fails(p0client.ErrUnavailable),
			"Because. The service gave no usable answer (unavailable); the gate fails closed.",
		},
		{
			"a dead service without a table", unproven,
			config.Config{L1: true, Guard: config.Guard{Off: true}},
			fails(p0client.ErrUnavailable),
			"The service gave no usable answer (unavailable); the gate fails closed.",
		},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			is.Equal(judge(t, tt.engine, tt.cfg, tt.conf, nil).Decide(t.Context(), Request{Command: "x"}).Why, tt.want)
		})
	}
}

func TestSentenceEndsOnce(t *testing.T) {
	is := is.New(t)
	is.Equal(sentence(""), "")
	is.Equal(sentence("It writes"), "It writes.")
	is.Equal(sentence("It writes."), "It writes.")
	is.Equal(sentence("It writes. "), "It writes.")
}

func TestFailureKinds(t *testing.T) {
	for _, tt := range []struct {
		err    error
		kind   string
		status int
	}{
		{p0client.ErrUnavailable, "unavailable", 0},
		{&p0client.StatusError{Op: "gate", Status: 503, Err: p0client.ErrUnavailable}, "unavailable", 503},
		{fmt.Errorf("%w: 10.9.9.9", serverpolicy.ErrHost), "server_refused", 0},
		{fmt.Errorf("%w: a path", serverpolicy.ErrForm), "server_refused", 0},
		{gatecore.ErrAnswer, "internal", 0},
		{errors.New("nobody knows"), "internal", 0},
	} {
		t.Run(tt.kind+" "+tt.err.Error(), func(t *testing.T) {
			is := is.New(t)
			kind, text, status := Failure(tt.err)
			is.Equal(kind, tt.kind)
			is.Equal(text[:len(kind)+2], kind+": ")
			is.Equal(status, tt.status)
		})
	}
}

func TestOfEqualVerdictsTheConfiguredServiceIsTold(t *testing.T) {
	is := is.New(t)
	d := judge(t, unproven, config.Config{L1: true}, yes(0.9, 3), yes(0.8, 2)).Decide(t.Context(), Request{Command: "x", Server: unlisted})
	is.Equal(Word(d.Verdict), "allow")
	is.Equal(d.Answer.Noul, 0.9)
	is.Equal(d.Answer.Score, 3.0)
}

// asker is a service that a test plays itself.
type asker func(context.Context) (p0client.GateAnswer, error)

func (a asker) Gate(ctx context.Context, _ p0client.GateQuestion) (p0client.GateAnswer, error) {
	return a(ctx)
}

// played are services with askers, and errors in place of them.
type played struct {
	configured, named Asker
	err               error // of Configured
	target            serverpolicy.Target
}

func (s played) Check(string) (*serverpolicy.Target, error) { return &s.target, nil }
func (s played) URL() string                                { return "http://127.0.0.1:8155" }
func (s played) Configured() (Asker, error)                 { return s.configured, s.err }
func (s played) Named(*serverpolicy.Target) (Asker, error)  { return s.named, nil }
func (s played) decide(t *testing.T, server string) Decision {
	t.Helper()
	cfg := &config.Config{L1: true, Thresholds: gatecore.DefaultThresholds(), FailClosed: gatecore.Undecided}
	return New(cfg, unproven, s, nil).Decide(t.Context(), Request{Command: "x", Server: server})
}

// waits answers only when it is told that nobody needs the answer any more, as p0client does.
func waits(ctx context.Context) (p0client.GateAnswer, error) {
	<-ctx.Done()
	return p0client.GateAnswer{}, fmt.Errorf("%w: %w", p0client.ErrCanceled, ctx.Err())
}

func TestFirstFailureEndsTheOtherQuestion(t *testing.T) {
	dead := asker(func(context.Context) (p0client.GateAnswer, error) {
		return p0client.GateAnswer{}, p0client.ErrUnavailable
	})
	for _, tt := range []struct {
		claim    string
		services played
	}{
		{"the named service fails", played{configured: asker(waits), named: dead}},
		{"the configured service fails", played{configured: dead, named: asker(waits)}},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where a judgement that never ends is told at once
				is := is.New(t)
				d := tt.services.decide(t, unlisted)
				is.Equal(Word(d.Verdict), "deny")
				is.Equal(d.Layer, FailClosed)
				is.Equal(d.Error, "unavailable: service unavailable") // the cause, not its echo
			})
		})
	}
}

func TestQuickAllowDoesNotEndTheOtherQuestion(t *testing.T) {
	is := is.New(t)
	answered := make(chan struct{})
	quick := asker(func(context.Context) (p0client.GateAnswer, error) {
		defer close(answered)
		return p0client.GateAnswer{Noul: 1, Score: 2}, nil
	})
	slow := asker(func(ctx context.Context) (p0client.GateAnswer, error) {
		<-answered
		return p0client.GateAnswer{Noul: 0.1, Score: 9}, ctx.Err()
	})
	d := played{configured: quick, named: slow}.decide(t, unlisted)
	is.Equal(Word(d.Verdict), "deny")
	is.Equal(d.Layer, L1) // by its answer, not by a failure
}

func TestNoAskerIsDeny(t *testing.T) {
	broken := errors.New("no client can be built")
	never := asker(func(context.Context) (p0client.GateAnswer, error) {
		return p0client.GateAnswer{Noul: 1, Score: 2}, nil
	})
	for _, tt := range []struct {
		claim, server string
		target        serverpolicy.Target
	}{
		{"without an argument", "", serverpolicy.Target{}},
		{"beside a service that is not listed", unlisted, serverpolicy.Target{}},
		{"by name", "http://127.0.0.1:8155", serverpolicy.Target{Configured: true}},
		{"by name and listed", "http://127.0.0.1:8155", serverpolicy.Target{Configured: true, Listed: true}},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			// The asker that comes along with the error must not be believed.
			d := played{configured: never, named: never, err: broken, target: tt.target}.decide(t, tt.server)
			is.Equal(Word(d.Verdict), "deny")
			is.Equal(d.Layer, FailClosed)
			is.Equal(d.Server, "http://127.0.0.1:8155") // whom it was about
			is.True(d.Answer == nil)
		})
	}
	t.Run("no services at all", func(t *testing.T) {
		is := is.New(t)
		cfg := &config.Config{L1: true, Thresholds: gatecore.DefaultThresholds(), FailClosed: gatecore.Undecided}
		is.Equal(Word(New(cfg, unproven, nil, nil).Decide(t.Context(), Request{Command: "x"}).Verdict), "deny")
	})
}
