package p0client

import (
	"fmt"
	"unicode/utf8"
)

// How the service reads the options of a choice: at most 48 tokens of each, and if all together (with one mark
// in front of each) exceed 176 tokens, only max(4, 176/n) of each, the mark included.
const (
	optionTokens = 48
	headTokens   = 176
	leastTokens  = 4
)

// ChoiceRead estimates how many bytes of each option the service reads, when these options are asked together.
// Options that agree in that part are the same to the model; Classify and Route refuse them.
//
// The service's tokenizer is not here. The estimate counts one token for up to four ASCII letters, for every
// digit, mark and other character, and four for a character outside the basic plane, which is more than the
// tokenizer needs for ordinary words: what the estimate calls read, is read.
func ChoiceRead(options []string) []int {
	sum := 0
	for _, o := range options {
		n, _ := readTokens(o, optionTokens)
		sum += n + 1
	}
	most := optionTokens
	if sum > headTokens {
		most = min(most, max(leastTokens, headTokens/len(options))-1)
	}
	out := make([]int, len(options))
	for i, o := range options {
		_, out[i] = readTokens(o, most)
	}
	return out
}

// readTokens counts the tokens of s, at most most, and the bytes that these cover.
func readTokens(s string, most int) (tokens, bytes int) {
	for bytes < len(s) {
		cost, size := nextToken(s[bytes:])
		if tokens+cost > most {
			return tokens, bytes
		}
		tokens += cost
		bytes += size
	}
	return tokens, bytes
}

// nextToken takes one token from the front of s, a single blank in front of it included.
func nextToken(s string) (cost, size int) {
	if s[0] == ' ' && len(s) > 1 {
		size = 1
	}
	r, n := utf8.DecodeRuneInString(s[size:])
	switch {
	case isLetter(r):
		for n = 1; n < 4 && size+n < len(s) && isLetter(rune(s[size+n])); n++ {
			continue
		}
		return 1, size + n
	case r > 0xFFFF:
		return 4, size + n
	default:
		return 1, size + n
	}
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// checkDistinct reports every option that agrees with an earlier one in what is read of both.
func checkDistinct(p *problems, field string, options []string) {
	first := make(map[string]int, len(options))
	for i, n := range ChoiceRead(options) {
		read := options[i][:n]
		if j, ok := first[read]; ok {
			p.add(fmt.Sprintf("%s[%d]", field, i), "agrees with %s[%d] in the %d bytes that are read of it", field, j, n)
			continue
		}
		first[read] = i
	}
}
