package mcpproto

// Methods and notifications of all revisions that a server meets.
const (
	MethodDiscover              = "server/discover"
	MethodInitialize            = "initialize"
	MethodPing                  = "ping"
	MethodToolsList             = "tools/list"
	MethodToolsCall             = "tools/call"
	MethodResourcesList         = "resources/list"
	MethodResourceTemplatesList = "resources/templates/list"
	MethodResourcesRead         = "resources/read"
	MethodResourcesSubscribe    = "resources/subscribe"
	MethodResourcesUnsubscribe  = "resources/unsubscribe"
	MethodPromptsList           = "prompts/list"
	MethodPromptsGet            = "prompts/get"
	MethodComplete              = "completion/complete"
	MethodSetLevel              = "logging/setLevel"
	MethodListen                = "subscriptions/listen"

	MethodElicit = "elicitation/create"     // server to client
	MethodSample = "sampling/createMessage" // server to client
	MethodRoots  = "roots/list"             // server to client

	NoteInitialized      = "notifications/initialized"
	NoteCancelled        = "notifications/cancelled"
	NoteProgress         = "notifications/progress"
	NoteMessage          = "notifications/message"
	NoteToolsChanged     = "notifications/tools/list_changed"
	NotePromptsChanged   = "notifications/prompts/list_changed"
	NoteResourcesChanged = "notifications/resources/list_changed"
	NoteResourceUpdated  = "notifications/resources/updated"
	NoteRootsChanged     = "notifications/roots/list_changed"
	NoteAcknowledged     = "notifications/subscriptions/acknowledged"
)

// intern returns the constant for a name that is part of the protocol, so that decoding the usual messages
// allocates no names.
func intern(b []byte) string {
	switch string(b) {
	case MethodToolsCall:
		return MethodToolsCall
	case MethodToolsList:
		return MethodToolsList
	case MethodDiscover:
		return MethodDiscover
	case MethodInitialize:
		return MethodInitialize
	case MethodPing:
		return MethodPing
	case MethodResourcesList:
		return MethodResourcesList
	case MethodResourceTemplatesList:
		return MethodResourceTemplatesList
	case MethodResourcesRead:
		return MethodResourcesRead
	case MethodPromptsList:
		return MethodPromptsList
	case MethodPromptsGet:
		return MethodPromptsGet
	case MethodComplete:
		return MethodComplete
	case MethodListen:
		return MethodListen
	case NoteInitialized:
		return NoteInitialized
	case NoteCancelled:
		return NoteCancelled
	case "name":
		return "name"
	case "arguments":
		return "arguments"
	case "uri":
		return "uri"
	case "cursor":
		return "cursor"
	case "requestState":
		return "requestState"
	case "inputResponses":
		return "inputResponses"
	case "requestId":
		return "requestId"
	case "protocolVersion":
		return "protocolVersion"
	case "capabilities":
		return "capabilities"
	case "clientInfo":
		return "clientInfo"
	case "_meta":
		return "_meta"
	}
	return string(b)
}
