// Package e2e proves promises through the built program: its tests build the binary once, run it as clients do, over
// standard input and over HTTP, and read what it writes, the audit file included. It holds no code of its own.
//
// What can be proven faster in process is proven there; docs/invariants.md says which test holds which promise.
package e2e
