package l0

func containers() Domain {
	return Domain{Name: "containers"}
}
