package mcpserver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
)

// Request is one request as a handler sees it. Its exported members must not be changed. The raw members are good as
// long as the handler likes.
type Request struct {
	Method        string
	ID            mcpproto.ID
	Params        *mcpproto.Params
	Era           mcpproto.Era
	Version       mcpproto.Version
	Transport     mcpproto.Transport
	Client        mcpproto.Implementation      // as declared, unverified; zero if unknown
	Capabilities  *mcpproto.ClientCapabilities // never nil inside a handler
	Principal     string                       // "" if the transport authenticated nobody
	Trace         mcpproto.Trace
	LogLevel      mcpproto.LogLevel // "" if the client wants no log messages
	ProgressToken mcpproto.ID       // zero if the client wants no progress
	Start         time.Time

	conn   *Conn
	out    Sink
	call   *Call // the call this is part of, for tools/call
	typed  any   // the *ReadCall, *PromptCall or *CompletionCall this is part of
	cancel context.CancelCauseFunc
	key    string      // in the table of requests in flight; "" if not there
	listen bool        // subscriptions/listen
	ready  atomic.Bool // everything above and in the typed call is set: a handler may be running
	ended  atomic.Bool // somebody took on the answer

	mu       sync.Mutex // one message at a time, and none after the answer
	finished bool
	progress float64
	reported bool
}

// Call is one tools/call.
type Call struct {
	Request
	Name           string
	Arguments      jsontext.Value          // an object; {} if absent or null
	InputResponses mcpproto.InputResponses // nil if the call carries none
	RequestState   string                  // "" if the call carries none

	// Note is the handler's to fill; [Options.Observe] finds it there. Where the fate is Abandoned the handler still
	// runs, so that Note must not be read.
	Note any
}

// ReadCall is one resources/read.
type ReadCall struct {
	Request
	URI            string
	Vars           map[string]string // values of the template's expressions; nil for a plain resource
	InputResponses mcpproto.InputResponses
	RequestState   string
}

// PromptCall is one prompts/get.
type PromptCall struct {
	Request
	Name           string
	Arguments      map[string]string
	InputResponses mcpproto.InputResponses
	RequestState   string
}

// CompletionCall is one completion/complete.
type CompletionCall struct {
	Request
	Ref      mcpproto.CompletionRef
	Argument mcpproto.CompletionArgument
	Context  map[string]string // arguments already chosen; may be nil
}

// Fate says what became of a tools/call. Zero is invalid.
type Fate uint8

// The fates.
const (
	Served          Fate = iota + 1 // the handler gave a result, IsError included
	Failed                          // the handler gave an error or an unusable result
	BadArguments                    // refused by the input schema
	UnknownTool                     // no such tool
	BadParams                       // params are malformed
	BadMeta                         // _meta is missing, malformed, or names another revision
	BadHeader                       // an HTTP header is missing or differs from the body
	BadMessage                      // not decodable, or its id is in flight
	Unidentified                    // sent without an id: not executed, nothing is answered
	LacksCapability                 // the client did not declare what the tool requires
	Overloaded                      // over Options.MaxCalls
	Panicked                        // the handler panicked
	Cancelled                       // cancelled by the client: nothing is answered
	Abandoned                       // the handler did not return in time at shutdown
)

var fateNames = [...]string{
	"", "served", "failed", "bad_arguments", "unknown_tool", "bad_params", "bad_meta", "bad_header", "bad_message",
	"unidentified", "lacks_capability", "overloaded", "panicked", "cancelled", "abandoned",
}

// String returns a stable name such as "unknown_tool".
func (f Fate) String() string {
	if int(f) < len(fateNames) {
		return fateNames[f]
	}
	return ""
}

// Executed reports whether the handler was run.
func (f Fate) Executed() bool {
	switch f {
	case Served, Failed, Panicked, Cancelled, Abandoned:
		return true
	}
	return false
}

// Outcome is one tools/call at the moment before its answer leaves. Exactly one of Result and Err is set. An observer
// may put another Result or Err (setting the other to nil) in place, which is then sent; it must not change what the
// pointers point to. Nothing is sent where Fate is Cancelled or Unidentified.
type Outcome struct {
	Fate     Fate
	Call     *Call // never nil; what could not be read is zero
	Result   *mcpproto.ToolResult
	Err      *mcpproto.Error
	Cause    error // more than the client learns; may be nil
	Duration time.Duration
}

// CanElicit reports whether [Request.Elicit] can work: a legacy client of 2025-06-18 or later that declared form
// elicitation, finished its handshake, and is not behind a stateless endpoint. Modern clients are asked with
// [mcpproto.NeedInput] instead.
func (r *Request) CanElicit() bool {
	if r.Era != mcpproto.Legacy || !r.Version.HasStructured() || !r.canAsk() || r.Capabilities == nil {
		return false
	}
	if r.Version == mcpproto.Version20250618 {
		return r.Capabilities.Elicitation != nil
	}
	return r.Capabilities.Form()
}

// Elicit asks a legacy client's user while the request is in flight, and waits until the answer, the end of ctx, or
// the end of the request. When ctx ends first, the client is told that the question is void. It puts forms only: mode
// "url" is for clients that are asked in rounds. Errors: [ErrNotDeclared], [ErrNoStream], [ErrFinished], context
// errors, [mcpproto.ErrBadResponse], or a [*ClientError].
func (r *Request) Elicit(ctx context.Context, p mcpproto.ElicitParams) (*mcpproto.ElicitResult, error) {
	if !r.CanElicit() || p.Mode == "url" {
		return nil, ErrNotDeclared
	}
	raw, err := r.ask(ctx, mcpproto.MethodElicit, p.For(r.Version))
	if err != nil {
		return nil, err
	}
	return mcpproto.ParseElicitResult(raw)
}

// Sample asks a legacy client's model while the request is in flight; p is fitted to the client's revision. Errors are
// as for [Request.Elicit]; [ErrNotDeclared] also where p uses tools and the client declared no sampling.tools.
func (r *Request) Sample(ctx context.Context, p mcpproto.SampleParams) (*mcpproto.SampleResult, error) {
	if r.Era != mcpproto.Legacy || !r.canAsk() || r.Capabilities == nil || r.Capabilities.Sampling == nil {
		return nil, ErrNotDeclared
	}
	if p.UsesTools() && (!r.Version.HasIcons() || !r.Capabilities.SamplesTools()) {
		return nil, ErrNotDeclared
	}
	raw, err := r.ask(ctx, mcpproto.MethodSample, p.For(r.Version))
	if err != nil {
		return nil, err
	}
	return mcpproto.ParseSampleResult(raw)
}

// Roots asks a legacy client for its roots while the request is in flight. Errors are as for [Request.Elicit].
func (r *Request) Roots(ctx context.Context) (*mcpproto.RootsResult, error) {
	if r.Era != mcpproto.Legacy || !r.canAsk() || r.Capabilities == nil || r.Capabilities.Roots == nil {
		return nil, ErrNotDeclared
	}
	raw, err := r.ask(ctx, mcpproto.MethodRoots, nil)
	if err != nil {
		return nil, err
	}
	return mcpproto.ParseRootsResult(raw)
}

// BadArguments returns what a tool that checks its own arguments answers when they are bad: a result marked as error
// for clients from 2025-11-25 on, a -32602 error for earlier ones. text should list all problems at once.
func (c *Call) BadArguments(text string) (*mcpproto.ToolResult, error) {
	if c.Version.ArgumentErrorsAreResults() {
		return mcpproto.ErrorResult(text), nil
	}
	return nil, mcpproto.InvalidParams("%s", text)
}
