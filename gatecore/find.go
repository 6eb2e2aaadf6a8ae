package gatecore

import (
	"path"
	"strings"
)

// findRead is what the expression of one find command says.
type findRead struct {
	starts   []word
	narrow   bool // a test limits what is found
	either   bool // -o, ! or , : the tests do not limit every action
	secret   bool // a name test selects credentials
	deletes  bool
	commands [][]word
	dirs     bool
}

var findNarrowing = map[string]bool{
	"-name": true, "-iname": true, "-path": true, "-ipath": true, "-wholename": true, "-iwholename": true, "-regex": true, "-iregex": true,
	"-mtime": true, "-atime": true, "-ctime": true, "-mmin": true, "-amin": true, "-cmin": true, "-newer": true, "-size": true,
	"-empty": true, "-user": true, "-uid": true, "-group": true, "-gid": true, "-nouser": true, "-nogroup": true, "-perm": true, "-inum": true,
	"-samefile": true, "-lname": true, "-ilname": true, "-links": true, "-anewer": true, "-cnewer": true, "-used": true,
}

// find reads a find command: its start paths, tests and actions.
func (j *judge) find(sc *scope, inv *invocation, out *flow) {
	var f findRead
	ws := inv.words
	i := 1
	for ; i < len(ws); i++ {
		t := ws[i].text
		if o := inv.root.opts.find(t); o != nil && (t == "-H" || t == "-L" || t == "-P" || strings.HasPrefix(t, "-O")) {
			continue
		}
		if t == "-D" {
			i++
			continue
		}
		if strings.HasPrefix(t, "-") || t == "(" || t == "!" || t == ")" || t == "," {
			break
		}
		f.starts = append(f.starts, ws[i])
	}
	if len(f.starts) == 0 {
		f.starts = []word{{text: ".", start: ws[0].start, end: ws[0].end}}
	}
	for ; i < len(ws); i++ {
		i = j.findToken(sc, inv, &f, i, out)
	}
	for k := range f.starts {
		if f.starts[k].optionLike() {
			j.fire(ruleDynWord, f.starts[k].start, f.starts[k].end)
		}
	}
	for k := range f.starts {
		f.secret = f.secret || j.credential(sc, &f.starts[k])
	}
	j.findActions(sc, inv, &f, out)
	if f.secret {
		out.listing = true
	}
	if !f.narrow || f.either {
		for k := range f.starts {
			out.tree = out.tree || j.classOf(sc, &f.starts[k]).treeDenied()
		}
	}
	if len(f.starts) == 1 && f.starts[0].prefix() != "" && !f.starts[0].split && f.starts[0].globAt == 0 && f.starts[0].text[0] != '-' && printsPaths(inv) {
		out.shape = tameStart
	}
	if len(f.starts) == 1 && f.narrow && !f.either && !f.starts[0].dyn && printsPaths(inv) {
		out.from = strings.TrimSuffix(f.starts[0].text, "/")
		if out.from == "" {
			out.from = "/"
		}
	}
}

func (j *judge) findToken(sc *scope, inv *invocation, f *findRead, i int, out *flow) int {
	w := &inv.words[i]
	t := w.text
	switch t {
	case "-exec", "-execdir", "-ok", "-okdir":
		n := i + 1
		for n < len(inv.words) && inv.words[n].text != ";" && (inv.words[n].text != "+" || inv.words[n-1].text != "{}") {
			n++
		}
		if n > i+1 {
			f.commands = append(f.commands, inv.words[i+1:n])
		} else {
			j.fire(ruleOperands, w.start, w.end)
		}
		if t == "-ok" || t == "-okdir" {
			j.fire(ruleInteractive, w.start, w.end)
		}
		f.dirs = f.dirs || strings.HasSuffix(t, "dir")
		return n
	case "-delete":
		f.deletes = true
		return i
	case "-o", "-or", "!", "-not", ",":
		f.either = true
		return i
	case "(", ")", "-a", "-and":
		return i
	}
	o := inv.root.opts.find(t)
	if o == nil {
		j.fire(ruleOption, w.start, w.end)
		return i
	}
	u := optUse{o: o, name: o.name, at: w}
	if o.arity == needsValue {
		if i+1 >= len(inv.words) {
			j.fire(ruleOption, w.start, w.end)
			return i
		}
		i++
		u.val, u.hasVal = inv.words[i], true
		if u.val.split {
			j.fire(ruleDynWord, u.val.start, u.val.end)
		}
	}
	if findNarrowing[t] || strings.HasPrefix(t, "-newer") {
		v := u.val.text
		if !u.val.dyn && (v == "" && !u.hasVal || v != "" && strings.Trim(v, "*?./") != "") {
			f.narrow = true
		}
	}
	if strings.HasSuffix(t, "name") || strings.HasSuffix(t, "path") {
		f.secret = f.secret || j.credentialPattern(u.val.text)
	}
	if o.eff != effRead {
		j.optionEffects(sc, inv, &u, out)
	}
	return i
}

