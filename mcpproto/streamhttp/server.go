package streamhttp

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// ErrNotLoopback reports an address that other machines could reach, or that is not surely this one.
// Nothing was bound.
var ErrNotLoopback = errors.New("streamhttp: address is not loopback")

// Limits of a [Server] below the protocol. net/http sets none of the timeouts by itself.
const (
	readHeaderTimeout = 5 * time.Second
	idleTimeout       = 60 * time.Second

	// net/http grants 4 KiB on top of its limit; together they are 16 KiB.
	maxHeaderBytes = 12 << 10

	// Calls get drainTime to finish after a shutdown began; then their contexts end, and after
	// shutdownTime connections are cut.
	drainTime    = 4 * time.Second
	shutdownTime = 5 * time.Second
)

// Server is a [Handler] behind a listener, at /mcp and /mcp/. Any other path is 404.
type Server struct {
	handler  *Handler
	listener net.Listener
	http     *http.Server
	end      context.CancelCauseFunc // ends the contexts of all requests
}

// Listen binds addr, host:port, for s. Port 0 picks a free one. The host has to be 127.0.0.1,
// localhost or ::1 unless o.AllowNonLoopback is set, else the error is [ErrNotLoopback]; localhost
// means 127.0.0.1 whatever a resolver says. Requests are served only once [Server.Serve] runs.
func Listen(addr string, s *mcpserver.Server, o *Options) (*Server, error) {
	handler := NewHandler(s, o)
	bind, err := bindAddress(addr, handler.o.AllowNonLoopback)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", bind) // binding a literal address takes no time
	if err != nil {
		return nil, fmt.Errorf("streamhttp: %w", err)
	}
	base, end := context.WithCancelCause(context.Background())
	return &Server{
		handler:  handler,
		listener: listener,
		end:      end,
		http: &http.Server{
			Handler:           onlyEndpoint(handler),
			ReadHeaderTimeout: readHeaderTimeout,
			IdleTimeout:       idleTimeout,
			MaxHeaderBytes:    maxHeaderBytes,
			BaseContext:       func(net.Listener) context.Context { return base },
			ErrorLog:          quiet(handler.o.Logger),
		},
	}, nil
}

// bindAddress checks where to listen before anything is bound.
func bindAddress(addr string, anywhere bool) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("streamhttp: %w", err)
	}
	switch {
	case strings.EqualFold(host, "localhost"):
		host = "127.0.0.1"
	case host == "127.0.0.1" || host == "::1" || anywhere:
	default:
		return "", fmt.Errorf("%w: %q", ErrNotLoopback, host)
	}
	return net.JoinHostPort(host, port), nil
}

// quiet sends what net/http complains about (broken peers) to the logger, at debug level.
func quiet(l *slog.Logger) *log.Logger { return slog.NewLogLogger(l.Handler(), slog.LevelDebug) }

// onlyEndpoint serves both spellings of the endpoint itself: a mux would redirect one to the other,
// and clients lose the body on the way.
func onlyEndpoint(h *Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/mcp", "/mcp/":
			h.ServeHTTP(w, r)
		default:
			h.refuse(w, r, http.StatusNotFound, "the endpoint is /mcp")
		}
	})
}

// Addr returns the bound address.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// URL returns the endpoint, such as "http://127.0.0.1:8255/mcp".
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/mcp" }

// Serve answers requests until ctx ends, then shuts down: new connections are refused, subscriptions
// end with their result, calls get 4 s to finish before their contexts end, and after 5 s whatever
// is left is cut. It returns nil after a shutdown, whether or not all calls finished. It may be
// called once.
func (s *Server) Serve(ctx context.Context) error {
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(listener{s.listener, s.handler.o.WriteTimeout}) }()
	select {
	case err := <-served:
		s.end(mcpserver.ErrShutdown)
		s.handler.Close()
		return fmt.Errorf("streamhttp: %w", err)
	case <-ctx.Done():
	}
	s.shutdown()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("streamhttp: %w", err) // it had failed just before it was told to end
	}
	return nil
}

func (s *Server) shutdown() {
	limit, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	drain := time.AfterFunc(drainTime, func() {
		s.handler.cancelCalls()
		s.end(mcpserver.ErrShutdown)
	})
	defer drain.Stop()
	s.handler.endListens()
	if s.http.Shutdown(limit) != nil {
		_ = s.http.Close() // the calls that are left ignore their contexts
	}
	s.handler.Close()
	s.end(mcpserver.ErrShutdown)
}

// Close stops a server whose [Server.Serve] was never called.
func (s *Server) Close() error {
	s.end(mcpserver.ErrShutdown)
	s.handler.Close()
	return s.listener.Close()
}

// listener bounds every write of its connections, so that a reader that stopped reading cannot hold
// an answer for ever. http.Server.WriteTimeout would also end long event streams.
type listener struct {
	net.Listener
	write time.Duration
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{c, l.write}, nil
}

type conn struct {
	net.Conn
	write time.Duration
}

func (c *conn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.write)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// CloseWrite lets net/http end a refused upload so that the client still reads the answer.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
