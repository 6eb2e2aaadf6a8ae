package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/domain"
	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/safety"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

var update = flag.Bool("update", false, "rewrite the golden walk-throughs")

// walk drives the server as an agent would and writes down what was said on both sides, then the audit. Handles are
// random; in the text they are named in the order in which they came.
type walk struct {
	t       *testing.T
	client  *mcptest.Client
	text    bytes.Buffer
	audit   bytes.Buffer
	now     time.Time
	store   *domain.Store
	handles []string
}

func newWalk(t *testing.T) *walk {
	t.Helper()
	is := is.New(t)
	w := &walk{t: t, now: time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC), store: domain.NewStore(supplies, rules)}
	clock := func() time.Time { return w.now }
	sealer, err := mcpproto.NewStateSealer(bytes.Repeat([]byte{1}, 32))
	is.NoErr(err)
	server, err := newServer(w.store, safety.NewGate(sealer, handleLife, clock), safety.NewAudit(&w.audit, clock))
	is.NoErr(err) // every tool is registered
	w.client = mcptest.Connect(t, server, nil)
	return w
}

func (w *walk) say(format string, args ...any) { fmt.Fprintf(&w.text, "# "+format+"\n", args...) }

// call calls a tool and returns the handle in its result, "" if there is none.
func (w *walk) call(tool, arguments string) string {
	w.t.Helper()
	is := is.New(w.t)
	fmt.Fprintf(&w.text, "> %s %s\n", tool, w.named(arguments))
	result, err := w.client.Call(context.Background(), tool, json.RawMessage(arguments))
	if err != nil {
		fmt.Fprintf(&w.text, "< error: %v\n\n", err)
		return ""
	}
	text := result.Content[0].Text
	var out struct {
		Handle string `json:"handle"`
	}
	if !result.IsError {
		is.NoErr(json.Unmarshal([]byte(text), &out))
	}
	if out.Handle != "" {
		w.handles = append(w.handles, out.Handle)
	}
	mark := "<"
	if result.IsError {
		mark = "< refused:"
	}
	fmt.Fprintf(&w.text, "%s %s\n\n", mark, w.named(text))
	return out.Handle
}

func (w *walk) named(s string) string {
	for n, h := range w.handles {
		s = strings.ReplaceAll(s, h, fmt.Sprintf("HANDLE-%d", n+1))
	}
	return s
}

// done writes the end of the story and compares it with the golden file.
func (w *walk) done(name string, placed int) {
	w.t.Helper()
	is := is.New(w.t)
	is.Equal(len(w.store.Placed()), placed) // orders placed
	calls := strings.Count(w.text.String(), "\n> ")
	if strings.HasPrefix(w.text.String(), "> ") {
		calls++
	}
	is.Equal(strings.Count(w.audit.String(), "\n"), calls) // one audit record a call
	fmt.Fprintf(&w.text, "# %d placed. The audit:\n%s", placed, numbered(w.audit.String()))
	path := filepath.Join("testdata", name+".txt")
	if *update {
		is.NoErr(os.WriteFile(path, w.text.Bytes(), 0o600))
	}
	want, err := os.ReadFile(path)
	is.NoErr(err) // the golden walk-through; -update writes it
	if diff := cmp.Diff(string(want), w.text.String()); diff != "" {
		w.t.Errorf("the walk-through differs from %s (-golden +now):\n%s", path, diff)
	}
}

var digest = regexp.MustCompile(`"arguments":"([0-9a-f]{16})"`)

// numbered names argument digests in the order in which they came: those over a handle are as random as the handle.
func numbered(audit string) string {
	names := map[string]string{}
	return digest.ReplaceAllStringFunc(audit, func(found string) string {
		if names[found] == "" {
			names[found] = fmt.Sprintf(`"arguments":"DIGEST-%d"`, len(names)+1)
		}
		return names[found]
	})
}

const good = `{"lines":[{"sku":"BOLT-M6","quantity":4},{"sku":"WASHER-6","quantity":2}]}`

func submit(id, handle string) string {
	return fmt.Sprintf(`{"draft_id":%q,"handle":%q}`, id, handle)
}

func TestWalkHappyPath(t *testing.T) {
	w := newWalk(t)
	w.say("look, draft, read the preview, submit")
	w.call("search_inventory", `{"text":"M6"}`)
	w.call("draft_purchase_order", good)
	handle := w.call("review_draft", `{"draft_id":"PO-0001"}`)
	w.call("submit_purchase_order", submit("PO-0001", handle))
	w.done("happy-path", 1)
}

func TestWalkBlockedWithoutADraft(t *testing.T) {
	w := newWalk(t)
	w.say("submit what was never drafted, then what was drafted but without its handle")
	w.call("submit_purchase_order", `{"draft_id":"PO-0001"}`)
	w.call("draft_purchase_order", good)
	w.call("submit_purchase_order", `{"draft_id":"PO-0001"}`)
	w.done("blocked-without-draft", 0)
}

func TestWalkBlockedByAnotherDraftsHandle(t *testing.T) {
	w := newWalk(t)
	w.say("two drafts; the second is submitted with the first one's handle")
	first := w.call("draft_purchase_order", good)
	w.call("draft_purchase_order", `{"lines":[{"sku":"MOTOR-3P","quantity":2}]}`)
	w.call("submit_purchase_order", submit("PO-0002", first))
	w.done("blocked-other-draft", 0)
}

func TestWalkBlockedAfterAChange(t *testing.T) {
	w := newWalk(t)
	w.say("the draft is changed after it was read; the old handle is for the old order")
	handle := w.call("draft_purchase_order", good)
	w.call("draft_purchase_order", `{"draft_id":"PO-0001","lines":[{"sku":"BOLT-M6","quantity":50}]}`)
	w.call("submit_purchase_order", submit("PO-0001", handle))
	w.done("blocked-changed-draft", 0)
}

func TestWalkBlockedTheSecondTime(t *testing.T) {
	w := newWalk(t)
	w.say("the same submission twice orders once")
	handle := w.call("draft_purchase_order", good)
	w.call("submit_purchase_order", submit("PO-0001", handle))
	w.call("submit_purchase_order", submit("PO-0001", handle))
	w.done("blocked-twice", 1)
}

func TestWalkBlockedAfterExpiry(t *testing.T) {
	w := newWalk(t)
	w.say("eleven minutes between reading and submitting")
	handle := w.call("draft_purchase_order", good)
	w.now = w.now.Add(11 * time.Minute)
	w.call("submit_purchase_order", submit("PO-0001", handle))
	w.done("blocked-expired", 0)
}

func TestWalkBlockedByEveryProblemAtOnce(t *testing.T) {
	w := newWalk(t)
	w.say("unknown SKU, too many, enough in stock, over the budget: all told at once, and no handle is given")
	w.call("draft_purchase_order", `{"lines":[{"sku":"GHOST","quantity":1},{"sku":"NUT-M6","quantity":99},{"sku":"MOTOR-3P","quantity":3}]}`)
	w.say("arguments that break the schema are told at once too")
	w.call("draft_purchase_order", `{"lines":[{"sku":7},{"quantity":"two"}],"colour":"red"}`)
	w.done("blocked-problems", 0)
}
