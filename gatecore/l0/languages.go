package l0

func languages() Domain {
	return Domain{Name: "languages"}
}
