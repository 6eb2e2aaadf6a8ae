package approval

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// FolderLedger remembers used confirmations in a folder that several processes share: one empty file per nonce, made with
// O_EXCL, so that exactly one process wins. Files are removed after the confirmation has expired.
//
// A folder that cannot be made or written refuses every confirmation: forgetting a use is the one thing it must not do.
// For the same reason the folder says since when it remembers: where it was removed and made again, confirmations from
// before are refused. What this very process used up it knows without the folder.
type FolderLedger struct {
	dir string
	own *mcpproto.MemoryLedger

	mu    sync.Mutex
	ready bool      // the folder exists and only its owner can write it
	swept time.Time // last removal of expired files
}

var _ mcpproto.NonceLedger = (*FolderLedger)(nil)

// NewFolderLedger makes a ledger over dir. Nothing is touched before the first use.
func NewFolderLedger(dir string) *FolderLedger {
	return &FolderLedger{dir: dir, own: mcpproto.NewMemoryLedger(0)}
}

// sinceName is the file that says since when the folder remembers, in milliseconds.
const sinceName = "since"

const sweepEvery = time.Minute

// Use marks n as used. Errors wrap mcpproto.ErrNonce, also when the folder cannot be written.
func (l *FolderLedger) Use(n mcpproto.Nonce, issued, expires, now time.Time) error {
	if err := l.own.Use(n, issued, expires, now); err != nil {
		return err
	}
	since, err := l.begin(now)
	if err != nil {
		return fmt.Errorf("%w: the folder of used confirmations is not usable: %w", mcpproto.ErrNonce, err)
	}
	if issued.Before(since) {
		return fmt.Errorf("%w: the folder of used confirmations is younger", mcpproto.ErrNonceOld)
	}
	// The name is a function of sealed facts only, so every process makes the same one.
	name := strconv.FormatInt(expires.UnixMilli(), 10) + "-" + hex.EncodeToString(n[:])
	f, err := os.OpenFile(filepath.Join(l.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return mcpproto.ErrNonceUsed
	case err != nil:
		l.forget()
		return fmt.Errorf("%w: cannot be recorded: %w", mcpproto.ErrNonce, err)
	}
	return errors.Join(f.Close())
}

// Prepare makes the folder ready and tries that a use can be written there. Call it before a confirmation is issued:
// one from before the folder is refused, and one that cannot be used up must not be asked for.
func (l *FolderLedger) Prepare(now time.Time) error {
	if _, err := l.begin(now); err != nil {
		return err
	}
	return l.try()
}

// tryName is the file that try makes and removes. All processes use the same one: what counts is that both succeed.
const tryName = "try"

// try makes and removes a file. An old one that can still be opened proves nothing; that it can be removed does.
func (l *FolderLedger) try() error {
	path := filepath.Join(l.dir, tryName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		l.forget()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have been faster
		return err
	}
	return nil
}

// begin makes the folder ready and tells since when it remembers.
func (l *FolderLedger) begin(now time.Time) (since time.Time, err error) {
	if err := l.prepare(now); err != nil {
		return time.Time{}, err
	}
	path := filepath.Join(l.dir, sinceName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return readSince(path)
	case err != nil:
		l.forget()
		return time.Time{}, err
	}
	_, err = f.WriteString(strconv.FormatInt(now.UnixMilli(), 10) + "\n")
	return now.Truncate(time.Millisecond), errors.Join(err, f.Close())
}

// readSince reads the mark of another process, which may be about to write it.
func readSince(path string) (time.Time, error) {
	for try := range 10 {
		data, err := os.ReadFile(path)
		if err != nil {
			return time.Time{}, err
		}
		if text, whole := strings.CutSuffix(string(data), "\n"); whole {
			ms, err := strconv.ParseInt(text, 10, 64)
			return time.UnixMilli(ms), err
		}
		time.Sleep(time.Duration(try) * time.Millisecond)
	}
	return time.Time{}, errors.New("the file " + sinceName + " is damaged")
}

// forget makes the next use look at the folder again: it may have been removed.
func (l *FolderLedger) forget() {
	l.mu.Lock()
	l.ready = false
	l.mu.Unlock()
}

// prepare makes the folder, refuses one that others can write, and now and then removes what has expired.
func (l *FolderLedger) prepare(now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ready {
		if !filepath.IsAbs(l.dir) {
			return errors.New("no absolute path")
		}
		if err := os.MkdirAll(l.dir, 0o700); err != nil {
			return err
		}
		info, err := os.Stat(l.dir)
		if err != nil {
			return err
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0 {
			return fmt.Errorf("mode %04o lets other users write", info.Mode().Perm())
		}
		l.ready = true
	}
	if now.Sub(l.swept) >= sweepEvery {
		l.swept = now
		l.sweep(now)
	}
	return nil
}

// sweep removes expired files. A state that has expired is refused before the ledger is asked, so its file is no longer
// needed; the margin covers clocks that differ between processes on a shared folder.
func (l *FolderLedger) sweep(now time.Time) {
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return // the next use says what is wrong
	}
	for _, e := range entries {
		stamp, _, ok := strings.Cut(e.Name(), "-")
		ms, err := strconv.ParseInt(stamp, 10, 64)
		if !ok || err != nil {
			continue // not ours
		}
		if now.After(time.UnixMilli(ms).Add(5 * time.Minute)) {
			_ = os.Remove(filepath.Join(l.dir, e.Name())) // another process may have been faster
		}
	}
}
