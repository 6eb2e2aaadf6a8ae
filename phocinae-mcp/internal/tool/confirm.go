package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/approval"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

const (
	stateLife   = 300 * time.Second
	extraRounds = 2
	formKey     = "gate_approval"
	stateMethod = "tools/call " + nameGate
	stateFormat = 1
)

// sealed is the caller's part of a confirmation's state. The command itself is only in the digest that ties the state to
// its call.
type sealed struct {
	Format    int    `json:"v"`
	Instance  string `json:"i"`
	Transport string `json:"t"`
	Findings  string `json:"f"` // digest of what the person was asked about
	Round     int    `json:"r"` // 0 for the first form
	Layer     string `json:"l"`
	Verdict   string `json:"d"`
}

// confirm handles a first call that came out as ask: a modern client gets a form with a sealed state, a legacy client that
// can is asked while the call is in flight, everybody else gets the ask as it is.
func (t *tools) confirm(ctx context.Context, call *mcpserver.Call, n *note, d gate.Decision) (*mcpproto.ToolResult, error) {
	key, params, err := t.identity(call, d.Request)
	if err != nil {
		return nil, err
	}
	if t.memory.Declined(key) {
		n.confirm = "declined_before"
		return t.answer(n, refused(d, "The same command was declined less than a minute ago."))
	}
	switch {
	case call.Era == mcpproto.Modern && call.Capabilities.Form():
		return t.offer(call, n, d, params, 0)
	case call.CanElicit():
		return t.elicit(ctx, call, n, d, key)
	}
	n.confirm = "not_possible"
	return t.answer(n, d)
}

// identity is what ties a confirmation to its call: the canonical arguments and the directory they mean here.
func (t *tools) identity(call *mcpserver.Call, r gate.Request) (key [32]byte, params mcpproto.Digest, err error) {
	params, err = mcpproto.DigestParams(call.Arguments, jsontext.Value(text(r.Dir)))
	if err != nil {
		return key, params, err
	}
	return approval.Key(call.Principal, params[:]), params, nil
}

// offer sends the form of one round, or the plain ask where no form can be shown.
func (t *tools) offer(call *mcpserver.Call, n *note, d gate.Decision, params mcpproto.Digest, round int) (*mcpproto.ToolResult, error) {
	if round > extraRounds {
		n.confirm = "rounds_used_up"
		return t.answer(n, d)
	}
	now := t.Now()
	if folder, ok := t.ledger.(*approval.FolderLedger); ok {
		if err := folder.Prepare(now); err != nil {
			t.Logger.Error("the folder of used confirmations is not usable; no form is shown, since its answer could not be redeemed", "error", err)
			n.confirm = "not_redeemable"
			d.Why = strings.TrimSpace(d.Why + " No form is shown, because the server cannot record that a confirmation was used. " + byHand)
			return t.answer(n, d)
		}
	}
	message, ok := t.form(n, &d)
	if !ok {
		return t.answer(n, d)
	}
	data, err := mcpproto.Marshal(&sealed{
		Format: stateFormat, Instance: t.instance, Transport: call.Transport.String(), Findings: digestOf(&d), Round: round,
		Layer: string(d.Layer), Verdict: gate.Word(d.Verdict),
	})
	if err != nil {
		return nil, err
	}
	state, err := t.sealer.Seal(mcpproto.StateClaims{
		Method: stateMethod, Params: params, Principal: call.Principal, Issued: now, Expires: now.Add(stateLife), Data: data,
	})
	if err != nil {
		return nil, err
	}
	n.confirm, n.decision = "offered", &d
	return mcpproto.NeedInput(mcpproto.InputRequired{
		Requests: mcpproto.InputRequests{formKey: {Elicit: t.question(message)}},
		State:    state,
	}), nil
}

func (t *tools) question(message string) *mcpproto.ElicitParams {
	return &mcpproto.ElicitParams{Mode: "form", Message: message, Requested: approval.Schema(t.Config.Lang)}
}

// form renders the message and takes one of the prompts a minute. Without either there is no form.
func (t *tools) form(n *note, d *gate.Decision) (string, bool) {
	message, err := approval.Form(Subject(d, t.Rules), t.Config.Lang)
	if err != nil {
		n.confirm = "too_long_to_show"
		return "", false
	}
	if !t.memory.Prompt() {
		n.confirm = "too_many_prompts"
		return "", false
	}
	return message, true
}

