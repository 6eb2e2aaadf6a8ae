package mcpproto

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

var (
	decisiveTime  = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	decisiveClaim = StateClaims{Method: "m", Issued: decisiveTime, Expires: decisiveTime.Add(time.Minute), Nonce: Nonce{1}}
)

func TestStateLimitsAreInclusive(t *testing.T) {
	is := is.New(t)
	s := RandomStateSealer()
	c := decisiveClaim
	c.Method, c.Principal = strings.Repeat("m", maxStateMethod), strings.Repeat("p", maxStatePrincipal)
	state, err := s.Seal(c)
	is.NoErr(err) // exactly the longest of both
	got, err := s.Open(state, c, decisiveTime)
	is.NoErr(err)
	is.Equal(got.Principal, c.Principal)

	_, err = s.Open(strings.Repeat("A", maxStateText), c, decisiveTime)
	is.True(errors.Is(err, ErrStateForged)) // the longest text is looked at
	_, err = s.Open(strings.Repeat("A", maxStateText+1), c, decisiveTime)
	is.True(errors.Is(err, ErrStateMalformed)) // a longer one is not
	_, err = s.Open(stateText.EncodeToString(make([]byte, 33)), c, decisiveTime)
	is.True(errors.Is(err, ErrStateForged)) // one byte beside the seal is looked at
	_, err = s.Open(stateText.EncodeToString(make([]byte, 32)), c, decisiveTime)
	is.True(errors.Is(err, ErrStateMalformed)) // a bare seal is not
}

func TestStateWithoutData(t *testing.T) {
	is := is.New(t)
	s := RandomStateSealer()
	state, err := s.Seal(decisiveClaim)
	is.NoErr(err)
	got, err := s.Open(state, decisiveClaim, decisiveTime)
	is.NoErr(err)
	is.True(got.Data == nil) // no data is nil, not empty
}

// TestStatePayloads: a payload that a key holder sealed wrongly is refused, whatever it lacks.
func TestStatePayloads(t *testing.T) {
	key := bytes.Repeat([]byte{7}, MinStateKey)
	fixed := make([]byte, 1+8+8+len(Nonce{})+len(Digest{}))
	fixed[0] = stateFormat
	sized := func(parts ...string) []byte {
		b := bytes.Clone(fixed)
		for _, p := range parts {
			b = appendSized(b, []byte(p))
		}
		return b
	}
	for _, tt := range []struct {
		name    string
		payload []byte
		ok      bool
	}{
		{"complete", sized("m", "", ""), true},
		{"one byte", []byte{stateFormat}, false},
		{"another format", append([]byte{stateFormat + 1}, sized("m", "", "")[1:]...), false},
		{"no sizes", fixed, false},
		{"without principal and data", sized("m"), false},
		{"without data", sized("m", "p"), false},
		{"half a size", append(sized("m", "p"), 0, 0), false},
		{"a size that promises more", append(sized("m", "p"), 0, 0, 0, 9, 'x'), false},
		{"something behind", append(sized("m", "", ""), 'x'), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, ok := parseClaims(tt.payload)
			is.Equal(ok, tt.ok)
			s, err := NewStateSealer(key)
			is.NoErr(err)
			state := stateText.EncodeToString(append(bytes.Clone(tt.payload), seal(key, tt.payload)...))
			_, err = s.Open(state, StateClaims{Method: "m"}, time.UnixMilli(0))
			if tt.ok {
				is.True(errors.Is(err, ErrStateExpired)) // read, and its times are zero
			} else {
				is.True(errors.Is(err, ErrStateMalformed))
			}
		})
	}
	is := is.New(t)
	_, _, ok := cutSized([]byte{0})
	is.True(!ok) // no whole size
	_, _, ok = cutSized([]byte{0, 0, 0, 2, 'x'})
	is.True(!ok) // less than promised
	part, rest, ok := cutSized([]byte{0, 0, 0, 0})
	is.True(ok && len(part) == 0 && len(rest) == 0) // nothing, exactly
}

