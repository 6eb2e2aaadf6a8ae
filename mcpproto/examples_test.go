package mcpproto_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
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

func reencodeMessage(raw []byte) ([]byte, error) {
	m, err := mcpproto.Decode(raw)
	if err != nil {
		return nil, err
	}
	switch {
	case m.Kind == mcpproto.Request:
		return mcpproto.AppendRequest(nil, m.ID, m.Method, m.Params.Raw()), nil
	case m.Kind == mcpproto.Notification:
		return mcpproto.AppendNotification(nil, m.Method, m.Params.Raw()), nil
	case m.Err != nil:
		e := new(mcpproto.Error)
		if err := json.Unmarshal(m.Err, (*wireError)(e), json.MatchCaseInsensitiveNames(true)); err != nil {
			return nil, err
		}
		return mcpproto.AppendError(nil, m.ID, e), nil
	}
	return append(append(mcpproto.AppendResultHead(nil, m.ID), m.Result...), '}'), nil
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
		"InputRequiredResult": result[mcpproto.InputRequired],
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
		"CallToolRequest", "CompleteRequest", "DiscoverRequest", "GetPromptRequest", "ListPromptsRequest",
		"ListResourceTemplatesRequest", "ListResourcesRequest", "ListToolsRequest", "ReadResourceRequest",
		"SubscriptionsListenRequest", "CallToolResultResponse", "CompleteResultResponse", "DiscoverResultResponse",
		"GetPromptResultResponse", "ListPromptsResultResponse", "ListResourceTemplatesResultResponse",
		"ListResourcesResultResponse", "ListToolsResultResponse", "ReadResourceResultResponse",
		"SubscriptionsListenResultResponse", "CancelledNotification", "LoggingMessageNotification",
		"ProgressNotification", "PromptListChangedNotification", "ResourceListChangedNotification",
		"ResourceUpdatedNotification", "SubscriptionsAcknowledgedNotification", "ToolListChangedNotification",
		"HeaderMismatchError", "MissingRequiredClientCapabilityError", "UnsupportedProtocolVersionError",
	} {
		m[name] = reencodeMessage
	}
	return m
}

// unmodelled are params that only occur inside a request, and schemas of form fields, which stay raw.
const unmodelled = " BooleanSchema CallToolRequestParams CancelledNotificationParams CompleteRequestParams " +
	"GetPromptRequestParams LoggingMessageNotificationParams NumberSchema PaginatedRequestParams " +
	"ProgressNotificationParams ResourceUpdatedNotificationParams StringSchema SubscriptionsListenResult " +
	"TitledMultiSelectEnumSchema TitledSingleSelectEnumSchema UntitledMultiSelectEnumSchema " +
	"UntitledSingleSelectEnumSchema "

// TestExamples takes every example of the specification whose type is modelled through decoding and encoding.
func TestExamples(t *testing.T) {
	is := is.New(t)
	files, err := filepath.Glob("testdata/examples/*/*.json")
	is.NoErr(err)
	is.True(len(files) > 100)
	how := modelled()
	for _, file := range files {
		kind := filepath.Base(filepath.Dir(file))
		f, ok := how[kind]
		if !ok {
			is.True(strings.Contains(unmodelled, " "+kind+" ")) // every folder is either modelled or named as not
			continue
		}
		t.Run(kind+"/"+filepath.Base(file), func(t *testing.T) {
			is := is.New(t)
			raw, err := os.ReadFile(file)
			is.NoErr(err)
			got, err := f(raw)
			is.NoErr(err)
			want, err := mcpproto.Canonical(raw)
			is.NoErr(err)
			same, err := mcpproto.Canonical(got)
			is.NoErr(err)
			is.Equal(string(same), string(want)) // equal JSON
		})
	}
}
