package l0

func system() Domain {
	return Domain{Name: "system"}
}
