package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/phocinae/phocinae-go/tools/internal/workspace"
)

// licencesFile lists what the program is built from; it is shipped beside the binary.
const licencesFile = "phocinae-mcp/THIRD_PARTY.md"

// checkLicences compares the list with what the program is built from today, or rewrites it with -write.
func (c *checker) checkLicences(ctx context.Context) error {
	cmd := workspace.Command{Dir: filepath.Join(c.root, "phocinae-mcp"), Env: []string{"GOWORK=off"}}
	out, err := cmd.Output(ctx, "go", "list", "-deps", "-f", "{{with .Module}}{{if .Version}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", ".")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(lines)
	var b strings.Builder
	b.WriteString("# Licences of what phocinae-mcp is built from\n\n| module | version | licence |\n|---|---|---|\n")
	for _, line := range slices.Compact(lines) {
		fields := strings.Fields(line)
		if len(fields) != 3 || strings.HasPrefix(fields[0], workspace.Prefix) {
			continue
		}
		name, err := licenceOf(fields[2])
		if err != nil {
			return fmt.Errorf("%s: %w", fields[0], err)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", fields[0], fields[1], name)
	}
	path := filepath.Join(c.root, licencesFile)
	if c.write {
		return os.WriteFile(path, []byte(b.String()), 0o644) //nolint:gosec // a document for everybody
	}
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if string(have) != b.String() {
		return fmt.Errorf("%s is not up to date; run releasecheck -write", licencesFile)
	}
	return nil
}

// licenceOf names the licence of the module in dir by the sentences that tell the common ones apart.
func licenceOf(dir string) (string, error) {
	var names []string
	for _, pattern := range []string{"LICEN[SC]E*", "COPYING*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", err
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return "", fmt.Errorf("no licence file in its folder")
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		return "", err
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	for _, l := range []struct{ name, says string }{
		{"Apache-2.0", "Apache License Version 2.0"},
		{"BSD-3-Clause", "Neither the name of"},
		{"MIT", "Permission is hereby granted, free of charge"},
		{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
	} {
		if strings.Contains(text, l.says) {
			return l.name, nil
		}
	}
	return "", fmt.Errorf("an unknown licence in %s; read it, then teach licenceOf its name", filepath.Base(names[0]))
}
