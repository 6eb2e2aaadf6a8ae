package audit

// Head is the end of one writer's chain: what --expect takes.
type Head struct {
	Writer string
	Seq    uint64
	Hash   string
}
