package gate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"unicode"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/p0client"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/serverpolicy"
)

// Asker puts the gate's two questions to one service. *p0client.Client is one.
type Asker interface {
	Gate(context.Context, p0client.GateQuestion) (p0client.GateAnswer, error)
}

// Services hands out askers. *service.Pool behind a small adapter is one.
type Services interface {
	Check(argument string) (*serverpolicy.Target, error)
	URL() string
	Configured() (Asker, error)
	Named(*serverpolicy.Target) (Asker, error)
}

// Engine is the part of *gatecore.Engine that a judgement needs.
type Engine interface {
	Assess(command string, at gatecore.Place) gatecore.Report
	WithoutComments(command string) string
}

// Request is one command with its circumstances.
type Request struct {
	Command string
	Dir     string // absolute, or "" when unknown
	Home    string // absolute, or "" when unknown
	Dialect gatecore.Dialect
	Server  string // the caller's server argument, checked for form; "" for none
}

// Judge decides about commands.
type Judge struct {
	engine     Engine
	services   Services
	thresholds gatecore.Thresholds
	l1         bool
	tableOff   bool
	fallback   gatecore.Verdict
	logger     *slog.Logger
}

// New makes a judge for a checked configuration. A nil logger discards.
func New(cfg *config.Config, engine Engine, services Services, logger *slog.Logger) *Judge {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Judge{
		engine: engine, services: services, thresholds: cfg.Thresholds, l1: cfg.L1, tableOff: cfg.Guard.Off,
		fallback: cfg.FailClosed, logger: logger,
	}
}

// EngineName is what decides: the table's version, or the two questions when the table is off.
func (j *Judge) EngineName() string {
	if j.tableOff {
		return "http:noul+score"
	}
	return "gatecore:" + gatecore.Version
}

