// Command rehearse plays a release through without publishing anything. It packs every module as it would be tagged into
// a module proxy in a folder; then, outside the repository and with a module cache of its own, it builds and runs an
// empty program for each library that imports that library alone, and installs the program with go install and asks it
// for a verdict. What each of them pulls in is compared with a table.
//
//	rehearse ROOT
package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/phocinae/phocinae-go/tools/internal/release"
	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

//go:embed consumers
var consumers embed.FS

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "rehearse:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string) error {
	scratch, err := os.MkdirTemp("", "rehearse-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	modules, err := workspace.Modules(root)
	if err != nil {
		return err
	}
	versions, err := release.Versions(root)
	if err != nil {
		return err
	}
	proxy := release.Proxy{Dir: filepath.Join(scratch, "proxy"), Time: time.Now()}
	if err := os.MkdirAll(proxy.Dir, 0o750); err != nil {
		return err
	}
	if err := proxy.Fill(ctx, modules, versions, scratch); err != nil {
		return err
	}
	for name, version := range versions {
		fmt.Printf("packed    %s/%s\n", name, version)
	}
	env, err := proxy.Env(ctx, scratch)
	if err != nil {
		return err
	}
	r := rehearsal{scratch: scratch, env: env, versions: versions}
	for _, c := range table {
		if err := r.consume(ctx, c); err != nil {
			return err
		}
	}
	return r.install(ctx)
}

// consumer is a program that imports one library and nothing else of ours.
type consumer struct {
	name    string   // library, and folder below consumers
	test    bool     // it uses the library in a test of its own
	pulls   []string // modules that `go list -m all` may name besides the program and the library
	service bool     // it talks to a running mockp0 program, whose URL it gets as argument
	prints  string   // what a run must print
}

// table says what each library may pull in. Modules that only the library's own tests need are named too: the go command
// lists them, though nothing of them is built.
var table = []consumer{
	{name: "mcpproto", pulls: []string{"github.com/go-json-experiment/json", "github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/text"}, prints: "hello, gopher"},
	{name: "gatecore", pulls: []string{"mvdan.cc/sh/v3"}, prints: "deny"},
	{name: "p0client", pulls: []string{"github.com/go-json-experiment/json", "golang.org/x/time", "golang.org/x/sync"}, service: true, prints: "label"},
	{name: "mockp0", test: true},
}

// testOnly are modules that our tests and our dependencies' tests use; they may stand in the module graph of a consumer,
// never in its build.
var testOnly = []string{
	"github.com/matryer/is", "github.com/google/go-cmp", "go.uber.org/goleak", "github.com/rogpeppe/go-internal",
	"github.com/stretchr/testify", "github.com/davecgh/go-spew", "github.com/pmezard/go-difflib", "gopkg.in/yaml.v3",
	"github.com/dlclark/regexp2", "github.com/go-quicktest/qt", "github.com/kr/pretty", "github.com/kr/text",
	"github.com/creack/pty", "github.com/google/renameio/v2", "mvdan.cc/editorconfig", "gopkg.in/check.v1",
	"golang.org/x/mod", "golang.org/x/sync", "golang.org/x/sys", "golang.org/x/term", "golang.org/x/text", "golang.org/x/tools",
}

type rehearsal struct {
	scratch  string
	env      []string
	versions map[string]string
}