func TestLedgerEdges(t *testing.T) {
	at := func(minute int) time.Time { return decisiveTime.Add(time.Duration(minute) * time.Minute) }
	t.Run("no limit means the default", func(t *testing.T) {
		is := is.New(t)
		is.NoErr(NewMemoryLedger(0).Use(Nonce{1}, at(0), at(5), at(0)))
	})
	t.Run("forgetting refuses the old and nobody else", func(t *testing.T) {
		is := is.New(t)
		l := NewMemoryLedger(2)
		for n := range 3 {
			is.NoErr(l.Use(Nonce{byte(n)}, at(n), at(60), at(3))) // the third makes it forget the first
		}
		is.NoErr(l.Use(Nonce{9}, at(4), at(60), at(4)))                         // a newer one is as good as before
		is.True(errors.Is(l.Use(Nonce{10}, at(0), at(60), at(4)), ErrNonceOld)) // as old as what was forgotten
		is.True(errors.Is(l.Use(Nonce{9}, at(4), at(60), at(4)), ErrNonceUsed)) // used is used
		is.NoErr(NewMemoryLedger(2).Use(Nonce{1}, time.Time{}, at(60), at(0)))  // nothing forgotten: any issue time
	})
	t.Run("what has expired makes room first", func(t *testing.T) {
		is := is.New(t)
		l := NewMemoryLedger(1)
		is.NoErr(l.Use(Nonce{1}, at(5), at(6), at(5)))
		is.NoErr(l.Use(Nonce{2}, at(1), at(60), at(7))) // issued before the first, which is gone by expiry
	})
}

func TestHeaderValueEdges(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		plain       bool
	}{
		{"a blank", "a b", true},
		{"a tab", "a\tb", true},
		{"the last visible character", "a~b", true},
		{"the character behind it", "a\x7fb", false},
		{"a control character", "a\x1fb", false},
		{"a letter of another script", "é", false},
		{"something that looks encoded", sentinelHead + sentinelTail, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			encoded := EncodeHeaderValue(tt.value)
			is.Equal(encoded == tt.value, tt.plain) // itself only if it is plain
			got, err := DecodeHeaderValue(encoded)
			is.NoErr(err)
			is.Equal(got, tt.value)
		})
	}
	for _, tt := range []struct{ name, header string }{
		{"not base64", "=?base64?!!!!?="},
		{"not UTF-8", sentinelHead + base64.StdEncoding.EncodeToString([]byte{0xff}) + sentinelTail},
		{"a line end inside", "=?base64?YW\r\nJj?="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := DecodeHeaderValue(tt.header)
			is.True(err != nil)
		})
	}
	t.Run("both sentinels in one are no sentinel", func(t *testing.T) {
		is := is.New(t)
		got, err := DecodeHeaderValue("=?base64?=")
		is.NoErr(err)
		is.Equal(got, "=?base64?=")
	})
	t.Run("nothing between them is nothing", func(t *testing.T) {
		is := is.New(t)
		got, err := DecodeHeaderValue("=?base64??=")
		is.NoErr(err)
		is.Equal(got, "")
	})
}

func TestHeaderNumbersAreComparedByValue(t *testing.T) {
	for _, tt := range []struct {
		header, argument string
		want             bool
	}{
		{"1", "1.0", true},
		{"10e-1", "1", true},
		{"-1", "-1.0", true},
		{"-1", "1", false},
		{"0", "-0.0", true},
		{"1.", "1", false},                     // no JSON number
		{"01", "1", false},                     // neither
		{`"1"`, "1", false},                    // a string
		{"1e99999999999999999999", "1", false}, // an exponent that cannot be compared
		{"1", "1e99999999999999999999", false},
		{"2", "1", false},
		{"10", "1", false},
	} {
		t.Run(tt.header+" and "+tt.argument, func(t *testing.T) {
			is := is.New(t)
			is.Equal(sameNumber(tt.header, tt.argument), tt.want)
		})
	}
}
