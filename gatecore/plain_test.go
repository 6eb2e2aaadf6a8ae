package gatecore

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/matryer/is"
	"mvdan.cc/sh/v3/syntax"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// parsed is what the parser makes of a text.
func parsed(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.KeepComments(true), syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// samePlain reports a text that plainText reads and the parser reads otherwise, or that calls for what script leaves out
// after plainText.
func samePlain(t *testing.T, text string) {
	t.Helper()
	list := plainText(text, &plainMemory{})
	if list == nil {
		return
	}
	got := &syntax.File{Stmts: list}
	want, err := parsed(text)
	if err != nil {
		t.Fatalf("%q: plain, but the parser says %v", text, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: %#v, the parser has %#v", text, got, want)
	}
	j := &judge{}
	j.reset(&Engine{set: newRuleSet(l0.BuiltIn(), l0.Sources())}, text, Place{})
	j.guards(want, text)
	if len(j.findings) > 0 || splitToken(text) >= 0 {
		t.Fatalf("%q: guards find %v", text, j.findings)
	}
}

func TestPlainText(t *testing.T) {
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
		{"git add -A && git commit -m \"Fix rm -rf detection\"", true},
		{"a|b|c && d || e; f;", true},
		{"grep -rn 'TODO $x' --include=\"*.go\" . | sort | head -20", true},
		{"echo ''\"\"", true},
		{"", false},
		{"   ", false},
		{";", false},
		{"a;;b", false},
		{"a; ;b", false},
		{"a &", false},
		{"a |& b", false},
		{"a | | b", false},
		{"a &&", false},
		{"| a", false},
		{"a | time b", false},
		{"a && X=1 b", false},
		{"X=1 ls", false},
		{"'ls' x", false},
		{"if true", false},
		{"time ls", false},
		{"export A", false},
		{"ls\nx", false},
		{"ls #x", false},
		{"ls\tx", true},
		{"ls\t ", true},
		{"ls ~ ~/x a~b", true},
		{"git diff --stat HEAD~1 HEAD^ HEAD@{1}", true},
		{"ls * a?b [a-z]*", true},
		{"ls ä 'ä' 你好", true},
		{"ls a{b,c} {}", true},
		{"[ ! -f x ]", true},
		{"ls x#y", true},
		{"ls '#'", true},
		{"ls a[b]", false},
		{"{ ls", false},
		{"[[ a", false},
		{"a[1] x", false},
		{"a* x", false},
		{"~/x y", false},
		{"ls {a;b}", false},
		{"go test ./... > x 2>&1 | tail -5", true},
		{"ls 2>/dev/null && cat < x >> y 3>z", true},
		{"ls>x", true},
		{"ls 2 >x", true},
		{"ls a2>x", true},
		{"ls >x y", true},
		{"ls >'a b' 2>&-", true},
		{"> x", false},
		{"ls >", false},
		{"ls > | x", false},
		{"ls > >x", false},
		{"ls >|x", false},
		{"ls <<x", false},
		{"ls <<<x", false},
		{"ls <>x", false},
		{"ls <&3", false},
		{"ls >(x)", false},
		{"ls &>x", false},
		{"ls >&x", true},
		{"ls {fd}>x", false},
		{"! ls", false},
		{"echo \"$x\"", false},
		{"echo \"a\\b\"", false},
		{"echo 'a", false},
	} {
		t.Run(c.text, func(t *testing.T) {
			is := is.New(t)
			is.Equal(plainText(c.text, &plainMemory{}) != nil, c.plain)
			samePlain(t, c.text)
		})
	}
}

// TestPlainTextIsWhatTheParserReads tries every reserved word in front, every single byte in and beside words and
// operators, long texts, the examples of all rules, and many random ones.
func TestPlainTextIsWhatTheParserReads(t *testing.T) {
	for word := range strings.FieldsSeq("if then elif else fi for while until case esac do done in select function time coproc let declare local " +
		"export readonly typeset nameref repeat foreach end always nocorrect @test eval exec test source trap return set unset") {
		for _, form := range []string{"?", "? x", "x ? y", "a | ?", "a && ? b", "a; ? b", "'?' b", "a \"?\""} {
			samePlain(t, strings.ReplaceAll(form, "?", word))
		}
	}
	for c := range 256 {
		for _, form := range []string{
			"?", "?x", "x?", "x?y", "x ?", "x ?y", "x y?", "x y?z", "x=?", "x ?=1", "? x", "x|?y", "x|y?", "x && ?", "x;?", "x; ?y", "x '?'", "x \"?\"", "x 'a'?", "x \"a\"?b", "x >?", "x >?y", "x > y?", "x ?>y", "x 2?>y", "x 2>?1", "x 2>&?", "x >'?'", "x y?>z",
		} {
			samePlain(t, strings.Replace(form, "?", string([]byte{byte(c)}), 1))
		}
	}
	samePlain(t, strings.Repeat("word ", 4000))
	samePlain(t, strings.Repeat("x", 20000)+" y")
	samePlain(t, "a"+strings.Repeat(" | 'b c'", 2000))
	for _, r := range l0.Rules() {
		for _, text := range append(r.Yes, r.No...) {
			samePlain(t, text)
		}
	}
	const letters = "   \taifdo-_./:,=%+@019Zz||&&;'\"'\"<>>2~*?[]{}!#^\xc3\xa4"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40000 {
		b := make([]byte, rng.IntN(24))
		for i := range b {
			b[i] = letters[rng.IntN(len(letters))]
		}
		samePlain(t, string(b))
	}
}

func FuzzPlainText(f *testing.F) {
	for _, s := range []string{
		"git status", "a=b c", "x a=b", "time x", "  a", "a  ", "@test x", "+x", "a,b", "-", "=", "%1", "let x", "0", "2 x", "a:b", "a|b", "a&&b||c;d", "a;",
		"a 'b'\"c\"d", "a | b && c | d", "a '' \"\"", "a;b;", "a ;",
		"a 2>&1 | b", "a >x 2>y <z", "a>b", "a 1>>b c", "a ~/b* {c,d} [e] !f", "a\tb", "a ä",
	} {
		f.Add(s)
	}
	f.Fuzz(samePlain)
}
