package serverpolicy

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Errors of this package, matched with errors.Is.
var (
	ErrForm = errors.New("not a plain service address")
	ErrHost = errors.New("host is not loopback and not listed")
)

// Base is the address of a service: scheme, host and port, nothing else.
type Base struct {
	scheme string // "http" or "https"
	host   string // lower case name, or a canonical IP address without brackets
	port   string // decimal; never empty
	addr   netip.Addr
}

// ParseBase reads "http://host:port", with or without "/v1/systemone" or a final slash.
//
// Refused: any other path, user info, query, fragment, a zone, a final dot, characters outside letters, digits, dots and
// hyphens, and every IPv4 spelling but four decimal numbers: resolvers disagree about 0177.0.0.1, 2130706433, 127.1 and
// [::ffff:127.0.0.1], so a check could look at another host than the one that is dialled. The unspecified address is
// refused because it reaches every interface of the machine.
func ParseBase(s string) (Base, error) {
	if s == "" || len(s) > 2048 {
		return Base{}, form("empty or longer than 2048 bytes")
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || s[i] == '\\' || s[i] == '%' {
			return Base{}, form("only printable ASCII without blanks, backslashes and escapes")
		}
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return Base{}, form("it does not parse as a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return Base{}, form("the scheme must be http or https")
	case u.Opaque != "" || u.Host == "":
		return Base{}, form("the host is missing")
	case u.User != nil || strings.Contains(u.Host, "@"):
		return Base{}, form("user info is not allowed")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(s, "#"):
		return Base{}, form("query and fragment are not allowed")
	}
	switch u.Path {
	case "", "/", "/v1/systemone", "/v1/systemone/":
	default:
		return Base{}, form("the path must be empty or /v1/systemone")
	}
	return hostAndPort(u)
}

func form(text string) error { return fmt.Errorf("%w: %s", ErrForm, text) }

func hostAndPort(u *url.URL) (Base, error) {
	b := Base{scheme: u.Scheme, host: strings.ToLower(u.Hostname()), port: u.Port()}
	if b.port == "" {
		if strings.HasSuffix(u.Host, ":") {
			return Base{}, form("the port is missing after the colon")
		}
		b.port = map[string]string{"http": "80", "https": "443"}[b.scheme]
	}
	if n, err := strconv.ParseUint(b.port, 10, 16); err != nil || n == 0 || strconv.FormatUint(n, 10) != b.port {
		return Base{}, form("the port must be a number from 1 to 65535")
	}
	if strings.HasPrefix(u.Host, "[") || looksNumeric(b.host) {
		return b.withAddress()
	}
	return b, checkName(b.host)
}

// withAddress requires the host to be an address in its usual spelling.
func (b Base) withAddress() (Base, error) {
	addr, err := netip.ParseAddr(b.host)
	switch {
	case err != nil:
		return Base{}, form("the address is not in its usual spelling")
	case addr.Zone() != "":
		return Base{}, form("an address zone is not allowed")
	case addr.Is4In6():
		return Base{}, form("an IPv4 address inside an IPv6 address is not allowed")
	case addr.IsUnspecified():
		return Base{}, form("the unspecified address is not allowed")
	}
	b.addr, b.host = addr, addr.String()
	return b, nil
}

// looksNumeric reports whether some resolver would read the host as an IPv4 address: its last label is a number, in any base.
func looksNumeric(host string) bool {
	if strings.Contains(host, ":") {
		return true
	}
	last := host[strings.LastIndexByte(strings.TrimSuffix(host, "."), '.')+1:]
	last = strings.TrimSuffix(last, ".")
	if rest, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

func checkName(host string) error {
	if len(host) > 253 {
		return form("the host is longer than 253 characters")
	}
	for label := range strings.SplitSeq(host, ".") {
		switch {
		case label == "":
			return form("the host has an empty label or a final dot")
		case len(label) > 63, label[0] == '-', label[len(label)-1] == '-':
			return form("a label of the host is malformed")
		case strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "":
			return form("the host may hold letters, digits, dots and hyphens only")
		}
	}
	return nil
}

// String is the address with its port only where it is not the scheme's own, such as "http://127.0.0.1:8155".
func (b Base) String() string {
	host := b.host
	if b.addr.Is6() {
		host = "[" + host + "]"
	}
	if b.scheme == "http" && b.port == "80" || b.scheme == "https" && b.port == "443" {
		return b.scheme + "://" + host
	}
	return b.scheme + "://" + host + ":" + b.port
}

// hostPort is what has to be dialled.
func (b Base) hostPort() string { return net.JoinHostPort(b.host, b.port) }
