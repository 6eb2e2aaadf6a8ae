package config

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/alecthomas/kong"
	"github.com/matryer/is"
	"github.com/phocinae/phocinae-go/gatecore"
)

// resolve parses args like the program does and resolves them against env.
func resolve(t *testing.T, env map[string]string, args ...string) (*Config, error) {
	t.Helper()
	var flags Flags
	parser, err := kong.New(&flags, kong.Name("phocinae-mcp"), kong.ValueFormatter(HelpText))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Fatal(err)
	}
	return Resolve(&flags, Environment{
		Lookup:     func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Executable: env["EXE"],
		Home:       "/home/dev",
	})
}

func write(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEverySettingHasAParserAndItsTags(t *testing.T) {
	for _, s := range Settings() {
		t.Run(s.Name, func(t *testing.T) {
			is := is.New(t)
			is.True(s.Name == "config" || parsers[s.Name] != nil) // has a parser
			is.True(s.Help != "" && s.Allowed != "")              // says what it is and allows
			is.True(len(s.Envs) > 0)                              // every flag has a variable
			is.True(strings.HasPrefix(s.Envs[0], "PHOCINAE_MCP_"))
		})
	}
	is := is.New(t)
	is.Equal(len(parsers)+1, len(Settings())) // no parser without a setting
}

func TestFlagNamesFollowSettingNames(t *testing.T) {
	is := is.New(t)
	var flags Flags
	parser, err := kong.New(&flags)
	is.NoErr(err)
	names := map[string]bool{}
	for _, f := range parser.Model.Flags {
		names["--"+f.Name] = true
	}
	for _, s := range Settings() {
		is.True(names[s.Flag]) // kong knows the flag under this name
	}
}

func TestDefaults(t *testing.T) {
	is := is.New(t)
	cfg, err := resolve(t, nil)
	is.NoErr(err)
	is.Equal(cfg.Transport, "stdio")
	is.Equal(cfg.Host, "127.0.0.1")
	is.Equal(cfg.Port, 8255)
	is.Equal(cfg.Server, "http://127.0.0.1:8155")
	is.Equal(cfg.Timeout, 5*time.Second)
	is.Equal(cfg.L1, false)
	is.Equal(cfg.FailClosed, gatecore.Deny)
	is.Equal(cfg.Thresholds, gatecore.DefaultThresholds())
	is.Equal(cfg.ConfirmTimeout, 50*time.Second)
	is.Equal(cfg.Lang, "zh")
	is.Equal(cfg.Guard, Guard{})
	is.Equal(cfg.Audit.Path, "/home/dev/.local/state/phocinae-mcp/audit.jsonl")
	is.Equal(cfg.StateDir, "/home/dev/.local/state/phocinae-mcp/used")
	is.Equal(cfg.Rate, 50.0)
	is.Equal(cfg.Burst, 100)
}

func TestPrecedence(t *testing.T) {
	file := write(t, "c.json", `{"server":"http://127.0.0.1:4","timeout":4}`, 0o600)
	env := map[string]string{"PHOCINAE_GUARD_CONFIG": file}
	want := func(name, server string, args ...string) {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			cfg, err := resolve(t, env, args...)
			is.NoErr(err)
			is.Equal(cfg.Server, server)
		})
	}
	want("file beats default", "http://127.0.0.1:4")
	env["PHOCINAE_GUARD_SERVER"] = "http://127.0.0.1:3"
	want("guard name beats file", "http://127.0.0.1:3")
	env["PHOCINAE_MCP_SERVER"] = "http://127.0.0.1:2"
	want("mcp name beats guard name", "http://127.0.0.1:2")
	want("flag beats everything", "http://127.0.0.1:1", "--server", "http://127.0.0.1:1/v1/systemone")
	env["PHOCINAE_MCP_SERVER"] = ""
	want("an empty variable is not given", "http://127.0.0.1:3")
}

