package host

import (
	"bytes"
	"flag"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the results in testdata")

const testExe = "/opt/tools/phocinae-mcp"

// fixture is one STATE of a testdata/golden/HOST-KIND.txtar: STATE/before, and STATE/after or STATE/error.
type fixture struct {
	host        Host
	kind        Kind
	state       string
	before      []byte // nil: there is no file
	after, fail string
}

// bytesOf gives a section the bytes its state's name asks for: txtar files are edited by people and stored by git.
func bytesOf(state, text string) []byte {
	switch {
	case strings.HasPrefix(state, "missing"):
		return nil
	case strings.HasSuffix(state, "-crlf"):
		return []byte(strings.ReplaceAll(text, "\n", "\r\n"))
	case strings.HasSuffix(state, "-bom"):
		return []byte("\xef\xbb\xbf" + text)
	case strings.HasSuffix(state, "-no-end"):
		return []byte(strings.TrimSuffix(text, "\n"))
	}
	return []byte(text)
}

func textOf(state string, data []byte) string {
	text := strings.TrimPrefix(string(data), "\xef\xbb\xbf")
	if strings.HasSuffix(state, "-crlf") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	return text
}

func fixtures(t testing.TB) (list []fixture) {
	t.Helper()
	is := is.New(t)
	files, err := filepath.Glob("testdata/golden/*.txtar")
	is.NoErr(err)
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		is.NoErr(err)
		name, kindName, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "-")
		h, err := Parse(name)
		is.NoErr(err)
		kind := map[string]Kind{"hook": Hook, "mcp": MCP}[kindName]
		sections := map[string]string{}
		for _, f := range ar.Files {
			sections[f.Name] = string(f.Data)
		}
		for _, f := range ar.Files {
			if path.Base(f.Name) == "before" {
				state := path.Dir(f.Name)
				list = append(list, fixture{h, kind, state, bytesOf(state, string(f.Data)), sections[state+"/after"], strings.TrimSpace(sections[state+"/error"])})
			}
		}
	}
	return list
}

func testOptions(home string, kinds ...Kind) *Options {
	return &Options{Env: Env{OS: "linux", Home: home, Dir: filepath.Join(home, "project"), Vars: map[string]string{}}, Exe: testExe, Kinds: kinds}
}

// lay writes a fixture into a fresh home and returns the path of the file.
func (f fixture) lay(t testing.TB, o *Options) string {
	t.Helper()
	is := is.New(t)
	p, err := locate(f.host, f.kind, o.Scope, o.Env)
	is.NoErr(err)
	is.NoErr(os.MkdirAll(filepath.Dir(p.path), 0o755))
	if f.before != nil {
		is.NoErr(os.WriteFile(p.path, f.before, 0o640))
	}
	return p.path
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, exists, err := readConfig(path)
	is.New(t).NoErr(err)
	if exists && data == nil {
		data = []byte{}
	}
	return data
}

func (f fixture) name() string { return f.host.String() + "-" + f.kind.String() + "/" + f.state }

