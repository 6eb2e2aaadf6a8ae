package mcptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver/schemacheck"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

// each runs a test over both transports.
func each(t *testing.T, f func(t *testing.T, server *wiretest.Fixture, connect func(testing.TB, *mcptest.Options) *mcptest.Client)) {
	t.Run("stdio", func(t *testing.T) {
		server := wiretest.NewServer(wiretest.Options())
		f(t, server, func(t testing.TB, o *mcptest.Options) *mcptest.Client { return mcptest.Connect(t, server.Server, o) })
	})
	t.Run("http", func(t *testing.T) {
		server := wiretest.NewServer(wiretest.Options())
		h := streamhttp.NewHandler(server.Server, &streamhttp.Options{LegacySessions: true})
		t.Cleanup(h.Close)
		f(t, server, func(t testing.TB, o *mcptest.Options) *mcptest.Client { return mcptest.ConnectHTTP(t, h, o) })
	})
}

func text(r *mcpproto.ToolResult) string {
	var all string
	for _, c := range r.Content {
		all += c.Text
	}
	return all
}

func TestEveryRevisionCallsATool(t *testing.T) {
	each(t, func(t *testing.T, _ *wiretest.Fixture, connect func(testing.TB, *mcptest.Options) *mcptest.Client) {
		for _, v := range mcptest.Revisions() {
			t.Run(v.String(), func(t *testing.T) {
				is := is.New(t)
				c := connect(t, &mcptest.Options{Revision: v})
				is.Equal(c.Hello() != nil, v.Era() == mcpproto.Legacy)
				tools, err := c.Tools(t.Context())
				is.NoErr(err)
				is.True(len(tools) > 5)
				r, err := c.Call(t.Context(), "echo", map[string]any{"text": "x"})
				is.NoErr(err)
				is.Equal(text(r), `{"text":"x"}`)
				_, err = c.Call(t.Context(), "nope", nil)
				e, ok := errors.AsType[*mcpproto.Error](err)
				is.True(ok)
				is.Equal(e.Code, mcpproto.CodeInvalidParams)
			})
		}
	})
}

func TestQuestionsAreAnsweredInBothEras(t *testing.T) {
	each(t, func(t *testing.T, _ *wiretest.Fixture, connect func(testing.TB, *mcptest.Options) *mcptest.Client) {
		for _, v := range []mcpproto.Version{mcpproto.Version20250618, mcpproto.Version20251125, mcpproto.Version20260728} {
			for approve, want := range map[bool]string{true: "allow", false: "deny"} {
				t.Run(v.String()+" "+want, func(t *testing.T) {
					is := is.New(t)
					c := connect(t, &mcptest.Options{
						Revision:     v,
						Capabilities: mcpproto.ClientCapabilities{Elicitation: &mcpproto.ElicitationCapability{}},
						Answer: func(_ context.Context, ask mcptest.Ask) (any, error) {
							is.Equal(ask.Method, mcpproto.MethodElicit)
							return map[string]any{"action": "accept", "content": map[string]bool{"approve": approve}}, nil
						},
					})
					r, err := c.Call(t.Context(), "ask", map[string]any{"what": "x"})
					is.NoErr(err)
					is.Equal(text(r), want)
				})
			}
		}
		t.Run("nobody answers", func(t *testing.T) {
			is := is.New(t)
			c := connect(t, &mcptest.Options{Capabilities: mcpproto.ClientCapabilities{Elicitation: &mcpproto.ElicitationCapability{}}})
			_, err := c.Call(t.Context(), "ask", nil)
			is.True(errors.Is(err, mcptest.ErrInputRequired))
		})
	})
}

