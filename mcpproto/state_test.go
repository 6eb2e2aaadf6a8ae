package mcpproto_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/mcpproto"
)

var stateTime = time.Date(2026, 8, 1, 12, 0, 0, 123e6, time.UTC)

func claims() mcpproto.StateClaims {
	return mcpproto.StateClaims{
		Method: "tools/call gate", Params: mcpproto.Digest{1, 2, 3}, Principal: "ann", Issued: stateTime,
		Expires: stateTime.Add(5 * time.Minute), Nonce: mcpproto.Nonce{9}, Data: []byte("round 1"),
	}
}

func sealer(t testing.TB, keys ...byte) *mcpproto.StateSealer {
	t.Helper()
	var list [][]byte
	for _, k := range keys {
		list = append(list, bytes.Repeat([]byte{k}, 32))
	}
	s, err := mcpproto.NewStateSealer(list...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStateSealer(t *testing.T) {
	is := is.New(t)
	state, err := sealer(t, 1).Seal(claims())
	is.NoErr(err)
	is.True(len(state) < 4096)
	is.Equal(strings.Trim(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"), "") // printable ASCII

	got, err := sealer(t, 1).Open(state, claims(), stateTime)
	is.NoErr(err)
	if d := cmp.Diff(claims(), got); d != "" {
		t.Error(d)
	}
	_, err = sealer(t, 2, 1).Open(state, claims(), stateTime) // after rotation the old key still opens
	is.NoErr(err)
	rotated, err := sealer(t, 2, 1).Seal(claims())
	is.NoErr(err)
	_, err = sealer(t, 1).Open(rotated, claims(), stateTime) // and the new one seals
	is.True(errors.Is(err, mcpproto.ErrStateForged))

	for _, tt := range []struct {
		claim string
		edit  func(*mcpproto.StateClaims) time.Time
		want  error
	}{
		{"another method", func(c *mcpproto.StateClaims) time.Time { c.Method = "tools/call score"; return stateTime }, mcpproto.ErrStateOther},
		{"other arguments", func(c *mcpproto.StateClaims) time.Time { c.Params[0] = 0; return stateTime }, mcpproto.ErrStateOther},
		{"another principal", func(c *mcpproto.StateClaims) time.Time { c.Principal = ""; return stateTime }, mcpproto.ErrStateOther},
		{"the last moment", func(c *mcpproto.StateClaims) time.Time { return c.Expires.Add(-time.Millisecond) }, nil},
		{"expired", func(c *mcpproto.StateClaims) time.Time { return c.Expires }, mcpproto.ErrStateExpired},
		{"from the far future", func(c *mcpproto.StateClaims) time.Time { return c.Issued.Add(-time.Hour) }, mcpproto.ErrStateExpired},
		{"from a clock a little ahead", func(c *mcpproto.StateClaims) time.Time { return c.Issued.Add(-time.Minute) }, nil},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			is := is.New(t)
			want := claims()
			now := tt.edit(&want)
			_, err := sealer(t, 1).Open(state, want, now)
			is.True(errors.Is(err, tt.want))
			is.True(err == nil || errors.Is(err, mcpproto.ErrState))
		})
	}
	t.Run("every changed or cut character is noticed", func(t *testing.T) {
		is := is.New(t)
		for i := range state {
			for _, forged := range []string{state[:i], state[:i] + "A" + state[i+1:], state[:i] + "~" + state[i+1:]} {
				if forged == state {
					continue
				}
				_, err := sealer(t, 1).Open(forged, claims(), stateTime)
				is.True(errors.Is(err, mcpproto.ErrState))
			}
		}
		_, err := sealer(t, 1).Open(state+"A", claims(), stateTime)
		is.True(errors.Is(err, mcpproto.ErrState))
		_, err = sealer(t, 1).Open(state+"\n", claims(), stateTime)
		is.True(errors.Is(err, mcpproto.ErrState))
	})
}

func TestStateSealerLimits(t *testing.T) {
	is := is.New(t)
	_, err := mcpproto.NewStateSealer()
	is.True(err != nil)
	_, err = mcpproto.NewStateSealer(make([]byte, 32), make([]byte, 31))
	is.True(err != nil)
	for _, edit := range []func(*mcpproto.StateClaims){
		func(c *mcpproto.StateClaims) { c.Data = make([]byte, mcpproto.MaxStateData+1) },
		func(c *mcpproto.StateClaims) { c.Method = "" },
		func(c *mcpproto.StateClaims) { c.Expires = c.Issued },
		func(c *mcpproto.StateClaims) { c.Principal = strings.Repeat("p", 600) },
	} {
		c := claims()
		edit(&c)
		_, err := sealer(t, 1).Seal(c)
		is.True(err != nil)
	}
	c := claims()
	c.Data, c.Nonce = make([]byte, mcpproto.MaxStateData), mcpproto.Nonce{}
	state, err := sealer(t, 1).Seal(c)
	is.NoErr(err)
	got, err := sealer(t, 1).Open(state, c, stateTime)
	is.NoErr(err)
	is.True(got.Nonce != mcpproto.Nonce{}) // a missing nonce is filled in
	c.Data = make([]byte, 2800)
	state, err = sealer(t, 1).Seal(c)
	is.NoErr(err)
	is.True(len(state) < 4096)
}

func TestMemoryLedger(t *testing.T) {
	at := func(s int) time.Time { return stateTime.Add(time.Duration(s) * time.Second) }
	use := func(l *mcpproto.MemoryLedger, n byte, issued, expires, now int) error {
		return l.Use(mcpproto.Nonce{n}, at(issued), at(expires), at(now))
	}
	t.Run("a nonce is good once", func(t *testing.T) {
		is := is.New(t)
		l := mcpproto.NewMemoryLedger(2)
		is.NoErr(use(l, 1, 0, 100, 1))
		is.True(errors.Is(use(l, 1, 0, 100, 1), mcpproto.ErrNonceUsed))
	})
	t.Run("a full ledger drops what expired, and forgets nothing else", func(t *testing.T) {
		is := is.New(t)
		l := mcpproto.NewMemoryLedger(2)
		is.NoErr(use(l, 1, 0, 10, 1))
		is.NoErr(use(l, 2, 1, 100, 2))
		is.NoErr(use(l, 3, 2, 100, 10)) // 1 has expired
		is.True(errors.Is(use(l, 2, 1, 100, 11), mcpproto.ErrNonceUsed))
		is.Equal(l.Len(), 2)
	})
	t.Run("what is forgotten stays refused", func(t *testing.T) {
		is := is.New(t)
		l := mcpproto.NewMemoryLedger(2)
		is.NoErr(use(l, 1, 5, 100, 6))
		is.NoErr(use(l, 2, 3, 100, 6))
		is.NoErr(use(l, 3, 7, 100, 8))                                 // drops 2, the oldest by issue time
		is.True(errors.Is(use(l, 2, 3, 100, 9), mcpproto.ErrNonceOld)) // 2 again
		is.True(errors.Is(use(l, 4, 2, 100, 9), mcpproto.ErrNonceOld)) // and all as old
		is.True(errors.Is(use(l, 5, 4, 100, 9), mcpproto.ErrNonceOld)) // older than the one it would displace
		is.Equal(l.Len() <= 2, true)
	})
}

func TestMemoryLedgerConcurrentSafe(t *testing.T) {
	is := is.New(t)
	l := mcpproto.NewMemoryLedger(8)
	var good atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if l.Use(mcpproto.Nonce{1}, stateTime, stateTime.Add(time.Hour), stateTime) == nil {
				good.Add(1)
			}
		})
	}
	wg.Wait()
	is.Equal(good.Load(), int32(1))
}

func FuzzOpenState(f *testing.F) {
	s := sealer(f, 1)
	good, err := s.Seal(claims())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("")
	f.Add(good[:40])
	f.Add(base64.RawURLEncoding.EncodeToString(make([]byte, 200)))
	f.Fuzz(func(t *testing.T, state string) {
		_, err := s.Open(state, claims(), stateTime)
		if err == nil && state != good {
			t.Fatalf("opened a state that was not sealed here: %q", state)
		}
		if err != nil && !errors.Is(err, mcpproto.ErrState) {
			t.Fatal(err)
		}
	})
}

func BenchmarkSeal(b *testing.B) {
	s := sealer(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Seal(claims()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	s := sealer(b, 1)
	state, err := s.Seal(claims())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Open(state, claims(), stateTime); err != nil {
			b.Fatal(err)
		}
	}
}
