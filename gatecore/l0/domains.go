package l0

// Domains returns every domain of the built-in table. The values are new on each call.
func Domains() []Domain {
	return []Domain{
		builtinRules(),
		builtins(), // shell builtins
		wrappers(), // sudo, env, timeout, xargs …
		shells(),   // shells and interpreters
		readers(),  // everyday viewing and searching
		readersSystem(),
		files(), // rm, mv, cp, dd, mkfs …
		git(),
		credentials(),
		agents(), // agent and editor configuration, the gate itself
		packages(),
		containers(),
		kubernetes(),
		cloud(),
		databases(),
		system(),
		network(),
		windows(),
		languages(), // compilers and language tools: version and listing
	}
}

// Rules returns the rules of all domains, in the order of Domains.
func Rules() []Rule {
	var all []Rule
	for _, d := range Domains() {
		all = append(all, d.Rules...)
	}
	return all
}
