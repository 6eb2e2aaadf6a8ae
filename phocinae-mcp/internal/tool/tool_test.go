package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/config"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// line sends raw lines over stdio and returns all that comes back, checked against the schema of its revision.
func (w *world) line(lines ...string) string {
	w.t.Helper()
	var out bytes.Buffer
	var wire mcptest.Checker
	for _, line := range lines {
		wire.Sent([]byte(line))
	}
	if err := stdio.Serve(context.Background(), w.server, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, nil); err != nil {
		w.t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if err := wire.Received([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
			w.t.Errorf("invalid message: %v\n%s", err, line)
		}
	}
	return out.String()
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`

func rawCall(command, extra string) string {
	return rawCallWith(`{"command":`+text(command)+`}`, extra)
}

func rawCallWith(arguments, extra string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gate","arguments":` + arguments + `,` + extra + `,` + meta + `}}`
}

func TestGate(t *testing.T) {
	for _, tt := range []struct {
		name, command, decision, layer, action string
		fallback                               gatecore.Verdict
	}{
		{"allow", "allow x", "allow", "L0", "none", gatecore.Deny},
		{"deny", "deny x", "deny", "L0", "block", gatecore.Deny},
		{"undecided with the deny fallback", "ask x", "deny", "fail_closed", "block", gatecore.Deny},
		{"undecided with the ask fallback", "ask x", "ask", "fail_closed", "confirm", gatecore.Undecided},
		{"unreadable with the ask fallback", "odd x", "ask", "fail_closed", "confirm", gatecore.Undecided},
		{"a panicking table", "panic", "deny", "fail_closed", "block", gatecore.Undecided},
	} {
		for _, v := range []mcpproto.Version{v2024, v0325, v0618, v1125, v2026} {
			t.Run(tt.name+" "+v.String(), func(t *testing.T) {
				is := is.New(t)
				w := newWorld(t, func(c *config.Config) { c.FailClosed = tt.fallback })
				r := w.client(v, false).gate(cmd(tt.command), nil)
				is.Equal(r.isError, false)
				is.Equal(r.Decision, tt.decision)
				is.Equal(r.Layer, tt.layer)
				is.Equal(r.HumanAction, tt.action)
				is.Equal(r.Cwd, "/work") // the server's own
				is.Equal(r.Command, tt.command)
				is.True(r.Reason != "")
				is.Equal(len(w.trail.all()), 1)
				rec := w.trail.last(t)
				is.Equal(rec.Decision, tt.decision)
				is.Equal(rec.Command, tt.command)
				is.Equal(rec.Protocol, v.String())
			})
		}
	}
}

func TestWrongArguments(t *testing.T) {
	long := strings.Repeat("ж", maxText+1)
	for _, tt := range []struct {
		name, tool, arguments string
		want                  []string // pointers, in order
	}{
		{"absent", "gate", ``, []string{"/command"}},
		{"null", "gate", `null`, []string{"/command"}},
		{"empty", "gate", `{}`, []string{"/command"}},
		{"misspelt", "gate", `{"comman":"allow x"}`, []string{"/comman", "/command"}},
		{"another letter case", "gate", `{"Command":"allow x"}`, []string{"/Command", "/command"}},
		{"an extra member", "gate", `{"command":"allow x","task_progress":1}`, []string{"/task_progress"}},
		{"blank", "gate", `{"command":" \t\n"}`, []string{"/command"}},
		{"empty command", "gate", `{"command":""}`, []string{"/command"}},
		{"number", "gate", `{"command":5}`, []string{"/command"}},
		{"list", "gate", `{"command":["ls"]}`, []string{"/command"}},
		{"too long", "gate", `{"command":` + text(long) + `}`, []string{"/command"}},
		{"NUL", "gate", `{"command":"ls\u0000"}`, []string{"/command"}},
		{"relative directory", "gate", `{"command":"allow x","cwd":"work"}`, []string{"/cwd"}},
		{"null directory", "gate", `{"command":"allow x","cwd":null}`, []string{"/cwd"}},
		{"long directory", "gate", `{"command":"allow x","cwd":` + text("/"+strings.Repeat("d", maxDir)) + `}`, []string{"/cwd"}},
		{"foreign server", "gate", `{"command":"allow x","server":"http://10.0.0.1"}`, []string{"/server"}},
		{"server with a password", "gate", `{"command":"allow x","server":"http://u:p@127.0.0.1"}`, []string{"/server"}},
		{"everything at once", "gate", `{"a/b":1,"c~d":2,"command":"","cwd":1,"server":"x"}`, []string{"/a~1b", "/c~0d", "/command", "/cwd", "/server"}},
		{"no labels", "classify", `{"state":"x","labels":[]}`, []string{"/labels"}},
		{"labels are a string", "classify", `{"state":"x","labels":"a"}`, []string{"/labels"}},
		{"bad labels, all told", "classify", `{"state":"x","labels":["a",""," ",5]}`, []string{"/labels/1", "/labels/2", "/labels/3"}},
		{"long label", "classify", `{"state":"x","labels":[` + text(strings.Repeat("x", maxItem+1)) + `]}`, []string{"/labels/0"}},
		{"101 labels", "classify", `{"state":"x","labels":[` + strings.Repeat(`"x",`, 100) + `"x"]}`, []string{"/labels"}},
		{"tools for labels", "classify", `{"state":"x","tools":["a"]}`, []string{"/tools", "/labels"}},
		{"labels for tools", "route", `{"state":"x","labels":["a"]}`, []string{"/labels", "/tools"}},
		{"nothing", "score", `{}`, []string{"/state", "/criteria"}},
		{"blank state", "score", `{"state":"\u00a0","criteria":["x"]}`, []string{"/state"}},
	} {
		for _, v := range []mcpproto.Version{v0618, v1125, v2026} {
			t.Run(tt.tool+" "+tt.name+" "+v.String(), func(t *testing.T) {
				is := is.New(t)
				w := newWorld(t, nil)
				params := map[string]any{"name": tt.tool}
				if tt.arguments != "" {
					params["arguments"] = json.RawMessage(tt.arguments)
				}
				r := w.client(v, true).read(params)
				is.Equal(len(w.trail.all()), 1) // refused calls are recorded too
				is.True(strings.Contains(w.trail.last(t).Error, "arguments"))
				is.Equal(w.trail.last(t).Decision, "")
				if v == v0618 {
					is.Equal(r.code, -32602)
					for _, p := range tt.want {
						is.True(strings.Contains(r.text, p+": found ")) // lists them all
					}
					return
				}
				is.True(r.isError)
				var told struct {
					Tool, Error string
					Violations  []violation
				}
				is.NoErr(json.Unmarshal([]byte(r.text), &told))
				is.Equal(told.Tool, tt.tool)
				var got []string
				for _, x := range told.Violations {
					got = append(got, x.Pointer)
					is.True(x.Found != "" && x.Expected != "")
				}
				is.Equal(got, tt.want)
			})
		}
	}
}

func TestManyViolationsStayShort(t *testing.T) {
	is := is.New(t)
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `"%s%d":1,`, strings.Repeat("x", 150), i)
	}
	r := newWorld(t, nil).client(v2026, false).read(map[string]any{"name": "gate", "arguments": json.RawMessage(`{` + b.String() + `"command":5}`)})
	is.True(r.isError)
	is.True(len(r.text) < 40_000)
	is.True(strings.Contains(r.text, "more"))
}

