// Package mcpproto is under construction.
package mcpproto
