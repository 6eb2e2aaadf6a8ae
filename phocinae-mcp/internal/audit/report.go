package audit

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

//go:embed report.html
var reportPage string

// ReportOptions tunes WriteReport. nil means: everything, in English.
type ReportOptions struct {
	Range   Range
	Lang    string        // "en" or "zh"; else English
	Title   string        // empty: the default of the language
	Now     time.Time     // when the page was made; zero: time.Now
	Verify  *VerifyReport // shown on the page when given
	Refused int           // refused commands listed; 0: 50
}

// WriteReport writes the trail at path as one HTML page without any outside resource: styles and pictures are in the
// page, there is no script, and a content security policy in it forbids loading anything. Every text of the trail is
// escaped twice over: for HTML, and with [Escape] against characters that change how others are shown.
func WriteReport(w io.Writer, path string, o *ReportOptions) error {
	if o == nil {
		o = &ReportOptions{}
	}
	c := collector{sum: newSummary(), keep: o.Refused, hours: map[int64]*bucket{}, refused: map[string]*refusal{}, stopped: map[string]int{}}
	if c.keep <= 0 {
		c.keep = 50
	}
	skipped, err := Read(path, func(e *Entry) error {
		if o.Range.holds(e.Time()) {
			c.add(e)
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.sum.Skipped = skipped
	c.sum.finish()
	// Parsed here and not at start-up, which every hook would pay for.
	t, err := template.New("report").Parse(reportPage)
	if err == nil {
		err = t.Execute(w, c.page(o))
	}
	if err != nil {
		return fmt.Errorf("audit: report: %w", err)
	}
	return nil
}

// collector reads what the page shows beyond the summary.
type collector struct {
	sum      *Summary
	keep     int
	refused  map[string]*refusal // by command and rule
	stopped  map[string]int      // by rule, what was not allowed
	confirms []Entry
	failed   []Entry
	hours    map[int64]*bucket // by Unix hour
}

// refusal is one command that was refused, however often.
type refusal struct {
	last Entry
	n    int
	turn int // of the last time, for the order
}

// bucket counts decisions of a stretch of time.
type bucket struct{ allow, ask, deny, other int }

func (b *bucket) total() int { return b.allow + b.ask + b.deny + b.other }

func (b *bucket) add(o *bucket) {
	b.allow += o.allow
	b.ask += o.ask
	b.deny += o.deny
	b.other += o.other
}

// maxHours bounds memory against lines with invented times: about eleven years.
const maxHours = 100_000

func (c *collector) add(e *Entry) {
	c.sum.add(e)
	one := bucket{}
	switch e.Decision {
	case "allow":
		one.allow = 1
	case "ask":
		one.ask = 1
	case "deny":
		one.deny = 1
	default:
		one.other = 1
	}
	if t := e.Time(); !t.IsZero() {
		hour := t.Unix() / 3600
		if c.hours[hour] == nil && len(c.hours) < maxHours {
			c.hours[hour] = &bucket{}
		}
		if b := c.hours[hour]; b != nil {
			b.add(&one)
		}
	}
	if e.Decision == "deny" || e.Decision == "ask" {
		count(c.stopped, e.Rule)
	}
	if e.Decision == "deny" {
		c.refuse(e)
	}
	if e.Confirm != "" {
		c.confirms = keepLast(c.confirms, e, c.keep)
	}
	if e.Error != "" {
		c.failed = keepLast(c.failed, e, c.keep)
	}
}

func (c *collector) refuse(e *Entry) {
	key := e.CommandHash + "\x00" + e.Rule + "\x00" + e.Layer
	r := c.refused[key]
	if r == nil {
		if len(c.refused) >= 20*c.keep {
			c.forget()
		}
		r = &refusal{}
		c.refused[key] = r
	}
	r.last, r.turn = *e, c.sum.Records
	r.n++
}

// forget drops the refusals that happened longest ago; the page shows the newest.
func (c *collector) forget() {
	turns := make([]int, 0, len(c.refused))
	for _, r := range c.refused {
		turns = append(turns, r.turn)
	}
	slices.Sort(turns)
	limit := turns[len(turns)-c.keep]
	for key, r := range c.refused {
		if r.turn < limit {
			delete(c.refused, key)
		}
	}
}

// refusedRows returns the newest refusals, each command once.
func (c *collector) refusedRows() []row {
	list := make([]*refusal, 0, len(c.refused))
	for _, r := range c.refused {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *refusal) int { return b.turn - a.turn })
	list = list[:min(len(list), c.keep)]
	out := make([]row, 0, len(list))
	for _, r := range list {
		one := rows([]Entry{r.last}, 1)[0]
		if r.n > 1 {
			one.Times = "×\u202f" + grouped(r.n)
		}
		out = append(out, one)
	}
	return out
}

func keepLast(list []Entry, e *Entry, n int) []Entry {
	if list = append(list, *e); len(list) >= 2*n {
		list = slices.Clone(list[len(list)-n:])
	}
	return list
}

// page is what the template sees. Strings in it are passed through Escape already.
type page struct {
	T         map[string]string // texts of the language
	Lang      string
	Title     string
	Made      string
	From, To  string
	Tiles     []tile
	Timeline  timeline
	Rules     []bar
	Clients   []bar
	Layers    []bar
	Tools     []bar
	Confirms  []bar
	Errors    []bar
	Latencies []latencyRow
	Refused   []row
	Confirmed []row
	Failed    []row
	Verify    *VerifyReport
	Problems  []string
	Blind     []string
	Empty     bool
	MoreRules int
}

type tile struct{ Label, Value, Share, Class string }

type bar struct {
	Name  string
	N     int
	Width string // percent of the longest
	Share string
}

type latencyRow struct {
	Name               string
	N                  int
	P50, P90, P99, Max string
	X50, X90, X99      string // places on a logarithmic scale, percent
}

type row struct{ When, Times, Rule, Layer, Command, Reason, Who, Confirm, Decision, Error string }

// timeline is a stacked bar chart in SVG user units.
type timeline struct {
	Width, Height int
	Columns       []column
	Lines         []gridLine
	Labels        []label
	Step          string
}

type column struct {
	X, W  string
	Parts []part
	Title string
}

type part struct{ Y, H, Class string }

type gridLine struct {
	Y    string
	Text string
}

type label struct{ X, Text, Anchor string }

func (c *collector) page(o *ReportOptions) *page {
	lang := "en"
	if o.Lang == "zh" {
		lang = "zh"
	}
	t := reportTexts[lang]
	made := o.Now
	if made.IsZero() {
		made = time.Now()
	}
	s := c.sum
	p := &page{T: t, Lang: lang, Title: o.Title, Made: stamp(made), Empty: s.Records == 0, Verify: o.Verify}
	if p.Title == "" {
		p.Title = t["title"]
	}
	if !s.First.IsZero() {
		p.From, p.To = stamp(s.First), stamp(s.Last)
	}
	p.Tiles = tiles(s, t)
	p.Timeline = c.timeline()
	stopped := ranked(c.stopped)
	p.Rules, p.MoreRules = bars(stopped, 14), max(0, len(stopped)-14)
	p.Clients, p.Layers, p.Tools = bars(s.Clients, 8), bars(s.Layers, 8), bars(s.Tools, 8)
	p.Confirms, p.Errors = bars(s.Confirms, 10), bars(s.Errors, 10)
	p.Latencies = latencies(s, t["all"])
	p.Refused, p.Confirmed, p.Failed = c.refusedRows(), rows(c.confirms, min(c.keep, 20)), rows(c.failed, min(c.keep, 20))
	if o.Verify != nil {
		for _, problem := range o.Verify.Problems[:min(len(o.Verify.Problems), 20)] {
			p.Problems = append(p.Problems, Escape(problem.String()))
		}
		for _, b := range o.Verify.Blind {
			if translated, ok := reportBlind[b]; ok && lang == "zh" {
				b = translated
			}
			p.Blind = append(p.Blind, b)
		}
	}
	return p
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

func tiles(s *Summary, t map[string]string) []tile {
	n := map[string]int{}
	judged := 0
	for _, c := range s.Decisions {
		n[c.Name] = c.N
		judged += c.N
	}
	share := func(k int) string {
		if judged == 0 {
			return ""
		}
		return fmt.Sprintf("%.1f %%", 100*float64(k)/float64(judged))
	}
	return []tile{
		{t["records"], grouped(s.Records), fmt.Sprintf("%s %s", grouped(s.Writers), t["writers"]), ""},
		{t["allow"], grouped(n["allow"]), share(n["allow"]), "allow"},
		{t["ask"], grouped(n["ask"]), share(n["ask"]), "ask"},
		{t["deny"], grouped(n["deny"]), share(n["deny"]), "deny"},
		{t["failures"], grouped(s.Failures), fmt.Sprintf("%s %s", grouped(s.Skipped), t["skipped"]), "fail"},
		{t["median"], short(s.Latency.P50), "p99 " + short(s.Latency.P99), ""},
	}
}

// grouped writes thousands apart with a narrow space.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// short rounds a duration to three digits.
func short(us int64) string {
	switch d := float64(us); {
	case us == 0:
		return "–"
	case d < 1000:
		return fmt.Sprintf("%d µs", us)
	case d < 1e6:
		return fmt.Sprintf("%.3g ms", d/1000)
	default:
		return fmt.Sprintf("%.3g s", d/1e6)
	}
}

func bars(list []Count, limit int) []bar {
	total := 0
	for _, c := range list {
		total += c.N
	}
	var out []bar
	for _, c := range list[:min(len(list), limit)] {
		out = append(out, bar{
			Name: Escape(c.Name), N: c.N, Width: fmt.Sprintf("%.2f", 100*float64(c.N)/float64(list[0].N)),
			Share: percent(c.N, total),
		})
	}
	return out
}

func percent(n, total int) string {
	if 200*n < total {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(total))
}

// latencies puts the percentiles on a common logarithmic scale.
func latencies(s *Summary, all string) []latencyRow {
	if s.Latency.N == 0 {
		return nil
	}
	low, high := math.Inf(1), math.Log10(float64(s.Latency.Max))
	for _, l := range s.ByLayer {
		low = min(low, math.Log10(float64(l.P50)))
	}
	low, high = math.Floor(low), math.Ceil(high+1e-9)
	place := func(us int64) string {
		return fmt.Sprintf("%.2f", 100*(math.Log10(float64(us))-low)/max(high-low, 1))
	}
	make1 := func(name string, l Latency) latencyRow {
		return latencyRow{
			Name: Escape(name), N: l.N, P50: short(l.P50), P90: short(l.P90), P99: short(l.P99), Max: short(l.Max),
			X50: place(l.P50), X90: place(l.P90), X99: place(l.P99),
		}
	}
	out := []latencyRow{make1(all, s.Latency)}
	names := make([]string, 0, len(s.ByLayer))
	for name := range s.ByLayer {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names[:min(len(names), 12)] {
		out = append(out, make1(name, s.ByLayer[name]))
	}
	return out
}

// rows shows entries newest first.
func rows(list []Entry, limit int) []row {
	if len(list) > limit {
		list = list[len(list)-limit:]
	}
	out := make([]row, 0, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		e := &list[i]
		when := e.TS
		if t := e.Time(); !t.IsZero() {
			when = stamp(t)
		}
		who := e.Client
		if who == "" {
			who = e.Transport
		}
		what := e.Command
		if what == "" {
			what = e.Tool
		}
		out = append(out, row{
			When: Escape(when), Rule: Escape(e.Rule), Layer: Escape(e.Layer), Command: Escape(clip(what, 600)), Reason: Escape(clip(e.Reason, 300)),
			Who: Escape(who), Confirm: Escape(e.Confirm), Decision: Escape(e.Decision), Error: Escape(clip(e.Error, 300)),
		})
	}
	return out
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + fmt.Sprintf(" …(+%d bytes)", len(s)-n)
}
