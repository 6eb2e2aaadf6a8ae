package host

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestMain lets the test program stand in for an installed hook.
func TestMain(m *testing.M) {
	if mode := os.Getenv("PHOCINAE_TEST_HOOK"); mode != "" {
		os.Exit(fakeHook(mode))
	}
	os.Exit(m.Run())
}

func TestPlaces(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the expected paths are written with slashes")
	}
	linux := Env{OS: "linux", Home: "/home/u", Dir: "/p"}
	mac := Env{OS: "darwin", Home: "/Users/u", Dir: "/p"}
	win := Env{OS: "windows", Home: "/c/u", Dir: "/p", Vars: map[string]string{"APPDATA": "/c/u/AD"}}
	moved := Env{OS: "linux", Home: "/home/u", Vars: map[string]string{"XDG_CONFIG_HOME": "/x", "CLAUDE_CONFIG_DIR": "/cl", "CODEX_HOME": "/cx"}}
	for _, tc := range []struct {
		h    Host
		k    Kind
		s    Scope
		e    Env
		want string
	}{
		{Claude, Hook, User, linux, "/home/u/.claude/settings.json"},
		{Claude, Hook, Project, linux, "/p/.claude/settings.json"},
		{Claude, Hook, User, moved, "/cl/settings.json"},
		{Claude, MCP, User, linux, "/home/u/.claude.json"},
		{Claude, MCP, User, moved, "/cl/.claude.json"},
		{Claude, MCP, Project, linux, "/p/.mcp.json"},
		{Codex, Hook, User, linux, "/home/u/.codex/hooks.json"},
		{Codex, Hook, User, moved, "/cx/hooks.json"},
		{Codex, MCP, User, moved, "/cx/config.toml"},
		{Codex, MCP, Project, linux, "/p/.codex/config.toml"},
		{Gemini, Hook, User, linux, "/home/u/.gemini/settings.json"},
		{Copilot, Hook, User, linux, "/home/u/.copilot/hooks/phocinae-mcp.json"},
		{Copilot, Hook, Project, linux, "/p/.github/hooks/phocinae-mcp.json"},
		{Copilot, MCP, User, linux, "/home/u/.copilot/mcp-config.json"},
		{Copilot, MCP, Project, linux, ""},
		{Cursor, Hook, User, linux, "/home/u/.cursor/hooks.json"},
		{Cursor, MCP, Project, linux, "/p/.cursor/mcp.json"},
		{VSCode, Hook, User, linux, ""},
		{VSCode, MCP, User, linux, "/home/u/.config/Code/User/mcp.json"},
		{VSCode, MCP, User, moved, "/x/Code/User/mcp.json"},
		{VSCode, MCP, User, mac, "/Users/u/Library/Application Support/Code/User/mcp.json"},
		{VSCode, MCP, User, win, "/c/u/AD/Code/User/mcp.json"},
		{VSCode, MCP, Project, linux, "/p/.vscode/mcp.json"},
		{Zed, MCP, User, mac, "/Users/u/.config/zed/settings.json"},
		{Zed, MCP, User, win, "/c/u/AD/Zed/settings.json"},
		{OpenCode, MCP, User, linux, "/home/u/.config/opencode/opencode.json"},
		{Cline, MCP, User, mac, "/Users/u/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
		{Windsurf, MCP, User, linux, "/home/u/.codeium/windsurf/mcp_config.json"},
		{Windsurf, MCP, Project, linux, ""},
		{Goose, MCP, User, mac, "/Users/u/.config/goose/config.yaml"},
		{Goose, MCP, User, win, "/c/u/AD/Block/goose/config/config.yaml"},
		{99, MCP, User, linux, ""},
	} {
		t.Run(fmt.Sprintf("%s %s %d %s %s", tc.h, tc.k, tc.s, tc.e.OS, tc.want), func(t *testing.T) {
			is := is.New(t)
			p, err := locate(tc.h, tc.k, tc.s, tc.e)
			if tc.want == "" {
				is.True(errors.Is(err, ErrNoPlace))
				return
			}
			is.NoErr(err)
			is.Equal(p.path, tc.want)
		})
	}
}

