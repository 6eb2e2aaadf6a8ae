package audit

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Options tunes a Log. The zero value and nil both mean: no key, masked, no fsync, rotation at [DefaultMaxBytes],
// every rotated file kept.
type Options struct {
	Key        []byte           // HMAC-SHA-256 key, at least MinKey bytes; empty: plain SHA-256
	Raw        bool             // write commands and texts unmasked (--audit-raw)
	Sync       bool             // fsync after each record (--audit-sync)
	MaxBytes   int64            // rotate before the file would pass this size; 0: DefaultMaxBytes, negative: never
	MaxBackups int              // rotated files kept, oldest removed first; 0: all
	Lazy       bool             // Open does not touch the file; the first Write does, and each Write tries again
	Warn       func(error)      // told what did not cost a record: failed rotation, failed removal; may be nil
	Now        func() time.Time // nil: time.Now

	open func(name string, flag int, mode fs.FileMode) (file, error) // tests only; nil: os.OpenFile
}

// DefaultMaxBytes is the size at which a file is rotated unless Options say otherwise.
const DefaultMaxBytes = 64 << 20

// file is the part of *os.File that a Log needs.
type file interface {
	io.Writer
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Sync() error
}

// Log appends records to one file. It is safe for concurrent use, and several processes may write one file: each
// record is one write on a descriptor opened with O_APPEND, and each Log is a writer with a random name and a chain
// of its own.
//
// Before each record the Log looks whether its path still names the file it has open. A file that was deleted is made
// again, one that was moved away by another process's rotation is left and the new one opened.
type Log struct {
	path string
	o    Options

	mu     sync.Mutex
	f      file
	info   fs.FileInfo // identity of f
	end    int64       // size of f behind our last record, if nobody else wrote meanwhile; 0: not known
	closed bool
	after  string // hash of the last line seen when f was opened; used once
	writer string
	seq    uint64 // of the last record written
	prev   string // its hash
	hash   hash.Hash
	scheme string
	buf    []byte
}

// Open returns a Log on path. The file is created with mode 0600 and its folder with mode 0700 when missing; a file
// that others may read is narrowed to 0600. Errors: [*Error] around the operating system's, [ErrNotFile] for
// anything but a regular file or a character device (a FIFO could block a verdict forever), [ErrKey].
func Open(path string, o *Options) (*Log, error) {
	l := &Log{path: path}
	if o != nil {
		l.o = *o
	}
	if n := len(l.o.Key); n > 0 && n < MinKey {
		return nil, keyError("shorter than 32 bytes")
	}
	if path == "" {
		return nil, &Error{Op: "open", Err: errors.New("empty path")}
	}
	l.o.Key = bytes.Clone(l.o.Key)
	if l.o.Now == nil {
		l.o.Now = time.Now
	}
	if l.o.MaxBytes == 0 {
		l.o.MaxBytes = DefaultMaxBytes
	}
	if l.o.open == nil {
		l.o.open = func(name string, flag int, mode fs.FileMode) (file, error) { return os.OpenFile(name, flag, mode) }
	}
	var id [8]byte
	rand.Read(id[:]) // never fails: crypto/rand ends the process instead
	l.writer = hex.EncodeToString(id[:])
	l.hash, l.scheme = chainHash(l.o.Key)
	if l.o.Lazy {
		return l, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.reopen(); err != nil {
		return nil, err
	}
	return l, nil
}

// Path returns the path of the live file.
func (l *Log) Path() string { return l.path }

// Writer returns the random name of this writer, 16 hexadecimal digits.
func (l *Log) Writer() string { return l.writer }

// Head returns the last record written, for [VerifyOptions.Expect]. Seq is 0 before the first.
func (l *Log) Head() Head {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Head{Writer: l.writer, Seq: l.seq, Hash: l.prev}
}

// Close closes the file. Later writes fail with [ErrClosed].
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	if l.f == nil {
		return nil
	}
	err := l.f.Close()
	l.f = nil
	if err != nil {
		return &Error{Op: "close", Path: l.path, Err: err}
	}
	return nil
}

// Write appends one record. When it returns nil the whole line has been handed to the operating system (with
// Options.Sync: to the disk). When it returns an error the record is not part of the chain, except that after a
// failed fsync the line is in the file but may not survive a power cut.
func (l *Log) Write(r Record) error {
	p := prepare(r, l.o.Raw, l.o.Key)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	if p.Time.IsZero() {
		p.Time = l.o.Now()
	}
	size, err := l.ready()
	if err != nil {
		return err
	}
	line, body := l.line(&p, l.cutShort(size))
	if l.o.MaxBytes > 0 && size > 0 && size+int64(len(line)) > l.o.MaxBytes && l.info.Mode().IsRegular() {
		if l.rotate(int64(len(line))) {
			line, body = l.line(&p, false)
			size = l.info.Size()
		}
		if l.f == nil {
			if err := l.reopen(); err != nil {
				return err
			}
			size = l.info.Size()
		}
	}
	return l.append(line, body, size)
}

