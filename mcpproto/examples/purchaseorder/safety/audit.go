package safety

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

// Record is one call in the audit. Arguments are kept as a digest: the audit says that something was asked, not all of it.
type Record struct {
	Time      string `json:"ts"` // RFC 3339, milliseconds, UTC
	Seq       int    `json:"seq"`
	Tool      string `json:"tool"`
	Era       string `json:"era"`
	Arguments string `json:"arguments"` // SHA-256 of the canonical arguments, first 16 hexadecimal digits
	Outcome   string `json:"outcome"`   // "done", "refused" (the result is marked as error) or "failed" (a protocol error)
	Fate      string `json:"fate"`      // what the server did with the call
	Reason    string `json:"reason,omitzero"`
}

// Audit writes one JSON line for every tools/call, whatever became of it. Use Observe as mcpserver.Options.Observe.
// If a record cannot be written, the call's answer is replaced by an error: a change that nobody will know of is refused.
type Audit struct {
	now func() time.Time

	mu  sync.Mutex
	w   io.Writer
	seq int
}

// NewAudit returns an audit that writes to w, one Write a record.
func NewAudit(w io.Writer, now func() time.Time) *Audit { return &Audit{w: w, now: now} }

// Observe writes the record of one call.
func (a *Audit) Observe(o *mcpserver.Outcome) {
	r := Record{Tool: o.Call.Name, Era: o.Call.Era.String(), Fate: o.Fate.String()}
	if digest, err := mcpproto.DigestParams(o.Call.Arguments); err == nil {
		r.Arguments = fmt.Sprintf("%x", digest[:8])
	}
	switch {
	case o.Err != nil:
		r.Outcome, r.Reason = "failed", o.Err.Message
	case o.Result.IsError:
		r.Outcome, r.Reason = "refused", firstText(o.Result)
	default:
		r.Outcome = "done"
	}
	if err := a.write(r); err != nil {
		o.Result, o.Err = mcpproto.ErrorResult("the call could not be recorded, so its outcome must not count; tell the operator"), nil
	}
}

func (a *Audit) write(r Record) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seq++
	r.Seq, r.Time = a.seq, a.now().UTC().Format("2006-01-02T15:04:05.000Z")
	line, err := mcpproto.Marshal(r)
	if err != nil {
		return err
	}
	_, err = a.w.Write(append(line, '\n'))
	return err
}

func firstText(r *mcpproto.ToolResult) string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}
