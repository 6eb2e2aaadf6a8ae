package streamhttp

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// session is what the server keeps of one legacy client between its requests.
// MCP 2025-11-25, basic/transports, "Session Management".
type session struct {
	id        string
	principal string
	conn      *mcpserver.Conn

	mu      sync.Mutex
	used    time.Time
	open    int // exchanges in progress; such a session never idles out
	streams []*exchange
}

// sessions holds the living ones, at most Options.MaxSessions.
type sessions struct {
	h *Handler

	mu     sync.Mutex
	byID   map[string]*session
	closed bool
}

func newSessions(h *Handler) *sessions { return &sessions{h: h, byID: make(map[string]*session)} }

// find looks up the session that the request names. It answers 404 for one that is unknown, ended or
// another principal's, which tells the client to initialize again.
func (x *exchange) find() bool {
	ids := x.r.Header[mcpproto.HeaderSession]
	if x.h.sessions == nil || len(ids) == 0 {
		return true
	}
	if len(ids) == 1 {
		x.session = x.h.sessions.get(ids[0], x.principal)
	}
	if x.session != nil {
		return true
	}
	x.h.refuse(x.reply.w, x.r, http.StatusNotFound, "session is unknown or has ended")
	x.reply.end()
	return false
}

// mint prepares a session for an initialize; only its success keeps it.
func (x *exchange) mint() {
	if x.h.sessions == nil {
		return
	}
	s := &session{id: rand.Text(), principal: x.principal}
	s.conn = x.h.server.NewConn(mcpserver.ConnOptions{Transport: mcpproto.HTTP, Push: s.push})
	x.minted = s
}

// keep ends the trial of a minted session, before its answer leaves.
func (x *exchange) keep(initialized bool) {
	if !initialized || !x.h.sessions.add(x.minted) {
		x.minted.conn.Close()
		return
	}
	x.reply.w.Header()[mcpproto.HeaderSession] = []string{x.minted.id}
}

// enter notes that an exchange of a session is in progress; the returned function ends it.
func (x *exchange) enter() (leave func()) {
	s := x.session
	if s == nil {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	if x.reply.accepts&acceptsEvents != 0 {
		s.streams = append(s.streams, x)
	}
	return func() { s.leave(x) }
}

func (s *session) leave(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	s.used = time.Now()
	for i, other := range s.streams {
		if other == x {
			s.streams = append(s.streams[:i], s.streams[i+1:]...)
			return
		}
	}
}

// push sends what belongs to no exchange on the stream of some call in progress. There is no stream
// of the session's own (GET is 405), so without one the message is dropped.
func (s *session) push(msg []byte) error {
	s.mu.Lock()
	streams := append([]*exchange(nil), s.streams...)
	s.mu.Unlock()
	for i := len(streams) - 1; i >= 0; i-- {
		if streams[i].reply.event(msg) == nil {
			return nil
		}
	}
	return mcpserver.ErrNoStream
}

func (ss *sessions) get(id, principal string) *session {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s, ok := ss.byID[id]
	if !ok || s.principal != principal {
		return nil
	}
	now := time.Now()
	if s.idle(now) > ss.h.o.SessionIdle {
		ss.drop(s)
		return nil
	}
	s.touch(now)
	return s
}

func (s *session) touch(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = now
}

// idle is how long nothing used the session.
func (s *session) idle(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open > 0 {
		return 0
	}
	return now.Sub(s.used)
}

// add keeps a session, dropping idle ones and, when there are too many, the least recently used.
func (ss *sessions) add(s *session) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.closed {
		return false
	}
	now := time.Now()
	var oldest *session
	var age time.Duration = -1
	for _, other := range ss.byID {
		idle := other.idle(now)
		if idle > ss.h.o.SessionIdle {
			ss.drop(other)
		} else if idle > age {
			oldest, age = other, idle
		}
	}
	if len(ss.byID) >= ss.h.o.MaxSessions && oldest != nil {
		ss.drop(oldest)
	}
	s.used = now
	ss.byID[s.id] = s
	return true
}

// drop ends a session. Callers hold mu.
func (ss *sessions) drop(s *session) {
	delete(ss.byID, s.id)
	s.conn.Close()
}

// delete answers DELETE: the client ends its session.
func (ss *sessions) delete(w http.ResponseWriter, r *http.Request, principal string) {
	ids := r.Header[mcpproto.HeaderSession]
	if len(ids) != 1 {
		ss.h.refuse(w, r, http.StatusBadRequest, "name the session in Mcp-Session-Id")
		return
	}
	s := ss.get(ids[0], principal)
	if s == nil {
		ss.h.refuse(w, r, http.StatusNotFound, "session is unknown or has ended")
		return
	}
	ss.mu.Lock()
	ss.drop(s)
	ss.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func (ss *sessions) close() {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.closed = true
	for _, s := range ss.byID {
		ss.drop(s)
	}
}
