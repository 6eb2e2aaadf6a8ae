package mockp0

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	pathAsk     = "/v1/systemone"
	pathPermute = "/v1/systemone/permute"
	pathBatch   = "/v1/systemone/batch"
	pathModels  = "/v1/models"
	pathHealth  = "/health"
	// pathFollowed is where redirects of the Redirect fault point: the same service without faults, so that a
	// client that follows one gets a good answer and is found out.
	pathFollowed = "/followed"

	maxRecorded = 20000
)

// Recorded is one request as it arrived.
type Recorded struct {
	Seq      int // from 1
	Method   string
	Path     string
	Header   http.Header
	Body     []byte
	Requests []Request // the parsed bodies of a POST; nil if it could not be parsed
	Status   int       // that the service meant to answer; 0 if a fault took over
	Fault    string    // kind of the fault; empty if none
	Rules    []string  // name (or index) of every rule that applied
}

// Service is the P0 service as an http.Handler. Make it with New.
type Service struct {
	start   time.Time
	closing chan struct{}
	active  sync.WaitGroup
	onError func(format string, args ...any) // for Strict; may be nil

	mu       sync.Mutex
	script   *compiled
	total    int
	recorded []Recorded
	conns    map[net.Conn]struct{} // taken over by faults
	closed   bool
}

// New returns a service that follows s; nil means the defaults. It panics if s is not valid (Validate says why
// without a panic).
func New(s *Script) *Service {
	c, err := compile(s)
	if err != nil {
		panic(err)
	}
	return &Service{start: time.Now(), closing: make(chan struct{}), script: c, conns: map[net.Conn]struct{}{}}
}

// SetScript replaces the script for the requests that arrive from now on; counters of rules start again. An
// invalid script changes nothing.
func (s *Service) SetScript(script *Script) error {
	c, err := compile(script)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = c
	return nil
}

// Requests returns a copy of what was recorded, oldest first: at most the last 20 000 requests since Reset.
func (s *Service) Requests() []Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.recorded)
}

// Count says how many requests arrived since Reset.
func (s *Service) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// Hits says how often the rule with that name applied under the script in force.
func (s *Service) Hits(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for i, r := range s.script.rules {
		if r.label(i) == name {
			n += r.hits
		}
	}
	return n
}

// Reset forgets what was recorded.
func (s *Service) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total, s.recorded = 0, nil
}

// Close ends every fault that hangs and waits until no handler runs. Later requests get status 503.
func (s *Service) Close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
	}
	for c := range s.conns {
		_ = c.Close() // the peer of a fault; nothing is lost
	}
	s.mu.Unlock()
	s.active.Wait()
}

// label is the name of a rule, or its index.
func (r *compiledRule) label(i int) string {
	if r.Name != "" {
		return r.Name
	}
	return "rules[" + strconv.Itoa(i) + "]"
}

// ServeHTTP answers as the real service does, or fails as the script says.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		http.Error(w, "closed", http.StatusServiceUnavailable)
		return
	}
	s.active.Add(1)
	script := s.script
	s.mu.Unlock()
	defer s.active.Done()

	path, followed := strings.CutPrefix(r.URL.Path, pathFollowed+"/")
	if followed {
		path = "/" + path
	} else {
		path = r.URL.Path
	}
	body, tooLong := readBody(r)
	x := &exchange{s: s, c: script, path: path, method: r.Method}
	x.prepare(r, body, tooLong)
	fault := x.match(!followed)
	s.record(r, body, x, fault)
	if fault != nil {
		x.fail(w, r, fault)
		return
	}
	x.reply(w, x.respond())
}

