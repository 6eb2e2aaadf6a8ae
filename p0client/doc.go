// Package p0client asks the P0 inference service typed questions and fails closed: a call either returns an
// answer that was checked in full, or an error that says which kind of failure it was. Nothing is guessed,
// defaulted or half returned.
//
//	c, err := p0client.New("http://127.0.0.1:8155", nil)
//	if err != nil { … }
//	defer c.Close()
//	a, err := c.Gate(ctx, p0client.GateQuestion{Command: "make -C web build", Dir: "/home/dev/app"})
//	// err != nil: there is no answer, and the command must not run
//
// Gate, Classify, Route and Score write the meaning of the question into the state, because the service reads
// nothing else (it drops instructions and criteria of a question silently). Noul true always means "may run".
// Ask, Permute and Batch are the plain calls below them.
//
// # Limits
//
// Requests: 2 MiB, 64 questions, 255 options, 64 requests in a batch. Answers: Options.MaxResponseBytes, 1 MiB
// by default. The service reads about 450 tokens of a state and drops the rest without a sign; an answer whose
// usage.input_tokens is missing or says that a sequence was full is therefore no answer (ErrTruncated).
// Long option lists are cut too: see ChoiceRead. Redirects are not followed, no proxy is taken from the
// environment, HTTP/2 is off, compressed answers are refused, and nothing is retried unless Options.Retry says
// so; Gate is never retried.
//
// # Errors
//
// Every error matches one of the Err… values with errors.Is, and Kind names it in one word. Details are in
// *RequestError (every violation, with its field), *StatusError and *AnswerError. Error texts hold neither the
// bearer token nor the command or input that was asked about.
//
// # Concurrency
//
// A Client is safe for concurrent use. It starts goroutines only for the length of a Gate call, besides those
// that net/http keeps for idle connections; Close ends these.
package p0client
