package gatecore

import (
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// shape is what is known of a text that is not known: whether it, or a word that an unquoted expansion makes of it, could
// be read as an option. It may also be empty.
type shape uint8

const (
	anyShape   shape = iota
	tameStart        // its first character is no dash
	tameWords        // none of its words begins with a dash; words end at blanks and line ends
	tameNumber       // decimal numbers, blanks and line ends
)

// someNumber is the text of a number that is not known, and not empty.
const someNumber = "1" + dynMark

// wholeShape is the shape of a word that is one unknown part and nothing else.
func (w *word) wholeShape() shape {
	if (w.text == dynMark || w.shape == tameNumber && w.text == someNumber) && w.globAt == 0 {
		return w.shape
	}
	return anyShape
}

// shapeWith is the shape of the word being built with v added to it.
func (b *builder) shapeWith(v value, quoted bool) shape {
	switch whole := quoted || b.all; {
	case v.text != dynMark && (v.shape != tameNumber || v.text != someNumber), b.cur.dyn && b.cur.shape == anyShape, len(b.sc.vars["IFS"]) > 0:
		return anyShape
	case v.shape == tameStart && !whole:
		return anyShape
	case b.cur.dyn:
		return min(v.shape, b.cur.shape)
	}
	return v.shape
}

// Options with which git prints names of commits and nothing else.
var (
	parseOptions = map[string]bool{"-q": true, "--quiet": true, "--verify": true, "--short": true}
	placeOptions = map[string]bool{"--show-toplevel": true, "--git-dir": true, "--absolute-git-dir": true, "--git-common-dir": true}
	baseOptions  = map[string]bool{"-a": true, "--all": true, "--octopus": true, "--independent": true, "--fork-point": true}
	listOptions  = map[string]bool{
		"-n": true, "-#": true, "-1": true, "--max-count": true, "--skip": true, "--all": true, "--since": true, "--after": true, "--until": true, "--before": true, "--author": true,
		"--grep": true, "--reverse": true, "--first-parent": true, "--no-merges": true, "--merges": true, "--count": true, "--branches": true, "--tags": true,
	}
	cutOptions = map[string]bool{"-n": true, "-#": true, "--lines": true, "-q": true, "-u": true, "-r": true}
)

// outputShape is the shape of what a reading command prints.
func (inv *invocation) outputShape(sc *scope) shape {
	if inv.cmd.class != l0.Reader {
		return anyShape
	}
	switch inv.prog.name {
	case "head", "tail", "sort", "uniq":
		if len(inv.operands) == 0 && inv.only(cutOptions) && (sc.in.shape != tameStart || inv.prog.name == "head") {
			return sc.in.shape
		}
	case "pwd", "realpath":
		if len(inv.opts) == 0 {
			return tameStart
		}
	case "git":
		return inv.gitShape()
	case "cut": // the numbers of lines in front of what grep -n found
		if d, f := inv.value("-d", "--delimiter"), inv.value("-f", "--fields"); sc.in.numbered && len(inv.operands) == 0 && len(inv.opts) == 2 && d != nil && f != nil && d.text == ":" && f.text == "1" {
			return tameNumber
		}
	case "docker", "podman", "nerdctl":
		if (inv.has("-q") || inv.has("--quiet")) && !inv.has("--format") && (inv.cmd.path == "ps" || inv.cmd.path == "container ls") {
			return tameWords
		}
	default:
		if inv.printsNumbers() {
			return tameNumber
		}
		if inv.printsObjectNames() {
			return tameWords
		}
	}
	return anyShape
}

// numbersLines reports that each line that is printed begins with a number and a colon.
func (inv *invocation) numbersLines(sc *scope) bool {
	switch inv.prog.name {
	case "head", "tail":
		return sc.in.numbered && len(inv.operands) == 0 && inv.only(cutOptions)
	case "grep", "egrep", "fgrep":
		if !inv.hasAny([]string{"-n", "--line-number"}) || !inv.only(numberOptions) {
			return false
		}
		n := len(inv.operands)
		if inv.has("-e") {
			n++
		}
		if n != 2 {
			return n < 2
		}
		file := inv.operands[len(inv.operands)-1].w // more than one would be named in front of the number
		return !strings.Contains(file.text, " ") && file.globAt == 0 && !file.split
	}
	return false
}

var numberOptions = map[string]bool{"-n": true, "--line-number": true, "-m": true, "--max-count": true, "-i": true, "-E": true, "-F": true, "-P": true, "-w": true, "-x": true, "-e": true, "-h": true}

// printsNumbers reports programs that print decimal numbers and nothing else.
func (inv *invocation) printsNumbers() bool {
	switch inv.prog.name {
	case "nproc":
		return len(inv.operands) == 0
	case "wc":
		return len(inv.operands) == 0 && len(inv.opts) > 0
	case "id":
		return inv.hasAny([]string{"-u", "-g"}) && inv.only(idOptions)
	case "pidof":
		return len(inv.opts) == 0
	case "pgrep":
		return inv.only(pgrepOptions)
	case "lsof":
		return inv.has("-t") && !inv.has("-F") && inv.unknown == 0
	}
	return false
}

var (
	idOptions    = map[string]bool{"-u": true, "-g": true, "-r": true}
	pgrepOptions = map[string]bool{"-f": true, "-x": true, "-n": true, "-o": true, "-u": true, "-P": true, "-i": true, "--full": true, "--exact": true, "--newest": true, "--oldest": true}
	// kindNames are kinds of Kubernetes objects whose names are host names: letters and digits, dashes only inside.
	kindNames = map[string]bool{
		"pod": true, "pods": true, "po": true, "deploy": true, "deployment": true, "deployments": true, "svc": true, "service": true, "services": true, "no": true, "node": true, "nodes": true,
		"ns": true, "namespace": true, "namespaces": true, "job": true, "jobs": true, "sts": true, "statefulset": true, "statefulsets": true, "rs": true, "ds": true, "ingress": true, "cronjob": true,
	}
)

// printsObjectNames reports kubectl get with an output of names.
func (inv *invocation) printsObjectNames() bool {
	if inv.prog.name != "kubectl" && inv.prog.name != "oc" || inv.cmd.path != "get" || len(inv.operands) == 0 {
		return false
	}
	o := inv.value("-o", "--output")
	if o == nil || o.dyn || inv.count("-o", "--output") != 1 {
		return false
	}
	if o.text == "name" { // kind/name
		return true
	}
	path, ok := strings.CutPrefix(o.text, "jsonpath=")
	if !ok || !kindNames[inv.operands[0].w.text] {
		return false
	}
	path = strings.Trim(strings.Trim(path, "{}"), ".")
	if rest, ok := strings.CutPrefix(path, "items["); ok {
		if i := strings.IndexByte(rest, ']'); i > 0 && strings.Trim(rest[:i], "0123456789*-") == "" {
			path = strings.TrimPrefix(rest[i+1:], ".")
		}
	}
	return path == "metadata.name"
}

func (inv *invocation) gitShape() shape {
	for i := range inv.operands {
		if t := inv.operands[i].w; t.optionLike() || t.dyn && t.shape < tameWords || strings.ContainsAny(t.text, " \t\n*?[") {
			return anyShape
		}
	}
	switch inv.cmd.path {
	case "rev-parse": // what it cannot resolve it prints as it is
		if inv.only(parseOptions) {
			return tameWords
		}
		if len(inv.operands) == 0 && inv.only(placeOptions) {
			return tameStart
		}
	case "merge-base":
		if inv.only(baseOptions) {
			return tameWords
		}
	case "rev-list":
		if inv.only(listOptions) {
			return tameWords
		}
	case "log":
		f := inv.value("--format", "--pretty")
		if f == nil || f.dyn || inv.count("--format", "--pretty") != 1 { // the last one counts
			return anyShape
		}
		switch strings.TrimPrefix(strings.TrimPrefix(f.text, "tformat:"), "format:") {
		case "%H", "%h", "%ct", "%at":
		default:
			return anyShape
		}
		for i := range inv.opts {
			if u := &inv.opts[i]; u.o == nil || !listOptions[u.name] && u.name != "--format" && u.name != "--pretty" {
				return anyShape
			}
		}
		return tameWords
	}
	return anyShape
}

// only reports that all options are listed ones of a set.
func (inv *invocation) only(names map[string]bool) bool {
	for i := range inv.opts {
		if u := &inv.opts[i]; u.o == nil || !names[u.name] || u.val.dyn {
			return false
		}
	}
	return true
}
