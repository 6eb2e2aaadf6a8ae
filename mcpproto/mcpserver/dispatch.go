package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
)

// dispatch serves an identified request.
func (c *Conn) dispatch(ctx context.Context, r *Request) {
	if r.Era == mcpproto.Modern {
		c.dispatchModern(ctx, r)
		return
	}
	switch r.Method {
	case mcpproto.MethodInitialize:
		c.initialize(r)
	case mcpproto.MethodPing:
		c.replyRaw(r, emptyObject)
	case mcpproto.MethodSetLevel:
		c.setLevel(r)
	case mcpproto.MethodResourcesSubscribe, mcpproto.MethodResourcesUnsubscribe:
		c.subscribe(r)
	default:
		c.dispatchCommon(ctx, r)
	}
}

func (c *Conn) dispatchModern(ctx context.Context, r *Request) {
	switch r.Method {
	case mcpproto.MethodInitialize:
		c.fail(r, mcpproto.Errorf(mcpproto.CodeMethodNotFound,
			"initialize is not a method of %s; without _meta it negotiates one of %v",
			mcpproto.LatestModern, mcpproto.LegacyVersions()), BadMessage)
	case mcpproto.MethodPing, mcpproto.MethodSetLevel, mcpproto.MethodResourcesSubscribe,
		mcpproto.MethodResourcesUnsubscribe:
		c.unknown(r)
	case mcpproto.MethodDiscover:
		c.discover(r)
	case mcpproto.MethodListen:
		if !canListen(c.server.capabilities(c.server.reg.Load())) {
			c.unknown(r)
			return
		}
		c.serveListen(ctx, r)
	default:
		c.dispatchCommon(ctx, r)
	}
}

// dispatchCommon serves what both eras have.
func (c *Conn) dispatchCommon(ctx context.Context, r *Request) {
	s := c.server
	reg := s.reg.Load()
	caps := s.capabilities(reg)
	switch r.Method {
	case mcpproto.MethodToolsCall:
		if caps.Tools == nil {
			c.unknown(r)
			return
		}
		c.callTool(ctx, r.call)
	case mcpproto.MethodToolsList:
		c.list(r, reg, listTools, caps.Tools != nil)
	case mcpproto.MethodResourcesList:
		c.list(r, reg, listResources, caps.Resources != nil)
	case mcpproto.MethodResourceTemplatesList:
		c.list(r, reg, listTemplates, caps.Resources != nil)
	case mcpproto.MethodPromptsList:
		c.list(r, reg, listPrompts, caps.Prompts != nil)
	case mcpproto.MethodResourcesRead:
		if caps.Resources == nil {
			c.unknown(r)
			return
		}
		c.read(ctx, r, reg)
	case mcpproto.MethodPromptsGet:
		if caps.Prompts == nil {
			c.unknown(r)
			return
		}
		c.getPrompt(ctx, r, reg)
	case mcpproto.MethodComplete:
		if reg.complete == nil || caps.Completions == nil {
			c.unknown(r)
			return
		}
		c.completeArgument(ctx, r, reg)
	default:
		x := reg.extras[r.Method]
		if x == nil || !x.serves(r.Era) {
			c.unknown(r)
			return
		}
		c.runHandler(ctx, r, nil, func() (answer, error) { return runExtra(ctx, x, r) })
	}
}

func (c *Conn) unknown(r *Request) { c.fail(r, mcpproto.MethodNotFound(r.Method), BadMessage) }

// replyRaw answers with a stamped copy of body.
func (c *Conn) replyRaw(r *Request, body jsontext.Value) {
	if !r.ended.CompareAndSwap(false, true) {
		return
	}
	c.reply(r, func(dst []byte, st *mcpproto.Stamp) ([]byte, error) { return st.AppendObject(dst, body) }, nil)
}

