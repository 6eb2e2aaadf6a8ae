package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
)

// tool is one registered tool.
type tool struct {
	decl    mcpproto.Tool
	opts    Tool
	handler ToolHandler
	headers []mcpproto.ParamHeader
	needs   bool // opts.Requires asks for something
	input   schema
	output  schema
	last    atomic.Int64 // nanoseconds of the last call
}

const maxToolName = 128

func (s *Server) newTool(t Tool, h ToolHandler) (*tool, error) {
	if t.Name == "" || len(t.Name) > maxToolName || h == nil {
		return nil, fmt.Errorf("needs a handler and a name of 1 to %d characters", maxToolName)
	}
	if t.InputSchema == nil {
		t.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	in, err := readSchema(t.InputSchema)
	if err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	if in.kind != "object" {
		return nil, errors.New(`input schema: its type must be "object"`)
	}
	headers, err := mcpproto.ParamHeaders(jsontext.Value(t.InputSchema))
	if err != nil {
		return nil, err
	}
	if t.OutputSchema != nil {
		if _, err := readSchema(t.OutputSchema); err != nil {
			return nil, fmt.Errorf("output schema: %w", err)
		}
	}
	_, needs := (&mcpproto.ClientCapabilities{}).Missing(t.Requires)
	n := &tool{opts: t, handler: h, headers: headers, needs: needs}
	n.input.text, n.output.text = t.InputSchema, t.OutputSchema
	n.decl = mcpproto.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: jsontext.Value(t.InputSchema),
		OutputSchema: jsontext.Value(t.OutputSchema), Annotations: t.Annotations, Icons: t.Icons,
		Meta: jsontext.Value(t.Meta),
	}
	if t.Meta != nil { // all else is known to be encodable by now
		if err := declarable(n.decl.Meta, nil); err != nil {
			return nil, err
		}
	}
	return n, s.checks(n, in)
}

// outline is what registering a tool needs to know of a schema.
type outline struct {
	kind  string // the type, if it is one word
	rules bool   // it demands more than to be an object
}

// readSchema reads a schema's outline, in one pass and without building it: programs register their tools at every start.
// It fails if text is not one strict JSON object.
func readSchema(text []byte) (o outline, err error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	if start, err := d.ReadToken(); err != nil {
		return o, err
	} else if start.Kind() != '{' {
		return o, errors.New("not an object")
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return o, err
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return o, err
		}
		if name == "type" && value.Kind() == '"' {
			kind, err := jsontext.AppendUnquote(nil, value)
			if err != nil {
				return o, err
			}
			o.kind = string(kind)
		}
		o.rules = o.rules || !slices.Contains(annotations, name)
	}
	if _, err := d.ReadToken(); err != nil { // the closing brace
		return o, err
	}
	if _, err := d.ReadToken(); err == nil {
		return o, errors.New("text after the object")
	} else if !errors.Is(err, io.EOF) {
		return o, err
	}
	return o, nil
}

// Schema is a compiled JSON Schema. It must be safe for concurrent use.
type Schema interface {
	// Violations returns all that value, which is JSON, breaks, sorted by place; nil if nothing. The error is about
	// the schema itself.
	Violations(value []byte) ([]Violation, error)
}

// schema is compiled at its first use, so that starting costs nothing. Without rules there is nothing to compile.
type schema struct {
	text     []byte
	build    func([]byte) (Schema, error)
	once     sync.Once
	compiled Schema
	err      error
}

func (s *schema) compile() (Schema, error) {
	s.once.Do(func() { s.compiled, s.err = s.build(s.text) })
	return s.compiled, s.err
}

func (s *schema) violations(value []byte) ([]Violation, error) {
	if s.build == nil {
		return nil, nil
	}
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	return c.Violations(value)
}

// annotations are keywords that say something about an object and demand nothing of it.
var annotations = []string{"type", "$schema", "$comment", "title", "description", "examples"}

// errNoSchemas says what to do about a schema that nothing could check.
var errNoSchemas = errors.New("there is no compiler for schemas: set Options.Schemas, for example to schemacheck.Compile, or leave the check out (Tool.OwnArgumentCheck, OutputTrusted)")

// checks gives a new tool what its schemas are compiled with. A schema that should be checked and cannot be is an error.
func (s *Server) checks(t *tool, in outline) error {
	input := !t.opts.OwnArgumentCheck && in.rules
	output := t.opts.OutputSchema != nil && s.opts.Output != OutputTrusted
	if (input || output) && s.opts.Schemas == nil {
		return errNoSchemas
	}
	if input {
		t.input.build = s.opts.Schemas
	}
	if output {
		t.output.build = s.opts.Schemas
	}
	return nil
}

// Violation is one thing that is wrong with a value.
type Violation struct {
	Pointer string `json:"pointer"` // JSON pointer; "" is the value itself
	Problem string `json:"problem"` // what was found and what is expected
}

// String returns pointer and problem.
func (v Violation) String() string {
	if v.Pointer == "" {
		return "(root): " + v.Problem
	}
	return v.Pointer + ": " + v.Problem
}

// CompileSchemas compiles the schemas of all tools now and reports all that are wrong, in one error. Without it they
// are compiled at the first call, which then fails with -32603 if the schema is wrong. Call it in a test. Without
// [Options.Schemas] it does nothing.
func (s *Server) CompileSchemas() error {
	if s.opts.Schemas == nil {
		return nil
	}
	var errs []error
	for _, t := range s.reg.Load().tools.sorted {
		if _, err := s.opts.Schemas(t.input.text); err != nil {
			errs = append(errs, fmt.Errorf("mcpserver: tool %q: input schema: %w", t.decl.Name, err))
		}
		if t.output.text == nil {
			continue
		}
		if _, err := s.opts.Schemas(t.output.text); err != nil {
			errs = append(errs, fmt.Errorf("mcpserver: tool %q: output schema: %w", t.decl.Name, err))
		}
	}
	return errors.Join(errs...)
}

// describe lists all violations of a call's arguments in one text.
func describe(tool string, list []Violation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Invalid arguments for tool %q:", tool)
	for _, v := range list {
		b.WriteString("\n- ")
		b.WriteString(v.String())
	}
	return b.String()
}
