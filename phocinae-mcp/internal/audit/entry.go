package audit

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json"
)

// Entry is one line read back. Members that the line does not have are zero.
type Entry struct {
	TS           string         `json:"ts"`
	Seq          uint64         `json:"seq"`
	Writer       string         `json:"writer"`
	Event        string         `json:"event"`
	Tool         string         `json:"tool"`
	Era          string         `json:"era"`
	Protocol     string         `json:"protocol"`
	Transport    string         `json:"transport"`
	Client       string         `json:"client"`
	Principal    string         `json:"principal"`
	RequestID    string         `json:"request_id"`
	Trace        string         `json:"trace"`
	Command      string         `json:"command"`
	CommandBytes int            `json:"command_bytes"`
	CommandHash  string         `json:"command_hash"`
	Cwd          string         `json:"cwd"`
	ArgsHash     string         `json:"args_hash"`
	ArgsBytes    int            `json:"args_bytes"`
	Sizes        map[string]int `json:"sizes"`
	Decision     string         `json:"decision"`
	Layer        string         `json:"layer"`
	Rule         string         `json:"rule"`
	Reason       string         `json:"reason"`
	Noul         *float64       `json:"noul"`
	Score        *float64       `json:"score"`
	Confirm      string         `json:"confirm"`
	Error        string         `json:"error"`
	DurationUS   int64          `json:"duration_us"`
	After        string         `json:"after"`
	FreshLine    bool           `json:"fresh_line"`
	Prev         string         `json:"prev"`
	Hash         string         `json:"hash"`
}

// Time returns ts, or the zero time when it is not one.
func (e *Entry) Time() time.Time {
	t, err := time.Parse(time.RFC3339Nano, e.TS)
	if err != nil {
		return time.Time{}
	}
	return t
}

// parseEntry decodes a line strictly: repeated names and bad UTF-8 are refused, unknown members are a later version's.
func parseEntry(line []byte) (e Entry, ok bool) {
	if err := json.Unmarshal(line, &e); err != nil {
		return Entry{}, false
	}
	return e, e.Writer != "" && e.Seq > 0
}

// rawLine is one line of a file as it stands there.
type rawLine struct {
	text    []byte // without the newline; nil when too long. Valid until the next line is read
	number  int    // from 1
	newline bool   // the line has its newline
}

// lineReader reads lines of bounded length.
type lineReader struct {
	r *bufio.Reader
	n int
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, MaxLine+1)}
}

// next returns io.EOF after the last line. A line over MaxLine comes with a nil text.
func (l *lineReader) next() (rawLine, error) {
	text, err := l.r.ReadSlice('\n')
	if err == io.EOF && len(text) == 0 {
		return rawLine{}, io.EOF
	}
	l.n++
	out := rawLine{text: text, number: l.n, newline: true}
	for errors.Is(err, bufio.ErrBufferFull) {
		out.text = nil
		_, err = l.r.ReadSlice('\n')
	}
	switch {
	case err == io.EOF:
		out.newline = false
	case err != nil:
		return rawLine{}, err
	case out.text != nil:
		out.text = bytes.TrimSuffix(out.text, []byte{'\n'})
	}
	return out, nil
}

// Read visits the entries of the trail at path, rotated files first, and counts the lines that are none. A visit that
// returns an error ends it.
func Read(path string, visit func(e *Entry) error) (skipped int, err error) {
	files, err := Files(path)
	if err != nil {
		return 0, err
	}
	for _, name := range files {
		n, err := readFile(name, visit)
		skipped += n
		if errors.Is(err, os.ErrNotExist) {
			continue // removed since it was listed
		}
		if err != nil {
			return skipped, err
		}
	}
	return skipped, nil
}

func readFile(name string, visit func(e *Entry) error) (skipped int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, &Error{Op: "read", Path: name, Err: err}
	}
	defer func() { _ = f.Close() }() // it was only read
	lines := newLineReader(f)
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return skipped, nil
		}
		if err != nil {
			return skipped, &Error{Op: "read", Path: name, Err: err}
		}
		if len(line.text) == 0 && line.newline && line.text != nil {
			continue
		}
		e, ok := parseEntry(line.text)
		if !ok {
			skipped++
			continue
		}
		if err := visit(&e); err != nil {
			return skipped, err
		}
	}
}
