package mockp0

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// TB is what NewServer needs of a *testing.T, *testing.B or *testing.F. It is an interface of our own so that
// programs that import this package do not carry package testing.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Server is a Service on a socket.
type Server struct {
	*Service
	URL  string // "http://127.0.0.1:port"
	http *http.Server
	done chan error
}

// NewServer starts a service on a free loopback port and closes it when the test ends.
func NewServer(t TB, s *Script) *Server {
	t.Helper()
	srv, err := start("127.0.0.1:0", s, t.Errorf)
	if err != nil {
		t.Fatalf("%v", err)
		return nil
	}
	t.Cleanup(srv.Close)
	return srv
}

// Start starts a service on addr, "host:port" with a loopback host; port 0 picks a free one. It is ready when
// Start returns.
func Start(addr string, s *Script) (*Server, error) { return start(addr, s, nil) }

func start(addr string, s *Script, onError func(string, ...any)) (*Server, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := checkLoopback(addr); err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("mockp0: %w", err)
	}
	service := New(s)
	service.onError = onError
	srv := &Server{
		Service: service,
		URL:     "http://" + l.Addr().String(),
		http:    &http.Server{Handler: service, ReadHeaderTimeout: 10 * time.Second, ErrorLog: quiet()},
		done:    make(chan error, 1),
	}
	go func() { srv.done <- srv.http.Serve(l) }()
	return srv, nil
}

// checkLoopback refuses every address that others could reach: nothing here is meant for a network.
func checkLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("mockp0: address %q: %w", addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("mockp0: address %q is not a loopback address", addr)
	}
	return nil
}

// Close stops listening, ends what hangs, and returns when every handler has returned. Closing twice is fine.
func (s *Server) Close() {
	_ = s.http.Close() // the listener is gone either way
	s.Service.Close()
	if err, ok := <-s.done; ok {
		close(s.done)
		if !errors.Is(err, http.ErrServerClosed) && s.onError != nil {
			s.onError("mockp0: %v", err)
		}
	}
}
