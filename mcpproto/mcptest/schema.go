package mcptest

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// The schemas are the published ones, byte for byte; spec/LICENSE is theirs.
//
//go:embed spec/LICENSE spec/*/schema.json
var specFiles embed.FS

// Direction says which side sent a message.
type Direction uint8

// The two directions.
const (
	ToServer Direction = iota + 1 // sent by the client
	ToClient                      // sent by the server
)

// String returns "client to server" or "server to client".
func (d Direction) String() string {
	switch d {
	case ToServer:
		return "client to server"
	case ToClient:
		return "server to client"
	}
	return "invalid direction"
}

var (
	// ErrUnknownMethod reports a request or notification whose method the revision does not have in
	// that direction. A client may legally send one (the server answers -32601); a server may not.
	ErrUnknownMethod = errors.New("mcptest: method not in this revision")

	// ErrUnknownRevision reports a revision no schema is embedded for.
	ErrUnknownRevision = errors.New("mcptest: unknown revision")
)

// Revisions returns the five revisions a schema is embedded for, oldest first.
func Revisions() []mcpproto.Version {
	return []mcpproto.Version{
		mcpproto.Version20241105, mcpproto.Version20250326, mcpproto.Version20250618,
		mcpproto.Version20251125, mcpproto.Version20260728,
	}
}

// CheckDefinition reports whether value, one JSON text, is valid against the named definition of a
// revision's schema, such as "Tool" or "CallToolResultResponse".
//
// Formats (uri, uri-template) are asserted. The error lists every violation with its location;
// it is ErrUnknownRevision for a revision that is not embedded. Safe for concurrent use.
func CheckDefinition(revision mcpproto.Version, definition string, value []byte) error {
	s, err := schemaOf(revision)
	if err != nil {
		return err
	}
	v, err := parse(value)
	if err != nil {
		return err
	}
	return s.validate(definition, v)
}

// parse decodes one JSON text, refusing what the protocol refuses everywhere: trailing bytes,
// invalid UTF-8 and repeated names. Numbers keep their digits.
func parse(text []byte) (any, error) {
	if !jsontext.Value(text).IsValid() {
		return nil, errors.New("mcptest: not exactly one JSON text with valid UTF-8 and unique names")
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("mcptest: %w", err)
	}
	return v, nil
}

// schema is one revision's schema: definitions compiled when first asked for.
type schema struct {
	revision mcpproto.Version
	root     string // "definitions" or "$defs"
	defs     map[string]any
	requests map[Direction]map[string]string // method → definition
	notices  map[Direction]map[string]string

	mu       sync.Mutex // the compiler is not safe for concurrent use
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// loaded memoizes the five schemas. Each entry is a pure function of an embedded file.
var loaded = func() map[mcpproto.Version]func() (*schema, error) {
	m := make(map[mcpproto.Version]func() (*schema, error))
	for _, revision := range Revisions() {
		m[revision] = sync.OnceValues(func() (*schema, error) { return load(revision) })
	}
	return m
}()

func schemaOf(revision mcpproto.Version) (*schema, error) {
	f, ok := loaded[revision]
	if !ok {
		return nil, fmt.Errorf("%w: %d", ErrUnknownRevision, revision)
	}
	return f()
}

func load(revision mcpproto.Version) (*schema, error) {
	text, err := specFiles.ReadFile("spec/" + revision.String() + "/schema.json")
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	s := &schema{revision: revision, root: "$defs", compiled: make(map[string]*jsonschema.Schema)}
	top, _ := doc.(map[string]any)
	if _, ok := top["definitions"]; ok {
		s.root = "definitions"
	}
	s.defs, _ = top[s.root].(map[string]any)
	s.requests = map[Direction]map[string]string{
		ToServer: s.methods("ClientRequest"), ToClient: s.methods("ServerRequest"),
	}
	s.notices = map[Direction]map[string]string{
		ToServer: s.methods("ClientNotification"), ToClient: s.methods("ServerNotification"),
	}
	s.compiler = jsonschema.NewCompiler()
	s.compiler.AssertFormat()
	s.compiler.RegisterFormat(&jsonschema.Format{Name: "uri", Validate: uri})
	s.compiler.RegisterFormat(&jsonschema.Format{Name: "uri-template", Validate: uriTemplate})
	if err := s.compiler.AddResource(s.url(), doc); err != nil {
		return nil, err
	}
	return s, nil
}

// uri replaces the validator's own check, which takes some escapes in a host for errors.
func uri(v any) error {
	if text, ok := v.(string); ok && !mcpproto.IsURI(text) {
		return errors.New("not a URI of RFC 3986")
	}
	return nil
}

// template is the grammar of RFC 6570, sections 2.1 and 2.2. The validator's own check takes a template for a URI, and
// so refuses an expression in the place of a host.
var template = func() *regexp.Regexp {
	const char = `(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})`
	const name = char + `(?:\.?` + char + `)*(?::[1-9][0-9]{0,3}|\*)?`
	return regexp.MustCompile("^(?:[^\\x00-\\x20\\x7f\"<>\\\\^`{|}%]|%[0-9A-Fa-f]{2}|" + `\{[+#./;?&=,!@|]?` + name + `(?:,` + name + `)*\})*$`)
}()

func uriTemplate(v any) error {
	if text, ok := v.(string); ok && !template.MatchString(text) {
		return errors.New("not a URI template of RFC 6570")
	}
	return nil
}

func (s *schema) url() string { return "mcp:///" + s.revision.String() + "/schema.json" }

// methods returns method → definition for a union of the schema: either anyOf references, or one
// definition that fixes the method itself. A union the revision lacks has no methods.
func (s *schema) methods(union string) map[string]string {
	out := make(map[string]string)
	u, _ := s.defs[union].(map[string]any)
	if method := methodOf(u); method != "" {
		out[method] = union
	}
	members, _ := u["anyOf"].([]any)
	for _, member := range members {
		ref, _ := member.(map[string]any)["$ref"].(string)
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		def, _ := s.defs[name].(map[string]any)
		if method := methodOf(def); method != "" {
			out[method] = name
		}
	}
	return out
}

func methodOf(def map[string]any) string {
	properties, _ := def["properties"].(map[string]any)
	method, _ := properties["method"].(map[string]any)
	name, _ := method["const"].(string)
	return name
}

func (s *schema) validate(definition string, v any) error {
	compiled, err := s.definition(definition)
	if err != nil {
		return err
	}
	if err := compiled.Validate(v); err != nil {
		return fmt.Errorf("mcptest: not a valid %s of %s: %w", definition, s.revision, err)
	}
	return nil
}

func (s *schema) definition(name string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.compiled[name]; ok {
		return c, nil
	}
	if _, ok := s.defs[name]; !ok {
		return nil, fmt.Errorf("mcptest: %s has no definition %q", s.revision, name)
	}
	c, err := s.compiler.Compile(s.url() + "#/" + s.root + "/" + name)
	if err != nil {
		return nil, fmt.Errorf("mcptest: %w", err)
	}
	s.compiled[name] = c
	return c, nil
}
