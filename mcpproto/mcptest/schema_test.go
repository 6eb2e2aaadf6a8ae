package mcptest_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

func TestEveryPublishedExampleIsValid(t *testing.T) {
	is := is.New(t)
	files, err := filepath.Glob("testdata/examples-2026-07-28/*/*.json")
	is.NoErr(err)
	is.Equal(len(files), 129) // the whole published set
	for _, file := range files {
		definition := filepath.Base(filepath.Dir(file))
		t.Run(definition+"/"+filepath.Base(file), func(t *testing.T) {
			is := is.New(t)
			text, err := os.ReadFile(file)
			is.NoErr(err)
			is.NoErr(mcptest.CheckDefinition(mcpproto.Version20260728, definition, text))
		})
	}
}

func TestEveryRevisionCompilesWhole(t *testing.T) {
	for _, revision := range mcptest.Revisions() {
		t.Run(revision.String(), func(t *testing.T) {
			is := is.New(t)
			is.NoErr(mcptest.CheckDefinition(revision, "JSONRPCMessage", []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)))
			is.NoErr(mcptest.CheckDefinition(revision, "Tool", []byte(`{"name":"t","inputSchema":{"type":"object"}}`)))
			err := mcptest.CheckDefinition(revision, "Tool", []byte(`{"name":"t"}`))
			is.True(err != nil) // a tool needs an inputSchema
			err = mcptest.CheckDefinition(revision, "NoSuchThing", []byte(`{}`))
			is.True(err != nil)
		})
	}
}

func TestURITemplates(t *testing.T) {
	for template, ok := range map[string]bool{
		"a://{x}": true, "file:///{+path}": true, "a:{x}/b{?q,r*}": true, "a://{x:3}": true, "a:%20{a.b}": true, "a:ü": true,
		"a:{": false, "a:}": false, "a:{}": false, "a:{x y}": false, "a: b": false, "a:%2": false, "a:{{x}}": false, "a:{x:0}": false, "a:\x01": false,
	} {
		t.Run(template, func(t *testing.T) {
			is := is.New(t)
			text, err := mcpproto.Marshal(mcpproto.ResourceTemplate{URITemplate: template, Name: "n"})
			is.NoErr(err)
			is.Equal(mcptest.CheckDefinition(mcpproto.LatestModern, "ResourceTemplate", text) == nil, ok)
		})
	}
}

const (
	call20260728 = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	done20260728 = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`
)

// row is one message and what Check should say of it.
type row struct {
	name     string
	revision mcpproto.Version
	dir      mcptest.Direction
	answers  string
	message  string
}

func TestCheckAcceptsWhatTheRevisionsAllow(t *testing.T) {
	for _, r := range []row{
		{"a modern call", mcpproto.Version20260728, mcptest.ToServer, "", call20260728},
		{"a modern result", mcpproto.Version20260728, mcptest.ToClient, "tools/call", done20260728},
		{"a request for input", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{}}}}}}}`},
		{"a state without requests", mcpproto.Version20260728, mcptest.ToClient, "prompts/get", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}}`},
		{"an error without id, modern", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`},
		{"an error without id, checked against the first revision that allows it", mcpproto.Version20241105, mcptest.ToClient, "", `{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}}`},
		{"a version error with its data", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":"x","error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}}`},
		{"a legacy error for a missing resource", mcpproto.Version20250618, mcptest.ToClient, "resources/read", `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"m"}}`},
		{"a batch where batches exist", mcpproto.Version20250326, mcptest.ToServer, "", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]`},
		{"an empty ping result", mcpproto.Version20241105, mcptest.ToClient, "ping", `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"a legacy server request", mcpproto.Version20251125, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":"r1","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`},
		{"the answer to it", mcpproto.Version20251125, mcptest.ToServer, "elicitation/create", `{"jsonrpc":"2.0","id":"r1","result":{"action":"decline"}}`},
		{"an acknowledgement", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":4}}}`},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			is.NoErr(mcptest.Check(r.revision, r.dir, r.answers, []byte(r.message)))
		})
	}
}

