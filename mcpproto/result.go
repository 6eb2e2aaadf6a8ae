package mcpproto

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Result types of the modern era.
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
)

// Stamp is what a revision demands of every result, so that no handler can forget it. Modern results get resultType,
// the server's name and version in _meta, and, where Cache is set, ttlMs and cacheScope. Legacy results get none of
// these.
type Stamp struct {
	Version Version
	Server  jsontext.Value // encoded {name, version}; see [ServerInfo]
	Cache   *Cache         // nil: the method carries no cache members
}

// ServerInfo encodes the name and version of a server for [Stamp].
func ServerInfo(i Implementation) jsontext.Value {
	b := AppendString([]byte(`{"name":`), i.Name)
	b = AppendString(append(b, `,"version":`...), i.Version)
	return append(b, '}')
}

// AppendTool appends r as a stamped result object. It fails, with dst unchanged, if r holds something that is not
// valid JSON.
func (s *Stamp) AppendTool(dst []byte, r *ToolResult) ([]byte, error) {
	mark := len(dst)
	dst = s.open(dst)
	dst, err := r.appendMembers(dst, s.Version)
	if err != nil {
		return dst[:mark], err
	}
	if dst, err = s.close(dst, r.Meta); err != nil {
		return dst[:mark], err
	}
	return dst, nil
}

// AppendObject appends a stamped copy of an encoded result object: resultType (unless it has one of its own), the
// members of body, the cache members and _meta, into which the server's name goes. It fails, with dst unchanged, if
// body is not one JSON object. Members of body that the stamp owns are replaced.
func (s *Stamp) AppendObject(dst []byte, body jsontext.Value) ([]byte, error) {
	mark := len(dst)
	if s.Version.Era() != Modern && !bytes.Contains(body, []byte(`"resultType"`)) &&
		!bytes.Contains(body, []byte(`"ttlMs"`)) && !bytes.Contains(body, []byte(`"cacheScope"`)) {
		if !isObject(body) {
			return dst, errNotObject
		}
		return AppendRaw(dst, body)
	}
	members, err := objectMembers(body)
	if err != nil {
		return dst, err
	}
	dst = s.open(dst)
	var meta jsontext.Value
	for _, m := range members {
		switch m.Name {
		case "resultType", "ttlMs", "cacheScope":
			continue
		case "_meta":
			meta = m.Value
			continue
		}
		dst = appendComma(dst)
		dst = append(AppendString(dst, m.Name), ':')
		if dst, err = AppendRaw(dst, m.Value); err != nil {
			return dst[:mark], err
		}
	}
	if dst, err = s.close(dst, meta); err != nil {
		return dst[:mark], err
	}
	return dst, nil
}

// AppendNeed appends an input_required result object. Modern revisions only; the caller has called
// [InputRequired.Check].
func (s *Stamp) AppendNeed(dst []byte, n *InputRequired) ([]byte, error) {
	mark := len(dst)
	dst = append(dst, `{"resultType":"input_required"`...)
	if n.Requests != nil {
		b, err := Marshal(n.Requests)
		if err != nil {
			return dst[:mark], err
		}
		dst = append(append(dst, `,"inputRequests":`...), b...)
	}
	if n.State != "" {
		dst = AppendString(append(dst, `,"requestState":`...), n.State)
	}
	plain := Stamp{Version: s.Version, Server: s.Server}
	dst, err := plain.close(dst, n.Meta)
	if err != nil {
		return dst[:mark], err
	}
	return dst, nil
}

func (s *Stamp) open(dst []byte) []byte {
	if s.Version.Era() == Modern {
		return append(dst, `{"resultType":"complete",`...)
	}
	return append(dst, '{')
}

// close appends cache members, _meta and the closing brace.
func (s *Stamp) close(dst []byte, meta jsontext.Value) ([]byte, error) {
	if s.Version.Era() != Modern {
		if len(meta) > 0 && isObject(meta) {
			dst = append(appendComma(dst), `"_meta":`...)
			var err error
			if dst, err = AppendRaw(dst, meta); err != nil {
				return dst, err
			}
		}
		return append(trimComma(dst), '}'), nil
	}
	if s.Cache != nil {
		dst = append(appendComma(dst), `"ttlMs":`...)
		dst = appendInt(dst, s.Cache.ms())
		dst = append(dst, `,"cacheScope":"`...)
		dst = append(dst, s.Cache.scope()...)
		dst = append(dst, '"')
	}
	dst = append(appendComma(dst), `"_meta":{`...)
	if len(meta) > 0 && meta.Kind() != 'n' {
		members, err := objectMembers(meta)
		if err != nil {
			return dst, err
		}
		for _, m := range members {
			if m.Name == KeyServerInfo {
				continue
			}
			dst = append(AppendString(appendComma(dst), m.Name), ':')
			if dst, err = AppendRaw(dst, m.Value); err != nil {
				return dst, err
			}
		}
	}
	dst = append(appendComma(dst), `"`+KeyServerInfo+`":`...)
	dst = append(dst, s.Server...)
	return append(dst, `}}`...), nil
}

// appendComma appends a comma unless a member would come first.
func appendComma(dst []byte) []byte {
	if c := dst[len(dst)-1]; c == '{' || c == ',' {
		return dst
	}
	return append(dst, ',')
}

func trimComma(dst []byte) []byte {
	if dst[len(dst)-1] == ',' {
		return dst[:len(dst)-1]
	}
	return dst
}

// objectMembers returns the members of an object in their order.
func objectMembers(raw jsontext.Value) ([]Member, error) {
	if !isObject(raw) {
		return nil, errNotObject
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	var list []Member
	for d.PeekKind() != '}' {
		var name string
		if err := json.UnmarshalDecode(d, &name); err != nil {
			return nil, err
		}
		v, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		list = append(list, Member{name, v.Clone()})
	}
	_, err := d.ReadToken()
	return list, err
}
