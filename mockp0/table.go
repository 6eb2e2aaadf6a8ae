package mockp0

import "net/http"

// NamedFault is one row of Faults: a fault and what a careful client must make of it.
type NamedFault struct {
	Name  string
	Fault Fault
	// Kinds are the kinds of error that are right for it, in the words of p0client.Kind.
	Kinds []string
	// Types are the question types that it can hurt; nil means every exchange, also those without questions.
	Types []string
	// Slow faults end only by the client's own timeout.
	Slow bool
	// StrictModel faults are none unless the client insists on the model's name.
	StrictModel bool
}

// Questions reports whether the fault needs an exchange with questions.
func (f *NamedFault) Questions() bool { return f.Types != nil }

// Hurts reports whether the fault can hurt a question of that type; "" stands for an exchange without questions.
func (f *NamedFault) Hurts(questionType string) bool {
	if f.Types == nil {
		return true
	}
	for _, t := range f.Types {
		if t == questionType {
			return true
		}
	}
	return false
}

// Faults lists every fault in every variant worth testing, for matrices: whoever asks through one of them must
// come back with an error of one of its Kinds and never with an answer.
func Faults() []NamedFault {
	all := []string{"noul", "choice", "score"}
	one := func(kind string, want ...string) NamedFault {
		return NamedFault{Name: kind, Fault: Fault{Kind: kind}, Kinds: want}
	}
	asked := func(kind string, types []string, want ...string) NamedFault {
		return NamedFault{Name: kind, Fault: Fault{Kind: kind}, Kinds: want, Types: types}
	}
	slow := func(f Fault) NamedFault {
		return NamedFault{Name: f.Kind, Fault: f, Kinds: []string{"timeout"}, Slow: true}
	}
	list := []NamedFault{
		slow(Fault{Kind: Delay, DelayMS: 60_000}), slow(Fault{Kind: Hang}), slow(Fault{Kind: HangBody}),
		slow(Fault{Kind: Continue}), slow(Fault{Kind: SlowDrip, DelayMS: 20_000}),
		one(CloseBeforeHeaders, "unavailable"), one(CloseAfterHeaders, "malformed"), one(Reset, "unavailable"), one(Cut, "malformed"),
		{Name: "cut_after_1", Fault: Fault{Kind: Cut, Bytes: 1}, Kinds: []string{"malformed"}},
		one(ContentType, "malformed"), one(HugeBody, "too_large"), one(HugeLength, "too_large"), one(HugeHeader, "unavailable"),
		one(GzipBomb, "malformed"), one(Redirect, "redirected"), one(RedirectLoop, "redirected"),
		{Name: "redirect_302", Fault: Fault{Kind: Redirect, Status: http.StatusFound}, Kinds: []string{"redirected"}},
		one(WrongLength, "malformed"),
		{Name: "wrong_length_short", Fault: Fault{Kind: WrongLength, Bytes: -3}, Kinds: []string{"malformed"}},
		{Name: "http10_cut", Fault: Fault{Kind: HTTP10}, Kinds: []string{"malformed"}},
		one(NotHTTP, "unavailable"), one(BadChunk, "unavailable", "malformed"),
		one(EmptyBody, "malformed"), one(Garbage, "malformed"), one(NotObject, "malformed"), one(Trailing, "malformed"), one(CutJSON, "malformed"),
		one(RepeatedNames, "malformed"), one(BadUTF8, "malformed"), one(LoneSurrogate, "malformed"), one(Overflow, "out_of_range", "malformed"),
		one(NotANumber, "malformed"), asked(DeepNesting, all, "malformed"),
		{Name: "deep_nesting_20000", Fault: Fault{Kind: DeepNesting, Depth: 20_000}, Kinds: []string{"malformed"}},
		asked(WrongType, all, "malformed"), asked(BareNumber, all, "malformed"), asked(NullAnswer, all, "missing_answer"),
		asked(MissingID, all, "missing_answer"), asked(NoAnswers, all, "missing_answer"), asked(NullAnswers, all, "missing_answer"),
		asked(AnswersArray, all, "malformed"), asked(TooHigh, all, "out_of_range"), asked(TooLow, all, "out_of_range"),
		asked(Fraction, []string{"choice"}, "out_of_range"),
		asked(ScoresDisagree, all, "malformed"), asked(ScoresSum, all, "out_of_range"), asked(ScoresShort, all, "malformed"),
		asked(ScoresRange, all, "out_of_range"), asked(ScoresMissing, all, "missing_answer"), asked(ScoresNull, all, "malformed"),
		asked(BadConfidence, all, "out_of_range"), asked(NoUsage, all, "truncated"), asked(FullSequence, all, "truncated"),
		{Name: OtherModel, Fault: Fault{Kind: OtherModel}, Kinds: []string{"model_mismatch"}, Types: all, StrictModel: true},
	}
	for _, s := range []struct {
		name   string
		status int
		kind   string
	}{
		{"status_204", 204, "malformed"},
		{"status_206", 206, "malformed"},
		{"status_304", 304, "redirected"},
		{"status_400", 400, "rejected"},
		{"status_401", 401, "unauthorized"},
		{"status_403", 403, "unauthorized"},
		{"status_404", 404, "rejected"},
		{"status_413", 413, "rejected"},
		{"status_422", 422, "rejected"},
		{"status_429", 429, "rate_limited"},
		{"status_500", 500, "unavailable"},
		{"status_502", 502, "unavailable"},
		{"status_503", 503, "unavailable"},
		{"status_504", 504, "unavailable"},
	} {
		list = append(list, NamedFault{Name: s.name, Fault: Fault{Kind: Status, Status: s.status}, Kinds: []string{s.kind}})
	}
	return append(list, NamedFault{
		Name: "status_201_with_answer", Kinds: []string{"malformed"},
		Fault: Fault{Kind: Status, Status: 201, Body: `{"answers":{"may_run":true,"risk":2,"choice":0,"score":2},"usage":{"input_tokens":9}}`},
	})
}
