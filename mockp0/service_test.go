package mockp0

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ask sends one request straight into a service.
func ask(s http.Handler, method, path, contentType, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func post(s http.Handler, path, body string) *httptest.ResponseRecorder {
	return ask(s, "POST", path, "application/json", body)
}

// body builds a request with one question given as JSON.
func body(state, question string) string {
	return `{"model":"` + DefaultModel + `","state":` + string(encode(state)) + `,"questions":[` + question + `]}`
}

const (
	qNoul   = `{"id":"q","type":"noul","threshold":0.65}`
	qScore  = `{"id":"q","type":"score"}`
	qChoice = `{"id":"q","type":"choice","options":["a","b","c"]}`
)

// TestStatusesAndBodies holds the service's refusals against the contract.
func TestStatusesAndBodies(t *testing.T) {
	many := `"` + strings.Repeat(`x","`, 255) + `x"`
	var q65 []string
	for i := range 65 {
		q65 = append(q65, fmt.Sprintf(`{"id":"%d","type":"score"}`, i))
	}
	long := `"` + strings.Repeat("x", 400) + `",`
	for _, tt := range []struct {
		name   string
		path   string
		body   string
		status int
		want   string
	}{
		{"not JSON", pathAsk, `{`, 422, `{"detail":[{"type":"json_invalid","loc":["body",`},
		{"two values", pathAsk, `{}{}`, 422, `"type":"json_invalid"`},
		{"nothing", pathAsk, ``, 422, `{"detail":[{"type":"missing","loc":["body"],"msg":"Field required","input":null}]}`},
		{"not UTF-8", pathAsk, "{\"model\":\"\xff\"}", 400, `{"detail":"There was an error parsing the body"}`},
		{"not an object", pathAsk, `7`, 422, `"type":"model_attributes_type"`},
		{
			"all members missing, each listed", pathAsk, `{}`, 422,
			`{"detail":[{"type":"missing","loc":["body","model"],"msg":"Field required","input":{}},{"type":"missing","loc":["body","state"],"msg":"Field required","input":{}},{"type":"missing","loc":["body","questions"],"msg":"Field required","input":{}}]}`,
		},
		{"names are case-sensitive", pathAsk, `{"Model":"m","state":"s","questions":[]}`, 422, `"loc":["body","model"]`},
		{"wrong types", pathAsk, `{"model":1,"state":null,"questions":{}}`, 422, `"msg":"Input should be a valid string","input":1}`},
		{"questions no list", pathAsk, `{"model":"m","state":"s","questions":null}`, 422, `"type":"list_type"`},
		{"unknown type", pathAsk, body("s", `{"id":"q","type":"bool"}`), 422, `{"type":"literal_error","loc":["body","questions",0,"type"],"msg":"Input should be 'noul', 'choice' or 'score'","input":"bool"}`},
		{"no type", pathAsk, body("s", `{"id":"q"}`), 422, `"loc":["body","questions",0,"type"],"msg":"Field required"`},
		{"question no object", pathAsk, body("s", `7`), 422, `"loc":["body","questions",0]`},
		{"threshold text", pathAsk, body("s", `{"id":"q","type":"noul","threshold":"x"}`), 422, `"type":"float_parsing"`},
		{"threshold list", pathAsk, body("s", `{"id":"q","type":"noul","threshold":[]}`), 422, `"type":"float_type"`},
		{"option no text", pathAsk, body("s", `{"id":"q","type":"choice","options":["a",1]}`), 422, `"loc":["body","questions",0,"options",1]`},
		{"unknown model", pathAsk, `{"model":"m's","state":"s","questions":[` + qScore + `]}`, 422, `{"detail":"unknown model \"m's\"; available models: [` + DefaultModel + `]"}`},
		{"no questions", pathAsk, body("s", ``), 422, `{"detail":"questions must be non-empty"}`},
		{"65 questions", pathAsk, body("s", strings.Join(q65, ",")), 422, `{"detail":"too many questions (65 > 64)"}`},
		{"64 questions", pathAsk, body("s", strings.Join(q65[:64], ",")), 200, `"63":`},
		{"empty id", pathAsk, body("s", `{"id":"","type":"score"}`), 422, `{"detail":"question id must be non-empty"}`},
		{"id twice", pathAsk, body("s", qScore+","+qNoul), 422, `{"detail":"duplicate question id 'q'"}`},
		{"choice without options", pathAsk, body("s", `{"id":"q","type":"choice"}`), 422, `{"detail":"question 'q': choice questions require options"}`},
		{"null options count as none", pathAsk, body("s", `{"id":"q","type":"choice","options":null}`), 422, `choice questions require options`},
		{"choice of nothing", pathAsk, body("s", `{"id":"q","type":"choice","options":[]}`), 422, `{"detail":"question 'q': options must be non-empty"}`},
		{"256 options", pathAsk, body("s", `{"id":"q","type":"choice","options":[`+many+`]}`), 422, `{"detail":"question 'q': too many options (256 > 255)"}`},
		{"options beyond the encoder", pathAsk, body("s", `{"id":"q","type":"choice","options":[`+strings.TrimSuffix(strings.Repeat(long, 200), ",")+`]}`), 500, `Internal Server Error`},
		{"score with options", pathAsk, body("s", `{"id":"q","type":"score","options":[]}`), 422, `{"detail":"question 'q': score questions must not carry options"}`},
		{"threshold above 1", pathAsk, body("s", `{"id":"q","type":"noul","threshold":1.1}`), 422, `{"detail":"question 'q': threshold must be within [0, 1]"}`},
		{"threshold beyond a float", pathAsk, body("s", `{"id":"q","type":"noul","threshold":1e999}`), 422, `threshold must be within [0, 1]`},
		{"threshold as text", pathAsk, body("s", `{"id":"q","type":"noul","threshold":" 0.5 "}`), 200, `"answers":{"q":`},
		{"threshold as bool", pathAsk, body("s", `{"id":"q","type":"noul","threshold":true}`), 200, `"answers":{"q":false}`},
		{"threshold 0 is always true", pathAsk, body("s", `{"id":"q","type":"noul","threshold":false}`), 200, `"answers":{"q":true}`},
		{"threshold of others is ignored", pathAsk, body("s", `{"id":"q","type":"score","threshold":7}`), 200, `"answers":{"q":`},
		{"instructions are ignored", pathAsk, body("s", `{"id":"q","type":"score","instructions":"x","criteria":["y"]}`), 200, `"answers":{"q":`},
		{"the last of a repeated name counts", pathAsk, body("s", `{"id":"a","id":"q","type":"score"}`), 200, `"answers":{"q":`},
		{"batch of none", pathBatch, `[]`, 422, `{"detail":"batch is empty"}`},
		{"batch object of none", pathBatch, `{}`, 422, `{"detail":"batch is empty"}`},
		{"batch of 65", pathBatch, `[` + strings.TrimSuffix(strings.Repeat(body("s", qScore)+",", 65), ",") + `]`, 422, `{"detail":"too many batch items (65 > 64)"}`},
		{"bad item in a batch", pathBatch, `[` + body("s", qScore) + `,{}]`, 422, `"loc":["body",1,"model"]`},
		{"bad item in a batch object", pathBatch, `{"requests":[7]}`, 422, `"loc":["body","requests",0]`},
		{"no batch at all", pathBatch, `7`, 422, `"type":"model_attributes_type"`},
		{"over 2 MiB", pathAsk, strings.Repeat(" ", maxBody+1), 413, `{"error":{"code":413,"message":"request body exceeds the 2097152-byte limit"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := post(New(nil), tt.path, tt.body)
			is.Equal(w.Code, tt.status)
			if !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("body %.600s\nlacks %s", w.Body.String(), tt.want)
			}
		})
	}
}

func TestUndeclaredLongBodyIsRefusedToo(t *testing.T) {
	is := is.New(t)
	r := httptest.NewRequestWithContext(t.Context(), "POST", pathAsk, io.MultiReader(strings.NewReader(strings.Repeat(" ", maxBody)), strings.NewReader(" ")))
	r.ContentLength = -1
	w := httptest.NewRecorder()
	New(nil).ServeHTTP(w, r)
	is.Equal(w.Code, 413)
}

func TestPathsMethodsAndTypes(t *testing.T) {
	is := is.New(t)
	s := New(nil)
	is.Equal(ask(s, "GET", "/nowhere", "", "").Code, 404)
	is.Equal(ask(s, "GET", pathAsk, "", "").Code, 405)
	is.Equal(ask(s, "GET", pathAsk, "", "").Header().Get("Allow"), "POST")
	is.Equal(ask(s, "POST", pathHealth, "", "").Code, 405)
	is.Equal(ask(s, "POST", pathAsk, "text/plain", body("s", qScore)).Code, 422)
	is.Equal(ask(s, "POST", pathAsk, "", body("s", qScore)).Code, 422)
	is.Equal(ask(s, "POST", pathAsk, "application/vnd.x+json", body("s", qScore)).Code, 200)
	is.Equal(ask(s, "GET", "/", "", "").Body.String(), `{"service":"phocinae-server","model":"`+DefaultModel+`","docs":"/docs","health":"/health"}`)
	is.True(strings.HasPrefix(ask(s, "GET", pathHealth, "", "").Body.String(), `{"status":"ok","model":"`+DefaultModel+`","model_loaded":true,"device":"cpu","uptime_s":0.`))
}

func TestModelsCatalogue(t *testing.T) {
	is := is.New(t)
	var got struct {
		Object string
		Data   []map[string]any
	}
	is.NoErr(json.Unmarshal(ask(New(&Script{PermAlways: true}), "GET", pathModels, "", "").Body.Bytes(), &got))
	is.Equal(got.Object, "list")
	for _, name := range strings.Fields("id object created owned_by context_length head_max_len max_position_embeddings architecture task answer_formats extensions perm_avg option_scores_semantics") {
		_, ok := got.Data[0][name]
		is.True(ok) // every member of the contract
	}
	is.Equal(got.Data[0]["perm_avg"], "avg-k4")
	is.True(strings.Contains(ask(New(&Script{NoExtensions: true}), "GET", pathModels, "", "").Body.String(), `"extensions":[]`))
}

func TestBearer(t *testing.T) {
	is := is.New(t)
	s := New(&Script{Bearer: "t"})
	const refused = `{"detail":"missing or invalid bearer token"}`
	w := ask(s, "GET", pathModels, "", "")
	is.Equal(w.Code, 401)
	is.Equal(w.Body.String(), refused)
	is.Equal(ask(s, "GET", pathModels, "", "", "Authorization", "Bearer u").Code, 401)
	is.Equal(ask(s, "GET", pathModels, "", "", "Authorization", "bearer t").Code, 401) // compared as it stands
	is.Equal(ask(s, "GET", pathModels, "", "", "Authorization", "Bearer t").Code, 200)
	is.Equal(ask(s, "GET", pathHealth, "", "").Code, 200)
	is.Equal(ask(s, "GET", "/", "", "").Code, 200)
	is.Equal(post(s, pathAsk, `{}`).Code, 401) // types are looked at after the token
	is.Equal(post(s, pathAsk, `{`).Code, 422)  // syntax before it
}

// shape is a response as a client reads it.
type shape struct {
	Model   string
	Answers map[string]any
	Usage   struct {
		InputTokens int `json:"input_tokens"`
	}
	Confidence any                           `json:"answer_confidence"`
	Action     map[string]map[string]float64 `json:"action"`
	Scores     map[string][]float64          `json:"option_scores"`
	Routing    map[string]string             `json:"routing"`
}

func read(t *testing.T, w *httptest.ResponseRecorder) shape {
	t.Helper()
	var s shape
	if w.Code != 200 {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDefaultAnswersNeverChange pins the documented function, so that it is the same on every machine.
func TestDefaultAnswersNeverChange(t *testing.T) {
	for _, tt := range []struct{ name, path, question, want string }{
		{"noul", pathAsk, qNoul, `{"model":"Phocinae-Largha-150M-v1","answers":{"q":false},"usage":{"input_tokens":27,"output_tokens":0},"answer_confidence":{"q":0.6417},"action":{"q":{"act_probability":0.6417}},"option_scores":{"q":[0.3583,0.6417]},"routing":{"model":"Phocinae-Largha-150M-v1","device":"cpu","perm":"none","backend":"mockp0"}}`},
		{"score", pathAsk, qScore, `{"model":"Phocinae-Largha-150M-v1","answers":{"q":8},"usage":{"input_tokens":27,"output_tokens":0},"answer_confidence":{"q":0.2313},"action":{"q":{"act_probability":0.2313}},"option_scores":{"q":[0.0182,0.1588,0.0627,0.1714,0.0003,0.1648,0.2313,0.0088,0.1836]},"routing":{"model":"Phocinae-Largha-150M-v1","device":"cpu","perm":"none","backend":"mockp0"}}`},
		{"choice", pathAsk, qChoice, `{"model":"Phocinae-Largha-150M-v1","answers":{"q":2},"usage":{"input_tokens":21,"output_tokens":0},"answer_confidence":{"q":0.6311},"action":{"q":{"act_probability":0.6311}},"option_scores":{"q":[0.021,0.3479,0.6311]},"routing":{"model":"Phocinae-Largha-150M-v1","device":"cpu","perm":"none","backend":"mockp0"}}`},
		{"permuted choice", pathPermute, qChoice, `{"model":"Phocinae-Largha-150M-v1","answers":{"q":2},"usage":{"input_tokens":84,"output_tokens":0},"answer_confidence":{"q":0.6637},"action":{"q":{"act_probability":0.6637}},"option_scores":{"q":[0.0169,0.3194,0.6637]},"routing":{"model":"Phocinae-Largha-150M-v1","device":"cpu","perm":"avg-k4","backend":"mockp0"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := post(New(nil), tt.path, body("git status", tt.question)).Body.String()
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestScoresAgreeWithAnswers: whatever the state, answer, confidence and scores tell one story.
func TestScoresAgreeWithAnswers(t *testing.T) {
	is := is.New(t)
	s := New(nil)
	for i := range 300 {
		state := fmt.Sprint("state ", i)
		for _, path := range []string{pathAsk, pathPermute} {
			got := read(t, post(s, path, body(state, `{"id":"n","type":"noul","threshold":0.65},{"id":"s","type":"score"},{"id":"c","type":"choice","options":["a","b","c","d"]}`)))
			for id, p := range got.Scores {
				sum, top := 0.0, 0
				for k, v := range p {
					sum += v
					if v > p[top] {
						top = k
					}
				}
				is.True(math.Abs(sum-1) < 0.001)
				is.Equal(got.Confidence.(map[string]any)[id], p[top])
				switch a := got.Answers[id].(type) {
				case bool:
					is.True(a == (p[1] >= 0.65) || math.Abs(p[1]-0.65) < 0.0001)
				case float64:
					if id == "s" {
						a -= 2
					}
					is.True(p[int(a)] >= p[top]-0.0001)
				}
			}
		}
	}
}

func TestPermuteAveragesFourOrders(t *testing.T) {
	is := is.New(t)
	opts := []string{"a", "b", "c", "d", "e"}
	all := orders(len(opts), true)
	is.Equal(len(all), 4)
	is.Equal(all[0], []int{0, 1, 2, 3, 4})
	is.Equal(all[1], []int{4, 3, 2, 1, 0})
	is.Equal(len(orders(1, true)), 1) // nothing to reorder

	// By hand: each option's probability in each of the four orders, averaged.
	want := make([]float64, len(opts))
	for _, order := range all {
		for place, p := range defaultChoice("s", opts, order) {
			want[order[place]] += p / 4
		}
	}
	s := New(nil)
	q := `{"id":"q","type":"choice","options":["a","b","c","d","e"]}`
	got := read(t, post(s, pathPermute, body("s", q)))
	for i := range want {
		is.True(math.Abs(got.Scores["q"][i]-want[i]) < 0.0001)
	}
	is.Equal(got.Routing["perm"], "avg-k4")
	plain := read(t, post(s, pathAsk, body("s", q)))
	is.True(fmt.Sprint(plain.Scores) != fmt.Sprint(got.Scores)) // the place counted before
	is.Equal(plain.Routing["perm"], "none")
	is.Equal(got.Usage.InputTokens, 4*plain.Usage.InputTokens) // every order is read
	is.Equal(read(t, post(New(&Script{PermAlways: true}), pathAsk, body("s", q))).Routing["perm"], "avg-k4")
}

// TestPlaceBiasIsAveragedAway: a model that always takes the first place has no opinion under permute.
func TestPlaceBiasIsAveragedAway(t *testing.T) {
	is := is.New(t)
	s := New(&Script{Rules: []Rule{{Match: Match{Type: "choice"}, Answer: &Answer{Position: Int(0), Confidence: Float(1)}}}})
	q := `{"id":"q","type":"choice","options":["a","b"]}`
	is.Equal(read(t, post(s, pathAsk, body("s", q))).Scores["q"], []float64{1, 0})
	p := read(t, post(s, pathPermute, body("s", q))).Scores["q"]
	n := 0
	for _, o := range orders(2, true) {
		if o[0] == 0 {
			n++
		}
	}
	is.Equal(p[0], float64(n)/4)
	is.True(p[0] < 1)
}

func TestScriptedAnswers(t *testing.T) {
	for _, tt := range []struct {
		name     string
		script   Script
		path     string
		question string
		want     string
	}{
		{"noul above the threshold", Script{Rules: []Rule{{Answer: &Answer{Noul: Float(0.9)}}}}, pathAsk, qNoul, `"answers":{"q":true}`},
		{"noul below it", Script{Rules: []Rule{{Answer: &Answer{Noul: Float(0.64)}}}}, pathAsk, qNoul, `"answers":{"q":false}`},
		{"its scores", Script{Rules: []Rule{{Answer: &Answer{Noul: Float(0.64)}}}}, pathAsk, qNoul, `"option_scores":{"q":[0.36,0.64]}`},
		{"score", Script{Rules: []Rule{{Answer: &Answer{Score: Float(8)}}}}, pathAsk, qScore, `"answers":{"q":8}`},
		{"score between levels", Script{Rules: []Rule{{Answer: &Answer{Score: Float(3.5)}}}}, pathAsk, qScore, `"option_scores":{"q":[0.0,0.5,0.5,0.0,0.0,0.0,0.0,0.0,0.0]}`},
		{"choice by index", Script{Rules: []Rule{{Answer: &Answer{Choice: Int(2)}}}}, pathAsk, qChoice, `"answers":{"q":2}`},
		{"choice by label, permuted", Script{Rules: []Rule{{Answer: &Answer{Label: "b"}}}}, pathPermute, qChoice, `"answers":{"q":1}`},
		{"with confidence", Script{Rules: []Rule{{Answer: &Answer{Choice: Int(0), Confidence: Float(0.5)}}}}, pathAsk, qChoice, `"option_scores":{"q":[0.5,0.25,0.25]}`},
		{"an only option", Script{Rules: []Rule{{Answer: &Answer{Choice: Int(0)}}}}, pathAsk, `{"id":"q","type":"choice","options":["a"]}`, `"option_scores":{"q":[1.0]}`},
		{"literal value", Script{Rules: []Rule{{Answer: &Answer{Value: json.RawMessage(`{"x":[1]}`)}}}}, pathAsk, qNoul, `"answers":{"q":{"x":[1]}}`},
		{"tokens and model", Script{Rules: []Rule{{Answer: &Answer{InputTokens: Int(512), Model: "m"}}}}, pathAsk, qNoul, `{"model":"m","answers":{"q":false},"usage":{"input_tokens":512,`},
		{"without extensions", Script{NoExtensions: true, Rules: []Rule{{Answer: &Answer{Noul: Float(0.9)}}}}, pathAsk, qNoul, `{"model":"Phocinae-Largha-150M-v1","answers":{"q":true},"usage":{"input_tokens":27,"output_tokens":0}}`},
		{"legacy noul is a probability", Script{Legacy: true, Rules: []Rule{{Answer: &Answer{Noul: Float(0.5)}}}}, pathAsk, qNoul, `"answers":{"q":{"type":"noul","noul":0.5}},"usage":{"input_tokens":27,"output_tokens":0},"answer_confidence":0.5}`},
		{"legacy score", Script{Legacy: true, Rules: []Rule{{Answer: &Answer{Score: Float(5)}}}}, pathAsk, qScore, `"answers":{"q":{"type":"score","score":5}}`},
		{"legacy choice, three levels", Script{Legacy: true, LegacyLevels: 3, Rules: []Rule{{Answer: &Answer{Choice: Int(1)}}}}, pathAsk, qChoice, `"answers":{"q":{"answer":{"answer":{"type":"choice","choice":1}}}}`},
		{"other model and device", Script{Model: DefaultModel, Device: "cuda"}, pathAsk, qNoul, `"device":"cuda"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := post(New(&tt.script), tt.path, body("git status", tt.question)).Body.String()
			if !strings.Contains(got, tt.want) {
				t.Errorf("body %s\nlacks %s", got, tt.want)
			}
		})
	}
}

func TestRulesAreChosenInOrder(t *testing.T) {
	is := is.New(t)
	s := New(&Script{Rules: []Rule{
		{Name: "twice", Match: Match{Contains: "rm"}, Answer: &Answer{Score: Float(10)}, Times: 2},
		{Name: "pattern", Match: Match{State: `^git (status|log)$`, Type: "score"}, Answer: &Answer{Score: Float(2)}},
		{Name: "id", Match: Match{ID: "other"}, Answer: &Answer{Score: Float(3)}},
		{Name: "options", Match: Match{Options: []string{"c", "b", "a"}}, Answer: &Answer{Label: "b"}},
		{Name: "no such label", Match: Match{}, Answer: &Answer{Label: "nope"}},
		{Name: "no such place", Match: Match{}, Answer: &Answer{Position: Int(9)}},
		{Name: "rest", Answer: &Answer{Score: Float(5)}},
	}})
	score := func(state string) any { return read(t, post(s, pathAsk, body(state, qScore))).Answers["q"] }
	is.Equal(score("rm a"), 10.0)
	is.Equal(score("rm b"), 10.0)
	is.Equal(score("rm c"), 5.0) // used up
	is.Equal(score("git log"), 2.0)
	is.Equal(score("git push"), 5.0)
	is.Equal(read(t, post(s, pathAsk, body("x", `{"id":"other","type":"score"}`))).Answers["other"], 3.0)
	is.Equal(read(t, post(s, pathAsk, body("x", qChoice))).Answers["q"], 1.0)
	is.Equal(s.Hits("twice"), 2)
	is.Equal(s.Hits("pattern"), 1)
	is.Equal(s.Hits("no such label"), 0)
	is.Equal(s.Count(), 7)
	recorded := s.Requests()
	is.Equal(len(recorded), 7)
	is.Equal(recorded[3].Requests[0].State, "git log")
	is.Equal(recorded[3].Rules, []string{"pattern"})
	is.Equal(recorded[3].Status, 200)
	is.Equal(string(recorded[3].Body), body("git log", qScore))
	s.Reset()
	is.Equal(s.Count(), 0)
	is.NoErr(s.SetScript(nil))
	is.True(s.SetScript(&Script{LegacyLevels: 99}) != nil)
	is.Equal(s.Hits("rest"), 0)
}

func TestBatchAnswersInOrder(t *testing.T) {
	is := is.New(t)
	s := New(&Script{Rules: []Rule{{Match: Match{State: "^a$"}, Answer: &Answer{Score: Float(3)}}, {Answer: &Answer{Score: Float(9)}}}})
	for _, b := range []string{"[%s,%s]", `{"requests":[%s,%s]}`} {
		w := post(s, pathBatch, fmt.Sprintf(b, body("a", qScore), body("b", qScore)))
		var list []shape
		is.NoErr(json.Unmarshal(w.Body.Bytes(), &list))
		is.Equal(len(list), 2)
		is.Equal(list[0].Answers["q"], 3.0)
		is.Equal(list[1].Answers["q"], 9.0)
	}
}

func TestUsageIsCutLikeASequence(t *testing.T) {
	is := is.New(t)
	tokens := func(state, q string) int { return read(t, post(New(nil), pathAsk, body(state, q))).Usage.InputTokens }
	is.Equal(tokens(strings.Repeat("x", 100_000), qNoul), 512)
	is.Equal(tokens(strings.Repeat("x", 100_000), qChoice), 512)
	is.True(tokens(strings.Repeat("x", 1000), qNoul) < 512)
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprintf(`"a rather long option %d"`, i))
	}
	is.True(tokens("x", `{"id":"q","type":"choice","options":[`+strings.Join(many, ",")+`]}`) > 512) // a longer sequence is used
}

func TestStrictScripts(t *testing.T) {
	is := is.New(t)
	s := New(&Script{Strict: true, Rules: []Rule{{Match: Match{Type: "noul"}, Answer: &Answer{Noul: Float(1)}}}})
	var said string
	s.onError = func(format string, args ...any) { said = fmt.Sprintf(format, args...) }
	is.Equal(post(s, pathAsk, body("s", qNoul)).Code, 200)
	is.Equal(said, "")
	is.Equal(post(s, pathAsk, body("the state", qScore)).Code, 500)
	is.True(strings.Contains(said, "the state")) // it prints the request
}

func TestScriptsAreChecked(t *testing.T) {
	is := is.New(t)
	_, err := ParseScript([]byte(`{"legacy_levels":17,"rules":[{},{"times":-1,"match":{"type":"x","path":"y","state":"("},"answer":{"noul":2,"score":1,"confidence":-1,"choice":1,"label":"x","input_tokens":-1},
		"fault":{"kind":"hang","status":500,"bytes":-1}},{"fault":{"kind":"?"}},{"fault":{"kind":"status"}},{"fault":{"kind":"redirect","status":200}}]}`))
	is.True(err != nil)
	for _, want := range []string{
		"legacy_levels", "rules[0]: has neither", "rules[1]: times", "match.type", "match.path", "match.state", "answer.noul", "answer.score", "answer.confidence",
		"exclude each other", "answer.input_tokens", "fault.status is not used", "fault.bytes is not used", "numbers must not", `rules[2]: fault.kind "?"`, "rules[3]: fault.status must be 200 to 599", "rules[4]: fault.status must be 300 to 399",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	for _, bad := range []string{``, `[]`, `{"modell":"x"}`, `{} {}`, `{"rules":[{"answer":{"value":nope}}]}`} {
		_, err := ParseScript([]byte(bad))
		is.True(err != nil)
	}
	for bad, place := range map[string]string{
		"": "line 1, column 1: ", "{\n \"rules\": [],\n}": "line 3, column 1: ", `{"model": 5}`: "line 1, column 11: ", "{\n\"model\": \"ü\" x}": "line 2, column 14: ",
	} {
		_, err := ParseScript([]byte(bad))
		if err == nil || !strings.HasPrefix(err.Error(), "mockp0: script: "+place) {
			t.Errorf("%q: %v does not say %q", bad, err, place)
		}
	}
	s, err := ParseScript([]byte(`{"model":"m","bearer":"b","rules":[{"name":"n","match":{"contains":"x"},"answer":{"noul":0.5,"value":{"a":1}},"times":3}]}`))
	is.NoErr(err)
	is.Equal(s.Rules[0].Times, 3)
	is.True((&Answer{Value: json.RawMessage("{")}).check() != nil)
	defer func() { is.True(recover() != nil) }() // New of a bad script
	New(&Script{LegacyLevels: 99})
}

func TestRecordingIsBounded(t *testing.T) {
	is := is.New(t)
	s := New(nil)
	for range maxRecorded + 5 {
		s.ServeHTTP(discard{}, httptest.NewRequestWithContext(t.Context(), "GET", "/", bytes.NewReader(nil)))
	}
	is.Equal(s.Count(), maxRecorded+5)
	is.True(len(s.Requests()) <= maxRecorded)
	is.Equal(s.Requests()[len(s.Requests())-1].Seq, maxRecorded+5)
}

type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}
