package contract

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mockp0"
	"github.com/phocinae/phocinae-go/p0client"
)

var chaosSeed = flag.Uint64("chaos.seed", 0, "seed of the chaos test; 0 picks one and prints it")

const chaosCalls = 10_000

// tally counts what came of the calls.
type tally struct {
	mu       sync.Mutex
	kinds    map[string]int
	approved []string // commands that would have run
	answered []string // inputs of the other calls that got an answer
}

func (y *tally) add(err error, list *[]string, text string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if err == nil {
		*list = append(*list, text)
		y.kinds["answer"]++
		return
	}
	y.kinds[p0client.Kind(err)]++
}

// TestChaos makes 10 000 mixed calls while the service changes its faults at random. Whatever got an answer must
// have been sent a good one, and no command is approved without two.
func TestChaos(t *testing.T) {
	seed := *chaosSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d (repeat with -chaos.seed=%d)", seed, seed)
	s := newStand(t)
	c := connect(t, s.url, p0client.Options{Rate: math.Inf(1), Timeout: 60 * time.Millisecond, MaxConcurrent: 16, StrictModel: true})
	defer c.Close()

	y := &tally{kinds: map[string]int{}}
	var turn atomic.Int64
	var wg sync.WaitGroup
	for worker := range uint64(8) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, worker))
			for {
				i := turn.Add(1)
				if i > chaosCalls {
					return
				}
				if rng.IntN(4) == 0 {
					s.follow(t, randomScript(rng))
				}
				y.call(rng, c, int(i))
			}
		})
	}
	wg.Wait()
	y.judge(t, s)
}

// randomScript breaks all questions, those of one type, or none. Undamaged answers approve everything, so that
// only failure stands between a command and its approval.
func randomScript(rng *rand.Rand) *mockp0.Script {
	yes := mockp0.Rule{Name: "yes", Answer: &mockp0.Answer{Noul: mockp0.Float(0.97), Score: mockp0.Float(2)}}
	script := &mockp0.Script{Legacy: rng.IntN(8) == 0, NoExtensions: rng.IntN(8) == 0, Rules: []mockp0.Rule{yes}}
	if rng.IntN(3) == 0 {
		return script
	}
	faults := mockp0.Faults()
	f := faults[rng.IntN(len(faults))]
	fault := mockp0.Rule{
		Name: f.Name, Fault: &f.Fault, Answer: yes.Answer,
		Match: mockp0.Match{Type: []string{"", "noul", "score", "choice"}[rng.IntN(4)]}, Times: rng.IntN(4),
	}
	script.Rules = []mockp0.Rule{fault, yes}
	return script
}

// call makes one random call, sometimes cancelled on the way.
func (y *tally) call(rng *rand.Rand, c *p0client.Client, i int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if rng.IntN(10) == 0 {
		defer time.AfterFunc(time.Duration(rng.IntN(3000))*time.Microsecond, cancel).Stop()
	}
	text := fmt.Sprintf("unique text %d.", i)
	switch rng.IntN(6) {
	case 0, 1, 2:
		a, err := c.Gate(ctx, p0client.GateQuestion{Command: text})
		verdict, unfit := gatecore.Synthesize(gatecore.Answers{Noul: a.Noul, Score: a.Score}, gatecore.DefaultThresholds())
		switch {
		case err != nil && unfit == nil:
			y.add(nil, &y.approved, text) // what came with an error could be weighed: counted, and found out below
		case err == nil && unfit == nil && verdict != gatecore.Allow:
			y.add(nil, &y.answered, text)
		default:
			y.add(err, &y.approved, text)
		}
	case 3:
		_, err := c.Classify(ctx, text, []string{"a", "b", "c"})
		y.add(err, &y.answered, text)
	case 4:
		_, err := c.Route(ctx, text, []string{"a", "b"}, rng.IntN(2) == 0)
		y.add(err, &y.answered, text)
	default:
		_, err := c.Score(ctx, text, []string{"clear"})
		y.add(err, &y.answered, text)
	}
}

// judge compares what the calls believed with what the service did.
func (y *tally) judge(t *testing.T, s *stand) {
	t.Helper()
	good := map[string]map[string]bool{} // by text, the types that were answered without a fault
	for _, r := range s.Requests() {
		// A broken index leaves the other types as they are.
		whole := r.Fault == "" && r.Status == 200 || r.Fault == mockp0.Fraction
		if !whole || len(r.Requests) != 1 {
			continue
		}
		q := r.Requests[0].Questions[0].Type
		if r.Fault == mockp0.Fraction && q == "choice" {
			continue
		}
		_, rest, _ := strings.Cut(r.Requests[0].State, "unique text ")
		number, _, _ := strings.Cut(rest, ".")
		text := "unique text " + number + "."
		if good[text] == nil {
			good[text] = map[string]bool{}
		}
		good[text][q] = true
	}
	wrong := 0
	for _, text := range y.approved {
		if !good[text]["noul"] || !good[text]["score"] {
			wrong++
			t.Errorf("approved without two good answers: %s (%v)", text, good[text])
		}
	}
	for _, text := range y.answered {
		if len(good[text]) == 0 {
			wrong++
			t.Errorf("answered without a good answer: %s", text)
		}
	}
	kinds := slices.Sorted(maps.Keys(y.kinds))
	var b strings.Builder
	for _, k := range kinds {
		fmt.Fprintf(&b, " %s %d", k, y.kinds[k])
	}
	t.Logf("%d calls, %d requests:%s; %d commands approved, %d of all answers wrong", chaosCalls, s.Count(), b.String(), len(y.approved), wrong)
	if len(y.approved) == 0 || y.kinds["answer"] > chaosCalls*9/10 || len(kinds) < 8 {
		t.Errorf("the chaos was none: %s", b.String())
	}
	if y.kinds["unknown"] > 0 {
		t.Error("an error of no kind")
	}
}
