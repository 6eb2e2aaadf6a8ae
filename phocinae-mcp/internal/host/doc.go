// Package host writes this program into the configuration of agent hosts and MCP clients, and takes it out again. It also proves that
// an installed hook works.
//
//	changes, err := host.Install(host.Claude, &host.Options{Env: env, Exe: "/usr/local/bin/phocinae-mcp", Kinds: []host.Kind{host.Hook}})
//
// # What an edit keeps
//
// A file is changed by inserting or removing a few bytes; everything else stays byte for byte: comments, order, indentation, line
// ends, a byte order mark, trailing commas. A file that does not parse, or that holds something else under our name, is left alone
// and named in the error. Installing twice changes nothing the second time. Uninstalling a file that nobody touched since
// gives back the bytes from before.
//
// # How a file is written
//
// The bytes from before go to PATH.phocinae-mcp.bak, the new ones to a temporary file beside the target that is then renamed over it, with
// the mode kept and symbolic links followed. A file that changed between reading and writing is an error. If the second of two files
// cannot be written, the first is put back.
//
// # Limits
//
// JSON and JSON with comments are parsed in full (16 MiB, 200 levels). TOML and YAML are read line by line as far as an insertion needs it;
// constructs this package cannot be sure about are refused rather than guessed.
//
// # Concurrency
//
// Functions may be called concurrently for different files. Nothing locks a file against the host that owns it.
package host
