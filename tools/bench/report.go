package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// figure is one column of the tables: how it is read from a sample and whether less is better.
type figure struct {
	name  string
	unit  string
	of    func(sample) float64
	fewer bool
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

var figures = []figure{
	{"first answer", "ms", func(s sample) float64 { return micros(s.cold) / 1000 }, true},
	{"p50", "µs", func(s sample) float64 { return micros(s.p50) }, true},
	{"p99", "µs", func(s sample) float64 { return micros(s.p99) }, true},
	{"p99.9", "µs", func(s sample) float64 { return micros(s.p999) }, true},
	{"calls", "/s", func(s sample) float64 { return s.perSecond }, false},
	{"CPU a call", "µs", func(s sample) float64 { return micros(s.cpu) }, true},
	{"peak memory", "MiB", func(s sample) float64 { return s.peak }, true},
}

// ours is the row that the ratios are taken against.
const ours = "phocinae-mcp"

// tables renders one Markdown table a scenario: the median of each figure, and in brackets how many times better ours is
// (median of the ratios within a round, lowest and highest).
func tables(servers []server, results map[string]map[string][]sample) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d processors, %s/%s, %s. Medians over the rounds; in brackets how many times better phocinae-mcp is, as median (lowest to highest) of the ratios within a round.\n",
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, name := range sortedKeys(results) {
		rows := results[name]
		var used []figure
		for _, f := range figures {
			if slices.ContainsFunc(rows[ours], func(s sample) bool { return f.of(s) != 0 }) {
				used = append(used, f)
			}
		}
		fmt.Fprintf(&b, "\n### %s\n\n| server |", name)
		for _, f := range used {
			fmt.Fprintf(&b, " %s (%s) |", f.name, f.unit)
		}
		fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---|", len(used)))
		for _, s := range servers {
			if len(rows[s.name]) == 0 {
				continue
			}
			fmt.Fprintf(&b, "| %s |", s.name)
			for _, f := range used {
				fmt.Fprintf(&b, " %s |", cell(f, rows[s.name], rows[ours], s.name == ours))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func cell(f figure, theirs, own []sample, self bool) string {
	value := number(median(values(f, theirs)))
	if self {
		return value
	}
	r := ratios(f, theirs, own)
	if len(r) == 0 {
		return value
	}
	return fmt.Sprintf("%s [%.2g (%.2g to %.2g)]", value, median(r), slices.Min(r), slices.Max(r))
}

// ratios pairs the samples round by round: over one means that ours is better.
func ratios(f figure, theirs, own []sample) []float64 {
	var r []float64
	for i := range min(len(theirs), len(own)) {
		a, b := f.of(theirs[i]), f.of(own[i])
		if a == 0 || b == 0 {
			continue
		}
		if f.fewer {
			r = append(r, a/b)
		} else {
			r = append(r, b/a)
		}
	}
	return r
}

func values(f figure, samples []sample) []float64 {
	all := make([]float64, len(samples))
	for i, s := range samples {
		all[i] = f.of(s)
	}
	return all
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	if len(v)%2 == 1 {
		return v[len(v)/2]
	}
	return (v[len(v)/2-1] + v[len(v)/2]) / 2
}

func number(v float64) string {
	if v >= 100 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func sortedKeys(m map[string]map[string][]sample) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// chart draws, a scenario a group, how many times the throughput (or for cold starts the speed) of each peer ours reaches.
func chart(servers []server, results map[string]map[string][]sample) string {
	type bar struct {
		label string
		ratio float64
	}
	var bars []bar
	for _, name := range sortedKeys(results) {
		f := figures[4]
		if strings.Contains(name, "cold start") {
			f = figures[0]
		}
		for _, s := range servers {
			if s.name == ours {
				continue
			}
			if r := ratios(f, results[name][s.name], results[name][ours]); len(r) > 0 {
				bars = append(bars, bar{name + " / " + s.name, median(r)})
			}
		}
	}
	longest := 1.0
	for _, x := range bars {
		longest = max(longest, x.ratio)
	}
	const left, width, step = 330, 420, 20
	var b strings.Builder
	height := len(bars)*step + 50
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-label="how many times faster than each peer">`+"\n", left+width+80, height)
	b.WriteString(`<style>text{fill:#333}.r{fill:#2a78c2}.o{stroke:#c33}@media(prefers-color-scheme:dark){text{fill:#ddd}.r{fill:#5aa9ee}}</style>` + "\n")
	fmt.Fprintf(&b, `<text x="%d" y="18">times the peer's speed (1 = the same)</text>`+"\n", left)
	for i, x := range bars {
		y := 30 + i*step
		w := x.ratio / longest * width
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><rect class="r" x="%d" y="%d" width="%.1f" height="13"/><text x="%.1f" y="%d">%.2g</text>`+"\n",
			left-8, y+11, x.label, left, y, w, float64(left)+w+5, y+11, x.ratio)
	}
	at := left + width/longest
	fmt.Fprintf(&b, `<line class="o" x1="%.1f" y1="26" x2="%.1f" y2="%d"/>`+"\n</svg>\n", at, at, height-15)
	return b.String()
}
