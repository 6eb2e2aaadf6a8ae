package l0

//go:generate go test -run TestIndexIsCurrent -update .

// The domains of the built-in table. After a change of names, ids or the programs of rules, go generate brings the
// index (index_table.go) up to date; a test holds it.
var domains = [...]func() Domain{
	builtinRules,
	builtins, // shell builtins
	wrappers, // sudo, env, timeout, xargs …
	shells,   // shells and interpreters
	readers,  // everyday viewing and searching
	readersSystem,
	files, // rm, mv, cp, dd, mkfs …
	git,
	credentials,
	agents, // agent and editor configuration, the gate itself
	packages,
	containers,
	kubernetes,
	cloud,
	databases,
	system,
	network,
	windows,
	languages, // compilers and language tools: version and listing
}

// Sources returns what makes each domain of the built-in table, in the order of Domains. The functions may be called at
// any time and by several goroutines; each call makes new values.
func Sources() []func() Domain { return domains[:] }

// BuiltIn returns the index of the built-in table. It is shared; nobody may change it.
func BuiltIn() *Index { return &builtInIndex }

// Domains returns every domain of the built-in table. The values are new on each call.
func Domains() []Domain {
	all := make([]Domain, len(domains))
	for i, source := range domains {
		all[i] = source()
	}
	return all
}

// Rules returns the rules of all domains, in the order of Domains.
func Rules() []Rule {
	var all []Rule
	for _, d := range Domains() {
		all = append(all, d.Rules...)
	}
	return all
}
