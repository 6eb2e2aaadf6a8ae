package contract

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/phocinae/phocinae-go/p0client"
)

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard) // net/http reports what faults leave on idle connections
	goleak.VerifyTestMain(m)
}

// call is one way to ask the service. do reports whether anything came back that could be taken for an answer.
type call struct {
	name  string
	types []string // question types that it asks; nil for none
	match mockp0.Match
	do    func(context.Context, *p0client.Client) (answered bool, err error)
}

// calls lists the whole API. The gate stands there three times: with both questions hurt, and with one of them.
func calls() []call {
	gate := func(ctx context.Context, c *p0client.Client) (bool, error) {
		a, err := c.Gate(ctx, p0client.GateQuestion{Command: "make -C web build", Dir: "/home/dev/app"})
		return a != p0client.GateAnswer{}, err
	}
	labels := []string{"praise", "bug report", "question"}
	route := func(permute bool) func(context.Context, *p0client.Client) (bool, error) {
		return func(ctx context.Context, c *p0client.Client) (bool, error) {
			a, err := c.Route(ctx, "find the latest news", []string{"web_search", "read_file"}, permute)
			return a.Valid() || a.Label != "", err
		}
	}
	all := p0client.Request{State: "the build is green", Questions: []p0client.Question{
		p0client.Noul{ID: "n"}, p0client.Choice{ID: "c", Options: labels}, p0client.Score{ID: "s"},
	}}
	every := []string{"noul", "choice", "score"}
	return []call{
		{"gate", []string{"noul", "score"}, mockp0.Match{Path: "*"}, gate},
		{"gate:noul", []string{"noul"}, mockp0.Match{Type: "noul"}, gate},
		{"gate:score", []string{"score"}, mockp0.Match{Type: "score"}, gate},
		{"classify", []string{"choice"}, mockp0.Match{Path: "*"}, func(ctx context.Context, c *p0client.Client) (bool, error) {
			a, err := c.Classify(ctx, "after paying the page is blank", labels)
			return a.Valid() || a.Label != "", err
		}},
		{"route", []string{"choice"}, mockp0.Match{Path: "*"}, route(false)},
		{"route4", []string{"choice"}, mockp0.Match{Path: "*"}, route(true)},
		{"score", []string{"score"}, mockp0.Match{Path: "*"}, func(ctx context.Context, c *p0client.Client) (bool, error) {
			a, err := c.Score(ctx, "a short clear text", []string{"clear", "short"})
			return a.Valid() || a.Score != 0, err
		}},
		{"ask", every, mockp0.Match{Path: "*"}, func(ctx context.Context, c *p0client.Client) (bool, error) {
			r, err := c.Ask(ctx, all)
			return r != nil, err
		}},
		{"permute", every, mockp0.Match{Path: "*"}, func(ctx context.Context, c *p0client.Client) (bool, error) {
			r, err := c.Permute(ctx, all)
			return r != nil, err
		}},
		{"batch", every, mockp0.Match{Path: "*"}, func(ctx context.Context, c *p0client.Client) (bool, error) {
			r, err := c.Batch(ctx, []p0client.Request{all, all})
			return r != nil, err
		}},
		{"health", nil, mockp0.Match{Path: "*"}, func(ctx context.Context, c *p0client.Client) (bool, error) {
			h, err := c.Health(ctx)
			return h != p0client.Health{}, err
		}},
		{"models", nil, mockp0.Match{Path: "*"}, func(ctx context.Context, c *p0client.Client) (bool, error) {
			m, err := c.Models(ctx)
			return m != nil, err
		}},
	}
}

// hurts reports whether a fault can hurt a call.
func (k *call) hurts(f *mockp0.NamedFault) bool {
	if k.types == nil {
		return f.Hurts("")
	}
	for _, t := range k.types {
		if f.Hurts(t) {
			return true
		}
	}
	return false
}

// stand is a mock on a socket that tells the requests of different clients apart: each has a lane, a first
// element of the path, which is taken off before the mock sees it.
type stand struct {
	*mockp0.Service
	url string

	mu      sync.Mutex
	lanes   int
	arrived map[string]int
	onLane  map[string]func()
}

func newStand(t testing.TB) *stand {
	t.Helper()
	s := &stand{Service: mockp0.New(nil), arrived: map[string]int{}, onLane: map[string]func(){}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, "/lane-"); ok {
			lane, path, _ := strings.Cut(rest, "/")
			r.URL.Path = "/" + path
			s.mu.Lock()
			s.arrived[lane]++
			f := s.onLane[lane]
			s.mu.Unlock()
			if f != nil {
				f()
			}
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		srv.CloseClientConnections()
		s.Close()
		srv.Close()
	})
	s.url = srv.URL
	return s
}

// lane opens a new lane; onArrival, if not nil, is called for every request that arrives there.
func (s *stand) lane(onArrival func()) (name, url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lanes++
	name = strconv.Itoa(s.lanes)
	s.onLane[name] = onArrival
	return name, s.url + "/lane-" + name
}

func (s *stand) arrivals(lane string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrived[lane]
}

func (s *stand) follow(t testing.TB, script *mockp0.Script) {
	t.Helper()
	if err := s.SetScript(script); err != nil {
		t.Error(err)
	}
}

func connect(t testing.TB, url string, o p0client.Options) *p0client.Client {
	t.Helper()
	c, err := p0client.New(url, &o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