func TestNotesSubscriptionsAndCancellation(t *testing.T) {
	each(t, func(t *testing.T, server *wiretest.Fixture, connect func(testing.TB, *mcptest.Options) *mcptest.Client) {
		is := is.New(t)
		c := connect(t, &mcptest.Options{LogLevel: mcpproto.LogInfo})
		_, err := c.Call(t.Context(), "log", nil)
		is.NoErr(err)
		is.Equal(len(c.Notes()), 2) // info and error

		sub, err := c.Listen(t.Context(), map[string]any{"toolsListChanged": true, "unheardOf": true})
		is.NoErr(err)
		is.Equal(string(sub.Granted), `{"toolsListChanged":true}`)
		server.ToolsChanged()
		n, err := sub.Next(t.Context())
		is.NoErr(err)
		is.Equal(n.Method, mcpproto.NoteToolsChanged)
		_, err = c.WaitNote(t.Context(), mcpproto.NoteToolsChanged)
		is.NoErr(err)
		sub.Close()

		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := c.Call(ctx, "slow", nil)
			failed <- err
		}()
		<-server.Started
		cancel()
		is.True(errors.Is(<-failed, context.Canceled))
		_, err = c.Call(t.Context(), "echo", map[string]any{"text": "still here"})
		is.NoErr(err)
	})
}

func TestTheServerEndsASubscription(t *testing.T) {
	is := is.New(t)
	server := wiretest.NewServer(wiretest.Options())
	h := streamhttp.NewHandler(server.Server, nil)
	c := mcptest.ConnectHTTP(t, h, nil)
	sub, err := c.Listen(t.Context(), map[string]any{"toolsListChanged": true})
	is.NoErr(err)
	h.Close()
	_, err = sub.Next(t.Context())
	is.True(errors.Is(err, io.EOF))
}

func TestArgumentsAreMirrored(t *testing.T) {
	is := is.New(t)
	s := mcpserver.New(mcpproto.Implementation{Name: "s", Version: "1"}, &mcpserver.Options{Schemas: schemacheck.Compile})
	is.NoErr(s.AddTool(mcpserver.Tool{
		Name:        "where",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"}}}`),
	}, func(context.Context, *mcpserver.Call) (*mcpproto.ToolResult, error) {
		return mcpproto.TextResult("there"), nil
	}))
	var seen http.Header
	h := streamhttp.NewHandler(s, nil)
	defer h.Close()
	c := mcptest.ConnectHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		h.ServeHTTP(w, r)
	}), nil)
	_, err := c.Tools(t.Context())
	is.NoErr(err)
	_, err = c.Call(t.Context(), "where", map[string]any{"region": "Zürich", "n": 7})
	is.NoErr(err)
	is.Equal(seen.Get("Mcp-Param-N"), "7")
	is.True(strings.HasPrefix(seen.Get("Mcp-Param-Region"), "=?base64?"))
}

// recorder is a testing.TB that keeps failures instead of failing.
type recorder struct {
	testing.TB
	mu       sync.Mutex
	failures []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

// A server that breaks the schema fails the test, even if the test itself does not look.
func TestInvalidMessagesFailTheTest(t *testing.T) {
	for _, r := range []struct{ name, body, want string }{
		{"no resultType", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, "resultType"},
		{"a null id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m"}}`, "invalid message"},
		{"nothing at all", `nonsense`, "no message"},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			rec := &recorder{TB: t}
			c := mcptest.ConnectHTTP(rec, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, r.body)
			}), nil)
			_, _ = c.Request(t.Context(), "tools/call", map[string]any{"name": "x"})
			c.Close()
			is.True(len(rec.failures) > 0)
			is.True(strings.Contains(rec.failures[0], r.want))
		})
	}
}

func ExampleConnect() {
	t := &testing.T{} // a test's own t
	s := mcpserver.New(mcpproto.Implementation{Name: "greeter", Version: "1.0"}, &mcpserver.Options{
		Schemas: schemacheck.Compile,
		Logger:  slog.New(slog.DiscardHandler),
	})
	err := s.AddTool(mcpserver.Tool{
		Name:        "greet",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	}, func(_ context.Context, call *mcpserver.Call) (*mcpproto.ToolResult, error) {
		var a struct{ Name string }
		if err := json.Unmarshal(call.Arguments, &a); err != nil {
			return nil, err
		}
		return mcpproto.TextResult("Hello, " + a.Name), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := mcptest.Connect(t, s, nil)
	defer c.Close()
	r, err := c.Call(context.Background(), "greet", map[string]string{"name": "Ada"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Content[0].Text)
	// Output: Hello, Ada
}

func ExampleCheck() {
	result := jsontext.Value(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}`)
	err := mcptest.Check(mcpproto.Version20260728, mcptest.ToClient, "tools/list", result)
	fmt.Println(err != nil) // a list says how long it may be kept
	// Output: true
}
