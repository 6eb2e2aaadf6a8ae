package host

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// backupSuffix is added to a file's name for the bytes from before our first change.
const backupSuffix = ".phocinae-mcp.bak"

// ErrChanged reports a file that somebody else wrote between reading and writing. Nothing was written; try again.
var ErrChanged = errors.New("host: the file changed meanwhile")

// ErrNotEditable reports a file that does not parse or holds something this package will not touch. Nothing was written.
var ErrNotEditable = errors.New("host: the file cannot be edited safely")

// readConfig returns a file's bytes; exists is false if there is none.
func readConfig(path string) (data []byte, exists bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return nil, false, fmt.Errorf("%w: %s is a symbolic link to nothing", ErrNotEditable, path)
		}
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case !info.Mode().IsRegular():
		return nil, false, fmt.Errorf("%w: %s is not a regular file", ErrNotEditable, path)
	case info.Size() > maxFile:
		return nil, false, fmt.Errorf("%w: %s is larger than %d bytes", ErrNotEditable, path, maxFile)
	}
	data, err = os.ReadFile(path)
	return data, err == nil, err
}

// writeConfig replaces the file's bytes in one step; the file must still be as it was read.
func writeConfig(path string, before, after []byte, existed bool, mode fs.FileMode) error {
	target := path
	if existed {
		var err error
		if target, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
		info, err := os.Stat(target)
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
	} else if err := os.MkdirAll(filepath.Dir(path), mode|(mode&0o444)>>2); err != nil {
		return err // who may read the file may enter its directory
	}
	now, exists, err := readConfig(path)
	if err != nil {
		return err
	}
	if exists != existed || !bytes.Equal(now, before) {
		return fmt.Errorf("%w: %s", ErrChanged, path)
	}
	return replaceFile(target, after, mode)
}

// replaceFile writes data beside path and renames it over path.
func replaceFile(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()           // may be closed already
			_ = os.Remove(f.Name()) // the error that counts is err
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// backup keeps the bytes from before. One that is there from before our first change is the better one and stays.
func backup(path string, before []byte, keep bool) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	name := target + backupSuffix
	if _, err := os.Lstat(name); err == nil && keep {
		return name, nil
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", err
	}
	return name, replaceFile(name, before, info.Mode().Perm())
}

// readBackup returns the bytes of the backup, nil if there is none.
func readBackup(path string) []byte {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	data, exists, err := readConfig(target + backupSuffix)
	if err != nil || !exists {
		return nil
	}
	if data == nil {
		data = []byte{}
	}
	return data
}

func dropBackup(path string) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		_ = os.Remove(target + backupSuffix) // a leftover harms nobody
	}
}
