package mcptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/phocinae/phocinae-go/mcpproto"
)

// Check reports whether message, one JSON text as it travels, is a valid message of a revision in
// a direction. answers names the method of the request that a response answers; it is "" for
// requests, for notifications and for errors that answer no readable request.
//
// What is checked: the JSON-RPC envelope; params against the method's definition; results against
// the definition of the answered method's result, and for 2026-07-28 also the resultType rules;
// results of methods no revision has, which a server may add, against the definition "Result";
// errors against the definition of their code. Legacy results may not carry resultType, ttlMs or
// cacheScope, and no error may use a code from -32000 to -32099 the revision does not define. An
// error without an id is checked against 2025-11-25, the first revision that allows it. An array is
// legal only in 2025-03-26, not empty, and each element is checked; answers is then ignored for
// results, because a batch answers several methods: use CheckBatch.
//
// Errors: ErrUnknownRevision, ErrUnknownMethod, or one that lists every violation with its location.
// Safe for concurrent use.
func Check(revision mcpproto.Version, dir Direction, answers string, message []byte) error {
	return check(revision, dir, func(string) string { return answers }, message)
}

// CheckBatch is Check for a message that may be an array: answers maps the raw JSON of a response's
// id (such as 7 or "a") to the method of the request it answers.
func CheckBatch(revision mcpproto.Version, dir Direction, answers map[string]string, message []byte) error {
	return check(revision, dir, func(id string) string { return answers[id] }, message)
}

func check(revision mcpproto.Version, dir Direction, answers func(id string) string, message []byte) error {
	s, err := schemaOf(revision)
	if err != nil {
		return err
	}
	if dir != ToServer && dir != ToClient {
		return errors.New("mcptest: invalid direction")
	}
	v, err := parse(message)
	if err != nil {
		return err
	}
	batch, ok := v.([]any)
	if !ok {
		return s.message(dir, answers, v)
	}
	if revision != mcpproto.Version20250326 {
		return fmt.Errorf("mcptest: %s has no batches", revision)
	}
	if len(batch) == 0 {
		return errors.New("mcptest: empty batch")
	}
	for i, element := range batch {
		if err := s.message(dir, answers, element); err != nil {
			return fmt.Errorf("batch element %d: %w", i, err)
		}
	}
	return nil
}

// message checks one object.
func (s *schema) message(dir Direction, answers func(id string) string, v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return errors.New("mcptest: a message is an object")
	}
	for name := range m {
		if !slices.Contains([]string{"jsonrpc", "id", "method", "params", "result", "error"}, name) {
			return fmt.Errorf("mcptest: unknown member %q in the envelope", name)
		}
	}
	_, isCall := m["method"]
	_, isResult := m["result"]
	_, isError := m["error"]
	id, hasID := m["id"]
	switch {
	case isCall && !isResult && !isError && hasID:
		return s.call(s.requests[dir], "JSONRPCRequest", m)
	case isCall && !isResult && !isError:
		return s.call(s.notices[dir], "JSONRPCNotification", m)
	case isResult && !isError && !isCall:
		return s.result(dir, answers(rawID(id)), m)
	case isError && !isResult && !isCall:
		return s.failure(m, hasID)
	}
	return errors.New("mcptest: neither request, notification, result nor error")
}

// rawID is the id as JSON text, good enough for looking up what a test itself sent.
func rawID(id any) string {
	b, err := json.Marshal(id)
	if err != nil {
		return ""
	}
	return string(b)
}

func (s *schema) call(known map[string]string, envelope string, m map[string]any) error {
	if err := s.validate(envelope, m); err != nil {
		return err
	}
	method, _ := m["method"].(string)
	definition, ok := known[method]
	if !ok {
		return fmt.Errorf("%w: %q in %s", ErrUnknownMethod, method, s.revision)
	}
	return s.validate(definition, m)
}

func (s *schema) result(dir Direction, method string, m map[string]any) error {
	envelope := "JSONRPCResponse"
	if _, ok := s.defs["JSONRPCResultResponse"]; ok {
		envelope = "JSONRPCResultResponse"
	}
	result, _ := m["result"].(map[string]any)
	if s.revision != mcpproto.Version20260728 {
		for _, name := range []string{"resultType", "ttlMs", "cacheScope"} {
			if _, ok := result[name]; ok {
				return fmt.Errorf("mcptest: a result of %s carries %s, which only 2026-07-28 has", s.revision, name)
			}
		}
	}
	if err := s.validate(envelope, m); err != nil {
		return err
	}
	definition, err := s.resultDefinition(dir, method, result)
	if err != nil {
		return err
	}
	return s.validate(definition, result)
}

