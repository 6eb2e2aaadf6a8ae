// Package approval holds what the confirmation round needs besides the protocol: the text a person reads, the memory that
// keeps people from being worn down, and the ledger of used confirmations that several processes share.
//
// # Limits
//
// A form is at most 4000 characters; a command that cannot be shown within that, with every program and every questioned
// part of it visible, gets no form. A declined command stays declined for a minute, and at most 30 forms a minute are sent.
//
// # Concurrency
//
// All types are safe for concurrent use.
package approval
