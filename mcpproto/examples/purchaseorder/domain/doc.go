// Package domain is a small purchasing department in memory: an inventory, purchase orders in draft, and orders placed.
// It knows nothing of gates, clients or protocols: everything that keeps an order from being placed by accident is said
// elsewhere. Checks are pure and report every problem at once; only Store.Place changes anything that matters.
package domain