func TestAncestorNames(t *testing.T) {
	table := write(t, "table.json", `{}`, 0o600)
	for _, tt := range []struct {
		name, env, value string
		get              func(*Config) any
		want             any
	}{
		{"transport", "PHOCINAE_MCP_TRANSPORT", "http", func(c *Config) any { return c.Transport }, "http"},
		{"port", "PHOCINAE_MCP_HTTP_PORT", "9000", func(c *Config) any { return c.Port }, 9000},
		{"timeout", "PHOCINAE_MCP_TIMEOUT", "2.5", func(c *Config) any { return c.Timeout }, 2500 * time.Millisecond},
		{"guard timeout", "PHOCINAE_GUARD_TIMEOUT", "800ms", func(c *Config) any { return c.Timeout }, 800 * time.Millisecond},
		{"guard path", "PHOCINAE_MCP_GUARD_PATH", table, func(c *Config) any { return c.Guard.Path }, table},
		{"guard path of guard", "PHOCINAE_GUARD_PATH", table, func(c *Config) any { return c.Guard.Path }, table},
		{"guard table", "PHOCINAE_GUARD_TABLE", table, func(c *Config) any { return c.Guard.Path }, table},
		{"model", "PHOCINAE_MCP_MODEL", "m", func(c *Config) any { return c.Model }, "m"},
		{"noul", "PHOCINAE_GUARD_NOUL_THRESHOLD", "0.7", func(c *Config) any { return c.Thresholds.Noul }, 0.7},
		{"deny at", "PHOCINAE_GUARD_DENY_AT", "9.9", func(c *Config) any { return c.Thresholds.DenyAt }, 9.9},
		{"ask at", "PHOCINAE_GUARD_ASK_AT", "3", func(c *Config) any { return c.Thresholds.AskAt }, 3.0},
		{"fail closed", "PHOCINAE_GUARD_FAIL_CLOSED", "ask", func(c *Config) any { return c.FailClosed }, gatecore.Undecided},
		{"L1 on", "PHOCINAE_GUARD_L1_ENABLED", "ON", func(c *Config) any { return c.L1 }, true},
		{"L1 off with 0, which the ancestor read as on", "PHOCINAE_MCP_L1_ENABLED", "0", func(c *Config) any { return c.L1 }, false},
		{"audit off", "PHOCINAE_GUARD_AUDIT", "off", func(c *Config) any { return c.Audit.Path }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg, err := resolve(t, map[string]string{tt.env: tt.value})
			is.NoErr(err)
			is.Equal(tt.get(cfg), tt.want)
		})
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		args []string
		says []string // parts of the one line
	}{
		{"timeout too short", nil, []string{"--timeout", "0.05"}, []string{"--timeout", "0.05", "0.1s to 120s"}},
		{"timeout too long", map[string]string{"PHOCINAE_MCP_TIMEOUT": "3m"}, nil, []string{"PHOCINAE_MCP_TIMEOUT", "3m"}},
		{"timeout is NaN", nil, []string{"--timeout=NaN"}, []string{"--timeout"}},
		{"timeout is no number", nil, []string{"--timeout=soon"}, []string{"soon"}},
		{"truth value", map[string]string{"PHOCINAE_MCP_L1_ENABLED": "maybe"}, nil, []string{"PHOCINAE_MCP_L1_ENABLED", "maybe", "yes, on, 0"}},
		{"empty truth value", map[string]string{"PHOCINAE_MCP_L1_ENABLED": ""}, nil, []string{"PHOCINAE_MCP_L1_ENABLED"}},
		{"transport", nil, []string{"--transport=sse"}, []string{"--transport", "stdio or http"}},
		{"port", nil, []string{"--port=70000"}, []string{"--port", "65535"}},
		{"server with a secret", nil, []string{"--server=http://u:hunter2@127.0.0.1"}, []string{"--server", "user info"}},
		{"fail closed allow", nil, []string{"--fail-closed=allow"}, []string{"--fail-closed", "deny or ask"}},
		{"thresholds crossed", nil, []string{"--ask-at=8"}, []string{"--ask-at: 8 is above the 7 of --deny-at (default)"}},
		{"thresholds crossed by a variable", map[string]string{"PHOCINAE_GUARD_DENY_AT": "3"}, nil, []string{"--ask-at (default): 4 is above the 3 of PHOCINAE_GUARD_DENY_AT"}},
		{"noul threshold at a half", nil, []string{"--noul-threshold=0.5"}, []string{`--noul-threshold: "0.5" is out of range; allowed: above 0.5, at most 1`}},
		{"a threshold out of range in a variable", map[string]string{"PHOCINAE_MCP_DENY_AT": "11"}, nil, []string{`PHOCINAE_MCP_DENY_AT: "11" is out of range; allowed: 2 to 10`}},
		{"a threshold of zero", nil, []string{"--ask-at=0"}, []string{`--ask-at: "0" is out of range`}},
		{"guard none without L1", nil, []string{"--guard=none"}, []string{"--guard: none", "--l1-enabled"}},
		{"guard none without L1 in a variable", map[string]string{"PHOCINAE_MCP_GUARD": "none"}, nil, []string{"PHOCINAE_MCP_GUARD: none"}},
		{"L1 switched off by a variable", map[string]string{"PHOCINAE_MCP_L1_ENABLED": "off"}, []string{"--guard=none"}, []string{"L1 is off: PHOCINAE_MCP_L1_ENABLED"}},
		{"a truth value instead of an audit path", map[string]string{"PHOCINAE_GUARD_AUDIT": "false"}, nil, []string{`PHOCINAE_GUARD_AUDIT: "false" is neither off nor a path`}},
		{"two host names in one", nil, []string{"--allow-host=a.example,b.example"}, []string{"--allow-host", "one host name"}},
		{"a host name of dots", nil, []string{"--allow-host=.."}, []string{"--allow-host"}},
		{"a token too long", map[string]string{"PHOCINAE_MCP_HTTP_TOKEN": strings.Repeat("x", 4097)}, nil, []string{"PHOCINAE_MCP_HTTP_TOKEN", "4097 bytes long"}},
		{"a model name nobody sees", nil, []string{"--model=a\u200bb"}, []string{"--model"}},
		{"guard missing", nil, []string{"--guard=/nonexistent/t.json"}, []string{"--guard", "no such file"}},
		{"relative guard from a variable", map[string]string{"PHOCINAE_GUARD_PATH": "../phocinae-guard"}, nil, []string{"PHOCINAE_GUARD_PATH", "working directory"}},
		{"none is no table", map[string]string{"PHOCINAE_GUARD_TABLE": "none"}, []string{"--l1-enabled"}, []string{"PHOCINAE_GUARD_TABLE"}},
		{"model", nil, []string{"--model="}, []string{"--model"}},
		{"lang", nil, []string{"--lang=fr"}, []string{"zh or en"}},
		{"state key too short", map[string]string{"PHOCINAE_MCP_STATE_KEY": "c2hvcnQ="}, nil, []string{"PHOCINAE_MCP_STATE_KEY", "32"}},
		{"state key empty", map[string]string{"PHOCINAE_MCP_STATE_KEY": ""}, nil, []string{"PHOCINAE_MCP_STATE_KEY", "empty"}},
		{"http token empty", map[string]string{"PHOCINAE_MCP_HTTP_TOKEN": ""}, nil, []string{"PHOCINAE_MCP_HTTP_TOKEN"}},
		{"required audit that is off", nil, []string{"--audit=off", "--audit-required"}, []string{"--audit-required"}},
		{"config missing", nil, []string{"--config=/nonexistent.json"}, []string{"--config", "no such file"}},
		{"several at once", nil, []string{"--lang=fr", "--port=x", "--rate=0"}, []string{"--lang", "--port", "--rate"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			cfg, err := resolve(t, tt.env, tt.args...)
			is.True(cfg == nil)
			is.True(err != nil)
			problems, ok := errors.AsType[*Problems](err)
			is.True(ok)
			is.Equal(problems.ExitCode(), 3)
			is.True(!strings.Contains(err.Error(), "\n"))      // one line
			is.True(!strings.Contains(err.Error(), "hunter2")) // no secret
			for _, part := range tt.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
		})
	}
}

