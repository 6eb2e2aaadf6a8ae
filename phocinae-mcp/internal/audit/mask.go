package audit

// Mask returns text with everything that looks like a secret replaced by "****".
func Mask(text string) string { return maskText(text) }
