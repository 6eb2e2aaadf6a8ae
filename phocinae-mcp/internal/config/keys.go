package config

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode"
)

// MinKeyBytes is the least length of a confirmation or audit key.
const MinKeyBytes = 32

// Secret names of the environment. They have no flag: a command line is readable by other processes.
const (
	envStateKey    = "PHOCINAE_MCP_STATE_KEY"
	envAuditKey    = "PHOCINAE_MCP_AUDIT_KEY"
	envHTTPToken   = "PHOCINAE_MCP_HTTP_TOKEN"
	envServerToken = "PHOCINAE_MCP_SERVER_TOKEN"
)

// SecretEnvs lists the variables that carry secrets, with what they are for.
func SecretEnvs() [][2]string {
	return [][2]string{
		{envStateKey, "confirmation keys, base64 or hex, at least 32 bytes each, separated by commas; the first seals, all open"},
		{envAuditKey, "key of the audit chain, base64 or hex, at least 32 bytes"},
		{envHTTPToken, "bearer token that HTTP clients must send"},
		{envServerToken, "bearer token sent to the inference service named by --server"},
	}
}

// readSecrets takes keys and tokens from the environment and from the key files. No message ever shows a value.
func readSecrets(cfg *Config, env *Environment, problems *Problems) {
	if keys, where, err := keysFrom(env, envStateKey, cfg.StateKeyFile); err != nil {
		problems.add(where, "keys of at least 32 bytes in base64 or hex, separated by commas", "%v", err)
	} else {
		cfg.StateKeys = keys
	}
	keys, where, err := keysFrom(env, envAuditKey, cfg.Audit.KeyFile)
	switch {
	case err != nil:
		problems.add(where, "one key of at least 32 bytes in base64 or hex", "%v", err)
	case len(keys) > 1:
		problems.add(where, "one key of at least 32 bytes in base64 or hex", "several keys")
	case len(keys) == 1:
		cfg.Audit.Key = keys[0]
	}
	cfg.HTTPToken = token(env, envHTTPToken, problems)
	cfg.ServerToken = token(env, envServerToken, problems)
}

// keysFrom reads keys from the variable or, failing that, from the file. No source at all is no error.
func keysFrom(env *Environment, name, file string) (keys [][]byte, where string, err error) {
	if text, ok := env.Lookup(name); ok {
		if file != "" {
			return nil, name, errors.New("given both as a variable and as a file")
		}
		keys, err = ParseKeys(text)
		return keys, name, err
	}
	if file == "" {
		return nil, "", nil
	}
	if err := private(file); err != nil {
		return nil, file, err
	}
	data, _, err := slurp(file)
	if err != nil {
		return nil, file, err
	}
	keys, err = ParseKeys(string(data))
	return keys, file, err
}

// private refuses a key file that other users can read. Windows has no such bits.
func private(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return cause(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o007 != 0 {
		return fmt.Errorf("mode %04o lets other users reach the key; run chmod 600", info.Mode().Perm())
	}
	return nil
}

// ParseKeys reads a list of keys separated by commas or blanks. Text made only of hex digits is hex, everything else is
// base64 (standard or URL alphabet, padded or not). An empty list is an error.
func ParseKeys(text string) ([][]byte, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(words) == 0 {
		return nil, errors.New("the key is empty")
	}
	keys := make([][]byte, 0, len(words))
	for i, word := range words {
		key, err := parseKey(word)
		if err != nil {
			return nil, fmt.Errorf("key %d of %d: %w", i+1, len(words), err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func parseKey(word string) ([]byte, error) {
	key, err := hex.DecodeString(word)
	if err != nil {
		plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(word, "="))
		key, err = base64.RawStdEncoding.Strict().DecodeString(plain)
	}
	switch {
	case err != nil:
		return nil, errors.New("neither base64 nor hex")
	case len(key) < MinKeyBytes:
		return nil, fmt.Errorf("%d bytes are too few", len(key))
	}
	return key, nil
}

func token(env *Environment, name string, problems *Problems) string {
	value, ok := env.Lookup(name)
	if !ok {
		return ""
	}
	const longest = 4096
	if len(value) > longest {
		problems.add(name, fmt.Sprintf("1 to %d visible ASCII characters without blanks", longest), "the token is %d bytes long", len(value))
		return ""
	}
	if value == "" || strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
		problems.add(name, "visible ASCII characters without blanks", "the token is empty or has other characters")
		return ""
	}
	return value
}
