package gatecore

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// plainText reads text that holds simple commands of plain and quoted words and redirections to files and descriptors,
// joined by | && || and ; on one line, as most texts do. The tree is the one that the parser builds from the same text
// (FuzzPlainText holds it to that), without the 4 KB that the parser takes for any. Nil means that the text is not of that
// kind and is the parser's to read.
//
// The tree lives in m, and as long as m is not reset.
func plainText(text string, m *plainMemory) []*syntax.Stmt {
	words, commands := 0, 1
	for at := 0; ; {
		t := plainToken(text, at)
		switch t.kind {
		case plainBad:
			return nil
		case plainWord:
			words++
		case plainRedirect:
		case plainEnd:
			if words < commands || !utf8.ValidString(text) {
				return nil
			}
			r := plainReader{text: text, m: m, args: m.args.take(words)}
			r.next()
			list := r.list(commands)
			if r.bad || len(list) == 0 {
				return nil
			}
			return list
		case plainSemicolon:
			// May be the last.
			if strings.TrimLeft(text[t.end:], " \t") != "" {
				commands++
			}
		default:
			commands++
		}
		at = t.end
	}
}

type plainKind uint8

const (
	plainEnd plainKind = iota
	plainWord
	plainPipe
	plainAnd
	plainOr
	plainSemicolon
	plainRedirect
	plainBad
)

type plainTok struct {
	kind       plainKind
	quoted     bool // a word that holds quotes
	start, end int
	op         int // of a redirection: where its operator begins, behind the descriptor
}

// plainToken finds the token that begins at or behind at.
func plainToken(text string, at int) plainTok {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at == len(text) {
		return plainTok{kind: plainEnd, start: at, end: at}
	}
	doubled := at+1 < len(text) && text[at+1] == text[at]
	t := plainTok{kind: plainBad, start: at, end: at + 1}
	switch text[at] {
	case '|':
		if t.kind = plainPipe; doubled {
			t.kind, t.end = plainOr, at+2
		} else if at+1 < len(text) && text[at+1] == '&' {
			t.kind = plainBad
		}
	case '&':
		if doubled {
			t.kind, t.end = plainAnd, at+2
		}
	case ';':
		if t.kind = plainSemicolon; doubled {
			t.kind = plainBad
		}
	case '<', '>':
		return plainRedirectAt(text, at, at)
	case '#': // a comment
	default:
		return plainWordAt(text, at)
	}
	return t
}

// plainRedirectAt finds the end of the redirection operator at op, whose descriptor begins at start.
func plainRedirectAt(text string, start, op int) plainTok {
	t := plainTok{kind: plainRedirect, start: start, op: op, end: op + 1}
	if t.end == len(text) {
		return plainTok{kind: plainBad}
	}
	switch c := text[t.end]; {
	case text[op] == '>' && (c == '>' || c == '&'):
		t.end++
	case strings.IndexByte("<>&|(", c) >= 0: // heredocs, processes, descriptors for both, noclobber
		return plainTok{kind: plainBad}
	}
	return t
}

// plainWordAt finds the end of the word that begins at at.
func plainWordAt(text string, at int) plainTok {
	t := plainTok{kind: plainWord, start: at}
	for ; at < len(text); at++ {
		switch c := text[at]; {
		case plainByte(c), c == '[' && at == t.start: // further on, the parser begins a part of the word with it
		case c == '"' || c == '\'':
			n := strings.IndexByte(text[at+1:], c)
			if n < 0 || !plainQuoted(text[at+1:at+1+n], c) {
				return plainTok{kind: plainBad}
			}
			t.quoted = true
			at += n + 1
		case c == ' ' || c == '\t' || c == '|' || c == '&' || c == ';':
			t.end = at
			return t
		case c == '<' || c == '>':
			switch {
			case text[t.start] == '{': // {name}> opens a descriptor of its own
				return plainTok{kind: plainBad}
			case !t.quoted && isDigits(text[t.start:at]):
				return plainRedirectAt(text, t.start, at)
			}
			t.end = at
			return t
		default:
			return plainTok{kind: plainBad}
		}
	}
	t.end = at
	return t
}

