package host

import "strings"

// Snippet is a piece of configuration to copy by hand.
type Snippet struct {
	Path     string // the file it belongs to
	Language string // "json", "toml" or "yaml"
	Text     string // a whole minimal file; ends in a line end
}

// ConfigSnippet returns what Install would write for one kind into a file that does not exist yet.
func ConfigSnippet(h Host, k Kind, o *Options) (Snippet, error) {
	if err := o.checkExe(); err != nil {
		return Snippet{}, err
	}
	p, err := locate(h, k, o.Scope, o.Env)
	if err != nil {
		return Snippet{}, err
	}
	text, err := installInto(p, h, k, nil, o)
	if err != nil {
		return Snippet{}, err
	}
	language := map[format]string{jsonFormat: "json", tomlFormat: "toml", yamlFormat: "yaml"}[p.format]
	return Snippet{Path: p.path, Language: language, Text: strings.TrimRight(string(text), "\n") + "\n"}, nil
}
