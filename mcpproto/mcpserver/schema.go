package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/santhosh-tekuri/jsonschema/v6"
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

func newTool(t Tool, h ToolHandler) (*tool, error) {
	if t.Name == "" || len(t.Name) > maxToolName || h == nil {
		return nil, fmt.Errorf("needs a handler and a name of 1 to %d characters", maxToolName)
	}
	if t.InputSchema == nil {
		t.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	in, err := schemaObject(t.InputSchema)
	if err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	if in["type"] != "object" {
		return nil, errors.New(`input schema: its type must be "object"`)
	}
	headers, err := mcpproto.ParamHeaders(jsontext.Value(t.InputSchema))
	if err != nil {
		return nil, err
	}
	if t.OutputSchema != nil {
		if _, err := schemaObject(t.OutputSchema); err != nil {
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
	if _, err := mcpproto.Marshal(n.decl); err != nil {
		return nil, err
	}
	return n, nil
}

func schemaObject(text []byte) (map[string]any, error) {
	var m map[string]any
	if err := mcpproto.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errors.New("not an object")
	}
	return m, nil
}

// schema is compiled at its first use, so that starting costs nothing.
type schema struct {
	text     []byte
	once     sync.Once
	compiled *jsonschema.Schema
	err      error
}

func (s *schema) compile() (*jsonschema.Schema, error) {
	s.once.Do(func() {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.text))
		if err != nil {
			s.err = err
			return
		}
		c := jsonschema.NewCompiler()
		c.UseLoader(noLoader{})
		if s.err = c.AddResource(schemaURL, doc); s.err == nil {
			s.compiled, s.err = c.Compile(schemaURL)
		}
	})
	return s.compiled, s.err
}

const schemaURL = "urn:mcpserver:schema"

// noLoader refuses every reference that leaves the schema: nothing is ever fetched.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("mcpserver: schema refers to %s, which is not loaded", url)
}

// violations returns what value breaks, sorted by place; nil if nothing. The error is about the schema itself.
func (s *schema) violations(value []byte) ([]Violation, error) {
	c, err := s.compile()
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return []Violation{{Problem: "not JSON"}}, nil
	}
	var broken *jsonschema.ValidationError
	if err := c.Validate(doc); err == nil {
		return nil, nil
	} else if !errors.As(err, &broken) {
		return nil, err
	}
	var list []Violation
	collect(broken.BasicOutput(), &list)
	sort.SliceStable(list, func(i, j int) bool { return list[i].Pointer < list[j].Pointer })
	return list, nil
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

func collect(u *jsonschema.OutputUnit, list *[]Violation) {
	if len(u.Errors) == 0 {
		if u.Error != nil {
			*list = append(*list, Violation{u.InstanceLocation, u.Error.String()})
		}
		return
	}
	for i := range u.Errors {
		collect(&u.Errors[i], list)
	}
}

// CompileSchemas compiles the schemas of all tools now and reports all that are wrong, in one error. Without it they
// are compiled at the first call, which then fails with -32603 if the schema is wrong. Call it in a test.
func (s *Server) CompileSchemas() error {
	var errs []error
	for _, t := range s.reg.Load().tools.sorted {
		if _, err := t.input.compile(); err != nil {
			errs = append(errs, fmt.Errorf("mcpserver: tool %q: input schema: %w", t.decl.Name, err))
		}
		if t.output.text == nil {
			continue
		}
		if _, err := t.output.compile(); err != nil {
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
