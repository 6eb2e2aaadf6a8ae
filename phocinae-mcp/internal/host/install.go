package host

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Options says what to install and how. Env and Exe are required.
type Options struct {
	Env   Env
	Exe   string // absolute path of this program, as the host will start it
	Kinds []Kind // what to install or remove; empty means all the host takes
	Scope Scope

	// OnFailureBlock asks Claude Code to block when the hook itself cannot start or times out. Versions before 2.1.295 may refuse the key, so it is never
	// the default.
	OnFailureBlock bool

	DryRun bool // compute the changes, write nothing
}

// Action is what happened, or would happen, to a file.
type Action uint8

// The actions. The zero value is invalid.
const (
	Unchanged Action = iota + 1
	Created
	Changed
	Removed
)

// String returns "unchanged", "created", "changed" or "removed".
func (a Action) String() string {
	switch a {
	case Unchanged:
		return "unchanged"
	case Created:
		return "created"
	case Changed:
		return "changed"
	case Removed:
		return "removed"
	}
	return "invalid"
}

// Change is one file of an installation.
type Change struct {
	Path   string
	Kinds  []Kind
	Action Action
	Before []byte // nil if there was no file
	After  []byte // nil if there is no file any more
	Backup string // where the bytes from before are; "" if there were none or nothing was written
}

// Diff returns the change as a unified diff, "" if there is none.
func (c Change) Diff() string { return unifiedDiff(c.Path, c.Before, c.After) }

// Install puts entries of o.Kinds into the files of h. All files are computed before the first is written. Errors: ErrNoPlace, ErrNotEditable,
// ErrChanged, and those of the file system.
func Install(h Host, o *Options) ([]Change, error) {
	if err := o.checkExe(); err != nil {
		return nil, err
	}
	return o.run(h, func(p place, k Kind, data []byte) ([]byte, error) { return installInto(p, h, k, data, o) }, false)
}

// Uninstall takes our entries of o.Kinds out of the files of h, wherever the program stood when they were written. A file that install created
// and nobody else touched is deleted; one that nobody touched since gets its old bytes back.
func Uninstall(h Host, o *Options) ([]Change, error) {
	return o.run(h, func(p place, k Kind, data []byte) ([]byte, error) { return uninstallFrom(p, h, k, data, o) }, true)
}

func installInto(p place, h Host, k Kind, data []byte, o *Options) ([]byte, error) {
	switch {
	case k == Hook:
		return installHook(data, h, o)
	case p.format == tomlFormat:
		return installTOML(data, o)
	case p.format == yamlFormat:
		return installYAML(data, o)
	}
	return installMCP(data, h, o)
}

func uninstallFrom(p place, h Host, k Kind, data []byte, o *Options) ([]byte, error) {
	switch {
	case k == Hook:
		return uninstallHook(data, h, o)
	case p.format == tomlFormat:
		return uninstallTOML(data)
	case p.format == yamlFormat:
		return uninstallYAML(data)
	}
	return uninstallMCP(data, h, o)
}

// kinds returns what to work on, checked against what the host takes.
func (o *Options) kinds(h Host) ([]Kind, error) {
	if _, known := names[h]; !known {
		return nil, ErrUnknownHost
	}
	if len(o.Kinds) > 0 {
		for _, k := range o.Kinds {
			if !h.Has(k) {
				return nil, fmt.Errorf("%w: %s has no %s", ErrNoPlace, h, k)
			}
		}
		return o.Kinds, nil
	}
	var all []Kind
	for _, k := range []Kind{Hook, MCP} {
		if _, err := locate(h, k, o.Scope, o.Env); err == nil {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoPlace, h)
	}
	return all, nil
}

type editFunc func(place, Kind, []byte) ([]byte, error)

// run plans and, unless it is a dry run, writes.
func (o *Options) run(h Host, edit editFunc, removing bool) ([]Change, error) {
	kinds, err := o.kinds(h)
	if err != nil {
		return nil, err
	}
	changes, err := o.plan(h, kinds, edit)
	if err != nil {
		return nil, err
	}
	if removing {
		for i := range changes {
			o.restore(h, &changes[i])
		}
	}
	if o.DryRun {
		return changes, nil
	}
	return changes, o.write(h, changes, removing)
}

func (o *Options) plan(h Host, kinds []Kind, edit editFunc) ([]Change, error) {
	var changes []Change
	index := map[string]int{}
	for _, k := range kinds {
		p, err := locate(h, k, o.Scope, o.Env)
		if err != nil {
			return nil, err
		}
		i, seen := index[p.path]
		if !seen {
			data, exists, err := readConfig(p.path)
			if err != nil {
				return nil, err
			}
			if exists && data == nil {
				data = []byte{}
			}
			i = len(changes)
			index[p.path] = i
			changes = append(changes, Change{Path: p.path, Before: data, After: data})
		}
		c := &changes[i]
		c.Kinds = append(c.Kinds, k)
		after, err := edit(p, k, c.After)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrNotEditable, p.path, err)
		}
		c.After = after
	}
	for i := range changes {
		changes[i].Action = actionOf(changes[i])
	}
	return changes, nil
}

