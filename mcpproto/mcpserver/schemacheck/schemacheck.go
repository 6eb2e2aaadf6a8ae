// Package schemacheck checks arguments and results of tools against their JSON Schemas, for [mcpserver.Options].
//
//	s := mcpserver.New(info, &mcpserver.Options{Schemas: schemacheck.Compile})
//
// It stands apart from package mcpserver because the validator it is built on decodes the schemas of all JSON Schema
// drafts as soon as it is linked, about 5 ms and 1.7 MB before main begins: a program whose tools check their arguments
// themselves does not pay for it.
package schemacheck

import (
	"bytes"
	"errors"
	"fmt"
	"sort"

	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaURL = "urn:mcpserver:schema"

// Compile compiles one JSON Schema, of draft 2020-12 unless it names another. References that leave the schema are
// errors: nothing is ever fetched.
func Compile(text []byte) (mcpserver.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	compiled, err := c.Compile(schemaURL)
	if err != nil {
		return nil, err
	}
	return schema{compiled}, nil
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("schemacheck: schema refers to %s, which is not loaded", url)
}

type schema struct{ compiled *jsonschema.Schema }

func (s schema) Violations(value []byte) ([]mcpserver.Violation, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return []mcpserver.Violation{{Problem: "not JSON"}}, nil
	}
	var broken *jsonschema.ValidationError
	if err := s.compiled.Validate(doc); err == nil {
		return nil, nil
	} else if !errors.As(err, &broken) {
		return nil, err
	}
	var list []mcpserver.Violation
	collect(broken.BasicOutput(), &list)
	sort.SliceStable(list, func(i, j int) bool { return list[i].Pointer < list[j].Pointer })
	return list, nil
}

func collect(u *jsonschema.OutputUnit, list *[]mcpserver.Violation) {
	if len(u.Errors) == 0 {
		if u.Error != nil {
			*list = append(*list, mcpserver.Violation{Pointer: u.InstanceLocation, Problem: u.Error.String()})
		}
		return
	}
	for i := range u.Errors {
		collect(&u.Errors[i], list)
	}
}
