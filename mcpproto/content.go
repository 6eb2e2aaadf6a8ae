package mcpproto

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kinds of content.
const (
	KindText         = "text"
	KindImage        = "image"
	KindAudio        = "audio"
	KindResourceLink = "resource_link"
	KindResource     = "resource"
	KindToolUse      = "tool_use"    // sampling only
	KindToolResult   = "tool_result" // sampling only
)

// Content is one block of content. Type says which of the other members count; [Text], [Image], [Audio], [Link] and
// [Embed] build the usual ones. MCP 2026-07-28, schema, "ContentBlock".
type Content struct {
	Type string

	Text     string // text
	Data     []byte // image, audio
	MimeType string // image, audio, resource_link

	Resource *ResourceContents // resource
	Link     *Resource         // resource_link

	ToolUse    *ToolUse    // tool_use
	ToolResult *ToolResult // tool_result: Content, Structured and IsError
	ToolUseID  string      // tool_result

	Annotations *Annotations
	Meta        jsontext.Value // an object, or nil
}

// Annotations are hints for the client about who should see a thing and how much it matters.
type Annotations struct {
	Audience     []string `json:"audience,omitempty"` // "user", "assistant"
	Priority     *float64 `json:"priority,omitzero"`  // 0…1
	LastModified string   `json:"lastModified,omitzero"`
}

// ToolUse is a model's wish to call a tool, inside a sampling message.
type ToolUse struct {
	ID    string
	Name  string
	Input jsontext.Value // an object
}

// Text returns a text block.
func Text(s string) Content { return Content{Type: KindText, Text: s} }

// Image returns an image block; data is the picture itself, not base64.
func Image(data []byte, mimeType string) Content {
	return Content{Type: KindImage, Data: data, MimeType: mimeType}
}

// Audio returns an audio block; data is the sound itself, not base64. Clients of 2024-11-05 get a text instead.
func Audio(data []byte, mimeType string) Content {
	return Content{Type: KindAudio, Data: data, MimeType: mimeType}
}

// Link returns a link to a resource. Clients before 2025-06-18 get a text with the URI instead.
func Link(r Resource) Content { return Content{Type: KindResourceLink, Link: &r} }

// Embed returns a block that carries the contents of a resource.
func Embed(c ResourceContents) Content { return Content{Type: KindResource, Resource: &c} }

// wireContent has the members of all kinds; the ones a kind does not have stay nil.
type wireContent struct {
	Type        string            `json:"type"`
	ID          *string           `json:"id,omitzero"`
	Name        *string           `json:"name,omitzero"`
	Input       jsontext.Value    `json:"input,omitzero"`
	ToolUseID   *string           `json:"toolUseId,omitzero"`
	Content     *[]Content        `json:"content,omitzero"`
	Structured  jsontext.Value    `json:"structuredContent,omitzero"`
	IsError     *bool             `json:"isError,omitzero"`
	Text        *string           `json:"text,omitzero"`
	Data        *[]byte           `json:"data,omitzero"`
	URI         *string           `json:"uri,omitzero"`
	Title       string            `json:"title,omitzero"`
	Description string            `json:"description,omitzero"`
	MimeType    *string           `json:"mimeType,omitzero"`
	Size        *int64            `json:"size,omitzero"`
	Icons       []Icon            `json:"icons,omitempty"`
	Resource    *ResourceContents `json:"resource,omitzero"`
	Annotations *Annotations      `json:"annotations,omitzero"`
	Meta        jsontext.Value    `json:"_meta,omitzero"`
}

// MarshalJSONTo encodes c for the newest revision.
func (c Content) MarshalJSONTo(e *jsontext.Encoder) error {
	if !isMeta(c.Meta) {
		return fmt.Errorf("mcpproto: content of type %q: _meta: %w", c.Type, errNotObject)
	}
	w := wireContent{Type: c.Type, Annotations: c.Annotations, Meta: c.Meta}
	switch c.Type {
	case KindText:
		w.Text = &c.Text
	case KindImage, KindAudio:
		data := c.Data
		if data == nil {
			data = []byte{}
		}
		w.Data, w.MimeType = &data, &c.MimeType
	case KindResource:
		if c.Resource == nil {
			return fmt.Errorf("mcpproto: content of type %q without Resource", c.Type)
		}
		w.Resource = c.Resource
	case KindResourceLink:
		if c.Link == nil {
			return fmt.Errorf("mcpproto: content of type %q without Link", c.Type)
		}
		c.linkTo(&w)
	case KindToolUse:
		if c.ToolUse == nil {
			return fmt.Errorf("mcpproto: content of type %q without ToolUse", c.Type)
		}
		w.ID, w.Name, w.Input = &c.ToolUse.ID, &c.ToolUse.Name, orEmptyObject(c.ToolUse.Input)
	case KindToolResult:
		if c.ToolResult == nil {
			return fmt.Errorf("mcpproto: content of type %q without ToolResult", c.Type)
		}
		list := notNil(c.ToolResult.Content)
		w.ToolUseID, w.Content, w.Structured = &c.ToolUseID, &list, c.ToolResult.Structured
		if c.ToolResult.IsError {
			w.IsError = &c.ToolResult.IsError
		}
	default:
		return fmt.Errorf("mcpproto: unknown content type %q", c.Type)
	}
	return json.MarshalEncode(e, &w)
}