// initialize negotiates. It always succeeds, unless params are unreadable.
// MCP 2025-11-25, basic/lifecycle.
func (c *Conn) initialize(r *Request) {
	if r.Params.Malformed() {
		c.fail(r, mcpproto.InvalidParams("params is not an object"), BadParams)
		return
	}
	text, _, _ := r.Params.Text("protocolVersion")
	h := &handshake{version: mcpproto.Negotiate(text), caps: new(mcpproto.ClientCapabilities)}
	if raw := r.Params.Get("capabilities"); raw != nil && raw.Kind() != 'n' {
		caps, e := mcpproto.ParseCapabilities(raw)
		if e != nil {
			c.fail(r, e, BadParams)
			return
		}
		h.caps = caps
	}
	h.client, _ = mcpproto.ParseImplementation(r.Params.Get("clientInfo")) // only for display
	s := c.server
	caps := c.legacyCapabilities(s.capabilities(s.reg.Load()), h.version)
	all := filter{Tools: true, Prompts: true, Resources: true}
	h.wants = all.grant(caps)
	if !c.opts.Stateless {
		c.legacy.Store(h)
		c.initialized.Store(false)
		c.initSeen.Store(true)
	}
	r.Version = h.version
	body, err := s.appendHandshake(nil, h.version, &caps)
	if err != nil {
		c.fail(r, mcpproto.WireError(err, r.Era), Failed)
		return
	}
	c.replyRaw(r, body)
}

// appendHandshake appends the body of the answer to initialize.
func (s *Server) appendHandshake(dst []byte, v mcpproto.Version, caps *mcpproto.ServerCapabilities) ([]byte, error) {
	dst = mcpproto.AppendString(append(dst, `{"protocolVersion":`...), v.String())
	dst, err := mcpproto.AppendCapabilities(append(dst, `,"capabilities":`...), caps)
	if err != nil {
		return nil, err
	}
	info := s.info.For(v)
	if dst, err = mcpproto.AppendImplementation(append(dst, `,"serverInfo":`...), &info); err != nil {
		return nil, err
	}
	if s.opts.Instructions != "" {
		dst = mcpproto.AppendString(append(dst, `,"instructions":`...), s.opts.Instructions)
	}
	return append(dst, '}'), nil
}

// legacyCapabilities leaves out what this connection cannot do.
func (c *Conn) legacyCapabilities(caps mcpproto.ServerCapabilities, v mcpproto.Version) mcpproto.ServerCapabilities {
	caps = caps.For(v)
	if !c.opts.Stateless {
		return caps
	}
	caps.Logging = nil
	if caps.Tools != nil {
		caps.Tools = &mcpproto.ListCapability{}
	}
	if caps.Prompts != nil {
		caps.Prompts = &mcpproto.ListCapability{}
	}
	if caps.Resources != nil {
		caps.Resources = &mcpproto.ResourcesCapability{}
	}
	return caps
}

func (c *Conn) setLevel(r *Request) {
	s := c.server
	if c.legacyCapabilities(s.capabilities(s.reg.Load()), r.Version).Logging == nil {
		c.unknown(r)
		return
	}
	text, _, _ := r.Params.Text("level")
	level := mcpproto.LogLevel(text)
	if level.Rank() == 0 {
		c.fail(r, mcpproto.InvalidParams("params.level is not a log level"), BadParams)
		return
	}
	c.logLevel.Store(&level)
	c.replyRaw(r, emptyObject)
}

func (c *Conn) subscribe(r *Request) {
	s := c.server
	caps := c.legacyCapabilities(s.capabilities(s.reg.Load()), r.Version)
	if caps.Resources == nil || !caps.Resources.Subscribe {
		c.unknown(r)
		return
	}
	uri, present, ok := r.Params.Text("uri")
	if !present || !ok || !mcpproto.IsURI(uri) {
		c.fail(r, mcpproto.InvalidParams("params.uri is missing or not a URI"), BadParams)
		return
	}
	if c.box != nil {
		if r.Method == mcpproto.MethodResourcesSubscribe {
			if !c.box.subscribe(uri) {
				c.fail(r, mcpproto.InvalidParams("at most %d resource subscriptions fit", maxSubscribedURIs), BadParams)
				return
			}
		} else {
			c.box.unsubscribe(uri)
		}
	}
	c.replyRaw(r, emptyObject)
}

