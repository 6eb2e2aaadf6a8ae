package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// TailOptions tunes Tail. nil means: ten lines, for people, without waiting for more.
type TailOptions struct {
	Lines  int           // lines from the end; 0: 10, negative: all
	Follow bool          // go on until the context ends, across rotation and deletion
	JSON   bool          // the lines as they are in the file
	Poll   time.Duration // how often to look while following; 0: 300 ms
}

// Tail writes the last lines of the trail at path, and with Follow those that come. Every control, bidirectional and
// invisible character is shown escaped, so that a command cannot move the cursor or forge a line. Ending by the
// context is no error. With Follow the file may be missing at first.
func Tail(ctx context.Context, path string, w io.Writer, o *TailOptions) error {
	t := tailer{path: path, w: w}
	if o != nil {
		t.o = *o
	}
	if t.o.Lines == 0 {
		t.o.Lines = 10
	}
	if t.o.Poll <= 0 {
		t.o.Poll = 300 * time.Millisecond
	}
	defer t.close()
	if err := t.last(); err != nil && !(t.o.Follow && errors.Is(err, ErrNoFile)) {
		return err
	}
	if !t.o.Follow {
		return nil
	}
	tick := time.NewTicker(t.o.Poll)
	defer tick.Stop()
	for {
		if err := t.more(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

type tailer struct {
	path string
	w    io.Writer
	o    TailOptions
	f    *os.File    // the file being followed
	info fs.FileInfo // its identity
	part []byte      // a line that has no newline yet
}

func (t *tailer) close() {
	if t.f != nil {
		_ = t.f.Close()
	}
}

// last shows the end of the trail and leaves t.f behind it.
func (t *tailer) last() error {
	files, err := Files(t.path)
	if err != nil {
		return err
	}
	var kept []string
	for i := len(files) - 1; i >= 0 && (t.o.Lines < 0 || len(kept) < t.o.Lines); i-- {
		lines, err := t.lines(files[i], i == len(files)-1)
		if err != nil {
			return err
		}
		kept = append(lines, kept...)
	}
	if t.o.Lines >= 0 && len(kept) > t.o.Lines {
		kept = kept[len(kept)-t.o.Lines:]
	}
	for _, line := range kept {
		if err := t.show([]byte(line)); err != nil {
			return err
		}
	}
	if !t.o.Follow && len(t.part) > 0 {
		return t.show(t.part)
	}
	return nil
}

// lines reads the last whole lines of a file. The newest file stays open, an unfinished line of it is kept.
func (t *tailer) lines(name string, newest bool) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, &Error{Op: "read", Path: name, Err: err}
	}
	info, err := f.Stat()
	if newest {
		t.f, t.info = f, info
	} else {
		defer func() { _ = f.Close() }() // it was only read
	}
	if err != nil {
		return nil, &Error{Op: "read", Path: name, Err: err}
	}
	var kept []string
	r := newLineReader(f)
	for {
		line, err := r.next()
		if errors.Is(err, io.EOF) {
			return kept, nil
		}
		if err != nil {
			return nil, &Error{Op: "read", Path: name, Err: err}
		}
		if newest && !line.newline {
			t.part = append(t.part[:0], line.text...)
			continue
		}
		kept = append(kept, string(line.text))
		if t.o.Lines >= 0 && len(kept) > 2*t.o.Lines+16 {
			kept = append([]string(nil), kept[len(kept)-t.o.Lines:]...)
		}
	}
}

// more shows what was appended since, file after file when there was a rotation.
func (t *tailer) more() error {
	if t.f == nil {
		return t.open(t.path)
	}
	// Looked at before reading: what the old file still gets after the move is little, and read below.
	info, err := os.Stat(t.path)
	moved := errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(info, t.info)
	if err := t.drain(); err != nil || !moved {
		return err
	}
	for _, name := range t.successors() {
		if err := t.open(name); err != nil {
			return err
		}
	}
	return nil
}

// successors returns the files behind the one that is open.
func (t *tailer) successors() []string {
	files, err := Files(t.path)
	if err != nil {
		return nil // deleted and not made again yet
	}
	for i, name := range files {
		if info, err := os.Stat(name); err == nil && os.SameFile(info, t.info) {
			return files[i+1:]
		}
	}
	return files[len(files)-1:] // the open file is gone: go on with the live one
}

func (t *tailer) open(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &Error{Op: "read", Path: name, Err: err}
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return &Error{Op: "read", Path: name, Err: err}
	}
	if t.f != nil {
		if err := t.drain(); err != nil {
			_ = f.Close()
			return err
		}
		t.close()
	}
	if len(t.part) > 0 {
		if err := t.show(t.part); err != nil {
			_ = f.Close()
			return err
		}
	}
	t.f, t.info, t.part = f, info, nil
	return t.drain()
}

func (t *tailer) drain() error {
	buf := make([]byte, 32<<10)
	for {
		n, err := t.f.Read(buf)
		for rest := buf[:n]; len(rest) > 0; {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				if len(t.part) < MaxLine {
					t.part = append(t.part, rest...)
				}
				break
			}
			if err := t.show(append(t.part, rest[:end]...)); err != nil {
				return err
			}
			t.part = t.part[:0]
			rest = rest[end+1:]
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return &Error{Op: "read", Path: t.path, Err: err}
		}
	}
}

func (t *tailer) show(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	text := string(line)
	if e, ok := parseEntry(line); ok && !t.o.JSON {
		text = FormatEntry(&e)
	}
	_, err := io.WriteString(t.w, Escape(text)+"\n")
	return err
}

// FormatEntry returns one line for people, not yet escaped: time, decision, layer, rule, tool, duration, who, the
// command or the sizes, and why.
func FormatEntry(e *Entry) string {
	var b strings.Builder
	when := e.TS
	if t := e.Time(); !t.IsZero() {
		when = t.UTC().Format("2006-01-02 15:04:05.000")
	}
	decision := e.Decision
	switch {
	case decision == "" && e.Error != "":
		decision = "error"
	case decision == "":
		decision = "-"
	}
	fmt.Fprintf(&b, "%s  %-5s  %-13s", when, decision, e.Layer)
	for _, part := range []string{e.Event, e.Tool, e.Transport, e.Client} {
		if part != "" && part != "call" {
			b.WriteString(" " + part)
		}
	}
	if e.DurationUS > 0 {
		b.WriteString(" " + (time.Duration(e.DurationUS) * time.Microsecond).String())
	}
	if e.Rule != "" {
		b.WriteString(" [" + e.Rule + "]")
	}
	if e.Confirm != "" {
		b.WriteString(" confirm=" + e.Confirm)
	}
	if e.Command != "" {
		b.WriteString("  $ " + e.Command)
	} else if e.ArgsBytes > 0 {
		fmt.Fprintf(&b, "  (%d bytes of arguments)", e.ArgsBytes)
	}
	if e.Reason != "" {
		b.WriteString("  # " + e.Reason)
	}
	if e.Error != "" {
		b.WriteString("  ! " + e.Error)
	}
	return b.String()
}
