package audit

import (
	"testing"

	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
)

// TestMaskLeavesTheRulesReadable: a rule's own sentence is written into every record it decides, and holds no secret.
func TestMaskLeavesTheRulesReadable(t *testing.T) {
	is := is.New(t)
	engine, err := gatecore.New(nil)
	is.NoErr(err)
	rules := engine.Rules()
	is.True(len(rules) > 50)
	for _, r := range rules {
		is.Equal(Mask(r.Why), r.Why)         // why stays as it is
		is.Equal(Mask(r.Instead), r.Instead) // so does the safer way
	}
}
