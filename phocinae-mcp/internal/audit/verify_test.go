package audit

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// twoWriters returns the lines of a trail: a1 a2 b1 a3 a4 b2 a5, keyed or not.
func twoWriters(t testing.TB, key []byte) (lines []string, a, b Head) {
	t.Helper()
	path := trail(t)
	one := open(t, path, &Options{Key: key})
	write(t, one, "a1", "a2")
	two := open(t, path, &Options{Key: key})
	write(t, two, "b1")
	write(t, one, "a3", "a4")
	write(t, two, "b2")
	write(t, one, "a5")
	return strings.Split(strings.TrimSuffix(read(t, path), "\n"), "\n"), one.Head(), two.Head()
}

func store(t testing.TB, text string) string {
	t.Helper()
	path := trail(t)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// rehash makes the line's hash fit again, as someone without a key can.
func rehash(line string) string {
	body, _, _ := splitHash([]byte(line))
	h, scheme := chainHash(nil)
	return string(body) + hashOpen + string(chain(nil, h, scheme, body)) + `"}`
}

func TestVerifyFindsTampering(t *testing.T) {
	join := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	for _, tt := range []struct {
		name   string
		change func(l []string) string
		kinds  string
		line   int // of the first problem
	}{
		{"nothing changed", func(l []string) string { return join(l...) }, "", 0},
		{"edited", func(l []string) string { l[3] = strings.Replace(l[3], "deny", "allow", 1); return join(l...) }, "edited", 4},
		{"edited, hash recomputed", func(l []string) string { l[3] = rehash(strings.Replace(l[3], "deny", "allow", 1)); return join(l...) }, "replaced", 5},
		{"one space added", func(l []string) string { l[3] = strings.Replace(l[3], `,"seq"`, `, "seq"`, 1); return join(l...) }, "edited", 4},
		{"hash edited", func(l []string) string {
			last := "0"
			if l[6][len(l[6])-3] == '0' {
				last = "1"
			}
			l[6] = l[6][:len(l[6])-3] + last + "\"}"
			return join(l...)
		}, "edited", 7},
		{"carriage returns", func(l []string) string { return strings.ReplaceAll(join(l...), "\n", "\r\n") }, "torn torn torn torn torn torn torn", 1},
		{"removed", func(l []string) string { return join(l[0], l[1], l[2], l[4], l[5], l[6]) }, "removed", 4},
		{"two removed", func(l []string) string { return join(l[0], l[1], l[2], l[5], l[6]) }, "removed", 5},
		{"head cut", func(l []string) string { return join(l[1:]...) }, "cut_head", 1},
		{"seen line removed", func(l []string) string { return join(l[0], l[2], l[3], l[4], l[5], l[6]) }, "unseen removed", 2},
		{"reordered", func(l []string) string { l[3], l[4] = l[4], l[3]; return join(l...) }, "reordered", 5},
		{"moved to the end", func(l []string) string { return join(l[0], l[1], l[2], l[4], l[5], l[6], l[3]) }, "reordered", 7},
		{"repeated", func(l []string) string { return join(append(l, l[3])...) }, "inserted", 8},
		{"inserted with a fitting hash", func(l []string) string {
			return join(l[0], l[1], l[2], l[3], rehash(strings.Replace(l[4], `"a4"`, `"zz"`, 1)), l[4], l[5], l[6])
		}, "inserted replaced", 6},
		{"empty line", func(l []string) string { return join(l[0], "", l[1], l[2], l[3], l[4], l[5], l[6]) }, "inserted", 2},
		{"empty line at the end", func(l []string) string { return join(l...) + "\n" }, "inserted", 8},
		{"foreign line", func(l []string) string { return join(append(l, `{"hello":1}`)...) }, "torn", 8},
		{"member twice, hash recomputed", func(l []string) string {
			l[6] = rehash(strings.Replace(l[6], `{"ts"`, `{"seq":1,"ts"`, 1))
			return join(l...)
		}, "edited", 7},
		{"cut in the middle", func(l []string) string { l[3] = l[3][:50]; return join(l...) }, "torn removed", 4},
		{"torn end", func(l []string) string { s := join(l...); return s[:len(s)-20] }, "torn", 7},
		{"only the newline missing", func(l []string) string { return strings.TrimSuffix(join(l...), "\n") }, "", 0},
		{"line over the limit", func(l []string) string { return join(append(l, strings.Repeat("x", MaxLine+5))...) }, "torn", 8},
		// what cannot be seen without expectations, and with them can
		{"cut tail", func(l []string) string { return join(l[:6]...) }, "", 0},
		{"missing writer", func(l []string) string { return join(l[0], l[1], l[3], l[4], l[6]) }, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			lines, _, _ := twoWriters(t, nil)
			path := store(t, tt.change(lines))
			r := verified(t, path, nil)
			is.Equal(kinds(r), tt.kinds)
			is.Equal(r.OK(), tt.kinds == "")
			if tt.line > 0 {
				is.Equal(r.Problems[0].File, path)
				is.Equal(r.Problems[0].Line, tt.line)
			}
			is.True(len(r.Blind) > 0)
		})
	}
}

