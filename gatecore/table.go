package gatecore

import (
	"errors"
	"os"
)

// ErrTable reports an operator's table that cannot be used.
var ErrTable = errors.New("gatecore: table")

// Table is an operator's table, read and checked. It never changes after loading.
type Table struct{}

// ParseTable reads a table from JSON. All problems come in one error.
func ParseTable(data []byte) (*Table, error) { return &Table{}, nil }

// LoadTable reads a table from a file. All problems come in one error.
func LoadTable(path string) (*Table, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseTable(data)
}
