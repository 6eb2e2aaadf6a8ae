package l0

func agents() Domain {
	return Domain{Name: "agents"}
}