func TestUnknownToolsAndMalformedParams(t *testing.T) {
	for _, params := range []map[string]any{
		{"name": "nope", "arguments": cmd("allow x")}, {"name": "", "arguments": cmd("allow x")}, {"name": "GATE", "arguments": cmd("allow x")}, {"name": "gate ", "arguments": cmd("allow x")},
	} {
		is := is.New(t)
		w := newWorld(t, nil)
		r := w.client(v2026, false).read(params)
		is.Equal(r.code, -32602)
		is.Equal(len(w.trail.all()), 1)
	}
	for _, arguments := range []string{`"{\"command\":\"allow x\"}"`, `[]`, `["ls"]`, `5`, `true`} {
		is := is.New(t)
		w := newWorld(t, nil)
		out := w.line(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gate","arguments":` + arguments + `,` + meta + `}}`)
		is.True(strings.Contains(out, `"error"`) || strings.Contains(out, `"isError":true`))
		is.True(!strings.Contains(out, "allow\\\""))
		is.Equal(len(w.trail.all()), 1)
	}
}

// Schemas keep to what every client accepts.
func TestSchemasAreWhatClientsAccept(t *testing.T) {
	forbidden := regexp.MustCompile(`"(\$schema|\$ref|\$defs|anyOf|oneOf|allOf|not|if|const|patternProperties|x-mcp-header)":`)
	for _, lang := range []string{"zh", "en"} {
		w := newWorld(t, func(c *config.Config) { c.Lang = lang })
		for _, tool := range w.server.Tools() {
			t.Run(lang+" "+tool.Name, func(t *testing.T) {
				is := is.New(t)
				for _, schema := range [][]byte{tool.InputSchema, tool.OutputSchema} {
					is.True(!forbidden.Match(schema))
					var root map[string]any
					is.NoErr(json.Unmarshal(schema, &root))
					is.Equal(root["type"], "object")
					checkSchema(t, tool.Name, root)
				}
				var in struct {
					Additional *bool `json:"additionalProperties"`
					Required   []string
				}
				is.NoErr(json.Unmarshal(tool.InputSchema, &in))
				is.True(in.Additional != nil && !*in.Additional)
				is.True(len(in.Required) > 0)
				is.True(regexp.MustCompile(`^[A-Za-z0-9_-]{1,48}$`).MatchString(tool.Name))
				is.True(len(tool.Description) < 2048)
				a := tool.Annotations
				is.True(*a.ReadOnlyHint && !*a.DestructiveHint && *a.IdempotentHint)
				is.Equal(*a.OpenWorldHint, tool.Name != "gate") // L1 is off here
			})
		}
	}
}

func checkSchema(t *testing.T, at string, s map[string]any) {
	t.Helper()
	kind, ok := s["type"].(string)
	if !ok {
		t.Errorf("%s: type is %v", at, s["type"])
	}
	if kind == "array" {
		items, ok := s["items"].(map[string]any)
		if !ok {
			t.Errorf("%s: array without items", at)
			return
		}
		checkSchema(t, at+"[]", items)
	}
	properties, _ := s["properties"].(map[string]any)
	for name, p := range properties {
		sub := p.(map[string]any)
		if d, ok := sub["description"].(string); !ok || d == "" {
			t.Errorf("%s.%s: no description", at, name)
		}
		checkSchema(t, at+"."+name, sub)
	}
}

// What a public directory graded the ancestor's texts by, and missed there.
func TestDescriptionsCoverTheCriteria(t *testing.T) {
	parts := map[string][]string{
		"en": {"Use ", "Not for:", "Returns:", "On failure", "Side effects: none", "audit", "Deterministic", "Latency:", "No credentials", "server:"},
		"zh": {"何时用：", "何时不用：", "返回：", "失败时", "副作用：无", "审计", "确定性：", "延迟：", "不需要凭据", "server："},
	}
	siblings := []string{"gate", "classify", "route", "score"}
	for lang, want := range parts {
		w := newWorld(t, func(c *config.Config) { c.Lang = lang })
		for _, tool := range w.server.Tools() {
			last := -1
			for _, p := range want {
				at := strings.Index(tool.Description, p)
				if at < 0 {
					t.Errorf("%s %s does not say %q", lang, tool.Name, p)
				}
				if p != "audit" && p != "审计" && at < last {
					t.Errorf("%s %s: %q is out of order", lang, tool.Name, p)
				}
				last = max(last, at)
			}
			for _, s := range siblings {
				if s != tool.Name && !strings.Contains(tool.Description, s) {
					t.Errorf("%s %s does not say when to use %s instead", lang, tool.Name, s)
				}
			}
		}
		words := wordingFor(lang)
		if n := len(words.instructions); n == 0 || n >= 2048 {
			t.Errorf("%s instructions have %d bytes", lang, n)
		}
	}
}

func TestListsAreTheSameBytes(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list", "server/discover"} {
		c := w.client(v2026, false)
		a, err := c.Request(t.Context(), method, nil)
		is.NoErr(err)
		b, err := c.Request(t.Context(), method, nil)
		is.NoErr(err)
		is.Equal(string(a), string(b))
	}
}