// TestNonsenseIsRefusedWhereverItComesFrom: blank, control characters and endless text are no value of any setting.
func TestNonsenseIsRefusedWhereverItComesFrom(t *testing.T) {
	for name, value := range map[string]string{
		"blank": " \t", "a line end": "a\nb", "a bell": "/a\ab", "too long": "/" + strings.Repeat("a", 4096),
	} {
		for _, s := range Settings() {
			t.Run(s.Name+" "+name, func(t *testing.T) {
				is := is.New(t)
				wants := func(where string, err error) {
					t.Helper()
					problems, ok := errors.AsType[*Problems](err)
					if !ok {
						t.Fatalf("%s: accepted", where)
					}
					is.Equal(len(problems.List), 1)
					is.Equal(problems.List[0].Where, where) // says where it came from
					is.Equal(problems.List[0].Allowed, s.Allowed)
					is.True(len(err.Error()) < 500)
					is.True(!strings.ContainsFunc(err.Error(), unicode.IsControl))
				}
				_, err := resolve(t, nil, s.Flag+"="+value)
				wants(s.Flag, err)
				if !s.Repeats || name == "too long" || name == "a bell" { // blanks and line ends separate there
					_, err = resolve(t, map[string]string{s.Envs[0]: value})
					wants(s.Envs[0], err)
				}
				if s.Name == "config" || s.Bool {
					return
				}
				text, err := json.Marshal(value)
				is.NoErr(err)
				if s.Repeats {
					text = []byte("[" + string(text) + "]")
				}
				path := write(t, "c.json", `{"`+s.Name+`":`+string(text)+`}`, 0o600)
				_, err = resolve(t, nil, "--config", path)
				wants(path+": "+s.Name, err)
			})
		}
	}
}

