package gatecore

import "strings"

// expressionOfDownload reports PowerShell that runs what it fetched or decoded.
func (j *judge) expressionOfDownload(text string) {
	low := strings.ToLower(text)
	runs := strings.Contains(low, "invoke-expression") || strings.Contains(low, "[scriptblock]::create")
	fetches := false
	for _, f := range strings.FieldsFunc(low, func(r rune) bool { return !(r >= 'a' && r <= 'z') }) {
		switch f {
		case "iex":
			runs = true
		case "iwr", "irm", "wget", "curl":
			fetches = true
		}
	}
	if !runs || !strings.ContainsAny(low, "|;&(){}$`\"'\n") {
		return // one command of words does not run what it fetches: iwr iex asks a host of that name
	}
	if fetches || hasAny(low, "downloadstring", "downloadfile", "downloaddata", "invoke-webrequest", "invoke-restmethod", "net.webclient", "start-bitstransfer", "http://", "https://") {
		j.fire(ruleFetched, 0, len(text))
	}
	if hasAny(low, "frombase64string", "[convert]::", "-bxor", "[char]", "gzipstream", "deflatestream") {
		j.fire(ruleDecoded, 0, len(text))
	}
}

// dotNetCalls judges calls of .NET that delete or write.
func (j *judge) dotNetCalls(sc *scope, text string) {
	low := strings.ToLower(text)
	if i := strings.Index(low, ").delete($true)"); i > 0 { // (Get-Item PATH).Delete($true)
		if f := strings.Fields(text[strings.LastIndexByte(text[:i], '(')+1 : i]); len(f) > 1 {
			if c := j.windowsClass(windowsVariables(strings.Trim(f[len(f)-1], `"'`))); c.treeDenied() {
				j.fire("windows.remove-tree", 0, len(text))
			}
		}
	}
	for from := 0; ; {
		i := strings.Index(low[from:], "]::")
		if i < 0 {
			return
		}
		from += i + 3
		open := strings.IndexByte(low[from:], '(')
		if open < 0 || open > 24 {
			continue
		}
		verb := low[from : from+open]
		args := text[from+open+1:]
		if end := strings.IndexByte(args, ')'); end >= 0 {
			args = args[:end]
		}
		w := word{text: windowsVariables(strings.Trim(strings.TrimSpace(firstArgument(args)), `"'`)), start: from, end: len(text)}
		if w.text == "" {
			continue
		}
		c := j.windowsClass(w.text)
		if !windowsPath(w.text) {
			c = j.classOf(sc, &w)
		}
		switch verb {
		case "delete", "deletedirectory", "move":
			if c == classSystem || c == classRoot || c.treeDenied() && strings.Contains(low[from:], "true") {
				j.fire("windows.remove-tree", from, len(text))
			}
		case "writealltext", "writeallbytes", "writealllines", "create", "copy", "appendalltext":
			if c == classSystem || c == classRoot {
				j.fire(ruleWriteDeny, from, len(text))
			}
		}
	}
}

func firstArgument(args string) string {
	first, _, _ := strings.Cut(args, ",")
	return first
}
