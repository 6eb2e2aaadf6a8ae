package mcpproto

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// IsURI reports whether s is a URI with a scheme, as every revision wants the uri members of its messages: RFC 3986,
// with characters beyond ASCII allowed as RFC 3987 has them. Brackets and number signs are not looked at.
func IsURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || !isLetter(scheme[0]) || strings.Trim(scheme, schemeBytes) != "" {
		return false
	}
	for i := range len(rest) {
		switch c := rest[i]; {
		case c <= ' ', c == 0x7f, strings.IndexByte("\"<>\\^`{|}", c) >= 0:
			return false
		case c == '%' && (len(rest) < i+3 || !isHex(rest[i+1]) || !isHex(rest[i+2])):
			return false
		}
	}
	return utf8.ValidString(rest)
}

const schemeBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."

// Resource is the declaration of a resource as resources/list carries it.
type Resource struct {
	URI         string         `json:"uri"`
	Name        string         `json:"name"`
	Title       string         `json:"title,omitzero"`
	Description string         `json:"description,omitzero"`
	MimeType    string         `json:"mimeType,omitzero"`
	Size        *int64         `json:"size,omitzero"` // bytes, before any encoding
	Annotations *Annotations   `json:"annotations,omitzero"`
	Icons       []Icon         `json:"icons,omitempty"`
	Meta        jsontext.Value `json:"_meta,omitzero"`
}

// For returns r with only the members that revision v knows.
func (r Resource) For(v Version) Resource {
	if !v.HasStructured() {
		r.Title, r.Meta = "", nil
	}
	if !v.HasIcons() {
		r.Icons = nil
	}
	return r
}

// ResourceTemplate is the declaration of a family of resources; URITemplate follows RFC 6570.
type ResourceTemplate struct {
	URITemplate string         `json:"uriTemplate"`
	Name        string         `json:"name"`
	Title       string         `json:"title,omitzero"`
	Description string         `json:"description,omitzero"`
	MimeType    string         `json:"mimeType,omitzero"`
	Annotations *Annotations   `json:"annotations,omitzero"`
	Icons       []Icon         `json:"icons,omitempty"`
	Meta        jsontext.Value `json:"_meta,omitzero"`
}

// For returns t with only the members that revision v knows.
func (t ResourceTemplate) For(v Version) ResourceTemplate {
	if !v.HasStructured() {
		t.Title, t.Meta = "", nil
	}
	if !v.HasIcons() {
		t.Icons = nil
	}
	return t
}

// ResourceContents is what reading a resource gives: Text, or Blob if it is not nil.
type ResourceContents struct {
	URI      string
	MimeType string
	Text     string
	Blob     []byte
	Meta     jsontext.Value
}

type wireContents struct {
	URI      string         `json:"uri"`
	MimeType string         `json:"mimeType,omitzero"`
	Text     *string        `json:"text,omitzero"`
	Blob     *[]byte        `json:"blob,omitzero"`
	Meta     jsontext.Value `json:"_meta,omitzero"`
}

// MarshalJSONTo encodes c for the newest revision.
func (c ResourceContents) MarshalJSONTo(e *jsontext.Encoder) error {
	if !isMeta(c.Meta) {
		return fmt.Errorf("mcpproto: contents of %q: _meta: %w", c.URI, errNotObject)
	}
	w := wireContents{URI: c.URI, MimeType: c.MimeType, Meta: c.Meta}
	if c.Blob != nil {
		w.Blob = &c.Blob
	} else {
		w.Text = &c.Text
	}
	return json.MarshalEncode(e, &w)
}

// UnmarshalJSONFrom decodes text or binary contents.
func (c *ResourceContents) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	var w wireContents
	if err := json.UnmarshalDecode(d, &w); err != nil {
		return err
	}
	*c = ResourceContents{URI: w.URI, MimeType: w.MimeType, Text: deref(w.Text), Meta: absentIfNull(w.Meta)}
	if w.Blob != nil {
		c.Blob = notNil(*w.Blob)
	}
	return nil
}

// ReadResult is the answer to resources/read. If Need is set, nothing else counts (modern clients only).
type ReadResult struct {
	Contents []ResourceContents `json:"contents"`
	Meta     jsontext.Value     `json:"_meta,omitzero"`

	// Cache overrides the server's default for this answer; nil keeps it. Modern clients only.
	Cache *Cache         `json:"-"`
	Need  *InputRequired `json:"-"`
}

// CacheScope says who may keep an answer.
type CacheScope string

// The scopes.
const (
	Public  CacheScope = "public"  // the same for every principal
	Private CacheScope = "private" // for the asking principal only
)

// Cache says how long an answer stays fresh and for whom. MCP 2026-07-28, server/utilities/caching.
type Cache struct {
	TTL   time.Duration // sent as whole milliseconds; negative counts as 0
	Scope CacheScope    // "" counts as private
}

func (c *Cache) ms() int64 { return max(0, c.TTL.Milliseconds()) }

func (c *Cache) scope() CacheScope {
	if c.Scope == Public {
		return Public
	}
	return Private
}