func TestGoldenInstall(t *testing.T) {
	rewritten := map[string]*txtar.Archive{}
	for _, f := range fixtures(t) {
		t.Run(f.name(), func(t *testing.T) {
			is := is.New(t)
			o := testOptions(t.TempDir(), f.kind)
			file := f.lay(t, o)
			changes, err := Install(f.host, o)
			got := read(t, file)
			if *update {
				name := f.host.String() + "-" + f.kind.String()
				ar := rewritten[name]
				if ar == nil {
					ar = &txtar.Archive{Comment: []byte("The " + f.kind.String() + " entry of " + f.host.Title() + ".\n")}
					rewritten[name] = ar
				}
				ar.Files = append(ar.Files, txtar.File{Name: f.state + "/before", Data: []byte(textOf(f.state, f.before))})
				if err != nil {
					text := strings.ReplaceAll(err.Error(), o.Env.Home, "HOME")
					ar.Files = append(ar.Files, txtar.File{Name: f.state + "/error", Data: []byte(text + "\n")})
					return
				}
				ar.Files = append(ar.Files, txtar.File{Name: f.state + "/after", Data: []byte(textOf(f.state, got))})
				return
			}
			if f.fail != "" {
				is.True(err != nil)
				is.Equal(strings.ReplaceAll(err.Error(), o.Env.Home, "HOME"), f.fail)
				is.Equal(got, f.before) // nothing changed
				is.Equal(leftovers(t, o.Env.Home, file), nil)
				return
			}
			is.NoErr(err)
			is.Equal(len(changes), 1)
			is.Equal(changes[0].Path, file)
			want := bytesOf(strings.TrimPrefix(f.state, "missing"), f.after)
			if strings.HasSuffix(f.state, "-no-end") && bytes.HasSuffix(got, []byte("\n")) {
				want = []byte(f.after)
			}
			is.Equal(string(got), string(want))
			is.True(bytes.Equal(changes[0].After, got))
		})
	}
	for name, ar := range rewritten {
		is.New(t).NoErr(os.WriteFile("testdata/golden/"+name+".txtar", txtar.Format(ar), 0o644))
	}
}

// leftovers lists the files below home except one.
func leftovers(t testing.TB, home, except string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(home, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && p != except {
			list = append(list, p)
		}
		return err
	})
	is.New(t).NoErr(err)
	return list
}

func TestInstallTwiceIsInstallOnce(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.fail != "" {
			continue
		}
		t.Run(f.name(), func(t *testing.T) {
			is := is.New(t)
			o := testOptions(t.TempDir(), f.kind)
			file := f.lay(t, o)
			_, err := Install(f.host, o)
			is.NoErr(err)
			once := read(t, file)
			changes, err := Install(f.host, o)
			is.NoErr(err)
			is.Equal(changes[0].Action, Unchanged)
			is.Equal(changes[0].Diff(), "")
			is.Equal(string(read(t, file)), string(once))
		})
	}
}

func TestUninstallGivesTheBytesBack(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.fail != "" || strings.HasPrefix(f.state, "installed") {
			continue
		}
		t.Run(f.name(), func(t *testing.T) {
			is := is.New(t)
			o := testOptions(t.TempDir(), f.kind)
			file := f.lay(t, o)
			_, err := Install(f.host, o)
			is.NoErr(err)
			changes, err := Uninstall(f.host, o)
			is.NoErr(err)
			is.Equal(string(read(t, file)), string(f.before))
			is.Equal(read(t, file) == nil, f.before == nil) // a file we created is gone
			is.Equal(changes[0].Action == Removed, f.before == nil)
			is.Equal(leftovers(t, o.Env.Home, file), nil) // no backup, no temporary file
		})
	}
}

// Without the backup, and after somebody moved the program, the entries are found by what they start. What stands around them stays.
func TestUninstallWithoutBackup(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.fail != "" || strings.HasPrefix(f.state, "installed") || f.before == nil {
			continue
		}
		t.Run(f.name(), func(t *testing.T) {
			is := is.New(t)
			o := testOptions(t.TempDir(), f.kind)
			file := f.lay(t, o)
			_, err := Install(f.host, o)
			is.NoErr(err)
			dropBackup(file)
			mark := []byte(" \n") // somebody touched it
			is.NoErr(os.WriteFile(file, append(read(t, file), mark...), 0o640))
			o.Exe = "/usr/bin/phocinae-mcp"
			_, err = Uninstall(f.host, o)
			is.NoErr(err)
			got := strings.TrimSpace(string(read(t, file)))
			want := f.before
			if f.kind == Hook && (f.host == Copilot || f.host == Cursor) {
				// Nobody can tell any more who wrote the version these two need.
				want, err = rooted(want)
				is.NoErr(err)
				want, err = insert(want, nil, "version", 1)
				is.NoErr(err)
			}
			if f.state != "comments-only" && (strings.HasPrefix(f.state, "others") || strings.HasPrefix(f.state, "comments")) {
				is.Equal(got, strings.TrimSpace(string(want)))
			}
			is.True(!strings.Contains(got, "phocinae-mcp"))
		})
	}
}
