package mcptest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

const (
	clientMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	modernList = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + clientMeta + `}}`
	listen     = `{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{},` + clientMeta + `}}`
	plainList  = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	plainCall  = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}`
	modernTold = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[]}}`
	plainTold  = `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
	titled     = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","uri":"a:b","name":"n"}]}}` // from 2025-06-18 on
)

func greeting(version string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
}

func greeted(version string) string {
	return `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + version + `","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`
}

// TestCheckerFollowsAConnection plays short conversations: lines of the client start with ">", lines of the server
// that are fine with "<", and a last line of the server that is not with "!".
func TestCheckerFollowsAConnection(t *testing.T) {
	const shutdown = `{"jsonrpc":"2.0","id":1,"method":"shutdown"}`
	progressed := strings.Replace(plainCall, `"name":"t"`, `"name":"t","_meta":{"progressToken":"\u0070"}`, 1)
	news := `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}}`
	for _, tt := range []struct {
		claim string
		lines []string
	}{
		{"each answer belongs to its request's era", []string{">" + modernList, "<" + modernTold, ">" + plainList, "<" + plainTold}},
		{"a legacy answer is none to a modern request", []string{">" + modernList, "!" + plainTold}},
		{"a modern answer is none to a legacy request", []string{">" + plainList, "!" + modernTold}},
		{"without initialize a legacy client is of 2024-11-05", []string{">" + plainCall, "!" + titled}},
		{"initialize says which revision follows", []string{">" + greeting("2025-06-18"), ">" + plainCall, "<" + greeted("2025-06-18"), "<" + titled}},
		{"and not what came before it", []string{">" + plainCall, ">" + greeting("2025-06-18"), "<" + greeted("2025-06-18"), "!" + titled}},
		{"a second initialize says it again", []string{
			">" + greeting("2025-06-18"), "<" + greeted("2025-06-18"), ">" + greeting("2024-11-05"), ">" + plainCall, "<" + greeted("2024-11-05"), "!" + titled,
		}},
		{"a refused one changes nothing", []string{
			">" + greeting("2025-06-18"), "<" + greeted("2025-06-18"), ">" + greeting("2024-11-05"), `<{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"m"}}`, ">" + plainCall, "<" + titled,
		}},
		{"initialize agrees on a legacy revision", []string{">" + greeting("2025-06-18"), "!" + greeted("2026-07-28")}},
		{"which exists", []string{">" + greeting("2025-06-18"), "!" + greeted("2025-06-19")}},
		{"resources before initialize are modern", []string{
			`>{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, `!{"jsonrpc":"2.0","id":1,"result":{"resources":[]}}`,
		}},
		{"what was not asked is not answered", []string{"!" + plainTold}},
		{"nor with another spelling of the id", []string{">" + plainList, "!" + strings.Replace(plainTold, `"id":1`, `"id":1.0`, 1)}},
		{"nor twice", []string{">" + plainList, "<" + plainTold, "!" + plainTold}},
		{"an id sent twice may be refused once", []string{
			">" + plainCall, ">" + plainList, `<{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"in flight"}}`, `<{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`,
		}},
		{"an error without id suits the revisions that have it", []string{`<{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`}},
		{"an error with a null id suits none", []string{`!{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`}},
		{"a request that cannot be read is refused under its id", []string{
			`>{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":1,"a":2}}`, `<{"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"m"}}`,
		}},
		{"and never answered", []string{`>{"jsonrpc":"1.0","id":5,"method":"ping"}`, `!{"jsonrpc":"2.0","id":5,"result":{}}`}},
		{"a code of one revision is none for it", []string{
			`>{"jsonrpc":"1.0","id":5,"method":"ping"}`, `!{"jsonrpc":"2.0","id":5,"error":{"code":-32002,"message":"m"}}`,
		}},
		{"a method outside the specification has a result", []string{">" + shutdown, `<{"jsonrpc":"2.0","id":1,"result":{"done":true}}`}},
		{"that is an object", []string{">" + shutdown, `!{"jsonrpc":"2.0","id":1,"result":[]}`}},
		{"batches came with 2025-03-26", []string{
			">" + greeting("2025-03-26"), "<" + greeted("2025-03-26"), ">[" + plainList + "]", "<[" + plainTold + "]",
		}},
		{"a batch may be answered after the next agreement", []string{
			">" + greeting("2025-03-26"), ">[" + plainList + "]", ">" + greeting("2025-06-18"), "<" + greeted("2025-03-26"), "<" + greeted("2025-06-18"), "<[" + plainTold + "]",
		}},
		{"their elements are checked", []string{
			">" + greeting("2025-03-26"), "<" + greeted("2025-03-26"), ">[" + plainList + "]", `![{"jsonrpc":"2.0","id":1,"result":{}}]`,
		}},
		{"elsewhere there are none", []string{">" + greeting("2025-06-18"), "<" + greeted("2025-06-18"), ">" + plainList, "![" + plainTold + "]"}},
		{"progress belongs to the request with its token", []string{
			">" + progressed, `<{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}`,
		}},
		{"progress has no message before 2025-03-26, which forbids none", []string{
			">" + progressed, `<{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"message":"m"}}`,
		}},
		{"progress under another token belongs to nothing", []string{
			">" + progressed, `!{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"q","progress":1}}`,
		}},
		{"news belong to a subscription", []string{">" + listen, "<" + news}},
		{"that somebody opened", []string{">" + modernList, "!" + news}},
		{"or to a legacy client", []string{
			">" + greeting("2025-06-18"), "<" + greeted("2025-06-18"), `<{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		}},
		{"that shook hands", []string{">" + plainList, `!{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`}},
		{"log messages may be of either era", []string{
			">" + modernList, ">" + plainList, `<{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`,
		}},
		{"and are valid", []string{">" + modernList, `!{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":1}}`}},
		{"a modern client is asked nothing", []string{
			">" + modernList, `!{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`,
		}},
		{"a legacy client is asked what its revision has", []string{
			">" + greeting("2025-06-18"), "<" + greeted("2025-06-18"), `<{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`,
		}},
		{"a message is JSON", []string{"!hello"}},
		{"that our own clients could read", []string{">" + shutdown, `!{"jsonrpc":"2.0","id":1,"result":{"a":"\ud800"}}`}},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			var c mcptest.Checker
			for _, l := range tt.lines {
				if l[0] == '>' {
					c.Sent([]byte(l[1:]))
					continue
				}
				if err := c.Received([]byte(l[1:])); (err != nil) != (l[0] == '!') {
					t.Errorf("%s: %v", l, err)
				}
			}
		})
	}
}

func TestCheckerReadsVersionHeaders(t *testing.T) {
	version := func(v ...string) http.Header { return http.Header{"Mcp-Protocol-Version": v} }
	mismatch := `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"m"}}`
	for _, tt := range []struct {
		claim    string
		header   http.Header
		sent     string
		received string
		ok       bool
	}{
		{"the header names the revision", version("2025-06-18"), plainCall, titled, true},
		{"an older one too", version("2025-03-26"), plainCall, titled, false},
		{"the modern one too", version("2026-07-28"), plainList, plainTold, false},
		{"without header the era is open: an error suits every revision", version(), plainList, mismatch, true},
		{"and no result does", version(), plainList, plainTold, false},
		{"nor an error of one revision", version(), plainList, `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"m"}}`, false},
		{"a batch is of the revision in the header", version("2025-03-26"), "[" + plainList + "]", "[" + plainTold + "]", true},
		{"which must have batches", version("2025-06-18"), "[" + plainList + "]", "[" + plainTold + "]", false},
		{"initialize needs no header", version(), greeting("2025-06-18"), greeted("2025-06-18"), true},
		{"questions are of the revision in the header", version("2025-06-18"), plainCall, `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`, true},
		{"before that revision there were none", version("2025-03-26"), plainCall, `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}`, false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			var c mcptest.Checker
			c.SentHTTP(tt.header, []byte(tt.sent))
			is.Equal(c.Received([]byte(tt.received)) == nil, tt.ok)
		})
	}
}

// A test that reads the wire itself tells a Checker what it sends and hands it what comes back.
func ExampleChecker() {
	var c mcptest.Checker
	c.Sent([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`))
	c.Sent([]byte(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`))
	fmt.Println(c.Received([]byte(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`)))
	fmt.Println(c.Received([]byte(`{"jsonrpc":"2.0","id":2,"result":{"tools":[],"ttlMs":0}}`)))
	// Output:
	// <nil>
	// mcptest: a result of 2025-06-18 carries ttlMs, which only 2026-07-28 has
}
