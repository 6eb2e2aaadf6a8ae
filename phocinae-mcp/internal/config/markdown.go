package config

import (
	"fmt"
	"strings"
)

// Markdown is the table of all settings, made from the same rows as the flags.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| flag | environment, strongest first | in the file | default | allowed | |\n|---|---|---|---|---|---|\n")
	for _, s := range Settings() {
		name := "`" + s.Name + "`"
		if s.Name == "config" {
			name = ""
		}
		preset := s.Default
		if preset != "" {
			preset = "`" + preset + "`"
		}
		envs := make([]string, len(s.Envs))
		for i, e := range s.Envs {
			envs[i] = "`" + e + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", s.Flag, strings.Join(envs, " "), name, preset, cell(s.Allowed), cell(s.Help))
	}
	b.WriteString("\nSecrets have no flag, because other processes can read a command line:\n\n| environment | |\n|---|---|\n")
	for _, s := range SecretEnvs() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", s[0], cell(s[1]))
	}
	return b.String()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