// plainByte reports the bytes that the parser leaves where they stand in a word that does not begin a command. Tildes,
// braces and the characters of patterns are among them: they have their meaning when the word is expanded.
func plainByte(c byte) bool {
	switch c {
	case '-', '_', '.', '/', ':', ',', '=', '%', '+', '@', '~', '^', '*', '?', ']', '{', '}', '!', '#':
		return true
	}
	return c >= utf8.RuneSelf || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// plainQuoted reports text between quotes that means itself.
func plainQuoted(s string, quote byte) bool {
	for i := range len(s) {
		c := s[i]
		if c < ' ' && c != '\t' || c == 0x7f || quote == '"' && (c == '$' || c == '`' || c == '\\' || c == '!') {
			return false
		}
	}
	return true
}

// reserved reports the first words that begin something else than a simple command, or are read apart in some dialect.
func reserved(word string) bool {
	if word != "[" && strings.ContainsAny(word, "=[]{}!*?~#^") {
		return true // an assignment, a group, a negation, or too unusual
	}
	switch word {
	case "if", "then", "elif", "else", "fi", "for", "while", "until", "case", "esac", "do", "done", "in", "select", "function", "time",
		"coproc", "let", "declare", "local", "export", "readonly", "typeset", "nameref", "repeat", "foreach", "end", "always", "nocorrect", "@test":
		return true
	}
	return false
}

// plainNode is a word of one literal part.
type plainNode struct {
	word  syntax.Word
	lit   syntax.Lit
	parts [1]syntax.WordPart
}

// plainStmt is a simple command, plainBinary what an operator makes of two.
type (
	plainStmt struct {
		stmt syntax.Stmt
		call syntax.CallExpr
	}
	plainBinary struct {
		stmt   syntax.Stmt
		binary syntax.BinaryCmd
	}
	plainRedir struct {
		redirect syntax.Redirect
		fd       syntax.Lit
	}
)

// plainMemory is where the nodes of trees live.
type plainMemory struct {
	words    arena[plainNode]
	args     arena[*syntax.Word]
	stmts    arena[plainStmt]
	binaries arena[plainBinary]
	lists    arena[*syntax.Stmt]
	redirs   arena[plainRedir]
}

func (m *plainMemory) reset() {
	m.words.reset()
	m.args.reset()
	m.stmts.reset()
	m.binaries.reset()
	m.lists.reset()
	m.redirs.reset()
}

// plainReader builds the tree.
type plainReader struct {
	text string
	m    *plainMemory
	tok  plainTok
	bad  bool
	args []*syntax.Word // what is left of the memory for all words
}

func (r *plainReader) next() { r.tok = plainToken(r.text, r.tok.end) }

func (r *plainReader) list(most int) []*syntax.Stmt {
	list := r.m.lists.take(most)[:0]
	for !r.bad && r.tok.kind != plainEnd {
		s := r.binary(true)
		if r.tok.kind == plainSemicolon && !r.bad {
			s.Semicolon = plainPos(r.tok.start)
			r.next()
		}
		list = append(list, s)
	}
	return list
}

// binary reads what && and || join, or with pipes alone what | joins. Both lean to the left.
func (r *plainReader) binary(lists bool) *syntax.Stmt {
	operand := func() *syntax.Stmt {
		if lists {
			return r.binary(false)
		}
		return r.command()
	}
	s := operand()
	for !r.bad && (lists && (r.tok.kind == plainAnd || r.tok.kind == plainOr) || !lists && r.tok.kind == plainPipe) {
		both := r.m.binaries.one()
		b := &both.binary
		b.OpPos, b.X = plainPos(r.tok.start), s
		switch r.tok.kind {
		case plainAnd:
			b.Op = syntax.AndStmt
		case plainOr:
			b.Op = syntax.OrStmt
		default:
			b.Op = syntax.Pipe
		}
		r.next()
		b.Y = operand()
		both.stmt.Position, both.stmt.Cmd = s.Position, b
		s = &both.stmt
	}
	return s
}

func (r *plainReader) command() *syntax.Stmt {
	first := r.tok
	word := r.text[first.start:first.end]
	if first.kind != plainWord || first.quoted || reserved(word) {
		r.bad = true
		return &syntax.Stmt{}
	}
	s := r.m.stmts.one()
	n := 0
	for ; r.tok.kind == plainWord || r.tok.kind == plainRedirect; r.next() {
		if r.tok.kind == plainRedirect {
			s.stmt.Redirs = append(s.stmt.Redirs, r.redirect())
			continue
		}
		r.args[n] = r.word(r.tok)
		n++
	}
	s.call.Args, r.args = r.args[:n:n], r.args[n:]
	s.stmt.Position, s.stmt.Cmd = plainPos(first.start), &s.call
	return &s.stmt
}

// redirect reads one redirection and leaves its target as the token.
func (r *plainReader) redirect() *syntax.Redirect {
	x := r.m.redirs.one()
	t := r.tok
	x.redirect.OpPos = plainPos(t.op)
	switch r.text[t.op:t.end] {
	case "<":
		x.redirect.Op = syntax.RdrIn
	case ">":
		x.redirect.Op = syntax.RdrOut
	case ">>":
		x.redirect.Op = syntax.AppOut
	default:
		x.redirect.Op = syntax.DplOut
	}
	if t.start < t.op {
		x.fd = r.lit(t.start, t.op)
		x.redirect.N = &x.fd
	}
	if r.next(); r.tok.kind != plainWord {
		r.bad = true
		return &x.redirect
	}
	x.redirect.Word = r.word(r.tok)
	return &x.redirect
}

func (r *plainReader) word(t plainTok) *syntax.Word {
	node := r.m.words.one()
	if !t.quoted {
		node.lit = r.lit(t.start, t.end)
		node.parts[0] = &node.lit
		node.word.Parts = node.parts[:]
		return &node.word
	}
	parts := node.parts[:0]
	for at := t.start; at < t.end; {
		c := r.text[at]
		if c != '"' && c != '\'' {
			start := at
			for at < t.end && r.text[at] != '"' && r.text[at] != '\'' {
				at++
			}
			l := r.lit(start, at)
			parts = append(parts, &l)
			continue
		}
		end := at + 1 + strings.IndexByte(r.text[at+1:], c)
		if c == '\'' {
			parts = append(parts, &syntax.SglQuoted{Left: plainPos(at), Right: plainPos(end), Value: r.text[at+1 : end]})
		} else {
			q := &syntax.DblQuoted{Left: plainPos(at), Right: plainPos(end)}
			if at+1 < end {
				l := r.lit(at+1, end)
				q.Parts = []syntax.WordPart{&l}
			}
			parts = append(parts, q)
		}
		at = end + 1
	}
	node.word.Parts = parts
	return &node.word
}

func (r *plainReader) lit(start, end int) syntax.Lit {
	return syntax.Lit{ValuePos: plainPos(start), ValueEnd: plainPos(end), Value: r.text[start:end]}
}

func plainPos(offset int) syntax.Pos { return syntax.NewPos(uint(offset), 1, uint(offset)+1) }
