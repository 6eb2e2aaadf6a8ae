package l0

func credentials() Domain {
	return Domain{Name: "credentials"}
}