func TestVerifyWithExpectations(t *testing.T) {
	is := is.New(t)
	lines, a, b := twoWriters(t, nil)
	check := func(text string, expect ...Head) string {
		return kinds(verified(t, store(t, text), &VerifyOptions{Expect: expect}))
	}
	whole := strings.Join(lines, "\n")
	is.Equal(check(whole, a, b), "")
	is.Equal(check(strings.Join(lines[:6], "\n"), a, b), "cut_tail")
	is.Equal(check(strings.Join([]string{lines[0], lines[1], lines[3], lines[4], lines[6]}, "\n"), a, b), "missing_writer")
	other := a
	other.Hash = b.Hash
	is.Equal(check(whole, other), "replaced")
	bare := a
	bare.Hash = strings.TrimPrefix(a.Hash, plainScheme)
	is.Equal(check(whole, bare), "")

	got, err := ParseHead(a.String())
	is.NoErr(err)
	is.Equal(got, a)
	for _, bad := range []string{"", "w", "w:1", "w:x:" + bare.Hash, "w:0:" + bare.Hash, ":1:" + bare.Hash, "w:1:abc"} {
		_, err := ParseHead(bad)
		is.True(err != nil)
	}
}

func TestVerifyWithKeys(t *testing.T) {
	is := is.New(t)
	other := bytes.Repeat([]byte("o"), 32)
	lines, _, _ := twoWriters(t, testKey)
	text := strings.Join(lines, "\n") + "\n"
	check := func(text string, keys ...[]byte) string {
		return kinds(verified(t, store(t, text), &VerifyOptions{Keys: keys}))
	}
	is.Equal(check(text, testKey), "")
	is.Equal(check(text, other, testKey), "")
	is.Equal(check(text, other), "key") // wrong key: said once
	is.Equal(check(text), "key")        // no key: not checked is not sound
	is.Equal(check(strings.Replace(text, `"a3"`, `"a0"`, 1), testKey), "edited")
	forged := strings.Join(append(lines[:6:6], rehash(lines[6])), "\n")
	is.Equal(check(forged, testKey), "key") // a line recomputed without the key
	plainLines, _, _ := twoWriters(t, nil)
	is.Equal(check(strings.Join(plainLines, "\n"), testKey), "key")
}

func TestVerifyReadsNothing(t *testing.T) {
	is := is.New(t)
	_, err := Verify(filepath.Join(t.TempDir(), "audit.jsonl"), nil)
	is.True(errors.Is(err, ErrNoFile)) // a missing trail is never a sound one
	r := verified(t, store(t, ""), nil)
	is.True(r.OK())
	is.Equal(r.Records, 0)
}

