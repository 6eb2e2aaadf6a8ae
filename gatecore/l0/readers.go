package l0

func readers() Domain {
	return Domain{Name: "readers"}
}
