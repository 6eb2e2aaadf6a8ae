package p0client

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxErrorRead = 16 << 10 // of the body of a failed request
	maxErrorText = 2 << 10  // of that, in an error
	maxCauseText = 300      // of a cause from below, in an error
	hidden       = "[…]"
)

// explain reduces the body of a failed request to the service's own words on one line, without anything from
// private. Services quote the request back (FastAPI's "input"), so of a JSON body only detail, msg, loc and
// message are taken.
func explain(raw []byte, private []string) string {
	text := words(raw)
	if len(raw) == maxErrorRead {
		// A private text may stand cut in two at the end of what was read.
		text = text[:max(0, len(text)-longest(private))]
	}
	for _, p := range private {
		text = hide(text, p)
	}
	return oneLine(text, maxErrorText)
}

func longest(list []string) int {
	n := 0
	for _, s := range list {
		n = max(n, len(s))
	}
	return n
}

// hide removes a text as it is, as a JSON string inside, and as that once more. A text of a few letters goes only
// where it stands alone, else hardly a word would stay.
func hide(text, private string) string {
	for range 3 {
		if strings.TrimSpace(private) == "" {
			return text
		}
		if len(private) >= 8 {
			text = strings.ReplaceAll(text, private, hidden)
		} else {
			text = hideWord(text, private)
		}
		q, err := jsontext.AppendQuote(nil, private)
		if err != nil {
			return text
		}
		private = string(q[1 : len(q)-1])
	}
	return text
}

// hideWord removes a text where no letter or digit continues it on either side.
func hideWord(text, private string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, private)
		if i < 0 {
			return b.String() + text
		}
		before, _ := utf8.DecodeLastRuneInString(b.String() + text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(private):])
		b.WriteString(text[:i])
		if isWord(before) || isWord(after) {
			b.WriteString(private)
		} else {
			b.WriteString(hidden)
		}
		text = text[i+len(private):]
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// words takes the explanation out of the shapes in which P0 services put it.
func words(raw []byte) string {
	var body struct {
		Detail jsontext.Value `json:"detail"`
		Error  struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(raw, &body) != nil {
		if jsontext.Value(raw).IsValid() || looksLikeJSON(raw) {
			return ""
		}
		return string(raw)
	}
	if body.Error.Message != "" {
		return body.Error.Message
	}
	var text string
	if json.Unmarshal(body.Detail, &text) == nil {
		return text
	}
	var list []struct {
		Loc []jsontext.Value `json:"loc"`
		Msg string           `json:"msg"`
	}
	if json.Unmarshal(body.Detail, &list) != nil {
		return ""
	}
	parts := make([]string, 0, len(list))
	for _, d := range list {
		loc := make([]string, 0, len(d.Loc))
		for _, l := range d.Loc {
			loc = append(loc, strings.Trim(string(l), `"`))
		}
		parts = append(parts, strings.Join(loc, ".")+": "+d.Msg)
	}
	return strings.Join(parts, "; ")
}

// looksLikeJSON keeps a cut JSON body, which may quote the request, out of an error.
func looksLikeJSON(raw []byte) bool {
	t := strings.TrimSpace(string(raw))
	return strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[")
}

// oneLine makes a text safe to print: valid UTF-8, no control or direction characters, at most most bytes.
func oneLine(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= most {
		return s
	}
	cut := most - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
