package approval

import (
	"crypto/sha256"
	"sync"
	"time"
)

// Limits of a Memory.
const (
	DeclineTime = 60 * time.Second
	MaxPrompts  = 30 // in PromptTime
	PromptTime  = time.Minute
	maxDeclined = 4096
)

// Memory keeps people from being worn down: it remembers what was declined a moment ago and how many forms went out.
type Memory struct {
	now      func() time.Time
	mu       sync.Mutex
	declined map[[32]byte]time.Time // until when
	sent     [MaxPrompts]time.Time  // ring of the last prompts
	next     int
}

// NewMemory makes an empty memory. A nil clock is time.Now.
func NewMemory(now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	return &Memory{now: now, declined: map[[32]byte]time.Time{}}
}

// Key identifies what was declined: one principal's call with one set of arguments.
func Key(principal string, arguments []byte) [32]byte {
	h := sha256.New()
	p := sha256.Sum256([]byte(principal))
	h.Write(p[:])
	h.Write(arguments)
	return [32]byte(h.Sum(nil))
}

// Decline remembers a refusal. A full memory forgets expired entries first and, if there are none, all: the worst outcome
// is one more question to a person.
func (m *Memory) Decline(key [32]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if len(m.declined) >= maxDeclined {
		for k, until := range m.declined {
			if !now.Before(until) {
				delete(m.declined, k)
			}
		}
		if len(m.declined) >= maxDeclined {
			clear(m.declined)
		}
	}
	m.declined[key] = now.Add(DeclineTime)
}

// Declined reports whether the same was declined within DeclineTime.
func (m *Memory) Declined(key [32]byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	until, ok := m.declined[key]
	if ok && !m.now().Before(until) {
		delete(m.declined, key)
		return false
	}
	return ok
}

// Prompt takes one of the MaxPrompts forms that may go out in PromptTime and reports whether there was one.
func (m *Memory) Prompt() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	oldest := m.sent[m.next]
	if !oldest.IsZero() && now.Sub(oldest) < PromptTime {
		return false
	}
	m.sent[m.next] = now
	m.next = (m.next + 1) % MaxPrompts
	return true
}
