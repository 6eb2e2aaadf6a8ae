package streamhttp

import (
	"net/http"
	"strings"
)

// loopbackHost reports whether authority, a Host header's value, names this machine: localhost,
// 127.0.0.1 or [::1], with or without a port.
func loopbackHost(authority string) bool {
	host, ok := splitPort(authority)
	if !ok {
		return false
	}
	return host == "127.0.0.1" || host == "[::1]" || strings.EqualFold(host, "localhost")
}

// splitPort cuts a decimal port off an authority. It is false for an empty host, an empty or
// non-decimal port, and an IPv6 address without brackets.
func splitPort(authority string) (host string, ok bool) {
	host = authority
	if end := strings.LastIndexByte(authority, ']'); end >= 0 {
		if authority[0] != '[' {
			return "", false
		}
		host = authority[:end+1]
		return host, end+1 == len(authority) || validPort(authority[end+1:])
	}
	if colon := strings.IndexByte(authority, ':'); colon >= 0 {
		host = authority[:colon]
		if !validPort(authority[colon:]) {
			return "", false
		}
	}
	return host, host != ""
}

// validPort accepts ":" and one to five digits.
func validPort(s string) bool {
	if len(s) < 2 || len(s) > 6 || s[0] != ':' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// hostAllowed is the Host half of row 1: DNS rebinding makes a browser send a foreign name here.
func (h *Handler) hostAllowed(authority string) bool {
	if loopbackHost(authority) {
		return true
	}
	host, ok := splitPort(authority)
	if !ok {
		return false
	}
	for _, allowed := range h.o.AllowedHosts {
		if strings.EqualFold(allowed, authority) || strings.EqualFold(allowed, host) {
			return true
		}
	}
	return false
}

// originAllowed is the Origin half of row 1. Every Origin header present has to be allowed; "null"
// and whatever is no plain origin are not.
func (h *Handler) originAllowed(origins []string) bool {
	for _, origin := range origins {
		if !h.oneOriginAllowed(origin) {
			return false
		}
	}
	return true
}

func (h *Handler) oneOriginAllowed(origin string) bool {
	for _, allowed := range h.o.AllowedOrigins {
		if strings.EqualFold(allowed, origin) {
			return true
		}
	}
	for _, scheme := range [...]string{"http://", "https://"} {
		if len(origin) > len(scheme) && strings.EqualFold(origin[:len(scheme)], scheme) {
			return loopbackHost(origin[len(scheme):])
		}
	}
	return false
}

// jsonBody is row 4: exactly one Content-Type, application/json with any parameters, and no
// Content-Encoding but identity.
func jsonBody(header http.Header) bool {
	types := header["Content-Type"]
	if len(types) != 1 {
		return false
	}
	media, _, _ := strings.Cut(types[0], ";")
	if media != "application/json" && !strings.EqualFold(strings.TrimSpace(media), "application/json") {
		return false
	}
	for _, encoding := range header["Content-Encoding"] {
		if !strings.EqualFold(strings.TrimSpace(encoding), "identity") {
			return false
		}
	}
	return true
}

// accepts is what a client can read.
type accepts uint8

const (
	acceptsJSON accepts = 1 << iota
	acceptsEvents
)

// usualAccept is what clients of the specification send.
const usualAccept = "application/json, text/event-stream"

// parseAccept is row 5. The most specific range decides for each of the two types (RFC 9110,
// section 12.5.1); a quality of zero refuses. Absent means nothing is accepted: the protocol obliges
// clients to send the header.
func parseAccept(values []string) accepts {
	if len(values) == 1 && values[0] == usualAccept {
		return acceptsJSON | acceptsEvents
	}
	var json, events choice
	for _, value := range values {
		for value != "" {
			var item string
			item, value, _ = strings.Cut(value, ",")
			media, parameters, _ := strings.Cut(item, ";")
			media = strings.TrimSpace(media)
			ok := !zeroQuality(parameters)
			json.consider(media, "application/json", "application/*", ok)
			events.consider(media, "text/event-stream", "text/*", ok)
		}
	}
	var a accepts
	if json.ok {
		a |= acceptsJSON
	}
	if events.ok {
		a |= acceptsEvents
	}
	return a
}

// choice is the verdict on one media type so far.
type choice struct {
	precedence int // 3 the type itself, 2 its family, 1 anything, 0 nothing said yet
	ok         bool
}

func (c *choice) consider(media, exact, family string, ok bool) {
	precedence := 0
	switch {
	case strings.EqualFold(media, exact):
		precedence = 3
	case strings.EqualFold(media, family):
		precedence = 2
	case media == "*/*":
		precedence = 1
	}
	switch {
	case precedence > c.precedence:
		c.precedence, c.ok = precedence, ok
	case precedence == c.precedence && precedence > 0:
		c.ok = c.ok || ok
	}
}

// zeroQuality reports whether the parameters of a media range hold q=0, q=0.0 and the like.
func zeroQuality(parameters string) bool {
	for parameters != "" {
		var p string
		p, parameters, _ = strings.Cut(parameters, ";")
		name, value, found := strings.Cut(p, "=")
		if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		value = strings.TrimSpace(value)
		return strings.HasPrefix(value, "0") && strings.Trim(value, "0.") == ""
	}
	return false
}
