package mcpproto

import "github.com/go-json-experiment/json/jsontext"

// Implementation names a client or server program. Name and Version are required by every revision.
type Implementation struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"`
	Version     string `json:"version"`
	Description string `json:"description,omitzero"`
	WebsiteURL  string `json:"websiteUrl,omitzero"`
	Icons       []Icon `json:"icons,omitempty"`
}

// For returns i with only the members that revision v knows.
func (i Implementation) For(v Version) Implementation {
	if !v.HasStructured() {
		i.Title = ""
	}
	if !v.HasIcons() {
		i.Description, i.WebsiteURL, i.Icons = "", "", nil
	}
	return i
}

// Icon is one picture of a thing, for user interfaces.
type Icon struct {
	Src      string   `json:"src"`
	MimeType string   `json:"mimeType,omitzero"`
	Sizes    []string `json:"sizes,omitempty"`
	Theme    string   `json:"theme,omitzero"` // "light" or "dark"
}

// ClientCapabilities is what a client declared: in every modern request, or once at initialize. Nil members were not
// declared. Unknown members are ignored.
type ClientCapabilities struct {
	Elicitation  *ElicitationCapability    `json:"elicitation,omitzero"`
	Sampling     *SamplingCapability       `json:"sampling,omitzero"`
	Roots        *RootsCapability          `json:"roots,omitzero"`
	Experimental map[string]jsontext.Value `json:"experimental,omitzero"`
	Extensions   map[string]jsontext.Value `json:"extensions,omitzero"`
}

// ElicitationCapability says which kinds of elicitation a client can show.
type ElicitationCapability struct {
	Form jsontext.Value `json:"form,omitzero"` // an object if declared
	URL  jsontext.Value `json:"url,omitzero"`  // an object if declared
}

// SamplingCapability says that a client can call its model for the server.
type SamplingCapability struct {
	Context jsontext.Value `json:"context,omitzero"`
	Tools   jsontext.Value `json:"tools,omitzero"`
}

// RootsCapability says that a client can list its roots.
type RootsCapability struct {
	ListChanged bool `json:"listChanged,omitzero"` // legacy only
}

// Form reports whether the client can show a form. An elicitation capability that names neither kind counts as form.
// MCP 2026-07-28, client/elicitation, "Capabilities".
func (c *ClientCapabilities) Form() bool {
	if c == nil || c.Elicitation == nil {
		return false
	}
	return isObject(c.Elicitation.Form) || !isObject(c.Elicitation.URL)
}

// URL reports whether the client can open an address for the user.
func (c *ClientCapabilities) URL() bool {
	return c != nil && c.Elicitation != nil && isObject(c.Elicitation.URL)
}

// SamplesTools reports whether the client's model can use tools when it is called for the server.
func (c *ClientCapabilities) SamplesTools() bool {
	return c != nil && c.Sampling != nil && isObject(c.Sampling.Tools)
}

// Missing returns the part of need that c lacks, and whether anything is lacking.
func (c *ClientCapabilities) Missing(need ClientCapabilities) (ClientCapabilities, bool) {
	var m ClientCapabilities
	if need.Elicitation != nil && (need.Form() && !c.Form() || need.URL() && !c.URL()) {
		m.Elicitation = need.Elicitation
	}
	if need.Sampling != nil && (c == nil || c.Sampling == nil || isObject(need.Sampling.Tools) && !c.SamplesTools()) {
		m.Sampling = need.Sampling
	}
	if need.Roots != nil && (c == nil || c.Roots == nil) {
		m.Roots = need.Roots
	}
	for k, v := range need.Extensions {
		if c == nil || c.Extensions[k] == nil {
			if m.Extensions == nil {
				m.Extensions = map[string]jsontext.Value{}
			}
			m.Extensions[k] = v
		}
	}
	return m, m.Elicitation != nil || m.Sampling != nil || m.Roots != nil || m.Extensions != nil
}

func isObject(v jsontext.Value) bool { return v.Kind() == '{' }

// ServerCapabilities is what a server declares. Nil or false members are not declared, and their methods are not
// served.
type ServerCapabilities struct {
	Tools        *ListCapability           `json:"tools,omitzero"`
	Resources    *ResourcesCapability      `json:"resources,omitzero"`
	Prompts      *ListCapability           `json:"prompts,omitzero"`
	Completions  *struct{}                 `json:"completions,omitzero"`
	Logging      *struct{}                 `json:"logging,omitzero"`
	Experimental map[string]jsontext.Value `json:"experimental,omitzero"`
	Extensions   map[string]jsontext.Value `json:"extensions,omitzero"`
}

// ListCapability declares tools or prompts.
type ListCapability struct {
	ListChanged bool `json:"listChanged,omitzero"`
}

// ResourcesCapability declares resources.
type ResourcesCapability struct {
	Subscribe   bool `json:"subscribe,omitzero"`
	ListChanged bool `json:"listChanged,omitzero"`
}

// For returns c with only the members that revision v knows.
func (c ServerCapabilities) For(v Version) ServerCapabilities {
	if !v.HasAnnotations() {
		c.Completions = nil
	}
	if v.Era() != Modern {
		c.Extensions = nil
	}
	return c
}
