package cli

import (
	"bytes"
	"encoding/json"
	"log"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestLogForm(t *testing.T) {
	for _, tt := range []struct {
		name string
		log  func(*slog.Logger)
		want string
	}{
		{"message and values", func(l *slog.Logger) { l.Info("serving", "port", 8255, "audit", "off") }, "phocinae-mcp[info]: serving port=8255 audit=off\n"},
		{"levels", func(l *slog.Logger) { l.Debug("a"); l.Warn("b"); l.Error("c") }, "phocinae-mcp[debug]: a\nphocinae-mcp[warn]: b\nphocinae-mcp[error]: c\n"},
		{"a stack stays on its line", func(l *slog.Logger) { l.Error("panic", "stack", "a\nb\tc") }, "phocinae-mcp[error]: panic stack=\"a\\nb\\tc\"\n"},
		{"a value cannot forge a record", func(l *slog.Logger) { l.Warn("x", "v", "1\nphocinae-mcp[info]: all is well") }, "phocinae-mcp[warn]: x v=\"1\\nphocinae-mcp[info]: all is well\"\n"},
		{"a message cannot either", func(l *slog.Logger) { l.Warn("x\nphocinae-mcp[info]: y") }, "phocinae-mcp[warn]: x\\nphocinae-mcp[info]: y\n"},
		{"blank, empty and equals sign", func(l *slog.Logger) { l.Info("m", "a", "b c", "d", "", "e", "f=g") }, "phocinae-mcp[info]: m a=\"b c\" d=\"\" e=\"f=g\"\n"},
		{"invisible characters", func(l *slog.Logger) { l.Info("m\u202e", "a", "\u200b\x1b[0m") }, "phocinae-mcp[info]: m\\u202e a=\"\\u200b\\x1b[0m\"\n"},
		{"groups", func(l *slog.Logger) { l.WithGroup("http").With("p", 1).Info("m", slog.Group("q", "r", 2)) }, "phocinae-mcp[info]: m http.p=1 http.q.r=2\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var b bytes.Buffer
			tt.log(newLogger(&b, slog.LevelDebug, "text"))
			is.Equal(b.String(), tt.want)
		})
	}
	t.Run("the level counts", func(t *testing.T) {
		is := is.New(t)
		var b bytes.Buffer
		newLogger(&b, slog.LevelWarn, "text").Info("x")
		is.Equal(b.String(), "")
	})
	t.Run("JSON", func(t *testing.T) {
		is := is.New(t)
		var b bytes.Buffer
		newLogger(&b, slog.LevelInfo, "json").Info("x", "a", "b\nc")
		var v map[string]any
		is.NoErr(json.Unmarshal(b.Bytes(), &v))
		is.Equal(v["a"], "b\nc")
		is.Equal(strings.Count(b.String(), "\n"), 1)
	})
}

// Completion names exactly the commands and flags that there are.
func TestCompletionFollowsTheModel(t *testing.T) {
	is := is.New(t)
	var c commandLine
	exited := false
	parser, err := newParser(&c, &bytes.Buffer{}, &exited)
	is.NoErr(err)
	tree := words(parser.Model.Node)
	is.Equal(tree[0].subs, commandNames) // hook calls are told from others by these names
	flag := regexp.MustCompile(`^--[a-z0-9-]+$`)
	for _, n := range tree {
		for _, f := range n.flags {
			is.True(flag.MatchString(f.name))
			is.True(f.name == "--help" || f.help != "")
		}
	}
	for _, script := range []string{bashScript(tree), fishScript(tree)} {
		for _, n := range tree[1:] {
			is.True(strings.Contains(script, strings.Fields(n.path)[0]))
		}
	}
}

// TestDependenciesLogInOurForm: what a dependency writes through package log is one of our lines.
func TestDependenciesLogInOurForm(t *testing.T) {
	is := is.New(t)
	var b strings.Builder
	out, flags := log.Writer(), log.Flags()
	t.Cleanup(func() {
		log.SetOutput(out)
		log.SetFlags(flags)
	})
	takeLog(&b)
	log.Print("Unsolicited response\nreceived")
	is.Equal(b.String(), "phocinae-mcp[warn]: Unsolicited response\\nreceived\n")
}
