package l0

func shells() Domain {
	return Domain{Name: "shells"}
}