func TestHooksThatLiveForOneCallAreChainedByWhatTheySaw(t *testing.T) {
	is := is.New(t)
	path := trail(t)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for range 12 {
		l := open(t, path, &Options{MaxBytes: 1500, Now: func() time.Time { return now }})
		write(t, l, "ls")
		is.NoErr(l.Close())
	}
	is.Equal(kinds(verified(t, path, nil)), "")
	files := must(Files(path))
	is.True(len(files) > 2)
	lines := strings.SplitAfter(read(t, files[1]), "\n")
	is.NoErr(os.WriteFile(files[1], []byte(strings.Join(append(lines[:1:1], lines[2:]...), "")), 0o600))
	is.Equal(kinds(verified(t, path, nil)), "unseen") // one hook's only line is missed
	is.NoErr(os.Remove(files[1]))
	is.Equal(kinds(verified(t, path, nil)), "unseen") // and so is a whole file
}

func TestVerifyTextSaysWhereAndWhatItCannotSee(t *testing.T) {
	is := is.New(t)
	lines, _, _ := twoWriters(t, nil)
	lines[3] = strings.Replace(lines[3], "deny", "allow", 1)
	path := store(t, strings.Join(lines, "\n"))
	var b strings.Builder
	is.NoErr(verified(t, path, nil).WriteText(&b))
	is.True(strings.Contains(b.String(), path+":4: edited"))
	is.True(strings.Contains(b.String(), "NOT OK: 1 problems"))
	is.True(strings.Contains(b.String(), "cut tail"))
}

// FuzzVerify changes a byte, cuts a piece or moves a line of a keyed trail. With the heads expected nothing may pass.
func FuzzVerify(f *testing.F) {
	lines, a, b := twoWriters(f, testKey)
	text := strings.Join(lines, "\n") + "\n"
	f.Add(uint8(0), uint16(300), uint16(1))
	f.Add(uint8(1), uint16(0), uint16(900))
	f.Add(uint8(2), uint16(2), uint16(3))
	f.Add(uint8(3), uint16(2), uint16(3))
	f.Add(uint8(4), uint16(5), uint16(3))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, how uint8, x, y uint16) {
		changed := mutate(text, how, int(x), int(y))
		if strings.TrimSuffix(changed, "\n") == strings.TrimSuffix(text, "\n") {
			return // nothing changed that a line holds
		}
		path := filepath.Join(dir, "audit.jsonl")
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Verify(path, &VerifyOptions{Keys: [][]byte{testKey}, Expect: []Head{a, b}})
		if err != nil {
			t.Fatal(err)
		}
		if r.OK() && !sameForEachWriter(changed, lines) {
			t.Fatalf("called sound:\n%s", changed)
		}
	})
}

// sameForEachWriter reports whether only the order between the two writers differs: that is no tampering with either.
func sameForEachWriter(text string, lines []string) bool {
	got := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(got) != len(lines) {
		return false
	}
	of := func(all []string) map[string]string {
		m := map[string]string{}
		for _, line := range all {
			e, _ := parseEntry([]byte(line))
			m[e.Writer] += line + "\n"
		}
		return m
	}
	g, w := of(got), of(lines)
	for name := range w {
		if g[name] != w[name] {
			return false
		}
	}
	return true
}

func mutate(text string, how uint8, x, y int) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	i, j := x%len(lines), y%len(lines)
	switch how % 5 {
	case 0: // another byte
		b := []byte(text)
		b[x%len(b)] ^= byte(y%255) + 1
		return string(b)
	case 1: // a piece gone
		from := x % len(text)
		return text[:from] + text[min(len(text), from+y%2000):]
	case 2: // a line gone
		return strings.Join(append(lines[:i:i], lines[i+1:]...), "")
	case 3: // two lines exchanged
		lines[len(lines)-1] += "\n"
		lines[i], lines[j] = lines[j], lines[i]
		return strings.Join(lines, "")
	default: // a line twice
		lines[len(lines)-1] += "\n"
		return strings.Join(lines[:j:j], "") + lines[i] + strings.Join(lines[j:], "")
	}
}

func BenchmarkVerify(b *testing.B) {
	path := trail(b)
	week(b, path)
	info := must(os.Stat(path))
	b.SetBytes(info.Size())
	for b.Loop() {
		if r := verified(b, path, nil); !r.OK() {
			b.Fatal(r.Problems)
		}
	}
}
