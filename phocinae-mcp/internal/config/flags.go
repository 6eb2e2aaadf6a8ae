package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/alecthomas/kong"
)

// Flags holds the settings every command shares, exactly as they were typed; nil and empty mean "not given".
//
// Tags: setting is the name in the configuration file; envs lists the environment names, strongest first; preset is the
// default as text; allowed completes the sentence "allowed: …". Values are checked by Resolve, not by kong, because the
// same check has to serve flag, environment and file.
type Flags struct {
	Config        *string  `setting:"config" group:"general" envs:"PHOCINAE_MCP_CONFIG,PHOCINAE_GUARD_CONFIG" placeholder:"FILE" allowed:"the path of a readable JSON file" help:"Configuration file (JSON)."`
	Transport     *string  `setting:"transport" group:"server" envs:"PHOCINAE_MCP_TRANSPORT" preset:"stdio" placeholder:"stdio|http" allowed:"stdio or http" help:"How clients reach the server."`
	Host          *string  `setting:"host" group:"server" envs:"PHOCINAE_MCP_HOST,PHOCINAE_MCP_HTTP_HOST" preset:"127.0.0.1" placeholder:"ADDR" allowed:"127.0.0.1, localhost or ::1" help:"Address to listen on (http); loopback only."`
	Port          *string  `setting:"port" group:"server" envs:"PHOCINAE_MCP_PORT,PHOCINAE_MCP_HTTP_PORT" preset:"8255" placeholder:"N" allowed:"0 to 65535 (0 picks a free one)" help:"Port to listen on (http)."`
	AllowHost     []string `setting:"allow_host" group:"server" envs:"PHOCINAE_MCP_ALLOW_HOST" sep:"none" placeholder:"NAME" allowed:"one host name: letters, digits, dots, hyphens and underscores, without a port" help:"Further Host and Origin name to accept (http); repeatable."`
	Server        *string  `setting:"server" group:"service" envs:"PHOCINAE_MCP_SERVER,PHOCINAE_GUARD_SERVER" preset:"http://127.0.0.1:8155" placeholder:"URL" allowed:"http:// or https:// with a host, no user info, no query" help:"P0 inference service."`
	AllowServer   []string `setting:"allow_server" group:"service" envs:"PHOCINAE_MCP_ALLOW_SERVER" sep:"none" placeholder:"URL" allowed:"http:// or https:// with a host, no user info, no query" help:"Service that the tools' server argument may name although it is not on loopback; repeatable."`
	Timeout       *string  `setting:"timeout" group:"service" envs:"PHOCINAE_MCP_TIMEOUT,PHOCINAE_GUARD_TIMEOUT" preset:"5" placeholder:"SECONDS" allowed:"seconds (5, 2.5) or a duration (800ms, 1m), from 0.1s to 120s" help:"Longest wait for the service."`
	Guard         *string  `setting:"guard" group:"verdict" envs:"PHOCINAE_MCP_GUARD,PHOCINAE_MCP_GUARD_PATH,PHOCINAE_GUARD_TABLE,PHOCINAE_GUARD_PATH" placeholder:"PATH|none" allowed:"a table (JSON), the ancestor's guard.py or its folder, or none (needs --l1-enabled)" help:"The operator's table; none switches the deterministic table off."`
	L1Enabled     *Switch  `name:"l1-enabled" setting:"l1_enabled" group:"service" envs:"PHOCINAE_MCP_L1_ENABLED,PHOCINAE_GUARD_L1_ENABLED" preset:"false" allowed:"1, true, yes, on, 0, false, no or off" help:"Ask the service about commands the table leaves undecided."`
	Model         *string  `setting:"model" group:"service" envs:"PHOCINAE_MCP_MODEL,PHOCINAE_GUARD_MODEL" preset:"Phocinae-Largha-150M-v1" placeholder:"NAME" allowed:"a name of 1 to 200 visible characters, not blank" help:"Model name sent to the service."`
	FailClosed    *string  `setting:"fail_closed" group:"verdict" envs:"PHOCINAE_MCP_FAIL_CLOSED,PHOCINAE_GUARD_FAIL_CLOSED" preset:"deny" placeholder:"deny|ask" allowed:"deny or ask" help:"Answer for undecided commands while L1 is off. Failures are always deny."`
	NoulThreshold *string  `setting:"noul_threshold" group:"verdict" envs:"PHOCINAE_MCP_NOUL_THRESHOLD,PHOCINAE_GUARD_NOUL_THRESHOLD" preset:"0.65" placeholder:"P" allowed:"above 0.5, at most 1" help:"Probability from which the first answer counts as true."`
	AskAt         *string  `setting:"ask_at" group:"verdict" envs:"PHOCINAE_MCP_ASK_AT,PHOCINAE_GUARD_ASK_AT" preset:"4" placeholder:"SCORE" allowed:"2 to 10, not above deny_at" help:"Risk score from which a person is asked."`
	DenyAt        *string  `setting:"deny_at" group:"verdict" envs:"PHOCINAE_MCP_DENY_AT,PHOCINAE_GUARD_DENY_AT" preset:"7" placeholder:"SCORE" allowed:"2 to 10, not below ask_at" help:"Risk score from which the answer is deny."`
	Rate          *string  `setting:"rate" group:"service" envs:"PHOCINAE_MCP_RATE" preset:"50" placeholder:"N" allowed:"above 0, at most 100000" help:"Requests a second towards the service."`
	Burst         *string  `setting:"burst" group:"service" envs:"PHOCINAE_MCP_BURST" preset:"100" placeholder:"N" allowed:"1 to 100000" help:"Requests that may exceed the rate at once."`
	Confirm       *string  `name:"confirm-timeout" setting:"confirm_timeout" group:"confirm" envs:"PHOCINAE_MCP_CONFIRM_TIMEOUT" preset:"50" placeholder:"SECONDS" allowed:"seconds or a duration, from 0.1s to 600s" help:"Longest wait for a person on clients of older protocol revisions."`
	StateDir      *string  `setting:"state_dir" group:"confirm" envs:"PHOCINAE_MCP_STATE_DIR" placeholder:"DIR" allowed:"an absolute path" help:"Folder of used confirmations, shared by processes with one state key (default: the user's state folder)."`
	StateKeyFile  *string  `setting:"state_key_file" group:"confirm" envs:"PHOCINAE_MCP_STATE_KEY_FILE" placeholder:"FILE" allowed:"a file that others cannot read, holding keys of at least 32 bytes in base64 or hex" help:"File with the confirmation keys (instead of PHOCINAE_MCP_STATE_KEY)."`
	Audit         *string  `setting:"audit" group:"audit" envs:"PHOCINAE_MCP_AUDIT,PHOCINAE_GUARD_AUDIT" placeholder:"PATH|off" allowed:"a file path or off" help:"Audit file (default: audit.jsonl in the user's state folder)."`
	AuditRequired *Switch  `setting:"audit_required" group:"audit" envs:"PHOCINAE_MCP_AUDIT_REQUIRED" preset:"false" allowed:"1, true, yes, on, 0, false, no or off" help:"Deny what cannot be recorded."`
	AuditRaw      *Switch  `setting:"audit_raw" group:"audit" envs:"PHOCINAE_MCP_AUDIT_RAW" preset:"false" allowed:"1, true, yes, on, 0, false, no or off" help:"Record commands without masking secrets."`
	AuditSync     *Switch  `setting:"audit_sync" group:"audit" envs:"PHOCINAE_MCP_AUDIT_SYNC" preset:"false" allowed:"1, true, yes, on, 0, false, no or off" help:"Flush every record to the disk."`
	AuditMaxSize  *string  `setting:"audit_max_size" group:"audit" envs:"PHOCINAE_MCP_AUDIT_MAX_SIZE" preset:"64" placeholder:"MIB" allowed:"0 (never) to 1048576 MiB" help:"Size in MiB from which the audit file is rotated."`
	AuditKeep     *string  `setting:"audit_keep" group:"audit" envs:"PHOCINAE_MCP_AUDIT_KEEP" preset:"0" placeholder:"N" allowed:"0 (all) to 100000" help:"Rotated audit files to keep."`
	AuditKeyFile  *string  `setting:"audit_key_file" group:"audit" envs:"PHOCINAE_MCP_AUDIT_KEY_FILE" placeholder:"FILE" allowed:"a file that others cannot read, holding a key of at least 32 bytes in base64 or hex" help:"File with the audit chain's key (instead of PHOCINAE_MCP_AUDIT_KEY)."`
	Lang          *string  `setting:"lang" group:"general" envs:"PHOCINAE_MCP_LANG" preset:"zh" placeholder:"zh|en" allowed:"zh or en" help:"Language of descriptions and forms; the reasons of rules are in English."`
	LogLevel      *string  `setting:"log_level" group:"general" envs:"PHOCINAE_MCP_LOG_LEVEL" preset:"info" placeholder:"LEVEL" allowed:"debug, info, warn or error" help:"Least important log line to write."`
	LogFormat     *string  `setting:"log_format" group:"general" envs:"PHOCINAE_MCP_LOG_FORMAT" preset:"text" placeholder:"text|json" allowed:"text or json" help:"Form of log lines."`
}