func TestRelativeBasesAreRefused(t *testing.T) {
	is := is.New(t)
	_, err := locate(Claude, Hook, User, Env{OS: "linux", Home: "home"})
	is.True(err != nil)
	_, err = locate(Claude, Hook, Project, Env{OS: "linux", Home: "/home/u"})
	is.True(err != nil)
}

func TestOpenCodeKeepsTheFileThatIsThere(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir())
	dir := filepath.Join(o.Env.Home, ".config", "opencode")
	is.NoErr(os.MkdirAll(dir, 0o755))
	is.NoErr(os.WriteFile(filepath.Join(dir, "opencode.jsonc"), []byte("{ // mine\n}\n"), 0o644))
	changes, err := Install(OpenCode, o)
	is.NoErr(err)
	is.Equal(changes[0].Path, filepath.Join(dir, "opencode.jsonc"))
	is.Equal(leftovers(t, o.Env.Home, changes[0].Path), []string{changes[0].Backup})
}

func TestNames(t *testing.T) {
	is := is.New(t)
	for _, h := range Hosts() {
		got, err := Parse(h.String())
		is.NoErr(err)
		is.Equal(got, h)
		is.True(h.Title() != "")
	}
	_, err := Parse("emacs")
	is.True(errors.Is(err, ErrUnknownHost))
	is.True(strings.Contains(err.Error(), "goose")) // says what is known
}

func TestProgramPathsAreChecked(t *testing.T) {
	for _, tc := range []struct {
		os, exe string
		ok      bool
	}{
		{"linux", "/usr/bin/phocinae-mcp", true},
		{"linux", "/opt/my tools/phocinae-mcp", true},
		{"linux", "phocinae-mcp", false},
		{"linux", "", false},
		{"linux", "./phocinae-mcp", false},
		{"linux", "/a\nb", false},
		{"linux", "~/phocinae-mcp", false},
		{"windows", `C:\Program Files\phocinae-mcp.exe`, true},
		{"windows", `\\srv\x\phocinae-mcp.exe`, true},
		{"windows", `phocinae-mcp.exe`, false},
		{"windows", `C:\%x%\phocinae-mcp.exe`, false},
	} {
		t.Run(tc.os+" "+tc.exe, func(t *testing.T) {
			is := is.New(t)
			o := &Options{Env: Env{OS: tc.os, Home: t.TempDir()}, Exe: tc.exe, DryRun: true}
			_, err := Install(Cursor, o)
			is.Equal(err == nil, tc.ok)
			_, err = ConfigSnippet(Cursor, Hook, o)
			is.Equal(err == nil, tc.ok)
		})
	}
}

func TestCommandLinesReadBack(t *testing.T) {
	for _, exe := range []string{"/usr/bin/phocinae-mcp", "/opt/my tools/phocinae-mcp", "/opt/it's/phocinae-mcp", `/opt/a"b$c/phocinae-mcp`, `/opt/back\slash/phocinae-mcp`} {
		for _, h := range []Host{Codex, Gemini, Copilot, Cursor} {
			t.Run(h.String()+" "+exe, func(t *testing.T) {
				is := is.New(t)
				o := &Options{Env: Env{OS: "linux"}, Exe: exe}
				line := o.commandLine(h)
				got, rest := splitExe(line)
				is.Equal(got, exe)
				is.Equal(rest, " hook "+h.String())
				is.True(ours(line, nil, h))
				is.True(!ours(line, nil, Claude)) // another host's hook is not this one's
				if _, err := exec.LookPath("sh"); err == nil {
					out, err := exec.Command("sh", "-c", "printf '<%s>' "+line).Output()
					is.NoErr(err)
					is.Equal(string(out), "<"+exe+"><hook><"+h.String()+">") // what a real shell reads
				}
			})
		}
	}
	for _, tc := range []struct {
		h    Host
		line string
	}{
		{Codex, `"C:\Program Files\phocinae-mcp.exe" hook codex`},
		{Gemini, `& 'C:\Program Files\phocinae-mcp.exe' hook gemini`},
		{Copilot, `& 'C:\Program Files\phocinae-mcp.exe' hook copilot`},
	} {
		is := is.New(t)
		o := &Options{Env: Env{OS: "windows"}, Exe: `C:\Program Files\phocinae-mcp.exe`}
		is.Equal(o.commandLine(tc.h), tc.line)
		is.True(ours(tc.line, nil, tc.h))
	}
}

