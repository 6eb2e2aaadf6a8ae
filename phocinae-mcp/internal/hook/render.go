package hook

import (
	"bytes"
	"encoding/json"
)

// render writes one answer: one line, first byte "{".
func render(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only strings in structs: cannot happen, and Run turns it into a refusal
	}
	return b.Bytes()
}

// specific is the answer shape that Claude Code introduced and Codex took over: only these members, in this order.
type specific struct {
	Output specificOutput `json:"hookSpecificOutput"`
}

type specificOutput struct {
	Event    string            `json:"hookEventName"`
	Verdict  string            `json:"permissionDecision,omitempty"`
	Reason   string            `json:"permissionDecisionReason,omitempty"`
	Decision *specificBehavior `json:"decision,omitempty"`
}

// specificBehavior answers PermissionRequest.
type specificBehavior struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message,omitempty"` // documented for deny
}

const (
	preToolUse        = "PreToolUse"
	permissionRequest = "PermissionRequest"
)

// renderSpecific answers either event. PermissionRequest fires when the host is about to ask a person: an ask there is silence, which lets it.
func renderSpecific(event string, v Verdict, reason string) []byte {
	if event != permissionRequest {
		return render(specific{specificOutput{Event: preToolUse, Verdict: v.String(), Reason: reason}})
	}
	if v == Ask {
		return nil
	}
	d := &specificBehavior{Behavior: v.String()}
	if v == Deny {
		d.Message = reason
	}
	return render(specific{specificOutput{Event: permissionRequest, Decision: d}})
}
