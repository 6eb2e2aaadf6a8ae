package streamhttp_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"0"}}}`

// byToken takes the Authorization header for the principal.
func byToken(r *http.Request) (string, bool) { return r.Header.Get("Authorization"), true }

// open returns the id of a new session.
func open(t *testing.T, h http.Handler) string {
	t.Helper()
	return sayHello(t, h).header.Get(mcpproto.HeaderSession)
}

// sayHello opens a session and returns the answer to initialize.
func sayHello(t *testing.T, h http.Handler) *answer {
	t.Helper()
	is := is.New(t)
	a := post(t, h, request(t.Context(), hello, "", ""))
	is.Equal(a.status, http.StatusOK)
	id := a.header.Get(mcpproto.HeaderSession)
	is.True(len(id) >= 20) // unguessable
	is.Equal(post(t, h, request(t.Context(), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "2025-11-25", id)).status, http.StatusAccepted)
	return a
}

func end(t *testing.T, h http.Handler, session string) *answer {
	r := request(t.Context(), "", "2025-11-25", session)
	r.Method = http.MethodDelete
	delete(r.Header, "Content-Type")
	return post(t, h, r)
}

func TestSessionLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, _ := watched()
		h := streamhttp.NewHandler(f.Server, &streamhttp.Options{LegacySessions: true, MaxSessions: 2, Authenticate: byToken})
		defer h.Close()
		ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		status := func(session string) int { return post(t, h, request(t.Context(), ping, "2025-11-25", session)).status }

		first := sayHello(t, h)
		one := first.header.Get(mcpproto.HeaderSession)
		is.Equal(status(one), http.StatusOK)
		is.Equal(status("nobody"), http.StatusNotFound)

		stranger := request(t.Context(), ping, "2025-11-25", one)
		stranger.Header.Set("Authorization", "Bearer other")
		is.Equal(post(t, h, stranger).status, http.StatusNotFound) // a session belongs to its principal

		bare := request(t.Context(), ping, "2025-11-25", one)
		delete(bare.Header, mcpproto.HeaderVersion)
		known := newAnswer(t)
		known.checked = first.checked
		known.serve(known, h, bare)
		is.Equal(known.status, http.StatusOK) // the session knows the version

		get := request(t.Context(), "", "2025-11-25", one)
		get.Method = http.MethodGet
		a := post(t, h, get)
		is.Equal(a.status, http.StatusMethodNotAllowed)
		is.Equal(a.header.Get("Allow"), "POST, DELETE")

		is.Equal(end(t, h, one).status, http.StatusNoContent)
		is.Equal(status(one), http.StatusNotFound)
		is.Equal(end(t, h, one).status, http.StatusNotFound)
		is.Equal(end(t, h, "").status, http.StatusBadRequest)

		two := open(t, h)
		time.Sleep(time.Minute)
		three := open(t, h)
		time.Sleep(time.Minute)
		four := open(t, h) // the least recently used one goes
		is.Equal([]int{status(two), status(three), status(four)}, []int{404, 200, 200})

		time.Sleep(streamhttp.DefaultSessionIdle + time.Second)
		is.Equal(status(three), http.StatusNotFound)
	})
}

func TestModernRequestsIgnoreSessions(t *testing.T) {
	is := is.New(t)
	f, _ := watched()
	h := streamhttp.NewHandler(f.Server, &streamhttp.Options{LegacySessions: true})
	defer h.Close()
	r := request(t.Context(), list, "", "")
	r.Header.Set(mcpproto.HeaderSession, "stale")
	a := post(t, h, r)
	is.Equal(a.status, http.StatusOK)
	is.Equal(a.header.Get(mcpproto.HeaderSession), "")
}

func TestChangesRideOnOpenStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, _ := watched()
		h := streamhttp.NewHandler(f.Server, &streamhttp.Options{LegacySessions: true})
		defer h.Close()
		session := open(t, h)
		f.ToolsChanged() // nothing is open: dropped
		synctest.Wait()
		call := start(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`, "2025-11-25", session)
		f.ToolsChanged()
		synctest.Wait()
		close(f.Release)
		<-call.done
		all := call.messages()
		is.Equal(len(all), 2)
		is.True(strings.Contains(all[0], mcpproto.NoteToolsChanged))
	})
}

func TestASessionCanCancelItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, fates := watched()
		h := streamhttp.NewHandler(f.Server, &streamhttp.Options{LegacySessions: true})
		defer h.Close()
		session := open(t, h)
		call := start(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`, "2025-11-25", session)
		post(t, h, request(t.Context(), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "2025-11-25", session))
		synctest.Wait()
		is.True(call.over())
		is.Equal(call.body.Len(), 0)
		is.Equal(len(fates()), 1)
		is.Equal(fates()[0].String(), "cancelled")
	})
}

func TestAnAskNeedsAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		f, _ := watched()
		h := streamhttp.NewHandler(f.Server, &streamhttp.Options{LegacySessions: true})
		defer h.Close()
		session := open(t, h)
		r := request(t.Context(), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}`, "2025-11-25", session)
		r.Header.Set("Accept", "application/json")
		a := post(t, h, r)
		is.Equal(a.status, http.StatusOK)
		is.True(strings.Contains(a.body.String(), mcpNoStream)) // told at once, not left hanging
	})
}

const mcpNoStream = "no stream for messages before the answer"
