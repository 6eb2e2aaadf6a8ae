package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/matryer/is"
	"go.uber.org/goleak"
)

// TestMain doubles as the other process of TestSeveralProcessesShareAFile.
func TestMain(m *testing.M) {
	if path := os.Getenv("AUDIT_TEST_WRITE"); path != "" {
		os.Exit(writeMany(path))
	}
	goleak.VerifyTestMain(m)
}

func writeMany(path string) int {
	n, _ := strconv.Atoi(os.Getenv("AUDIT_TEST_COUNT"))
	size, _ := strconv.ParseInt(os.Getenv("AUDIT_TEST_MAX"), 10, 64)
	l, err := Open(path, &Options{MaxBytes: size, Warn: func(err error) { fmt.Fprintln(os.Stderr, err) }})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for i := range n {
		if err := l.Write(Record{Tool: "gate", Command: "echo " + strconv.Itoa(i) + strings.Repeat(" x", i%300), Decision: "allow"}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	if err := l.Close(); err != nil {
		return 1
	}
	return 0
}

func open(t testing.TB, path string, o *Options) *Log {
	t.Helper()
	l, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func write(t testing.TB, l *Log, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if err := l.Write(Record{Tool: "gate", Command: c, Decision: "deny", Layer: "L0"}); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func verified(t testing.TB, path string, o *VerifyOptions) *VerifyReport {
	t.Helper()
	r, err := Verify(path, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func trail(t testing.TB) string { return filepath.Join(t.TempDir(), "audit.jsonl") }

var testKey = bytes.Repeat([]byte("k"), 32)

func TestLineHasEveryMemberInOrder(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	l := open(t, path, &Options{Now: func() time.Time { return time.Date(2026, 11, 30, 23, 59, 1, 7_999_999, time.FixedZone("", 3600)) }})
	noul, score := 0.25, 7.0
	is.NoErr(l.Write(Record{
		Event: "call", Tool: "gate", Era: "modern", Protocol: "2026-07-28", Transport: "stdio", Client: "c/1", Principal: "p", RequestID: `"7"`, Trace: "00-a",
		Command: "ls", Cwd: "/w", Args: []byte("{}"), Sizes: []Size{{"state", 3}, {"labels", 2}, {"state", 4}}, Decision: "allow", Layer: "L1", Rule: "r",
		Reason: "why", Noul: &noul, Score: &score, Confirm: "offered", Error: "e", Duration: 1500 * time.Nanosecond,
	}))
	line := strings.TrimSuffix(read(t, path), "\n")
	body, hash, ok := splitHash([]byte(line))
	is.True(ok)
	is.Equal(string(body), `{"ts":"2026-11-30T22:59:01.007Z","seq":1,"writer":"`+l.Writer()+`","event":"call","tool":"gate","era":"modern","protocol":"2026-07-28",`+
		`"transport":"stdio","client":"c/1","principal":"p","request_id":"\"7\"","trace":"00-a","command":"ls","command_bytes":2,`+
		`"command_hash":"sha256:c7b68ac37f364473e922936708e7f43c293dd07b295171566c07ff5fe024fab9","cwd":"/w","args_hash":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",`+
		`"args_bytes":2,"sizes":{"state":3,"labels":2},"decision":"allow","layer":"L1","rule":"r","reason":"why","noul":0.25,"score":7,"confirm":"offered","error":"e","duration_us":1,"prev":""`)
	is.Equal(l.Head(), Head{Writer: l.Writer(), Seq: 1, Hash: hash})
	var any map[string]any
	is.NoErr(json.Unmarshal([]byte(line), &any)) // strict JSON
}

func TestHostileTextStaysOneValidBoundedLine(t *testing.T) {
	for name, text := range map[string]string{
		"newlines":         "a\nb\r\n\u2028c\u0085",
		"control":          "\x00\x1b[2J\x7f\u009b31m",
		"bidi and hidden":  "a\u202eb\u200bc\ufeffd\U000e0041",
		"not UTF-8":        "a\xff\xc3(\xed\xa0\x80",
		"quotes":           `"\"\\`,
		"very long":        strings.Repeat("x\x00", 100_000),
		"forged hash":      `","hash":"sha256:` + strings.Repeat("0", 64) + `"}`,
		"astral":           "😀𝒳",
		"long with quotes": strings.Repeat(`"`, 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			path := trail(t)
			l := open(t, path, &Options{Raw: true})
			is.NoErr(l.Write(Record{
				Event: text, Tool: text, Era: text, Protocol: text, Transport: text, Client: text, Principal: text, RequestID: text, Trace: text, Command: text, Cwd: text,
				Args: []byte(text), Sizes: []Size{{text, 1}}, Decision: text, Layer: text, Rule: text, Reason: text, Confirm: text, Error: text,
			}))
			got := read(t, path)
			is.Equal(strings.Count(got, "\n"), 1)
			is.True(len(got) < MaxLine)
			for _, r := range got {
				is.True(r >= 0x20 && r != 0x7f && (r < 0x80 || !hidden(r)) || r == '\n') // nothing that moves the cursor
			}
			e, ok := parseEntry([]byte(strings.TrimSuffix(got, "\n")))
			is.True(ok)
			is.Equal(e.CommandBytes, len(text))
			if len(text) < 1000 {
				is.Equal(e.Command, string([]rune(text))) // the text comes back
			} else {
				is.True(strings.Contains(e.Command, "of 200000 bytes cut") || strings.Contains(e.Command, "of 100000 bytes cut")) // says what is missing
			}
			is.True(verified(t, path, nil).OK())
		})
	}
}

func TestSecretsAreMaskedButHashed(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	l := open(t, path, nil)
	is.NoErr(l.Write(Record{Command: "mysql -phunter2", Error: "dial http://u:hunter2@h/", Reason: "--password hunter2", Cwd: "/x?token=hunter2", Args: []byte("hunter2")}))
	is.True(!strings.Contains(read(t, path), "hunter2"))
	is.True(strings.Contains(read(t, path), digest(nil, "", "mysql -phunter2"))) // the plain SHA-256 of the raw command
	raw := trail(t)
	l = open(t, raw, &Options{Raw: true})
	is.NoErr(l.Write(Record{Command: "mysql -phunter2"}))
	is.True(strings.Contains(read(t, raw), "mysql -phunter2"))
	keyed := trail(t)
	l = open(t, keyed, &Options{Key: testKey})
	is.NoErr(l.Write(Record{Command: "mysql -phunter2"}))
	is.True(strings.Contains(read(t, keyed), digest(testKey, "command", "mysql -phunter2")))
	is.True(!strings.Contains(read(t, keyed), strings.TrimPrefix(digest(nil, "", "mysql -phunter2"), plainScheme))) // nothing to guess against
}

func TestWriteConcurrentSafe(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	l := open(t, path, &Options{Key: testKey, MaxBytes: 20_000})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if err := l.Write(Record{Command: "git status"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	r := verified(t, path, &VerifyOptions{Keys: [][]byte{testKey}, Expect: []Head{l.Head()}})
	is.Equal(r.Problems, []Problem{})
	is.Equal(r.Records, 400)
	is.True(len(r.Files) > 5) // rotated, and the chain goes through
}

func TestSeveralProcessesShareAFile(t *testing.T) {
	for _, tt := range []struct {
		name string
		max  int64
	}{{"one file", -1}, {"rotating under each other", 60_000}} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			path := trail(t)
			var wg sync.WaitGroup
			for range 4 {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), "AUDIT_TEST_WRITE="+path, "AUDIT_TEST_COUNT=300", "AUDIT_TEST_MAX="+strconv.FormatInt(tt.max, 10))
				wg.Go(func() {
					if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			wg.Wait()
			r := verified(t, path, nil)
			is.Equal(r.Problems, []Problem{})
			is.Equal(r.Records, 4*300) // nothing lost
			is.Equal(r.Writers, 4)
			is.True(tt.max < 0 == (len(r.Files) == 1))
		})
	}
}

func TestFileAndFolderArePrivate(t *testing.T) {
	if !hasModeBits {
		t.Skip("no mode bits here")
	}
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "a", "b", "audit.jsonl")
	write(t, open(t, path, nil), "ls")
	mode := func(p string) fs.FileMode {
		info, err := os.Stat(p)
		is.NoErr(err)
		return info.Mode().Perm()
	}
	is.Equal(mode(path), fs.FileMode(0o600))
	is.Equal(mode(filepath.Dir(path)), fs.FileMode(0o700))
	open2 := trail(t)
	is.NoErr(os.WriteFile(open2, nil, 0o600))
	is.NoErr(os.Chmod(open2, 0o644))
	open(t, open2, nil)
	is.Equal(mode(open2), fs.FileMode(0o600)) // an existing file is narrowed
}

func TestDeletedFileIsMadeAgain(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "d", "audit.jsonl")
	l := open(t, path, nil)
	write(t, l, "a", "b")
	is.NoErr(os.RemoveAll(filepath.Dir(path)))
	write(t, l, "c")
	r := verified(t, path, nil)
	is.Equal(r.Records, 1)
	is.Equal(kinds(r), "cut_head") // and verify says what is missing
	is.True(strings.Contains(r.Problems[0].Detail, "records 1 to 2"))
}

func TestRotationKeepsNamesOrderAndNumber(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l := open(t, path, &Options{MaxBytes: 1500, MaxBackups: 3, Now: func() time.Time { return now }})
	for i := range 40 {
		now = now.Add(time.Duration(5-i%10) * time.Second) // a clock that also goes back
		write(t, l, "command "+strconv.Itoa(i))
	}
	files, err := Files(path)
	is.NoErr(err)
	is.Equal(len(files), 4) // three kept, and the live one
	for _, f := range files {
		info, err := os.Stat(f)
		is.NoErr(err)
		is.True(info.Size() <= 1500)
	}
	is.True(strings.HasPrefix(filepath.Base(files[0]), "audit-2026-01-02T03-0"))
	is.True(!verified(t, path, nil).OK()) // removed files are missed
	r := verified(t, path, &VerifyOptions{Pruned: true, Expect: []Head{l.Head()}})
	is.Equal(r.Problems, []Problem{}) // unless said to be removed on purpose
	is.True(len(r.Notes) > 0)
}

func TestReadOnlyFolderFailsTyped(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		// root may write anywhere: a file in the folder's place gives the same kind of failure
		is := is.New(t)
		dir := filepath.Join(t.TempDir(), "f")
		is.NoErr(os.WriteFile(dir, nil, 0o600))
		_, err := Open(filepath.Join(dir, "audit.jsonl"), nil)
		e, ok := errors.AsType[*Error](err)
		is.True(ok && e.Op == "open")
		return
	}
	is := is.New(t)
	dir := t.TempDir()
	is.NoErr(os.Chmod(dir, 0o500))
	path := filepath.Join(dir, "audit.jsonl")
	_, err := Open(path, nil)
	is.True(errors.Is(err, fs.ErrPermission))
	l := open(t, path, &Options{Lazy: true})
	is.True(errors.Is(l.Write(Record{}), fs.ErrPermission))
	is.NoErr(os.Chmod(dir, 0o700))
	is.NoErr(l.Write(Record{})) // each write tries again
}

func TestOpenRefuses(t *testing.T) {
	is := is.New(t)
	_, err := Open("", nil)
	is.True(err != nil)
	_, err = Open(t.TempDir(), nil)
	is.True(errors.Is(err, ErrNotFile)) // a folder
	_, err = Open(trail(t), &Options{Key: []byte("short")})
	is.True(errors.Is(err, ErrKey))
	l := open(t, trail(t), nil)
	is.NoErr(l.Close())
	is.NoErr(l.Close())
	is.True(errors.Is(l.Write(Record{}), ErrClosed))
}

func TestLazyOpenTriesAgain(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "f")
	is.NoErr(os.WriteFile(dir, nil, 0o600))
	l := open(t, filepath.Join(dir, "audit.jsonl"), &Options{Lazy: true})
	is.True(l.Write(Record{}) != nil)
	is.NoErr(os.Remove(dir))
	is.NoErr(l.Write(Record{}))
	is.True(verified(t, l.Path(), nil).OK())
}

func TestParseKey(t *testing.T) {
	is := is.New(t)
	for _, good := range []string{strings.Repeat("6b", 32), "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=", " a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s\n"} {
		key, err := ParseKey(good)
		is.NoErr(err)
		is.Equal(key, testKey)
	}
	for _, bad := range []string{"", "secret", strings.Repeat("6b", 31), "!"} {
		_, err := ParseKey(bad)
		is.True(errors.Is(err, ErrKey))
		is.True(bad == "" || !strings.Contains(err.Error(), bad)) // the value is not repeated
	}
}

// narrowFile takes only so many bytes, as a full disk does.
type narrowFile struct {
	file
	room *int
}

func (f narrowFile) Write(b []byte) (int, error) {
	n := min(*f.room, len(b))
	*f.room -= n
	if n > 0 {
		if _, err := f.file.Write(b[:n]); err != nil {
			return 0, err
		}
	}
	if n < len(b) {
		return n, &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	return n, nil
}

func TestFullDiskTearsOneLineOnly(t *testing.T) {
	for _, room := range []int{0, 1, 100, 200, -1, -2} { // negative: so many bytes short of the whole line
		t.Run(strconv.Itoa(room), func(t *testing.T) {
			is := is.New(t)
			path := trail(t)
			left := 1 << 20
			l := open(t, path, &Options{open: func(name string, flag int, mode fs.FileMode) (file, error) {
				f, err := os.OpenFile(name, flag, mode)
				return narrowFile{f, &left}, err
			}})
			write(t, l, "first")
			size := len(read(t, path))
			if left = room; room < 0 {
				// the second line is as long as the first, and prev is filled
				left = size + len(l.Head().Hash) + room
			}
			err := l.Write(Record{Tool: "gate", Command: "2econ", Decision: "deny", Layer: "L0"})
			whole := room == -1 // only the newline is missing
			is.Equal(err == nil, whole)
			if !whole {
				is.True(errors.Is(err, syscall.ENOSPC))
				e, _ := errors.AsType[*Error](err)
				is.Equal(e.Torn, room != 0)
			}
			left = 1 << 20
			other := open(t, path, nil) // another process does not know about it
			write(t, other, "other")
			write(t, l, "third")
			r := verified(t, path, &VerifyOptions{Expect: []Head{l.Head(), other.Head()}})
			want := ""
			if !whole && room != 0 {
				want = "torn"
			}
			is.Equal(kinds(r), want) // the piece is found, and nothing else is lost
			is.Equal(r.Records, map[bool]int{true: 4, false: 3}[whole])
		})
	}
}

func TestPieceOfAnotherWriterIsNotContinued(t *testing.T) {
	for _, piece := range []string{"x", `{"ts":"2026`, "\n{", "{}\n "} {
		is := is.New(t)
		path := trail(t)
		l := open(t, path, nil)
		write(t, l, "first", "second")
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		is.NoErr(err)
		_, err = f.WriteString(piece)
		is.NoErr(err)
		is.NoErr(f.Close())
		write(t, l, "third", "fourth")
		is.Equal(verified(t, path, &VerifyOptions{Expect: []Head{l.Head()}}).Records, 4)
		is.Equal(strings.Count(read(t, path), `"fresh_line":true`), 1) // the third begins on a line of its own, the fourth need not
	}
}

func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	is := is.New(t)
	l := open(t, "/dev/full", nil)
	is.True(errors.Is(l.Write(Record{Command: "ls"}), syscall.ENOSPC))
	is.Equal(l.Head().Seq, uint64(0)) // the record is not part of the chain
}

func TestFailedRotationCostsNoRecord(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	var warned []error
	calls := 0
	l := open(t, path, &Options{
		MaxBytes: 700, Warn: func(err error) { warned = append(warned, err) },
		open: func(name string, flag int, mode fs.FileMode) (file, error) {
			if calls++; calls == 2 {
				return nil, syscall.EMFILE
			}
			return os.OpenFile(name, flag, mode)
		},
	})
	write(t, l, "a", "b", "c", "d")
	is.Equal(len(warned), 1)
	is.True(errors.Is(warned[0], syscall.EMFILE))
	r := verified(t, path, &VerifyOptions{Expect: []Head{l.Head()}})
	is.Equal(r.Problems, []Problem{})
	is.Equal(r.Records, 4)
}

func TestRotationNeverTakesANameOutOfOrder(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	var warned []error
	l := open(t, path, &Options{MaxBytes: 700, Warn: func(err error) { warned = append(warned, err) }})
	is.NoErr(os.WriteFile(strings.TrimSuffix(path, ".jsonl")+"-9999-12-31T23-59-59.999.jsonl", nil, 0o600)) // nothing can come behind it
	write(t, l, "a", "b", "c", "d")
	is.True(len(warned) > 0)
	is.Equal(strings.Count(read(t, path), "\n"), 4) // the file grows instead
}

func TestTailShowsTheEndEscaped(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	l := open(t, path, &Options{MaxBytes: 900})
	for i := range 9 {
		write(t, l, fmt.Sprintf("command %d\x1b[2J\u202e", i))
	}
	var b bytes.Buffer
	is.NoErr(Tail(context.Background(), path, &b, &TailOptions{Lines: 3}))
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	is.Equal(len(lines), 3)
	for i, line := range lines {
		is.True(strings.HasSuffix(line, fmt.Sprintf(`$ command %d\x1b[2J\u{202e}`, i+6)))
	}
	b.Reset()
	is.NoErr(Tail(context.Background(), path, &b, &TailOptions{Lines: -1, JSON: true}))
	is.Equal(strings.Count(b.String(), `"hash":`), 9) // all, through rotated files
	is.True(errors.Is(Tail(context.Background(), path+"x", &b, nil), ErrNoFile))
}

// lineSink hands over each line that Tail writes.
type lineSink chan string

func (s lineSink) Write(b []byte) (int, error) { s <- string(b); return len(b), nil }

func TestTailFollowsAcrossRotationAndDeletion(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	ctx, stop := context.WithCancel(context.Background())
	sink := make(lineSink)
	done := make(chan error, 1)
	go func() { done <- Tail(ctx, path, sink, &TailOptions{Follow: true, Poll: time.Millisecond}) }()
	l := open(t, path, &Options{MaxBytes: 1200})
	for i := range 12 {
		write(t, l, fmt.Sprintf("command %d.", i))
		is.True(strings.Contains(<-sink, fmt.Sprintf("command %d.", i))) // each line once, in order
	}
	is.NoErr(l.Close())
	for _, f := range must(Files(path)) {
		is.NoErr(os.Remove(f))
	}
	write(t, open(t, path, nil), "after deletion")
	is.True(strings.Contains(<-sink, "after deletion"))
	stop()
	is.NoErr(<-done)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func kinds(r *VerifyReport) string {
	var k []string
	for _, p := range r.Problems {
		k = append(k, p.Kind)
	}
	return strings.Join(k, " ")
}

func BenchmarkWrite(b *testing.B) {
	noul, score := 0.25, 7.0
	r := Record{
		Event: "call", Tool: "gate", Era: "modern", Protocol: "2026-07-28", Transport: "stdio", Client: "claude-code/2.1.4", RequestID: "17",
		Command: "git -C /home/dev/shop log --oneline -n 20 -- src/orders", Cwd: "/home/dev/shop", Decision: "allow", Layer: "L1", Rule: "git.read",
		Reason: "only reads", Noul: &noul, Score: &score, Duration: 412 * time.Microsecond,
	}
	for name, o := range map[string]*Options{"plain": {MaxBytes: -1}, "keyed": {MaxBytes: -1, Key: testKey}} {
		b.Run(name, func(b *testing.B) {
			l := open(b, filepath.Join(b.TempDir(), "audit.jsonl"), o)
			b.ReportAllocs()
			for b.Loop() {
				if err := l.Write(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("without system calls", func(b *testing.B) {
		l := open(b, filepath.Join(b.TempDir(), "audit.jsonl"), nil)
		b.ReportAllocs()
		for b.Loop() {
			p := prepare(r, false, nil)
			p.Time = time.Unix(1, 0)
			l.line(&p, false)
		}
	})
}
