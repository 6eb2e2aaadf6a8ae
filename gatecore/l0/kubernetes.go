package l0

func kubernetes() Domain {
	return Domain{Name: "kubernetes"}
}