func TestOthersAreNotOurs(t *testing.T) {
	for _, line := range []string{
		"", "phocinae-mcp", "/usr/bin/phocinae-mcp gate", "/usr/bin/phocinae-mcp hook", "/usr/bin/phocinae-mcp hook codex", "/usr/bin/other hook claude",
		"echo /usr/bin/phocinae-mcp hook claude", "/usr/bin/phocinae-mcp-wrapper hook claude", "'/usr/bin/phocinae-mcp hook claude",
	} {
		t.Run(line, func(t *testing.T) {
			is.New(t).True(!ours(line, nil, Claude))
		})
	}
}

func TestEditedFileKeepsItsModeAndItsLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes, and links need rights")
	}
	is := is.New(t)
	o := testOptions(t.TempDir(), Hook)
	real := filepath.Join(o.Env.Home, "dotfiles", "claude.json")
	link := filepath.Join(o.Env.Home, ".claude", "settings.json")
	is.NoErr(os.MkdirAll(filepath.Dir(real), 0o755))
	is.NoErr(os.MkdirAll(filepath.Dir(link), 0o755))
	is.NoErr(os.WriteFile(real, []byte("{}\n"), 0o600))
	is.NoErr(os.Chmod(real, 0o640))
	is.NoErr(os.Symlink(real, link))
	changes, err := Install(Claude, o)
	is.NoErr(err)
	info, err := os.Lstat(link)
	is.NoErr(err)
	is.True(info.Mode()&os.ModeSymlink != 0) // still a link
	info, err = os.Stat(real)
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o640))
	is.Equal(changes[0].Backup, real+backupSuffix)
	info, err = os.Stat(changes[0].Backup)
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o640)) // the copy is no more readable than the file
	backup, err := os.ReadFile(changes[0].Backup)
	is.NoErr(err)
	is.Equal(string(backup), "{}\n")
}

func TestLinkToNothingIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights")
	}
	is := is.New(t)
	o := testOptions(t.TempDir(), Hook)
	link := filepath.Join(o.Env.Home, ".claude", "settings.json")
	is.NoErr(os.MkdirAll(filepath.Dir(link), 0o755))
	is.NoErr(os.Symlink(filepath.Join(o.Env.Home, "gone"), link))
	_, err := Install(Claude, o)
	is.True(errors.Is(err, ErrNotEditable))
}

func TestDirectoryInTheWayIsRefused(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir(), Hook)
	is.NoErr(os.MkdirAll(filepath.Join(o.Env.Home, ".claude", "settings.json"), 0o755))
	_, err := Install(Claude, o)
	is.True(errors.Is(err, ErrNotEditable))
}

func TestNewFilesAreTheUsersOwn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	is := is.New(t)
	o := testOptions(t.TempDir())
	changes, err := Install(Cursor, o)
	is.NoErr(err)
	is.Equal(len(changes), 2) // hook and MCP server live in two files
	for _, c := range changes {
		is.Equal(c.Action, Created)
		info, err := os.Stat(c.Path)
		is.NoErr(err)
		is.Equal(info.Mode().Perm(), os.FileMode(0o600))
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir())
	o.DryRun = true
	for _, h := range Hosts() {
		changes, err := Install(h, o)
		is.NoErr(err)
		for _, c := range changes {
			is.Equal(c.Action, Created)
			is.True(strings.HasPrefix(c.Diff(), "--- /dev/null\n+++ "+c.Path+"\n@@ -0,0 +1,"))
		}
	}
	is.Equal(leftovers(t, o.Env.Home, ""), nil)
}

