package l0

func gitReaders() Domain {
	return Domain{Name: "gitReaders"}
}
