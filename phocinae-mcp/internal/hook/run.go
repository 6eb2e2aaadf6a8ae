package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// run is one call of Run.
type run struct {
	host    Host
	adapter adapter
	judge   Judge
	out     io.Writer
	errOut  io.Writer
	o       *Options
}

// result is a decision about an event, not yet told to the host.
type result struct {
	req      request
	decision Decision
	err      error // why there is no decision; Decision is then Deny
}

// decide reads and judges in a goroutine of its own, because neither a host that keeps standard input open nor a judge that ignores
// its context may keep the answer from leaving.
func (r *run) decide(ctx context.Context, in io.Reader) result {
	done := make(chan result, 1)
	seen := make(chan request, 1) // so that a late verdict is still reported with its event
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- refused(request{}, fmt.Errorf("hook: internal error: %v", p))
			}
		}()
		done <- r.work(ctx, in, seen)
	}()
	select {
	case res := <-done:
		return res
	case <-ctx.Done():
		var req request
		select {
		case req = <-seen:
		default:
		}
		return refused(req, late(ctx))
	}
}

func (r *run) work(ctx context.Context, in io.Reader, seen chan<- request) result {
	data, err := readEvent(in, r.o.MaxEventBytes)
	if err != nil {
		return refused(request{}, err)
	}
	ev, err := decodeObject(data)
	if err != nil {
		return refused(request{}, err)
	}
	req, err := r.adapter.read(ev, r.o)
	if err != nil {
		return refused(req, err)
	}
	for i := range req.commands {
		c := &req.commands[i]
		c.Host, c.Event, c.Tool, c.Session = r.host, req.event, req.tool, req.session
		if c.Dir == "" {
			c.Dir = req.dir
		}
	}
	seen <- req
	return r.judgeAll(ctx, req)
}

// judgeAll asks about every command, even after a deny is certain: all of them belong in the audit trail. The strictest answer wins, the first one of
// equals.
func (r *run) judgeAll(ctx context.Context, req request) result {
	res := result{req: req, decision: Decision{Verdict: Allow}}
	for i, c := range req.commands {
		d, err := r.judgeOne(ctx, c)
		if err != nil {
			return refused(req, err)
		}
		if i == 0 || d.Verdict > res.decision.Verdict {
			res.decision = d
		}
	}
	return res
}

func (r *run) judgeOne(ctx context.Context, c Command) (d Decision, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("hook: the judge failed: %v", p)
		}
	}()
	if ctx.Err() != nil {
		return Decision{}, late(ctx)
	}
	if r.judge == nil {
		return Decision{}, errors.New("hook: no judge")
	}
	d, err = r.judge(ctx, c)
	switch {
	case ctx.Err() != nil:
		return Decision{}, late(ctx) // a verdict after the deadline, allow or not, is none
	case err != nil:
		return Decision{}, err
	case d.Verdict < Allow || d.Verdict > Deny:
		return Decision{}, fmt.Errorf("hook: the judge answered with the invalid verdict %d", d.Verdict)
	case d.Verdict == Allow && c.Unsure != "":
		return Decision{Verdict: Ask, Reason: c.Unsure}, nil
	}
	return d, nil
}

// late tells a deadline from a caller that gave up.
func late(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ErrTimeout
	}
	return fmt.Errorf("hook: interrupted, the command was not judged: %w", ctx.Err())
}

func refused(req request, err error) result {
	return result{req: req, decision: Decision{Verdict: Deny, Reason: err.Error()}, err: err}
}

// reply is what leaves: a body (empty for silence) and the word for it.
type reply struct {
	body []byte
	word string
	text string // the reason, for standard error if the body cannot be written
}

func (r *run) reply(res result) reply {
	req, d := res.req, res.decision
	if res.err != nil {
		text := failureText(trimPrefix(res.err))
		return reply{r.adapter.answer(req, Deny, text), "deny", text}
	}
	switch {
	case len(req.commands) == 0:
		return reply{body: r.adapter.silence(req), word: "silent"}
	case d.Verdict == Allow && r.o.AutoAllow && req.plain && r.adapter.canAllow(req):
		return reply{r.adapter.answer(req, Allow, decisionText(d)), "allow", ""}
	case d.Verdict == Allow:
		return reply{body: r.adapter.silence(req), word: "silent"}
	case d.Verdict == Ask && r.adapter.canAsk(req):
		return reply{r.adapter.answer(req, Ask, decisionText(d)), "ask", ""}
	case d.Verdict == Ask:
		text := unaskedText(d, r.host)
		return reply{r.adapter.answer(req, Deny, text), "deny", text}
	}
	text := decisionText(d)
	return reply{r.adapter.answer(req, Deny, text), "deny", text}
}

// observe reports the outcome and returns the reply. An observer that fails, panics or takes too long (the audit trail is required and cannot be
// written) makes it a refusal.
func (r *run) observe(ctx context.Context, res result) reply {
	rep := r.reply(res)
	if res.err != nil {
		warn(r.errOut, "refused: "+trimPrefix(res.err))
	}
	if r.o.Observe == nil {
		return rep
	}
	out := Outcome{
		Host: r.host, Event: res.req.event, Tool: res.req.tool, Session: res.req.session, Dir: res.req.dir, Commands: res.req.commands,
		Decision: res.decision, Answer: rep.word, Err: res.err, Duration: time.Since(r.o.Start),
	}
	// Even after the deadline the record gets its moment: a refusal that leaves no trace is the one worth having.
	octx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.o.Deadline/32)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("hook: the observer failed: %v", p)
			}
		}()
		done <- r.o.Observe(octx, out)
	}()
	var err error
	select {
	case err = <-done:
	case <-octx.Done():
		err = errors.New("hook: recording the decision timed out")
	}
	if err == nil {
		return rep
	}
	warn(r.errOut, "refused: "+trimPrefix(err))
	return r.reply(refused(res.req, err))
}

// write hands the body over in one piece. A pipe nobody reads must not hold the process until the host's clock lets the command run.
func (r *run) write(ctx context.Context, rep reply) int {
	if len(rep.body) == 0 {
		return StatusAnswered
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.o.Deadline/32)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("writing panicked: %v", p)
			}
		}()
		n, err := r.out.Write(rep.body)
		if err == nil && n != len(rep.body) {
			err = io.ErrShortWrite
		}
		done <- err
	}()
	var err error
	select {
	case err = <-done:
	case <-limit.Done():
		err = limit.Err()
	}
	if err == nil {
		return StatusAnswered
	}
	text := "the answer could not be written (" + err.Error() + ")"
	if rep.text != "" {
		text = rep.text + "; " + text
	}
	return blocked(r.errOut, text)
}
