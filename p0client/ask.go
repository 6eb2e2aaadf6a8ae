package p0client

import (
	"context"
	"fmt"
	"math"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	pathAsk     = "/v1/systemone"
	pathPermute = "/v1/systemone/permute"
	pathBatch   = "/v1/systemone/batch"
	pathModels  = "/v1/models"
	pathHealth  = "/health"
)

// Ask sends one request. Either every question has a checked answer, or there is an error and nothing else.
func (c *Client) Ask(ctx context.Context, r Request) (_ *Response, err error) {
	defer contain("ask", &err)
	return c.ask(ctx, "ask", pathAsk, r)
}

// Permute is Ask with each choice averaged over four orders of its options.
func (c *Client) Permute(ctx context.Context, r Request) (_ *Response, err error) {
	defer contain("permute", &err)
	return c.ask(ctx, "permute", pathPermute, r)
}

func (c *Client) ask(ctx context.Context, op, path string, r Request) (*Response, error) {
	var p problems
	qs := c.prepare(&p, "", r)
	if err := p.err(op); err != nil {
		return nil, err
	}
	ctx, cancel, err := c.begin(ctx, op)
	if err != nil {
		return nil, err
	}
	defer cancel()
	return c.one(ctx, call{op: op, path: path, retry: true, private: []string{r.State}}, r.State, qs)
}

// one sends the questions about one state and reads the answer. The context is bounded already.
func (c *Client) one(ctx context.Context, k call, state string, qs []asked) (*Response, error) {
	k.method = http.MethodPost
	k.body = appendRequest(make([]byte, 0, len(state)+256), c.model, state, qs)
	body, err := c.exchange(ctx, k)
	if err != nil {
		return nil, err
	}
	return c.reader(k.op).response(body, qs)
}

func (c *Client) reader(op string) reader {
	r := reader{op: op}
	if c.strict {
		r.model = c.model
	}
	return r
}

// Batch sends 1 to 64 requests in one exchange and returns their answers in order: all of them or an error.
func (c *Client) Batch(ctx context.Context, list []Request) (_ []*Response, err error) {
	const op = "batch"
	defer contain(op, &err)
	var p problems
	if n := len(list); n < 1 || n > MaxBatch {
		p.add("requests", "must hold 1 to %d requests, holds %d", MaxBatch, n)
		return nil, p.err(op)
	}
	qs := make([][]asked, len(list))
	private := make([]string, len(list))
	for i, r := range list {
		qs[i] = c.prepare(&p, fmt.Sprintf("requests[%d].", i), r)
		private[i] = r.State
	}
	if err := p.err(op); err != nil {
		return nil, err
	}
	ctx, cancel, err := c.begin(ctx, op)
	if err != nil {
		return nil, err
	}
	defer cancel()
	b := []byte{'['}
	for i, r := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRequest(b, c.model, r.State, qs[i])
	}
	body, err := c.exchange(ctx, call{op: op, method: http.MethodPost, path: pathBatch, body: append(b, ']'), retry: true, private: private})
	if err != nil {
		return nil, err
	}
	return c.reader(op).batch(body, qs)
}

// Health is what the service says about itself.
type Health struct {
	Status      string // "ok"
	Model       string
	ModelLoaded bool
	Device      string // "cpu" or "cuda"
	UptimeS     float64
}

// Health asks the service how it is; no bearer token is sent. A service that answers anything but status "ok"
// comes back as an error.
func (c *Client) Health(ctx context.Context) (h Health, err error) {
	const op = "health"
	defer contain(op, &err)
	var w struct {
		Status      string  `json:"status"`
		Model       string  `json:"model"`
		ModelLoaded bool    `json:"model_loaded"`
		Device      string  `json:"device"`
		UptimeS     float64 `json:"uptime_s"`
	}
	if err := c.get(ctx, call{op: op, path: pathHealth, open: true}, &w); err != nil {
		return Health{}, err
	}
	if w.Status != "ok" {
		return Health{}, &AnswerError{Op: op, Detail: "the status is not ok", Err: ErrMalformed}
	}
	return Health(w), nil
}

// ModelInfo is one model that the service serves. Members that the service left out are zero.
type ModelInfo struct {
	ID                    string
	OwnedBy               string
	ContextLength         int // tokens of one sequence
	HeadMaxLen            int // tokens that all options of a choice share
	MaxPositionEmbeddings int
	Architecture          string
	Task                  string
	Extensions            []string
	PermAvg               string
}

// Models lists what the service serves.
func (c *Client) Models(ctx context.Context) (_ []ModelInfo, err error) {
	const op = "models"
	defer contain(op, &err)
	var w struct {
		Object string `json:"object"`
		Data   []struct {
			ID                    string         `json:"id"`
			OwnedBy               string         `json:"owned_by"`
			ContextLength         int            `json:"context_length"`
			HeadMaxLen            int            `json:"head_max_len"`
			MaxPositionEmbeddings int            `json:"max_position_embeddings"`
			Architecture          string         `json:"architecture"`
			Task                  string         `json:"task"`
			Extensions            []string       `json:"extensions"`
			PermAvg               jsontext.Value `json:"perm_avg"` // a string; other builds send a bool
		} `json:"data"`
	}
	if err := c.get(ctx, call{op: op, path: pathModels}, &w); err != nil {
		return nil, err
	}
	if w.Object != "list" || w.Data == nil {
		return nil, &AnswerError{Op: op, Detail: "it is not a list of models", Err: ErrMalformed}
	}
	out := make([]ModelInfo, 0, len(w.Data))
	for _, d := range w.Data {
		if d.ID == "" {
			return nil, &AnswerError{Op: op, Detail: "a model has no id", Err: ErrMalformed}
		}
		m := ModelInfo{
			ID: d.ID, OwnedBy: d.OwnedBy, ContextLength: d.ContextLength, HeadMaxLen: d.HeadMaxLen,
			MaxPositionEmbeddings: d.MaxPositionEmbeddings, Architecture: d.Architecture, Task: d.Task, Extensions: d.Extensions,
		}
		if json.Unmarshal(d.PermAvg, &m.PermAvg) != nil {
			m.PermAvg = ""
		}
		out = append(out, m)
	}
	return out, nil
}

// get fetches a JSON object into v.
func (c *Client) get(ctx context.Context, k call, v any) error {
	ctx, cancel, err := c.begin(ctx, k.op)
	if err != nil {
		return err
	}
	defer cancel()
	k.method, k.retry = http.MethodGet, true
	body, err := c.exchange(ctx, k)
	if err != nil {
		return err
	}
	if jsontext.Value(body).Kind() != '{' || json.Unmarshal(body, v) != nil {
		return &AnswerError{Op: k.op, Detail: "it is not the JSON object that was expected", Err: ErrMalformed}
	}
	return nil
}

// finite reports a number that is one.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
