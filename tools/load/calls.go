package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
)

// call is one kind of tools/call and what its answer may be.
type call struct {
	name      string
	arguments string
	// judge reports an answer that breaks a promise; dead says that the service was already gone when the call was made.
	judge func(answer []byte, dead bool) error
}

// decides reports whether the answer holds that decision; "" stands for any. It looks at the text block, which every
// revision carries, with its quotes escaped: structured content is younger than the oldest clients.
func decides(answer []byte, word string) bool {
	key := `\"decision\":\"`
	if word != "" {
		key += word + `\"`
	}
	return bytes.Contains(answer, []byte(key))
}

func decision(want string) func([]byte, bool) error {
	return func(answer []byte, _ bool) error {
		if !decides(answer, want) {
			return fmt.Errorf("want %s, got %.300s", want, answer)
		}
		return nil
	}
}

// grounded commands may be allowed while the service lives and never after it died.
func grounded(answer []byte, dead bool) error {
	if dead && decides(answer, "allow") {
		return fmt.Errorf("allowed without a service: %.300s", answer)
	}
	if !decides(answer, "") {
		return fmt.Errorf("no decision: %.300s", answer)
	}
	return nil
}

func answeredSomehow(answer []byte, _ bool) error {
	if !bytes.Contains(answer, []byte(`"result"`)) && !bytes.Contains(answer, []byte(`"error"`)) {
		return fmt.Errorf("neither result nor error: %.300s", answer)
	}
	if decides(answer, "allow") {
		return fmt.Errorf("allowed: %.300s", answer)
	}
	return nil
}

var calls = []call{
	{"gate", `{"command":"git status"}`, decision("allow")},
	{"gate", `{"command":"ls && rm -rf ~"}`, decision("deny")},
	{"gate", `{"command":"slowtool --wait"}`, decision("deny")}, // undecided, and the service says no or is gone
	{"gate", `{"command":"grounded-tool --go"}`, grounded},
	{"gate", `{"comand":"ls"}`, answeredSomehow},
	{"gate", `{}`, answeredSomehow},
	{"classify", `{"state":"the printer is on fire","labels":["hardware","billing"]}`, answeredSomehow},
	{"route", `{"state":"find a file","tools":["grep","mail"]}`, answeredSomehow},
	{"score", `{"state":"a tidy commit","criteria":["clarity"]}`, answeredSomehow},
	{"score", `{"state":"","criteria":[]}`, answeredSomehow},
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func (c call) request(id int, modern bool) []byte {
	b := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s`, id, c.name, c.arguments)
	if modern {
		b = append(b, ","+meta...)
	}
	return append(b, "}}\n"...)
}

// idOf reads the number behind "id": of an answer, -1 without one.
func idOf(answer []byte) int {
	_, rest, ok := bytes.Cut(answer, []byte(`"id":`))
	if !ok {
		return -1
	}
	end := bytes.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	id, err := strconv.Atoi(string(rest[:end]))
	if err != nil {
		return -1
	}
	return id
}

// tally counts what happened; safe for concurrent use.
type tally struct {
	answered, vanished, slow atomic.Int64
	dead                     atomic.Bool
	peakMiB                  atomic.Int64
	mu                       sync.Mutex
	broken                   []error
	more                     int
}

func newTally() *tally { return &tally{} }

// fail keeps the first ten broken promises.
func (t *tally) fail(err error) {
	if err == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.broken) < 10 {
		t.broken = append(t.broken, err)
	} else {
		t.more++
	}
}

func (t *tally) problems() []error {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := append([]error(nil), t.broken...)
	if t.more > 0 {
		all = append(all, fmt.Errorf("and %d more", t.more))
	}
	if peak := t.peakMiB.Load(); peak > maxMemoryMiB {
		all = append(all, fmt.Errorf("peak memory %d MiB, at most %d expected", peak, maxMemoryMiB))
	}
	if t.answered.Load() == 0 {
		all = append(all, errors.New("no call was answered"))
	}
	return all
}

func (t *tally) String() string {
	return fmt.Sprintf("%d calls answered, %d clients vanished, %d were slow, peak memory %d MiB, no promise broken",
		t.answered.Load(), t.vanished.Load(), t.slow.Load(), t.peakMiB.Load())
}

func pick(r *rand.Rand) call { return calls[r.IntN(len(calls))] }