// Groups are the headings under which help shows the settings, behind a command's own flags.
func Groups() []kong.Group {
	return []kong.Group{
		{Key: "general", Title: "Settings of every command (here, in the environment as $NAME, or in the configuration file):"},
		{Key: "server", Title: "Settings, server:"},
		{Key: "service", Title: "Settings, inference service:"},
		{Key: "verdict", Title: "Settings, verdict:"},
		{Key: "confirm", Title: "Settings, confirmation:"},
		{Key: "audit", Title: "Settings, audit:"},
	}
}

// Switch is a boolean setting. The zero value means "not given"; on the command line a bare flag is on.
type Switch string

// IsBool tells kong that the flag needs no value.
func (*Switch) IsBool() bool { return true }

// Decode takes the value of --flag=value, or "true" for a bare flag.
func (s *Switch) Decode(ctx *kong.DecodeContext) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		*s = "true"
		return nil
	}
	token := ctx.Scan.Pop()
	switch value := token.Value.(type) {
	case string:
		*s = Switch(value)
	case bool:
		*s = Switch(fmt.Sprint(value))
	default:
		return errors.New("expected a truth value")
	}
	return nil
}

// Setting describes one setting for documents, completion and messages.
type Setting struct {
	Name    string   // in the configuration file
	Flag    string   // with its dashes
	Envs    []string // strongest first
	Default string   // empty when there is none
	Allowed string   // completes "allowed: …"
	Help    string
	Repeats bool // the flag may be given several times
	Bool    bool
	index   int
}

