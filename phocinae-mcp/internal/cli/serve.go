package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/tool"
)

type serveCommand struct{}

// Run serves until the input ends or a signal comes.
func (serveCommand) Run(p *Process, f *config.Flags) error {
	ctx, armed, end, release := untilSignal(os.Interrupt, syscall.SIGTERM)
	defer release()
	// A reader of standard error that never reads must not hold up an answer.
	logs := mcpserver.NewDropWriter(p.Err, 0)
	defer flush(logs)
	s, err := p.assemble(f, func(cfg *config.Config) *slog.Logger { return newLogger(logs, cfg.LogLevel, cfg.LogFormat) })
	if err != nil {
		return err
	}
	defer s.close()
	server, err := p.server(s)
	if err != nil {
		return err
	}
	signal.Ignore(brokenPipe()...) // a broken standard output ends the loop, not the process: the audit file is closed
	if s.cfg.Transport == "http" {
		<-armed
		return p.serveHTTP(ctx, s, server)
	}
	p.announce(s, "stdio")
	if terminal(p.In) {
		s.logger.Info("standard input is a terminal: this waits for the messages of an MCP client; phocinae-mcp --help lists what else there is, Ctrl-D ends it")
	}
	parent := os.Getppid()
	// The first answer does not wait for this. A host that never asks anything is watched all the same.
	settle := sync.OnceFunc(func() { go whenOrphaned(ctx, parent, os.Getppid, end) })
	defer time.AfterFunc(orphanCheck, settle).Stop()
	peer := newPace(p.In, &writerAfter{ready: armed, w: p.Out}, server.InFlight, settle)
	if err := stdio.Serve(ctx, server, peer, peer, nil); err != nil && ctx.Err() == nil {
		return &exitError{1, err.Error()}
	}
	return nil // the end of input, a signal, or the host's death: all of them an orderly end
}

func (p *Process) server(s *parts) (*mcpserver.Server, error) {
	d := tool.Deps{
		Config: s.cfg, Judge: s.judge, Rules: s.engine, Pool: s.pool, Dir: p.dir(), Home: p.home(), Version: Version, Logger: s.logger,
		Output: mcpserver.OutputTrusted, // our own structs; the tests check them against the schemas
	}
	if s.log != nil {
		d.Audit = s.log // not a nil *audit.Log in an interface
	}
	return tool.NewServer(d)
}

func (p *Process) serveHTTP(ctx context.Context, s *parts, server *mcpserver.Server) error {
	o := &streamhttp.Options{AllowedHosts: s.cfg.AllowHosts, AllowedOrigins: origins(s.cfg.AllowHosts), Logger: s.logger}
	if token := s.cfg.HTTPToken; token != "" {
		o.Authenticate = streamhttp.StaticBearer(token, tool.PrincipalOf(token))
	}
	h, err := streamhttp.Listen(net.JoinHostPort(s.cfg.Host, strconv.Itoa(s.cfg.Port)), server, o)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return &exitError{2, fmt.Sprintf("--port %d: already in use on %s; allowed: a free port, or 0 to pick one", s.cfg.Port, s.cfg.Host)}
		}
		return &exitError{2, fmt.Sprintf("cannot listen on %s port %d: %v", s.cfg.Host, s.cfg.Port, err)}
	}
	p.announce(s, h.URL())
	return h.Serve(ctx)
}

// origins lets pages of a listed host in, by either scheme.
func origins(hosts []string) []string {
	var out []string
	for _, h := range hosts {
		out = append(out, "http://"+h, "https://"+h)
	}
	return out
}

// announce writes the start-up line.
func (p *Process) announce(s *parts, address string) {
	l1 := "off"
	if s.cfg.L1 {
		l1 = s.cfg.Server
	}
	path := s.cfg.Audit.Path
	if path == "" {
		path = "off"
	}
	s.logger.Info("serving", "version", Version, "transport", s.cfg.Transport, "address", address, "table", s.cfg.Guard.Describe(),
		"l1", l1, "fail_closed", failClosed(s.cfg), "audit", path, "pid", os.Getpid())
}

// flush gives the last log lines a moment; a reader that is not there must not hold up the end.
func flush(w *mcpserver.DropWriter) {
	done := make(chan struct{})
	go func() { w.Flush(); close(done) }()
	select {
	case <-done:
	case <-time.After(200 * time.Millisecond):
	}
}

// untilSignal returns a context that ends with the first of the signals. Catching them takes the runtime a thread or two,
// which are started while the caller goes on; armed is closed when they are caught. release gives the signals back.
func untilSignal(signals ...os.Signal) (ctx context.Context, armed <-chan struct{}, end context.CancelFunc, release func()) {
	ctx, end = context.WithCancel(context.Background())
	ready, caught := make(chan struct{}), make(chan os.Signal, 1)
	go func() {
		signal.Notify(caught, signals...)
		close(ready)
		select {
		case <-caught:
			end()
		case <-ctx.Done():
		}
	}()
	return ctx, ready, end, func() {
		end()
		<-ready
		signal.Stop(caught)
	}
}

// writerAfter writes nothing before it is ready: whoever has an answer of ours may count on the signals being caught.
type writerAfter struct {
	ready <-chan struct{}
	w     io.Writer
}

func (a *writerAfter) Write(b []byte) (int, error) {
	<-a.ready
	return a.w.Write(b)
}

// orphanCheck is how often the parent is looked for.
const orphanCheck = 2 * time.Second

// whenOrphaned calls end once the process has another parent than it began with: the host is gone, even if some other
// process still holds our standard input open. Where the system does not tell, nothing happens.
func whenOrphaned(ctx context.Context, first int, parent func() int, end func()) {
	if first <= 1 {
		return
	}
	tick := time.NewTicker(orphanCheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if parent() != first {
				end()
				return
			}
		}
	}
}
