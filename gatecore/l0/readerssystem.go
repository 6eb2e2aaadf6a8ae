package l0

func readersSystem() Domain {
	return Domain{Name: "readersSystem"}
}
