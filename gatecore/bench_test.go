package gatecore

import (
	"strings"
	"testing"
)

func benchEngine(b *testing.B) *Engine {
	b.Helper()
	e, err := New(nil)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstAssess is what a hook pays in every process: the engine, and the first judgement with what it compiles.
func BenchmarkFirstAssess(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		e, err := New(nil)
		if err != nil {
			b.Fatal(err)
		}
		e.Assess("git status", Place{Dir: "/home/dev/work/app", Home: "/home/dev"})
	}
}

func BenchmarkSynthesize(b *testing.B) {
	t := DefaultThresholds()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Synthesize(Answers{Noul: 0.9, Score: 3}, t); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAssess shows the budget of GATE, "Cost": 25 µs and 12 KiB for ordinary commands.
func BenchmarkAssess(b *testing.B) {
	e := benchEngine(b)
	at := Place{Dir: "/home/dev/work/app", Home: "/home/dev"}
	for _, c := range []struct{ name, command string }{
		{"status", "git status"},
		{"list", "ls -la src"},
		{"deny", "rm -rf /"},
		{"wrapped", "timeout 5 bash -lc 'git log --oneline | head -3'"},
		{"pipeline", "grep -rn 'TODO' --include='*.go' . | sort | uniq -c | sort -rn | head -20"},
		{"loop", "for f in a b c; do wc -l \"$f\"; done"},
		{"heredoc", "cat <<'EOF'\n" + strings.Repeat("a line of a file that is shown\n", 20) + "EOF"},
		{"longPipeline", "cat x" + strings.Repeat(" | grep -v abc", 40)},
		{"commit", "git add -A && git commit -m \"Fix rm -rf detection\""},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.Assess(c.command, at)
			}
		})
	}
}

// BenchmarkWorst shows that 20 000 characters of anything stay under 50 ms.
func BenchmarkWorst(b *testing.B) {
	e := benchEngine(b)
	at := Place{Dir: "/home/dev/work/app", Home: "/home/dev"}
	for name, command := range worstTexts() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.Assess(command, at)
			}
		})
	}
}

func worstTexts() map[string]string {
	full := func(s string) string { return strings.Repeat(s, 20000/len(s)) }
	return map[string]string{
		"words":       "echo " + full("a "),
		"statements":  full("ls;"),
		"lines":       full("ls x\n"),
		"parens":      full("("),
		"quotes":      full("'"),
		"expansions":  "echo " + full("$a"),
		"braces":      "echo " + strings.Repeat("{1..99}", 100),
		"loops":       full("for i in 1 2 3 4 5 6 7 8; do ls $i; done;"),
		"heredocs":    full("cat <<A\nx\nA\n"),
		"broken":      full("rm -rf /\n") + "'",
		"backslashes": "echo " + full("\\\\"),
		"defaults":    "echo " + strings.Repeat("${a:-b}", 190),
		"evals":       strings.Repeat("eval ", 3000) + "ls",
		"shells":      strings.Repeat("sh -c \"", 190) + "ls",
		"assignments": full("a=b;"),
		"arrays":      full("a+=(x);"),
		"files":       full("echo a>$f;echo a>f;"),
		"calls":       "python3 -c '" + full("os.system(d);") + "'",
		"pipes":       "ls" + full(" | cat"),
		"xargs":       strings.Repeat("xargs ", 3000) + "ls",
	}
}
