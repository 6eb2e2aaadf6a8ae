package gatecore

import (
	"path"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// rulesOf fires the rules of the invoked command.
func (j *judge) rulesOf(sc *scope, inv *invocation, env []envVar) {
	for i := range inv.cmd.rules {
		cm := &inv.cmd.rules[i]
		if inv.dry && cm.rule.Verdict == l0.Deny || !j.matches(sc, inv, cm, env) {
			continue
		}
		j.fire(cm.rule.ID, inv.words[0].start, inv.end())
	}
}

func (inv *invocation) end() int { return max(inv.words[len(inv.words)-1].end, inv.words[0].end) }

func (j *judge) matches(sc *scope, inv *invocation, cm *compiledMatch, env []envVar) bool {
	for _, g := range cm.has {
		if !inv.test(g) {
			return false
		}
	}
	if len(cm.not) > 0 && inv.test(cm.not) {
		return false
	}
	n := len(inv.operands)
	if cm.m.Min > n || cm.m.Max > 0 && n > cm.m.Max || cm.m.Max < 0 && n > 0 {
		return false
	}
	if !j.operandsMatch(inv, cm) || !envMatch(cm.env, env) {
		return false
	}
	if cm.m.Paths != l0.AnyPath && !j.pathsMatch(sc, inv, cm.m.Paths) {
		return false
	}
	return cm.m.If == l0.Always || j.predicate(sc, inv, cm.m.If)
}

// sourceOf is the text of a word, or for a word that is not known its source with blanks collapsed, so that a
// rule can name a substitution such as $(docker ps -aq).
func (j *judge) sourceOf(w *word) string {
	if !w.dyn || w.start < 0 || w.end > len(j.text) || w.start >= w.end {
		return w.text
	}
	return strings.Join(strings.Fields(j.text[w.start:w.end]), " ")
}

// anyCase reports programs that find the kinds of their objects in any case.
func (p *program) anyCase() bool { return p.name == "kubectl" || p.name == "oc" }

func (j *judge) operandsMatch(inv *invocation, cm *compiledMatch) bool {
	ops := inv.operands
	if len(cm.first) > 0 && (len(ops) == 0 || !anyGlob(cm.first, ops[0].w.text)) {
		return false
	}
	if len(cm.last) > 0 && (len(ops) == 0 || !anyGlob(cm.last, ops[len(ops)-1].w.text)) {
		return false
	}
	if len(cm.operand) > 0 {
		hit := false
		for _, o := range ops {
			hit = hit || anyGlob(cm.operand, o.w.text) || inv.prog.anyCase() && anyGlob(cm.operand, strings.ToLower(o.w.text)) || o.w.dyn && anyGlob(cm.operand, j.sourceOf(o.w))
		}
		if !hit {
			return false
		}
	}
	for _, o := range ops {
		if len(cm.without) > 0 && anyGlob(cm.without, o.w.text) {
			return false
		}
	}
	return true
}

func envMatch(names []string, env []envVar) bool {
	if len(names) == 0 {
		return true
	}
	for _, e := range env {
		if anyGlob(names, e.name) {
			return true
		}
	}
	return false
}

// paths calls f for every operand and option value that is a path.
func (inv *invocation) paths(f func(*word) bool) bool {
	for i := range inv.operands {
		switch inv.operands[i].role {
		case roleWord, roleCode, roleShell, roleCmd, roleHost, roleSet:
			continue
		}
		if f(inv.operands[i].w) {
			return true
		}
	}
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.o != nil && u.hasVal && (u.o.eff&(effWrite|effAppend) != 0 || inv.unpacksInto(u)) && f(&u.val) {
			return true
		}
	}
	return false
}

// unpacksInto reports the directory that tar fills.
func (inv *invocation) unpacksInto(u *optUse) bool {
	return strings.HasSuffix(inv.prog.name, "tar") && (u.name == "-C" || u.name == "--directory") && inv.hasAny([]string{"-x", "--extract", "--get"})
}

func (j *judge) pathsMatch(sc *scope, inv *invocation, t l0.PathTest) bool {
	s := inv.scope(sc)
	return inv.paths(func(w *word) bool {
		switch t {
		case l0.Tree:
			return j.classOf(s, w).treeDenied() || inv.prog.style == l0.Windows && j.otherDrivePath(w)
		case l0.Single:
			return j.classOf(s, w) == classSystem || j.classOf(s, w) == classRoot
		case l0.System:
			c := j.classOf(s, w)
			return c == classSystem || c == classRoot
		case l0.Written:
			return j.writeDenied(s, w, false) != ""
		case l0.Secret:
			return j.credential(s, w)
		case l0.Device:
			return device(j.resolve(s, w))
		case l0.HistoryFile:
			return lists.history.match(path.Base(w.text))
		case l0.HostFile:
			return lists.hostPaths.match("/" + strings.TrimPrefix(j.fullPath(s, w), "/"))
		case l0.GateFile:
			return j.gateFile(s, w)
		case l0.UnknownStart:
			return j.classOf(s, w) == classUnknown
		}
		return false
	})
}

// scope is the scope with the directory that -C and its like chose.
func (inv *invocation) scope(sc *scope) *scope {
	if !inv.dirSet {
		return sc
	}
	c := *sc
	c.shared = true
	c.dir, c.dirLost = inv.dir, inv.dirLost
	return &c
}

