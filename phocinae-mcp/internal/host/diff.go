package host

import (
	"fmt"
	"strings"
)

const (
	diffContext = 3
	maxDiffArea = 4 << 20 // cells of the comparison table; beyond it the middle counts as replaced
)

// unifiedDiff renders the change from before to after; nil stands for no file. Equal bytes give "".
func unifiedDiff(path string, before, after []byte) string {
	a, b := splitLines(string(before)), splitLines(string(after))
	ops := diffLines(a, b)
	var out strings.Builder
	from, to := path, path
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	for _, h := range hunks(ops) {
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
		}
		writeHunk(&out, ops, h)
	}
	return out.String()
}

// splitLines keeps the line ends.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// diffOp is one line: ' ' in both, '-' only before, '+' only after.
type diffOp struct {
	kind byte
	text string
}

func diffLines(a, b []string) []diffOp {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var ops []diffOp
	for _, l := range a[:head] {
		ops = append(ops, diffOp{' ', l})
	}
	ops = append(ops, diffMiddle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	for _, l := range a[len(a)-tail:] {
		ops = append(ops, diffOp{' ', l})
	}
	return ops
}

// diffMiddle finds the longest common subsequence by the plain table.
func diffMiddle(a, b []string) []diffOp {
	var ops []diffOp
	i, j := 0, 0
	if len(a) > 0 && len(b) > 0 && len(a)*len(b) <= maxDiffArea {
		lcs := make([][]int, len(a)+1)
		for r := range lcs {
			lcs[r] = make([]int, len(b)+1)
		}
		for r := len(a) - 1; r >= 0; r-- {
			for c := len(b) - 1; c >= 0; c-- {
				if a[r] == b[c] {
					lcs[r][c] = lcs[r+1][c+1] + 1
				} else {
					lcs[r][c] = max(lcs[r+1][c], lcs[r][c+1])
				}
			}
		}
		for i < len(a) && j < len(b) {
			switch {
			case a[i] == b[j]:
				ops = append(ops, diffOp{' ', a[i]})
				i, j = i+1, j+1
			case lcs[i+1][j] >= lcs[i][j+1]:
				ops = append(ops, diffOp{'-', a[i]})
				i++
			default:
				ops = append(ops, diffOp{'+', b[j]})
				j++
			}
		}
	}
	for _, l := range a[i:] {
		ops = append(ops, diffOp{'-', l})
	}
	for _, l := range b[j:] {
		ops = append(ops, diffOp{'+', l})
	}
	return ops
}

// hunks returns the ranges of ops to show: changes with their context, joined where they touch.
func hunks(ops []diffOp) [][2]int {
	var hs [][2]int
	for i, op := range ops {
		if op.kind == ' ' {
			continue
		}
		start, end := max(0, i-diffContext), min(len(ops), i+diffContext+1)
		if n := len(hs); n > 0 && start <= hs[n-1][1] {
			hs[n-1][1] = end
			continue
		}
		hs = append(hs, [2]int{start, end})
	}
	return hs
}

func writeHunk(out *strings.Builder, ops []diffOp, h [2]int) {
	oldLine, newLine := 1, 1
	for _, op := range ops[:h[0]] {
		if op.kind != '+' {
			oldLine++
		}
		if op.kind != '-' {
			newLine++
		}
	}
	oldCount, newCount := 0, 0
	for _, op := range ops[h[0]:h[1]] {
		if op.kind != '+' {
			oldCount++
		}
		if op.kind != '-' {
			newCount++
		}
	}
	if oldCount == 0 {
		oldLine--
	}
	if newCount == 0 {
		newLine--
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", oldLine, oldCount, newLine, newCount)
	for _, op := range ops[h[0]:h[1]] {
		out.WriteByte(op.kind)
		out.WriteString(op.text)
		if !strings.HasSuffix(op.text, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
