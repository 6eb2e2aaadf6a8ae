package mcpproto

import "github.com/go-json-experiment/json/jsontext"

// ProgressParams are the params of notifications/progress. MCP 2026-07-28, basic/utilities/progress.
type ProgressParams struct {
	Token    ID             `json:"progressToken"` // as the request gave it
	Progress float64        `json:"progress"`      // increases from one notification to the next
	Total    float64        `json:"total,omitzero"`
	Message  string         `json:"message,omitzero"` // from 2025-03-26 on
	Meta     jsontext.Value `json:"_meta,omitzero"`
}

// LogParams are the params of notifications/message. MCP 2026-07-28, server/utilities/logging.
type LogParams struct {
	Level  LogLevel       `json:"level"`
	Logger string         `json:"logger,omitzero"`
	Data   jsontext.Value `json:"data"` // any JSON value
	Meta   jsontext.Value `json:"_meta,omitzero"`
}

// CancelledParams are the params of notifications/cancelled, which either side may send about a request of its own;
// a server of 2026-07-28 sends it at the end of a subscription only. MCP 2026-07-28, basic/utilities/cancellation.
type CancelledParams struct {
	RequestID ID             `json:"requestId"`
	Reason    string         `json:"reason,omitzero"` // for people
	Meta      jsontext.Value `json:"_meta,omitzero"`
}

// ListChangedParams are the params of the three notifications that a list changed. A legacy server sends none.
type ListChangedParams struct {
	Meta jsontext.Value `json:"_meta,omitzero"` // 2026-07-28: names the subscription, under KeySubscriptionID
}

// ResourceUpdatedParams are the params of notifications/resources/updated. MCP 2026-07-28, server/resources.
type ResourceUpdatedParams struct {
	URI  string         `json:"uri"`
	Meta jsontext.Value `json:"_meta,omitzero"`
}

// SubscriptionFilter says what a subscription is about: the notifications member of subscriptions/listen, and of its
// acknowledgement, where it is the part that the server grants. MCP 2026-07-28, basic/patterns/subscriptions.
type SubscriptionFilter struct {
	Tools     bool     `json:"toolsListChanged,omitzero"`
	Prompts   bool     `json:"promptsListChanged,omitzero"`
	Resources bool     `json:"resourcesListChanged,omitzero"`
	URIs      []string `json:"resourceSubscriptions,omitempty"` // of resources whose updates are wanted
}

// AcknowledgedParams are the params of notifications/subscriptions/acknowledged, the first message of a subscription.
type AcknowledgedParams struct {
	Notifications SubscriptionFilter `json:"notifications"`
	Meta          jsontext.Value     `json:"_meta,omitzero"`
}
