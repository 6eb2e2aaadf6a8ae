// Package cli is the command line: one struct a command, bound by kong, with everything it touches injected through Process.
//
// # Exit statuses
//
// gate: 0 allow, 1 deny, 2 ask, 3 usage or configuration error. hook: 0 or 2 only. serve: 2 when it refuses to bind, 3 for a
// wrong setting. Everything else: 0, 1 for "looked and found something wrong", 3 for usage or configuration.
package cli
