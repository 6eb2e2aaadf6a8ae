package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto/mcptest"
	"go.uber.org/goleak"
)

// binary is the program under test.
var binary string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "phocinae-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "phocinae-mcp")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", binary, "../..").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		return 1
	}
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

// answer is one JSON-RPC answer, as far as the tests look at it.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Result *struct {
		Type       string            `json:"resultType"`
		State      string            `json:"requestState"`
		IsError    bool              `json:"isError"`
		Content    []json.RawMessage `json:"content"`
		Structured *verdict          `json:"structuredContent"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	raw string
}

// verdict is what gate answers.
type verdict struct {
	Decision string `json:"decision"`
	Layer    string `json:"layer"`
	Reason   string `json:"reason"`
	Error    string `json:"error"`
}

// decision is the verdict's word, or "" where there is none.
func (a *answer) decision() string {
	if a.Result == nil || a.Result.Structured == nil {
		return ""
	}
	return a.Result.Structured.Decision
}

func (a *answer) code() int {
	if a.Error == nil {
		return 0
	}
	return a.Error.Code
}

// program is the binary at work over one transport. It is safe for concurrent use.
type program struct {
	t     *testing.T
	http  bool
	audit string // path of the audit file
	cmd   *exec.Cmd
	url   string // over HTTP

	mu      sync.Mutex
	in      io.WriteCloser
	waiting map[string]chan string // by id, over stdio
	stray   []string               // lines that answer nothing we asked
	ended   chan struct{}
	stderr  syncBuffer
	wire    mcptest.Checker // over stdio: every line of standard output passes it
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(b)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// setting of one start.
type setting struct {
	http bool
	args []string
	env  []string
}

// start runs the program. It is killed at the end of the test if it still runs then.
func start(t *testing.T, s setting) *program {
	t.Helper()
	dir := t.TempDir()
	p := &program{t: t, http: s.http, audit: filepath.Join(dir, "audit.jsonl"), waiting: map[string]chan string{}, ended: make(chan struct{})}
	args := append([]string{"--audit", p.audit, "--lang", "en"}, s.args...)
	if s.http {
		args = append(args, "--transport", "http", "--port", "0")
	}
	p.cmd = exec.Command(binary, args...)
	p.cmd.Dir = dir
	p.cmd.Env = append(clean(), append([]string{"HOME=" + dir, "USERPROFILE=" + dir, "XDG_STATE_HOME=" + dir}, s.env...)...)
	in, err := p.cmd.StdinPipe()
	check(t, err)
	p.in = in
	out, err := p.cmd.StdoutPipe()
	check(t, err)
	logs, err := p.cmd.StderrPipe()
	check(t, err)
	check(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); _ = p.cmd.Wait(); <-p.ended })
	address := make(chan string, 1)
	go p.readLogs(logs, address)
	go p.readAnswers(out)
	if s.http {
		select {
		case p.url = <-address:
		case <-time.After(20 * time.Second):
			t.Fatalf("no address on standard error:\n%s", p.stderr.String())
		}
	}
	return p
}

// clean is the environment without anything that configures the program.
func clean() []string {
	var out []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "PHOCINAE_") && !strings.HasPrefix(e, "XDG_") && !strings.HasPrefix(e, "HOME=") {
			out = append(out, e)
		}
	}
	return out
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *program) readLogs(r io.Reader, address chan<- string) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		_, _ = io.WriteString(&p.stderr, line)
		if _, rest, ok := strings.Cut(line, " address=http://"); ok {
			where, _, _ := strings.Cut(rest, " ")
			select {
			case address <- "http://" + strings.TrimSpace(where):
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *program) readAnswers(r io.Reader) {
	defer close(p.ended)
	lines := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			p.hand(line)
		}
		if err != nil {
			return
		}
	}
}

// hand checks a line against the schema of its revision and gives it to whoever waits for it.
func (p *program) hand(line string) {
	p.t.Helper()
	heard(p.t, &p.wire, []byte(line))
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	err := json.Unmarshal([]byte(line), &head)
	p.mu.Lock()
	defer p.mu.Unlock()
	id := string(head.ID)
	c := p.waiting[id]
	if err != nil || c == nil {
		p.stray = append(p.stray, line)
		return
	}
	delete(p.waiting, id)
	c <- line
}

// strays are the lines of standard output that answer no request of ask.
func (p *program) strays() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.stray...)
}

// write sends bytes as they are, over stdio.
func (p *program) write(text string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for line := range strings.SplitSeq(text, "\n") {
		p.wire.Sent([]byte(line))
	}
	_, err := io.WriteString(p.in, text)
	check(p.t, err)
}

// heard checks one message of the program, whatever the test makes of it.
func heard(t testing.TB, wire *mcptest.Checker, message []byte) {
	t.Helper()
	if err := wire.Received(bytes.TrimSuffix(message, []byte("\n"))); err != nil {
		t.Errorf("invalid message: %v\n%.2000s", err, message)
	}
}

// message is a tools/call. more is added to params, such as `"requestState":"…"`.
func message(id, version, tool, arguments, capabilities, more string) string {
	params := fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments)
	if more != "" {
		params += "," + more
	}
	if version == modern {
		params += `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{%s}}`, id, params)
}

// call is a plain tools/call of a client that shows no forms. It fails the test when no answer comes.
func (p *program) call(id, version, tool, arguments string) (*answer, error) {
	return p.send(id, version, tool, message(id, version, tool, arguments, `{}`, ""))
}

// initialize makes the stdio conversation one of a legacy client of 2025-11-25.
func (p *program) initialize() {
	p.t.Helper()
	if p.http {
		return
	}
	const body = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"e2e","version":"1"}}}`
	a, err := p.send("hello", legacy, "", body)
	check(p.t, err)
	if a.Result == nil {
		p.t.Fatalf("initialize: %s", a.raw)
	}
}

