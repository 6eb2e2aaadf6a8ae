package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/phocinae/phocinae-go/gatecore"
)

// MaxForm is the longest form, in characters.
const MaxForm = 4000

// headTail is how much of a command's beginning and end is shown when its middle is left out.
const headTail = 500

// ErrTooLong reports a command that cannot be put before a person: not everything that matters fits into a form.
var ErrTooLong = errors.New("approval: the command is too long to be shown to a person")

// Subject is what a person is asked about.
type Subject struct {
	Command  string
	Dir      string
	Service  string // the inference service that was asked; empty for none
	Findings []gatecore.Finding
	Programs []string // resolved program names, in the order of the command
	Why      string   // shown when there is no finding that says why
	Instead  string
}

// Form renders the message of the confirmation form in "zh" or "en".
//
// Command, directory and service are quoted line by line, with everything invisible escaped. A command that does not fit
// is cut in the middle with a visible mark, its length and a digest; then every program and every questioned part is shown
// beside it. ErrTooLong if even that does not fit.
func Form(s *Subject, lang string) (string, error) {
	for _, cut := range []bool{false, true} {
		text := render(s, lang, cut)
		if utf8.RuneCountInString(text) <= MaxForm {
			return text, nil
		}
	}
	return "", ErrTooLong
}

func render(s *Subject, lang string, cut bool) string {
	w := wordings[lang]
	if w == nil {
		w = wordings["en"]
	}
	var b strings.Builder
	b.WriteString(w.head)
	b.WriteString("\n\n")
	command(&b, s.Command, w, cut)
	if s.Dir != "" {
		b.WriteString(w.dir + "\n")
		quote(&b, s.Dir)
	}
	if s.Service != "" {
		b.WriteString(w.service + "\n")
		quote(&b, s.Service)
	}
	if programs := programs(s, cut); len(programs) > 0 {
		b.WriteString(w.programs + "\n")
		for _, p := range programs {
			quote(&b, p)
		}
	}
	reasons(&b, s, w, cut)
	for _, host := range foreignHosts(s.Command) {
		b.WriteString(w.foreign + "\n")
		quote(&b, spell(host))
	}
	b.WriteString("\n" + w.foot)
	return b.String()
}

// command shows the command, whole or without its middle.
func command(b *strings.Builder, text string, w *wording, cut bool) {
	runes := []rune(text)
	sum := sha256.Sum256([]byte(text))
	fmt.Fprintf(b, w.command+"\n", len(runes), hex.EncodeToString(sum[:6]))
	if !cut || len(runes) <= 2*headTail {
		quote(b, text)
		return
	}
	quote(b, string(runes[:headTail]))
	fmt.Fprintf(b, w.cut+"\n", len(runes)-2*headTail)
	quote(b, string(runes[len(runes)-headTail:]))
}

// programs lists the programs that must be named: all of them when the command is cut, else those whose name does not
// stand in the text as it is run.
func programs(s *Subject, cut bool) []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range s.Programs {
		if p == "" || seen[p] || !cut && strings.Contains(s.Command, p) {
			continue
		}
		seen[p] = true
		out = append(out, p)
	}
	return out
}

// reasons shows each finding that is not an allow, with the part of the command it is about.
func reasons(b *strings.Builder, s *Subject, w *wording, cut bool) {
	b.WriteString(w.why + "\n")
	shown, instead := 0, false
	for _, f := range s.Findings {
		if f.Verdict == gatecore.Allow {
			continue
		}
		shown++
		fmt.Fprintf(b, "- %s: %s\n", Escape(f.RuleID), Escape(f.Why))
		if part := span(s.Command, f); part != "" && (cut || part != s.Command) {
			quote(b, part)
		}
		if f.Instead != "" {
			instead = true
			fmt.Fprintf(b, "  %s %s\n", w.instead, Escape(f.Instead))
		}
	}
	if shown == 0 || s.Service != "" {
		fmt.Fprintf(b, "- %s\n", Escape(s.Why))
	}
	if s.Instead != "" && !instead {
		fmt.Fprintf(b, "%s %s\n", w.instead, Escape(s.Instead))
	}
}

// span is the text a finding is about. A finding about all of a command is shown whole even when the command is cut; that
// never fits, so such a command gets no form.
func span(command string, f gatecore.Finding) string {
	if f.Start < 0 || f.End > len(command) || f.Start >= f.End {
		return ""
	}
	return command[f.Start:f.End]
}

// wording is the gate's own text in one language.
type wording struct {
	head, command, cut, dir, service, programs, why, instead, foreign, foot string
	approve, approveHelp, note, noteHelp                                    string
}

var wordings = map[string]*wording{
	"en": {
		head:        "An agent wants to run a command that the gate does not approve by itself. Lines that begin with > are quoted, not written by the gate.",
		command:     "Command (%d characters, digest %s):",
		cut:         "[… %d characters are left out here …]",
		dir:         "Working directory:",
		service:     "Inference service asked:",
		programs:    "Programs it runs:",
		why:         "Why you are asked:",
		instead:     "Safer:",
		foreign:     "Attention, a host name with letters outside ASCII; spelled out it is:",
		foot:        "If you are not sure, decline. Approval holds for this command, this directory and one run.",
		approve:     "Run this command",
		approveHelp: "true runs it once, false refuses it",
		note:        "Note",
		noteHelp:    "optional remark for the agent and the record; no secrets",
	},
	"zh": {
		head:        "有代理程序想运行一条命令，审批门不会自行放行。以 > 开头的行是原文引用，不是审批门写的。",
		command:     "命令（%d 个字符，摘要 %s）：",
		cut:         "[…… 此处省略 %d 个字符 ……]",
		dir:         "工作目录：",
		service:     "已询问的推理服务：",
		programs:    "它会运行的程序：",
		why:         "为什么需要你决定：",
		instead:     "更安全的做法：",
		foreign:     "注意，主机名含有 ASCII 以外的字母，逐字写出为：",
		foot:        "没有把握就拒绝。批准只对这条命令、这个目录、这一次有效。",
		approve:     "运行这条命令",
		approveHelp: "true 表示运行一次，false 表示拒绝",
		note:        "备注",
		noteHelp:    "可选，写给代理和审计记录；不要写机密",
	},
}

// Schema is the form's schema as JSON: one required boolean without a default, because clients accept forms by themselves,
// and an optional note.
func Schema(lang string) []byte {
	w := wordings[lang]
	if w == nil {
		w = wordings["en"]
	}
	return []byte(`{"type":"object","properties":{"approve":{"type":"boolean","title":"` + w.approve + `","description":"` + w.approveHelp +
		`"},"note":{"type":"string","title":"` + w.note + `","description":"` + w.noteHelp + `","maxLength":500}},"required":["approve"]}`)
}
