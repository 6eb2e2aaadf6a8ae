package gatecore

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// guards closes the ways in which bash runs what the tree hides; GATE, "Trust in the parser". It returns where the tree has the
// first comment that is part of a word for a shell, or -1.
func (j *judge) guards(f *syntax.File, text string) int {
	inWord := -1
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil:
		case *syntax.Comment:
			if j.guardComment(n, text) && inWord < 0 {
				inWord = int(n.Pos().Offset())
			}
		case *syntax.Redirect:
			if n.Hdoc != nil {
				j.guardHeredoc(n, text)
			}
		case *syntax.Assign:
			j.guardAssign(n)
		case *syntax.LetClause, *syntax.ExtGlob, *syntax.CoprocClause:
			j.fireNode(ruleNode, n)
		case *syntax.ArithmExp:
			j.guardArith(n, n.Bracket, text)
		case *syntax.ArithmCmd:
			j.guardArith(n, false, text)
		case *syntax.CStyleLoop:
			j.guardArith(n, false, text)
		case *syntax.ParamExp:
			if n.Width || n.IsSet || n.Flags != nil || n.NestedParam != nil || len(n.Modifiers) > 0 {
				j.fireNode(ruleNode, n)
			}
			if n.Slice != nil {
				j.guardArith(n, false, text)
			}
			if n.Exp != nil && hiddenProcess(n.Exp.Word) || n.Repl != nil && (hiddenProcess(n.Repl.With) || hiddenProcess(n.Repl.Orig)) {
				j.fireNode(ruleNode, n)
			}
		case *syntax.CmdSubst:
			if n.TempFile || n.ReplyVar {
				j.fireNode(ruleNode, n)
			}
		case *syntax.Stmt:
			if n.Coprocess || n.Disown {
				j.fireNode(ruleNode, n)
			}
		case *syntax.File, *syntax.CallExpr, *syntax.Subshell, *syntax.Block, *syntax.IfClause,
			*syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.BinaryCmd, *syntax.FuncDecl, *syntax.TestClause,
			*syntax.DeclClause, *syntax.TimeClause, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted,
			*syntax.ProcSubst, *syntax.WordIter, *syntax.CaseItem, *syntax.BinaryTest, *syntax.UnaryTest,
			*syntax.ParenTest, *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm, *syntax.ArrayExpr, *syntax.ArrayElem:
		default:
			j.fireNode(ruleNode, n)
		}
		return true
	})
	return inWord
}

// guardComment reports a comment that begins inside a word, which is none for a shell.
func (j *judge) guardComment(c *syntax.Comment, text string) (inWord bool) {
	at, end := int(c.Pos().Offset()), int(c.End().Offset())
	// The parser joins a line that ends in a backslash to the comment; bash does not.
	line := text[min(at, len(text)):]
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
		if strings.HasSuffix(line, "\\") {
			j.fire(ruleComment, at, end)
		}
	}
	if at > 0 && at <= len(text) {
		inWord = !strings.ContainsRune(" \t\n;&|()`", rune(text[at-1]))
	}
	if inWord || strings.Contains(c.Text, "\n") {
		j.fire(ruleComment, at, end)
	}
	return inWord
}

func (j *judge) guardHeredoc(r *syntax.Redirect, text string) {
	a, b := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
	if a > b || b > len(text) {
		j.fire(ruleHeredoc, a, b)
		return
	}
	body := text[a:b]
	// The parser's span ends with the delimiter that closes the body.
	body = body[:strings.LastIndexByte(body, '\n')+1]
	delim, quoted := plainDelimiter(r.Word)
	if !quoted && strings.Contains(body, "\\\n") {
		j.fire(ruleHeredoc, a, b)
		return
	}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimLeft(line, "\t") == delim {
			j.fire(ruleHeredoc, a, b)
			return
		}
	}
}

// plainDelimiter returns a heredoc's delimiter without quotes, and whether it had any.
func plainDelimiter(w *syntax.Word) (string, bool) {
	var sb strings.Builder
	quoted := false
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.IndexByte(p.Value, '\\') >= 0 {
				quoted = true
			}
			sb.WriteString(strings.ReplaceAll(p.Value, "\\", ""))
		case *syntax.SglQuoted:
			quoted = true
			sb.WriteString(p.Value)
		case *syntax.DblQuoted:
			quoted = true
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok {
					sb.WriteString(l.Value)
				}
			}
		}
	}
	return sb.String(), quoted
}

func (j *judge) guardAssign(a *syntax.Assign) {
	if a.Array != nil || a.Index != nil || a.Name != nil && !validName(a.Name.Value) {
		j.fireNode(ruleAssignName, a)
	}
}

// guardArith refuses arithmetic whose source holds more than names, numbers, operators and plain $name.
func (j *judge) guardArith(n syntax.Node, bracket bool, text string) {
	a, b := int(n.Pos().Offset()), int(n.End().Offset())
	if a > b || b > len(text) {
		j.fire(ruleArith, a, b)
		return
	}
	src := text[a:b]
	if p, ok := n.(*syntax.ParamExp); ok {
		if p.Param == nil {
			j.fire(ruleArith, a, b)
			return
		}
		if i := strings.IndexByte(src, ':'); i >= 0 {
			src = src[i:]
		}
	} else {
		src = strings.TrimPrefix(src, "$")
	}
	_ = bracket
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\'', '"', '\\', '`', '\n':
			j.fire(ruleArith, a, b)
			return
		case '[':
			if !bracket || i > 0 {
				j.fire(ruleArith, a, b)
				return
			}
		case '$':
			if i+1 >= len(src) || !nameStart(src[i+1]) {
				j.fire(ruleArith, a, b)
				return
			}
		}
	}
}

// hiddenProcess reports a process substitution that the tree shows as plain text: bash runs those in the
// word of a parameter expansion.
func hiddenProcess(w *syntax.Word) bool {
	return hiddenProcessText(w) != ""
}

// hiddenProcessText is the text after <( or >( in a literal part of w.
func hiddenProcessText(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	for _, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			continue
		}
		for _, open := range [...]string{"<(", ">("} {
			if i := strings.Index(l.Value, open); i >= 0 {
				return strings.TrimSuffix(l.Value[i+2:], ")") + " "
			}
		}
	}
	return ""
}
