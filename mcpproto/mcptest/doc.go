// Package mcptest helps to test MCP servers: a client in the same process, for every revision and
// both transports, and a check of any message against the published schema of its revision.
//
//	func TestGreet(t *testing.T) {
//		c := mcptest.Connect(t, newServer(), nil)
//		r, err := c.Call(t.Context(), "greet", map[string]string{"name": "Ada"})
//		...
//	}
//
// [Connect] speaks over an in-memory stdio transport, [ConnectHTTP] to an http.Handler. Either way
// what travels are the bytes a real client would see, and each message of the server passes a
// [Checker]: one that breaks the schema fails the test even if the test does not look at it. A test
// that reads the wire itself has a Checker of its own follow the connection; [Check] looks at one
// message alone.
//
// # Questions of the server
//
// [Options].Answer plays the user or the model, in input rounds of 2026-07-28 as well as for the
// requests of a legacy server. Without it every question is refused.
//
// # Concurrency
//
// A [Client] is safe for concurrent use. It ends with its test and leaves no goroutine behind, unless
// a handler ignores its context.
//
// The schemas under spec are the Model Context Protocol's own; spec/LICENSE is their licence.
package mcptest
