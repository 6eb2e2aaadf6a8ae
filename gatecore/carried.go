package gatecore

import (
	"path"
	"strings"
)

// carriers are programs whose names hardly stand as plain words behind another program. Verbs of daily speech
// (kill, reboot, install, format) are left out: "adb reboot" does not stop this machine.
var carriers = map[string]bool{
	"rm": true, "git": true, "dd": true, "shred": true, "wipefs": true, "truncate": true, "find": true, "chmod": true, "chown": true, "mv": true,
	"sh": true, "bash": true, "zsh": true, "dash": true, "ksh": true, "sudo": true, "doas": true, "env": true, "xargs": true, "ssh": true,
	"docker": true, "podman": true, "kubectl": true, "helm": true, "terraform": true, "tofu": true, "aws": true, "gcloud": true,
	"psql": true, "mysql": true, "redis-cli": true, "mongosh": true, "dropdb": true, "python3": true, "node": true, "perl": true, "npx": true,
}

// carried judges, for deny only, what a program that the table does not know may run: launchers take a command
// line of their own behind their options ("launcher -x rm -rf /"). Nothing here makes a verdict milder.
func (j *judge) carried(sc *scope, ws []word) {
	tries := 0
	for i := 1; i < len(ws) && tries < 2; i++ {
		name := ws[i].text
		if ws[i].dyn || strings.IndexByte(name, ' ') >= 0 {
			continue
		}
		if strings.IndexByte(name, '/') >= 0 {
			if !systemBins[path.Dir(name)] {
				continue
			}
			name = path.Base(name)
		}
		if !carriers[name] && !strings.HasPrefix(name, "mkfs") {
			continue
		}
		tries++
		c := sc.process()
		c.in = flow{}
		j.runAside(c, ws[i:])
	}
}

// aside reads words a second time in another way. What adds no finding stays out of the explanation, which shows each
// part once.
func (j *judge) aside(read func()) {
	part, found := j.trace, len(j.findings)
	if part == nil {
		read()
		return
	}
	shown := len(part.Children)
	read()
	if len(j.findings) == found {
		part.Children = part.Children[:shown]
	}
}

// runAside judges words as a command of their own, for deny only.
func (j *judge) runAside(sc *scope, ws []word) {
	j.aside(func() {
		j.muted++
		j.run(sc, ws, nil)
		j.muted--
	})
}

// textOptions introduce a text that a program on the way gives to a shell.
var textOptions = map[string]bool{
	"-c": true, "-C": true, "--command": true, "--commands": true, "--cmd": true, "--exec": true, "-x": true, "--script": true, "--scripts": true, "--parameters": true,
	"exec": true, "ssh": true, "shell": true, "run": true, "cmd.run": true, "--run": true, "--shell": true, "sh": true, "bash": true,
}

// carriedText judges, for deny only, a single word that holds a whole command line behind an option or verb that says so.
func (j *judge) carriedText(sc *scope, ws []word) {
	for i := 1; i < len(ws); i++ {
		w := ws[i]
		before := ws[i-1].text
		if at := strings.IndexByte(w.text, '='); at > 0 && strings.HasPrefix(w.text, "-") {
			before, w = w.text[:at], tail(&w, at+1)
		}
		if !textOptions[before] || strings.IndexByte(w.text, ' ') < 0 {
			continue
		}
		texts := []string{w.text}
		if strings.ContainsAny(w.text, "[=") { // commands=["…"]
			texts = append(texts, stringsIn(w.text)...)
		}
		for _, t := range texts {
			first, _, _ := strings.Cut(strings.TrimLeft(t, " "), " ")
			if carriers[path.Base(first)] || strings.HasPrefix(first, "mkfs") || first == "cd" {
				j.aside(func() { j.denyText(sc, t, &w) })
			}
		}
	}
}
