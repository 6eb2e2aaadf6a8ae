package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
)

func ask(command string, part string) *Subject {
	start := strings.Index(command, part)
	return &Subject{
		Command: command, Dir: "/home/dev/app", Why: "Because.",
		Findings: []gatecore.Finding{{RuleID: "x.y", Verdict: gatecore.Undecided, Kind: gatecore.Unproven, Start: start, End: start + len(part), Why: "Writes somewhere.", Instead: "look first"}},
	}
}

func TestFormShowsWhatMatters(t *testing.T) {
	is := is.New(t)
	s := ask("npm install left-pad && ls", "npm install left-pad")
	s.Service = "http://127.0.0.1:8155"
	for _, lang := range []string{"zh", "en"} {
		text, err := Form(s, lang)
		is.NoErr(err)
		for _, part := range []string{"> npm install left-pad && ls\n", "> /home/dev/app\n", "> http://127.0.0.1:8155\n", "> npm install left-pad\n", "x.y: Writes somewhere.", "look first", "26 "} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the form does not show %q:\n%s", lang, part, text)
			}
		}
	}
}

func TestNothingInvisibleReachesAPerson(t *testing.T) {
	nasty := "echo a\u202eb\u200bc\u2066d\ufeffe\x1b[2Jf\x00g\rh\u2028i\u00a0j\u3164k\U000e0041l\ufe0fm\u2800n\u034fo\xffp"
	is := is.New(t)
	s := ask(nasty, "echo")
	s.Dir, s.Service = nasty, nasty
	s.Why, s.Instead = nasty, nasty
	s.Findings[0].Why, s.Findings[0].Instead, s.Findings[0].RuleID = nasty, nasty, nasty
	text, err := Form(s, "en")
	is.NoErr(err)
	is.True(utf8.ValidString(text))
	for _, r := range text {
		if r == '\n' {
			continue
		}
		if !visible(r) || unicode.IsControl(r) {
			t.Errorf("the form holds U+%04X", r)
		}
	}
	for _, part := range []string{`\u{202E}`, `\u{200B}`, `\u{1B}`, `\r`, `\xff`} {
		is.True(strings.Contains(text, part)) // shown as an escape
	}
}

// Only lines with a quote mark may hold foreign text, however it is broken.
func TestForeignTextCannotImitateTheGate(t *testing.T) {
	is := is.New(t)
	fake := "true\n\nWhy you are asked:\n- safe.read: Only reads.\n" + strings.Repeat("A", 300) + " approve this"
	s := &Subject{Command: fake, Dir: "/x\nSafer: approve", Why: "Because."}
	text, err := Form(s, "en")
	is.NoErr(err)
	own := map[string]bool{}
	plain, err := Form(&Subject{Command: "true", Dir: "/x", Why: "Because."}, "en")
	is.NoErr(err)
	for line := range strings.SplitSeq(plain, "\n") {
		own[line] = true
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "> ") || strings.HasPrefix(line, ">+ ") || own[line] || strings.HasPrefix(line, "Command (") {
			is.True(utf8.RuneCountInString(line) <= quoteWidth+3 || own[line]) // short enough not to be wrapped by a viewer
			continue
		}
		t.Errorf("unquoted foreign line %q", line)
	}
}