func TestBothKindsInOneFile(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir())
	file := filepath.Join(o.Env.Home, ".gemini", "settings.json")
	is.NoErr(os.MkdirAll(filepath.Dir(file), 0o755))
	before := "{\n  \"theme\": \"x\" // mine\n}\n"
	is.NoErr(os.WriteFile(file, []byte(before), 0o644))
	changes, err := Install(Gemini, o)
	is.NoErr(err)
	is.Equal(len(changes), 1)
	is.Equal(changes[0].Kinds, []Kind{Hook, MCP})

	one := *o
	one.Kinds = []Kind{Hook}
	_, err = Uninstall(Gemini, &one)
	is.NoErr(err)
	found, err := Installed(Gemini, o)
	is.NoErr(err)
	is.Equal(len(found), 1)
	is.Equal(found[0].Kind, MCP) // the other one stays

	one.Kinds = []Kind{MCP}
	_, err = Uninstall(Gemini, &one)
	is.NoErr(err)
	is.Equal(string(read(t, file)), before)
	is.Equal(leftovers(t, o.Env.Home, file), nil) // the first backup was the right one
}

func TestUninstallLeavesWhatCameLater(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir(), Hook)
	changes, err := Install(Claude, o)
	is.NoErr(err)
	file := changes[0].Path
	text := strings.Replace(string(read(t, file)), "{\n", "{\n  \"model\": \"x\", // later\n", 1)
	is.NoErr(os.WriteFile(file, []byte(text), 0o600))
	_, err = Uninstall(Claude, o)
	is.NoErr(err)
	is.Equal(string(read(t, file)), "{\n  \"model\": \"x\" // later\n}\n")
}

func TestUninstallOfNothingChangesNothing(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir())
	for _, h := range Hosts() {
		changes, err := Uninstall(h, o)
		is.NoErr(err)
		for _, c := range changes {
			is.Equal(c.Action, Unchanged)
		}
	}
	is.Equal(leftovers(t, o.Env.Home, ""), nil)
}

func TestForeignEntryOfOurNameStaysOnUninstall(t *testing.T) {
	for _, f := range fixtures(t) {
		if !strings.HasPrefix(f.state, "foreign") {
			continue
		}
		t.Run(f.name(), func(t *testing.T) {
			is := is.New(t)
			o := testOptions(t.TempDir(), f.kind)
			file := f.lay(t, o)
			_, err := Uninstall(f.host, o)
			is.NoErr(err)
			is.Equal(string(read(t, file)), string(f.before))
		})
	}
}

func TestUninstallOfBrokenFilesIsRefused(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.state != "broken-comma" && f.state != "broken-quote" && f.state != "broken-string" {
			continue
		}
		t.Run(f.name(), func(t *testing.T) {
			is := is.New(t)
			o := testOptions(t.TempDir(), f.kind)
			file := f.lay(t, o)
			_, err := Uninstall(f.host, o)
			is.True(errors.Is(err, ErrNotEditable))
			is.Equal(string(read(t, file)), string(f.before))
		})
	}
}

func TestOneBrokenFileStopsBoth(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir())
	mcp := filepath.Join(o.Env.Home, ".cursor", "mcp.json")
	is.NoErr(os.MkdirAll(filepath.Dir(mcp), 0o755))
	is.NoErr(os.WriteFile(mcp, []byte("{"), 0o600))
	_, err := Install(Cursor, o)
	is.True(errors.Is(err, ErrNotEditable))
	is.Equal(leftovers(t, o.Env.Home, mcp), nil) // the hook file, first in line, was not written either
}

func TestFileThatChangesMeanwhileIsLeftAlone(t *testing.T) {
	is := is.New(t)
	file := filepath.Join(t.TempDir(), "f")
	is.NoErr(os.WriteFile(file, []byte("new"), 0o600))
	err := writeConfig(file, []byte("old"), []byte("ours"), true, 0o600)
	is.True(errors.Is(err, ErrChanged))
	err = writeConfig(file, nil, []byte("ours"), false, 0o600)
	is.True(errors.Is(err, ErrChanged)) // it appeared meanwhile
	is.Equal(string(read(t, file)), "new")
	is.Equal(leftovers(t, filepath.Dir(file), file), nil)
}

func TestFailedWriteIsTakenBack(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir())
	o.DryRun = true
	changes, err := Install(Cursor, o)
	is.NoErr(err)
	is.Equal(len(changes), 2)
	// The second file appears between planning and writing.
	is.NoErr(os.MkdirAll(filepath.Dir(changes[1].Path), 0o755))
	is.NoErr(os.WriteFile(changes[1].Path, []byte("{}"), 0o600))
	err = o.write(Cursor, changes, false)
	is.True(errors.Is(err, ErrChanged))
	is.Equal(leftovers(t, o.Env.Home, ""), []string{changes[1].Path})
	is.Equal(string(read(t, changes[1].Path)), "{}")
}

