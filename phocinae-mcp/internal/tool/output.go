package tool

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/phocinae/phocinae-go/gatecore"
	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/p0client"
	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/gate"
)

// maxFindings bounds the findings of one answer: clients cut long tool output. They come strictest first.
const maxFindings = 24

// GateOutput is the structured content of gate, in the order its members are sent.
type GateOutput struct {
	Command     string    `json:"command"`
	Cwd         string    `json:"cwd,omitzero"`
	Decision    string    `json:"decision"`
	Layer       string    `json:"layer"`
	Reason      string    `json:"reason"`
	HumanAction string    `json:"human_action"`
	Findings    []finding `json:"findings,omitempty"`
	Noul        *float64  `json:"noul,omitzero"`
	Score       *float64  `json:"score,omitzero"`
	NoulState   string    `json:"noul_state,omitzero"`
	Confidence  *float64  `json:"confidence,omitzero"`
	Model       string    `json:"model,omitzero"`
	Engine      string    `json:"engine"`
	Server      string    `json:"server,omitzero"`
	Tool        string    `json:"tool"`
	Status      int       `json:"status,omitzero"`
	Error       string    `json:"error,omitzero"`
	FailClosed  string    `json:"fail_closed"`
}

type finding struct {
	Rule    string `json:"rule"`
	Verdict string `json:"verdict"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
	Why     string `json:"why"`
	Instead string `json:"instead,omitzero"`
}

// Output turns a decision into what gate answers.
func Output(d *gate.Decision) *GateOutput {
	out := &GateOutput{
		Command: d.Request.Command, Cwd: d.Request.Dir, Decision: gate.Word(d.Verdict), Layer: string(d.Layer),
		Reason: d.Reason(), HumanAction: gate.HumanAction(d.Verdict), Engine: d.Engine, Server: d.Server, Tool: "gate",
		Status: d.Status, Error: d.Error, FailClosed: gate.Word(d.Fallback), Findings: findings(d.Findings),
	}
	if a := d.Answer; a != nil {
		out.Noul, out.Score, out.NoulState, out.Model = &a.Noul, &a.Score, a.State, a.Model
		if a.Confidence > 0 {
			out.Confidence = &a.Confidence
		}
	}
	return out
}

func findings(all []gatecore.Finding) []finding {
	if len(all) > maxFindings {
		all = all[:maxFindings]
	}
	out := make([]finding, len(all))
	for i, f := range all {
		out[i] = finding{f.RuleID, f.Verdict.String(), f.Start, f.End, f.Why, f.Instead}
	}
	return out
}

// encode makes the one JSON text that is both the structured content and the text block. What cannot be encoded is an
// internal error; nothing of our own types can fail.
func encode(v any) (*mcpproto.ToolResult, error) {
	raw, err := mcpproto.Marshal(v)
	if err != nil {
		return nil, err
	}
	return mcpproto.StructuredResult(raw), nil
}

// failure is what classify, route and score answer when the service gives nothing usable.
func failure(name, reason string, all []violation) *mcpproto.ToolResult {
	v := struct {
		Tool       string      `json:"tool"`
		Error      string      `json:"error"`
		Violations []violation `json:"violations,omitempty"`
	}{name, reason, limited(all)}
	raw, err := mcpproto.Marshal(&v)
	if err != nil {
		return mcpproto.ErrorResult(`{"error":"internal"}`)
	}
	return mcpproto.ErrorResult(string(raw))
}

// choiceOutput is the structured content of classify and route; the two differ in two names.
type classifyOutput struct {
	Question   string    `json:"question"`
	State      string    `json:"state"`
	Labels     []string  `json:"labels"`
	Choice     int       `json:"choice"`
	Label      string    `json:"label"`
	Confidence *float64  `json:"confidence,omitzero"`
	Scores     []float64 `json:"scores,omitempty"`
	Model      string    `json:"model,omitzero"`
	Usage      *usage    `json:"usage,omitzero"`
	Server     string    `json:"server,omitzero"`
}

type routeOutput struct {
	Question   string    `json:"question"`
	State      string    `json:"state"`
	Tools      []string  `json:"tools"`
	Choice     int       `json:"choice"`
	Tool       string    `json:"tool"`
	Confidence *float64  `json:"confidence,omitzero"`
	Scores     []float64 `json:"scores,omitempty"`
	Model      string    `json:"model,omitzero"`
	Usage      *usage    `json:"usage,omitzero"`
	Server     string    `json:"server,omitzero"`
}

type scoreOutput struct {
	Question   string    `json:"question"`
	State      string    `json:"state"`
	Criteria   []string  `json:"criteria"`
	Score      float64   `json:"score"`
	Range      [2]int    `json:"range"`
	Confidence *float64  `json:"confidence,omitzero"`
	Scores     []float64 `json:"scores,omitempty"`
	Model      string    `json:"model,omitzero"`
	Usage      *usage    `json:"usage,omitzero"`
	Server     string    `json:"server,omitzero"`
}

type usage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
}

func usageOf(u p0client.Usage) *usage { return &usage{u.InputTokens, u.OutputTokens} }

// The output schemas: object root, plain types, every member described. Required members come first.
const (
	gateSchema = `{"type":"object","properties":{` +
		`"command":{"type":"string","description":"the command as judged"},` +
		`"cwd":{"type":"string","description":"working directory it was judged for"},` +
		`"decision":{"type":"string","enum":["allow","deny","ask"],"description":"allow: run it; ask: a person decides; deny: do not run it"},` +
		`"layer":{"type":"string","enum":["L0","L1","fail_closed","human_confirm"],"description":"what reached the decision"},` +
		`"reason":{"type":"string","description":"rule and one sentence why"},` +
		`"human_action":{"type":"string","enum":["none","confirm","block"],"description":"what the host must do"},` +
		`"findings":{"type":"array","description":"opinions of rules, strictest first","items":{"type":"object","properties":{` +
		`"rule":{"type":"string","description":"stable id of the rule"},` +
		`"verdict":{"type":"string","enum":["allow","undecided","deny"],"description":"this rule's own verdict"},` +
		`"start":{"type":"integer","description":"first byte of the part it is about"},` +
		`"end":{"type":"integer","description":"byte after the part"},` +
		`"why":{"type":"string","description":"one sentence"},` +
		`"instead":{"type":"string","description":"a safer way"}},"required":["rule","verdict","start","end","why"]}},` +
		`"noul":{"type":"number","description":"model's probability that it may run without a person, 0 to 1"},` +
		`"score":{"type":"number","description":"model's risk score, 2 to 10"},` +
		`"noul_state":{"type":"string","enum":["true","wavering","false"],"description":"noul against its threshold"},` +
		`"confidence":{"type":"number","description":"the service's confidence in its answers"},` +
		`"model":{"type":"string","description":"name of the model"},` +
		`"engine":{"type":"string","description":"gatecore:<version>, or http:noul+score with the table off"},` +
		`"server":{"type":"string","description":"services asked, separated by a blank"},` +
		`"tool":{"type":"string","description":"gate"},` +
		`"status":{"type":"integer","description":"HTTP status of a service that failed"},` +
		`"error":{"type":"string","description":"kind of failure and one sentence"},` +
		`"fail_closed":{"type":"string","enum":["deny","ask"],"description":"the configured fallback for undecided commands"}` +
		`},"required":["command","decision","layer","reason"]}`

	commonSchema = `"confidence":{"type":"number","description":"probability of the answer, 0 to 1"},` +
		`"scores":{"type":"array","description":"@scores@","items":{"type":"number"}},` +
		`"model":{"type":"string","description":"name of the model"},` +
		`"usage":{"type":"object","description":"tokens read and written","properties":{` +
		`"input_tokens":{"type":"integer","description":"tokens read"},` +
		`"output_tokens":{"type":"integer","description":"always 0: nothing is generated"}},"required":["input_tokens","output_tokens"]},` +
		`"server":{"type":"string","description":"service that answered"}`

	stateSchema = `"state":{"type":"string","description":"the text"},`
	indexSchema = `"choice":{"type":"integer","minimum":0,"description":"index of the choice, from 0"},`
	listSchema  = `{"type":"array","items":{"type":"string"},"description":`
)

func classifySchema() jsontext.Value {
	return jsontext.Value(`{"type":"object","properties":{"question":{"type":"string","enum":["classify_choice"],"description":"kind of question"},` +
		stateSchema + `"labels":` + listSchema + `"the labels as given"},` + indexSchema +
		`"label":{"type":"string","description":"the chosen label"},` + common("per label, in request order") +
		`},"required":["question","state","labels","choice","label"]}`)
}

func routeSchema() jsontext.Value {
	return jsontext.Value(`{"type":"object","properties":{"question":{"type":"string","enum":["route_choice"],"description":"kind of question"},` +
		stateSchema + `"tools":` + listSchema + `"the tools as given"},` + indexSchema +
		`"tool":{"type":"string","description":"the chosen tool"},` + common("per tool, in request order") +
		`},"required":["question","state","tools","choice","tool"]}`)
}

func scoreSchema() jsontext.Value {
	return jsontext.Value(`{"type":"object","properties":{"question":{"type":"string","enum":["score_q"],"description":"kind of question"},` +
		stateSchema + `"criteria":` + listSchema + `"the criteria as given"},` +
		`"score":{"type":"number","minimum":2,"maximum":10,"description":"the rating"},` +
		`"range":{"type":"array","items":{"type":"integer"},"description":"lowest and highest rating"},` +
		common("per level 2 to 10") + `},"required":["question","state","criteria","score","range"]}`)
}

func common(scores string) string { return strings.Replace(commonSchema, "@scores@", scores, 1) }
