package safety_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/safety"
	"github.com/phocinae/phocinae-go/mcpproto/mcpserver"
)

func noon() time.Time { return time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC) }

// TestAudit is the pattern "structured audit": every call leaves one record, refused ones above all.
func TestAudit(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome mcpserver.Outcome
		want    string // outcome
		reason  string
	}{
		{"a served call", mcpserver.Outcome{Fate: mcpserver.Served, Result: mcpproto.TextResult("fine")}, "done", ""},
		{"a refused one", mcpserver.Outcome{Fate: mcpserver.Served, Result: mcpproto.ErrorResult("no handle")}, "refused", "no handle"},
		{"an unknown tool", mcpserver.Outcome{Fate: mcpserver.UnknownTool, Err: mcpproto.InvalidParams("unknown tool")}, "failed", "unknown tool"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			tt.outcome.Call = &mcpserver.Call{Name: "submit", Arguments: jsontext.Value(`{"a":1}`)}
			var log bytes.Buffer
			audit := safety.NewAudit(&log, noon)
			audit.Observe(&tt.outcome)
			is.Equal(strings.Count(log.String(), "\n"), 1) // one record
			var r safety.Record
			is.NoErr(json.Unmarshal(log.Bytes(), &r))
			is.Equal(r.Outcome, tt.want)
			is.Equal(r.Reason, tt.reason)
			is.Equal(r.Seq, 1)
			is.Equal(r.Time, "2026-07-28T12:00:00.000Z")
			is.Equal(len(r.Arguments), 16) // a digest, not the arguments
		})
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestUnrecordedCallDoesNotCount: when the record cannot be written the answer is taken back.
func TestUnrecordedCallDoesNotCount(t *testing.T) {
	is := is.New(t)
	o := mcpserver.Outcome{Fate: mcpserver.Served, Call: &mcpserver.Call{}, Result: mcpproto.TextResult("placed")}
	safety.NewAudit(fullDisk{}, noon).Observe(&o)
	is.True(o.Result.IsError)
}
