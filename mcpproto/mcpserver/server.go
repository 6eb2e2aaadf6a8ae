package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
)

// Server holds what is served. Use [New].
type Server struct {
	info  mcpproto.Implementation
	stamp jsontext.Value // encoded name and version for _meta
	opts  Options
	cache *mcpproto.Cache

	mu    sync.Mutex               // serialises registration
	reg   atomic.Pointer[registry] // what is registered now; never changed in place
	calls atomic.Int64             // tools/call in flight
	metas mcpproto.MetaCache
	ears  ears // who wants to hear of changes
}

// New returns a server that names itself info. opts may be nil; it is copied.
func New(info mcpproto.Implementation, opts *Options) *Server {
	s := &Server{info: info, stamp: mcpproto.ServerInfo(info)}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Logger == nil {
		s.opts.Logger = slog.New(slog.NewTextHandler(NewDropWriter(os.Stderr, 0), nil))
	}
	if s.opts.PageSize <= 0 {
		s.opts.PageSize = defaultPageSize
	}
	if s.opts.MaxCalls <= 0 {
		s.opts.MaxCalls = defaultMaxCalls
	}
	if s.opts.Now == nil {
		s.opts.Now = time.Now
	}
	s.cache = s.opts.Cache
	if s.cache == nil {
		s.cache = &mcpproto.Cache{TTL: defaultTTL, Scope: mcpproto.Public}
	}
	s.reg.Store(&registry{})
	return s
}

// Info returns what the server calls itself.
func (s *Server) Info() mcpproto.Implementation { return s.info }

// Logger returns the logger in use; never nil.
func (s *Server) Logger() *slog.Logger { return s.opts.Logger }

// InFlight returns how many tools/call are being served now.
func (s *Server) InFlight() int { return int(s.calls.Load()) }

// Tool declares a tool and how the server treats its calls.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage // JSON Schema 2020-12 with type "object"; nil means an object without rules
	OutputSchema json.RawMessage // of the structured content; nil if there is none
	Annotations  *mcpproto.ToolAnnotations
	Icons        []mcpproto.Icon
	Meta         json.RawMessage // an object, or nil

	// OwnArgumentCheck leaves the check of the arguments against InputSchema to the handler.
	OwnArgumentCheck bool

	// Requires are capabilities that a modern client must have declared; otherwise the call is -32021.
	Requires mcpproto.ClientCapabilities
}

// ToolHandler serves calls of one tool. call.Arguments has been checked against the input schema unless the tool opted
// out. A result goes to the model, IsError included; an error fails the request (see the package comment). A nil
// result without error is -32603. The context ends when the client cancels or the server shuts down; see
// [ErrShutdown].
type ToolHandler func(ctx context.Context, call *Call) (*mcpproto.ToolResult, error)

// AddTool adds a tool, or replaces the one of the same name. It fails if the name is empty or over 128 characters, a
// schema is not a JSON object, the input schema's type is not "object", or an x-mcp-header annotation breaks the
// rules of [mcpproto.ParamHeaders], or a schema should be checked and [Options.Schemas] is nil. Schemas are compiled at
// the first call; see [Server.CompileSchemas].
func (s *Server) AddTool(t Tool, h ToolHandler) error {
	nt, err := s.newTool(t, h)
	if err != nil {
		return fmt.Errorf("mcpserver: tool %q: %w", t.Name, err)
	}
	s.change(changeTools, func(r *registry) { r.tools = r.tools.with(t.Name, nt) })
	return nil
}

// RemoveTools removes tools; unknown names are ignored.
func (s *Server) RemoveTools(names ...string) {
	s.change(changeTools, func(r *registry) { r.tools = r.tools.without(names) })
}

// Tools returns the declarations of all tools, sorted by name.
func (s *Server) Tools() []mcpproto.Tool {
	var list []mcpproto.Tool
	for _, t := range s.reg.Load().tools.sorted {
		list = append(list, t.decl)
	}
	return list
}

// ResourceHandler reads one resource. Return [mcpproto.ResourceNotFound] for a URI that names nothing.
type ResourceHandler func(ctx context.Context, read *ReadCall) (*mcpproto.ReadResult, error)

