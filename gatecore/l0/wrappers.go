package l0

func wrappers() Domain {
	return Domain{Name: "wrappers"}
}
