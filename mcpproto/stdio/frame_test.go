package stdio

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// frames cuts data into messages, reading as r gives it.
func frames(t *testing.T, r io.Reader, limit int) (out []string) {
	t.Helper()
	f := newFramer(r, limit, func() {})
	for range 10_000 {
		m, err := f.next()
		switch {
		case errors.Is(err, io.EOF):
			return out
		case errors.Is(err, errLineTooLong), errors.Is(err, errBadHeader):
			out = append(out, err.Error())
		case err != nil:
			t.Fatal(err)
		default:
			if isBlank(m) || len(m) > limit {
				t.Fatalf("message %q is blank or over %d bytes", m, limit)
			}
			out = append(out, string(m))
		}
	}
	t.Fatal("no end")
	return nil
}

// FuzzFraming checks that messages do not depend on how the bytes arrive, and that lines come back as they were.
func FuzzFraming(f *testing.F) {
	for _, s := range []string{
		"", "\n", "a\nb", "\xef\xbb\xbfa\r\n", "Content-Length: 2\r\n\r\n{}x\n", "Content-Length: -1\n\n", "content-length:1\n",
		strings.Repeat("x", 70) + "\ny\n", "a" + strings.Repeat("\r", 70) + "\nb", "a" + strings.Repeat("\r", 70), strings.Repeat("x", 64) + "\r\ny", strings.Repeat("x", 64) + "\r", "Content-Length: 99999999999999999999\n\nx", "\x00\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 64
		whole := frames(t, bytes.NewReader(data), limit)
		byBytes := frames(t, iotest.OneByteReader(bytes.NewReader(data)), limit)
		if strings.Join(whole, "\x01") != strings.Join(byBytes, "\x01") {
			t.Fatalf("%q: %q in one piece, %q byte by byte", data, whole, byBytes)
		}
		if bytes.Contains(bytes.ToLower(data), []byte(framedPrefix)) || bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
			return
		}
		var want []string
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			switch {
			case len(bytes.TrimSuffix(line, []byte("\r"))) > limit:
				want = append(want, errLineTooLong.Error())
			case !isBlank(line):
				want = append(want, string(bytes.TrimRight(line, "\r")))
			}
		}
		if strings.Join(whole, "\x01") != strings.Join(want, "\x01") {
			t.Fatalf("%q: got %q, want %q", data, whole, want)
		}
	})
}
