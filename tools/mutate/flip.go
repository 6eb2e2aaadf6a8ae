package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"slices"
)

// target is decisive code: some functions of one file, or the whole file.
type target struct {
	module string   // folder below the root
	pkg    string   // package pattern inside the module
	file   string   // file inside the package
	funcs  []string // names of functions and methods; empty means all
	tests  string   // -run pattern that keeps a try short; empty means all tests of the package
}

// mutant is one flipped condition.
type mutant struct {
	name   string // "gatecore/synthesis.go Synthesize: a < b -> a <= b #1"; the number tells equal texts apart
	file   string // absolute path of the original
	source []byte // the mutated file
	target target
}

// flip is one place in the syntax tree and what it can become; do changes the tree and undo changes it back.
type flip struct {
	fn       string
	from, to string
	do, undo func()
}

// mutants returns every mutant of t, in the order of the source.
func (t target) mutants(root string) ([]mutant, error) {
	path := filepath.Join(root, t.module, filepath.FromSlash(t.pkg), t.file)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("target %s/%s: %w", t.module, t.file, err)
	}
	var flips []flip
	found := map[string]bool{}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || (len(t.funcs) > 0 && !slices.Contains(t.funcs, fn.Name.Name)) {
			continue
		}
		found[fn.Name.Name] = true
		flips = append(flips, flipsOf(fset, fn)...)
	}
	for _, name := range t.funcs {
		if !found[name] {
			return nil, fmt.Errorf("target %s/%s has no function %s any more; mend tools/mutate/targets.go", t.module, t.file, name)
		}
	}
	return render(fset, file, path, t, flips)
}

func render(fset *token.FileSet, file *ast.File, path string, t target, flips []flip) ([]mutant, error) {
	var all []mutant
	seen := map[string]int{}
	for _, f := range flips {
		key := fmt.Sprintf("%s/%s %s: %s -> %s", t.module, filepath.ToSlash(filepath.Join(t.pkg, t.file)), f.fn, f.from, f.to)
		seen[key]++
		var out bytes.Buffer
		f.do()
		err := printer.Fprint(&out, fset, file)
		f.undo()
		if err != nil {
			return nil, err
		}
		all = append(all, mutant{fmt.Sprintf("%s #%d", key, seen[key]), path, out.Bytes(), t})
	}
	return all, nil
}

// swaps gives each comparison and logical operator the one it is flipped to: the neighbour that a careless hand would type.
var swaps = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

func flipsOf(fset *token.FileSet, fn *ast.FuncDecl) []flip {
	var flips []flip
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if to, ok := swaps[n.Op]; ok {
				from := text(fset, n)
				old := n.Op
				n.Op = to
				changed := text(fset, n)
				n.Op = old
				flips = append(flips, flip{fn.Name.Name, from, changed, func() { n.Op = to }, func() { n.Op = old }})
			}
		case *ast.IfStmt:
			if cond := n.Cond; !isBinary(cond) {
				flips = append(flips, flip{
					fn.Name.Name, "if " + text(fset, cond), "if not",
					func() { n.Cond = &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: cond}} }, func() { n.Cond = cond },
				})
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				flips = append(flips, caseFlips(fset, fn, n)...)
			}
		case *ast.ReturnStmt:
			for i, r := range n.Results {
				id, ok := r.(*ast.Ident)
				if !ok || (id.Name != "true" && id.Name != "false") {
					continue
				}
				other := map[string]string{"true": "false", "false": "true"}[id.Name]
				flips = append(flips, flip{
					fn.Name.Name, "return " + id.Name, "return " + other,
					func() { n.Results[i] = ast.NewIdent(other) }, func() { n.Results[i] = id },
				})
			}
		}
		return true
	})
	return flips
}

// caseFlips negates what the cases of a switch without tag ask for, where no operator in it can be flipped instead.
func caseFlips(fset *token.FileSet, fn *ast.FuncDecl, s *ast.SwitchStmt) []flip {
	var flips []flip
	for _, clause := range s.Body.List {
		list := clause.(*ast.CaseClause).List
		for i, cond := range list {
			if isBinary(cond) {
				continue
			}
			flips = append(flips, flip{
				fn.Name.Name, "case " + text(fset, cond), "case not",
				func() { list[i] = &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: cond}} }, func() { list[i] = cond },
			})
		}
	}
	return flips
}

// isBinary reports whether flipping the operator of e already covers negating it.
func isBinary(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && swaps[b.Op] != token.ILLEGAL
}

func text(fset *token.FileSet, n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, fset, n); err != nil {
		return err.Error()
	}
	return string(bytes.Join(bytes.Fields(b.Bytes()), []byte(" ")))
}
