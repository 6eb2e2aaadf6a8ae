package mcpproto

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Tool is the declaration of a tool as tools/list carries it.
type Tool struct {
	Name         string           `json:"name"`
	Title        string           `json:"title,omitzero"`
	Description  string           `json:"description,omitzero"`
	InputSchema  jsontext.Value   `json:"inputSchema"`           // an object whose type is "object"
	OutputSchema jsontext.Value   `json:"outputSchema,omitzero"` // an object, or nil
	Annotations  *ToolAnnotations `json:"annotations,omitzero"`
	Icons        []Icon           `json:"icons,omitempty"`
	Meta         jsontext.Value   `json:"_meta,omitzero"`
}

// ToolAnnotations are hints about what a tool does. A nil member is not sent; clients then assume the worst.
type ToolAnnotations struct {
	Title           string `json:"title,omitzero"`
	ReadOnlyHint    *bool  `json:"readOnlyHint,omitzero"`
	DestructiveHint *bool  `json:"destructiveHint,omitzero"`
	IdempotentHint  *bool  `json:"idempotentHint,omitzero"`
	OpenWorldHint   *bool  `json:"openWorldHint,omitzero"`
}

// For returns t with only the members that revision v knows.
func (t Tool) For(v Version) Tool {
	if !v.HasAnnotations() {
		t.Annotations = nil
	}
	if !v.HasStructured() {
		t.Title, t.OutputSchema, t.Meta = "", nil, nil
	}
	if v.Era() == Legacy {
		if !schemaIsObject(t.OutputSchema) {
			t.OutputSchema = nil // before 2026-07-28 the root must be an object schema
		}
		t.InputSchema, t.OutputSchema = withoutBooleans(t.InputSchema), withoutBooleans(t.OutputSchema)
	}
	if !v.HasIcons() {
		t.Icons = nil
	}
	return t
}

func schemaIsObject(s jsontext.Value) bool {
	var root struct {
		Type jsontext.Value `json:"type"`
	}
	return len(s) > 0 && json.Unmarshal(s, &root) == nil && string(root.Type) == `"object"`
}

// withoutBooleans spells the schemas true and false of properties as objects. Before 2026-07-28 they have to be some, and
// a client that checks would lose the whole list.
func withoutBooleans(schema jsontext.Value) jsontext.Value {
	var root struct {
		Properties map[string]jsontext.Value `json:"properties"`
	}
	if len(schema) == 0 || json.Unmarshal(schema, &root) != nil {
		return schema
	}
	some := false
	for _, p := range root.Properties {
		some = some || p.Kind() == 't' || p.Kind() == 'f'
	}
	if !some {
		return schema
	}
	return rewrite(schema, func(name string, properties jsontext.Value) jsontext.Value {
		if name != "properties" {
			return properties
		}
		return rewrite(properties, func(_ string, p jsontext.Value) jsontext.Value {
			switch p.Kind() {
			case 't':
				return jsontext.Value(`{}`)
			case 'f':
				return jsontext.Value(`{"not":{}}`)
			}
			return p
		})
	})
}

// rewrite returns an object with its values replaced, in their order.
func rewrite(object jsontext.Value, value func(name string, v jsontext.Value) jsontext.Value) jsontext.Value {
	members, err := objectMembers(object)
	if err != nil {
		return object
	}
	out := []byte{'{'}
	for _, m := range members {
		out = append(AppendString(appendComma(out), m.Name), ':')
		out = append(out, value(m.Name, m.Value)...)
	}
	return append(out, '}')
}

// ToolResult is what a tool call comes to: content for the model, optionally the same as structured data. With
// IsError the model reads the content as a failure it may repair. If Need is set, nothing else of the result counts:
// the client is asked for input and calls again (modern clients only).
type ToolResult struct {
	Content    []Content      `json:"content"`
	Structured jsontext.Value `json:"structuredContent,omitzero"` // any JSON value; nil if none
	IsError    bool           `json:"isError,omitzero"`
	Meta       jsontext.Value `json:"_meta,omitzero"` // an object, or nil

	Need *InputRequired `json:"-"`

	line jsontext.Value // what Structured was when [Object.Result] made it: one line, valid, an object
}

// isLine reports whether Structured still is what an Object wrote, so that it need not be read again.
func (r *ToolResult) isLine() bool {
	return len(r.line) > 0 && len(r.line) == len(r.Structured) && &r.line[0] == &r.Structured[0]
}

// TextResult returns a result of one text block.
func TextResult(s string) *ToolResult { return &ToolResult{Content: []Content{Text(s)}} }

// ErrorResult returns a failed result of one text block.
func ErrorResult(s string) *ToolResult {
	return &ToolResult{Content: []Content{Text(s)}, IsError: true}
}

// StructuredResult returns a result whose structured content is value, and whose only content block is the same JSON
// as text, as clients without structured content need it. value must be one valid JSON value on one line.
func StructuredResult(value jsontext.Value) *ToolResult {
	return &ToolResult{Content: []Content{Text(string(value))}, Structured: value}
}

// NeedInput returns the result that asks the client for input.
func NeedInput(need InputRequired) *ToolResult { return &ToolResult{Need: &need} }

// errNotObject reports a raw member that had to be a JSON object.
var errNotObject = errors.New("mcpproto: not a JSON object")

// appendMembers appends the members of r (without braces) as revision v knows them. It fails, with dst unchanged, if a
// raw member is not valid JSON.
func (r *ToolResult) appendMembers(dst []byte, v Version) (_ []byte, err error) {
	mark := len(dst)
	dst = append(dst, `"content":[`...)
	for i := range r.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = r.Content[i].appendFor(dst, v); err != nil {
			return dst[:mark], fmt.Errorf("mcpproto: content %d: %w", i, err)
		}
	}
	dst = append(dst, ']')
	if r.Structured != nil && v.HasStructured() && (v.Era() == Modern || r.isLine() || isObject(r.Structured)) {
		dst = append(dst, `,"structuredContent":`...)
		if r.isLine() {
			dst = append(dst, r.Structured...)
		} else if dst, err = AppendRaw(dst, r.Structured); err != nil {
			return dst[:mark], fmt.Errorf("mcpproto: structured content: %w", err)
		}
	}
	if r.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	return dst, nil
}
