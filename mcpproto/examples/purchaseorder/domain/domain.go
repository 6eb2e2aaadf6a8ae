package domain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Item is one line of the inventory. Prices are in cents.
type Item struct {
	SKU        string `json:"sku"`
	Name       string `json:"name"`
	PriceCents int    `json:"price_cents"`
	Stock      int    `json:"stock"`
	// ReorderBelow is the stock under which the item may be ordered; at or above it there is no need.
	ReorderBelow int `json:"reorder_below"`
}

// Line is one line of an order.
type Line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
}

// Order is a purchase order, in draft or placed.
type Order struct {
	ID    string `json:"id"`
	Lines []Line `json:"lines"`
}

// Rules bound what may be ordered.
type Rules struct {
	MaxQuantity int // of one line
	BudgetCents int // of one order
}

// Problem is one reason why an order must not be placed.
type Problem struct {
	Path   string `json:"path"` // JSON pointer into the order
	Reason string `json:"reason"`
}

// ErrNoDraft reports an order that is not in draft.
var ErrNoDraft = errors.New("no such draft")

// Store holds the inventory and the orders. It is safe for concurrent use.
type Store struct {
	rules Rules

	mu     sync.Mutex
	items  map[string]Item
	drafts map[string]Order
	placed []Order
	next   int
}

// NewStore returns a store with these items and no orders.
func NewStore(items []Item, rules Rules) *Store {
	s := &Store{rules: rules, items: map[string]Item{}, drafts: map[string]Order{}}
	for _, i := range items {
		s.items[i.SKU] = i
	}
	return s
}

// Search returns the items whose SKU or name contains text, in any case, sorted by SKU; never nil.
func (s *Store) Search(text string) []Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []Item{}
	text = strings.ToLower(text)
	for _, i := range s.items {
		if strings.Contains(strings.ToLower(i.SKU), text) || strings.Contains(strings.ToLower(i.Name), text) {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(a, b Item) int { return cmp.Compare(a.SKU, b.SKU) })
	return found
}

// Check returns every problem of an order with these lines, in the order of the lines; none means that it may be placed.
// It changes nothing.
func (s *Store) Check(lines []Line) []Problem {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.check(lines)
}

func (s *Store) check(lines []Line) []Problem {
	var problems []Problem
	say := func(path, format string, args ...any) {
		problems = append(problems, Problem{path, fmt.Sprintf(format, args...)})
	}
	if len(lines) == 0 {
		say("/lines", "an order has at least one line")
	}
	seen := map[string]int{}
	for n, l := range lines {
		at := fmt.Sprintf("/lines/%d", n)
		item, known := s.items[l.SKU]
		if !known {
			say(at+"/sku", "unknown SKU %q; search_inventory lists what there is", l.SKU)
		}
		if first, twice := seen[l.SKU]; twice {
			say(at+"/sku", "%s stands in line %d already; put both quantities into one line", l.SKU, first)
		}
		seen[l.SKU] = n
		if l.Quantity < 1 || l.Quantity > s.rules.MaxQuantity {
			say(at+"/quantity", "quantity %d is not within 1 and %d", l.Quantity, s.rules.MaxQuantity)
		}
		if known && item.Stock >= item.ReorderBelow {
			say(at+"/sku", "%d of %s are in stock; it is ordered only below %d", item.Stock, l.SKU, item.ReorderBelow)
		}
	}
	if total := s.total(lines); total > s.rules.BudgetCents {
		say("/lines", "the order costs %d cents; the budget is %d", total, s.rules.BudgetCents)
	}
	return problems
}

// total counts only what makes sense, so that a wrong quantity is reported once.
func (s *Store) total(lines []Line) int {
	sum := 0
	for _, l := range lines {
		if l.Quantity > 0 && l.Quantity <= s.rules.MaxQuantity {
			sum += s.items[l.SKU].PriceCents * l.Quantity
		}
	}
	return sum
}

// TotalCents is the price of an order with these lines.
func (s *Store) TotalCents(lines []Line) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total(lines)
}

// Draft keeps an order in draft, new (id "") or in place of the draft with that id, and returns it. Problems do not keep
// a draft from being kept; they keep it from being placed. Errors: ErrNoDraft.
func (s *Store) Draft(id string, lines []Line) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == "" {
		s.next++
		id = fmt.Sprintf("PO-%04d", s.next)
	} else if _, ok := s.drafts[id]; !ok {
		return Order{}, fmt.Errorf("%w: %q", ErrNoDraft, id)
	}
	order := Order{ID: id, Lines: slices.Clone(lines)}
	s.drafts[id] = order
	return order, nil
}

// Find returns a draft. Errors: ErrNoDraft.
func (s *Store) Find(id string) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, ok := s.drafts[id]
	if !ok {
		return Order{}, fmt.Errorf("%w: %q", ErrNoDraft, id)
	}
	order.Lines = slices.Clone(order.Lines)
	return order, nil
}

// Place turns exactly this order from a draft into a placed one. It fails with nothing changed if the draft is gone or is
// not what the caller has seen any more (ErrNoDraft), or has problems.
func (s *Store) Place(seen Order) ([]Problem, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, ok := s.drafts[seen.ID]
	if !ok || !slices.Equal(order.Lines, seen.Lines) {
		return nil, fmt.Errorf("%w: %q", ErrNoDraft, seen.ID)
	}
	if problems := s.check(order.Lines); len(problems) > 0 {
		return problems, nil
	}
	delete(s.drafts, order.ID)
	s.placed = append(s.placed, order)
	return nil, nil
}

// Placed returns the orders placed so far, oldest first; never nil.
func (s *Store) Placed() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Order{}, s.placed...)
}
