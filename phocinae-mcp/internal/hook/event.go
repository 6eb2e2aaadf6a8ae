package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// object is a decoded JSON object: values are nil, bool, json.Number, string, []any or object.
type object map[string]any

// maxDepth bounds nesting in an event. Real events need about ten levels.
const maxDepth = 64

// drainBytes is how much of an oversize event is read and thrown away, so that the host does not fail writing it.
const drainBytes = 64 << 20

// readEvent reads all of in, at most limit bytes.
func readEvent(in io.Reader, limit int) ([]byte, error) {
	if in == nil {
		return nil, errors.New("hook: no standard input")
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("hook: reading the event: %w", err)
	}
	if len(data) > limit {
		_, _ = io.CopyN(io.Discard, in, drainBytes) // only to be polite to the writer
		return nil, fmt.Errorf("hook: the event is larger than %d bytes", limit)
	}
	return data, nil
}

// decodeObject reads exactly one JSON object. Repeated names, bad UTF-8, text after the object and deep nesting are errors: a
// reader that guesses differently from the host could judge another command than the one that runs.
func decodeObject(data []byte) (object, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // Windows shells put a byte order mark into pipes
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("hook: the event is empty")
	case !utf8.Valid(data):
		return nil, errors.New("hook: the event is not valid UTF-8")
	case !json.Valid(data):
		return nil, errors.New("hook: the event is not one JSON value")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := decodeValue(dec, 0)
	if err != nil {
		return nil, err
	}
	obj, ok := v.(object)
	if !ok {
		return nil, errors.New("hook: the event is not a JSON object")
	}
	return obj, nil
}

func decodeValue(dec *json.Decoder, depth int) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("hook: reading the event: %w", err)
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth >= maxDepth {
		return nil, fmt.Errorf("hook: the event is nested more than %d levels deep", maxDepth)
	}
	if delim == '[' {
		list := []any{}
		for dec.More() {
			v, err := decodeValue(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = dec.Token()
		return list, err
	}
	obj := object{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("hook: reading the event: %w", err)
		}
		name, _ := key.(string) // json.Valid has seen to it
		if _, twice := obj[name]; twice {
			return nil, fmt.Errorf("hook: the event repeats the name %q", clip(name))
		}
		if obj[name], err = decodeValue(dec, depth+1); err != nil {
			return nil, err
		}
	}
	_, err = dec.Token()
	return obj, err
}

// text returns a member that must be a string if present.
func (ev object) text(name string) (string, error) {
	v, ok := ev[name]
	if !ok || v == nil {
		return "", nil
	}
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("hook: %s is %s, want a string", name, kind(v))
	}
	return s, nil
}

// required returns a member that must be a string that is not blank.
func (ev object) required(name string) (string, error) {
	s, err := ev.text(name)
	if err == nil && strings.TrimSpace(s) == "" {
		err = fmt.Errorf("hook: the event has no %s", name)
	}
	return s, err
}

// input returns a tool's input: an object, or (where the host writes it so) a string that holds one. Absent and "" count as {}.
func (ev object) input(name string) (object, error) {
	switch v := ev[name].(type) {
	case object:
		return v, nil
	case nil:
		return object{}, nil
	case string:
		if strings.TrimSpace(v) == "" {
			return object{}, nil
		}
		in, err := decodeObject([]byte(v))
		if err != nil {
			return nil, fmt.Errorf("hook: %s: %s", name, trimPrefix(err))
		}
		return in, nil
	default:
		return nil, fmt.Errorf("hook: %s is %s, want an object", name, kind(v))
	}
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}

func clip(s string) string { return clean(s, 80) }
