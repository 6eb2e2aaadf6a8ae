package p0client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/phocinae/phocinae-go/p0client"
)

// service stands in for a P0 service.
func service() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer := `{"answers":{"choice":1},"option_scores":{"choice":[0.07,0.93]},"usage":{"input_tokens":41}}`
		switch {
		case strings.Contains(string(body), `"may_run"`):
			answer = `{"answers":{"may_run":true},"option_scores":{"may_run":[0.08,0.92]},"usage":{"input_tokens":60}}`
		case strings.Contains(string(body), `"risk"`):
			answer = `{"answers":{"risk":3},"usage":{"input_tokens":80}}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	}))
}

func Example() {
	srv := service()
	defer srv.Close()

	c, err := p0client.New(srv.URL, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	a, err := c.Gate(context.Background(), p0client.GateQuestion{Command: "make -C web build", Dir: "/home/dev/app"})
	if err != nil {
		fmt.Println("no answer, so it must not run:", p0client.Kind(err))
		return
	}
	fmt.Printf("may run: %.2f, risk: %g\n", a.Noul, a.Score)
	// Output: may run: 0.92, risk: 3
}

func ExampleClient_Gate_failure() {
	srv := service()
	srv.Close() // nobody is there

	c, err := p0client.New(srv.URL, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	a, err := c.Gate(context.Background(), p0client.GateQuestion{Command: "make"})
	fmt.Println(p0client.Kind(err), errors.Is(err, p0client.ErrUnavailable), a.Valid(), a.Score)
	// Output: unavailable true false 0
}

func ExampleClient_Classify() {
	srv := service()
	defer srv.Close()

	c, err := p0client.New(srv.URL, &p0client.Options{Rate: 20, Burst: 40})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	a, err := c.Classify(context.Background(), "After paying, the page is blank.", []string{"praise", "bug report"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(a.Label, a.Scores)

	_, err = c.Classify(context.Background(), " ", []string{"bug", "bug"})
	fmt.Println(err)
	// Output:
	// bug report [0.07 0.93]
	// p0client: invalid classify request: input: is blank
}

func ExampleChoiceRead() {
	fmt.Println(p0client.ChoiceRead([]string{"web_search: search the public web", "read_file"}))
	// Output: [33 9]
}