func TestAuditOffInAnyLetterCase(t *testing.T) {
	is := is.New(t)
	cfg, err := resolve(t, map[string]string{"PHOCINAE_MCP_AUDIT": "OFF"})
	is.NoErr(err)
	is.True(cfg.Audit.Off && cfg.Audit.Path == "") // no file of that name
}

func TestOnlyLoopbackIsBound(t *testing.T) {
	for _, host := range []string{"0.0.0.0", "::", "192.168.1.4", "example.org", "127.0.0.2", "LOCALHOST", ""} {
		t.Run("host "+host, func(t *testing.T) {
			is := is.New(t)
			_, err := resolve(t, nil, "--host="+host)
			problems, ok := errors.AsType[*Problems](err)
			is.True(ok)
			is.Equal(problems.ExitCode(), 2)
		})
	}
}

func TestConfigFileReportsEverything(t *testing.T) {
	is := is.New(t)
	path := write(t, "c.json", `{"tiemout":1,"port":"x","l1_enabled":"true","allow_server":"http://127.0.0.1:1","rate":[1]}`, 0o600)
	_, err := resolve(t, nil, "--config", path)
	problems, ok := errors.AsType[*Problems](err)
	is.True(ok)
	is.Equal(len(problems.List), 5)
}

// TestConfigFileSaysWhere: a person looks for lines and columns, not for bytes.
func TestConfigFileSaysWhere(t *testing.T) {
	for _, tt := range []struct{ name, text, says string }{
		{"a comma too many", "{\n  \"port\": 1,\n}", "line 2, column 12: "},
		{"a repeated member", "{\"lang\": \"zh\",\n \"lang\": \"en\"}", "line 2, column "},
		{"behind characters of more than a byte", `{"model": "模型" "lang": "zh"}`, "line 1, column 16: "},
		{"nothing at all", "", "line 1, column 1: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			path := write(t, "c.json", tt.text, 0o600)
			_, err := resolve(t, nil, "--config", path)
			is.True(err != nil)
			if !strings.HasPrefix(err.Error(), path+": "+tt.says) {
				t.Errorf("%q does not say %q", err, tt.says)
			}
			is.Equal(strings.Count(err.Error(), path), 1) // the file is named once
		})
	}
}