// readBody reads up to one byte more than the service accepts.
func readBody(r *http.Request) (body []byte, tooLong bool) {
	if r.ContentLength > maxBody {
		return nil, true
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	return body, err == nil && len(body) > maxBody
}

func (s *Service) record(r *http.Request, body []byte, x *exchange, f *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total++
	rec := Recorded{
		Seq: s.total, Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Body: body,
		Requests: x.requests, Rules: x.used, Status: http.StatusOK,
	}
	if x.failure != nil {
		rec.Status = x.failure.status
	}
	if f != nil {
		rec.Fault = f.Kind
		if !f.damages() {
			rec.Status = 0
		}
	}
	if len(s.recorded) == maxRecorded {
		s.recorded = slices.Delete(s.recorded, 0, maxRecorded/2)
	}
	s.recorded = append(s.recorded, rec)
}

// exchange is one request on its way through the service.
type exchange struct {
	s        *Service
	c        *compiled
	method   string
	path     string
	requests []Request
	failure  *failure    // the service's own refusal
	answers  [][]*Answer // scripted answers by request and question; nil for a default
	used     []string
}

// prepare runs every check of the service, in its order: size, method and path, syntax, token, types, rules.
func (x *exchange) prepare(r *http.Request, body []byte, tooLong bool) {
	if tooLong {
		x.failure = &failure{
			status: http.StatusRequestEntityTooLarge,
			body:   []byte(fmt.Sprintf(`{"error":{"code":413,"message":"request body exceeds the %d-byte limit"}}`, maxBody)),
		}
		return
	}
	want := map[string]string{
		"/": "GET", pathHealth: "GET", pathModels: "GET", pathAsk: "POST", pathPermute: "POST", pathBatch: "POST",
	}[x.path]
	if want == "" {
		x.failure = detail(http.StatusNotFound, "Not Found")
		return
	}
	if x.method != want {
		x.failure = detail(http.StatusMethodNotAllowed, "Method Not Allowed")
		return
	}
	var raw json.RawMessage
	if want == "POST" {
		if raw, x.failure = checkSyntax(r.Header.Get("Content-Type"), body); x.failure != nil {
			return
		}
	}
	if strings.HasPrefix(x.path, "/v1/") && x.c.Bearer != "" && r.Header.Get("Authorization") != "Bearer "+x.c.Bearer {
		x.failure = detail(http.StatusUnauthorized, "missing or invalid bearer token")
		return
	}
	if want != "POST" {
		return
	}
	list, f := decodeBody(x.path, raw)
	if f == nil {
		x.requests = list
		f = x.c.validate(x.path, list)
	}
	x.failure = f
}

// match finds the rules for this request and counts them. It returns the first fault, or nil.
func (x *exchange) match(faults bool) *Fault {
	x.s.mu.Lock()
	defer x.s.mu.Unlock()
	if x.requests == nil {
		r := x.first("", nil, faults)
		if r == nil {
			return nil
		}
		return r.Fault
	}
	var fault *Fault
	for i := range x.requests {
		req := &x.requests[i]
		list := make([]*Answer, len(req.Questions))
		for k := range req.Questions {
			q := &req.Questions[k]
			r := x.first(req.State, q, faults && fault == nil)
			if r == nil {
				if x.c.Strict && x.failure == nil {
					x.unscripted(req, q)
				}
				continue
			}
			list[k] = r.Answer
			if r.Fault != nil && faults && fault == nil {
				fault = r.Fault
			}
		}
		x.answers = append(x.answers, list)
	}
	return fault
}

// first finds the first rule that applies and counts it. Without faults, rules that hold nothing else are passed over.
func (x *exchange) first(state string, q *Question, faults bool) *compiledRule {
	for i, r := range x.c.rules {
		if !r.matches(x.path, state, q) || !faults && r.Answer == nil {
			continue
		}
		if q != nil && r.Answer != nil && !r.Answer.speaks(q) || q == nil && r.Fault == nil {
			continue
		}
		r.hits++
		x.used = append(x.used, r.label(i))
		return r
	}
	return nil
}

// unscripted refuses a question that a strict script does not know.
func (x *exchange) unscripted(r *Request, q *Question) {
	x.failure = detail(http.StatusInternalServerError, "mockp0: no rule answers question %s (%s)", pyQuote(q.ID), q.Type)
	if x.s.onError != nil {
		x.s.onError("mockp0: no rule answers question %q (%s), options %q, state %s", q.ID, q.Type, q.Options, r.State)
	}
}

// content is a whole answer: JSON objects, or a refusal.
type content struct {
	failure *failure
	parts   []response
	array   bool
}

func (c *content) bytes() []byte {
	if c.failure != nil {
		return c.failure.body
	}
	if !c.array {
		return c.parts[0].top.bytes()
	}
	out := []byte{'['}
	for i, p := range c.parts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, p.top.bytes()...)
	}
	return append(out, ']')
}

