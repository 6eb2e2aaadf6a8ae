package gatecore

import (
	"path"
	"strings"

	"github.com/phocinae/phocinae-go/gatecore/l0"
)

// sinks denies credentials that reach a network client.
func (j *judge) sinks(sc *scope, inv *invocation) {
	if !inv.prog.network && inv.cmd.class != l0.Network && inv.cmd.class != l0.Remote && !j.remoteOperand(inv) {
		return
	}
	if sc.in.shell {
		j.fire("net.reverse-shell", inv.words[0].start, inv.end())
	}
	if n := len(inv.operands); n > 1 && (inv.prog.name == "scp" || inv.prog.name == "rsync") {
		j.remoteWrite(sc, inv.operands[n-1].w)
	}
	if len(inv.operands) > 0 && inv.operands[0].w.text == "pull" && !rawSenders[inv.prog.name] && !sc.in.secret {
		return // vercel env pull FILE brings them here
	}
	if sc.in.secret || j.sendsSecret(sc, inv) || batchClients[inv.prog.name] && j.namesSecret(sc, sc.in) || rawSenders[inv.prog.name] && j.sendsKey(sc, inv) {
		j.fire(ruleExfil, inv.words[0].start, inv.end())
	}
}

// remoteWrite judges a file of another machine that is overwritten as one of this machine.
func (j *judge) remoteWrite(sc *scope, w *word) {
	if i := strings.IndexByte(w.text, ':'); remotePlace(w.text) && strings.HasPrefix(w.text[i+1:], "/") {
		t := tail(w, i+1)
		p := path.Clean(t.prefix())
		if !coreTree(p) && !strings.HasPrefix(p, "/usr/") && !protectedFile(p, j.homeTree(p)) {
			return // /srv and its like are where things are deployed
		}
		if id := j.writeDenied(sc.host(), &t, false); id == ruleWriteDeny || id == ruleWriteDevice {
			j.fire(id, w.start, w.end)
		}
	}
}

func (j *judge) namesSecret(sc *scope, in flow) bool {
	for t := range strings.FieldsSeq(in.text) {
		if j.credential(sc, &word{text: t}) {
			return true
		}
	}
	return false
}

// sendsKey reports a secret variable in an address or a body; in a header or a login it is what it is for.
func (j *judge) sendsKey(sc *scope, inv *invocation) bool {
	if sc.in.key || sc.in.local {
		return true
	}
	for i := 1; i < len(inv.words); i++ {
		if inv.words[i].flow.local {
			return true
		}
	}
	for i := range inv.operands {
		if inv.operands[i].w.flow.key {
			return true
		}
	}
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.hasVal && u.val.flow.key && u.o != nil && u.o.eff&effSend != 0 {
			switch u.name {
			case "-H", "--header", "-b", "--cookie", "--proxy-header", "--login-options":
			default:
				return true
			}
		}
	}
	return false
}

func (j *judge) sendsSecret(sc *scope, inv *invocation) bool {
	s := inv.scope(sc)
	for i := 1; i < len(inv.words); i++ {
		if inv.words[i].flow.secret {
			return true
		}
	}
	for i := range inv.operands {
		if j.carriesSecret(s, inv.operands[i].w) {
			return true
		}
	}
	for i := range inv.opts {
		u := &inv.opts[i]
		if u.hasVal && u.o != nil && u.o.eff&effSend != 0 && j.carriesSecret(s, &u.val) {
			return true
		}
	}
	return false
}

// accounts are files that anybody may read and that tell an attacker who may log in.
var accounts = map[string]bool{"/etc/passwd": true, "/etc/group": true, "/etc/master.passwd": true}

// carriesSecret reports a word that is, or refers to (@file, name=@file, <file), a credential.
func (j *judge) carriesSecret(sc *scope, w *word) bool {
	if p := j.resolve(sc, w); w.flow.secret || w.flow.listing || w.flow.local || accounts[p] || j.credential(sc, w) || sc.files[p].secret {
		return true
	}
	for _, mark := range []string{"@", "<", "="} {
		if i := strings.Index(w.text, mark); i >= 0 {
			t := tail(w, i+1)
			t.text, _, _ = strings.Cut(t.text, ";")
			if p := j.resolve(sc, &t); t.text != "" && (j.credential(sc, &t) || sc.files[p].secret || accounts[p]) {
				return true
			}
		}
	}
	return false
}

// archived notes the archive that tar or zip makes of files.
func (j *judge) archived(sc *scope, inv *invocation, f flow) {
	switch inv.prog.name {
	case "tar", "gtar", "bsdtar":
		if w := inv.value("-f", "--file"); w != nil && (inv.has("-c") || inv.has("--create") || inv.has("-r") || inv.has("-u")) {
			sc.note(j.resolve(sc, w), f)
		}
	case "zip":
		if len(inv.operands) > 0 {
			w := *inv.operands[0].w
			w.text += ".zip"
			sc.note(j.resolve(sc, &w), f)
		}
	}
}

// remoteOperand reports host:path operands of rsync and fires for them.
func (j *judge) remoteOperand(inv *invocation) bool {
	if inv.prog.name != "rsync" {
		return false
	}
	for _, o := range inv.operands {
		if remotePlace(o.w.text) { // rsync://host/path too
			j.fire(ruleNetwork, o.w.start, o.w.end)
			return true
		}
	}
	return false
}