const patience = 40 * time.Second

// send sends one request and waits for its answer.
func (p *program) send(id, version, tool, body string) (*answer, error) {
	if p.http {
		return p.post(version, tool, body)
	}
	c := make(chan string, 1)
	p.mu.Lock()
	p.waiting[fmt.Sprintf("%q", id)] = c
	p.wire.Sent([]byte(body))
	_, err := io.WriteString(p.in, body+"\n")
	p.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", id, err, p.stderr.String())
	}
	select {
	case line := <-c:
		return read([]byte(line))
	case <-p.ended:
		return nil, fmt.Errorf("%s: the program ended\n%s", id, p.stderr.String())
	case <-time.After(patience):
		return nil, fmt.Errorf("%s: no answer", id)
	}
}

func (p *program) post(version, tool, body string) (*answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", version)
	if version == modern {
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", tool)
	}
	var wire mcptest.Checker
	wire.SentHTTP(r.Header, []byte(body))
	resp, err := web.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	heard(p.t, &wire, data)
	return read(data)
}

// web is shared so that connections are used again.
var web = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// read decodes one answer that was checked.
func read(data []byte) (*answer, error) {
	a := &answer{raw: string(data)}
	if err := json.Unmarshal(data, a); err != nil {
		return nil, fmt.Errorf("%w: %.300q", err, data)
	}
	return a, nil
}

// end ends the program in the orderly way and demands status 0 in time.
func (p *program) end() {
	p.t.Helper()
	web.CloseIdleConnections()
	p.mu.Lock()
	_ = p.in.Close()
	p.mu.Unlock()
	if p.http {
		check(p.t, p.cmd.Process.Signal(os.Interrupt))
	}
	select {
	case <-p.ended:
	case <-time.After(15 * time.Second):
		p.t.Fatal("the program does not end")
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("exit: %v\n%s", err, p.stderr.String())
	}
}

// record is one audit record.
type record struct {
	Event     string `json:"event"`
	Tool      string `json:"tool"`
	Era       string `json:"era"`
	Transport string `json:"transport"`
	RequestID string `json:"request_id"`
	Decision  string `json:"decision"`
	Layer     string `json:"layer"`
	Confirm   string `json:"confirm"`
	Error     string `json:"error"`
}

// records reads the audit file.
func (p *program) records() []record {
	p.t.Helper()
	data, err := os.ReadFile(p.audit)
	if os.IsNotExist(err) {
		return nil
	}
	check(p.t, err)
	var out []record
	for line := range strings.Lines(string(data)) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			p.t.Fatalf("audit line %q: %v", line, err)
		}
		out = append(out, r)
	}
	return out
}

// verify asks the program itself whether its audit trail holds.
func (p *program) verify() {
	p.t.Helper()
	cmd := exec.Command(binary, "audit", "verify", "--audit", p.audit)
	cmd.Env = append(clean(), "HOME="+p.t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Errorf("audit verify: %v\n%s", err, out)
	}
}
