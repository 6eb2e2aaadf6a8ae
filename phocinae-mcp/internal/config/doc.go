// Package config turns flags, environment variables and a configuration file into one checked Config.
//
// Every setting has one row in the Flags struct: its flag, its environment names (the ancestor's too), its default and
// what it allows are tags there, so help text, the README's table and the error messages cannot disagree.
// The order is flag > PHOCINAE_MCP_* > PHOCINAE_GUARD_* > file > default, decided per setting.
//
//	cfg, err := config.Resolve(&flags, config.Environment{Lookup: os.LookupEnv})
//
// # Errors
//
// Resolve collects every problem it can find and returns them as one *Problems: each says where the value came from,
// what was found and what is allowed. Nothing is guessed and nothing falls back to a milder value.
//
// # Limits
//
// Resolve reads at most the configuration file, the key files and, for the table's place, file metadata. It opens no
// socket and resolves no name.
package config
