package mcpproto

import "github.com/go-json-experiment/json/jsontext"

// Prompt is the declaration of a prompt as prompts/list carries it.
type Prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitzero"`
	Description string           `json:"description,omitzero"`
	Arguments   []PromptArgument `json:"arguments,omitempty"`
	Icons       []Icon           `json:"icons,omitempty"`
	Meta        jsontext.Value   `json:"_meta,omitzero"`
}

// PromptArgument is one argument of a prompt. Values are strings.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`
	Required    bool   `json:"required,omitzero"`
}

// For returns p with only the members that revision v knows.
func (p Prompt) For(v Version) Prompt {
	if !v.HasStructured() {
		p.Title, p.Meta = "", nil
		args := make([]PromptArgument, len(p.Arguments))
		for i, a := range p.Arguments {
			a.Title = ""
			args[i] = a
		}
		p.Arguments = args
	}
	if !v.HasIcons() {
		p.Icons = nil
	}
	return p
}

// PromptMessage is one message of a prompt.
type PromptMessage struct {
	Role    string  `json:"role"` // "user" or "assistant"
	Content Content `json:"content"`
}

// PromptResult is the answer to prompts/get. If Need is set, nothing else counts (modern clients only).
type PromptResult struct {
	Description string          `json:"description,omitzero"`
	Messages    []PromptMessage `json:"messages"`
	Meta        jsontext.Value  `json:"_meta,omitzero"`

	Need *InputRequired `json:"-"`
}

// CompletionRef names what an argument belongs to: a prompt by Name or a resource template by URI.
type CompletionRef struct {
	Type  string `json:"type"` // "ref/prompt" or "ref/resource"
	Name  string `json:"name,omitzero"`
	Title string `json:"title,omitzero"`
	URI   string `json:"uri,omitzero"`
}

// CompletionArgument is the argument being typed.
type CompletionArgument struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Completion is a list of proposals, best first. At most 100 values are sent; the rest sets HasMore.
type Completion struct {
	Values  []string `json:"values"`
	Total   *int64   `json:"total,omitzero"`
	HasMore bool     `json:"hasMore"`
}

// MaxCompletionValues is the most proposals one answer may carry. MCP 2026-07-28, server/utilities/completion.
const MaxCompletionValues = 100

// LogLevel is a syslog severity name (RFC 5424).
type LogLevel string

// Levels, mildest first.
const (
	LogDebug     LogLevel = "debug"
	LogInfo      LogLevel = "info"
	LogNotice    LogLevel = "notice"
	LogWarning   LogLevel = "warning"
	LogError     LogLevel = "error"
	LogCritical  LogLevel = "critical"
	LogAlert     LogLevel = "alert"
	LogEmergency LogLevel = "emergency"
)

// Rank returns 1 for debug … 8 for emergency, and 0 for anything else.
func (l LogLevel) Rank() int {
	switch l {
	case LogDebug:
		return 1
	case LogInfo:
		return 2
	case LogNotice:
		return 3
	case LogWarning:
		return 4
	case LogError:
		return 5
	case LogCritical:
		return 6
	case LogAlert:
		return 7
	case LogEmergency:
		return 8
	}
	return 0
}