// declarable reports what keeps a declaration from being listed. Of all that declarations hold only these two can be what JSON
// cannot say; encoding the whole would cost every start more than the rest of it.
func declarable(meta jsontext.Value, a *mcpproto.Annotations) error {
	if meta != nil {
		if meta.Kind() != '{' {
			return errors.New("_meta is not an object")
		}
		if _, err := mcpproto.Marshal(meta); err != nil {
			return err
		}
	}
	if a != nil {
		_, err := mcpproto.Marshal(a)
		return err
	}
	return nil
}

// AddResource adds a resource, or replaces the one of the same URI. It fails if Name is empty, URI is not a URI with
// a scheme, or Meta is not an object.
func (s *Server) AddResource(r mcpproto.Resource, h ResourceHandler) error {
	if !mcpproto.IsURI(r.URI) || r.Name == "" || h == nil {
		return fmt.Errorf("mcpserver: resource %q needs a URI, a name and a handler", r.URI)
	}
	if err := declarable(r.Meta, r.Annotations); err != nil {
		return fmt.Errorf("mcpserver: resource %q: %w", r.URI, err)
	}
	n := &resource{decl: r, handler: h}
	s.change(changeResources, func(g *registry) { g.resources = g.resources.with(r.URI, n) })
	return nil
}

// RemoveResources removes resources by URI; unknown ones are ignored.
func (s *Server) RemoveResources(uris ...string) {
	s.change(changeResources, func(g *registry) { g.resources = g.resources.without(uris) })
}

// AddResourceTemplate adds a family of resources, or replaces the one of the same template. Supported expressions are
// {name} (no slash in the value) and {+name} (any characters). A URI that is a resource of its own never reaches the
// template; of several matching templates the first in sorted order is used.
func (s *Server) AddResourceTemplate(t mcpproto.ResourceTemplate, h ResourceHandler) error {
	m, err := parseTemplate(t.URITemplate)
	if err != nil || t.Name == "" || h == nil {
		return fmt.Errorf("mcpserver: resource template %q needs a name, a handler and plain expressions: %w",
			t.URITemplate, errors.Join(err))
	}
	if err := declarable(t.Meta, t.Annotations); err != nil {
		return fmt.Errorf("mcpserver: resource template %q: %w", t.URITemplate, err)
	}
	n := &template{decl: t, match: m, handler: h}
	s.change(changeResources, func(g *registry) { g.templates = g.templates.with(t.URITemplate, n) })
	return nil
}

// PromptHandler renders one prompt. Required arguments are present.
type PromptHandler func(ctx context.Context, get *PromptCall) (*mcpproto.PromptResult, error)

// AddPrompt adds a prompt, or replaces the one of the same name. It fails if the name is empty or Meta is
// not an object.
func (s *Server) AddPrompt(p mcpproto.Prompt, h PromptHandler) error {
	if p.Name == "" || h == nil {
		return errors.New("mcpserver: a prompt needs a name and a handler")
	}
	if err := declarable(p.Meta, nil); err != nil {
		return fmt.Errorf("mcpserver: prompt %q: %w", p.Name, err)
	}
	n := &prompt{decl: p, handler: h}
	s.change(changePrompts, func(g *registry) { g.prompts = g.prompts.with(p.Name, n) })
	return nil
}

// RemovePrompts removes prompts; unknown names are ignored.
func (s *Server) RemovePrompts(names ...string) {
	s.change(changePrompts, func(g *registry) { g.prompts = g.prompts.without(names) })
}

// CompletionHandler proposes values for an argument that is being typed.
type CompletionHandler func(ctx context.Context, c *CompletionCall) (*mcpproto.Completion, error)

// SetCompletion serves completion/complete and declares the completions capability.
func (s *Server) SetCompletion(h CompletionHandler) {
	s.change(0, func(g *registry) { g.complete = h })
}

// MethodHandler serves a method of its own. The result is encoded as JSON and must be an object; nil gives {}. It is
// stamped like every other result.
type MethodHandler func(ctx context.Context, r *Request) (result any, err error)

// Handle serves an extra method in the given eras (both if none is named). It cannot replace a method of the
// protocol.
func (s *Server) Handle(method string, h MethodHandler, eras ...mcpproto.Era) error {
	if method == "" || h == nil || isProtocolMethod(method) {
		return fmt.Errorf("mcpserver: method %q cannot be served by Handle", method)
	}
	n := &extra{handler: h, eras: slices.Clone(eras)}
	s.change(0, func(g *registry) {
		g.extras = maps.Clone(g.extras)
		if g.extras == nil {
			g.extras = map[string]*extra{}
		}
		g.extras[method] = n
	})
	return nil
}