func actionOf(c Change) Action {
	switch {
	case c.Before == nil && c.After == nil, c.Before != nil && c.After != nil && bytes.Equal(c.Before, c.After):
		return Unchanged
	case c.Before == nil:
		return Created
	case c.After == nil:
		return Removed
	}
	return Changed
}

// restore looks whether installing into the backup, or into nothing, gives exactly the file as it is: then that is what the file was.
func (o *Options) restore(h Host, c *Change) {
	if c.Action == Unchanged {
		return
	}
	candidates := [][]byte{nil}
	if old := readBackup(c.Path); old != nil {
		candidates = [][]byte{old, nil}
	}
	for _, old := range candidates {
		if o.gives(h, c, old) {
			c.After = old
			c.Action = actionOf(*c)
			return
		}
	}
}

// gives reports that installing c's kinds into old, which holds nothing of ours, makes c.Before. Any path of the program that stands in the file will
// do, and both settings of OnFailureBlock.
func (o *Options) gives(h Host, c *Change, old []byte) bool {
	for _, exe := range o.installedPaths(h, c) {
		for _, block := range []bool{false, true} {
			trial := *o
			trial.Exe, trial.OnFailureBlock = exe, block
			data := old
			for _, k := range c.Kinds {
				p, err := locate(h, k, o.Scope, o.Env)
				if err != nil {
					return false
				}
				clean, err := uninstallFrom(p, h, k, data, &trial)
				if err != nil || !bytes.Equal(clean, data) {
					return false
				}
				if data, err = installInto(p, h, k, data, &trial); err != nil {
					return false
				}
			}
			if bytes.Equal(data, c.Before) {
				return true
			}
		}
	}
	return false
}

// installedPaths lists the program paths in the file's entries of ours.
func (o *Options) installedPaths(h Host, c *Change) []string {
	var paths []string
	for _, k := range c.Kinds {
		p, err := locate(h, k, o.Scope, o.Env)
		if err != nil {
			continue
		}
		if e, ok := entryIn(p, h, k, c.Before, o); ok {
			paths = append(paths, e.Exe)
		}
	}
	return paths
}

// write carries the changes out, and takes them back if one fails.
func (o *Options) write(h Host, changes []Change, removing bool) error {
	mode := fs.FileMode(0o600)
	if o.Scope == Project {
		mode = 0o644
	}
	for i := range changes {
		c := &changes[i]
		if c.Action == Unchanged {
			continue
		}
		if err := o.writeOne(h, c, removing, mode); err != nil {
			return errors.Join(err, undo(changes[:i], mode))
		}
	}
	return nil
}

func (o *Options) writeOne(h Host, c *Change, removing bool, mode fs.FileMode) error {
	if c.Action == Removed {
		return remove1(c)
	}
	restored := false
	if c.Before != nil {
		old := readBackup(c.Path)
		restored = removing && old != nil && bytes.Equal(old, c.After)
		if !restored {
			name, err := backup(c.Path, c.Before, o.holdsOurs(h, c.Before))
			if err != nil {
				return fmt.Errorf("host: backup: %w", err)
			}
			c.Backup = name
		}
	}
	if err := writeConfig(c.Path, c.Before, c.After, c.Before != nil, mode); err != nil {
		return err
	}
	if restored {
		dropBackup(c.Path)
	}
	return nil
}

// holdsOurs reports that data already holds an entry of ours, so that the backup beside it is from before our first change.
func (o *Options) holdsOurs(h Host, data []byte) bool {
	for _, k := range []Kind{Hook, MCP} {
		p, err := locate(h, k, o.Scope, o.Env)
		if err != nil {
			continue
		}
		if _, ok := entryIn(p, h, k, data, o); ok {
			return true
		}
	}
	return false
}

// remove1 deletes a file that holds nothing but ours.
func remove1(c *Change) error {
	now, _, err := readConfig(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.Before) {
		return fmt.Errorf("%w: %s", ErrChanged, c.Path)
	}
	dropBackup(c.Path)
	return os.Remove(c.Path)
}

// undo puts back the files written so far.
func undo(changes []Change, mode fs.FileMode) error {
	var errs []error
	for _, c := range changes {
		switch c.Action {
		case Created:
			errs = append(errs, os.Remove(c.Path))
		case Changed, Removed:
			errs = append(errs, writeConfig(c.Path, c.After, c.Before, c.After != nil, mode))
		}
	}
	return errors.Join(errs...)
}
