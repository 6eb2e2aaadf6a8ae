// Package p0client is under construction.
package p0client
