package main

import (
	"fmt"
	"math"
	"strings"
)

// exponent fits y = a·x^b by least squares of the logarithms and returns b: 1 is linear growth, 0 none.
func exponent(points []point, of func(point) float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		if of(p) <= 0 || p.size <= 0 {
			continue
		}
		x, y := math.Log(p.size), math.Log(of(p))
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if d := n*sxx - sx*sx; d != 0 {
		return (n*sxy - sx*sy) / d
	}
	return 0
}

// steepest is the exponent of the last step, where what grows is the largest part.
func steepest(points []point, of func(point) float64) float64 {
	return exponent(points[max(0, len(points)-2):], of)
}

func latency(p point) float64 { return p.micro }
func memory(p point) float64  { return p.peak }

func growthTable(all []series) string {
	var b strings.Builder
	b.WriteString("Median of one call and peak memory of the process. An exponent of 1 is linear growth; the last step is the one between the two largest sizes.\n\n" +
		"| what grows | sizes | call (µs) | exponent, all / last step | memory (MiB) | exponent, all / last step |\n|---|---|---|---|---|---|\n")
	for _, s := range all {
		var sizes, calls, peaks []string
		for _, p := range s.points {
			sizes = append(sizes, fmt.Sprintf("%.0f", p.size))
			calls = append(calls, number(p.micro))
			peaks = append(peaks, number(p.peak))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f / %.2f | %s | %.2f / %.2f |\n", s.name, strings.Join(sizes, ", "), strings.Join(calls, ", "),
			exponent(s.points, latency), steepest(s.points, latency), strings.Join(peaks, ", "), exponent(s.points, memory), steepest(s.points, memory))
	}
	return b.String()
}

// Measures of a panel of the chart.
const (
	panelW, panelH = 300, 210
	plotW, plotH   = 210, 130
	plotX, plotY   = 55, 30
)

// growthChart draws one panel a series, both axes logarithmic, with a dashed line of linear growth from the first point.
func growthChart(all []series) string {
	const across = 3
	down := (len(all) + across - 1) / across
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11" role="img" aria-label="time of a call against what grows, logarithmic">`+"\n", across*panelW, down*panelH)
	b.WriteString(`<style>text{fill:#333}.l{fill:none;stroke:#2a78c2;stroke-width:2}.p{fill:#2a78c2}.a{stroke:#999}.g{stroke:#c33;stroke-dasharray:4 3}` +
		`@media(prefers-color-scheme:dark){text{fill:#ddd}.l{stroke:#5aa9ee}.p{fill:#5aa9ee}}</style>` + "\n")
	for i, s := range all {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%across*panelW, i/across*panelH)
		panel(&b, s)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func panel(b *strings.Builder, s series) {
	first, last := s.points[0], s.points[len(s.points)-1]
	low, high := first.micro, first.micro
	for _, p := range s.points {
		low, high = min(low, p.micro), max(high, p.micro)
	}
	low, high = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	x := func(v float64) float64 { return plotX + plotW*math.Log(v/first.size)/math.Log(last.size/first.size) }
	y := func(v float64) float64 { return plotY + plotH - plotH*math.Log(v/low)/math.Log(high/low) }
	fmt.Fprintf(b, `<text x="%d" y="15" font-weight="bold">%s</text><text x="%d" y="15" text-anchor="end">exponent %.2f</text>`+"\n",
		10, s.name, plotX+plotW+25, exponent(s.points, latency))
	fmt.Fprintf(b, `<path class="a" fill="none" d="M%d %dV%dH%d"/>`+"\n", plotX, plotY, plotY+plotH, plotX+plotW)
	end := min(last.size, first.size*high/first.micro) // where linear growth leaves the panel
	fmt.Fprintf(b, `<line class="g" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", x(first.size), y(first.micro), x(end), y(first.micro*end/first.size))
	for v := low; v <= high*1.01; v *= 10 {
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`, plotX-5, y(v)+4, duration(v))
	}
	var line strings.Builder
	for i, p := range s.points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&line, "%s%.1f %.1f", command, x(p.size), y(p.micro))
		fmt.Fprintf(b, `<circle class="p" cx="%.1f" cy="%.1f" r="3"/><text x="%.1f" y="%d" text-anchor="middle">%.0f</text>`+"\n",
			x(p.size), y(p.micro), x(p.size), plotY+plotH+14, p.size)
	}
	fmt.Fprintf(b, `<path class="l" d="%s"/><text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", line.String(), plotX+plotW/2, plotY+plotH+29, s.unit)
}

func duration(micro float64) string {
	if micro >= 1000 {
		return fmt.Sprintf("%.0f ms", micro/1000)
	}
	return fmt.Sprintf("%.0f µs", micro)
}
