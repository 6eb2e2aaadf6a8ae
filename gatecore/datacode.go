package gatecore

import (
	"strings"
)

// The scanners below read the languages of data stores far enough to find calls that destroy: they know literals,
// comments and statement ends, nothing more. What they do not recognise stays undecided with its program, so a gap
// never makes an allow.

// sqlDestroys reports whether SQL text drops or truncates something, or deletes or updates without a WHERE clause.
// String literals, quoted names and comments are ignored, except MySQL's executable comments.
func sqlDestroys(code string) bool {
	for _, words := range sqlStatements(code) {
		if statementDestroys(words) {
			return true
		}
	}
	return false
}

func statementDestroys(words []string) bool {
	if cl := whereOf(words); cl != nil && alwaysTrue(cl) {
		words = words[:len(words)-len(cl)-1]
	}
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		starts := i == 0 || leadsStatement(words[i-1])
		switch w {
		case "drop":
			if starts && dropsStore(words[i+1:]) {
				return true
			}
			// ALTER TABLE t DROP COLUMN c
			if words[0] == "alter" && (next == "column" || next == "partition" || next == "tablespace" || words[1] == "table" && !keepsData[next]) {
				return true
			}
		case "truncate":
			if starts && next != "(" || words[0] == "alter" {
				return true
			}
		case "delete":
			if starts && next != "" && next != "(" && !has(words[i:], "where") && !has(words[i:], "limit") && words[0] != "grant" && words[0] != "revoke" {
				return true
			}
		case "update":
			if starts && has(words[i:], "set") && !has(words[i:], "where") && next != "set" {
				return true
			}
		case ".shell", ".system":
			return i == 0 && len(words) > 1
		}
	}
	return false
}

// leadsStatement reports words after which a verb begins a statement of its own: a parenthesis (WITH … AS (DELETE …)),
// EXPLAIN ANALYZE, BEGIN, THEN and the like.
func leadsStatement(w string) bool {
	switch w {
	case "(", ")", "analyze", "begin", "then", "else", "do", "execute", "loop", "immediate":
		return true
	}
	return false
}

// keepsData are what ALTER TABLE drops without dropping data, beside the end of a DROP that lost its name to a literal.
var keepsData = map[string]bool{
	"": true, "constraint": true, "index": true, "key": true, "default": true, "not": true, "primary": true, "foreign": true, "check": true, "identity": true,
	"expression": true, "statistics": true, "attribute": true, "projection": true, "trigger": true, "cluster": true, "period": true, "system": true, "rule": true,
}

// whereOf is what follows the last WHERE of a statement.
func whereOf(words []string) []string {
	for i := len(words) - 1; i > 0; i-- {
		if words[i] == "where" {
			return words[i+1:]
		}
	}
	return nil
}

// alwaysTrue reports conditions that select every row: TRUE, 1, 1 = 1, … OR 1 = 1.
func alwaysTrue(c []string) bool {
	if n := len(c); n > 3 && c[n-4] == "or" {
		c = c[n-3:]
	} else if n > 1 && c[n-2] == "or" {
		c = c[n-1:]
	}
	switch len(c) {
	case 1:
		return c[0] == "true" || c[0] == "1"
	case 3:
		return c[1] == "=" && c[0] == c[2]
	}
	return false
}

// sqlCalls lists the texts that SQL gives to a shell of the server (COPY … PROGRAM, xp_cmdshell and their like) and the files it
// writes there (INTO OUTFILE, lo_export, COPY … TO).
func sqlCalls(code string) (shell, files []string) {
	low := strings.ToLower(code)
	for _, mark := range [...]string{"program", "xp_cmdshell", "sys_exec(", "sys_eval(", "outfile", "dumpfile", "lo_export(", " to "} {
		for from, tries := 0, 0; tries < 32; tries++ {
			i := strings.Index(low[from:], mark)
			if i < 0 {
				break
			}
			from += i + len(mark)
			rest := strings.TrimLeft(code[from:], " (\n\t")
			if mark == "lo_export(" {
				if k := strings.IndexByte(rest, '\''); k > 0 && k < 24 {
					rest = rest[k:]
				}
			}
			if !strings.HasPrefix(rest, "'") && !strings.HasPrefix(rest, "\"") {
				continue
			}
			t := rest[1:max(1, literalEnd(rest, 0, rest[0])-1)]
			t = strings.ReplaceAll(t, "''", "'")
			switch mark {
			case "program", "xp_cmdshell", "sys_exec(", "sys_eval(":
				shell = append(shell, t)
			default:
				files = append(files, t)
			}
		}
	}
	return shell, files
}

