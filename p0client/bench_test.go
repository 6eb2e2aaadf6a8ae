package p0client

import (
	"testing"
)

func BenchmarkReadAnswer(b *testing.B) {
	body := []byte(`{"model":"Phocinae-Largha-150M-v1","answers":{"q":true},"usage":{"input_tokens":60,"output_tokens":0},` +
		`"answer_confidence":{"q":0.9},"action":{"q":{"act_probability":0.9}},"option_scores":{"q":[0.1,0.9]},` +
		`"routing":{"model":"Phocinae-Largha-150M-v1","device":"cpu","perm":"none","backend":"phocinae-pure-torch"}}`)
	r := reader{op: "bench"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.response(body, askNoul); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGateRequest(b *testing.B) {
	q := GateQuestion{Command: "git -C /home/dev/app commit -m 'fix: the \"blank page\" after paying'", Dir: "/home/dev/app"}
	qs := []asked{{id: "may_run", kind: TypeNoul, threshold: 0.65}}
	b.ReportAllocs()
	for b.Loop() {
		appendRequest(nil, DefaultModel, gateState(statementMayRun, q), qs)
	}
}
