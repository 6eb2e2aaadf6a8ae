package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/hook"
)

const (
	signalGrace = time.Second            // from a signal to the last word, if the call does not end by itself
	writeGrace  = 250 * time.Millisecond // for an answer that is on its way when the time is up
)

// guardHook runs a hook call under a clock and with signals caught from its first moment. Hosts run the command when their
// hook is late, killed or leaves with any status but 0 and 2, and before the event is read much can hang: a configuration
// on a dead network drive, a named pipe in the place of a table.
func (p *Process) guardHook(host string) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.hookContext, p.answer = ctx, &onceWriter{w: p.Out, lost: isNull(p.Out)}

	done := make(chan int, 1)
	go func() { done <- p.answerHook(host) }()
	clock := time.NewTimer(time.Until(p.Start.Add(hook.MaxDeadline)))
	defer clock.Stop()
	why := "timed out"
	for {
		select {
		case status := <-done:
			return status
		case <-signals:
			why = "interrupted"
			cancel() // the call answers with deny by itself, and records it
			clock.Reset(min(signalGrace, time.Until(p.Start.Add(hook.MaxDeadline))))
		case <-clock.C:
			return p.lastWord(host, why, done)
		}
	}
}

// answerHook is the call itself.
func (p *Process) answerHook(host string) (status int) {
	defer func() {
		if r := recover(); r != nil {
			status = hook.DenyFor(host, fmt.Sprintf("internal error: %v", r), p.answer, p.Err)
		}
	}()
	return p.command()
}

// lastWord refuses in the place of a call that did not answer in time.
func (p *Process) lastWord(host, why string, done <-chan int) int {
	late := make(chan int, 1)
	go func() { // neither stream may hold up the end
		if p.answer.used() {
			late <- <-done
			return
		}
		late <- hook.DenyFor(host, why+", the command was not judged", p.answer, p.Err)
	}()
	select {
	case status := <-late:
		return status
	case <-time.After(writeGrace):
		return hook.StatusBlocked
	}
}

// onceWriter lets one answer out. A second one would make two JSON values of it, which hosts read as none.
type onceWriter struct {
	w     io.Writer
	lost  bool // nobody can read what is written
	taken atomic.Bool
}

var (
	errAnswered = errors.New("an answer was written already")
	errNobody   = errors.New("standard output is closed or the null device")
)

func (o *onceWriter) Write(b []byte) (int, error) {
	if !o.taken.CompareAndSwap(false, true) {
		return 0, errAnswered
	}
	if o.lost {
		return 0, errNobody
	}
	return o.w.Write(b)
}

func (o *onceWriter) used() bool { return o.taken.Load() }

// isNull reports whether f is the null device. The Go runtime puts it in the place of a closed standard output, where a
// refusal would vanish without an error.
func isNull(f *os.File) bool {
	if f == nil {
		return true
	}
	info, err := f.Stat()
	if err != nil {
		return false // the write will tell
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

// commandNames are the words that name a command.
var commandNames = []string{
	"serve", "gate", "explain", "hook", "install", "config", "policy", "audit", "doctor", "demo", "completion",
}

// hookHost finds out, without a parser, whether this is a hook call and for which host: a wrong flag must still end in the
// host's own deny. The first word that names a command decides; values of flags that stand before it are skipped. Where
// no word is one because a flag without its value swallowed it, "hook" with a host behind it counts.
func (p *Process) hookHost() (host string, is bool) {
	words := p.words()
	at := slices.IndexFunc(words, func(w string) bool { return slices.Contains(commandNames, w) })
	if at < 0 {
		for i := range len(p.Args) - 1 {
			if _, err := hook.ParseHost(p.Args[i+1]); err == nil && p.Args[i] == "hook" {
				return p.Args[i+1], true
			}
		}
		return "", false
	}
	if words[at] != "hook" {
		return "", false
	}
	rest := words[at+1:]
	for _, w := range rest { // the value of an unknown flag may stand before the host
		if _, err := hook.ParseHost(w); err == nil {
			return w, true
		}
	}
	if len(rest) == 0 {
		return "", true
	}
	return rest[0], true
}

// words are the arguments without flags and the values of settings.
func (p *Process) words() []string {
	var words []string
	for i := 0; i < len(p.Args); i++ {
		a := p.Args[i]
		switch {
		case len(a) < 2 || a[0] != '-':
			words = append(words, a)
		case valued(a):
			i++
		}
	}
	return words
}

// valued reports whether a flag takes the next argument as its value.
func valued(flag string) bool {
	return slices.ContainsFunc(config.Settings(), func(s config.Setting) bool { return s.Flag == flag && !s.Bool })
}