// Settings lists every setting in the order of Flags. The list and what it holds are shared; nobody may change them.
func Settings() []Setting { return settings() }

var settings = sync.OnceValue(func() []Setting {
	t := reflect.TypeFor[Flags]()
	out := make([]Setting, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		s := Setting{Repeats: f.Type.Kind() == reflect.Slice, Bool: f.Type == reflect.TypeFor[*Switch](), index: i}
		s.read(string(f.Tag))
		s.Flag = "--" + strings.ReplaceAll(s.Name, "_", "-")
		out = append(out, s)
	}
	return out
})

// read takes the values of a field's tag in one pass; StructTag.Get would look through the whole tag for each of them, at
// every start. They hold neither quotes nor backslashes, which a test sees to.
func (s *Setting) read(tag string) {
	for {
		key, rest, ok := strings.Cut(strings.TrimLeft(tag, " "), `:"`)
		if !ok {
			return
		}
		var value string
		value, tag, _ = strings.Cut(rest, `"`)
		switch key {
		case "setting":
			s.Name = value
		case "preset":
			s.Default = value
		case "allowed":
			s.Allowed = value
		case "help":
			s.Help = value
		case "envs":
			s.Envs = strings.Split(value, ",")
		}
	}
}

// typed returns the values given on the command line for setting s.
func (f *Flags) typed(s *Setting) []string {
	switch v := reflect.ValueOf(f).Elem().Field(s.index).Interface().(type) {
	case *string:
		if v != nil {
			return []string{*v}
		}
	case *Switch:
		if v != nil {
			return []string{string(*v)}
		}
	case []string:
		return v
	}
	return nil
}

// HelpText is the help formatter of the program: it adds the default and the environment names to each setting.
func HelpText(v *kong.Value) string {
	text := strings.TrimSuffix(v.Help, ".")
	preset := v.Tag.Get("preset")
	if preset == "" {
		preset = v.Tag.Get("default") // of a command's own flag
	}
	if preset != "" && preset != "false" && preset != "withargs" {
		text += "; default " + preset
	}
	if envs := v.Tag.Get("envs"); envs != "" {
		text += " ($" + strings.ReplaceAll(envs, ",", ", $") + ")"
	}
	if text == "" {
		return ""
	}
	return text + "."
}
