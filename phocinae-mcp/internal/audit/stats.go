package audit

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Range limits what Stats and WriteReport count. A zero bound is open.
type Range struct {
	Since time.Time // inclusive
	Until time.Time // exclusive
}

func (r Range) holds(t time.Time) bool {
	return (r.Since.IsZero() || !t.Before(r.Since)) && (r.Until.IsZero() || t.Before(r.Until))
}

// Count is how often something occurred.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Latency is a distribution in microseconds; N counts the records that have a duration.
type Latency struct {
	N   int   `json:"n"`
	P50 int64 `json:"p50_us"`
	P90 int64 `json:"p90_us"`
	P99 int64 `json:"p99_us"`
	Max int64 `json:"max_us"`
}

// Summary counts a trail. Lists are sorted by count, then by name; they are empty, never nil.
type Summary struct {
	First       time.Time          `json:"first,omitzero"`
	Last        time.Time          `json:"last,omitzero"`
	Records     int                `json:"records"`
	Skipped     int                `json:"skipped"` // lines that are no records
	Writers     int                `json:"writers"`
	Failures    int                `json:"failures"` // records with an error
	Decisions   []Count            `json:"decisions"`
	Layers      []Count            `json:"layers"`
	Rules       []Count            `json:"rules"`
	Tools       []Count            `json:"tools"`
	Events      []Count            `json:"events"`
	Transports  []Count            `json:"transports"`
	Clients     []Count            `json:"clients"`
	Confirms    []Count            `json:"confirms"`
	Errors      []Count            `json:"errors"`
	Latency     Latency            `json:"latency"`
	ByLayer     map[string]Latency `json:"latency_by_layer"`
	durations   []int64
	layerTimes  map[string][]int64
	writerNames map[string]struct{}
	tables      [9]map[string]int
}

// maxNames bounds each table: names come from clients. What is over goes to "(other)".
const maxNames = 2000

// Stats counts the trail at path.
func Stats(path string, r Range) (*Summary, error) {
	s := newSummary()
	skipped, err := Read(path, func(e *Entry) error {
		if r.holds(e.Time()) {
			s.add(e)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Skipped = skipped
	s.finish()
	return s, nil
}

func newSummary() *Summary {
	s := &Summary{ByLayer: map[string]Latency{}, layerTimes: map[string][]int64{}, writerNames: map[string]struct{}{}}
	for i := range s.tables {
		s.tables[i] = map[string]int{}
	}
	return s
}

func (s *Summary) add(e *Entry) {
	s.Records++
	t := e.Time()
	if !t.IsZero() {
		if s.First.IsZero() || t.Before(s.First) {
			s.First = t
		}
		if t.After(s.Last) {
			s.Last = t
		}
	}
	s.writerNames[e.Writer] = struct{}{}
	for i, name := range []string{e.Decision, e.Layer, e.Rule, e.Tool, e.Event, e.Transport, e.Client, e.Confirm, e.Error} {
		count(s.tables[i], name)
	}
	if e.Error != "" {
		s.Failures++
	}
	if e.DurationUS > 0 {
		s.durations = append(s.durations, e.DurationUS)
		layer := e.Layer
		if layer == "" {
			layer = "(none)"
		}
		if _, known := s.layerTimes[layer]; known || len(s.layerTimes) < maxNames {
			s.layerTimes[layer] = append(s.layerTimes[layer], e.DurationUS)
		}
	}
}

func count(table map[string]int, name string) {
	if name == "" {
		return
	}
	if _, known := table[name]; !known && len(table) >= maxNames {
		name = "(other)"
	}
	table[name]++
}

func (s *Summary) finish() {
	s.Writers = len(s.writerNames)
	for i, list := range []*[]Count{&s.Decisions, &s.Layers, &s.Rules, &s.Tools, &s.Events, &s.Transports, &s.Clients, &s.Confirms, &s.Errors} {
		*list = ranked(s.tables[i])
	}
	s.Latency = latency(s.durations)
	for layer, times := range s.layerTimes {
		s.ByLayer[layer] = latency(times)
	}
}

func ranked(table map[string]int) []Count {
	list := make([]Count, 0, len(table))
	for name, n := range table {
		list = append(list, Count{Name: name, N: n})
	}
	slices.SortFunc(list, func(a, b Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.Name, b.Name)) })
	return list
}

// latency takes nearest-rank percentiles; it sorts us.
func latency(us []int64) Latency {
	if len(us) == 0 {
		return Latency{}
	}
	slices.Sort(us)
	at := func(percent int) int64 { return us[max(0, (len(us)*percent+99)/100-1)] }
	return Latency{N: len(us), P50: at(50), P90: at(90), P99: at(99), Max: us[len(us)-1]}
}

// WriteText writes the summary for people; control characters are escaped.
func (s *Summary) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d records of %d writers", s.Records, s.Writers)
	if !s.First.IsZero() {
		fmt.Fprintf(&b, ", %s to %s", s.First.UTC().Format(time.RFC3339), s.Last.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(&b, "\n%d failures, %d lines that are no records\n", s.Failures, s.Skipped)
	for _, part := range []struct {
		title string
		list  []Count
	}{
		{"decision", s.Decisions},
		{"layer", s.Layers},
		{"tool", s.Tools},
		{"rule", s.Rules},
		{"confirmation", s.Confirms},
		{"transport", s.Transports},
		{"client", s.Clients},
		{"error", s.Errors},
	} {
		for i, c := range part.list {
			if i == 15 {
				fmt.Fprintf(&b, "%-13s … %d more\n", part.title, len(part.list)-i)
				break
			}
			fmt.Fprintf(&b, "%-13s %7d  %s\n", part.title, c.N, Escape(c.Name))
		}
	}
	if l := s.Latency; l.N > 0 {
		fmt.Fprintf(&b, "latency       p50 %s  p90 %s  p99 %s  max %s\n", micros(l.P50), micros(l.P90), micros(l.P99), micros(l.Max))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func micros(us int64) string { return (time.Duration(us) * time.Microsecond).String() }