func dropsStore(rest []string) bool {
	for _, w := range rest {
		switch w {
		case "if", "exists", "temporary", "temp", "foreign", "materialized", "external", "by", "global", "concurrently", "procedural":
			continue
		case "database", "schema", "table", "tables", "view", "user", "role", "index", "sequence", "tablespace", "keyspace", "collection", "type", "function",
			"procedure", "trigger", "extension", "server", "domain", "publication", "subscription", "column", "partition", "login", "warehouse", "stage", "bucket",
			"policy", "event", "package", "synonym", "aggregate", "cast", "rule", "measurement", "series", "retention", "cluster", "all", "dictionary", "namespace", "stream", "topic", "owned", "owned_by":
			return true
		}
		return false
	}
	return false
}

func has(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// sqlStatements splits SQL at semicolons, \g and \; into lower-case words; a literal becomes the word ' and a quoted name the word ".
func sqlStatements(code string) [][]string {
	var (
		statements [][]string
		words      []string
	)
	flush := func() {
		if len(words) > 0 {
			statements, words = append(statements, words), nil
		}
	}
	for i := 0; i < len(code); {
		c := code[i]
		switch {
		case c == ';' || c == '\\' && i+1 < len(code) && (code[i+1] == 'g' || code[i+1] == 'G' || code[i+1] == ';'):
			flush()
			i++
			if c == '\\' {
				i++
			}
		case c == '-' && strings.HasPrefix(code[i:], "--"), c == '#' && !strings.HasPrefix(code[i:], "#>"):
			i = lineEnd(code, i)
		case strings.HasPrefix(code[i:], "/*!"), strings.HasPrefix(code[i:], "/*M!"):
			i += 3 // MySQL and MariaDB run what is inside
			for i < len(code) && (code[i] == '!' || code[i] >= '0' && code[i] <= '9') {
				i++
			}
		case strings.HasPrefix(code[i:], "*/"):
			i += 2
		case strings.HasPrefix(code[i:], "/*"):
			i = commentEnd(code, i)
		case c == '\'' || c == '"' || c == '`':
			words = append(words, string(c))
			i = literalEnd(code, i, c)
		case c == '$' && dollarTag(code[i:]) != "":
			words = append(words, "'")
			tag := dollarTag(code[i:])
			body := code[i+len(tag):]
			end := strings.Index(body, tag)
			if end < 0 {
				end = len(body)
			}
			// A dollar-quoted body is a literal in SELECT and code in DO and CREATE FUNCTION.
			if len(words) > 1 && words[0] == "do" {
				statements = append(statements, sqlStatements(body[:end])...)
			}
			i = min(len(code), i+len(tag)+end+len(tag))
		case wordByte(c) || c == '.' && len(words) == 0:
			n := i + 1
			for n < len(code) && (wordByte(code[n]) || code[n] == '.' || code[n] == '$') {
				n++
			}
			words = append(words, strings.ToLower(code[i:n]))
			i = n
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\n':
			if len(words) > 0 && strings.HasPrefix(words[0], ".") {
				flush() // a dot command of sqlite3 ends with its line
			}
			i++
		default:
			words = append(words, string(c))
			i++
		}
	}
	flush()
	return statements
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// commentEnd skips a block comment. Nested ones are read as PostgreSQL does only when they close; otherwise as the
// standard does, so that text after the first end is seen.
func commentEnd(s string, i int) int {
	if n := strings.Index(s[i+2:], "*/"); n >= 0 {
		return i + 2 + n + 2
	}
	return len(s)
}

// literalEnd skips a literal or quoted name; a doubled quote stays inside.
func literalEnd(s string, i int, quote byte) int {
	for i++; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

// dollarTag is the opening of a dollar-quoted literal, such as $$ or $body$.
func dollarTag(s string) string {
	for i := 1; i < len(s); i++ {
		if s[i] == '$' {
			return s[:i+1]
		}
		if !wordByte(s[i]) {
			break
		}
	}
	return ""
}

// redisDestroys reports whether a redis command empties, stops, replaces or reconfigures a server. The code is one command
// a line; only the words at the start of a line are the command, the rest are keys and values.
func redisDestroys(code string) bool {
	for line := range strings.SplitSeq(code, "\n") {
		words := strings.Fields(strings.ToLower(line))
		for len(words) > 0 && (words[0] == "multi" || words[0] == "exec" || strings.Trim(words[0], "0123456789") == "") {
			words = words[1:] // a leading number repeats the command
		}
		if len(words) == 0 {
			continue
		}
		second := ""
		if len(words) > 1 {
			second = strings.Trim(words[1], `"'`)
		}
		switch strings.Trim(words[0], `"'`) {
		case "flushall", "flushdb", "shutdown":
			return true
		case "debug":
			return second == "segfault" || second == "panic" || second == "restart" || second == "crash-and-recover" || second == "reload" || second == "flushall"
		case "script", "function":
			return second == "flush"
		case "cluster":
			return second == "reset" || second == "flushslots"
		case "slaveof", "replicaof":
			return second != "no" // replication from elsewhere replaces all data
		case "config":
			return second == "set" && len(words) > 2 && (words[2] == "dir" || words[2] == "dbfilename")
		case "eval", "eval_ro":
			lower := strings.ToLower(line)
			return strings.Contains(lower, "flushall") || strings.Contains(lower, "flushdb") ||
				strings.Contains(lower, "keys") && (strings.Contains(lower, "del") || strings.Contains(lower, "unlink")) && (strings.Contains(lower, "'*'") || strings.Contains(lower, `"*"`))
		}
	}
	return false
}

// mongoDestroys reports whether code of the Mongo shell drops a database, collection, index or user, or removes every document.
func mongoDestroys(code string) bool {
	code = strings.Join(strings.Fields(withoutStrings(code)), "")
	for _, call := range []string{
		"dropDatabase", "drop", "dropIndexes", "dropIndex", "dropUser", "dropAllUsers", "dropRole", "dropAllRoles", "shutdownServer", "fsyncLock", "renameCollection",
	} {
		if methodCalled(code, call, func(arguments string) bool { return call != "renameCollection" || strings.Contains(arguments, "true") }) {
			return true
		}
	}
	everything := func(arguments string) bool {
		return arguments == "" || arguments == "{}" || strings.HasPrefix(arguments, "{},")
	}
	for _, call := range []string{"deleteMany", "remove"} {
		if methodCalled(code, call, everything) {
			return true
		}
	}
	return methodCalled(code, "runCommand", func(a string) bool { return strings.HasPrefix(a, "{drop") || strings.HasPrefix(a, "{'':") }) ||
		methodCalled(code, "adminCommand", func(a string) bool { return strings.HasPrefix(a, "{drop") || strings.HasPrefix(a, "{shutdown") })
}

// methodCalled finds .name(arguments) in code without blanks and asks accept about the arguments.
func methodCalled(code, name string, accept func(arguments string) bool) bool {
	for from := 0; ; {
		i := strings.Index(code[from:], "."+name)
		if i < 0 {
			return false
		}
		from += i + 1 + len(name)
		rest := code[from:]
		if !strings.HasPrefix(rest, "(") {
			continue
		}
		depth, end := 0, len(rest)
		for k := range len(rest) {
			switch rest[k] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				end = k
				break
			}
		}
		arguments := ""
		if end > 0 {
			arguments = rest[1:end]
		}
		if accept(arguments) {
			return true
		}
	}
}

// withoutStrings empties the string literals and drops the comments of C-like code. Template literals stay: they hold code.
func withoutStrings(code string) string {
	var b strings.Builder
	for i := 0; i < len(code); {
		switch c := code[i]; {
		case c == '\'' || c == '"':
			b.WriteString("''")
			for i++; i < len(code) && code[i] != c; i++ {
				if code[i] == '\\' {
					i++
				}
			}
			i++
		case strings.HasPrefix(code[i:], "//"):
			i = lineEnd(code, i)
		case strings.HasPrefix(code[i:], "/*"):
			i = commentEnd(code, i)
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}
