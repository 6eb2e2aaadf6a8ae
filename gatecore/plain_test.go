package gatecore

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/matryer/is"
	"mvdan.cc/sh/v3/syntax"
)

// parsed is what the parser makes of a text.
func parsed(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// samePlain reports a text that plainCommand reads and the parser reads otherwise.
func samePlain(t *testing.T, text string) {
	t.Helper()
	got := plainCommand(text)
	if got == nil {
		return
	}
	want, err := parsed(text)
	if err != nil {
		t.Fatalf("%q: plain, but the parser says %v", text, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: %#v, the parser has %#v", text, got, want)
	}
}

func TestPlainCommand(t *testing.T) {
	for _, c := range []struct {
		text  string
		plain bool
	}{
		{"git status", true},
		{"  rm  -rf   /  ", true},
		{"dd if=/dev/zero of=x", true},
		{"npm i left-pad@1.0", true},
		{"a", true},
		{"ls if then", true},
		{"", false},
		{"   ", false},
		{"X=1 ls", false},
		{"if true", false},
		{"time ls", false},
		{"export A", false},
		{"ls\tx", false},
		{"ls\nx", false},
		{"ls #x", false},
		{"ls ~", false},
		{"ls *", false},
		{"ls ä", false},
		{"ls a{b,c}", false},
		{"! ls", false},
	} {
		t.Run(c.text, func(t *testing.T) {
			is := is.New(t)
			is.Equal(plainCommand(c.text) != nil, c.plain)
			samePlain(t, c.text)
		})
	}
}

// TestPlainCommandIsWhatTheParserReads tries every reserved word in front, every single byte in and beside a word, long
// texts, and many random ones.
func TestPlainCommandIsWhatTheParserReads(t *testing.T) {
	for word := range strings.FieldsSeq("if then elif else fi for while until case esac do done in select function time coproc let declare local " +
		"export readonly typeset nameref repeat foreach end always nocorrect @test eval exec test source trap return set unset") {
		samePlain(t, word)
		samePlain(t, word+" x")
		samePlain(t, "x "+word+" y")
	}
	for c := range 256 {
		for _, form := range []string{"?", "?x", "x?", "x?y", "x ?", "x ?y", "x y?", "x y?z", "x=?", "x ?=1", "? x"} {
			samePlain(t, strings.Replace(form, "?", string([]byte{byte(c)}), 1))
		}
	}
	samePlain(t, strings.Repeat("word ", 4000))
	samePlain(t, strings.Repeat("x", 20000)+" y")
	const letters = "  aifdo-_./:,=%+@019Zz"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		b := make([]byte, rng.IntN(24))
		for i := range b {
			b[i] = letters[rng.IntN(len(letters))]
		}
		samePlain(t, string(b))
	}
}

func FuzzPlainCommand(f *testing.F) {
	for _, s := range []string{"git status", "a=b c", "x a=b", "time x", "  a", "a  ", "@test x", "+x", "a,b", "-", "=", "%1", "let x", "0", "2 x", "a:b"} {
		f.Add(s)
	}
	f.Fuzz(samePlain)
}
