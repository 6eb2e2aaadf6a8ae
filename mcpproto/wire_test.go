package mcpproto_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// wireReaders are the functions of this module's tests that have a server speak, and why nothing it says there goes
// unchecked against the schema of its revision. A new test uses one of the checking ones, or [mcptest.Client].
var wireReaders = map[string]string{
	". served": "its sink, heard, checks every message",

	"mcpserver connect": "the peer it returns checks every message",

	"mcptest TestArgumentsAreMirrored":  "behind a Client, which checks",
	"mcptest TestMirroredNamesOverHTTP": "behind a Client, which checks",

	"stdio newPeer":                        "its recv and end check every line",
	"stdio FuzzServe":                      "checks all output at the end",
	"stdio inBubble":                       "checks all output at the end",
	"stdio TestStubbornHandlerIsAbandoned": "checks all output at the end",
	"stdio TestBrokenOutputEndsQuietly":    "nothing can be read: the output is broken",
	"stdio BenchmarkCallSequential":        "its first answer is checked, the rest made the same way",
	"stdio BenchmarkCallPipelined":         "its first answer is checked, the rest made the same way",
	"stdio Example":                        "is for reading; TestTheExampleAnswersValidly checks its line",

	"stdio TestAnswersShareWritesOnlyWhileRequestsWait": "checks all output at the end",

	"streamhttp answer.serve":         "the way to every answer without a network; checks it",
	"streamhttp wire.answer":          "the way to every answer on a connection; checks it",
	"streamhttp BenchmarkHandlerCall": "after one checked exchange, the same one, unread",
	"streamhttp callHTTP":             "its first answer is checked in benchHTTP, the rest made the same way",
	"streamhttp ExampleNewHandler":    "is for reading; TestEveryRowOfTheCheckTable checks the answer to strangers",
}

// TestNobodyReadsTheWireUnchecked finds functions in tests that have a server speak without being known to check it.
func TestNobodyReadsTheWireUnchecked(t *testing.T) {
	is := is.New(t)
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && speaks(f) {
				found[filepath.ToSlash(filepath.Dir(path))+" "+receiver(f)+f.Name.Name] = true
			}
		}
		return nil
	})
	is.NoErr(err)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if wireReaders[name] == "" {
			t.Errorf("%s has a server speak; is what it says checked?", name)
		}
	}
	for name := range wireReaders {
		if !found[name] {
			t.Errorf("%s is listed and has no server speak", name)
		}
	}
}

// receiver returns the type of a method's receiver and a dot; "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	return t.(*ast.Ident).Name + "."
}

// speaks reports whether f calls something that makes a server write messages or that reads them from one.
func speaks(f *ast.FuncDecl) (yes bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, _ := s.X.(*ast.Ident)
		switch s.Sel.Name {
		case "NewConn", "ServeHTTP", "ReadResponse", "RoundTrip", "Do":
			yes = true
		case "Serve":
			yes = yes || of != nil && of.Name == "stdio"
		case "Get", "Post":
			yes = yes || of != nil && of.Name == "http"
		}
		return true
	})
	return yes
}
