package l0

func builtins() Domain {
	return Domain{Name: "builtins"}
}
