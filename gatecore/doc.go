// Package gatecore is under construction.
package gatecore