// Programs lists the resolved program names of a command's parts, in order.
func Programs(parts []*gatecore.Part) (out []string) {
	for _, p := range parts {
		if p == nil {
			continue
		}
		if (p.Kind == "command" || p.Kind == "wrapper") && len(p.Words) > 0 {
			out = append(out, p.Words[0])
		}
		out = append(out, Programs(p.Children)...)
	}
	return out
}

// digestOf covers everything a person was told about: layer, findings and the model's reading.
func digestOf(d *gate.Decision) string {
	var b []byte
	b = fmt.Appendf(b, "%s %d %q\n", d.Layer, d.Kind, d.Server)
	for _, f := range d.Findings {
		b = fmt.Appendf(b, "%q %d %d %d %d %q\n", f.RuleID, f.Verdict, f.Kind, f.Start, f.End, f.Why)
	}
	if d.Answer != nil {
		b = fmt.Appendf(b, "%s %q\n", d.Answer.State, d.Answer.Model)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// retry serves a call that carries a state. The state is opened and used up before anything else is believed.
func (t *tools) retry(ctx context.Context, call *mcpserver.Call, n *note, r gate.Request) (*mcpproto.ToolResult, error) {
	key, params, err := t.identity(call, r)
	if err != nil {
		return nil, err
	}
	state, err := t.open(call, params)
	if err != nil {
		n.confirm, n.failed = "refused", "requestState: "+err.Error()
		return nil, mcpproto.InvalidParams("invalid or expired requestState: %s", stateWords(err))
	}
	d := t.Judge.Decide(ctx, r)
	if d.Verdict == gatecore.Deny {
		n.confirm = "overruled"
		return t.answer(n, d)
	}
	answer, err := call.InputResponses.Elicit(formKey)
	switch outcome(answer, err) {
	case declined:
		t.memory.Decline(key)
		n.confirm = "declined"
		return t.answer(n, refused(d, "The form was declined, possibly by the client itself."))
	case cancelled:
		n.confirm = "cancelled"
		return t.answer(n, unanswered(d, "The form was closed without an answer."))
	case approved:
		if d.Verdict == gatecore.Allow {
			n.confirm = "approved"
			return t.answer(n, d)
		}
		if digestOf(&d) == state.Findings {
			n.confirm = "approved"
			return t.answer(n, accepted(d))
		}
		n.failed = "the findings changed between question and answer"
	}
	if d.Verdict == gatecore.Allow || !call.Capabilities.Form() {
		return t.answer(n, d)
	}
	return t.offer(call, n, d, params, state.Round+1)
}

// errOther reports a genuine state that belongs to another process or transport.
var errOther = errors.New("made by another instance or for another transport")

// open believes a state only if its seal fits, it is for this very call, fresh, and has not been used.
func (t *tools) open(call *mcpserver.Call, params mcpproto.Digest) (*sealed, error) {
	now := t.Now()
	claims, err := t.sealer.Open(call.RequestState, mcpproto.StateClaims{Method: stateMethod, Params: params, Principal: call.Principal}, now)
	if err != nil {
		return nil, err
	}
	var s sealed
	if err := mcpproto.Unmarshal(claims.Data, &s); err != nil || s.Format != stateFormat || s.Round < 0 {
		return nil, mcpproto.ErrStateMalformed
	}
	if s.Transport != call.Transport.String() || !t.shared && s.Instance != t.instance {
		return nil, errOther
	}
	if err := t.ledger.Use(claims.Nonce, claims.Issued, claims.Expires, now); err != nil {
		return nil, err
	}
	return &s, nil
}

// foreignState refuses a state where none is ever given out.
func foreignState() error {
	return mcpproto.InvalidParams("invalid or expired requestState: %s", stateWords(errOther))
}

// stateWords says why a state is refused without telling anything about keys or folders.
func stateWords(err error) string {
	switch {
	case errors.Is(err, mcpproto.ErrStateExpired):
		return "it has expired; call again without it"
	case errors.Is(err, mcpproto.ErrNonceUsed):
		return "it was used before; call again without it"
	case errors.Is(err, mcpproto.ErrNonceOld):
		return "it is too old; call again without it"
	case errors.Is(err, mcpproto.ErrNonce):
		return "its use cannot be recorded; a person has to look at the server's log"
	case errors.Is(err, mcpproto.ErrStateOther), errors.Is(err, errOther):
		return "it was made for another request"
	}
	return "it was not made by this server or was changed on the way"
}

// reply is what an answered form comes to.
type reply uint8

const (
	unusable reply = iota + 1
	approved
	declined
	cancelled
)

// outcome reads an answer. Only an accept whose approve is true approves; what is not exactly as asked counts as nothing.
func outcome(r *mcpproto.ElicitResult, err error) reply {
	if err != nil || r == nil {
		return unusable
	}
	switch r.Action {
	case mcpproto.ActionDecline:
		return declined
	case mcpproto.ActionCancel:
		return cancelled
	case mcpproto.ActionAccept:
	default:
		return unusable
	}
	yes, ok := r.Bool("approve")
	if raw := r.Field("note"); raw != nil {
		if _, text := r.Text("note"); !text {
			ok = false
		}
	}
	switch {
	case !ok:
		return unusable
	case yes:
		return approved
	}
	return declined
}

// accepted is the decision after an approval. An accept is no proof of a person, and the record says so.
func accepted(d gate.Decision) gate.Decision {
	d.Verdict, d.Layer = gatecore.Allow, gate.HumanConfirm
	d.Why = "Approved through the client's form (an accept is not proof of a person). It was asked because: " + d.Why
	return d
}

// refused is the decision when nobody approved.
func refused(d gate.Decision, how string) gate.Decision {
	d.Verdict, d.Layer = gatecore.Deny, gate.HumanConfirm
	d.Why = "Not approved, no interactive answer said yes. " + how + " " + byHand + " It was asked because: " + d.Why
	return d
}

// unanswered is the decision when the form was closed.
func unanswered(d gate.Decision, how string) gate.Decision {
	d.Verdict, d.Layer = gatecore.Undecided, gate.HumanConfirm
	d.Why = "Not approved, no interactive answer. " + how + " " + byHand + " It was asked because: " + d.Why
	return d
}

const byHand = "A person can run it in a terminal of their own or approve it with: phocinae-mcp gate --confirm."

// elicit asks a legacy client while the call is in flight.
func (t *tools) elicit(ctx context.Context, call *mcpserver.Call, n *note, d gate.Decision, key [32]byte) (*mcpproto.ToolResult, error) {
	asking, cancel := context.WithTimeout(ctx, t.Config.ConfirmTimeout)
	defer cancel()
	for range 1 + extraRounds {
		message, ok := t.form(n, &d)
		if !ok {
			return t.answer(n, d)
		}
		n.confirm = "offered"
		answer, err := call.Elicit(asking, *t.question(message))
		if err != nil && !errors.Is(err, mcpproto.ErrBadResponse) {
			n.confirm = "no_answer"
			d.Why = strings.TrimSpace(d.Why + " No answer came to the form in time.")
			return t.answer(n, d)
		}
		if result, err, done := t.elicited(ctx, n, &d, key, outcome(answer, err)); done {
			return result, err
		}
	}
	n.confirm = "rounds_used_up"
	return t.answer(n, d)
}

// elicited ends a legacy round, unless the answer was unusable or the findings changed meanwhile.
func (t *tools) elicited(ctx context.Context, n *note, d *gate.Decision, key [32]byte, r reply) (*mcpproto.ToolResult, error, bool) {
	var now gate.Decision
	switch r {
	case declined:
		t.memory.Decline(key)
		n.confirm, now = "declined", refused(*d, "The form was declined, possibly by the client itself.")
	case cancelled:
		n.confirm, now = "cancelled", unanswered(*d, "The form was closed without an answer.")
	case approved:
		before := digestOf(d)
		now = t.Judge.Decide(ctx, d.Request)
		switch {
		case now.Verdict != gatecore.Undecided:
			n.confirm = "overruled"
		case digestOf(&now) != before:
			*d = now
			return nil, nil, false
		default:
			n.confirm, now = "approved", accepted(now)
		}
	default:
		return nil, nil, false
	}
	result, err := t.answer(n, now)
	return result, err, true
}

// Subject collects what a person has to see about a decision. rules may be nil.
func Subject(d *gate.Decision, rules Rules) *approval.Subject {
	s := &approval.Subject{
		Command: d.Request.Command, Dir: d.Request.Dir, Service: d.Server, Findings: d.Findings, Why: d.Why, Instead: d.Instead,
	}
	if rules != nil {
		e := rules.Explain(d.Request.Command, gatecore.Place{Dir: d.Request.Dir, Home: d.Request.Home, Dialect: d.Request.Dialect})
		s.Programs = Programs(e.Parts)
	}
	return s
}

// PrincipalOf names the bearer of a token without showing it.
func PrincipalOf(token string) string {
	sum := sha256.Sum256([]byte("phocinae-mcp principal\x00" + token))
	return "bearer:" + hex.EncodeToString(sum[:8])
}
