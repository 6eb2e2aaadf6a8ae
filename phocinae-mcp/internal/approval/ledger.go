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
type FolderLedger struct {
	dir string

	mu    sync.Mutex
	ready bool      // the folder exists and only its owner can write it
	swept time.Time // last removal of expired files
}

var _ mcpproto.NonceLedger = (*FolderLedger)(nil)

// NewFolderLedger makes a ledger over dir. Nothing is touched before the first use.
func NewFolderLedger(dir string) *FolderLedger { return &FolderLedger{dir: dir} }

const sweepEvery = time.Minute

// Use marks n as used. Errors wrap mcpproto.ErrNonce, also when the folder cannot be written.
func (l *FolderLedger) Use(n mcpproto.Nonce, _, expires, now time.Time) error {
	if err := l.prepare(now); err != nil {
		return fmt.Errorf("%w: the folder of used confirmations is not usable: %w", mcpproto.ErrNonce, err)
	}
	// The name is a function of sealed facts only, so every process makes the same one.
	name := strconv.FormatInt(expires.UnixMilli(), 10) + "-" + hex.EncodeToString(n[:])
	f, err := os.OpenFile(filepath.Join(l.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return mcpproto.ErrNonceUsed
	case err != nil:
		l.mu.Lock()
		l.ready = false // it may have been removed; look again next time
		l.mu.Unlock()
		return fmt.Errorf("%w: cannot be recorded: %w", mcpproto.ErrNonce, err)
	}
	return errors.Join(f.Close())
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