func TestCheckRefusesBrokenMessages(t *testing.T) {
	for _, r := range []row{
		{"not JSON", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":`},
		{"trailing bytes", mcpproto.Version20260728, mcptest.ToClient, "tools/call", done20260728 + `x`},
		{"a repeated name", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"id":1,"result":{"resultType":"complete","content":[]}}`},
		{"invalid UTF-8", mcpproto.Version20260728, mcptest.ToClient, "", "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"\xff\"}}"},
		{"a scalar", mcpproto.Version20260728, mcptest.ToClient, "", `7`},
		{"an unknown envelope member", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"Result":1,"result":{"resultType":"complete","content":[]}}`},
		{"result and error", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]},"error":{"code":-32603,"message":"m"}}`},
		{"a wrong jsonrpc", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"1.0","id":1,"result":{"resultType":"complete","content":[]}}`},
		{"a null id", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":null,"result":{"resultType":"complete","content":[]}}`},
		{"a null id in an error", mcpproto.Version20251125, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`},
		{"a fractional id", mcpproto.Version20260728, mcptest.ToServer, "", `{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`},
		{"a modern result without resultType", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`},
		{"an unknown resultType", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"done","content":[]}}`},
		{"a list without ttlMs", mcpproto.Version20260728, mcptest.ToClient, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","cacheScope":"public","tools":[]}}`},
		{"a list with a negative ttlMs", mcpproto.Version20260728, mcptest.ToClient, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":-1,"cacheScope":"public","tools":[]}}`},
		{"a null list", mcpproto.Version20260728, mcptest.ToClient, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":null}}`},
		{"a legacy result with resultType", mcpproto.Version20251125, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`},
		{"a legacy list with ttlMs", mcpproto.Version20250618, mcptest.ToClient, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"ttlMs":0,"tools":[]}}`},
		{"input asked by a list", mcpproto.Version20260728, mcptest.ToClient, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s"}}`},
		{"input asked with nothing", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required"}}`},
		{"input asked with an unknown kind", mcpproto.Version20260728, mcptest.ToClient, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"tools/call","params":{}}}}}`},
		{"input asked with a cache hint", mcpproto.Version20260728, mcptest.ToClient, "resources/read", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","ttlMs":0}}`},
		{"a modern call without _meta", mcpproto.Version20260728, mcptest.ToServer, "", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`},
		{"a result for a method the revision lacks", mcpproto.Version20251125, mcptest.ToClient, "server/discover", `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"a result that answers nothing", mcpproto.Version20251125, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"a code nobody defined", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"m"}}`},
		{"the legacy resource code in the modern era", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"m"}}`},
		{"a capability error with an array", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":["sampling"]}}}`},
		{"a version error without data", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m"}}`},
		{"a batch in a revision without them", mcpproto.Version20250618, mcptest.ToServer, "", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`},
		{"an empty batch", mcpproto.Version20250326, mcptest.ToServer, "", `[]`},
		{"a batch with a bad element", mcpproto.Version20250326, mcptest.ToServer, "", `[{"jsonrpc":"2.0","id":1,"method":"ping"},1]`},
		{"a resource whose uri is none", mcpproto.Version20260728, mcptest.ToClient, "resources/read", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"public","contents":[{"uri":"not a uri","text":"x"}]}}`},
		{"an invalid direction", mcpproto.Version20260728, 0, "tools/call", done20260728},
		{"a progress notification without token", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			err := mcptest.Check(r.revision, r.dir, r.answers, []byte(r.message))
			is.True(err != nil) // must be refused
		})
	}
}

func TestCheckNamesUnknownThings(t *testing.T) {
	for _, r := range []row{
		{"a server request in 2026-07-28", mcpproto.Version20260728, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}`},
		{"ping in 2026-07-28", mcpproto.Version20260728, mcptest.ToServer, "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
		{"elicitation before 2025-06-18", mcpproto.Version20250326, mcptest.ToClient, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}`},
		{"a notification of the other side", mcpproto.Version20251125, mcptest.ToClient, "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
		{"an extension's method", mcpproto.Version20251125, mcptest.ToServer, "", `{"jsonrpc":"2.0","id":1,"method":"acme/list"}`},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			err := mcptest.Check(r.revision, r.dir, r.answers, []byte(r.message))
			is.True(errors.Is(err, mcptest.ErrUnknownMethod))
		})
	}
	is := is.New(t)
	err := mcptest.Check(0, mcptest.ToServer, "", []byte(`{}`))
	is.True(errors.Is(err, mcptest.ErrUnknownRevision))
}

func TestCheckBatchFindsTheAnsweredMethods(t *testing.T) {
	is := is.New(t)
	answers := map[string]string{`1`: "ping", `"a"`: "tools/list"}
	good := `[{"jsonrpc":"2.0","id":"a","result":{"tools":[]}},{"jsonrpc":"2.0","id":1,"result":{}}]`
	is.NoErr(mcptest.CheckBatch(mcpproto.Version20250326, mcptest.ToClient, answers, []byte(good)))
	bad := `[{"jsonrpc":"2.0","id":"a","result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]`
	err := mcptest.CheckBatch(mcpproto.Version20250326, mcptest.ToClient, answers, []byte(bad))
	is.True(err != nil) // a list result without tools
}
