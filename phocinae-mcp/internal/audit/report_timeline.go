package audit

import (
	"fmt"
	"slices"
	"time"
)

const (
	chartWidth  = 1000
	chartHeight = 240
	chartLeft   = 46
	chartBottom = 22
	chartTop    = 10
	maxColumns  = 80
)

// timeline puts hours together until at most maxColumns columns remain.
func (c *collector) timeline() timeline {
	t := timeline{Width: chartWidth, Height: chartHeight}
	if len(c.hours) == 0 {
		return t
	}
	keys := make([]int64, 0, len(c.hours))
	for h := range c.hours {
		keys = append(keys, h)
	}
	slices.Sort(keys)
	first, last := keys[0], keys[len(keys)-1]
	width := int64(1) // hours in a column
	for _, width = range []int64{1, 2, 3, 6, 12, 24, 48, 7 * 24, 14 * 24, 30 * 24, 90 * 24, 365 * 24} {
		if (last-first)/width+1 <= maxColumns {
			break
		}
	}
	if (last-first)/width+1 > maxColumns {
		width = (last - first + maxColumns) / maxColumns
	}
	first -= first % width
	columns := make([]bucket, (last-first)/width+1)
	for _, h := range keys {
		columns[(h-first)/width].add(c.hours[h])
	}
	t.Step = step(width)
	t.draw(columns, first, width)
	return t
}

func step(hours int64) string {
	if hours%24 == 0 {
		return fmt.Sprintf("%d d", hours/24)
	}
	return fmt.Sprintf("%d h", hours)
}

func (t *timeline) draw(columns []bucket, first, width int64) {
	top := 1
	for i := range columns {
		top = max(top, columns[i].total())
	}
	top = niceTop(top)
	plot := float64(chartHeight - chartBottom - chartTop)
	y := func(n int) float64 { return float64(chartHeight-chartBottom) - plot*float64(n)/float64(top) }
	for i := range 5 {
		if n := top * i / 4; i == 0 || n != top*(i-1)/4 {
			t.Lines = append(t.Lines, gridLine{Y: fmt.Sprintf("%.1f", y(n)), Text: grouped(n)})
		}
	}
	slot := float64(chartWidth-chartLeft) / float64(len(columns))
	bar := min(slot*0.82, 48)
	labelEvery := (len(columns) + 7) / 8
	for i := range columns {
		b := &columns[i]
		from := time.Unix((first+int64(i)*width)*3600, 0).UTC()
		x := chartLeft + slot*float64(i) + (slot-bar)/2
		col := column{
			X: fmt.Sprintf("%.1f", x), W: fmt.Sprintf("%.1f", bar),
			Title: fmt.Sprintf("%s UTC + %s: %d allow, %d ask, %d deny, %d other", from.Format("2006-01-02 15:04"), step(width), b.allow, b.ask, b.deny, b.other),
		}
		sum := 0
		for _, p := range []struct {
			n     int
			class string
		}{{b.deny, "deny"}, {b.ask, "ask"}, {b.allow, "allow"}, {b.other, "other"}} {
			if p.n == 0 {
				continue
			}
			low := y(sum)
			sum += p.n
			col.Parts = append(col.Parts, part{Y: fmt.Sprintf("%.2f", y(sum)), H: fmt.Sprintf("%.2f", low-y(sum)), Class: p.class})
		}
		t.Columns = append(t.Columns, col)
		if i%labelEvery == 0 {
			layout := "01-02 15:04"
			if width >= 24 {
				layout = "2006-01-02"
			}
			anchor := "middle"
			if i == 0 {
				anchor = "start"
			}
			center := x + bar/2
			if i == 0 {
				center = x
			}
			if center > chartWidth-36 {
				anchor, center = "end", chartWidth
			}
			t.Labels = append(t.Labels, label{X: fmt.Sprintf("%.1f", center), Text: from.Format(layout), Anchor: anchor})
		}
	}
}

// niceTop rounds up to 1, 2, 4, 5 or 8 times a power of ten: a scale that divides by four.
func niceTop(n int) int {
	for power := 1; ; power *= 10 {
		for _, m := range []int{4, 8, 12, 20, 32} {
			if m*power >= n {
				return m * power
			}
		}
	}
}
