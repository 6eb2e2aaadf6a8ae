// Package interop talks to the product with clients that nobody here wrote: the official Go SDK in its test, the official
// TypeScript SDK in typescript/. It has no code of its own.
package interop
