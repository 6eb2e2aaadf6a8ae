package l0

import (
	"slices"
	"strings"
)

// Entry names the domains that speak about one program or rule.
type Entry struct {
	Name    string
	Domains uint32 // bit i is the domain at place i of the table
}

// Index tells which domains a table needs for a name, so that an engine builds only those. Every list is sorted by name.
type Index struct {
	Count     int     // domains of the table; at most 32
	Programs  []Entry // programs of all styles but Windows: where they are listed, and where rules name them
	Windows   []Entry // the same for Windows, names in lower case
	Rules     []Entry // ids of rules
	Universal uint32  // domains with a match that names no program
}

// PlaceOf returns the place of name in a list of an index, or -1.
func PlaceOf(entries []Entry, name string) int {
	low, high := 0, len(entries)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if entries[mid].Name < name {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < len(entries) && entries[low].Name == name {
		return low
	}
	return -1
}

// IndexOf makes the index of a table.
func IndexOf(domains []Domain) *Index {
	x := &Index{Count: len(domains)}
	programs, windows, rules := map[string]uint32{}, map[string]uint32{}, map[string]uint32{}
	for i := range domains {
		bit := uint32(1) << i
		for k := range domains[i].Programs {
			p := &domains[i].Programs[k]
			for name := range strings.FieldsSeq(p.Names) {
				if p.Style == Windows {
					windows[strings.ToLower(name)] |= bit
				} else {
					programs[name] |= bit
				}
			}
		}
		for k := range domains[i].Rules {
			rules[domains[i].Rules[k].ID] |= bit
		}
	}
	for i := range domains {
		bit := uint32(1) << i
		for k := range domains[i].Rules {
			for _, m := range domains[i].Rules[k].When {
				if m.Program == "" {
					x.Universal |= bit
				}
				for name := range strings.FieldsSeq(m.Program) {
					mark(programs, name, bit)
					mark(windows, strings.ToLower(name), bit)
				}
			}
		}
	}
	x.Programs, x.Windows, x.Rules = sorted(programs), sorted(windows), sorted(rules)
	return x
}

// mark adds a domain to a name that is listed.
func mark(names map[string]uint32, name string, bit uint32) {
	if names[name] != 0 {
		names[name] |= bit
	}
}

func sorted(names map[string]uint32) []Entry {
	out := make([]Entry, 0, len(names))
	for name, domains := range names {
		out = append(out, Entry{name, domains})
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out
}
