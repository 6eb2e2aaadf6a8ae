// Package mockp0 is a P0 inference service without a model: the endpoints, validation, statuses and bodies of the
// real one, answers that are scripted or a fixed function of the request, and faults that happen exactly as asked.
// It is for tests and demonstrations.
//
//	srv := mockp0.NewServer(t, &mockp0.Script{Rules: []mockp0.Rule{
//		{Match: mockp0.Match{Contains: "rm -rf"}, Answer: &mockp0.Answer{Noul: mockp0.Float(0.02), Score: mockp0.Float(9)}},
//		{Match: mockp0.Match{Type: "score"}, Fault: &mockp0.Fault{Kind: mockp0.Hang}, Times: 1},
//	}})
//	// srv.URL is the address; srv.Requests() says what was sent
//
// # Rules
//
// Every question goes through the rules in order; the first that matches, is not used up (Times) and has
// something to say about the question's type decides. A rule with a fault breaks the whole request.
//
// # Default answers
//
// A question that no rule answers gets an answer computed with integers from SHA-256, the same on every machine.
// h(a, b, …) is the first eight bytes, big-endian, of the hash of the arguments, each followed by a zero byte.
// A noul has P(true) = (h("noul", state) mod 10001) / 10000. A score gives level L (2 to 10) the weight
// (1 + h("score", state, L) mod 1000)². A choice gives the option at place i of the order in which it is read the
// weight (1 + h("choice", state, option) mod 1000)² × (6 if i is 0, else 5): like a real model it leans to the
// first place, so averaging over orders changes its scores. Weights are divided by their sum. Numbers are
// rounded to four decimals in scores and confidences. Permute reads a choice in four orders (as asked, reversed, and two shuffles from a fixed seed)
// and averages the probabilities of each option.
//
// # Differences from the real service
//
// There is no tokenizer: usage.input_tokens counts one token for four bytes, with the real limits of a sequence.
// The two shuffles are not those of Python's generator. An empty list of questions is refused (some builds
// accept it and fail later). Of a batch that is neither array nor object, only one of the two readings is
// reported. It listens on loopback addresses only.
//
// # Concurrency
//
// A Service is safe for concurrent use. Close of a Server ends hanging faults and waits for every handler.
package mockp0
