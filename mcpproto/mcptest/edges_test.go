package mcptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

// small is a server with one entry a page, a prompt, a resource, a tool that is never content, and a tool that passes on
// what a legacy client says.
func small(t *testing.T) *mcpserver.Server {
	t.Helper()
	is := is.New(t)
	s := mcpserver.New(mcpproto.Implementation{Name: "small", Version: "1"}, &mcpserver.Options{PageSize: 1})
	question := mcpproto.ElicitParams{Message: "really?", Requested: jsontext.Value(`{"type":"object","properties":{"yes":{"type":"boolean"}}}`)}
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "insist"}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.NeedInput(mcpproto.InputRequired{State: "again", Requests: mcpproto.InputRequests{"sure": {Elicit: &question}}}), nil
	}))
	is.NoErr(s.AddTool(mcpserver.Tool{Name: "relay"}, func(ctx context.Context, c *mcpserver.Call) (*mcpproto.ToolResult, error) {
		if _, err := c.Elicit(ctx, question); err != nil {
			return mcpproto.ErrorResult(err.Error()), nil
		}
		return mcpproto.TextResult("fine"), nil
	}))
	is.NoErr(s.AddPrompt(mcpproto.Prompt{Name: "p"}, func(context.Context, *mcpserver.PromptCall) (*mcpproto.PromptResult, error) {
		return &mcpproto.PromptResult{Messages: []mcpproto.PromptMessage{{Role: "user", Content: mcpproto.Text("hi")}}}, nil
	}))
	is.NoErr(s.AddResource(mcpproto.Resource{URI: "test://r", Name: "r"}, func(context.Context, *mcpserver.ReadCall) (*mcpproto.ReadResult, error) {
		return &mcpproto.ReadResult{Contents: []mcpproto.ResourceContents{{URI: "test://r", Text: "x"}}}, nil
	}))
	return s
}

func forms() mcpproto.ClientCapabilities {
	return mcpproto.ClientCapabilities{Elicitation: &mcpproto.ElicitationCapability{}}
}

func TestListsArePagedThrough(t *testing.T) {
	is := is.New(t)
	tools, err := mcptest.Connect(t, small(t), nil).Tools(t.Context())
	is.NoErr(err)
	is.Equal(len(tools), 2) // both pages
}

func TestEndlessQuestionsEnd(t *testing.T) {
	is := is.New(t)
	asked := 0
	c := mcptest.Connect(t, small(t), &mcptest.Options{Capabilities: forms(), Answer: func(context.Context, mcptest.Ask) (any, error) {
		asked++
		return map[string]any{"action": "decline"}, nil
	}})
	_, err := c.Call(t.Context(), "insist", nil)
	is.True(errors.Is(err, mcptest.ErrInputRequired)) // a client gives up some time
	is.True(asked > 1)
}

func TestLegacyRefusals(t *testing.T) {
	for name, refusal := range map[string]error{
		"an error of the protocol": &mcpproto.Error{Code: mcpproto.CodeInvalidParams, Message: "not that"},
		"any other error":          errors.New("the window is closed"),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := mcptest.Connect(t, small(t), &mcptest.Options{
				Revision: mcpproto.Version20251125, Capabilities: forms(),
				Answer: func(context.Context, mcptest.Ask) (any, error) { return nil, refusal },
			})
			r, err := c.Call(t.Context(), "relay", nil)
			is.NoErr(err)
			is.True(r.IsError) // the server hears that it was refused
		})
	}
}

func TestMirroredNamesOverHTTP(t *testing.T) {
	is := is.New(t)
	var auth []string
	h := streamhttp.NewHandler(small(t), nil)
	t.Cleanup(h.Close)
	spy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		auth = append(auth, r.Header.Get("Authorization"))
		h.ServeHTTP(w, r)
	})
	c := mcptest.ConnectHTTP(t, spy, &mcptest.Options{Header: http.Header{"authorization": {"Bearer x"}}})
	_, err := c.Request(t.Context(), mcpproto.MethodPromptsGet, map[string]any{"name": "p"})
	is.NoErr(err) // the server checks that the header names the prompt
	_, err = c.Request(t.Context(), mcpproto.MethodResourcesRead, map[string]any{"uri": "test://r"})
	is.NoErr(err) // and the resource
	_, err = c.Request(t.Context(), mcpproto.MethodResourcesRead, map[string]any{"uri": "test://nothing"})
	e, ok := errors.AsType[*mcpproto.Error](err)
	is.True(ok && e.Data != nil)                                 // an error keeps its data
	is.Equal(auth, []string{"Bearer x", "Bearer x", "Bearer x"}) // further headers go with every request
}

func TestMethodsOutsideTheSpecification(t *testing.T) {
	for _, v := range mcptest.Revisions() {
		t.Run(v.String(), func(t *testing.T) {
			is := is.New(t)
			s := small(t)
			is.NoErr(s.Handle("acme/count", func(context.Context, *mcpserver.Request) (any, error) { return map[string]int{"n": 3}, nil }))
			raw, err := mcptest.Connect(t, s, &mcptest.Options{Revision: v}).Request(t.Context(), "acme/count", nil)
			is.NoErr(err) // its result is held to what every result is held to
			var got struct{ N int }
			is.NoErr(json.Unmarshal(raw, &got))
			is.Equal(got.N, 3)
		})
	}
}

func TestParamsThatAreNone(t *testing.T) {
	is := is.New(t)
	c := mcptest.Connect(t, small(t), nil)
	for _, params := range []any{[]int{1}, func() {}, map[string]any{"_meta": 7}} {
		_, err := c.Request(t.Context(), mcpproto.MethodToolsList, params)
		is.True(err != nil) // refused before anything is sent
	}
}

func TestWaitingEnds(t *testing.T) {
	is := is.New(t)
	c := mcptest.Connect(t, small(t), nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.WaitNote(ctx, "notifications/never")
	is.True(errors.Is(err, context.Canceled))
	c.Close()
	_, err = c.Request(t.Context(), mcpproto.MethodToolsList, nil)
	is.True(err != nil) // a closed client says so
}

func TestDirectionsHaveNames(t *testing.T) {
	is := is.New(t)
	is.Equal(mcptest.ToServer.String(), "client to server")
	is.Equal(mcptest.ToClient.String(), "server to client")
	is.Equal(mcptest.Direction(0).String(), "invalid direction")
}

func TestCheckOfOddMessages(t *testing.T) {
	is := is.New(t)
	check := func(v mcpproto.Version, message string) error {
		return mcptest.Check(v, mcptest.ToClient, mcpproto.MethodToolsList, []byte(message))
	}
	is.True(errors.Is(check(mcpproto.Version(99), `{}`), mcptest.ErrUnknownRevision))
	is.True(errors.Is(mcptest.CheckDefinition(mcpproto.Version(99), "Tool", []byte(`{}`)), mcptest.ErrUnknownRevision))
	is.True(check(mcpproto.Version20260728, `{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"x"}}`) != nil)    // a code is whole
	is.True(check(mcpproto.Version20260728, `{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"x"}}`) != nil)    // and a number
	is.True(check(mcpproto.Version20250618, `{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"x"}}`) != nil) // not yet
	is.True(check(mcpproto.Version20260728, `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"x"}}`) != nil) // not any more
	is.True(check(mcpproto.Version20260728, `not json`) != nil)
}
