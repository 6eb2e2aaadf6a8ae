package mcpproto_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

// reencode decodes raw into a T and encodes it again.
func reencode[T any](raw []byte) ([]byte, error) {
	v := new(T)
	if err := mcpproto.Unmarshal(raw, v); err != nil {
		return nil, err
	}
	return mcpproto.Marshal(v)
}

// head is what the stamp and paging add around a typed result.
type head struct {
	ResultType string         `json:"resultType,omitzero"`
	NextCursor string         `json:"nextCursor,omitzero"`
	TTLMS      *int64         `json:"ttlMs,omitzero"`
	CacheScope string         `json:"cacheScope,omitzero"`
	IsError    *bool          `json:"isError,omitzero"` // an explicit false is the default
	Meta       jsontext.Value `json:"_meta,omitzero"`
}

// result decodes raw into head and a T, and merges what both encode to.
func result[T any](raw []byte) ([]byte, error) {
	all := map[string]jsontext.Value{}
	for _, part := range []func([]byte) ([]byte, error){reencode[head], reencode[T]} {
		b, err := part(raw)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(b, &all); err != nil {
			return nil, err
		}
	}
	return mcpproto.Marshal(all)
}

// withoutID drops an id that one example has although its type has none.
func withoutID(f func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(raw []byte) ([]byte, error) {
		b, err := f(raw)
		return bytes.Replace(b, []byte("{"), []byte(`{"id":"list-roots-example",`), 1), err
	}
}

// response decodes the envelope of a result and then the result, with the decoder of its kind.
func response(result func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(raw []byte) ([]byte, error) {
		m, err := mcpproto.Decode(raw)
		if err != nil {
			return nil, err
		}
		b, err := result(m.Result)
		return append(append(mcpproto.AppendResultHead(nil, m.ID), b...), '}'), err
	}
}

// notification decodes the envelope of a notification and then its params, with their type.
func notification(params func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(raw []byte) ([]byte, error) {
		m, err := mcpproto.Decode(raw)
		if err != nil {
			return nil, err
		}
		b, err := params(m.Params.Raw())
		return mcpproto.AppendNotification(nil, m.Method, b), err
	}
}

func reencodeErrorResponse(raw []byte) ([]byte, error) {
	m, err := mcpproto.Decode(raw)
	if err != nil {
		return nil, err
	}
	e := new(wireError)
	if err := json.Unmarshal(m.Err, e, json.MatchCaseInsensitiveNames(true)); err != nil {
		return nil, err
	}
	return mcpproto.AppendError(nil, m.ID, (*mcpproto.Error)(e)), nil
}

// field decodes one field of a form. mcpproto has no type for fields: a form's schema is its author's text, and
// [mcpproto.ElicitParams] carries it whole. So the field goes through a form.
func field(raw []byte) ([]byte, error) {
	form := fmt.Appendf(nil, `{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"f":%s}}}`, raw)
	b, err := reencode[mcpproto.ElicitParams](form)
	if err != nil {
		return nil, err
	}
	if err := mcptest.CheckDefinition(mcpproto.LatestModern, "ElicitRequestFormParams", b); err != nil {
		return nil, err
	}
	var out struct {
		Requested struct {
			Properties map[string]jsontext.Value `json:"properties"`
		} `json:"requestedSchema"`
	}
	err = json.Unmarshal(b, &out)
	return out.Requested.Properties["f"], err
}

type wireError mcpproto.Error

func reencodeErrorObject(raw []byte) ([]byte, error) {
	e := new(wireError)
	if err := json.Unmarshal(raw, e, json.MatchCaseInsensitiveNames(true)); err != nil {
		return nil, err
	}
	b := mcpproto.AppendError(nil, mcpproto.ID{}, (*mcpproto.Error)(e))
	b = bytes.TrimPrefix(b, []byte(`{"jsonrpc":"2.0","error":`))
	return bytes.TrimSuffix(b, []byte("}")), nil
}

