package tool

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
	"github.com/phocinae/phocinae-go/mcpproto/streamhttp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the server sections of testdata/conversations")

// Conversations of both eras: the client's lines one after the other, the server's answers in between, the same over stdio
// and over HTTP. Every message in either direction is checked against the schema of its revision. STATE stands for the
// last sealed state.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/conversations/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, file := range files {
		for _, via := range []string{"stdio", "http"} {
			t.Run(filepath.Base(file)+" over "+via, func(t *testing.T) {
				archive, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				w := newWorld(t, nil)
				var peer talker
				if via == "stdio" {
					peer = newPipeTalker(t, w)
				} else {
					peer = &postTalker{t: t, h: streamhttp.NewHandler(w.server, nil)}
				}
				got := converse(t, peer, string(section(archive, "client")))
				if *update && via == "stdio" {
					setSection(archive, "server", got)
					if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
						t.Fatal(err)
					}
					return
				}
				is := is.New(t)
				is.Equal(got, string(section(archive, "server")))
			})
		}
	}
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func setSection(a *txtar.Archive, name, data string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(data)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(data)})
}

// talker sends one line and returns the answer, "" for a notification.
type talker interface {
	say(line string, header *facts) string
}

// facts is what a line says about itself.
type facts struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name            string
		URI             string
		ProtocolVersion string
		Meta            map[string]json.RawMessage `json:"_meta"`
	}
	revision mcpproto.Version
}

var statePattern = regexp.MustCompile(`"requestState":"([^"]+)"`)

func converse(t *testing.T, peer talker, client string) string {
	t.Helper()
	var out strings.Builder
	legacy := mcpproto.Version20241105
	state := ""
	for line := range strings.Lines(client) {
		line = strings.ReplaceAll(strings.TrimSpace(line), "STATE", state)
		var f facts
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("client line: %v", err)
		}
		f.revision = legacy
		if f.Params.Meta["io.modelcontextprotocol/protocolVersion"] != nil {
			f.revision = mcpproto.Version20260728
		} else if f.Method == "initialize" {
			f.revision, _ = mcpproto.ParseVersion(f.Params.ProtocolVersion)
			legacy = f.revision
		}
		standard := f.Method != "shutdown"
		if standard {
			if err := mcptest.Check(f.revision, mcptest.ToServer, "", []byte(line)); err != nil {
				t.Errorf("client: %v", err)
			}
		}
		answer := peer.say(line, &f)
		if answer == "" {
			continue
		}
		if standard {
			if err := mcptest.Check(f.revision, mcptest.ToClient, f.Method, []byte(answer)); err != nil {
				t.Errorf("server: %v\n%s", err, answer)
			}
		}
		if m := statePattern.FindStringSubmatch(answer); m != nil {
			state = m[1]
			answer = strings.Replace(answer, m[1], "STATE", 1)
		}
		out.WriteString(answer + "\n")
	}
	return out.String()
}

// pipeTalker speaks over stdio.
type pipeTalker struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func newPipeTalker(t *testing.T, w *world) *pipeTalker {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := stdio.Serve(context.Background(), w.server, inR, outW, nil)
		_ = outW.Close()
		done <- err
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		rest, _ := io.ReadAll(outR)
		if len(bytes.TrimSpace(rest)) > 0 {
			t.Errorf("more than was asked for: %s", rest)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return &pipeTalker{t, inW, bufio.NewReader(outR)}
}

func (p *pipeTalker) say(line string, f *facts) string {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
	if f.ID == nil {
		return ""
	}
	answer, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSuffix(answer, "\n")
}

// postTalker speaks over HTTP, without a network.
type postTalker struct {
	t *testing.T
	h http.Handler
}

func (p *postTalker) say(line string, f *facts) string {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(line))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if f.Method != "initialize" {
		r.Header.Set("MCP-Protocol-Version", f.revision.String())
	}
	if f.revision == mcpproto.Version20260728 {
		r.Header.Set("Mcp-Method", f.Method)
		if name := f.Params.Name + f.Params.URI; name != "" {
			r.Header.Set("Mcp-Name", name)
		}
	}
	w := httptest.NewRecorder()
	p.h.ServeHTTP(w, r)
	body := strings.TrimSpace(w.Body.String())
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
		body = strings.TrimPrefix(body, "data: ")
	}
	return body
}
