package l0

func cloud() Domain {
	return Domain{Name: "cloud"}
}
