package stdio

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// What is wrong with a frame; the stream goes on behind it.
var (
	errLineTooLong = errors.New("stdio: message over the size limit")
	errBadHeader   = errors.New("stdio: malformed Content-Length framing")
)

const (
	readBuffer     = 64 << 10
	maxHeaderLine  = 1 << 10
	maxHeaderLines = 16
	framedPrefix   = "content-"
)

// framer cuts a stream into messages. It is used by one goroutine at a time.
type framer struct {
	in         io.Reader
	buf        []byte
	start, end int
	limit      int
	began      bool
	err        error  // what the last read of in ended with
	before     func() // called before every read of in, which may block
}

func newFramer(in io.Reader, limit int, before func()) *framer {
	return &framer{in: in, buf: make([]byte, readBuffer), limit: limit, before: before}
}

// waiting reports whether a whole line is there without reading more.
func (f *framer) waiting() bool { return bytes.IndexByte(f.buf[f.start:f.end], '\n') >= 0 }

// next returns the next message, never blank, in memory of its own. io.EOF and other errors of the stream are final;
// errLineTooLong and errBadHeader are not.
func (f *framer) next() ([]byte, error) {
	for {
		line, err := f.line(f.limit)
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			return nil, err
		}
		if !f.began {
			f.began = true
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		line = bytes.TrimRight(line, "\r\n")
		if isBlank(line) {
			if err != nil {
				return nil, err
			}
			continue
		}
		if isHeader(line) {
			return f.framed(line)
		}
		return bytes.Clone(line), nil
	}
}

func isBlank(b []byte) bool { return len(bytes.Trim(b, " \t\r\n")) == 0 }

func isHeader(line []byte) bool {
	return len(line) > len(framedPrefix) && bytes.EqualFold(line[:len(framedPrefix)], []byte(framedPrefix))
}

// withoutEnd is a line without its end, which is \n or \r\n. Further carriage returns count towards the limit: how many of them
// are waited for must not depend on how the bytes arrive.
func withoutEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// line returns the bytes up to and including the next newline; at the end of the stream what is left, with io.EOF.
// The bytes are good until the next call. A line over limit is skipped to its end: errLineTooLong.
func (f *framer) line(limit int) ([]byte, error) {
	looked := 0
	for {
		if i := bytes.IndexByte(f.buf[f.start+looked:f.end], '\n'); i >= 0 {
			line := f.buf[f.start : f.start+looked+i+1]
			f.start += len(line)
			if len(withoutEnd(line)) > limit {
				return nil, errLineTooLong
			}
			return line, nil
		}
		looked = f.end - f.start
		if looked > limit+2 {
			return nil, f.skipLine()
		}
		if err := f.fill(); err != nil {
			line := f.buf[f.start:f.end]
			f.start = f.end
			if len(withoutEnd(line)) > limit {
				return nil, errLineTooLong
			}
			return line, err
		}
	}
}

// skipLine drops everything up to the next newline, in bounded memory.
func (f *framer) skipLine() error {
	for {
		if i := bytes.IndexByte(f.buf[f.start:f.end], '\n'); i >= 0 {
			f.start += i + 1
			return errLineTooLong
		}
		f.start, f.end = 0, 0
		if err := f.fill(); err != nil {
			return errLineTooLong // the end of the stream comes up again at the next call
		}
	}
}

// fill reads more, making room first.
func (f *framer) fill() error {
	if f.err != nil {
		return f.err
	}
	if f.start > 0 && f.start == f.end {
		f.start, f.end = 0, 0
		if cap(f.buf) > 4*readBuffer {
			f.buf = make([]byte, readBuffer) // one huge line shall not stay in memory
		}
	}
	if f.end == len(f.buf) {
		if f.start > 0 {
			f.end = copy(f.buf, f.buf[f.start:f.end])
			f.start = 0
		} else {
			f.buf = append(f.buf, make([]byte, len(f.buf))...)
		}
	}
	f.before()
	for range 100 {
		n, err := f.in.Read(f.buf[f.end:])
		f.end += n
		if err != nil {
			f.err = err
			if n > 0 {
				return nil
			}
			return err
		}
		if n > 0 {
			return nil
		}
	}
	f.err = io.ErrNoProgress
	return f.err
}

// framed reads the rest of a header block and the message it announces.
func (f *framer) framed(first []byte) ([]byte, error) {
	size, line := -1, first
	for range maxHeaderLines {
		if isBlank(line) {
			return f.body(size)
		}
		name, value, ok := strings.Cut(string(line), ":")
		if !ok {
			return nil, errBadHeader
		}
		if strings.EqualFold(strings.TrimSpace(name), "content-length") {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil || n < 0 || size >= 0 {
				return nil, errBadHeader
			}
			size = n
		}
		var err error
		if line, err = f.line(maxHeaderLine); err != nil {
			return nil, errBadHeader // the end of the stream comes up again at the next call
		}
	}
	return nil, errBadHeader
}

func (f *framer) body(size int) ([]byte, error) {
	if size < 0 {
		return nil, errBadHeader
	}
	keep := size <= f.limit
	var b []byte
	for size > 0 {
		if f.start == f.end {
			if err := f.fill(); err != nil {
				return nil, errBadHeader
			}
		}
		n := min(size, f.end-f.start)
		if keep {
			b = append(b, f.buf[f.start:f.start+n]...)
		}
		f.start += n
		size -= n
	}
	switch {
	case !keep:
		return nil, errLineTooLong
	case isBlank(b):
		return nil, errBadHeader
	}
	return b, nil
}
