package p0client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"
)

// echoing records request bodies by the question's type and answers each question well.
type echoing struct {
	mu     sync.Mutex
	paths  []string
	bodies []string
}

func (e *echoing) handler(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		e.paths = append(e.paths, r.URL.Path)
		e.bodies = append(e.bodies, string(b))
		e.mu.Unlock()
		reply(body)(w, r)
	}
}

func TestGateReturnsBothAnswers(t *testing.T) {
	is := is.New(t)
	var e echoing
	c := serve(t, nil, e.handler(`{"model":"m","answers":{"may_run":true,"risk":3},"usage":{"input_tokens":60},
		"answer_confidence":{"may_run":0.8,"risk":0.7},"option_scores":{"may_run":[0.2,0.8],"risk":[0.1,0.7,0.2,0,0,0,0,0,0]}}`))
	a, err := c.Gate(t.Context(), GateQuestion{Command: "go build ./...", Dir: "/home/dev/app"})
	is.NoErr(err)
	is.Equal(a, GateAnswer{Noul: 0.8, Score: 3, Confidence: 0.7, Model: "m", Exact: true, valid: true})
	is.Equal(len(e.bodies), 2) // one question a request
	for _, b := range e.bodies {
		is.True(strings.Contains(b, `\"command\":\"go build ./...\",\"cwd\":\"/home/dev/app\"`)) // the state has command and directory
	}
}

func TestGateIsAllOrNothing(t *testing.T) {
	for _, tt := range []struct {
		name string
		noul string
		risk string
		err  error
	}{
		{"the noul fails", `{"answers":{},` + usage + `}`, good, ErrMissingAnswer},
		{"the score fails", good, `{"answers":{"risk":11},` + usage + `}`, ErrOutOfRange},
		{"two models", good, `{"model":"other","answers":{"risk":2},` + usage + `}`, ErrModelMismatch},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				if strings.Contains(string(b), `"type":"noul"`) {
					reply(tt.noul)(w, r)
					return
				}
				reply(tt.risk)(w, r)
			})
			a, err := c.Gate(t.Context(), GateQuestion{Command: "make"})
			is.True(errors.Is(err, tt.err))                 // the right kind
			is.Equal(a, GateAnswer{})                       // nothing of the good half
			is.True(!strings.Contains(err.Error(), "make")) // no command in the text
		})
	}
}

func TestFirstFailureCancelsTheOtherQuestion(t *testing.T) {
	is := is.New(t)
	asked, gone := make(chan struct{}), make(chan struct{})
	c := serve(t, nil, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if strings.Contains(string(b), `"type":"noul"`) {
			<-asked // else the other request may never be sent
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		close(asked)
		<-r.Context().Done() // ends because the client went away, not because time ran out
		close(gone)
	})
	_, err := c.Gate(t.Context(), GateQuestion{Command: "make"})
	is.True(errors.Is(err, ErrUnavailable)) // the cause, not the cancellation that followed
	<-gone
}

func TestChoiceCalls(t *testing.T) {
	is := is.New(t)
	var e echoing
	c := serve(t, nil, e.handler(`{"model":"m","answers":{"choice":1},"answer_confidence":0.9,"usage":{"input_tokens":60},"option_scores":{"choice":[0.1,0.9]}}`))
	a, err := c.Classify(t.Context(), "the page is blank", []string{"praise", "bug"})
	is.NoErr(err)
	is.Equal(a.Label, "bug")
	is.Equal(a.Scores, []float64{0.1, 0.9})
	is.Equal(*a.Confidence, 0.9)
	is.Equal(a.Usage.InputTokens, 60)
	is.Equal(a.Model, "m")
	_, err = c.Route(t.Context(), "find news", []string{"read_file", "web_search"}, false)
	is.NoErr(err)
	_, err = c.Route(t.Context(), "find news", []string{"read_file", "web_search"}, true)
	is.NoErr(err)
	is.Equal(e.paths, []string{"/v1/systemone", "/v1/systemone", "/v1/systemone/permute"})
}

func TestScoreCall(t *testing.T) {
	is := is.New(t)
	var e echoing
	c := serve(t, nil, e.handler(good))
	a, err := c.Score(t.Context(), "text", []string{"clear", "short"})
	is.NoErr(err)
	is.Equal(a.Score, 7.0)
	is.True(strings.Contains(e.bodies[0], `\"input\":\"text\",\"criteria\":[\"clear\",\"short\"]}"`)) // the input stands before the criteria
}

func TestRequestsAreTheSameBytesEveryTime(t *testing.T) {
	is := is.New(t)
	c := connect(t, "http://127.0.0.1:1", nil)
	var p problems
	qs := c.prepare(&p, "", Request{State: "<é\n\"&\u2028>", Questions: []Question{
		Noul{ID: "n"}, Noul{ID: "t", Threshold: 0.5}, Choice{ID: "c", Options: []string{"a", "ü"}}, Score{ID: "s"},
	}})
	is.NoErr(p.err("ask"))
	is.Equal(string(appendRequest(nil, "m", "<é\n\"&\u2028>", qs)),
		`{"model":"m","state":"<é\n\"&`+"\u2028"+`>","questions":[{"id":"n","type":"noul","threshold":0.65},{"id":"t","type":"noul","threshold":0.5},`+
			`{"id":"c","type":"choice","options":["a","ü"]},{"id":"s","type":"score"}]}`)
}