func TestOnFailureOnlyWhenAsked(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir(), Hook)
	s, err := ConfigSnippet(Claude, Hook, o)
	is.NoErr(err)
	is.True(!strings.Contains(s.Text, "onFailure"))
	_, err = Install(Claude, o)
	is.NoErr(err)
	o.OnFailureBlock = true
	changes, err := Install(Claude, o)
	is.NoErr(err)
	is.True(strings.Contains(string(changes[0].After), `"onFailure": "block"`)) // added to the entry that is there
	o.OnFailureBlock = false
	changes, err = Install(Claude, o)
	is.NoErr(err)
	is.Equal(changes[0].Action, Unchanged) // and never taken away behind the user's back
}

func TestKindsAHostDoesNotTake(t *testing.T) {
	is := is.New(t)
	o := testOptions(t.TempDir(), Hook)
	_, err := Install(Zed, o)
	is.True(errors.Is(err, ErrNoPlace))
	_, err = Install(99, o)
	is.True(errors.Is(err, ErrUnknownHost))
	o.Kinds, o.Scope = nil, Project
	changes, err := Install(Copilot, o)
	is.NoErr(err)
	is.Equal(len(changes), 1) // its project has a place for hooks only
	_, err = Install(Windsurf, o)
	is.True(errors.Is(err, ErrNoPlace))
}

func TestInstalledFindsWhatInstallWrote(t *testing.T) {
	for _, exe := range []string{testExe, "/opt/it's my/phocinae-mcp"} {
		for _, h := range Hosts() {
			t.Run(h.String()+" "+exe, func(t *testing.T) {
				is := is.New(t)
				o := testOptions(t.TempDir())
				o.Exe = exe
				_, err := Install(h, o)
				is.NoErr(err)
				found, err := Installed(h, o)
				is.NoErr(err)
				want := 1
				if h.Has(Hook) {
					want = 2
				}
				is.Equal(len(found), want)
				for _, e := range found {
					is.Equal(e.Exe, exe)
					is.Equal(e.Kind != Hook, e.Args == nil && e.Line == "")
				}
				_, err = Uninstall(h, o)
				is.NoErr(err)
				is.Equal(leftovers(t, o.Env.Home, ""), nil)
			})
		}
	}
}

func TestSnippetIsWhatInstallWrites(t *testing.T) {
	for _, h := range Hosts() {
		for _, k := range []Kind{Hook, MCP} {
			if !h.Has(k) {
				continue
			}
			t.Run(h.String()+" "+k.String(), func(t *testing.T) {
				is := is.New(t)
				o := testOptions(t.TempDir(), k)
				s, err := ConfigSnippet(h, k, o)
				is.NoErr(err)
				changes, err := Install(h, o)
				is.NoErr(err)
				is.Equal(s.Path, changes[0].Path)
				is.Equal(s.Text, string(read(t, s.Path)))
				is.Equal(filepath.Ext(s.Path), "."+s.Language)
			})
		}
	}
}

func TestDiff(t *testing.T) {
	for _, tc := range []struct{ name, before, after, want string }{
		{"equal", "a\n", "a\n", ""},
		{"one line changed", "a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nX\nf\ng\nh\n", "--- f\n+++ f\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n"},
		{
			"two places", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "1\nX\n3\n4\n5\n6\n7\n8\n9\nY\n10\n",
			"--- f\n+++ f\n@@ -1,5 +1,5 @@\n 1\n-2\n+X\n 3\n 4\n 5\n@@ -7,4 +7,5 @@\n 7\n 8\n 9\n+Y\n 10\n",
		},
		{"no line end", "a", "a\nb", "--- f\n+++ f\n@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is.New(t).Equal(unifiedDiff("f", []byte(tc.before), []byte(tc.after)), tc.want)
		})
	}
	is := is.New(t)
	is.Equal(unifiedDiff("f", []byte("a\n"), nil), "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n")
}