func TestSurface(t *testing.T) {
	w := newWorld(t, nil)
	modern := w.client(v2026, false)
	for _, tt := range []struct {
		method string
		params map[string]any
		code   int
	}{
		{"prompts/get", map[string]any{"name": "x"}, -32602},
		{"completion/complete", map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": "x"}, "argument": map[string]any{"name": "a", "value": ""}}, -32601},
		{"subscriptions/listen", map[string]any{"notifications": map[string]any{}}, -32601},
		{"resources/read", map[string]any{"uri": "phocinae://policy/nope"}, -32602},
	} {
		t.Run(tt.method, func(t *testing.T) {
			is := is.New(t)
			_, err := modern.Request(t.Context(), tt.method, tt.params)
			wire, ok := errors.AsType[*mcpproto.Error](err)
			is.True(ok)
			is.Equal(wire.Code, tt.code)
		})
	}
	t.Run("shutdown is answered for legacy clients only", func(t *testing.T) {
		is := is.New(t)
		out := w.line(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`, `{"jsonrpc":"2.0","id":2,"method":"shutdown","params":{`+meta+`}}`)
		is.True(strings.Contains(out, `{"jsonrpc":"2.0","id":1,"result":{}}`))
		is.True(strings.Contains(out, `-32601`))
	})
	t.Run("an unknown resource is -32002 for a legacy client", func(t *testing.T) {
		is := is.New(t)
		_, err := w.client(v1125, false).Request(t.Context(), "resources/read", map[string]any{"uri": "phocinae://policy/nope"})
		wire, ok := errors.AsType[*mcpproto.Error](err)
		is.True(ok)
		is.Equal(wire.Code, -32002)
	})
	for _, uri := range []string{policyURI, tableURI} {
		for _, v := range []mcpproto.Version{v2024, v2026} {
			t.Run(uri+" "+v.String(), func(t *testing.T) {
				is := is.New(t)
				raw, err := w.client(v, false).Request(t.Context(), "resources/read", map[string]any{"uri": uri})
				is.NoErr(err)
				is.True(strings.Contains(string(raw), `"uri":"`+uri+`"`))
				is.Equal(strings.Contains(string(raw), `"cacheScope":"public"`), v == v2026)
			})
		}
	}
}

// Each fault of the service × each tool: gate is deny, the others are errors; nothing is allow.
func TestEveryFaultFailsClosed(t *testing.T) {
	faults := []mockp0.Fault{
		{Kind: mockp0.Status, Status: 401},
		{Kind: mockp0.Status, Status: 413},
		{Kind: mockp0.Status, Status: 422},
		{Kind: mockp0.Status, Status: 429},
		{Kind: mockp0.Status, Status: 500},
		{Kind: mockp0.Status, Status: 503},
		{Kind: mockp0.Status, Status: 204},
		{Kind: mockp0.Delay, DelayMS: 5000},
		{Kind: mockp0.Hang},
		{Kind: mockp0.HangBody},
		{Kind: mockp0.CloseBeforeHeaders},
		{Kind: mockp0.CloseAfterHeaders},
		{Kind: mockp0.Reset},
		{Kind: mockp0.Cut},
		{Kind: mockp0.HugeBody},
		{Kind: mockp0.HugeLength},
		{Kind: mockp0.HugeHeader},
		{Kind: mockp0.GzipBomb},
		{Kind: mockp0.SlowDrip},
		{Kind: mockp0.Redirect},
		{Kind: mockp0.RedirectLoop},
		{Kind: mockp0.Continue},
		{Kind: mockp0.WrongLength},
		{Kind: mockp0.HTTP10},
		{Kind: mockp0.NotHTTP},
		{Kind: mockp0.BadChunk},
		{Kind: mockp0.EmptyBody},
		{Kind: mockp0.Garbage},
		{Kind: mockp0.NotObject},
		{Kind: mockp0.Trailing},
		{Kind: mockp0.CutJSON},
		{Kind: mockp0.RepeatedNames},
		{Kind: mockp0.BadUTF8},
		{Kind: mockp0.LoneSurrogate},
		{Kind: mockp0.DeepNesting},
		{Kind: mockp0.Overflow},
		{Kind: mockp0.NotANumber},
		{Kind: mockp0.WrongType},
		{Kind: mockp0.NullAnswer},
		{Kind: mockp0.MissingID},
		{Kind: mockp0.NoAnswers},
		{Kind: mockp0.NullAnswers},
		{Kind: mockp0.AnswersArray},
		{Kind: mockp0.TooHigh},
		{Kind: mockp0.TooLow},
		{Kind: mockp0.ScoresDisagree},
		{Kind: mockp0.ScoresSum},
		{Kind: mockp0.ScoresShort},
		{Kind: mockp0.NoUsage},
		{Kind: mockp0.FullSequence},
		{Kind: mockp0.OtherModel},
	}
	calls := map[string]map[string]any{
		"gate": cmd("ask me"), "classify": {"state": "x", "labels": []string{"apple", "pear"}},
		"route": {"state": "x", "tools": []string{"apple", "pear"}}, "score": {"state": "x", "criteria": []string{"c"}},
	}
	for _, fault := range faults {
		t.Run(fmt.Sprint(fault.Kind, fault.Status), func(t *testing.T) {
			t.Parallel()
			mock := mockp0.NewServer(quietTB{t}, &mockp0.Script{Rules: []mockp0.Rule{{
				Fault: &fault, Answer: &mockp0.Answer{Noul: mockp0.Float(0.99), Score: mockp0.Float(2), Choice: mockp0.Int(0)},
			}}})
			w := newWorld(t, func(c *config.Config) { c.Server, c.L1, c.Timeout = mock.URL, true, 400*time.Millisecond })
			for tool, arguments := range calls {
				is := is.New(t)
				r := w.client(v2026, true).read(map[string]any{"name": tool, "arguments": arguments})
				if tool != "gate" {
					is.True(r.isError) // a tool error
					var told struct{ Tool, Error string }
					is.NoErr(json.Unmarshal([]byte(r.text), &told))
					is.Equal(told.Tool, tool)
					is.True(told.Error != "")
					continue
				}
				is.True(!r.isError)
				is.Equal(r.Decision, "deny")
				is.Equal(r.Layer, "fail_closed")
				is.True(r.Error != "")
			}
			is.New(t).Equal(len(w.trail.all()), len(calls))
		})
	}
}

// quietTB lets the mock report nothing after the test's end.
type quietTB struct{ *testing.T }

func TestInference(t *testing.T) {
	mock := mockp0.NewServer(t, &mockp0.Script{Rules: []mockp0.Rule{
		{Match: mockp0.Match{Type: "choice"}, Answer: &mockp0.Answer{Label: "pear"}},
		{Match: mockp0.Match{Type: "score"}, Answer: &mockp0.Answer{Score: mockp0.Float(8)}},
	}})
	w := newWorld(t, func(c *config.Config) { c.Server = mock.URL })
	c := w.client(v2026, false)
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
		want      string // beginning of the answer, member by member
	}{
		{"classify", map[string]any{"state": "x", "labels": []string{"apple", "pear"}}, `{"question":"classify_choice","state":"x","labels":["apple","pear"],"choice":1,"label":"pear",`},
		{"route", map[string]any{"state": "x", "tools": []string{"apple", "pear"}}, `{"question":"route_choice","state":"x","tools":["apple","pear"],"choice":1,"tool":"pear",`},
		{"score", map[string]any{"state": "x", "criteria": []string{"c"}}, `{"question":"score_q","state":"x","criteria":["c"],"score":8,"range":[2,10],`},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			is := is.New(t)
			r := c.read(map[string]any{"name": tt.tool, "arguments": tt.arguments})
			is.True(!r.isError)
			is.True(strings.HasPrefix(r.text, tt.want))
			is.Equal(c.read(map[string]any{"name": tt.tool, "arguments": tt.arguments}).text, r.text) // the same bytes
			rec := w.trail.last(t)
			is.Equal(rec.Command, "") // the text itself is not recorded
			is.True(len(rec.Args) > 0)
		})
	}
}

func TestModelDecides(t *testing.T) {
	for _, tt := range []struct {
		noul, score float64
		want        string
	}{{0.9, 2, "allow"}, {0.5, 5, "ask"}, {0.1, 8, "deny"}, {0.9, 8, "deny"}, {0.1, 2, "deny"}, {0.5, 2, "ask"}, {0.65, 3.9, "allow"}, {0.65, 4, "ask"}} {
		t.Run(fmt.Sprint(tt.noul, " ", tt.score), func(t *testing.T) {
			is := is.New(t)
			score := tt.score
			a := &mockp0.Answer{Noul: mockp0.Float(tt.noul), Score: &score}
			mock := mockp0.NewServer(t, &mockp0.Script{Legacy: score != float64(int(score)), Rules: []mockp0.Rule{{Answer: a}}})
			w := newWorld(t, func(c *config.Config) { c.Server, c.L1 = mock.URL, true })
			r := w.client(v2026, false).gate(cmd("ask me"), nil)
			is.Equal(r.Decision, tt.want)
			is.Equal(r.Layer, "L1")
			is.Equal(*r.Score, tt.score)
			is.Equal(r.Server, mock.URL)
		})
	}
}

func TestBearerNeverReachesANamedService(t *testing.T) {
	is := is.New(t)
	own := mockp0.NewServer(t, &mockp0.Script{Bearer: "operator-secret", Rules: []mockp0.Rule{{Answer: &mockp0.Answer{Noul: mockp0.Float(1), Score: mockp0.Float(2)}}}})
	named := mockp0.NewServer(t, nil)
	w := newWorld(t, func(c *config.Config) { c.Server, c.ServerToken, c.L1 = own.URL, "operator-secret", true })
	c := w.client(v2026, false)
	is.Equal(c.gate(cmd("ask me"), nil).Decision, "allow") // the token is right
	c.gate(map[string]any{"command": "ask me", "server": named.URL}, nil)
	c.read(map[string]any{"name": "classify", "arguments": map[string]any{"state": "x", "labels": []string{"apple", "pear"}, "server": named.URL}})
	requests := named.Requests()
	is.True(len(requests) >= 3)
	for _, r := range requests {
		is.Equal(r.Header.Get("Authorization"), "")
	}
}

func TestRequiredAudit(t *testing.T) {
	for _, tool := range []string{"gate", "classify"} {
		is := is.New(t)
		w := newWorld(t, func(c *config.Config) { c.Audit.Required = true })
		w.trail.fails = true
		r := w.client(v2026, true).read(map[string]any{"name": tool, "arguments": map[string]any{"command": "allow x"}})
		if tool == "classify" {
			is.True(r.isError)
			continue
		}
		is.Equal(r.Decision, "deny")
		is.Equal(r.Layer, "fail_closed")
		is.Equal(r.Command, "allow x")
	}
	t.Run("a form that cannot be recorded is not sent", func(t *testing.T) {
		is := is.New(t)
		w := newWorld(t, func(c *config.Config) { c.Audit.Required = true })
		w.trail.fails = true
		is.Equal(w.client(v2026, true).gate(cmd("ask x"), nil).Decision, "deny")
	})
	t.Run("without the requirement the verdict stands", func(t *testing.T) {
		is := is.New(t)
		w := newWorld(t, nil)
		w.trail.fails = true
		is.Equal(w.client(v2026, false).gate(cmd("allow x"), nil).Decision, "allow")
	})
}

// Exactly one record for every tools/call, whatever becomes of it.
func TestEveryFateLeavesOneRecord(t *testing.T) {
	modern := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + params + `}}`
	}
	for _, tt := range []struct{ name, line, fate string }{
		{"unknown tool", modern(`"name":"nope",` + meta), "unknown_tool"},
		{"no name", modern(meta), "bad_params"},
		{"arguments are a list", modern(`"name":"gate","arguments":[],` + meta), "bad_params"},
		{"unsupported revision", modern(`"name":"gate","arguments":{"command":"allow x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}}`), "bad_meta"},
		{"no capabilities", modern(`"name":"gate","arguments":{"command":"allow x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`), "bad_meta"},
		{"no id", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"gate","arguments":{"command":"allow x"},` + meta + `}}`, "unidentified"},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"gate","arguments":{"command":"allow x"},` + meta + `}}`, "bad_message"},
		{"repeated member", `{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"gate","arguments":{"command":"allow x"},` + meta + `}}`, "bad_message"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, nil)
			out := w.line(tt.line)
			is.True(!strings.Contains(out, `"allow"`))
			all := w.trail.all()
			is.Equal(len(all), 1)
			is.True(strings.HasPrefix(all[0].Error, tt.fate))
		})
	}
}

func TestOverloadedGateDenies(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil)
	tools := &tools{Deps: Deps{Config: &w.cfg, Judge: gate.New(&w.cfg, w.table, nil, nil), Dir: "/work"}, words: wordingFor("en")}
	r, err := tools.overloaded(t.Context(), &mcpserver.Call{Name: "gate", Arguments: []byte(`{"command":"allow x"}`)})
	is.NoErr(err)
	var out GateOutput
	is.NoErr(json.Unmarshal(r.Structured, &out))
	is.Equal(out.Decision, "deny")
	is.Equal(out.Layer, "fail_closed")
	is.Equal(out.Command, "allow x")
	is.True(!r.IsError)

	r, err = tools.overloaded(t.Context(), &mcpserver.Call{Name: "classify", Arguments: []byte(`{}`)})
	is.NoErr(err)
	is.True(r.IsError)
}

func TestPrincipalShowsNothingOfTheToken(t *testing.T) {
	is := is.New(t)
	p := PrincipalOf("hunter2hunter2")
	is.True(!strings.Contains(p, "hunter"))
	is.True(p != PrincipalOf("hunter3hunter3"))
	is.Equal(p, PrincipalOf("hunter2hunter2"))
}