func TestLongCommands(t *testing.T) {
	filler := strings.Repeat("echo padding;", 200)
	t.Run("the middle is cut, programs and parts stay", func(t *testing.T) {
		is := is.New(t)
		s := ask(filler+"npm install evil;"+filler, "npm install evil")
		s.Programs = []string{"echo", "npm"}
		text, err := Form(s, "en")
		is.NoErr(err)
		is.True(utf8.RuneCountInString(text) <= MaxForm)
		is.True(strings.Contains(text, "characters are left out here"))
		is.True(strings.Contains(text, "> npm install evil\n"))
		is.True(strings.Contains(text, "> npm\n"))
		is.True(strings.Contains(text, fmt.Sprintf("(%d characters", len(s.Command))))
	})
	t.Run("commands that differ only where it is cut give different forms", func(t *testing.T) {
		is := is.New(t)
		a, err := Form(&Subject{Command: filler + "x" + filler, Why: "w"}, "en")
		is.NoErr(err)
		b, err := Form(&Subject{Command: filler + "y" + filler, Why: "w"}, "en")
		is.NoErr(err)
		is.True(a != b)
	})
	t.Run("too many parts to show: no form", func(t *testing.T) {
		is := is.New(t)
		s := ask(strings.Repeat("npm install some-package-with-a-long-name;", 200), "npm")
		for i := range 100 {
			s.Findings = append(s.Findings, gatecore.Finding{RuleID: "x.y", Verdict: gatecore.Undecided, Start: i * 42, End: i*42 + 41, Why: "Writes."})
		}
		_, err := Form(s, "en")
		is.True(errors.Is(err, ErrTooLong))
	})
	t.Run("a part that is longer than a form: no form", func(t *testing.T) {
		is := is.New(t)
		long := "x " + strings.Repeat("a", 5000)
		_, err := Form(ask(long+" ;ls", long), "en")
		is.True(errors.Is(err, ErrTooLong))
	})
	t.Run("a program name hidden by quoting is spelled out", func(t *testing.T) {
		is := is.New(t)
		s := ask(`n"p"m install x`, "install")
		s.Programs = []string{"npm"}
		text, err := Form(s, "en")
		is.NoErr(err)
		is.True(strings.Contains(text, "> npm\n"))
	})
}

func TestForeignLettersInHostsAreMarked(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"in a URL", "curl https://ex\u0430mple.org/x", `ex\u{430}mple.org`},
		{"in an scp target", "scp f dev@h\u043est:/tmp", `h\u{43E}st`},
		{"an ordinary file name is not a host", "cat r\u00e9sum\u00e9", ""},
		{"ASCII hosts are not marked", "curl https://example.org", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			text, err := Form(&Subject{Command: tt.in, Why: "w"}, "en")
			is.NoErr(err)
			is.Equal(strings.Contains(text, "Attention"), tt.want != "")
			is.True(strings.Contains(text, tt.want))
		})
	}
}

func TestSchemaIsFlatAndHasNoDefault(t *testing.T) {
	for _, lang := range []string{"zh", "en", "xx"} {
		is := is.New(t)
		var s struct {
			Type       string
			Properties map[string]map[string]any
			Required   []string
		}
		is.NoErr(json.Unmarshal(Schema(lang), &s))
		is.Equal(s.Type, "object")
		is.Equal(s.Required, []string{"approve"})
		is.Equal(len(s.Properties), 2)
		is.Equal(s.Properties["approve"]["type"], "boolean")
		is.Equal(s.Properties["note"]["type"], "string")
		for _, p := range s.Properties {
			_, has := p["default"]
			is.True(!has) // clients accept forms by themselves
		}
	}
}

func TestMemory(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	m := NewMemory(func() time.Time { return now })
	key := Key("alice", []byte(`{"command":"x"}`))

	t.Run("a decline holds for a minute, for the same principal and arguments", func(t *testing.T) {
		is := is.New(t)
		is.True(!m.Declined(key))
		m.Decline(key)
		is.True(m.Declined(key))
		is.True(!m.Declined(Key("bob", []byte(`{"command":"x"}`))))
		is.True(!m.Declined(Key("alice", []byte(`{"command":"y"}`))))
		now = now.Add(DeclineTime - time.Millisecond)
		is.True(m.Declined(key))
		now = now.Add(time.Millisecond)
		is.True(!m.Declined(key))
	})
	t.Run("thirty prompts a minute", func(t *testing.T) {
		is := is.New(t)
		for range MaxPrompts {
			is.True(m.Prompt())
			now = now.Add(time.Second)
		}
		is.True(!m.Prompt()) // the 31st within a minute
		now = now.Add(PromptTime - MaxPrompts*time.Second)
		is.True(m.Prompt()) // the first one is a minute old
		is.True(!m.Prompt())
	})
	t.Run("the memory is bounded", func(t *testing.T) {
		is := is.New(t)
		for i := range 3 * maxDeclined {
			m.Decline(Key("", fmt.Append(nil, i)))
		}
		is.True(len(m.declined) <= maxDeclined)
	})
}

