package l0

func builtinRules() Domain {
	return Domain{Name: "builtinRules"}
}
