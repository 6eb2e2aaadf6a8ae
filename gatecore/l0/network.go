package l0

func network() Domain {
	return Domain{Name: "network"}
}
