package mcpproto_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

// Requests have no types in this package: [mcpproto.Decode] indexes their params, and mcpserver hands a handler what
// its method has, typed. So the examples go to a server, and are encoded again from what its handlers get.

// reencodeRequest is for examples that are whole requests.
func reencodeRequest(raw []byte) ([]byte, error) {
	m, err := mcpproto.Decode(raw)
	if err != nil {
		return nil, err
	}
	params, err := served(m)
	return mcpproto.AppendRequest(nil, m.ID, m.Method, params), err
}

// requestParams is for examples that are the params of a request of method.
func requestParams(method string) func([]byte) ([]byte, error) {
	return func(raw []byte) ([]byte, error) {
		m, err := mcpproto.Decode(mcpproto.AppendRequest(nil, mcpproto.IntID(1), method, raw))
		if err != nil {
			return nil, err
		}
		return served(m)
	}
}

// seen is what a handler got, in the members of the wire.
type seen struct {
	Name      string                       `json:"name,omitzero"`
	URI       string                       `json:"uri,omitzero"`
	Cursor    string                       `json:"cursor,omitzero"`
	Arguments any                          `json:"arguments,omitzero"`
	Ref       *mcpproto.CompletionRef      `json:"ref,omitzero"`
	Argument  *mcpproto.CompletionArgument `json:"argument,omitzero"`
	Context   *seenContext                 `json:"context,omitzero"`
	Filter    *mcpproto.SubscriptionFilter `json:"notifications,omitzero"`
	Responses mcpproto.InputResponses      `json:"inputResponses,omitzero"`
	State     string                       `json:"requestState,omitzero"`
	Meta      map[string]any               `json:"_meta"`
}

type seenContext struct {
	Arguments map[string]string `json:"arguments"`
}

// meta is what the server made of _meta.
func (s *seen) meta(r *mcpserver.Request) {
	s.Meta = map[string]any{
		mcpproto.KeyProtocolVersion: r.Version.String(), mcpproto.KeyClientInfo: r.Client, mcpproto.KeyClientCapabilities: r.Capabilities,
	}
	if !r.ProgressToken.IsZero() {
		s.Meta["progressToken"] = r.ProgressToken
	}
	if r.LogLevel != "" {
		s.Meta[mcpproto.KeyLogLevel] = r.LogLevel
	}
}

// served has a server serve m, and returns its params as the server understood them.
func served(m *mcpproto.Message) (jsontext.Value, error) {
	var got seen
	if m.Params.Get("cursor") != nil { // of another server's making, which ours refuses to follow
		err := got.byServer(m, &heard{})
		if err != nil {
			return nil, err
		}
		return mcpproto.Marshal(&got)
	}
	s, err := spy(m, &got)
	if err != nil {
		return nil, err
	}
	conn := s.NewConn(mcpserver.ConnOptions{Transport: mcpproto.Stdio})
	defer conn.Close()
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(mcpserver.ErrShutdown) // ends a subscription after its acknowledgement; the handlers here do not look
	var out heard
	out.checked.Sent(mcpproto.AppendRequest(nil, m.ID, m.Method, m.Params.Raw()))
	conn.Handle(ctx, m, mcpserver.Facts{}, &out)
	if out.failed != "" {
		return nil, errors.New(out.failed)
	}
	if got.Meta == nil { // a method without a handler: lists, discover, listen
		if err := got.byServer(m, &out); err != nil {
			return nil, err
		}
	}
	return mcpproto.Marshal(&got)
}

// byServer fills in what the server itself looks at in requests that no handler sees, by the accessors it uses.
func (s *seen) byServer(m *mcpproto.Message, out *heard) error {
	text, perr := m.MetaVersion()
	if perr != nil {
		return perr
	}
	version, perr := mcpproto.ParseModern(text)
	if perr != nil {
		return perr
	}
	meta, perr := m.RequestMeta(mcpproto.Modern, nil)
	if perr != nil {
		return perr
	}
	s.meta(&mcpserver.Request{
		Version: version, Client: meta.Client, Capabilities: meta.Capabilities, LogLevel: meta.LogLevel, ProgressToken: meta.ProgressToken,
	})
	s.Cursor, _, _ = m.Params.Text("cursor")
	s.Filter = out.granted // everything is declared: what is granted is what was asked
	return nil
}

// spy is a server that has what m asks for, and notes what its handlers get.
func spy(m *mcpproto.Message, got *seen) (*mcpserver.Server, error) {
	s := mcpserver.New(mcpproto.Implementation{Name: "spy", Version: "1"}, &mcpserver.Options{
		Logger: slog.New(slog.DiscardHandler),
		Capabilities: mcpproto.ServerCapabilities{
			Tools: &mcpproto.ListCapability{ListChanged: true}, Prompts: &mcpproto.ListCapability{ListChanged: true},
			Resources: &mcpproto.ResourcesCapability{Subscribe: true, ListChanged: true},
		},
	})
	name, _, _ := m.Params.Text("name")
	uri, _, _ := m.Params.Text("uri")
	s.SetCompletion(func(_ context.Context, c *mcpserver.CompletionCall) (*mcpproto.Completion, error) {
		got.Ref, got.Argument = &c.Ref, &c.Argument
		if c.Context != nil {
			got.Context = &seenContext{c.Context}
		}
		got.meta(&c.Request)
		return &mcpproto.Completion{}, nil
	})
	return s, errors.Join(
		s.AddTool(mcpserver.Tool{Name: cmp.Or(name, "t")}, func(_ context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
			got.Name, got.Arguments, got.Responses, got.State = c.Name, c.Arguments, c.InputResponses, c.RequestState
			got.meta(&c.Request)
			return mcpproto.TextResult("seen"), nil
		}),
		s.AddPrompt(mcpproto.Prompt{Name: cmp.Or(name, "p")}, func(_ context.Context, c *mcpserver.PromptCall) (*mcpproto.PromptResult, error) {
			got.Name, got.Arguments, got.Responses, got.State = c.Name, c.Arguments, c.InputResponses, c.RequestState
			got.meta(&c.Request)
			return &mcpproto.PromptResult{}, nil
		}),
		s.AddResource(mcpproto.Resource{URI: cmp.Or(uri, "test:r"), Name: "r"}, func(_ context.Context, c *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
			got.URI, got.Responses, got.State = c.URI, c.InputResponses, c.RequestState
			got.meta(&c.Request)
			return &mcpproto.ReadResult{}, nil
		}),
	)
}

// heard is the client's end: it takes only valid messages.
type heard struct {
	checked mcptest.Checker
	granted *mcpproto.SubscriptionFilter // from an acknowledgement
	failed  string
}

func (h *heard) Send(msg []byte) error {
	h.check(msg)
	m, err := mcpproto.Decode(msg)
	if err != nil || m.Method != mcpproto.NoteAcknowledged {
		return err
	}
	var ack mcpproto.AcknowledgedParams
	err = mcpproto.Unmarshal(m.Params.Raw(), &ack)
	h.granted = &ack.Notifications
	return err
}

func (h *heard) Answer(msg []byte, a mcpserver.Answer) error {
	h.check(msg)
	if a.Code != 0 {
		h.failed = string(msg)
	}
	return nil
}

func (h *heard) check(msg []byte) {
	if err := h.checked.Received(msg); err != nil {
		h.failed = fmt.Sprintf("invalid message: %v\n%s", err, msg)
	}
}
