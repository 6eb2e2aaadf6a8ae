package domain_test

import (
	"errors"
	"testing"

	"github.com/matryer/is"

	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/domain"
)

func store() *domain.Store {
	return domain.NewStore([]domain.Item{
		{SKU: "A", Name: "anvil", PriceCents: 1000, Stock: 0, ReorderBelow: 2},
		{SKU: "B", Name: "bellows", PriceCents: 300, Stock: 5, ReorderBelow: 2},
	}, domain.Rules{MaxQuantity: 10, BudgetCents: 5000})
}

// TestCheckReportsEveryProblemAtOnce is the pattern "validate before change".
func TestCheckReportsEveryProblemAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []domain.Line
		want  []string // paths of the problems
	}{
		{"a good order has none", []domain.Line{{SKU: "A", Quantity: 5}}, nil},
		{"no lines", nil, []string{"/lines"}},
		{"an unknown SKU", []domain.Line{{SKU: "Z", Quantity: 1}}, []string{"/lines/0/sku"}},
		{"a quantity of nothing", []domain.Line{{SKU: "A", Quantity: 0}}, []string{"/lines/0/quantity"}},
		{"a quantity over the bound", []domain.Line{{SKU: "A", Quantity: 11}}, []string{"/lines/0/quantity"}},
		{"enough in stock", []domain.Line{{SKU: "B", Quantity: 1}}, []string{"/lines/0/sku"}},
		{"over the budget", []domain.Line{{SKU: "A", Quantity: 6}}, []string{"/lines"}},
		{"the same SKU twice", []domain.Line{{SKU: "A", Quantity: 1}, {SKU: "A", Quantity: 1}}, []string{"/lines/1/sku"}},
		{
			"everything wrong is told together",
			[]domain.Line{{SKU: "Z", Quantity: -1}, {SKU: "B", Quantity: 99}, {SKU: "A", Quantity: 10}},
			[]string{"/lines/0/sku", "/lines/0/quantity", "/lines/1/quantity", "/lines/1/sku", "/lines"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			var got []string
			for _, p := range store().Check(tt.lines) {
				is.True(p.Reason != "") // says what is wrong
				got = append(got, p.Path)
			}
			is.Equal(got, tt.want)
		})
	}
}

func TestNothingIsPlacedWithProblems(t *testing.T) {
	is := is.New(t)
	s := store()
	order, err := s.Draft("", []domain.Line{{SKU: "Z", Quantity: 1}})
	is.NoErr(err) // a draft may have problems
	problems, err := s.Place(order)
	is.NoErr(err)
	is.Equal(len(problems), 1)   // told again
	is.Equal(len(s.Placed()), 0) // and nothing placed
	_, err = s.Find(order.ID)
	is.NoErr(err) // the draft is still there
}

func TestPlaceTakesOnlyWhatWasSeen(t *testing.T) {
	is := is.New(t)
	s := store()
	seen, err := s.Draft("", []domain.Line{{SKU: "A", Quantity: 1}})
	is.NoErr(err)
	_, err = s.Draft(seen.ID, []domain.Line{{SKU: "A", Quantity: 2}})
	is.NoErr(err) // somebody changes it
	_, err = s.Place(seen)
	is.True(errors.Is(err, domain.ErrNoDraft))
	is.Equal(len(s.Placed()), 0) // nothing placed
}

func TestDraftOfAnUnknownID(t *testing.T) {
	is := is.New(t)
	_, err := store().Draft("PO-9999", nil)
	is.True(errors.Is(err, domain.ErrNoDraft))
}

func TestSearch(t *testing.T) {
	is := is.New(t)
	s := store()
	is.Equal(len(s.Search("")), 2)
	is.Equal(s.Search("BELL")[0].SKU, "B") // by name, any case
	is.Equal(len(s.Search("nothing")), 0)
	is.True(s.Search("nothing") != nil) // an empty list, not null
}
