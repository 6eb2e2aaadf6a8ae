package mockp0

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// fail carries out a fault.
func (x *exchange) fail(w http.ResponseWriter, r *http.Request, f *Fault) {
	good := x.respond()
	body := good.bytes()
	if hurt, ok := damage[f.Kind]; ok {
		if good.failure == nil {
			body = hurt(good, f)
		}
		x.sendDamaged(w, good, body)
		return
	}
	switch f.Kind {
	case Delay:
		if !x.pause(r, f.delay(100*time.Millisecond)) {
			panic(http.ErrAbortHandler)
		}
		x.reply(w, good)
	case Hang:
		x.hang(r)
	case HangBody:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		flush(w, body[:len(body)/2])
		x.hang(r)
	case Continue:
		for range 3 {
			w.WriteHeader(http.StatusContinue)
		}
		x.hang(r)
	case Status, Body, ContentType:
		sendPlain(w, f, body)
	case Redirect, RedirectLoop:
		x.redirect(w, f)
	case HugeBody, HugeLength, HugeHeader, GzipBomb:
		sendHuge(w, f, body)
	case SlowDrip:
		x.drip(w, r, f, body)
	default:
		x.raw(w, f, body)
	}
}

// sendDamaged sends a damaged body as if it were good.
func (x *exchange) sendDamaged(w http.ResponseWriter, good *content, body []byte) {
	if good.failure != nil {
		x.reply(w, good)
		return
	}
	send(w, http.StatusOK, "application/json", body)
}

// sendPlain sends what the fault says, with the headers it says.
func sendPlain(w http.ResponseWriter, f *Fault, body []byte) {
	for k, v := range f.Header {
		w.Header().Set(k, v)
	}
	switch f.Kind {
	case Body:
		send(w, http.StatusOK, "application/json", []byte(f.Body))
	case ContentType:
		send(w, http.StatusOK, "text/html; charset=utf-8", body)
	default:
		out := []byte(f.Body)
		if f.Body == "" {
			out = detail(f.Status, "mockp0: status %d as scripted", f.Status).body
		}
		send(w, f.Status, "application/json", out)
	}
}

func (x *exchange) redirect(w http.ResponseWriter, f *Fault) {
	to := pathFollowed + x.path
	if f.Kind == RedirectLoop {
		to = x.path
	}
	status := f.Status
	if status == 0 {
		status = http.StatusTemporaryRedirect
	}
	w.Header().Set("Location", to)
	send(w, status, "application/json", nil)
}

// flush sends bytes at once.
func flush(w http.ResponseWriter, b []byte) {
	_, _ = w.Write(b) // a peer that left is its own affair
	if fl, ok := w.(http.Flusher); ok {
		fl.Flush()
	}
}

// drip sends a body byte by byte.
func (x *exchange) drip(w http.ResponseWriter, r *http.Request, f *Fault, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	for _, b := range body {
		flush(w, []byte{b})
		if !x.pause(r, f.delay(100*time.Millisecond)) {
			panic(http.ErrAbortHandler)
		}
	}
}

// sendHuge sends a good answer that is too large in one way or another.
func sendHuge(w http.ResponseWriter, f *Fault, body []byte) {
	size := map[string]int{HugeBody: 8 << 20, HugeLength: 8 << 20, HugeHeader: 1 << 20, GzipBomb: 16 << 20}[f.Kind]
	if f.Bytes != 0 {
		size = f.Bytes
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	switch f.Kind {
	case HugeHeader:
		h.Set("X-Padding", strings.Repeat("p", size))
		send(w, http.StatusOK, "application/json", body)
	case GzipBomb:
		// A gzip stream may have several members (RFC 1952, 2.2): the blanks are packed once and sent many times.
		const block = 1 << 20
		out := pack(body)
		blanks := pack(bytes.Repeat([]byte{' '}, block))
		rest := size - len(body)
		for ; rest >= block; rest -= block {
			out = append(out, blanks...)
		}
		out = append(out, pack(bytes.Repeat([]byte{' '}, max(0, rest)))...)
		h.Set("Content-Encoding", "gzip")
		send(w, http.StatusOK, "application/json", out)
	default:
		if f.Kind == HugeLength {
			h.Set("Content-Length", strconv.Itoa(max(size, len(body))))
		}
		flush(w, body)
		pad(w, size-len(body))
	}
}

// pack is one gzip member.
func pack(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b) // into memory
	_ = z.Close()     // into memory
	return out.Bytes()
}

// pad writes n blanks, or fewer if the receiver has had enough.
func pad(w io.Writer, n int) {
	block := bytes.Repeat([]byte{' '}, 64<<10)
	for ; n > 0; n -= len(block) {
		if _, err := w.Write(block[:min(n, len(block))]); err != nil {
			return
		}
	}
}

// raw takes the connection over and writes bytes that net/http would not write.
func (x *exchange) raw(w http.ResponseWriter, f *Fault, body []byte) {
	hj, ok := w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := hj.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if !x.s.adopt(conn) {
		return
	}
	defer x.s.release(conn)
	if f.Kind == Reset {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // then close sends RST
		}
		return
	}
	_ = conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
	_, _ = conn.Write(rawBytes(f, body)) // a peer that left is its own affair
}

// rawBytes is what a fault writes on a connection that it took over.
func rawBytes(f *Fault, body []byte) []byte {
	part := len(body) / 2
	if f.Bytes != 0 {
		part = min(max(f.Bytes, 0), len(body))
	}
	head := func(length int) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", length)
	}
	switch f.Kind {
	case CloseAfterHeaders:
		return []byte(head(len(body)))
	case Cut:
		return append([]byte(head(len(body))), body[:part]...)
	case WrongLength:
		off := 7
		if f.Bytes != 0 {
			off = f.Bytes
		}
		return append([]byte(head(max(0, len(body)+off))), body...)
	case HTTP10:
		return append([]byte("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n"), body[:part]...)
	case NotHTTP:
		return []byte("+OK this is not HTTP\r\n\r\n")
	case BadChunk:
		return append([]byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"), body...)
	default: // CloseBeforeHeaders
		return nil
	}
}

// adopt remembers a connection that left net/http's care, so that Close can end it.
func (s *Service) adopt(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = c.Close() // nothing was sent
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *Service) release(c net.Conn) {
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
	_ = c.Close() // what was to be sent is sent
}