// modelled says how each example folder is decoded and encoded.
func modelled() map[string]func([]byte) ([]byte, error) {
	content := reencode[mcpproto.Content]
	contents := reencode[mcpproto.ResourceContents]
	m := map[string]func([]byte) ([]byte, error){
		"AudioContent": content, "ImageContent": content, "TextContent": content, "EmbeddedResource": content,
		"ResourceLink": content, "ToolUseContent": content, "ToolResultContent": content,
		"TextResourceContents": contents, "BlobResourceContents": contents,
		"Tool": reencode[mcpproto.Tool], "Resource": reencode[mcpproto.Resource], "Root": reencode[mcpproto.Root],
		"ClientCapabilities": reencode[mcpproto.ClientCapabilities],
		"ServerCapabilities": reencode[mcpproto.ServerCapabilities],
		"CallToolResult":     result[mcpproto.ToolResult],
		"GetPromptResult":    result[mcpproto.PromptResult],
		"ReadResourceResult": result[mcpproto.ReadResult],
		"CompleteResult": result[struct {
			Completion mcpproto.Completion `json:"completion"`
		}],
		"InputRequiredResult":       result[mcpproto.InputRequired],
		"SubscriptionsListenResult": result[struct{}], // has nothing of its own
		"ListToolsResult": result[struct {
			Tools []mcpproto.Tool `json:"tools"`
		}],
		"ListResourcesResult": result[struct {
			Resources []mcpproto.Resource `json:"resources"`
		}],
		"ListResourceTemplatesResult": result[struct {
			Templates []mcpproto.ResourceTemplate `json:"resourceTemplates"`
		}],
		"ListPromptsResult": result[struct {
			Prompts []mcpproto.Prompt `json:"prompts"`
		}],
		"DiscoverResult": result[struct {
			SupportedVersions []string                    `json:"supportedVersions"`
			Capabilities      mcpproto.ServerCapabilities `json:"capabilities"`
			Instructions      string                      `json:"instructions,omitzero"`
		}],
		"InputRequests":              reencode[mcpproto.InputRequests],
		"InputResponses":             reencode[mcpproto.InputResponses],
		"ElicitRequest":              reencode[mcpproto.InputRequest],
		"CreateMessageRequest":       reencode[mcpproto.InputRequest],
		"ElicitRequestFormParams":    reencode[mcpproto.ElicitParams],
		"ElicitRequestURLParams":     reencode[mcpproto.ElicitParams],
		"CreateMessageRequestParams": reencode[mcpproto.SampleParams],
		"ModelPreferences":           reencode[mcpproto.ModelPreferences],
		"SamplingMessage":            reencode[mcpproto.SamplingMessage],
		"CreateMessageResult":        reencode[mcpproto.SampleResult],
		"ElicitResult":               reencode[mcpproto.ElicitResult],
		"ListRootsResult":            reencode[mcpproto.RootsResult],
		"ListRootsRequest":           withoutID(reencode[mcpproto.InputRequest]),
		"ParseError":                 reencodeErrorObject, "InvalidParamsError": reencodeErrorObject,
		"InternalError": reencodeErrorObject, "MethodNotFoundError": reencodeErrorObject,
	}
	for _, name := range []string{
		"CallToolResult", "CompleteResult", "DiscoverResult", "GetPromptResult", "ListPromptsResult", "ListResourceTemplatesResult",
		"ListResourcesResult", "ListToolsResult", "ReadResourceResult", "SubscriptionsListenResult",
	} {
		m[name+"Response"] = response(m[name])
	}
	for name, params := range map[string]func([]byte) ([]byte, error){
		"Cancelled": reencode[mcpproto.CancelledParams], "LoggingMessage": reencode[mcpproto.LogParams],
		"Progress": reencode[mcpproto.ProgressParams], "ResourceUpdated": reencode[mcpproto.ResourceUpdatedParams],
		"PromptListChanged":         reencode[mcpproto.ListChangedParams],
		"ResourceListChanged":       reencode[mcpproto.ListChangedParams],
		"ToolListChanged":           reencode[mcpproto.ListChangedParams],
		"SubscriptionsAcknowledged": reencode[mcpproto.AcknowledgedParams],
	} {
		m[name+"NotificationParams"] = params
		m[name+"Notification"] = notification(params)
	}
	for _, name := range []string{"HeaderMismatchError", "MissingRequiredClientCapabilityError", "UnsupportedProtocolVersionError"} {
		m[name] = reencodeErrorResponse
	}
	for _, name := range []string{
		"BooleanSchema", "NumberSchema", "StringSchema", "TitledMultiSelectEnumSchema", "TitledSingleSelectEnumSchema",
		"UntitledMultiSelectEnumSchema", "UntitledSingleSelectEnumSchema",
	} {
		m[name] = field
	}
	for _, name := range []string{
		"CallToolRequest", "CompleteRequest", "DiscoverRequest", "GetPromptRequest", "ListPromptsRequest",
		"ListResourceTemplatesRequest", "ListResourcesRequest", "ListToolsRequest", "ReadResourceRequest", "SubscriptionsListenRequest",
	} {
		m[name] = reencodeRequest
	}
	for name, method := range map[string]string{
		"CallToolRequestParams": mcpproto.MethodToolsCall, "CompleteRequestParams": mcpproto.MethodComplete,
		"GetPromptRequestParams": mcpproto.MethodPromptsGet, "PaginatedRequestParams": mcpproto.MethodToolsList,
	} {
		m[name] = requestParams(method)
	}
	return m
}

// TestExamples takes every example of the specification through the decoder that the library has for its kind, and
// encodes what came out.
func TestExamples(t *testing.T) {
	is := is.New(t)
	files, err := filepath.Glob("testdata/examples/*/*.json")
	is.NoErr(err)
	is.Equal(len(files), 129) // the whole published set
	how := modelled()
	for _, file := range files {
		kind := filepath.Base(filepath.Dir(file))
		t.Run(kind+"/"+filepath.Base(file), func(t *testing.T) {
			is := is.New(t)
			is.True(how[kind] != nil) // no kind is left out
			raw, err := os.ReadFile(file)
			is.NoErr(err)
			got, err := how[kind](raw)
			is.NoErr(err)
			want, err := mcpproto.Canonical(raw)
			is.NoErr(err)
			same, err := mcpproto.Canonical(got)
			is.NoErr(err)
			is.Equal(string(same), string(want)) // equal JSON
		})
	}
}
