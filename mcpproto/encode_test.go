package mcpproto_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// sameString holds AppendString to what the encoder writes, which leaves DEL as it is.
func sameString(t *testing.T, s string) {
	t.Helper()
	want, err := mcpproto.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	want = bytes.ReplaceAll(want, []byte("\x7f"), []byte(`\u007f`))
	if got := mcpproto.AppendString([]byte("before"), s); string(got) != "before"+string(want) {
		t.Fatalf("%q: %s, expected before%s", s, got, want)
	}
}

// TestAppendStringAtEveryPlace puts every byte, and some runes, at every place of short and long strings, alone and twice.
func TestAppendStringAtEveryPlace(t *testing.T) {
	odd := []string{"\u0085", "\u2028", "\u2029", "é", "你", "\U0001f600", "\ufffd", "\xc3", "\xed\xa0\x80"}
	for c := range 256 {
		odd = append(odd, string([]byte{byte(c)}))
	}
	for _, x := range odd {
		for _, n := range []int{0, 1, 7, 8, 9, 17} {
			for at := range n + 1 {
				sameString(t, strings.Repeat("a", at)+x+strings.Repeat("z", n-at))
				sameString(t, strings.Repeat("~", at)+x+" "+x+strings.Repeat("\x80", n-at))
			}
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "a\x00b", "\u2028", "\xff", "é\"\\", strings.Repeat("x", 100), "\x7f\u0085"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sameString(t, s)
		b := mcpproto.AppendString(nil, s)
		var back string
		if err := mcpproto.Unmarshal(b, &back); err != nil || back != string([]rune(s)) {
			t.Fatalf("%q: %v", b, err)
		}
		for _, r := range string(b) {
			if r < 0x20 || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
				t.Fatalf("%q holds %U", b, r)
			}
		}
	})
}
