package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

var (
	rowStart = regexp.MustCompile(`^ \d $`)
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	testName = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
)

// TestInvariantsNameRealTests holds docs/invariants.md to the truth: eight invariants, each with tests from outside and
// inside, all of which exist.
func TestInvariantsNameRealTests(t *testing.T) {
	is := is.New(t)
	inside, outside := map[string]bool{}, map[string]bool{}
	for _, root := range []string{"../..", "../../../gatecore", "../../../mcpproto", "../../../p0client"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
				if filepath.Base(filepath.Dir(path)) == "e2e" {
					outside[m[1]] = true
				} else {
					inside[m[1]] = true
				}
			}
			return err
		})
		if root != "../.." && os.IsNotExist(err) {
			t.Skip("the other modules are not here")
		}
		is.NoErr(err)
	}
	page, err := os.ReadFile("../../docs/invariants.md")
	is.NoErr(err)
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !rowStart.MatchString(cells[1]) {
			continue
		}
		rows++
		for i, known := range map[int]map[string]bool{3: outside, 4: inside} {
			names := testName.FindAllStringSubmatch(cells[i], -1)
			if len(names) == 0 {
				t.Errorf("invariant%shas no test in column %d", cells[1], i)
			}
			for _, n := range names {
				if !known[n[1]] {
					t.Errorf("invariant%snames %s, which does not exist there", cells[1], n[1])
				}
			}
		}
	}
	is.Equal(rows, 8)
}