// consume builds and runs one consumer in an empty folder.
func (r rehearsal) consume(ctx context.Context, c consumer) error {
	dir := filepath.Join(r.scratch, "consumer-"+c.name)
	if err := unpack("consumers/"+c.name, dir); err != nil {
		return err
	}
	goCmd := workspace.Command{Dir: dir, Env: r.env}
	path := workspace.Prefix + c.name
	for _, args := range [][]string{
		{"mod", "init", "example.com/consumer"},
		{"get", path + "@" + r.versions[c.name]},
		{"mod", "tidy"},
	} {
		if err := goCmd.Run(ctx, "go", args...); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if err := r.pulled(ctx, goCmd, c); err != nil {
		return err
	}
	if c.test {
		if err := goCmd.Run(ctx, "go", "test", "./..."); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Printf("consumed  %s in a test of its own\n", c.name)
		return nil
	}
	args := []string{"run", "."}
	if c.service {
		url, stop, err := r.mock(ctx)
		if err != nil {
			return err
		}
		defer stop()
		args = append(args, url)
	}
	out, err := goCmd.Output(ctx, "go", args...)
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	if !strings.Contains(out, c.prints) {
		return fmt.Errorf("%s: the program printed %q; %q was expected in it", c.name, out, c.prints)
	}
	fmt.Printf("consumed  %s: %s\n", c.name, strings.TrimSpace(firstLine(out)))
	return nil
}

// pulled compares the consumer's module graph with the table: no sibling, nothing unexpected, and of the modules that only
// tests need nothing in the build.
func (r rehearsal) pulled(ctx context.Context, c workspace.Command, want consumer) error {
	graph, err := c.Output(ctx, "go", "list", "-m", "-f", "{{.Path}}", "all")
	if err != nil {
		return err
	}
	built, err := c.Output(ctx, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.Module.Path}}{{end}}", "./...")
	if err != nil {
		return err
	}
	own := []string{"example.com/consumer", workspace.Prefix + want.name}
	for _, check := range []struct {
		what    string
		found   string
		allowed []string
	}{
		{"its module graph names", graph, slices.Concat(own, want.pulls, testOnly)},
		{"it is built from", built, slices.Concat(own, want.pulls)},
	} {
		for _, path := range strings.Fields(check.found) {
			if !slices.Contains(check.allowed, path) {
				return fmt.Errorf("a program that imports only %s: %s %s, which the table does not allow", want.name, check.what, path)
			}
		}
	}
	return nil
}

// mock installs and starts the mockp0 program and returns its URL.
func (r rehearsal) mock(ctx context.Context) (url string, stop func(), err error) {
	c := workspace.Command{Dir: r.scratch, Env: r.env}
	if err := c.Run(ctx, "go", "install", workspace.Prefix+"mockp0/cmd/mockp0@"+r.versions["mockp0"]); err != nil {
		return "", nil, err
	}
	return startMock(ctx, filepath.Join(r.scratch, "bin", "mockp0"))
}

// install installs the program as a user would and asks it for two verdicts.
func (r rehearsal) install(ctx context.Context) error {
	c := workspace.Command{Dir: r.scratch, Env: r.env}
	at := workspace.Prefix + "phocinae-mcp@" + r.versions["phocinae-mcp"]
	if err := c.Run(ctx, "go", "install", at); err != nil {
		return err
	}
	exe := filepath.Join(r.scratch, "bin", "phocinae-mcp")
	if _, err := c.Output(ctx, exe, "gate", "--audit", "off", "git status"); err != nil {
		return fmt.Errorf("the installed program did not allow git status: %w", err)
	}
	if _, err := c.Output(ctx, exe, "gate", "--audit", "off", "rm -rf /"); exitCode(err) != 1 {
		return fmt.Errorf("the installed program did not leave with 1 on rm -rf /: %w", err)
	}
	out, err := c.Output(ctx, exe, "--version")
	if err != nil {
		return err
	}
	if want := "phocinae-mcp " + strings.TrimPrefix(r.versions["phocinae-mcp"], "v"); firstLine(out) != want {
		return fmt.Errorf("the installed program calls itself %q, want %q", firstLine(out), want)
	}
	fmt.Printf("installed %s: allows git status, denies rm -rf /\n", at)
	return nil
}

func unpack(from, to string) error {
	sub, err := fs.Sub(consumers, from)
	if err != nil {
		return err
	}
	if err := os.CopyFS(to, sub); err != nil {
		return err
	}
	// Sources are kept as .txt, so that they are no packages of this module.
	names, err := filepath.Glob(filepath.Join(to, "*.go.txt"))
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := os.Rename(n, strings.TrimSuffix(n, ".txt")); err != nil {
			return err
		}
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
