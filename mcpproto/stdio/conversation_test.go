package stdio_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/internal/wiretest"
	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
)

// TestConversations plays the recorded conversations over pipes and checks every message against the schema of its
// revision.
func TestConversations(t *testing.T) {
	is := is.New(t)
	all, err := wiretest.Load("../testdata/wire")
	is.NoErr(err)
	for _, c := range all {
		if c.Only == "http" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			is := is.New(t)
			p := newPeer(t, nil, nil)
			saved, checked := wiretest.Saved{}, newChecker()
			for i, s := range c.Steps {
				for _, l := range s.Client {
					l = saved.Expand(l)
					checked.sent(l)
					p.send(l)
				}
				got := p.recv(len(s.Server))
				if err := saved.MatchAll(s.Server, got); err != nil {
					t.Fatalf("step %d: %v", i+1, err)
				}
				for _, l := range got {
					if err := checked.received(l); err != nil {
						t.Errorf("step %d: %s: %v", i+1, l, err)
					}
				}
			}
			rest, err := p.end()
			is.NoErr(err)          // the end of input is no error
			is.Equal(len(rest), 0) // nothing is sent that was not expected
		})
	}
}

// checker knows which revision and method each message of the server belongs to.
type checker struct {
	legacy  mcpproto.Version
	last    mcpproto.Version            // of the last request, for notifications
	methods map[string]string           // by raw id
	version map[string]mcpproto.Version // by raw id
}

func newChecker() *checker {
	return &checker{
		legacy: mcpproto.EarliestKnown, last: mcpproto.EarliestKnown,
		methods: map[string]string{}, version: map[string]mcpproto.Version{},
	}
}

func (c *checker) sent(line string) {
	m, err := mcpproto.Decode([]byte(line))
	if items, e := mcpproto.DecodeBatch([]byte(line)); e == nil {
		for _, it := range items {
			if it.Message != nil {
				c.note(it.Message)
			}
		}
	}
	if err == nil {
		c.note(m)
	}
}

func (c *checker) note(m *mcpproto.Message) {
	if m.Kind != mcpproto.Request {
		return
	}
	v := c.legacy
	if era, _, _ := mcpproto.EraOf(m, mcpproto.EraFacts{Transport: mcpproto.Stdio, Initialized: true}); era == mcpproto.Modern {
		v = mcpproto.LatestModern
	}
	method := m.Method
	if method == "shutdown" {
		method = mcpproto.MethodPing // the fixture's own method, with an empty result too
	}
	c.methods[m.ID.String()], c.version[m.ID.String()], c.last = method, v, v
}

func (c *checker) received(line string) error {
	if strings.HasPrefix(line, "[") {
		return mcptest.CheckBatch(c.legacy, mcptest.ToClient, c.methods, []byte(line))
	}
	m, err := mcpproto.Decode([]byte(line))
	if err != nil {
		return err
	}
	v := c.last
	if m.Kind == mcpproto.Response && !m.ID.IsZero() {
		if answered, ok := c.version[m.ID.String()]; ok {
			v = answered
		}
		var init struct {
			ProtocolVersion string `json:"protocolVersion"`
		}
		if c.methods[m.ID.String()] == mcpproto.MethodInitialize && mcpproto.Unmarshal(m.Result, &init) == nil {
			if known, ok := mcpproto.ParseVersion(init.ProtocolVersion); ok {
				c.legacy, v = known, known
			}
		}
	}
	if m.Kind == mcpproto.Request {
		v = c.legacy
	}
	method := c.methods[m.ID.String()]
	if m.Err != nil && m.Result == nil {
		method = "" // errors have no shape of their own for a method
	}
	return mcptest.Check(v, mcptest.ToClient, method, []byte(line))
}
