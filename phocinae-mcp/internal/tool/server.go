package tool

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/approval"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/audit"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/service"
)

// Names of the tools.
const (
	nameGate     = "gate"
	nameClassify = "classify"
	nameRoute    = "route"
	nameScore    = "score"
)

// Recorder takes audit records. *audit.Log is one.
type Recorder interface {
	Write(audit.Record) error
}

// Rules is the part of *gatecore.Engine that forms and resources need.
type Rules interface {
	Explain(command string, at gatecore.Place) gatecore.Explanation
	Rules() []gatecore.RuleInfo
}

// Deps is what the server is made of.
type Deps struct {
	Config  *config.Config
	Judge   *gate.Judge
	Rules   Rules
	Pool    *service.Pool
	Audit   Recorder // nil: off
	Dir     string   // the server's working directory, the default of cwd; may be empty
	Home    string   // may be empty
	Version string   // of this program
	Logger  *slog.Logger
	Now     func() time.Time // nil: time.Now

	// Output and Schemas check results against the output schemas, for tests. The program leaves both away: its results
	// are structs of its own, and the compiler costs milliseconds at every start.
	Output  mcpserver.OutputCheck
	Schemas func(text []byte) (mcpserver.Schema, error)
}

// tools is one server's state.
type tools struct {
	Deps
	words    *wording
	sealer   *mcpproto.StateSealer
	ledger   mcpproto.NonceLedger
	shared   bool   // the ledger is shared by every process with the key
	instance string // random name of this process
	memory   *approval.Memory
}

// NewServer registers everything. It opens nothing and dials nothing.
func NewServer(d Deps) (*mcpserver.Server, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	nonce := mcpproto.NewNonce()
	t := &tools{Deps: d, words: wordingFor(d.Config.Lang), memory: approval.NewMemory(d.Now), instance: hex.EncodeToString(nonce[:])}
	if err := t.keys(); err != nil {
		return nil, err
	}
	s := mcpserver.New(mcpproto.Implementation{Name: "phocinae-mcp", Title: "Phocinae gate", Version: d.Version}, &mcpserver.Options{
		Instructions: t.words.instructions,
		Logger:       d.Logger,
		Capabilities: mcpproto.ServerCapabilities{
			Tools: &mcpproto.ListCapability{}, Resources: &mcpproto.ResourcesCapability{}, Prompts: &mcpproto.ListCapability{},
		},
		Overloaded: t.overloaded,
		Observe:    t.observe,
		Output:     d.Output,
		Schemas:    d.Schemas,
		Now:        d.Now,
	})
	return s, errors.Join(t.register(s), t.resources(s),
		s.Handle("shutdown", func(context.Context, *mcpserver.Request) (any, error) { return nil, nil }, mcpproto.Legacy))
}

// keys sets up sealing and the ledger: a shared key comes with a shared ledger, a random key with one in memory.
func (t *tools) keys() error {
	if len(t.Config.StateKeys) == 0 {
		t.sealer, t.ledger = mcpproto.RandomStateSealer(), mcpproto.NewMemoryLedger(0)
		return nil
	}
	sealer, err := mcpproto.NewStateSealer(t.Config.StateKeys...)
	if err != nil {
		return err
	}
	t.sealer, t.ledger, t.shared = sealer, approval.NewFolderLedger(t.Config.StateDir), true
	return nil
}

// register adds the four tools. Their order in lists is by name.
func (t *tools) register(s *mcpserver.Server) error {
	w := t.words
	var g gateArguments
	var i inferArguments
	add := func(name, title, text string, fields []field, out jsontext.Value, network bool, h mcpserver.ToolHandler) error {
		yes, no := true, false
		return s.AddTool(mcpserver.Tool{
			Name: name, Title: title, Description: text,
			InputSchema: json.RawMessage(schemaOf(fields)), OutputSchema: json.RawMessage(out),
			Annotations: &mcpproto.ToolAnnotations{
				Title: title, ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &yes, OpenWorldHint: &network,
			},
			OwnArgumentCheck: true,
		}, h)
	}
	return errors.Join(
		add(nameGate, w.gate.title, w.gate.text, t.gateFields(&g), jsontext.Value(gateSchema), t.Config.L1, t.gate),
		add(nameClassify, w.classify.title, w.classify.text, t.inferFields(nameClassify, &i), classifySchema(), true, t.classify),
		add(nameRoute, w.route.title, w.route.text, t.inferFields(nameRoute, &i), routeSchema(), true, t.route),
		add(nameScore, w.score.title, w.score.text, t.inferFields(nameScore, &i), scoreSchema(), true, t.score),
	)
}

type gateArguments struct{ command, cwd, server string }

func (t *tools) gateFields(a *gateArguments) []field {
	h := t.words.fields
	return []field{
		{name: "command", help: h["command"], required: true, notBlank: true, max: maxText, text: &a.command},
		{name: "cwd", help: h["cwd"], max: maxDir, text: &a.cwd, check: absolute},
		{name: "server", help: h["server"], max: maxServer, text: &a.server, check: t.checkServer},
	}
}

type inferArguments struct {
	state, server string
	items         []string
}

func (t *tools) inferFields(tool string, a *inferArguments) []field {
	h := t.words.fields
	list := map[string]string{nameClassify: "labels", nameRoute: "tools", nameScore: "criteria"}[tool]
	state := "state"
	if tool == nameRoute {
		state = "request"
	}
	return []field{
		{name: "state", help: h[state], required: true, notBlank: true, max: maxText, text: &a.state},
		{name: list, help: h[list], required: true, notBlank: true, list: true, items: &a.items},
		{name: "server", help: h["server"], max: maxServer, text: &a.server, check: t.checkServer},
	}
}

// checkServer judges a server argument as far as that is possible without asking anybody.
func (t *tools) checkServer(s string) (expected string, ok bool) {
	const want = "http(s)://host:port of a loopback service, or one that the operator listed with --allow-server"
	if t.Pool == nil {
		return want, false
	}
	_, err := t.Pool.Check(s)
	return want, err == nil
}

// badArguments answers a call whose arguments are wrong, in the way of the client's revision.
func badArguments(call *mcpserver.Call, n *note, all []violation) (*mcpproto.ToolResult, error) {
	text := listed(all)
	n.failed = "arguments: " + text
	if call.Version.ArgumentErrorsAreResults() {
		return failure(call.Name, "wrong arguments: "+text, all), nil
	}
	return nil, &mcpproto.Error{
		Code: mcpproto.CodeInvalidParams, Message: "wrong arguments for " + call.Name + ": " + text,
		Data: map[string]any{"violations": limited(all)},
	}
}

// overloaded answers calls past the limit: the gate with a verdict, the others with an error.
func (t *tools) overloaded(_ context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
	const sentence = "too many calls are in flight"
	if call.Name != nameGate {
		return failure(call.Name, "overloaded: "+sentence, nil), nil
	}
	n := &note{tool: nameGate}
	call.Note = n
	var a gateArguments
	_ = parseArguments(call.Arguments, t.gateFields(&a)) // the answer is a deny either way
	return t.answer(n, t.Judge.Failed(t.request(&a), "overloaded", sentence))
}
