package l0

func packages() Domain {
	return Domain{Name: "packages"}
}
