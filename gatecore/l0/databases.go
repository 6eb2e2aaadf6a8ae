package l0

func databases() Domain {
	return Domain{Name: "databases"}
}