func (j *judge) findActions(sc *scope, inv *invocation, f *findRead, out *flow) {
	a, b := inv.words[0].start, inv.end()
	narrowed := f.narrow && !f.either
	if f.deletes {
		j.findDelete(sc, f, narrowed, a, b)
	}
	for _, cmd := range f.commands {
		if removes(cmd) {
			j.findDelete(sc, f, narrowed, a, b)
		}
		for k, s := range f.starts {
			if k >= 8 {
				break
			}
			base := strings.TrimSuffix(s.text, "/")
			if base == "" {
				base = "/"
			}
			d := word{text: base + "/" + dynMark, dyn: true, start: s.start, end: s.end, flow: flow{listing: f.secret}}
			if narrowed {
				d.text = base + "/x" + dynMark
			}
			if base == "/" {
				d.text = d.text[1:]
			}
			c := sc.process()
			c.in = flow{}
			if f.dirs {
				c.dirLost = true
			}
			p := j.enter("wrapper", cmd[0].start, cmd[len(cmd)-1].end, cmd)
			*out = out.join(j.run(c, substitute(cmd, "{}", d), nil))
			j.leave(p)
		}
	}
}

// removes reports a command that deletes or empties what it is given.
func removes(cmd []word) bool {
	for i := range cmd {
		switch path.Base(cmd[i].text) {
		case "rm", "unlink", "shred", "srm", "wipe", "truncate":
			return true
		case "sudo", "env", "command", "nice", "doas", "busybox":
			continue
		}
		return false
	}
	return false
}

// findDelete judges deletion by find from each of its starts; GATE, "Deleting and overwriting".
func (j *judge) findDelete(sc *scope, f *findRead, narrowed bool, a, b int) {
	for i := range f.starts {
		c := j.classOf(sc, &f.starts[i])
		switch {
		case c == classRoot || c == classSystem && !(narrowed && temporary(j.resolve(sc, &f.starts[i])+"/x")):
			j.fire("fs.find-delete", a, b)
		case narrowed:
			j.fire(ruleWrites, a, b)
		case c.treeDenied():
			j.fire("fs.find-delete", a, b)
		default:
			j.fire(ruleWrites, a, b)
		}
	}
}

// fdExec judges the command that fd runs for what it finds.
func (j *judge) fdExec(sc *scope, inv *invocation, out *flow) {
	ws := inv.words
	at := 1
	for at < len(ws) && ws[at].text != "-x" && ws[at].text != "-X" && ws[at].text != "--exec" && ws[at].text != "--exec-batch" {
		at++
	}
	if at+1 >= len(ws) {
		return
	}
	cmd := append([]word(nil), ws[at+1:]...)
	for i := range cmd {
		if cmd[i].text == ";" {
			cmd = cmd[:i]
			break
		}
	}
	if len(cmd) == 0 {
		return
	}
	found := word{text: "./" + dynMark, dyn: true, start: ws[at].start, end: inv.end()}
	for i := 1; i < at; i++ {
		t := ws[i].text
		if t == "-e" || t == "--extension" || t[:min(1, len(t))] != "-" && strings.Trim(t, ".*?^$/") != "" {
			found.text = "./x" + dynMark // a pattern or an extension limits what is found
		}
		if strings.HasPrefix(t, "/") || strings.HasPrefix(t, "~") || strings.HasPrefix(t, "..") {
			found.text = strings.TrimSuffix(t, "/") + "/" + dynMark
		}
	}
	marked := false
	for i := range cmd {
		marked = marked || strings.Contains(cmd[i].text, "{")
	}
	if !marked {
		cmd = append(cmd, found)
	}
	c := sc.process()
	c.in = flow{}
	*out = out.join(j.run(c, substitute(cmd, "{}", found), nil))
}

// printsPaths reports that find prints nothing but paths, which begin with its start.
func printsPaths(inv *invocation) bool {
	for i := range inv.words {
		switch inv.words[i].text {
		case "-printf", "-exec", "-execdir", "-ok", "-okdir", "-ls", "-fprintf":
			return false
		}
	}
	return true
}
