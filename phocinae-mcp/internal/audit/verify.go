package audit

import (
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Head is the end of one writer's chain, written WRITER:SEQ:HASH: what --expect takes and what [VerifyReport] gives.
type Head struct {
	Writer string `json:"writer"`
	Seq    uint64 `json:"seq"`
	Hash   string `json:"hash"`
}

func (h Head) String() string { return h.Writer + ":" + strconv.FormatUint(h.Seq, 10) + ":" + h.Hash }

// ParseHead reads WRITER:SEQ:HASH. The scheme before the hash's 64 digits may be missing.
func ParseHead(text string) (Head, error) {
	writer, rest, ok := strings.Cut(text, ":")
	number, digits, ok2 := strings.Cut(rest, ":")
	seq, err := strconv.ParseUint(number, 10, 64)
	if !ok || !ok2 || writer == "" || err != nil || seq == 0 {
		return Head{}, fmt.Errorf("audit: expectation %q: want WRITER:SEQ:HASH", text)
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(digits, keyedScheme), plainScheme)
	if len(bare) != 64 || !lowerHex([]byte(bare)) {
		return Head{}, fmt.Errorf("audit: expectation %q: the hash is not 64 lower-case hexadecimal digits", text)
	}
	return Head{Writer: writer, Seq: seq, Hash: digits}, nil
}

func (h Head) fits(hash string) bool {
	return h.Hash == hash || (!strings.Contains(h.Hash, ":") && strings.HasSuffix(hash, ":"+h.Hash))
}

// VerifyOptions tunes Verify. nil means: no key, no expectations, nothing pruned.
type VerifyOptions struct {
	Keys   [][]byte // HMAC keys, any of which may have made a line. With keys, lines made without one are problems
	Expect []Head   // records that must be there: the only way to see a cut tail or a missing writer
	Pruned bool     // the oldest files were removed on purpose: the trail may begin in the middle
	Max    int      // problems listed; 0: 1000. All are counted
}

// Kinds of [Problem].
const (
	KindEdited        = "edited"         // the line's bytes do not fit its hash
	KindTorn          = "torn"           // a piece of a line: an interrupted write, or a line cut by hand
	KindRemoved       = "removed"        // records of a writer are missing
	KindReordered     = "reordered"      // a record stands behind a later one of its writer
	KindInserted      = "inserted"       // a second record with the same number, or a line that no writer makes
	KindReplaced      = "replaced"       // the record before was exchanged, or the expected record is another one
	KindUnseen        = "unseen"         // the line that the writer saw before its own is gone
	KindCutHead       = "cut_head"       // a writer's first records are missing
	KindCutTail       = "cut_tail"       // the expected record is later than the last one there
	KindMissingWriter = "missing_writer" // the expected writer has no record at all
	KindKey           = "key"            // lines could not be checked with what was given
)

// Problem is one thing that is not as the writers left it.
type Problem struct {
	Kind   string `json:"kind"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Writer string `json:"writer,omitempty"`
	Seq    uint64 `json:"seq,omitempty"`
	Detail string `json:"detail"`
}

func (p Problem) String() string {
	where := ""
	if p.File != "" {
		where = p.File + ":" + strconv.Itoa(p.Line) + ": "
	}
	return where + p.Kind + ": " + p.Detail
}

// VerifyReport is what Verify found.
type VerifyReport struct {
	Files    []string  `json:"files"`
	Lines    int       `json:"lines"`
	Records  int       `json:"records"`
	Keyed    int       `json:"keyed"` // records with an HMAC
	Writers  int       `json:"writers"`
	Found    int       `json:"found"` // problems, listed or not
	Problems []Problem `json:"problems"`
	Notes    []string  `json:"notes"` // odd, but explained
	Blind    []string  `json:"blind"` // what this check cannot see
	Heads    []Head    `json:"heads"` // last record of each writer, in the order of those records
}

// OK reports whether nothing was found. It means "unchanged" only within what Blind says.
func (r *VerifyReport) OK() bool { return r.Found == 0 }

// Verify checks the trail at path: rotated files, oldest first, then path. The error is about reading; what is wrong
// with the trail is in the report. Lines written while it runs may or may not be included.
func Verify(path string, o *VerifyOptions) (*VerifyReport, error) {
	files, err := Files(path)
	if err != nil {
		return nil, err
	}
	return VerifyFiles(files, o)
}

// VerifyFiles checks the given files, oldest first.
func VerifyFiles(files []string, o *VerifyOptions) (*VerifyReport, error) {
	v := &verifier{report: &VerifyReport{Files: files, Problems: []Problem{}, Notes: []string{}, Heads: []Head{}}, writers: map[string]*writerState{}}
	if o != nil {
		v.o = *o
	}
	if v.o.Max <= 0 {
		v.o.Max = 1000
	}
	for _, key := range v.o.Keys {
		h, _ := chainHash(key)
		v.keyed = append(v.keyed, h)
	}
	v.plain, _ = chainHash(nil)
	if len(files) == 0 {
		return nil, &Error{Op: "read", Err: ErrNoFile}
	}
	// All files are opened before the first is read: a rotation in between renames files but changes none.
	var open []*os.File
	defer func() {
		for _, f := range open {
			_ = f.Close()
		}
	}()
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, &Error{Op: "read", Path: name, Err: err}
		}
		open = append(open, f)
	}
	for i, f := range open {
		if err := v.file(files[i], f, i == 0); err != nil {
			return nil, err
		}
	}
	v.finish()
	return v.report, nil
}

// verifier reads a trail once. Its memory is a few hundred bytes a writer and about twenty a record.
type verifier struct {
	o       VerifyOptions
	report  *VerifyReport
	writers map[string]*writerState
	order   []string // writers by first appearance
	plain   hash.Hash
	keyed   []hash.Hash
	scratch []byte

	seen     map[uint64]struct{} // fingerprints of the hashes so far
	first    bool                // in the oldest file
	blank    *Problem            // an empty line that the next one may explain
	expected map[int]bool        // expectations met

	badKeyed   []Problem // keyed lines that fit no key
	goodKeyed  int
	unchecked  *Problem // first keyed line when there is no key
	nUnchecked int
	unkeyed    *Problem // first line without a key when keys were given
	nUnkeyed   int
}

type writerState struct {
	last Head
	at   int   // line count when it was last seen, for the order of heads
	gaps []gap // records not seen yet
}

type gap struct {
	from, to uint64
	at       Problem
}

func (v *verifier) problem(p Problem) {
	v.report.Found++
	if len(v.report.Problems) < v.o.Max {
		v.report.Problems = append(v.report.Problems, p)
	}
}

func (v *verifier) note(format string, args ...any) {
	if len(v.report.Notes) < v.o.Max {
		v.report.Notes = append(v.report.Notes, fmt.Sprintf(format, args...))
	}
}

func (v *verifier) file(name string, r io.Reader, first bool) error {
	v.first = first
	if v.seen == nil {
		v.seen = map[uint64]struct{}{}
	}
	lines := newLineReader(r)
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return &Error{Op: "read", Path: name, Err: err}
		}
		v.report.Lines++
		v.line(name, line)
	}
	if v.blank != nil {
		v.problem(*v.blank)
		v.blank = nil
	}
	return nil
}

func (v *verifier) line(name string, line rawLine) {
	at := Problem{File: name, Line: line.number}
	if line.newline && line.text != nil && len(line.text) == 0 {
		if v.blank != nil {
			v.problem(*v.blank)
		}
		at.Kind, at.Detail = KindInserted, "empty line"
		v.blank = &at
		return
	}
	body, hash, whole := splitHash(line.text)
	if !whole {
		at.Kind, at.Detail = KindTorn, fmt.Sprintf("not a whole record (%d bytes): an interrupted write or a damaged line", len(line.text))
		if line.text == nil {
			at.Detail = "line over the limit: not written by this program"
		}
		v.blank = nil // part of the same damage
		v.problem(at)
		return
	}
	e, ok := parseEntry(line.text)
	at.Writer, at.Seq = e.Writer, e.Seq
	if v.blank != nil {
		if ok && e.FreshLine {
			v.note("%s:%d: empty line left by two processes writing at the same moment", name, line.number-1)
		} else {
			v.problem(*v.blank)
		}
		v.blank = nil
	}
	if !ok {
		at.Kind, at.Detail = KindEdited, "not a record: repeated or missing members"
		v.problem(at)
		return
	}
	if !line.newline {
		v.note("%s:%d: the last line is complete but has no newline", name, line.number)
	}
	v.report.Records++
	v.digest(at, body, hash)
	v.witness(at, &e)
	v.seen[fingerprint(hash)] = struct{}{}
	v.link(at, &e)
	v.expect(at, &e)
}

// digest checks the line against its hash.
func (v *verifier) digest(at Problem, body []byte, hash string) {
	keyed := strings.HasPrefix(hash, keyedScheme)
	if keyed {
		v.report.Keyed++
	}
	switch {
	case keyed && len(v.keyed) == 0:
		v.nUnchecked++
		if v.unchecked == nil {
			v.unchecked = &at
		}
	case keyed:
		for _, h := range v.keyed {
			v.scratch = chain(v.scratch[:0], h, keyedScheme, body)
			if string(v.scratch) == hash {
				v.goodKeyed++
				return
			}
		}
		at.Kind, at.Detail = KindEdited, "the line does not fit its hash"
		v.badKeyed = append(v.badKeyed, at)
	default:
		v.scratch = chain(v.scratch[:0], v.plain, plainScheme, body)
		if string(v.scratch) != hash {
			at.Kind, at.Detail = KindEdited, "the line does not fit its hash"
			v.problem(at)
		}
		if len(v.keyed) > 0 {
			v.nUnkeyed++
			if v.unkeyed == nil {
				v.unkeyed = &at
			}
		}
	}
}

// fingerprint is the end of a hash as a number: enough to find a line again among millions.
func fingerprint(hash string) uint64 {
	n, err := strconv.ParseUint(hash[max(0, len(hash)-16):], 16, 64)
	if err != nil {
		return 0 // no hash of ours; a line with one was refused before
	}
	return n
}

// witness checks that the line that the writer saw when it opened the file stands before this one. It may stand several
// files before: a process can be held up between opening the trail and its first record while others rotate it.
func (v *verifier) witness(at Problem, e *Entry) {
	if e.After == "" {
		return
	}
	if _, ok := v.seen[fingerprint(e.After)]; ok || v.first && v.o.Pruned {
		return
	}
	at.Kind, at.Detail = KindUnseen, "the line that stood before this one when it was written is gone ("+e.After+")"
	v.problem(at)
}

// link checks number and prev against the writer's record before.
func (v *verifier) link(at Problem, e *Entry) {
	w := v.writers[e.Writer]
	if w == nil {
		w = &writerState{}
		v.writers[e.Writer] = w
		v.order = append(v.order, e.Writer)
		v.firstOf(at, e, w)
		w.last, w.at = Head{Writer: e.Writer, Seq: e.Seq, Hash: e.Hash}, v.report.Lines
		return
	}
	switch {
	case e.Seq == w.last.Seq+1:
		if e.Prev != w.last.Hash {
			at.Kind, at.Detail = KindReplaced, fmt.Sprintf("record %d of this writer was another one when this line was written", w.last.Seq)
			v.problem(at)
		}
	case e.Seq > w.last.Seq:
		at.Kind = KindRemoved
		w.gaps = append(w.gaps, gap{from: w.last.Seq + 1, to: e.Seq - 1, at: at})
	case w.fill(e.Seq):
		at.Kind, at.Detail = KindReordered, fmt.Sprintf("record %d stands behind record %d of the same writer", e.Seq, w.last.Seq)
		v.problem(at)
		return
	default:
		at.Kind, at.Detail = KindInserted, fmt.Sprintf("record %d is there already", e.Seq)
		v.problem(at)
		return
	}
	w.last, w.at = Head{Writer: e.Writer, Seq: e.Seq, Hash: e.Hash}, v.report.Lines
}

func (v *verifier) firstOf(at Problem, e *Entry, w *writerState) {
	switch {
	case e.Seq == 1 && e.Prev != "":
		at.Kind, at.Detail = KindReplaced, "the first record of a writer names one before it"
		v.problem(at)
	case e.Seq > 1 && v.first && v.o.Pruned:
		v.note("%s:%d: writer %s begins at record %d: older files were removed", at.File, at.Line, e.Writer, e.Seq)
	case e.Seq > 1:
		at.Kind = KindCutHead
		w.gaps = append(w.gaps, gap{from: 1, to: e.Seq - 1, at: at})
	}
}

// fill takes seq out of the writer's gaps.
func (w *writerState) fill(seq uint64) bool {
	for i, g := range w.gaps {
		if seq < g.from || seq > g.to {
			continue
		}
		left, right := g, g
		left.to, right.from = seq-1, seq+1
		w.gaps = slices.Delete(w.gaps, i, i+1)
		for _, part := range []gap{left, right} {
			if part.from <= part.to {
				w.gaps = append(w.gaps, part)
			}
		}
		return true
	}
	return false
}

func (v *verifier) expect(at Problem, e *Entry) {
	for i, h := range v.o.Expect {
		if h.Writer != e.Writer || h.Seq != e.Seq {
			continue
		}
		if v.expected == nil {
			v.expected = map[int]bool{}
		}
		if h.fits(e.Hash) {
			v.expected[i] = true
		} else if !v.expected[i] {
			at.Kind, at.Detail = KindReplaced, "this record is not the expected one"
			v.problem(at)
			v.expected[i] = true
		}
	}
}

// finish reports what could only be known at the end.
func (v *verifier) finish() {
	v.keys()
	heads := make([]*writerState, 0, len(v.order))
	for _, name := range v.order {
		w := v.writers[name]
		heads = append(heads, w)
		for _, g := range w.gaps {
			g.at.Detail = fmt.Sprintf("records %d to %d of this writer are missing before this line", g.from, g.to)
			if g.from == g.to {
				g.at.Detail = fmt.Sprintf("record %d of this writer is missing before this line", g.from)
			}
			v.problem(g.at)
		}
	}
	for i, h := range v.o.Expect {
		if v.expected[i] {
			continue
		}
		w := v.writers[h.Writer]
		switch {
		case w == nil:
			v.problem(Problem{Kind: KindMissingWriter, Writer: h.Writer, Seq: h.Seq, Detail: "no record of the expected writer " + h.Writer})
		case w.last.Seq < h.Seq:
			v.problem(Problem{Kind: KindCutTail, Writer: h.Writer, Seq: h.Seq, Detail: fmt.Sprintf("writer %s ends at record %d, expected %d", h.Writer, w.last.Seq, h.Seq)})
		default:
			v.problem(Problem{Kind: KindRemoved, Writer: h.Writer, Seq: h.Seq, Detail: fmt.Sprintf("the expected record %d of writer %s is missing", h.Seq, h.Writer)})
		}
	}
	slices.SortStableFunc(heads, func(a, b *writerState) int { return a.at - b.at })
	for _, w := range heads {
		v.report.Heads = append(v.report.Heads, w.last)
	}
	v.report.Writers = len(v.order)
	v.report.Blind = v.blindSpots()
}

// keys tells a wrong key from edited lines: under a wrong key no line fits.
func (v *verifier) keys() {
	switch {
	case len(v.badKeyed) > 1 && v.goodKeyed == 0:
		p := v.badKeyed[0]
		p.Kind, p.Detail = KindKey, fmt.Sprintf("none of %d keyed records fits: wrong key, or all were changed", len(v.badKeyed))
		v.problem(p)
	default:
		for _, p := range v.badKeyed {
			v.problem(p)
		}
	}
	if v.unchecked != nil {
		p := *v.unchecked
		p.Kind, p.Detail = KindKey, fmt.Sprintf("%d keyed records cannot be checked without the key (PHOCINAE_MCP_AUDIT_KEY)", v.nUnchecked)
		v.problem(p)
	}
	if v.unkeyed != nil {
		p := *v.unkeyed
		p.Kind, p.Detail = KindKey, fmt.Sprintf("%d records were made without a key: anyone who can write the file can have made them", v.nUnkeyed)
		v.problem(p)
	}
}

// What no check can see, in the order in which it is said.
const (
	blindUnkeyed = "Records without a key: someone who can write the files can change a record and recompute every hash behind it. Set PHOCINAE_MCP_AUDIT_KEY, and keep it where the agent cannot read it."
	blindKeyed   = "Someone who has the key can rewrite everything."
	blindTail    = "A cut tail: the last records of a writer can be removed without a trace, unless a later record saw them or --expect WRITER:SEQ:HASH names them."
	blindWriter  = "A whole missing writer, unless another record saw its last line or --expect names it. A hook that runs once per command is a writer with one record."
	blindLost    = "Calls that were never written: audit switched off, a full disk without --audit-required."
	blindClock   = "Order between writers, and times: each process's clock is taken at its word."
	blindExpect  = "Expectations are worth what their source is worth: keep them outside of this machine."
)

func (v *verifier) blindSpots() []string {
	b := []string{blindKeyed}
	if v.report.Keyed < v.report.Records || v.report.Records == 0 {
		b[0] = blindUnkeyed
	}
	b = append(b, blindTail, blindWriter, blindLost, blindClock)
	if len(v.o.Expect) > 0 {
		b = append(b, blindExpect)
	}
	return b
}

// WriteText writes the report for people.
func (r *VerifyReport) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Problems {
		b.WriteString(Escape(p.String()) + "\n")
	}
	if n := r.Found - len(r.Problems); n > 0 {
		fmt.Fprintf(&b, "… and %d more\n", n)
	}
	for _, n := range r.Notes {
		b.WriteString("note: " + Escape(n) + "\n")
	}
	verdict := "OK: no change found"
	if !r.OK() {
		verdict = fmt.Sprintf("NOT OK: %d problems", r.Found)
	}
	fmt.Fprintf(&b, "%s in %d records (%d keyed) of %d writers, %d lines, %d files\n", verdict, r.Records, r.Keyed, r.Writers, r.Lines, len(r.Files))
	if len(r.Heads) > 0 {
		fmt.Fprintf(&b, "last record, for --expect next time: %s\n", Escape(r.Heads[len(r.Heads)-1].String()))
	}
	b.WriteString("This check cannot see:\n")
	for _, s := range r.Blind {
		b.WriteString("  - " + s + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
