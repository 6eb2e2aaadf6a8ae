package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestSettingsAreWhatTheTagsSay holds the reading of tags to the standard library's.
func TestSettingsAreWhatTheTagsSay(t *testing.T) {
	is := is.New(t)
	flags := reflect.TypeFor[Flags]()
	is.Equal(len(Settings()), flags.NumField())
	for i, s := range Settings() {
		tag := flags.Field(i).Tag
		var envs []string
		if v := tag.Get("envs"); v != "" {
			envs = strings.Split(v, ",")
		}
		is.Equal(s.Name, tag.Get("setting"))
		is.Equal(s.Default, tag.Get("preset"))
		is.Equal(s.Allowed, tag.Get("allowed"))
		is.Equal(s.Help, tag.Get("help"))
		is.Equal(s.Envs, envs)
	}
}
