package cli

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// logHandler writes records as "phocinae-mcp[level]: message key=value …", one line each, in one write each.
type logHandler struct {
	out   *lockedWriter
	level slog.Leveler
	attrs string // already rendered
	group string // prefix of keys, with its dot
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func newLogHandler(w io.Writer, level slog.Leveler) slog.Handler {
	return &logHandler{out: &lockedWriter{w: w}, level: level}
}

func (h *logHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level.Level() }

func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString("phocinae-mcp[" + levelName(r.Level) + "]: ")
	b.WriteString(plain(r.Message))
	b.WriteString(h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		appendAttr(&b, h.group, a)
		return true
	})
	b.WriteByte('\n')
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	_, err := io.WriteString(h.out.w, b.String())
	return err
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	var b strings.Builder
	for _, a := range attrs {
		appendAttr(&b, h.group, a)
	}
	c := *h
	c.attrs += b.String()
	return &c
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	c := *h
	c.group += name + "."
	return &c
}

func levelName(l slog.Level) string {
	switch {
	case l < slog.LevelInfo:
		return "debug"
	case l < slog.LevelWarn:
		return "info"
	case l < slog.LevelError:
		return "warn"
	}
	return "error"
}

func appendAttr(b *strings.Builder, group string, a slog.Attr) {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, inner := range v.Group() {
			appendAttr(b, group, inner)
		}
		return
	}
	if a.Key == "" {
		return
	}
	b.WriteString(" " + plain(group+a.Key) + "=" + quoted(v.String()))
}

// quoted keeps simple values bare and quotes the rest, so that a record stays one line and its fields stay apart.
func quoted(s string) string {
	simple := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r == '"' || r == '=' || r == ' ' || r == unicode.ReplacementChar || !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r)
	})
	if simple {
		return s
	}
	return strconv.Quote(s)
}

// plain keeps a message on its line without quoting it.
func plain(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) }) {
		return s
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}

// newLogger makes the program's logger over w.
func newLogger(w io.Writer, level slog.Level, format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(newLogHandler(w, level))
}