// answer is what a handler other than a tool's came to.
type answer struct {
	body  jsontext.Value // a result object
	cache *mcpproto.Cache
	need  *mcpproto.InputRequired
}

// runHandler runs f and answers, whatever f does. cache is the default for a complete answer.
func (c *Conn) runHandler(ctx context.Context, r *Request, cache *mcpproto.Cache, f func() (answer, error)) {
	var a answer
	err := errNoResult
	r.ready.Store(true)
	defer func() { c.conclude(ctx, r, a, err, cache) }() // also when f ends the goroutine
	err, _ = c.server.run(r.Method, "", func() (e error) { a, e = f(); return e })
}

func (c *Conn) conclude(ctx context.Context, r *Request, a answer, err error, cache *mcpproto.Cache) {
	if !r.ended.CompareAndSwap(false, true) {
		return
	}
	if clientGone(ctx) {
		c.drop(r)
		return
	}
	if err == nil && a.need != nil {
		err = c.checkNeed(r, a.need)
	}
	if err != nil {
		var coded *mcpproto.Error
		if !errors.As(err, &coded) && ctx.Err() == nil {
			c.server.opts.Logger.Error("handler failed", "method", r.Method, "error", err)
		}
		c.answerError(r, mcpproto.WireError(err, r.Era))
		return
	}
	if a.need != nil {
		c.reply(r, func(dst []byte, st *mcpproto.Stamp) ([]byte, error) { return st.AppendNeed(dst, a.need) }, nil)
		return
	}
	if a.cache != nil {
		cache = a.cache
	}
	c.reply(r, func(dst []byte, st *mcpproto.Stamp) ([]byte, error) { return st.AppendObject(dst, a.body) }, cache)
}

func runExtra(ctx context.Context, x *extra, r *Request) (answer, error) {
	if r.Params.Malformed() {
		return answer{}, mcpproto.InvalidParams("params is not an object")
	}
	res, err := x.handler(ctx, r)
	if err != nil {
		return answer{}, err
	}
	if res == nil {
		return answer{body: emptyObject}, nil
	}
	body, err := mcpproto.Marshal(res)
	return answer{body: body}, err
}

// read serves resources/read.
func (c *Conn) read(ctx context.Context, r *Request, reg *registry) {
	uri, present, ok := r.Params.Text("uri")
	if r.Params.Malformed() || !present || !ok {
		c.fail(r, mcpproto.InvalidParams("params.uri is missing or not a string"), BadParams)
		return
	}
	h, vars := reg.reader(uri)
	if h == nil {
		c.fail(r, mcpproto.ResourceNotFound(uri), Failed)
		return
	}
	responses, state, e := readInput(r.Params)
	if e != nil {
		c.fail(r, e, BadParams)
		return
	}
	cache := c.server.cache
	if responses != nil || state != "" {
		cache = &mcpproto.Cache{Scope: mcpproto.Private} // the answer to a retry is for this client, now
	}
	call := r.typed.(*ReadCall)
	call.URI, call.Vars, call.InputResponses, call.RequestState = uri, vars, responses, state
	c.runHandler(ctx, r, cache, func() (answer, error) {
		res, err := h(ctx, call)
		if err != nil || res == nil {
			return answer{}, orNoResult(err)
		}
		if res.Need != nil {
			return answer{need: res.Need}, nil
		}
		own := res.Cache
		if responses != nil || state != "" {
			own = nil
		}
		list := make([]mcpproto.ResourceContents, len(res.Contents))
		for i, x := range res.Contents {
			if !r.Version.HasStructured() {
				x.Meta = nil
			}
			list[i] = x
		}
		body, err := mcpproto.Marshal(&mcpproto.ReadResult{Contents: list, Meta: res.Meta})
		return answer{body: body, cache: own}, err
	})
}

func (g *registry) reader(uri string) (ResourceHandler, map[string]string) {
	if x := g.resources.byKey[uri]; x != nil {
		return x.handler, nil
	}
	for _, t := range g.templates.sorted {
		if vars, ok := t.match.values(uri); ok {
			return t.handler, vars
		}
	}
	return nil, nil
}

