package audit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// rotatedLayout is the time in the name of a rotated file: audit-2026-11-30T23-45-00.123.jsonl. No colons, so that
// Windows can have it; names sort by time.
const rotatedLayout = "2006-01-02T15-04-05.000"

// rotate moves the live file away and opens a new one, and reports whether it did. Failing costs nothing but a longer
// file: the record goes to the file that is open, and Options.Warn hears of it.
//
// The lock is on the live file itself and is only tried: it keeps two processes from moving the same file twice.
// Writing needs no lock. A writer that looked at the path just before the move appends to the moved file, where its
// record is as good as anywhere: order within a writer holds because its next record sees the new file.
func (l *Log) rotate(need int64) bool {
	unlock, err := tryLock(l.f)
	if err != nil {
		if !errors.Is(err, errBusy) {
			l.warn("rotate", err)
		}
		return false
	}
	defer unlock()
	now, err := os.Stat(l.path)
	if err != nil || !os.SameFile(now, l.info) {
		return l.move() // another process was faster; its new file may have room
	}
	if now.Size()+need <= l.o.MaxBytes {
		return false
	}
	last := lastHash(l.f, now.Size())
	name, err := rotatedName(l.path, l.o.Now())
	if err != nil {
		l.warn("rotate", err)
		return false
	}
	if moveNeedsClose {
		_ = l.f.Close()
		l.f = nil
	}
	if err := os.Rename(l.path, name); err != nil {
		l.warn("rotate", err)
		return false
	}
	if !l.move() {
		return false
	}
	if l.after == "" {
		l.after = last // the first line of the new file names the last of the old one
	}
	l.prune()
	return true
}

// move leaves the open file for the one that the path names now.
func (l *Log) move() bool {
	old := l.f
	l.f = nil
	if err := l.reopen(); err != nil {
		l.warn("rotate", err)
		l.f = old // still open: the record is not lost
		return false
	}
	if old != nil {
		_ = old.Close()
	}
	return true
}

func (l *Log) warn(op string, err error) {
	if l.o.Warn != nil {
		l.o.Warn(&Error{Op: op, Path: l.path, Err: err})
	}
}

// rotatedName returns a free name, later than every rotated file there is: a clock that was set back must not change
// the order.
func rotatedName(path string, now time.Time) (string, error) {
	stem, ext := split(path)
	t := now.UTC().Truncate(time.Millisecond)
	old, err := rotated(path)
	if err != nil {
		return "", err
	}
	if len(old) > 0 {
		name := strings.TrimSuffix(strings.TrimPrefix(old[len(old)-1], stem+"-"), ext)
		if last, err := time.Parse(rotatedLayout, name); err == nil && !t.After(last) {
			t = last.Add(time.Millisecond)
		}
	}
	if t.Year() > 9999 {
		return "", errors.New("no later name than " + old[len(old)-1])
	}
	name := stem + "-" + t.Format(rotatedLayout) + ext
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return "", &fs.PathError{Op: "rename", Path: name, Err: fs.ErrExist}
	}
	return name, nil
}

func split(path string) (stem, ext string) {
	ext = filepath.Ext(path)
	return strings.TrimSuffix(path, ext), ext
}

// rotated returns the rotated files of path, oldest first.
func rotated(path string) ([]string, error) {
	stem, ext := split(path)
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name := filepath.Join(filepath.Dir(path), e.Name())
		rest, ok := strings.CutPrefix(name, filepath.Clean(stem)+"-")
		if !ok || !strings.HasSuffix(rest, ext) {
			continue
		}
		if _, err := time.Parse(rotatedLayout, strings.TrimSuffix(rest, ext)); err == nil {
			names = append(names, stem+"-"+rest)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Files returns the files of the trail at path in the order they were written: rotated ones, oldest first, then path
// itself. Files that do not exist are left out; none at all is [ErrNoFile].
func Files(path string) ([]string, error) {
	names, err := rotated(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Op: "read", Path: path, Err: err}
	}
	switch _, err := os.Stat(path); {
	case err == nil:
		names = append(names, path)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, &Error{Op: "read", Path: path, Err: err}
	}
	if len(names) == 0 {
		return nil, &Error{Op: "read", Path: path, Err: ErrNoFile}
	}
	return names, nil
}

// prune removes the oldest rotated files past Options.MaxBackups.
func (l *Log) prune() {
	if l.o.MaxBackups <= 0 {
		return
	}
	names, err := rotated(l.path)
	if err != nil {
		l.warn("remove", err)
		return
	}
	for len(names) > l.o.MaxBackups {
		if err := os.Remove(names[0]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.warn("remove", err)
		}
		names = names[1:]
	}
}
