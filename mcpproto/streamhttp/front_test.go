package streamhttp

import (
	"net/http"
	"testing"

	"github.com/matryer/is"
)

func TestHostNamesThisMachine(t *testing.T) {
	h := &Handler{o: Options{AllowedHosts: []string{"gate.example", "box.example:8443"}}}
	for _, r := range []struct {
		name, host string
		want       bool
	}{
		{"localhost", "localhost", true},
		{"localhost with a port", "localhost:8255", true},
		{"case does not matter", "LocalHost:1", true},
		{"IPv4 loopback", "127.0.0.1:80", true},
		{"IPv6 loopback", "[::1]:8255", true},
		{"IPv6 loopback without port", "[::1]", true},
		{"a listed host on any port", "gate.example:99", true},
		{"a listed host with its port", "box.example:8443", true},
		{"a listed host on another port", "box.example:8444", false},
		{"a foreign name", "evil.example", false},
		{"a name that starts like loopback", "127.0.0.1.evil.example:8255", false},
		{"a name that ends like loopback", "evil.localhost", false},
		{"IPv6 without brackets", "::1", false},
		{"a port that is none", "localhost:80a", false},
		{"an empty port", "localhost:", false},
		{"user information", "localhost@evil.example", false},
		{"another loopback address", "127.0.0.2", false},
		{"a trailing dot", "localhost.", false},
		{"a bracket out of place", "x[::1]", false},
		{"nothing", "", false},
		{"only a port", ":80", false},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(h.hostAllowed(r.host), r.want)
		})
	}
}

func TestOriginNamesThisMachine(t *testing.T) {
	h := &Handler{o: Options{AllowedOrigins: []string{"https://ide.example"}}}
	for _, r := range []struct {
		name    string
		origins []string
		want    bool
	}{
		{"absent", nil, true},
		{"loopback", []string{"http://localhost:3000"}, true},
		{"loopback over https", []string{"https://127.0.0.1"}, true},
		{"IPv6 loopback", []string{"http://[::1]:9"}, true},
		{"listed", []string{"https://ide.example"}, true},
		{"listed host, other scheme", []string{"http://ide.example"}, false},
		{"foreign", []string{"https://evil.example"}, false},
		{"the local network", []string{"http://192.168.1.10:3000"}, false},
		{"null", []string{"null"}, false},
		{"empty", []string{""}, false},
		{"only a scheme", []string{"http://"}, false},
		{"a path", []string{"http://localhost/x"}, false},
		{"two headers, one foreign", []string{"http://localhost", "https://evil.example"}, false},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(h.originAllowed(r.origins), r.want)
		})
	}
}

func TestContentTypeIsJSON(t *testing.T) {
	for _, r := range []struct {
		name   string
		header http.Header
		want   bool
	}{
		{"plain", http.Header{"Content-Type": {"application/json"}}, true},
		{"a charset", http.Header{"Content-Type": {"Application/JSON;charset=UTF-8"}}, true},
		{"blanks", http.Header{"Content-Type": {"application/json ; charset=utf-8"}}, true},
		{"identity", http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity"}}, true},
		{"gzip", http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, false},
		{"a longer name", http.Header{"Content-Type": {"application/jsonx"}}, false},
		{"a suffix type", http.Header{"Content-Type": {"application/problem+json"}}, false},
		{"text", http.Header{"Content-Type": {"text/plain"}}, false},
		{"absent", http.Header{}, false},
		{"empty", http.Header{"Content-Type": {""}}, false},
		{"twice", http.Header{"Content-Type": {"application/json", "text/plain"}}, false},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(jsonBody(r.header), r.want)
		})
	}
}

func TestAcceptNamesWhatTheClientReads(t *testing.T) {
	both := acceptsJSON | acceptsEvents
	for _, r := range []struct {
		name   string
		values []string
		want   accepts
	}{
		{"the usual", []string{"application/json, text/event-stream"}, both},
		{"anything", []string{"*/*"}, both},
		{"a family", []string{"application/*"}, acceptsJSON},
		{"upper case", []string{"APPLICATION/JSON"}, acceptsJSON},
		{"events only", []string{"text/event-stream"}, acceptsEvents},
		{"text family", []string{"text/*"}, acceptsEvents},
		{"qualities", []string{"text/event-stream, application/json;q=0.5"}, both},
		{"two headers", []string{"application/json", "text/event-stream"}, both},
		{"refused by quality", []string{"application/json;q=0, text/event-stream"}, acceptsEvents},
		{"the specific range wins over anything", []string{"*/*, application/json;q=0.000"}, acceptsEvents},
		{"order does not matter", []string{"application/json;q=0, */*"}, acceptsEvents},
		{"a quality below one", []string{"application/json; q=0.001"}, acceptsJSON},
		{"absent", nil, 0},
		{"empty", []string{""}, 0},
		{"foreign", []string{"text/html"}, 0},
		{"everything refused", []string{"*/*;q=0"}, 0},
	} {
		t.Run(r.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(parseAccept(r.values), r.want)
		})
	}
}

// Whatever arrives, a verdict on it does not depend on the case of its letters.
func FuzzAcceptAndHostIgnoreCase(f *testing.F) {
	for _, s := range []string{"application/json;q=0, */*", "localhost:80", "[::1]:9", "http://[::1", ";=,;q=0"} {
		f.Add(s)
	}
	h := &Handler{}
	f.Fuzz(func(t *testing.T, s string) {
		for i := range len(s) {
			if s[i] >= 0x80 {
				t.Skip("headers with other letters do not fold")
			}
		}
		upper := []byte(s)
		for i, c := range upper {
			if c >= 'a' && c <= 'z' {
				upper[i] = c - 32
			}
		}
		is := is.New(t)
		is.Equal(parseAccept([]string{s}), parseAccept([]string{string(upper)}))
		is.Equal(h.hostAllowed(s), h.hostAllowed(string(upper)))
		is.Equal(h.originAllowed([]string{s}), h.originAllowed([]string{string(upper)}))
	})
}