// respond computes what the service answers when nothing is broken.
func (x *exchange) respond() *content {
	if x.failure != nil {
		return &content{failure: x.failure}
	}
	switch x.path {
	case "/":
		return &content{parts: []response{{top: object{
			{"service", encode("phocinae-server")}, {"model", encode(x.c.Model)}, {"docs", encode("/docs")}, {"health", encode(pathHealth)},
		}}}}
	case pathHealth:
		up := round4(float64(time.Since(x.s.start).Milliseconds()/100) / 10)
		return &content{parts: []response{{top: object{
			{"status", encode("ok")}, {"model", encode(x.c.Model)}, {"model_loaded", []byte("true")}, {"device", encode(x.c.Device)}, {"uptime_s", appendFloat(nil, up)},
		}}}}
	case pathModels:
		return &content{parts: []response{{top: x.c.models()}}}
	}
	out := &content{array: x.path == pathBatch}
	for i := range x.requests {
		r, ok := x.answer(i)
		if !ok {
			return &content{failure: &failure{status: http.StatusInternalServerError, body: []byte("Internal Server Error"), text: true}}
		}
		out.parts = append(out.parts, r)
	}
	return out
}

// answer computes one response; ok is false if its options do not fit the encoder.
func (x *exchange) answer(i int) (response, bool) {
	req, scripted := &x.requests[i], x.answers[i]
	permute := x.path == pathPermute || x.c.PermAlways
	list := make([]judged, len(req.Questions))
	input, model := 0, ""
	set := -1
	for k := range req.Questions {
		q := &req.Questions[k]
		n, ok := sequence(req.State, q)
		if !ok {
			return response{}, false
		}
		if q.Type == "choice" {
			n *= len(orders(len(q.Options), permute))
		}
		input += n
		if a := scripted[k]; a != nil {
			if a.InputTokens != nil && set < 0 {
				set = *a.InputTokens
			}
			if model == "" {
				model = a.Model
			}
		}
		list[k] = judge(req.State, q, scripted[k], permute)
	}
	if set >= 0 {
		input = set
	}
	return x.c.build(list, input, model, permute), true
}

// models is the catalogue.
func (c *compiled) models() object {
	extensions, perm := `["answer_confidence","action","routing","option_scores"]`, "none"
	if c.NoExtensions {
		extensions = `[]`
	}
	if c.PermAlways {
		perm = "avg-k4"
	}
	entry := object{
		{"id", encode(c.Model)},
		{"object", encode("model")},
		{"created", []byte("null")},
		{"owned_by", encode("phocinae-server")},
		{"context_length", []byte("512")},
		{"head_max_len", []byte("192")},
		{"max_position_embeddings", []byte("8192")},
		{"architecture", encode("mockp0: no model, fixed functions of the request")},
		{"task", encode("typed-decisions system-one")},
		{"answer_formats", []byte(`{"noul":"bool","choice":"option index","score":"integer 2-10"}`)},
		{"extensions", []byte(extensions)},
		{"perm_avg", encode(perm)},
		{"option_scores_semantics", []byte(`{"choice":"probability of each option in request order","noul":"[p(false), p(true)]","score":"probability of the levels 2 to 10"}`)},
	}
	return object{{"object", encode("list")}, {"data", append(append([]byte{'['}, entry.bytes()...), ']')}}
}

// reply sends an undamaged answer.
func (x *exchange) reply(w http.ResponseWriter, c *content) {
	body, status, kind := c.bytes(), http.StatusOK, "application/json"
	if f := c.failure; f != nil {
		status = f.status
		if f.text {
			kind = "text/plain; charset=utf-8"
		}
		if status == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", map[bool]string{true: "POST", false: "GET"}[isPost(x.path)])
		}
		if status == http.StatusRequestEntityTooLarge {
			w.Header().Set("Connection", "close") // the rest of the body was not read
		}
	}
	send(w, status, kind, body)
}

// send writes one answer with its length.
func send(w http.ResponseWriter, status int, kind string, body []byte) {
	h := w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", kind)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = bytes.NewReader(body).WriteTo(w) // a peer that left is its own affair
}