// resultDefinition picks the definition of a result. For 2026-07-28 resultType decides between the
// complete result and the request for input (basic/patterns/mrtr).
func (s *schema) resultDefinition(dir Direction, method string, result map[string]any) (string, error) {
	definition, ok := resultOf[dir][method]
	if !ok && (method == "" || specified(method)) {
		return "", fmt.Errorf("%w: a result for %q", ErrUnknownMethod, method)
	}
	if _, known := s.requests[dir.reverse()][method]; ok && !known && dir == ToClient {
		return "", fmt.Errorf("%w: a result for %q in %s", ErrUnknownMethod, method, s.revision)
	}
	if !ok {
		definition = "Result"
	}
	if s.revision != mcpproto.Version20260728 {
		return definition, nil
	}
	switch kind, _ := result["resultType"].(string); kind {
	case "complete":
		return definition, nil
	case "input_required":
		return "InputRequiredResult", inputRules(method, result)
	default:
		return "", fmt.Errorf("mcptest: resultType is %q", kind)
	}
}

// specified reports whether any revision knows a request of that method, in either direction.
func specified(method string) bool {
	_, client := resultOf[ToClient][method]
	_, server := resultOf[ToServer][method]
	return client || server
}

// inputRules are what the schema of an input_required result cannot say.
func inputRules(method string, result map[string]any) error {
	if !slices.Contains([]string{"tools/call", "prompts/get", "resources/read"}, method) {
		return fmt.Errorf("mcptest: %s may not ask for input", method)
	}
	requests, _ := result["inputRequests"].(map[string]any)
	_, state := result["requestState"]
	if len(requests) == 0 && !state {
		return errors.New("mcptest: input_required with neither inputRequests nor requestState")
	}
	for _, name := range []string{"ttlMs", "cacheScope"} {
		if _, ok := result[name]; ok {
			return fmt.Errorf("mcptest: input_required carries %s", name)
		}
	}
	return nil
}

func (d Direction) reverse() Direction {
	if d == ToServer {
		return ToClient
	}
	return ToServer
}

// resultOf maps the method that is answered to the definition of its result.
var resultOf = map[Direction]map[string]string{
	ToClient: {
		"initialize":               "InitializeResult",
		"ping":                     "EmptyResult",
		"logging/setLevel":         "EmptyResult",
		"resources/subscribe":      "EmptyResult",
		"resources/unsubscribe":    "EmptyResult",
		"server/discover":          "DiscoverResult",
		"tools/list":               "ListToolsResult",
		"tools/call":               "CallToolResult",
		"resources/list":           "ListResourcesResult",
		"resources/templates/list": "ListResourceTemplatesResult",
		"resources/read":           "ReadResourceResult",
		"prompts/list":             "ListPromptsResult",
		"prompts/get":              "GetPromptResult",
		"completion/complete":      "CompleteResult",
		"subscriptions/listen":     "SubscriptionsListenResult",
	},
	ToServer: {
		"ping":                   "EmptyResult",
		"sampling/createMessage": "CreateMessageResult",
		"roots/list":             "ListRootsResult",
		"elicitation/create":     "ElicitResult",
	},
}

// failure checks an error response. The codes are those of 2026-07-28, basic/index, "Error codes".
func (s *schema) failure(m map[string]any, hasID bool) error {
	if !hasID && s.defs["JSONRPCErrorResponse"] == nil {
		newer, err := schemaOf(mcpproto.Version20251125)
		if err != nil {
			return err
		}
		return newer.failure(m, false)
	}
	envelope := "JSONRPCError"
	if _, ok := s.defs["JSONRPCErrorResponse"]; ok {
		envelope = "JSONRPCErrorResponse"
	}
	if err := s.validate(envelope, m); err != nil {
		return err
	}
	body, _ := m["error"].(map[string]any)
	number, _ := body["code"].(json.Number)
	code, err := number.Int64()
	if err != nil {
		return fmt.Errorf("mcptest: error code %q", number)
	}
	definition, whole := errorDefinition(s.revision, code)
	switch {
	case definition == "" && code >= -32099 && code <= -32000 && !legacyCode(s.revision, code):
		return fmt.Errorf("mcptest: error code %d is reserved and not defined by %s", code, s.revision)
	case definition == "":
		return nil
	case whole:
		return s.validate(definition, m)
	}
	return s.validate(definition, body)
}

// errorDefinition names the definition for a code of 2026-07-28 and whether it describes the whole
// response or only its error member.
func errorDefinition(revision mcpproto.Version, code int64) (name string, whole bool) {
	if revision != mcpproto.Version20260728 {
		return "", false
	}
	switch code {
	case -32700:
		return "ParseError", false
	case -32600:
		return "InvalidRequestError", false
	case -32601:
		return "MethodNotFoundError", false
	case -32602:
		return "InvalidParamsError", false
	case -32603:
		return "InternalError", false
	case -32020:
		return "HeaderMismatchError", true
	case -32021:
		return "MissingRequiredClientCapabilityError", true
	case -32022:
		return "UnsupportedProtocolVersionError", true
	}
	return "", false
}

// legacyCode reports whether a legacy revision may use a code of the reserved range: resource not
// found (server/resources, "Error Handling"), and the header and version errors that answer HTTP
// requests whose era could not be told.
func legacyCode(revision mcpproto.Version, code int64) bool {
	switch code {
	case -32002, -32020, -32022:
		return revision != mcpproto.Version20260728
	case -32042: // URL elicitation required
		return revision == mcpproto.Version20251125
	}
	return false
}
