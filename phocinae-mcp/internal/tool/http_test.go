package tool

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

// overHTTP plays one bearer's client.
func overHTTP(t *testing.T, w *world, token string) *client {
	t.Helper()
	h := streamhttp.NewHandler(w.server, &streamhttp.Options{Authenticate: func(r *http.Request) (string, bool) {
		sent := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		return PrincipalOf(sent), sent != ""
	}})
	t.Cleanup(func() { h.Close() })
	o := &mcptest.Options{Header: http.Header{"Authorization": {"Bearer " + token}}}
	o.Capabilities.Elicitation = &mcpproto.ElicitationCapability{}
	return &client{t: t, Client: mcptest.ConnectHTTP(t, h, o)}
}

func TestConfirmationBelongsToItsPrincipal(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	alice, bob := overHTTP(t, w, "alice-token"), overHTTP(t, w, "bob-token")

	state := alice.gate(cmd("ask me"), nil).State
	is.True(state != "")
	is.Equal(bob.gate(cmd("ask me"), retry(state, yes)).code, -32602) // not his
	is.Equal(w.trail.last(t).Principal, PrincipalOf("bob-token"))
	is.Equal(alice.gate(cmd("ask me"), retry(state, yes)).Decision, "allow") // and his try did not use it up
	is.Equal(w.trail.last(t).Principal, PrincipalOf("alice-token"))

	// What one bearer declines is not declined for the other.
	alice.gate(cmd("ask more"), retry(alice.gate(cmd("ask more"), nil).State, decline))
	is.Equal(alice.gate(cmd("ask more"), nil).Decision, "deny")
	is.Equal(bob.gate(cmd("ask more"), nil).Type, "input_required")
}

func TestStateOfOneTransportIsRefusedOnAnother(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	h := streamhttp.NewHandler(w.server, nil)
	t.Cleanup(func() { h.Close() })
	o := &mcptest.Options{}
	o.Capabilities.Elicitation = &mcpproto.ElicitationCapability{}
	web := &client{t: t, Client: mcptest.ConnectHTTP(t, h, o)}
	state := web.gate(cmd("ask me"), nil).State
	is.Equal(w.client(v2026, true).gate(cmd("ask me"), retry(state, yes)).code, -32602)
}

func TestRefusedHeadersAreRecorded(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	h := streamhttp.NewHandler(w.server, nil)
	t.Cleanup(func() { h.Close() })
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(rawCall("allow x", `"x":1`)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", "2026-07-28")
	r.Header.Set("Mcp-Method", "tools/call")
	r.Header.Set("Mcp-Name", "classify")
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, r)
	is.Equal(answer.Code, http.StatusBadRequest)
	is.Equal(len(w.trail.all()), 1)
	is.True(strings.HasPrefix(w.trail.last(t).Error, "bad_header"))
}