// line builds the bytes to write and the position of the hash value in them. The buffer belongs to the Log.
func (l *Log) line(p *prepared, freshLine bool) (line []byte, hashAt int) {
	b := l.buf[:0]
	if freshLine {
		b = append(b, '\n')
	}
	start := len(b)
	b = appendBody(b, p, link{seq: l.seq + 1, writer: l.writer, prev: l.prev, after: l.after, freshLine: freshLine})
	end := len(b)
	b = append(b, hashOpen...)
	hashAt = len(b)
	b = chain(b, l.hash, l.scheme, b[start:end])
	b = append(b, "\"}\n"...)
	if cap(b) <= 32<<10 {
		l.buf = b
	}
	return b, hashAt
}

const hashOpen = `,"hash":"`

// append writes one line behind the size bytes of the file and moves the chain on.
func (l *Log) append(line []byte, hashAt int, size int64) error {
	l.end = 0
	n, err := l.f.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	if err != nil && n < len(line)-1 {
		e := &Error{Op: "write", Path: l.path, Err: err, Torn: n > 0}
		if e.Torn {
			// Best effort only: whoever writes next looks at the last byte of the file and begins on a fresh line.
			_, _ = l.f.Write([]byte{'\n'})
		}
		return e
	}
	if n == len(line) {
		l.end = size + int64(n)
	}
	// Only the newline may be missing: then the record is complete, and the next writer adds it.
	l.seq++
	l.prev = string(line[hashAt : len(line)-3])
	l.after = ""
	if l.o.Sync {
		if err := l.f.Sync(); err != nil {
			return &Error{Op: "sync", Path: l.path, Err: err}
		}
	}
	return nil
}

// ready makes sure that l.f is the file that the path names, and returns its size.
func (l *Log) ready() (size int64, err error) {
	if l.f != nil {
		info, err := os.Stat(l.path)
		if err == nil && os.SameFile(info, l.info) {
			return info.Size(), nil
		}
		_ = l.f.Close()
		l.f = nil
	}
	if err := l.reopen(); err != nil {
		return 0, err
	}
	return l.info.Size(), nil
}

// reopen opens the path, creating what is missing, and reads the hash of the last line.
func (l *Log) reopen() error {
	fail := func(err error) error { return &Error{Op: "open", Path: l.path, Err: err} }
	switch info, err := os.Stat(l.path); {
	case err == nil && !usable(info.Mode()):
		return fail(ErrNotFile)
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
			return fail(err)
		}
	}
	f, err := l.o.open(l.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fail(err)
	}
	info, err := f.Stat()
	if err == nil && !usable(info.Mode()) {
		err = ErrNotFile
	}
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		err = narrow(f)
	}
	if err != nil {
		_ = f.Close()
		return fail(err)
	}
	l.f, l.info, l.end = f, info, 0
	if info.Mode().IsRegular() {
		if after := lastHash(f, info.Size()); after != "" {
			l.after = after
		}
	}
	return nil
}

func usable(m fs.FileMode) bool { return m.IsRegular() || m&fs.ModeCharDevice != 0 }

// narrow takes the file away from group and others. Windows knows no such bits and reports 0666 for every file.
func narrow(f file) error {
	osFile, ok := f.(*os.File)
	if !ok || !hasModeBits {
		return nil
	}
	return osFile.Chmod(0o600)
}

// cutShort reports whether the file does not end with a newline: a writer was stopped in the middle of a line, or is
// in the middle of one now. Either way the next record must begin on a line of its own.
func (l *Log) cutShort(size int64) bool {
	if size == 0 || size == l.end || !l.info.Mode().IsRegular() {
		return false // behind our own record only we wrote, and it was whole
	}
	var last [1]byte
	n, err := l.f.ReadAt(last[:], size-1)
	return n == 1 && (err == nil || errors.Is(err, io.EOF)) && last[0] != '\n'
}

// lastHash returns the hash of the last whole line within the last 64 KiB, or "".
func lastHash(f io.ReaderAt, size int64) string {
	for _, window := range []int64{256, 64 << 10} {
		n := min(window, size)
		buf := make([]byte, n)
		got, _ := f.ReadAt(buf, size-n)
		buf = buf[:got]
		for end := bytes.LastIndexByte(buf, '\n'); end > 0; end = bytes.LastIndexByte(buf[:end], '\n') {
			if _, hash, ok := splitHash(buf[:end]); ok {
				return hash
			}
		}
	}
	return ""
}

// splitHash takes the hash off a line: body is everything before `,"hash":`.
func splitHash(line []byte) (body []byte, hash string, ok bool) {
	rest, ok := bytes.CutSuffix(line, []byte(`"}`))
	if !ok {
		return nil, "", false
	}
	for _, scheme := range []string{plainScheme, keyedScheme} {
		n := len(scheme) + 2*32
		at := len(rest) - n
		if at < len(hashOpen) || string(rest[at-len(hashOpen):at]) != hashOpen || string(rest[at:at+len(scheme)]) != scheme {
			continue
		}
		if !lowerHex(rest[at+len(scheme):]) {
			return nil, "", false
		}
		return rest[:at-len(hashOpen)], string(rest[at:]), true
	}
	return nil, "", false
}

func lowerHex(b []byte) bool {
	for _, c := range b {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