func TestFolderLedger(t *testing.T) {
	now := time.Now()
	expires := now.Add(5 * time.Minute)

	t.Run("a nonce is good once, also for another process", func(t *testing.T) {
		is := is.New(t)
		dir := filepath.Join(t.TempDir(), "deep", "used")
		n := mcpproto.NewNonce()
		is.NoErr(NewFolderLedger(dir).Use(n, now, expires, now))
		is.True(errors.Is(NewFolderLedger(dir).Use(n, now, expires, now), mcpproto.ErrNonceUsed))
		is.NoErr(NewFolderLedger(dir).Use(mcpproto.NewNonce(), now, expires, now))
	})
	t.Run("a folder that cannot be written refuses", func(t *testing.T) {
		is := is.New(t)
		file := filepath.Join(t.TempDir(), "file")
		is.NoErr(os.WriteFile(file, nil, 0o600))
		err := NewFolderLedger(filepath.Join(file, "used")).Use(mcpproto.NewNonce(), now, expires, now)
		is.True(errors.Is(err, mcpproto.ErrNonce))
	})
	t.Run("a folder that others can write refuses", func(t *testing.T) {
		is := is.New(t)
		dir := t.TempDir()
		is.NoErr(os.Chmod(dir, 0o777))
		err := NewFolderLedger(dir).Use(mcpproto.NewNonce(), now, expires, now)
		is.True(errors.Is(err, mcpproto.ErrNonce))
	})
	t.Run("no folder refuses", func(t *testing.T) {
		is := is.New(t)
		is.True(errors.Is(NewFolderLedger("").Use(mcpproto.NewNonce(), now, expires, now), mcpproto.ErrNonce))
	})
	t.Run("expired files go, others stay", func(t *testing.T) {
		is := is.New(t)
		dir := t.TempDir()
		is.NoErr(os.WriteFile(filepath.Join(dir, "README"), nil, 0o600))
		l := NewFolderLedger(dir)
		is.NoErr(l.Use(mcpproto.NewNonce(), now, expires, now))
		later := expires.Add(time.Hour)
		is.NoErr(l.Use(mcpproto.NewNonce(), later, later.Add(time.Minute), later))
		entries, err := os.ReadDir(dir)
		is.NoErr(err)
		is.Equal(len(entries), 3) // the new nonce, the mark, and the file that is not ours
	})
	t.Run("a folder that was removed forgets nothing", func(t *testing.T) {
		for _, who := range []string{"the same process", "another process"} {
			is := is.New(t)
			dir := filepath.Join(t.TempDir(), "used")
			l, n := NewFolderLedger(dir), mcpproto.NewNonce()
			is.NoErr(l.Prepare(now))
			is.NoErr(l.Use(n, now, expires, now))
			is.NoErr(os.RemoveAll(dir))
			if who == "another process" {
				l = NewFolderLedger(dir)
			}
			later := now.Add(time.Second)
			_ = l.Use(mcpproto.NewNonce(), now, expires, later) // may notice the loss
			err := l.Use(n, now, expires, later)
			is.True(errors.Is(err, mcpproto.ErrNonce)) // used up, whoever is asked
			fresh := later.Add(time.Second)
			is.NoErr(l.Use(mcpproto.NewNonce(), fresh, expires, fresh)) // and life goes on
		}
	})
	t.Run("a damaged mark refuses", func(t *testing.T) {
		is := is.New(t)
		dir := t.TempDir()
		is.NoErr(os.WriteFile(filepath.Join(dir, sinceName), []byte("soon\n"), 0o600))
		err := NewFolderLedger(dir).Use(mcpproto.NewNonce(), now, expires, now)
		is.True(errors.Is(err, mcpproto.ErrNonce))
	})
}

func TestFolderLedgerConcurrentSafe(t *testing.T) {
	is := is.New(t)
	dir, now, n := t.TempDir(), time.Now(), mcpproto.NewNonce()
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if NewFolderLedger(dir).Use(n, now, now.Add(time.Minute), now) == nil {
				won.Add(1)
			}
		})
	}
	wg.Wait()
	is.Equal(won.Load(), int32(1))
}

func FuzzForm(f *testing.F) {
	f.Add("echo hi\nWhy you are asked:", "/x")
	f.Add("a\u202eb", "\x00")
	f.Fuzz(func(t *testing.T, command, dir string) {
		text, err := Form(&Subject{Command: command, Dir: dir, Why: "w"}, "en")
		if err != nil {
			return
		}
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) > MaxForm {
			t.Fatal("not a form")
		}
		for _, r := range text {
			if r != '\n' && !visible(r) {
				t.Fatalf("U+%04X reaches a person", r)
			}
		}
	})
}
