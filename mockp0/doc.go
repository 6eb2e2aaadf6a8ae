// Package mockp0 is under construction.
package mockp0
