package mockp0

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Kinds of fault. The first group breaks the exchange, the second damages a good answer.
const (
	Status             = "status"               // answers Status with Body (default: a detail text), Header
	Delay              = "delay"                // waits DelayMS (default 100), then answers as usual
	Hang               = "hang"                 // never answers
	HangBody           = "hang_body"            // sends header and half of the body, then nothing
	CloseBeforeHeaders = "close_before_headers" // closes the connection without an answer
	CloseAfterHeaders  = "close_after_headers"  // sends the header with the real length, then closes
	Reset              = "reset"                // resets the connection (RST)
	Cut                = "cut"                  // sends the header and Bytes bytes of the body (default: half), then closes
	ContentType        = "content_type"         // good answer called text/html, or what Header says
	HugeBody           = "huge_body"            // good answer, then blanks up to Bytes (default 8 MiB), without a length
	HugeLength         = "huge_length"          // the same, with a length
	HugeHeader         = "huge_header"          // a header of Bytes bytes (default 1 MiB), then a good answer
	GzipBomb           = "gzip_bomb"            // good answer and blanks up to Bytes (default 16 MiB), compressed
	SlowDrip           = "slow_drip"            // good answer, one byte every DelayMS (default 100)
	Redirect           = "redirect"             // Status (default 307) to a place that would answer well
	RedirectLoop       = "redirect_loop"        // Status (default 307) to the same place
	Continue           = "continue"             // 100 Continue three times, then nothing
	WrongLength        = "wrong_length"         // Content-Length off by Bytes (default +7; negative: too short)
	HTTP10             = "http10"               // HTTP/1.0 without a length, Bytes bytes of the body (default: half), then closes
	NotHTTP            = "not_http"             // answers with bytes that are no HTTP
	BadChunk           = "bad_chunk"            // chunked, with a chunk size that is none
	Body               = "body"                 // status 200 with Body as it stands, Header

	EmptyBody      = "empty_body"      // no bytes
	Garbage        = "garbage"         // text that is no JSON
	NotObject      = "not_object"      // the other of array and object
	Trailing       = "trailing"        // a second JSON value after the first
	CutJSON        = "cut_json"        // half of the body with a matching length
	RepeatedNames  = "repeated_names"  // the asked id twice with different values; elsewhere the first member twice
	BadUTF8        = "bad_utf8"        // a string that is not UTF-8
	LoneSurrogate  = "lone_surrogate"  // a string with half of a surrogate pair
	DeepNesting    = "deep_nesting"    // answer nested Depth levels deep (default 5)
	Overflow       = "overflow"        // 1e999 for a number
	NotANumber     = "nan"             // NaN for a number
	WrongType      = "wrong_type"      // a string for the value
	BareNumber     = "bare_number"     // 0.9 for a noul, true for a number
	NullAnswer     = "null_answer"     // null for the value
	MissingID      = "missing_id"      // an answer to another id
	NoAnswers      = "no_answers"      // no answers member
	NullAnswers    = "null_answers"    // answers is null
	AnswersArray   = "answers_array"   // answers is an array
	TooHigh        = "too_high"        // above the range: {"noul":1.5}, index = number of options, score 11
	TooLow         = "too_low"         // below the range: {"noul":-0.1}, index -1, score 1
	Fraction       = "fraction"        // an index of 0.5; other types keep their answer
	ScoresDisagree = "scores_disagree" // option_scores that speak against the answer
	ScoresSum      = "scores_sum"      // option_scores that add up to less than 1
	ScoresShort    = "scores_short"    // one option score too few
	ScoresRange    = "scores_range"    // option scores outside 0 to 1
	ScoresMissing  = "scores_missing"  // option_scores without the asked id
	ScoresNull     = "scores_null"     // option_scores is null
	BadConfidence  = "bad_confidence"  // a confidence of 1.7
	NoUsage        = "no_usage"        // no usage member
	FullSequence   = "full_sequence"   // input_tokens says that the sequence was full
	OtherModel     = "other_model"     // another model's name
)

// uses lists, for every kind, the members of Fault that it uses besides Kind.
var uses = map[string]string{
	Status: "status body header", Delay: "delay_ms", Hang: "", HangBody: "", CloseBeforeHeaders: "", CloseAfterHeaders: "", Reset: "",
	Cut: "bytes", ContentType: "header", HugeBody: "bytes", HugeLength: "bytes", HugeHeader: "bytes", GzipBomb: "bytes", SlowDrip: "delay_ms",
	Redirect: "status", RedirectLoop: "status", Continue: "", WrongLength: "bytes", HTTP10: "bytes", NotHTTP: "", BadChunk: "", Body: "body header",
	EmptyBody: "", Garbage: "", NotObject: "", Trailing: "", CutJSON: "", RepeatedNames: "", BadUTF8: "", LoneSurrogate: "", DeepNesting: "depth",
	Overflow: "", NotANumber: "", WrongType: "", BareNumber: "", NullAnswer: "", MissingID: "", NoAnswers: "", NullAnswers: "", AnswersArray: "",
	TooHigh: "", TooLow: "", Fraction: "", ScoresDisagree: "", ScoresSum: "", ScoresShort: "", ScoresRange: "", ScoresMissing: "", ScoresNull: "",
	BadConfidence: "", NoUsage: "", FullSequence: "", OtherModel: "",
}

func (f *Fault) check() (errs []error) {
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("fault."+format, args...)) }
	allowed, ok := uses[f.Kind]
	if !ok {
		bad("kind %q is unknown", f.Kind)
		return errs
	}
	for name, set := range map[string]bool{
		"status": f.Status != 0, "body": f.Body != "", "header": f.Header != nil, "delay_ms": f.DelayMS != 0, "bytes": f.Bytes != 0, "depth": f.Depth != 0,
	} {
		if set && !slices.Contains(strings.Fields(allowed), name) {
			bad("%s is not used by kind %s", name, f.Kind)
		}
	}
	switch {
	case f.Kind == Status && (f.Status < 200 || f.Status > 599):
		bad("status must be 200 to 599")
	case f.Status != 0 && f.Kind != Status && (f.Status < 300 || f.Status > 399):
		bad("status must be 300 to 399")
	}
	if f.DelayMS < 0 || f.Depth < 0 || f.Bytes < 0 && f.Kind != WrongLength {
		bad("numbers must not be negative")
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}

// damages reports whether the fault leaves an answer with the usual status.
func (f *Fault) damages() bool {
	_, ok := damage[f.Kind]
	return ok || f.Kind == Delay || f.Kind == SlowDrip
}

// quiet drops what net/http says about connections that faults broke on purpose.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// pause waits, and reports false if the peer or the service went away first.
func (x *exchange) pause(r *http.Request, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	case <-x.s.closing:
		return false
	}
}

// hang waits until the peer or the service goes away, and ends the connection.
func (x *exchange) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-x.s.closing:
	}
	panic(http.ErrAbortHandler)
}