// ToolsChanged tells subscribers that the list of tools changed. Adding and removing do it by themselves.
func (s *Server) ToolsChanged() { s.tell(changeTools, "") }

// PromptsChanged tells subscribers that the list of prompts changed. Adding and removing do it by themselves.
func (s *Server) PromptsChanged() { s.tell(changePrompts, "") }

// ResourcesChanged tells subscribers that the list of resources changed. Adding and removing do it by themselves.
func (s *Server) ResourcesChanged() { s.tell(changeResources, "") }

// ResourceUpdated tells subscribers of uri that its contents changed. Nobody can subscribe to what is not a URI.
func (s *Server) ResourceUpdated(uri string) { s.tell(0, uri) }

// change makes a new registry from a copy of the present one and tells subscribers.
func (s *Server) change(what change, edit func(*registry)) {
	s.mu.Lock()
	old := s.reg.Load()
	n := &registry{
		tools: old.tools, resources: old.resources, templates: old.templates, prompts: old.prompts,
		extras: old.extras, complete: old.complete,
	}
	edit(n)
	s.reg.Store(n)
	s.mu.Unlock()
	if what != 0 {
		s.tell(what, "")
	}
}

// registry is one state of what is registered, with the answers that follow from it.
type registry struct {
	tools     table[*tool]
	resources table[*resource]
	templates table[*template]
	prompts   table[*prompt]
	extras    map[string]*extra
	complete  CompletionHandler

	prebuilt [numLists][mcpproto.NumVersions + 1]atomic.Pointer[pages]
}

// table is an immutable map with its values sorted by key.
type table[T any] struct {
	byKey  map[string]T
	keys   []string
	sorted []T
}

func (t table[T]) with(key string, v T) table[T] {
	m := maps.Clone(t.byKey)
	if m == nil {
		m = map[string]T{}
	}
	m[key] = v
	return newTable(m)
}

func (t table[T]) without(keys []string) table[T] {
	m := maps.Clone(t.byKey)
	for _, k := range keys {
		delete(m, k)
	}
	return newTable(m)
}

func newTable[T any](m map[string]T) table[T] {
	t := table[T]{byKey: m, keys: slices.Sorted(maps.Keys(m))}
	for _, k := range t.keys {
		t.sorted = append(t.sorted, m[k])
	}
	return t
}

type resource struct {
	decl    mcpproto.Resource
	handler ResourceHandler
}

type template struct {
	decl    mcpproto.ResourceTemplate
	match   *matcher
	handler ResourceHandler
}

type prompt struct {
	decl    mcpproto.Prompt
	handler PromptHandler
}

type extra struct {
	handler MethodHandler
	eras    []mcpproto.Era
}

func (e *extra) serves(era mcpproto.Era) bool {
	return len(e.eras) == 0 || slices.Contains(e.eras, era)
}

// capabilities returns what is declared: the options and what is registered.
func (s *Server) capabilities(r *registry) mcpproto.ServerCapabilities {
	c := s.opts.Capabilities
	if c.Tools == nil && len(r.tools.keys) > 0 {
		c.Tools = &mcpproto.ListCapability{}
	}
	if c.Resources == nil && len(r.resources.keys)+len(r.templates.keys) > 0 {
		c.Resources = &mcpproto.ResourcesCapability{}
	}
	if c.Prompts == nil && len(r.prompts.keys) > 0 {
		c.Prompts = &mcpproto.ListCapability{}
	}
	if c.Completions == nil && r.complete != nil {
		c.Completions = &struct{}{}
	}
	return c
}

func isProtocolMethod(m string) bool {
	switch m {
	case mcpproto.MethodDiscover, mcpproto.MethodInitialize, mcpproto.MethodPing, mcpproto.MethodToolsList,
		mcpproto.MethodToolsCall, mcpproto.MethodResourcesList, mcpproto.MethodResourceTemplatesList,
		mcpproto.MethodResourcesRead, mcpproto.MethodResourcesSubscribe, mcpproto.MethodResourcesUnsubscribe,
		mcpproto.MethodPromptsList, mcpproto.MethodPromptsGet, mcpproto.MethodComplete, mcpproto.MethodSetLevel,
		mcpproto.MethodListen:
		return true
	}
	return strings.HasPrefix(m, "notifications/")
}
