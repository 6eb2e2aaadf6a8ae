package mcpproto

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// What a handshake says is written and read here without reflection where it has the usual form: preparing to reflect costs
// more than all the rest of a first answer. Everything else goes the general way, to the same bytes and values.

// AppendCapabilities appends c as [Marshal] writes it.
func AppendCapabilities(dst []byte, c *ServerCapabilities) ([]byte, error) {
	if c.Experimental != nil || c.Extensions != nil {
		b, err := Marshal(c)
		return append(dst, b...), err
	}
	dst = append(dst, '{')
	flags := func(name string, declared bool, subscribe, changed bool) {
		if !declared {
			return
		}
		dst = append(append(append(appendComma(dst), '"'), name...), `":{`...)
		if subscribe {
			dst = append(dst, `"subscribe":true`...)
		}
		if changed {
			dst = append(appendComma(dst), `"listChanged":true`...)
		}
		dst = append(dst, '}')
	}
	flags("tools", c.Tools != nil, false, c.Tools != nil && c.Tools.ListChanged)
	flags("resources", c.Resources != nil, c.Resources != nil && c.Resources.Subscribe, c.Resources != nil && c.Resources.ListChanged)
	flags("prompts", c.Prompts != nil, false, c.Prompts != nil && c.Prompts.ListChanged)
	flags("completions", c.Completions != nil, false, false)
	flags("logging", c.Logging != nil, false, false)
	return append(dst, '}'), nil
}

// AppendImplementation appends i as [Marshal] writes it.
func AppendImplementation(dst []byte, i *Implementation) ([]byte, error) {
	if len(i.Icons) > 0 {
		b, err := Marshal(i)
		return append(dst, b...), err
	}
	o := Object{buf: append(dst, '{')}
	o.String("name", i.Name)
	if i.Title != "" {
		o.String("title", i.Title)
	}
	o.String("version", i.Version)
	if i.Description != "" {
		o.String("description", i.Description)
	}
	if i.WebsiteURL != "" {
		o.String("websiteUrl", i.WebsiteURL)
	}
	return append(o.buf, '}'), nil
}

// readImplementation reads an object whose members are all strings that an Implementation has; ok is false for others.
func readImplementation(raw jsontext.Value) (i Implementation, ok bool) {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return Implementation{}, false
	}
	for d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil {
			return Implementation{}, false
		}
		var into *string
		switch t.String() {
		case "name":
			into = &i.Name
		case "title":
			into = &i.Title
		case "version":
			into = &i.Version
		case "description":
			into = &i.Description
		case "websiteUrl":
			into = &i.WebsiteURL
		default:
			return Implementation{}, false
		}
		if t, err = d.ReadToken(); err != nil || t.Kind() != '"' {
			return Implementation{}, false
		}
		*into = t.String()
	}
	if _, err := d.ReadToken(); err != nil {
		return Implementation{}, false
	}
	_, err := d.ReadToken()
	return i, errors.Is(err, io.EOF)
}
