package mockp0_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/phocinae/phocinae-go/mockp0"
)

func Example() {
	srv, err := mockp0.Start("127.0.0.1:0", &mockp0.Script{Rules: []mockp0.Rule{
		{Match: mockp0.Match{Contains: "rm -rf"}, Answer: &mockp0.Answer{Noul: mockp0.Float(0.02), Score: mockp0.Float(9)}},
		{Match: mockp0.Match{Type: "score"}, Fault: &mockp0.Fault{Kind: mockp0.Status, Status: 503}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()

	ask := func(state string) {
		body := `{"model":"Phocinae-Largha-150M-v1","state":"` + state + `","questions":[{"id":"risk","type":"score"}]}`
		resp, err := http.Post(srv.URL+"/v1/systemone", "application/json", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		defer resp.Body.Close()
		answer, _ := io.ReadAll(io.LimitReader(resp.Body, 70))
		fmt.Println(resp.StatusCode, string(answer))
	}
	ask("rm -rf build")
	ask("make")
	fmt.Println(srv.Count(), "requests, the last about", srv.Requests()[1].Requests[0].State)
	// Output:
	// 200 {"model":"Phocinae-Largha-150M-v1","answers":{"risk":9},"usage":{"inpu
	// 503 {"detail":"mockp0: status 503 as scripted"}
	// 2 requests, the last about make
}

func ExampleParseScript() {
	s, err := mockp0.ParseScript([]byte(`{
		"bearer": "let-me-in",
		"rules": [
			{"match": {"state": "^git "}, "answer": {"noul": 0.97, "score": 2}},
			{"match": {"path": "*"}, "fault": {"kind": "delay", "delay_ms": 30}, "times": 1}
		]
	}`))
	fmt.Println(len(s.Rules), err)

	_, err = mockp0.ParseScript([]byte(`{"rules": [{"fault": {"kind": "earthquake"}}]}`))
	fmt.Println(err)
	// Output:
	// 2 <nil>
	// mockp0: script: rules[0]: fault.kind "earthquake" is unknown
}

func ExampleFaults() {
	for _, f := range mockp0.Faults() {
		if f.Fault.Kind == mockp0.Redirect {
			fmt.Println(f.Name, f.Fault.Status, f.Kinds)
		}
	}
	// Output:
	// redirect 0 [redirected]
	// redirect_302 302 [redirected]
}
