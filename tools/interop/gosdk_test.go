package interop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/matryer/is"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/phocinae/phocinae-go/tools/internal/product"
)

var revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// connect opens a session of the official client with the built program. stdio gets a process of its own.
type connect func(t *testing.T, revision string, answer *mcp.ElicitResult) *mcp.ClientSession

// TestOfficialGoClientCallsEveryTool: on each revision the SDK speaks, over both transports, every tool answers.
func TestOfficialGoClientCallsEveryTool(t *testing.T) {
	exe := built(t)
	service := mockp0.NewServer(t, nil)
	for name, open := range transports(t, exe, "--server", service.URL, "--audit", "off") {
		for _, revision := range revisions {
			t.Run(name+" "+revision, func(t *testing.T) {
				is := is.New(t)
				session := open(t, revision, nil)
				is.Equal(session.InitializeResult().ProtocolVersion, revision) // the revision that was asked for
				list, err := session.ListTools(t.Context(), nil)
				is.NoErr(err) // tools/list
				var names []string
				for _, tool := range list.Tools {
					names = append(names, tool.Name)
				}
				is.Equal(names, []string{"classify", "gate", "route", "score"}) // the four tools, sorted

				got := call(t, session, "gate", map[string]any{"command": "git status"})
				is.Equal(got["decision"], "allow") // a reader
				got = call(t, session, "gate", map[string]any{"command": "ls && rm -rf ~"})
				is.Equal(got["decision"], "deny") // a destroyer behind a reader
				got = call(t, session, "classify", map[string]any{"state": "the printer is on fire", "labels": []string{"hardware", "billing"}})
				is.True(slices.Contains([]any{"hardware", "billing"}, got["label"])) // one of the labels
				got = call(t, session, "route", map[string]any{"state": "find a file", "tools": []string{"grep", "mail"}})
				is.True(slices.Contains([]any{"grep", "mail"}, got["tool"])) // one of the tools
				got = call(t, session, "score", map[string]any{"state": "a tidy commit", "criteria": []string{"clarity"}})
				score, ok := got["score"].(float64)
				is.True(ok && score >= 2 && score <= 10) // within the range

				resources, err := session.ListResources(t.Context(), nil)
				is.NoErr(err)                         // resources/list
				is.Equal(len(resources.Resources), 2) // policy and table
				_, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "phocinae://policy/gate-approval"})
				is.NoErr(err) // resources/read
			})
		}
	}
}

// TestOfficialGoClientConfirms: the client's own elicitation handler completes the round where the contract offers one,
// and elsewhere an ask comes back as decision ask.
func TestOfficialGoClientConfirms(t *testing.T) {
	exe := built(t)
	offered := map[string][]string{
		"stdio": {"2026-07-28", "2025-11-25", "2025-06-18"},
		"http":  {"2026-07-28"},
	}
	accept := &mcp.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}
	decline := &mcp.ElicitResult{Action: "decline"}
	for name, open := range transports(t, exe, "--fail-closed", "ask", "--audit", "off") {
		for _, revision := range revisions {
			t.Run(name+" "+revision, func(t *testing.T) {
				is := is.New(t)
				want := []string{"ask", "ask"}
				layer := "fail_closed"
				if slices.Contains(offered[name], revision) {
					want, layer = []string{"allow", "deny"}, "human_confirm"
				}
				for i, answer := range []*mcp.ElicitResult{accept, decline} {
					session := open(t, revision, answer)
					// The table does not know the program. A declined command stays declined for a minute, so each has a name of its own.
					asked := fmt.Sprintf("slowtool --%s-%s-%d", name, revision, i)
					got := call(t, session, "gate", map[string]any{"command": asked})
					is.Equal(got["decision"], want[i]) // accepted, then declined
					is.Equal(got["layer"], layer)      // who decided
					again := call(t, session, "gate", map[string]any{"command": "rm -rf /"})
					is.Equal(again["decision"], "deny") // no answer of a client lifts a deny
				}
			})
		}
	}
}

func built(t *testing.T) string {
	t.Helper()
	is := is.New(t)
	exe, err := product.Build(t.Context(), t.TempDir())
	is.NoErr(err) // the program builds
	return exe
}

func transports(t *testing.T, exe string, flags ...string) map[string]connect {
	t.Helper()
	is := is.New(t)
	ctx, cancel := context.WithCancel(context.Background())
	server, err := product.StartHTTP(ctx, exe, append([]string{"--transport", "http", "--port", "0"}, flags...)...)
	is.NoErr(err) // the program serves HTTP
	t.Cleanup(func() {
		_, _ = server.Stop()
		cancel()
	})
	return map[string]connect{
		"stdio": func(t *testing.T, revision string, answer *mcp.ElicitResult) *mcp.ClientSession {
			return open(t, (&tap{t: t}).start(exe, flags...), revision, answer)
		},
		"http": func(t *testing.T, revision string, answer *mcp.ElicitResult) *mcp.ClientSession {
			return open(t, &mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp", HTTPClient: &http.Client{Transport: webTap{t}}}, revision, answer)
		},
	}
}

func open(t *testing.T, transport mcp.Transport, revision string, answer *mcp.ElicitResult) *mcp.ClientSession {
	t.Helper()
	is := is.New(t)
	options := &mcp.ClientOptions{}
	if answer != nil {
		options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return answer, nil }
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "0"}, options)
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	is.NoErr(err) // the client connects
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call returns the JSON object in the first text of the result, which every revision carries.
func call(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any) map[string]any {
	t.Helper()
	is := is.New(t)
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	is.NoErr(err) // tools/call
	is.True(!result.IsError)
	is.True(len(result.Content) > 0) // a text beside the structured content
	text, ok := result.Content[0].(*mcp.TextContent)
	is.True(ok) // the first content is text
	got := map[string]any{}
	is.NoErr(json.Unmarshal([]byte(text.Text), &got)) // the text is a JSON object
	return got
}
