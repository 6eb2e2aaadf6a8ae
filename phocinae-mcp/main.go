// Phocinae-mcp judges shell commands before coding agents run them, and serves three inference tools, over MCP, as a hook
// of agent hosts, and from the command line. See README.md.
package main

import (
	"os"

	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/cli"
)

func main() { os.Exit(cli.Main()) }