func TestAskGivesEveryAnswer(t *testing.T) {
	is := is.New(t)
	c := serve(t, nil, reply(`{"model":"m","answers":{"a":false,"b":1,"c":4},"usage":{"input_tokens":100,"output_tokens":0},
		"routing":{"model":"m","device":"cpu","perm":"none","backend":"x"}}`))
	r, err := c.Ask(t.Context(), Request{State: "s", Questions: []Question{
		Noul{ID: "a"}, Choice{ID: "b", Options: []string{"x", "y"}}, Score{ID: "c"},
	}})
	is.NoErr(err)
	is.Equal(r.Routing, Routing{Model: "m", Device: "cpu", Perm: "none", Backend: "x"})
	n, err := r.Noul("a")
	is.NoErr(err)
	is.True(!n.True)
	ch, err := r.Choice("b")
	is.NoErr(err)
	is.Equal(ch.Label, "y")
	s, err := r.Score("c")
	is.NoErr(err)
	is.Equal(s.Score, 4.0)
	_, err = r.Noul("b") // asked as another type
	is.True(errors.Is(err, ErrMissingAnswer))
}

func TestBatchCall(t *testing.T) {
	is := is.New(t)
	var e echoing
	one := `{"answers":{"q":true},"usage":{"input_tokens":9}}`
	c := serve(t, nil, e.handler(`[`+one+`,`+one+`]`))
	list, err := c.Batch(t.Context(), []Request{{State: "a", Questions: []Question{Noul{ID: "q"}}}, {State: "b", Questions: []Question{Noul{ID: "q"}}}})
	is.NoErr(err)
	is.Equal(len(list), 2)
	is.Equal(e.paths, []string{"/v1/systemone/batch"})
	is.True(strings.HasPrefix(e.bodies[0], `[{"model":`)) // an array
}

func TestHealthAndModels(t *testing.T) {
	is := is.New(t)
	c := serve(t, &Options{Bearer: "secret-token"}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/health":
			is.Equal(r.Header.Get("Authorization"), "") // nobody asked for it there
			reply(`{"status":"ok","model":"m","model_loaded":true,"device":"cpu","uptime_s":1.5}`)(w, r)
		default:
			is.Equal(r.Header.Get("Authorization"), "Bearer secret-token")
			reply(`{"object":"list","data":[{"id":"m","object":"model","created":null,"owned_by":"o","context_length":512,"extensions":["routing"],"perm_avg":"none"}]}`)(w, r)
		}
	})
	h, err := c.Health(t.Context())
	is.NoErr(err)
	is.Equal(h, Health{Status: "ok", Model: "m", ModelLoaded: true, Device: "cpu", UptimeS: 1.5})
	m, err := c.Models(t.Context())
	is.NoErr(err)
	is.Equal(m, []ModelInfo{{ID: "m", OwnedBy: "o", ContextLength: 512, Extensions: []string{"routing"}, PermAvg: "none"}})
}

func TestBadCatalogues(t *testing.T) {
	for _, body := range []string{`[]`, `{}`, `{"status":"loading"}`, `{"status":7}`, `{"object":"list"}`, `{"object":"list","data":[{}]}`, `{"object":"list","data":{}}`} {
		t.Run(body, func(t *testing.T) {
			is := is.New(t)
			c := serve(t, nil, reply(body))
			h, err := c.Health(t.Context())
			is.True(errors.Is(err, ErrMalformed))
			is.Equal(h, Health{})
			m, err := c.Models(t.Context())
			is.True(errors.Is(err, ErrMalformed))
			is.True(m == nil)
		})
	}
}