// isMeta reports whether raw may stand as _meta: it is an object, or there is none.
func isMeta(raw jsontext.Value) bool { return raw == nil || isObject(raw) }

// absentIfNull takes a null where an object belongs for nothing, as some clients send it.
func absentIfNull(raw jsontext.Value) jsontext.Value {
	if raw.Kind() == 'n' {
		return nil
	}
	return raw
}

func (c *Content) linkTo(w *wireContent) {
	r := c.Link
	w.URI, w.Name, w.Title, w.Description = &r.URI, &r.Name, r.Title, r.Description
	w.Size, w.Icons = r.Size, r.Icons
	if r.MimeType != "" {
		w.MimeType = &r.MimeType
	}
	if w.Annotations == nil {
		w.Annotations = r.Annotations
	}
	if w.Meta == nil {
		w.Meta = r.Meta
	}
}

// UnmarshalJSONFrom decodes any known kind; an unknown type is an error.
func (c *Content) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var w wireContent
	if err := json.UnmarshalDecode(d, &w); err != nil {
		return err
	}
	*c = Content{Type: w.Type, Annotations: w.Annotations, Meta: absentIfNull(w.Meta)}
	switch w.Type {
	case KindText:
		c.Text = deref(w.Text)
	case KindImage, KindAudio:
		c.Data, c.MimeType = deref(w.Data), deref(w.MimeType)
	case KindResource:
		if w.Resource == nil {
			return fmt.Errorf("mcpproto: content of type %q without resource", w.Type)
		}
		c.Resource = w.Resource
	case KindResourceLink:
		c.Link = &Resource{
			URI: deref(w.URI), Name: deref(w.Name), Title: w.Title, Description: w.Description,
			MimeType: deref(w.MimeType), Size: w.Size, Icons: w.Icons,
		}
	case KindToolUse:
		c.ToolUse = &ToolUse{ID: deref(w.ID), Name: deref(w.Name), Input: w.Input}
	case KindToolResult:
		c.ToolUseID = deref(w.ToolUseID)
		c.ToolResult = &ToolResult{Content: deref(w.Content), Structured: w.Structured, IsError: deref(w.IsError)}
	default:
		return fmt.Errorf("mcpproto: unknown content type %q", w.Type)
	}
	return nil
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func orEmptyObject(v jsontext.Value) jsontext.Value {
	if len(v) == 0 {
		return jsontext.Value("{}")
	}
	return v
}

// For returns c with only what revision v knows. Kinds that v lacks become a text that says what was there.
func (c Content) For(v Version) Content {
	if v.HasStructured() {
		return c
	}
	c.Meta = nil
	if c.Annotations != nil && c.Annotations.LastModified != "" {
		a := *c.Annotations
		a.LastModified = ""
		c.Annotations = &a
	}
	switch {
	case c.Type == KindResourceLink && c.Link != nil:
		return Text("resource: " + c.Link.URI)
	case c.Type == KindAudio && !v.HasAnnotations():
		return Text(fmt.Sprintf("audio (%s, %d bytes)", c.MimeType, len(c.Data)))
	case c.Type == KindResource && c.Resource != nil && c.Resource.Meta != nil:
		r := *c.Resource
		r.Meta = nil
		c.Resource = &r
	}
	return c
}

// appendFor appends c as revision v knows it; plain text takes no reflection.
func (c *Content) appendFor(dst []byte, v Version) ([]byte, error) {
	if c.Type == KindText && c.Annotations == nil && (c.Meta == nil || !v.HasStructured()) {
		dst = append(dst, `{"type":"text","text":`...)
		dst = AppendString(dst, c.Text)
		return append(dst, '}'), nil
	}
	b, err := Marshal(c.For(v))
	if err != nil {
		return dst, err
	}
	return append(dst, b...), nil
}
