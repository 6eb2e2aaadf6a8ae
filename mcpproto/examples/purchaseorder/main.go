// Command purchaseorder is an MCP server that lets an agent order supplies, and shows three patterns on the way: a change
// is possible only after its preview (a sealed handle, checked in code), everything is checked before anything changes and
// all problems are told at once, and every call leaves an audit record, refused ones above all.
//
// It serves standard input and output; the audit goes to standard error.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/phocinae/phocinae-go/mcpproto"
	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/domain"
	"github.com/phocinae/phocinae-go/mcpproto/examples/purchaseorder/safety"
	"github.com/phocinae/phocinae-go/mcpproto/stdio"
)

// supplies is what this department has; prices in cents.
var supplies = []domain.Item{
	{SKU: "BOLT-M6", Name: "hex bolt M6, box of 100", PriceCents: 1250, Stock: 3, ReorderBelow: 10},
	{SKU: "NUT-M6", Name: "hex nut M6, box of 100", PriceCents: 800, Stock: 40, ReorderBelow: 10},
	{SKU: "WASHER-6", Name: "washer 6 mm, box of 200", PriceCents: 450, Stock: 9, ReorderBelow: 10},
	{SKU: "MOTOR-3P", Name: "three-phase motor 2 kW", PriceCents: 48900, Stock: 0, ReorderBelow: 2},
}

var rules = domain.Rules{MaxQuantity: 50, BudgetCents: 100000}

// handleLife is how long a reviewed draft may wait before it must be reviewed again.
const handleLife = 10 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	server, err := newServer(domain.NewStore(supplies, rules),
		safety.NewGate(mcpproto.RandomStateSealer(), handleLife, time.Now), safety.NewAudit(os.Stderr, time.Now))
	if err == nil {
		err = stdio.Serve(ctx, server, os.Stdin, os.Stdout, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "purchaseorder:", err)
		os.Exit(1)
	}
}