func orNoResult(err error) error {
	if err == nil {
		return errNoResult
	}
	return err
}

// getPrompt serves prompts/get.
func (c *Conn) getPrompt(ctx context.Context, r *Request, reg *registry) {
	name, present, ok := r.Params.Text("name")
	p := reg.prompts.byKey[name]
	switch {
	case r.Params.Malformed() || !present || !ok:
		c.fail(r, mcpproto.InvalidParams("params.name is missing or not a string"), BadParams)
		return
	case p == nil:
		c.fail(r, mcpproto.InvalidParams("unknown prompt %q", clipText(name)), Failed)
		return
	}
	args, e := promptArguments(r.Params.Get("arguments"), &p.decl)
	if e != nil {
		c.fail(r, e, BadParams)
		return
	}
	responses, state, e := readInput(r.Params)
	if e != nil {
		c.fail(r, e, BadParams)
		return
	}
	call := r.typed.(*PromptCall)
	call.Name, call.Arguments, call.InputResponses, call.RequestState = name, args, responses, state
	c.runHandler(ctx, r, nil, func() (answer, error) {
		res, err := p.handler(ctx, call)
		if err != nil || res == nil {
			return answer{}, orNoResult(err)
		}
		if res.Need != nil {
			return answer{need: res.Need}, nil
		}
		msgs := make([]mcpproto.PromptMessage, len(res.Messages))
		for i, m := range res.Messages {
			m.Content = m.Content.For(r.Version)
			msgs[i] = m
		}
		body, err := mcpproto.Marshal(&mcpproto.PromptResult{Description: res.Description, Messages: msgs, Meta: res.Meta})
		return answer{body: body}, err
	})
}

func promptArguments(raw jsontext.Value, p *mcpproto.Prompt) (map[string]string, *mcpproto.Error) {
	args := map[string]string{}
	if raw != nil && raw.Kind() != 'n' {
		if raw.Kind() != '{' || mcpproto.Unmarshal(raw, &args) != nil {
			return nil, mcpproto.InvalidParams("params.arguments is not an object of strings")
		}
	}
	var missing []string
	for _, a := range p.Arguments {
		if _, ok := args[a.Name]; a.Required && !ok {
			missing = append(missing, a.Name)
		}
	}
	if missing != nil {
		return nil, mcpproto.InvalidParams("required prompt arguments are missing: %s", fmt.Sprint(missing))
	}
	return args, nil
}

// completeArgument serves completion/complete.
func (c *Conn) completeArgument(ctx context.Context, r *Request, reg *registry) {
	call := r.typed.(*CompletionCall)
	var more struct {
		Arguments map[string]string `json:"arguments"`
	}
	ref, arg, cx := r.Params.Get("ref"), r.Params.Get("argument"), r.Params.Get("context")
	if ref.Kind() != '{' || mcpproto.Unmarshal(ref, &call.Ref) != nil ||
		!slices.Contains([]string{"ref/prompt", "ref/resource"}, call.Ref.Type) ||
		arg.Kind() != '{' || mcpproto.Unmarshal(arg, &call.Argument) != nil ||
		cx != nil && mcpproto.Unmarshal(cx, &more) != nil {
		c.fail(r, mcpproto.InvalidParams("params.ref, params.argument or params.context is malformed"), BadParams)
		return
	}
	call.Context = more.Arguments
	c.runHandler(ctx, r, nil, func() (answer, error) {
		res, err := reg.complete(ctx, call)
		if err != nil || res == nil {
			return answer{}, orNoResult(err)
		}
		out := *res
		if out.Values == nil {
			out.Values = []string{}
		}
		if len(out.Values) > mcpproto.MaxCompletionValues {
			out.Values, out.HasMore = out.Values[:mcpproto.MaxCompletionValues], true
		}
		body, err := mcpproto.Marshal(map[string]any{"completion": &out})
		return answer{body: body}, err
	})
}
