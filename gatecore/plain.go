package gatecore

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainCommand reads text that is one simple command of plain words between blanks, as most commands are. The tree is the
// one that the parser builds from the same text (FuzzPlainCommand holds it to that), without the 4 KB that the parser takes
// for it. Nil means that the text is not of that kind and is the parser's to read.
func plainCommand(text string) *syntax.File {
	words, at := 0, 0
	for at < len(text) {
		start, end := plainWord(text, at)
		if end < 0 {
			return nil
		}
		if start < end {
			if words == 0 && (reserved(text[start:end]) || strings.IndexByte(text[start:end], '=') >= 0) {
				return nil
			}
			words++
		}
		at = end
	}
	if words == 0 {
		return nil
	}
	type plain struct {
		word  syntax.Word
		lit   syntax.Lit
		parts [1]syntax.WordPart
	}
	list, args := make([]plain, words), make([]*syntax.Word, words)
	at = 0
	for i := range list {
		p := &list[i]
		start, end := plainWord(text, at)
		p.lit = syntax.Lit{ValuePos: columnPos(start), ValueEnd: columnPos(end), Value: text[start:end]}
		p.parts[0] = &p.lit
		p.word.Parts = p.parts[:]
		args[i], at = &p.word, end
	}
	tree := &struct {
		file  syntax.File
		stmt  syntax.Stmt
		call  syntax.CallExpr
		stmts [1]*syntax.Stmt
	}{}
	tree.call.Args = args
	tree.stmt.Position, tree.stmt.Cmd = list[0].lit.ValuePos, &tree.call
	tree.stmts[0] = &tree.stmt
	tree.file.Stmts = tree.stmts[:]
	return &tree.file
}

// plainWord finds the next word from at on. Without one start is end; a byte that is not plain gives an end of -1.
func plainWord(text string, at int) (start, end int) {
	for at < len(text) && text[at] == ' ' {
		at++
	}
	start = at
	for ; at < len(text) && text[at] != ' '; at++ {
		if !plainByte(text[at]) {
			return start, -1
		}
	}
	return start, at
}

func columnPos(offset int) syntax.Pos { return syntax.NewPos(uint(offset), 1, uint(offset)+1) }

// plainByte reports the bytes that mean themselves wherever they stand in a word.
func plainByte(c byte) bool {
	switch c {
	case '-', '_', '.', '/', ':', ',', '=', '%', '+', '@':
		return true
	}
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// reserved reports the first words that begin something else than a simple command, or are read apart in some dialect.
func reserved(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "fi", "for", "while", "until", "case", "esac", "do", "done", "in", "select", "function", "time",
		"coproc", "let", "declare", "local", "export", "readonly", "typeset", "nameref", "repeat", "foreach", "end", "always", "nocorrect", "@test":
		return true
	}
	return false
}