// TestEveryProblemIsNamed: nothing is sent, and the error names every field that is wrong.
func TestEveryProblemIsNamed(t *testing.T) {
	bad := "\xff"
	many := make([]string, 256)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	q := func(qs ...Question) func(context.Context, *Client) error {
		return func(ctx context.Context, c *Client) error {
			_, err := c.Ask(ctx, Request{State: "s", Questions: qs})
			return err
		}
	}
	questions65 := make([]Question, 65)
	for _, tt := range []struct {
		name   string
		call   func(context.Context, *Client) error
		fields []string
	}{
		{"blank command and relative directory", func(ctx context.Context, c *Client) error {
			_, err := c.Gate(ctx, GateQuestion{Command: " \n", Dir: "app"})
			return err
		}, []string{"command", "dir"}},
		{"command and directory not UTF-8", func(ctx context.Context, c *Client) error {
			_, err := c.Gate(ctx, GateQuestion{Command: "ls " + bad, Dir: "/" + bad})
			return err
		}, []string{"command", "dir"}},
		{"blank input and labels", func(ctx context.Context, c *Client) error {
			_, err := c.Classify(ctx, "", []string{"a", " ", bad})
			return err
		}, []string{"input", "labels[1]", "labels[2]"}},
		{"no labels", func(ctx context.Context, c *Client) error {
			_, err := c.Classify(ctx, "x", nil)
			return err
		}, []string{"labels"}},
		{"equal labels", func(ctx context.Context, c *Client) error {
			_, err := c.Classify(ctx, "x", []string{"a", "b", "a", "b"})
			return err
		}, []string{"labels[2]", "labels[3]"}},
		{"too many tools", func(ctx context.Context, c *Client) error {
			_, err := c.Route(ctx, "x", many, true)
			return err
		}, []string{"tools"}},
		{"no criteria", func(ctx context.Context, c *Client) error {
			_, err := c.Score(ctx, bad, []string{})
			return err
		}, []string{"input", "criteria"}},
		{"no questions", q(), []string{"questions"}},
		{"65 questions", q(questions65...), []string{"questions"}},
		{"nil question", q(nil), []string{"questions[0]"}},
		{"ids", q(Score{}, Score{ID: "a"}, Score{ID: "a"}, Score{ID: bad}), []string{"questions[0].id", "questions[2].id", "questions[3].id"}},
		{"threshold", q(Noul{ID: "a", Threshold: 1.1}, Noul{ID: "b", Threshold: -1}), []string{"questions[0].threshold", "questions[1].threshold"}},
		{
			"options", q(Choice{ID: "a"}, Choice{ID: "b", Options: many}, Choice{ID: "c", Options: []string{bad}}),
			[]string{"questions[0].options", "questions[1].options", "questions[2].options[0]"},
		},
		{"state", func(ctx context.Context, c *Client) error {
			_, err := c.Permute(ctx, Request{State: bad, Questions: []Question{Score{ID: "a"}}})
			return err
		}, []string{"state"}},
		{"batch of none", func(ctx context.Context, c *Client) error {
			_, err := c.Batch(ctx, nil)
			return err
		}, []string{"requests"}},
		{"batch with a bad item", func(ctx context.Context, c *Client) error {
			_, err := c.Batch(ctx, []Request{{State: "s", Questions: []Question{Score{ID: "a"}}}, {}})
			return err
		}, []string{"requests[1].questions"}},
		{"over 2 MiB", func(ctx context.Context, c *Client) error {
			_, err := c.Ask(ctx, Request{State: strings.Repeat("x", MaxRequestBytes), Questions: []Question{Score{ID: "a"}}})
			return err
		}, []string{"request"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			c := serve(t, nil, func(http.ResponseWriter, *http.Request) { t.Error("a bad request was sent") })
			err := tt.call(t.Context(), c)
			is.True(errors.Is(err, ErrInvalid))
			e, ok := errors.AsType[*RequestError](err)
			is.True(ok) // a *RequestError
			var fields []string
			for _, p := range e.Problems {
				fields = append(fields, p.Field)
				is.True(strings.Contains(err.Error(), p.Field)) // the text names it
			}
			is.Equal(fields, tt.fields)
		})
	}
}

func TestLabelsThatAgreeInWhatIsRead(t *testing.T) {
	prefix := "please hand this customer over to the department for "
	long := func(n int, label func(int) string) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = label(i)
		}
		return out
	}
	letter := func(i int) string { return string(rune('a'+i/10)) + string(rune('a'+i%10)) }
	for _, tt := range []struct {
		name   string
		labels []string
		ok     bool
	}{
		{"two long labels are read far enough", []string{prefix + "sales", prefix + "support"}, true},
		{"two that differ after 48 tokens are not", []string{strings.Repeat("word ", 48) + "a", strings.Repeat("word ", 48) + "b"}, false},
		{"a hundred short labels", long(100, letter), true},
		{"a hundred that differ at their end", long(100, func(i int) string { return prefix + letter(i) }), false},
		{"a hundred that differ at their start", long(100, func(i int) string { return letter(i) + " " + prefix }), true},
		{"a hundred Chinese labels", long(100, func(i int) string { return string(rune(0x4E00+i)) + "类" }), true},
		{"equal", []string{"a", "a"}, false},
		{"equal but for case are two", []string{"a", "A"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var p problems
			checkDistinct(&p, "labels", tt.labels)
			is.Equal(len(p.list) == 0, tt.ok)
		})
	}
}

func TestChoiceReadStaysWithinTheTexts(t *testing.T) {
	is := is.New(t)
	is.Equal(ChoiceRead(nil), []int{})
	is.Equal(ChoiceRead([]string{"", "ab cd", "日本"}), []int{0, 5, 6}) // short texts are read whole
	options := make([]string, 100)
	for i := range options {
		options[i] = "abcdefgh ijkl mnop 😀"
	}
	is.Equal(ChoiceRead(options)[99], 13) // three tokens beside the mark: "abcd", "efgh", " ijkl"
}