func (j *judge) predicate(sc *scope, inv *invocation, p l0.Predicate) bool {
	switch p {
	case l0.KillsEverything:
		return killsEverything(inv)
	case l0.CheckoutPathspec:
		return checkoutPathspec(inv)
	case l0.RestoreWorktree:
		return inv.has("-W") || inv.has("--worktree") || !inv.has("-S") && !inv.has("--staged")
	case l0.RefspecForces:
		for _, o := range inv.operands[min(1, len(inv.operands)):] {
			if strings.HasPrefix(o.w.text, "+") || strings.HasPrefix(o.w.text, ":") && o.w.text != ":" {
				return true
			}
		}
	case l0.WorldWritable:
		for _, o := range inv.operands[:min(1, len(inv.operands))] {
			if worldWritable(o.w.text) {
				return true
			}
		}
	case l0.SetuidMode:
		for _, o := range inv.operands[:min(1, len(inv.operands))] {
			if setuidMode(o.w.text) {
				return true
			}
		}
	case l0.CodeDestroys:
		return j.invocationCodeDestroys(sc, inv)
	case l0.SendsSecret:
		return j.sendsSecret(sc, inv)
	case l0.GateProcess:
		for _, o := range inv.operands {
			if t := j.sourceOf(o.w); strings.Contains(t, "phocinae") || len(t) > 5 && strings.Contains("phocinae-mcp", t) {
				return true
			}
		}
	case l0.EncodedCommand:
		return inv.has("-encodedcommand") || inv.has("-EncodedCommand") || inv.has("-enc") || inv.has("-e") || inv.has("-ec")
	case l0.MovesTree, l0.WritesTree:
		return j.roleInTree(sc, inv, p == l0.MovesTree)
	case l0.UnpacksHere:
		return j.writeDenied(sc, &word{text: "."}, false) == ruleWriteDeny
	case l0.PipedListing:
		return sc.in.listing || sc.in.ids == listsHere
	case l0.AppliesUnattended:
		return inv.has("-auto-approve") || inv.has("--yes") || inv.has("-y") || inv.has("--auto-approve")
	case l0.EmptiesFile, l0.LinkOverProtected:
		return inv.paths(func(w *word) bool { return j.writeDenied(sc, w, false) != "" })
	case l0.ScheduleText:
		return sc.in.piped
	case l0.OpensShell:
		return opensShell(inv)
	case l0.FindDeletesTree:
		return false // the engine's reading of find fires the rule itself
	}
	return false
}

func killsEverything(inv *invocation) bool {
	for i, o := range inv.operands {
		if o.w.text == "1" || o.w.text == "0" || o.w.text == "-1" && i >= 0 {
			return true
		}
	}
	n := 0
	for i := 1; i < len(inv.words); i++ {
		if inv.words[i].text == "-1" {
			n = i
		}
	}
	return n > 1 // the first -1 is the signal HUP, a later one every process
}

// checkoutPathspec reports operands that cannot be a ref, so that checkout overwrites files.
func checkoutPathspec(inv *invocation) bool {
	for i, o := range inv.operands {
		if inv.dash >= 0 && i >= inv.dash {
			return true
		}
		t := o.w.text
		if t == "." || t == ".." || strings.HasPrefix(t, "./") || strings.HasPrefix(t, "../") || strings.HasPrefix(t, "/") || strings.HasPrefix(t, ":") ||
			o.w.globAt > 0 {
			return true
		}
	}
	return false
}

func worldWritable(mode string) bool {
	if strings.Trim(mode, "01234567") == "" && mode != "" {
		last := mode[len(mode)-1]
		return last == '2' || last == '3' || last == '6' || last == '7'
	}
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i < 0 || !strings.ContainsRune(clause[i:], 'w') {
			continue
		}
		if who := clause[:i]; strings.ContainsAny(who, "oa") {
			return true
		}
	}
	return false
}

func setuidMode(mode string) bool {
	if strings.Trim(mode, "01234567") == "" && len(mode) >= 4 {
		m := mode[len(mode)-4]
		return m == '2' || m >= '4' && m <= '7'
	}
	i := strings.IndexAny(mode, "+=")
	return i >= 0 && strings.ContainsRune(mode[i:], 's')
}

func opensShell(inv *invocation) bool {
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.o != nil && u.o.eff&(effRun|effShell) != 0 {
			return true
		}
	}
	for _, o := range inv.operands {
		t := strings.ToLower(o.w.text)
		if strings.Contains(t, "exec:") || strings.Contains(t, "system:") || strings.Contains(t, "shell:") {
			return true
		}
	}
	return false
}

// roleInTree reports an operand that is moved away, or else written, in a tree that may not be deleted.
func (j *judge) roleInTree(sc *scope, inv *invocation, moved bool) bool {
	s := inv.scope(sc)
	into := inv.has("-t") || inv.has("--target-directory")
	for i := range inv.operands {
		o := &inv.operands[i]
		source := o.role == roleDelete || into
		if source == moved && (source || o.role == roleWrite) && j.classOf(s, o.w).treeDenied() && !(moved && j.classOf(s, o.w) == classHome && belowHome(j, s, o.w)) {
			return true
		}
	}
	return false
}

// belowHome reports one named path inside a home directory that is not the home directory itself.
func belowHome(j *judge, sc *scope, w *word) bool {
	p := j.resolve(sc, w)
	return w.globAt == 0 && !w.dyn && p != j.home(sc) && strings.Count(p, "/") > 2
}