// Decide judges one command.
func (j *Judge) Decide(ctx context.Context, r Request) (d Decision) {
	defer func() {
		if p := recover(); p != nil {
			j.logger.Error("judgement panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			d = j.Failed(r, "internal", "an internal error stopped the judgement")
		}
	}()
	d = j.blank(r)
	if ctx.Err() != nil {
		return j.Failed(r, "canceled", "the call ended before the command was judged")
	}
	if !j.tableOff {
		report := j.engine.Assess(r.Command, gatecore.Place{Dir: r.Dir, Home: r.Home, Dialect: r.Dialect})
		d.about(report.Findings)
		d.Kind = report.Kind
		switch {
		case report.Verdict == gatecore.Allow && report.Kind == 0, report.Verdict == gatecore.Deny:
			d.Verdict, d.Layer = report.Verdict, L0
			return d
		case report.Verdict != gatecore.Undecided:
			return j.Failed(r, "internal", "the table gave no usable verdict")
		}
		if !j.l1 || report.Kind != gatecore.Unproven {
			return j.fallBack(d)
		}
	}
	return j.ask(ctx, d)
}

// blank is the decision before anything is known: a deny.
func (j *Judge) blank(r Request) Decision {
	return Decision{Request: r, Verdict: gatecore.Deny, Layer: FailClosed, Engine: j.EngineName(), Fallback: j.fallback}
}

// Failed is the decision when something broke: always deny, whatever the fallback is.
func (j *Judge) Failed(r Request, kind, sentence string) Decision {
	d := j.blank(r)
	d.Error = kind + ": " + sentence
	d.Why = "No verdict was reached (" + kind + "): " + sentence + "; the gate fails closed."
	return d
}

// fallBack is the operator's answer to a command that L0 left undecided and nobody was asked about.
func (j *Judge) fallBack(d Decision) Decision {
	d.Layer = FailClosed
	d.Verdict = gatecore.Deny
	if j.fallback == gatecore.Undecided {
		d.Verdict = gatecore.Undecided
	}
	why := "L1 is off"
	if j.l1 {
		why = "text that cannot be read for certain is not put to the model"
	}
	d.Why = sentence(d.Why) + " " + capital(why) + ", so the configured fallback applies: " + Word(d.Verdict) + "."
	return d
}

// heard is one service's contribution.
type heard struct {
	verdict gatecore.Verdict
	answer  p0client.GateAnswer
}

// ask puts the two questions to the service, or to both where a model named one that the operator did not list: the
// strictest answer wins, and one without a usable answer counts as no answer at all.
func (j *Judge) ask(ctx context.Context, d Decision) Decision {
	askers, names, err := j.askers(d.Request.Server)
	d.Server = strings.Join(names, " ")
	if err != nil {
		return j.unanswered(d, err)
	}
	q := p0client.GateQuestion{Command: j.engine.WithoutComments(d.Request.Command), Dir: d.Request.Dir}
	all := make([]heard, len(askers))
	if err := j.hearAll(ctx, askers, q, all); err != nil {
		return j.unanswered(d, err)
	}
	strictest := all[0]
	for _, h := range all[1:] {
		if h.verdict > strictest.verdict {
			strictest = h
		}
	}
	return j.answered(d, strictest)
}

// hearAll asks every service at once and ends with the first failure. Of several failures it tells the first that is
// not merely the echo of another one.
func (j *Judge) hearAll(ctx context.Context, askers []Asker, q p0client.GateQuestion, all []heard) error {
	if len(askers) == 1 {
		return j.hear(ctx, askers[0], q, &all[0])
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, len(askers))
	var wg sync.WaitGroup
	for i, a := range askers {
		wg.Go(func() {
			if errs[i] = j.hear(ctx, a, q, &all[i]); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	var echo error
	for _, err := range errs {
		switch {
		case err == nil:
		case errors.Is(err, p0client.ErrCanceled):
			echo = err
		default:
			return err
		}
	}
	return echo
}

func (j *Judge) hear(ctx context.Context, a Asker, q p0client.GateQuestion, into *heard) (err error) {
	defer func() {
		if p := recover(); p != nil {
			j.logger.Error("question panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = errors.New("internal error")
		}
	}()
	answer, err := a.Gate(ctx, q)
	if err != nil {
		return err
	}
	verdict, err := gatecore.Synthesize(gatecore.Answers{Noul: answer.Noul, Score: answer.Score}, j.thresholds)
	if err != nil {
		return err
	}
	if verdict < gatecore.Allow || verdict > gatecore.Deny {
		return errors.New("the synthesis gave no verdict")
	}
	*into = heard{verdict: verdict, answer: answer}
	return nil
}

// askers finds who is asked. Only a service the operator listed may replace the configured one.
func (j *Judge) askers(argument string) (askers []Asker, names []string, err error) {
	if j.services == nil {
		return nil, nil, errors.New("no service is configured")
	}
	var target *serverpolicy.Target
	if argument != "" {
		if target, err = j.services.Check(argument); err != nil {
			return nil, nil, err
		}
	}
	if target == nil || !target.Listed {
		names = append(names, j.services.URL())
		a, err := j.services.Configured()
		if err != nil {
			return nil, names, err
		}
		askers = append(askers, a)
	}
	if target != nil && !target.Configured {
		names = append(names, target.URL)
		a, err := j.services.Named(target)
		if err != nil {
			return nil, names, err
		}
		askers = append(askers, a)
	}
	if len(askers) == 0 { // listed and configured at once
		names = append(names, j.services.URL())
		a, err := j.services.Configured()
		if err != nil {
			return nil, names, err
		}
		askers = append(askers, a)
	}
	return askers, names, nil
}

// answered turns the strictest service's answers into the decision.
func (j *Judge) answered(d Decision, h heard) Decision {
	state := gatecore.NoulState(h.answer.Noul, j.thresholds)
	d.Verdict, d.Layer = h.verdict, L1
	d.Answer = &Answer{Noul: h.answer.Noul, Score: h.answer.Score, State: state, Confidence: h.answer.Confidence, Model: h.answer.Model}
	d.Why = fmt.Sprintf("The table leaves it undecided; the model rates \"may run without a person\" %.4g (%s) and its risk %.4g of 10, which together mean %s.",
		h.answer.Noul, state, h.answer.Score, Word(h.verdict))
	if j.tableOff {
		d.Why = strings.Replace(d.Why, "The table leaves it undecided; the", "The table is off; the", 1)
	}
	return d
}

// unanswered is the decision when a service that had to answer did not.
func (j *Judge) unanswered(d Decision, err error) Decision {
	kind, text, status := Failure(err)
	d.Verdict, d.Layer = gatecore.Deny, FailClosed
	d.Error, d.Status = text, status
	d.Why = strings.TrimSpace(sentence(d.Why) + " The service gave no usable answer (" + kind + "); the gate fails closed.")
	return d
}

// Failure tells a service error in one kind word, one line of text and an HTTP status (0 if none arrived).
func Failure(err error) (kind, text string, status int) {
	kind = p0client.Kind(err)
	if errors.Is(err, serverpolicy.ErrHost) || errors.Is(err, serverpolicy.ErrForm) {
		kind = "server_refused"
	}
	if kind == "unknown" || kind == "" {
		kind = "internal"
	}
	if e, ok := errors.AsType[*p0client.StatusError](err); ok {
		status = e.Status
	}
	return kind, kind + ": " + oneLine(steady(strings.TrimPrefix(err.Error(), "p0client: ")), 400), status
}

// steady takes out of an error what chance decides, so that the same request gives the same answer: which of the two
// questions failed first, and the port that the connection happened to have on our side.
func steady(text string) string {
	return ownPort().ReplaceAllString(whichQuestion().ReplaceAllString(text, "(gate"), "")
}

// Compiled when a service has failed, not at every start.
var (
	whichQuestion = expression(`\(gate\.(noul|score)(, question "[a-z_]*")?`)
	ownPort       = expression(`(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\]):\d+->`)
)

func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// oneLine keeps foreign text short and free of anything that could break or disguise a line.
func oneLine(s string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.ToValidUTF8(s, "?") {
		if n == most {
			b.WriteString("…")
			break
		}
		n++
		if !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

func sentence(s string) string {
	if s = strings.TrimRight(s, " "); s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
