package serverpolicy

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/matryer/is"
)

func TestParseBase(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "http://127.0.0.1:8155", "http://127.0.0.1:8155"},
		{"with the endpoint", "http://127.0.0.1:8155/v1/systemone", "http://127.0.0.1:8155"},
		{"final slash", "http://localhost:8155/", "http://localhost:8155"},
		{"upper case name", "HTTP://LocalHost:8155", "http://localhost:8155"},
		{"IPv6", "http://[::1]:8155", "http://[::1]:8155"},
		{"long IPv6 is shortened", "http://[0:0:0:0:0:0:0:1]:8155", "http://[::1]:8155"},
		{"the scheme's own port", "https://p0.example.org:443", "https://p0.example.org"},
		{"no port", "http://p0.example.org", "http://p0.example.org"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			b, err := ParseBase(tt.in)
			is.NoErr(err)
			is.Equal(b.String(), tt.want)
		})
	}
}

func TestParseBaseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, in string }{
		{"empty", ""},
		{"other scheme", "file:///etc/passwd"},
		{"no scheme", "127.0.0.1:8155"},
		{"scheme without slashes", "http:127.0.0.1:8155"},
		{"no host", "http://:8155"},
		{"user info", "http://user:pw@127.0.0.1:8155"},
		{"user info that hides the host", "http://127.0.0.1:80@evil.example/"},
		{"query", "http://127.0.0.1:8155/?x=1"},
		{"empty query", "http://127.0.0.1:8155/?"},
		{"fragment", "http://127.0.0.1:8155/#x"},
		{"empty fragment", "http://127.0.0.1:8155/#"},
		{"other path", "http://127.0.0.1:8155/admin"},
		{"path that climbs", "http://127.0.0.1:8155/v1/systemone/../x"},
		{"unspecified", "http://0.0.0.0:8155"},
		{"unspecified IPv6", "http://[::]:8155"},
		{"mapped", "http://[::ffff:127.0.0.1]:8155"},
		{"mapped in hex", "http://[::ffff:7f00:1]:8155"},
		{"decimal", "http://2130706433:8155"},
		{"octal", "http://0177.0.0.1:8155"},
		{"hex", "http://0x7f.0.0.1:8155"},
		{"hex as one", "http://0x7f000001:8155"},
		{"short", "http://127.1:8155"},
		{"final dot on an address", "http://127.0.0.1.:8155"},
		{"final dot on a name", "http://localhost.:8155"},
		{"zone", "http://[fe80::1%25lo]:8155"},
		{"escaped host", "http://%6cocalhost:8155"},
		{"backslash", `http://127.0.0.1\@evil.example:8155`},
		{"blank", "http://127.0.0.1 :8155"},
		{"line break", "http://127.0.0.1:8155\n"},
		{"port 0", "http://127.0.0.1:0"},
		{"port with a zero in front", "http://127.0.0.1:08155"},
		{"port out of range", "http://127.0.0.1:65536"},
		{"colon without a port", "http://127.0.0.1:"},
		{"letters of another script", "http://lоcalhost:8155"}, // the second letter is Cyrillic
		{"full-width digits", "http://１２７.0.0.1:8155"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			b, err := ParseBase(tt.in)
			is.True(errors.Is(err, ErrForm)) // refused for its form
			if err != nil {
				return
			}
			t.Logf("accepted as %s", b)
		})
	}
}

// world is a resolver and dialler without a network.
type world struct {
	names  map[string][]string
	looked []string
	dialed []string
}

func (w *world) options() *Options {
	return &Options{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			w.looked = append(w.looked, host)
			var out []netip.Addr
			for _, a := range w.names[host] {
				out = append(out, netip.MustParseAddr(a))
			}
			return out, nil
		},
		Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
			w.dialed = append(w.dialed, addr)
			client, server := net.Pipe()
			server.Close()
			return client, nil
		},
	}
}

func TestPolicy(t *testing.T) {
	names := map[string][]string{
		"localhost":    {"127.0.0.1", "::1"},
		"gpu.local":    {"127.0.0.5"},
		"rebind.evil":  {"127.0.0.1", "10.0.0.7"},
		"cloud.evil":   {"169.254.169.254"},
		"mapped.evil":  {"::ffff:10.0.0.1"},
		"p0.corp.test": {"10.1.2.3"},
		"nowhere.test": nil,
	}
	for _, tt := range []struct {
		name, in string
		want     string // what is dialled; empty: refused
		static   bool   // refused before anything is looked up
		listed   bool
		lookups  int
	}{
		{"loopback address", "http://127.0.0.9:1", "127.0.0.9:1", false, false, 0},
		{"loopback IPv6", "http://[::1]:1", "[::1]:1", false, false, 0},
		{"private address", "http://10.0.0.7:1", "", true, false, 0},
		{"cloud metadata", "http://169.254.169.254", "", true, false, 0},
		{"name on loopback goes to the checked address", "http://localhost:1", "127.0.0.1:1", false, false, 1},
		{"other name on loopback", "http://gpu.local:1", "127.0.0.5:1", false, false, 1},
		{"name with one foreign address", "http://rebind.evil:1", "", false, false, 1},
		{"name on the metadata address", "http://cloud.evil:1", "", false, false, 1},
		{"name on a mapped foreign address", "http://mapped.evil:1", "", false, false, 1},
		{"name without addresses", "http://nowhere.test:1", "", false, false, 1},
		{"listed by the operator", "http://p0.corp.test:8155", "p0.corp.test:8155", false, true, 0},
		{"listed with another port is not listed", "http://p0.corp.test:8156", "", false, false, 1},
		{"listed with another scheme is not listed", "https://p0.corp.test:8155", "", false, false, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			w := &world{names: names}
			p := New("http://127.0.0.1:8155", []string{"http://p0.corp.test:8155/v1/systemone"}, w.options())
			target, err := p.Check(tt.in)
			if tt.static {
				is.True(errors.Is(err, ErrHost))
				return
			}
			is.NoErr(err)
			is.Equal(target.Listed, tt.listed)
			conn, err := target.DialContext(t.Context(), "tcp", "203.0.113.1:80")
			is.Equal(len(w.looked), tt.lookups) // resolved at most once
			if tt.want == "" {
				is.True(errors.Is(err, ErrHost))
				is.Equal(len(w.dialed), 0)
				return
			}
			is.NoErr(err)
			conn.Close()
			is.Equal(w.dialed[0], tt.want)
		})
	}
}

func TestConfiguredServiceIsRecognised(t *testing.T) {
	is := is.New(t)
	p := New("http://10.0.0.1:8155", nil, nil)
	target, err := p.Check("http://10.0.0.1:8155/v1/systemone")
	is.NoErr(err)
	is.True(target.Configured)
	is.True(!target.Listed)
}

func FuzzParseBase(f *testing.F) {
	for _, seed := range []string{"http://127.0.0.1:8155", "https://[::1]", "http://a.b-c:1/v1/systemone", "http://0x7f.1", "http://a@b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ParseBase(s)
		if err != nil {
			return
		}
		again, err := ParseBase(b.String())
		if err != nil || again != b {
			t.Fatalf("%q → %q does not parse to itself: %v", s, b.String(), err)
		}
	})
}
