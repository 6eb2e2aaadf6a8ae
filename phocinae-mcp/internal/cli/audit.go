package cli

type auditCommand struct{}
