// Package mcptest helps to test MCP servers: a check of any message against the published schema of
// its revision.
package mcptest
