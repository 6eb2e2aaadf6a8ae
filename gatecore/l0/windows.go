package l0

func windows() Domain {
	return Domain{Name: "windows"}
}
