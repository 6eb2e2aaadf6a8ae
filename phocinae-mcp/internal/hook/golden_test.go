package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata")

// scripted is a judge with fixed opinions: what reads is allowed, what removes is denied, a person decides about the rest.
func scripted(_ context.Context, c Command) (Decision, error) {
	switch {
	case strings.Contains(c.Text, "rm -"), strings.Contains(c.Text, "Remove-Item"):
		return Decision{Verdict: Deny, Reason: "It removes a tree.", Rule: "fs.remove-tree", Instead: "trash DIR"}, nil
	case strings.HasPrefix(c.Text, "git status"), strings.HasPrefix(c.Text, "ls"), strings.HasPrefix(c.Text, "Get-ChildItem"):
		return Decision{Verdict: Allow, Reason: "only reads"}, nil
	}
	return Decision{Verdict: Ask, Reason: "nothing is known about it", Rule: "undecided"}, nil
}

// Every testdata/HOST.txtar holds events and answers: NAME/in.json, NAME/out.json (empty for silence) and NAME/judged, one line per
// command as "dialect dir text". A NAME that ends in "-auto" runs with AutoAllow.
func TestGoldenEvents(t *testing.T) {
	for _, host := range Hosts() {
		file := filepath.Join("testdata", host.String()+".txtar")
		ar, err := txtar.ParseFile(file)
		is.New(t).NoErr(err)
		sections := map[string]string{}
		var cases []string
		for _, f := range ar.Files {
			sections[f.Name] = string(f.Data)
			if path.Base(f.Name) == "in.json" {
				cases = append(cases, path.Dir(f.Name))
			}
		}
		is.New(t).True(len(cases) > 0)
		rewritten := &txtar.Archive{Comment: ar.Comment}
		for _, name := range cases {
			t.Run(host.String()+"/"+name, func(t *testing.T) {
				is := is.New(t)
				var judged strings.Builder
				judge := func(ctx context.Context, c Command) (Decision, error) {
					if c.Host != host {
						t.Errorf("judged for %s", c.Host)
					}
					dialect := string(c.Dialect)
					if dialect == "" {
						dialect = "auto"
					}
					fmt.Fprintf(&judged, "%s %q %q", dialect, c.Dir, c.Text)
					if c.Unsure != "" {
						judged.WriteString(" unsure")
					}
					judged.WriteByte('\n')
					return scripted(ctx, c)
				}
				var out, errOut bytes.Buffer
				o := &Options{AutoAllow: strings.HasSuffix(name, "-auto"), Shell: "/bin/bash", Self: "/abs/phocinae-mcp"}
				in := sections[name+"/in.json"]
				code := Run(t.Context(), host, strings.NewReader(in), &out, &errOut, judge, o)
				is.Equal(code, StatusAnswered)
				checkAnswer(t, host, out.Bytes())
				if *update {
					rewritten.Files = append(rewritten.Files, txtar.File{Name: name + "/in.json", Data: []byte(in)},
						txtar.File{Name: name + "/judged", Data: []byte(judged.String())}, txtar.File{Name: name + "/out.json", Data: out.Bytes()})
					return
				}
				is.Equal(judged.String(), sections[name+"/judged"]) // what was judged
				is.Equal(out.String(), sections[name+"/out.json"])  // what the host is told
			})
		}
		if *update {
			is.New(t).NoErr(os.WriteFile(file, txtar.Format(rewritten), 0o644))
		}
	}
}

// documented are the members each host's answer may have; any other makes Codex drop the answer and run the tool.
var documented = map[Host][]string{
	Claude:  {"hookSpecificOutput"},
	Codex:   {"hookSpecificOutput"},
	Gemini:  {"decision", "reason"},
	Copilot: {"permissionDecision", "permissionDecisionReason"},
	Cursor:  {"permission", "user_message", "agent_message"},
}

var documentedInner = []string{"hookEventName", "permissionDecision", "permissionDecisionReason", "decision"}

// checkAnswer holds what is true of every answer: silence or one JSON object from the first byte on, documented members only, a reason with every refusal.
// It returns the verdict in it, "" for silence.
func checkAnswer(t testing.TB, host Host, out []byte) string {
	t.Helper()
	is := is.New(t)
	if len(out) == 0 {
		is.True(host != Cursor && host != Gemini) // these two always get an object
		return ""
	}
	is.Equal(out[0], byte('{'))                 // first byte
	is.Equal(bytes.Count(out, []byte("\n")), 1) // one line
	is.Equal(out[len(out)-1], byte('\n'))       // ended
	is.True(len(out) < 4500)                    // bounded
	var top map[string]any
	is.NoErr(json.Unmarshal(out, &top))
	for key := range top {
		is.True(contains(documented[host], key)) // documented member
	}
	verdict, reason := "", ""
	switch host {
	case Claude, Codex:
		inner, _ := top["hookSpecificOutput"].(map[string]any)
		for key := range inner {
			is.True(contains(documentedInner, key)) // documented inner member
		}
		verdict, _ = inner["permissionDecision"].(string)
		reason, _ = inner["permissionDecisionReason"].(string)
		if d, ok := inner["decision"].(map[string]any); ok {
			verdict, _ = d["behavior"].(string)
			reason, _ = d["message"].(string)
			is.Equal(inner["hookEventName"], permissionRequest)
			is.True(verdict == "allow" || verdict == "deny")
			if verdict == "allow" {
				return verdict
			}
		} else {
			is.Equal(inner["hookEventName"], preToolUse)
			is.True(host == Claude || verdict == "deny") // Codex takes nothing else
		}
	case Gemini:
		if len(top) == 0 {
			return ""
		}
		verdict, _ = top["decision"].(string)
		reason, _ = top["reason"].(string)
		is.True(verdict != "ask") // Gemini has no ask
	case Copilot:
		verdict, _ = top["permissionDecision"].(string)
		reason, _ = top["permissionDecisionReason"].(string)
	case Cursor:
		verdict, _ = top["permission"].(string)
		reason, _ = top["user_message"].(string)
		is.Equal(top["user_message"], top["agent_message"])
		if verdict == "allow" {
			return verdict
		}
	}
	is.True(verdict == "allow" || verdict == "ask" || verdict == "deny")
	is.True(strings.TrimSpace(reason) != "") // a reason, always
	is.True(len(reason) < 2000)              // hosts cut longer ones
	is.True(!strings.ContainsFunc(reason, func(r rune) bool { return r < 0x20 }))
	return verdict
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}
