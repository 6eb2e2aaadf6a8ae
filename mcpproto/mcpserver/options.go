package mcpserver

import (
	"context"
	"log/slog"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// Options configure a [Server]. The zero value and nil are ready to use.
type Options struct {
	// Instructions tell the client's model how to use the server. Many clients cut them at 2 KB.
	Instructions string

	// Logger gets panics with their stacks, uncoded errors and results that break their schema. Nil: text lines on
	// standard error through a [DropWriter], so that a full pipe never blocks an answer.
	Logger *slog.Logger

	// Capabilities are declared in addition to what is registered: tools, resources and prompts are declared as soon
	// as one is added. Methods of what is not declared answer -32601: completion/complete needs Completions,
	// logging/setLevel needs Logging, subscriptions/listen and resources/subscribe need a ListChanged or Subscribe.
	Capabilities mcpproto.ServerCapabilities

	// Cache is sent with server/discover, the lists and resources/read. Nil: 5 minutes, public.
	Cache *mcpproto.Cache

	// PageSize is the most entries of one list answer; 0 means 1000.
	PageSize int

	// MaxCalls is the most tools/call in flight over all connections; 0 means 1024. Past it Overloaded answers.
	// Other methods never count.
	MaxCalls int

	// Overloaded answers a call past MaxCalls. Nil: a result marked as error that says so. It must be quick.
	Overloaded ToolHandler

	// Observe sees every tools/call exactly once, whatever became of it, before its answer leaves; it may replace
	// the answer. See [Outcome]. It runs on the call's goroutine, may be called concurrently, and should not block
	// for long. If it panics, the answer is -32603.
	Observe func(ctx context.Context, o *Outcome)

	// Schemas compiles the schemas that arguments and structured content are checked against; package schemacheck has
	// one. Nil: [Server.AddTool] refuses tools with a schema that should be checked. A schema that asks for nothing
	// but an object needs none.
	Schemas func(text []byte) (Schema, error)

	// Output says what happens to structured content that breaks the tool's output schema.
	Output OutputCheck

	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// OutputCheck is what to do about structured content that breaks its schema.
type OutputCheck uint8

// The checks.
const (
	OutputLogged  OutputCheck = iota // the result is sent, the breach is logged
	OutputFails                      // the call is answered with -32603; for tests
	OutputTrusted                    // not checked
)

const (
	defaultPageSize = 1000
	defaultMaxCalls = 1024
	defaultTTL      = 5 * time.Minute
)