func TestConfigFileIsStrict(t *testing.T) {
	for _, tt := range []struct{ name, text string }{
		{"repeated member", `{"port":1,"port":2}`},
		{"array", `[]`},
		{"null", `null`},
		{"trailing text", `{} {}`},
		{"not UTF-8", "{\"model\":\"\xff\"}"},
		{"another letter case", `{"Port":1}`},
		{"empty", ``},
		{"null member", `{"port":null}`},
		{"empty list", `{"allow_server":[]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := resolve(t, nil, "--config", write(t, "c.json", tt.text, 0o600))
			is.True(err != nil)
		})
	}
}

func TestGuardSpellings(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	table := filepath.Join(dir, "l0_table.json")
	is.NoErr(os.WriteFile(table, []byte(`{}`), 0o600))
	is.NoErr(os.WriteFile(filepath.Join(dir, "guard.py"), []byte(`raise SystemExit`), 0o600))
	for _, path := range []string{table, dir, filepath.Join(dir, "guard.py")} {
		cfg, err := resolve(t, nil, "--guard", path)
		is.NoErr(err)
		is.Equal(cfg.Guard.Path, table)
	}
}

func TestGuardIsProbedBesideTheExecutableOnly(t *testing.T) {
	is := is.New(t)
	root := t.TempDir()
	is.NoErr(os.MkdirAll(filepath.Join(root, "bin"), 0o700))
	is.NoErr(os.MkdirAll(filepath.Join(root, "phocinae-guard"), 0o700))
	table := filepath.Join(root, "phocinae-guard", "l0_table.json")
	is.NoErr(os.WriteFile(table, []byte(`{}`), 0o600))
	exe := filepath.Join(root, "bin", "phocinae-mcp")

	cfg, err := resolve(t, map[string]string{"EXE": exe})
	is.NoErr(err)
	is.Equal(cfg.Guard.Path, table)

	// A working directory with the same layout must not count.
	t.Chdir(filepath.Join(root, "bin"))
	cfg, err = resolve(t, map[string]string{"EXE": filepath.Join(t.TempDir(), "bin", "phocinae-mcp")})
	is.NoErr(err)
	is.Equal(cfg.Guard.Path, "")
}

func TestKeys(t *testing.T) {
	raw := []byte("0123456789abcdef0123456789abcdef!!")
	is := is.New(t)
	keys, err := ParseKeys(hex.EncodeToString(raw) + ", " + base64.StdEncoding.EncodeToString(raw) + "\n" + base64.RawURLEncoding.EncodeToString(raw))
	is.NoErr(err)
	is.Equal(keys, [][]byte{raw, raw, raw})

	for _, text := range []string{"", " , ", hex.EncodeToString(raw[:31]), "not a key!", hex.EncodeToString(raw) + ",xx"} {
		_, err := ParseKeys(text)
		is.True(err != nil) // refused
	}
}

func TestKeyFiles(t *testing.T) {
	key := hex.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
	t.Run("a private file is taken", func(t *testing.T) {
		is := is.New(t)
		cfg, err := resolve(t, nil, "--state-key-file", write(t, "k", key+"\n", 0o600))
		is.NoErr(err)
		is.Equal(len(cfg.StateKeys), 1)
	})
	t.Run("a world-readable file stops the start", func(t *testing.T) {
		is := is.New(t)
		path := write(t, "k", key, 0o600)
		is.NoErr(os.Chmod(path, 0o644))
		_, err := resolve(t, nil, "--state-key-file", path)
		is.True(err != nil)
		is.True(!strings.Contains(err.Error(), key)) // the key is not shown
	})
	t.Run("variable and file together are ambiguous", func(t *testing.T) {
		is := is.New(t)
		_, err := resolve(t, map[string]string{"PHOCINAE_MCP_STATE_KEY": key}, "--state-key-file", write(t, "k", key, 0o600))
		is.True(err != nil)
	})
}

func TestGateFilesNameEverythingThatMattersToTheGate(t *testing.T) {
	is := is.New(t)
	c := &Config{File: "/etc/c.json", Guard: Guard{Path: "/etc/t.json"}, Audit: Audit{Path: "/v/a.jsonl", KeyFile: "/k/a"}, StateKeyFile: "/k/s", StateDir: "/v/used"}
	is.Equal(c.GateFiles("/bin/x"), []string{"/bin/x", "/etc/c.json", "/etc/t.json", "/phocinae-guard/l0_table.json", "/v/a.jsonl", "/k/a", "/k/s", "/v/used"})
	is.Equal(c.KeyFiles(), []string{"/k/a", "/k/s"})
}
