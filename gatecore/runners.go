package gatecore

import (
	"strings"
)

// An operator who lists a runner knows what it runs by itself. Options and words behind it that make it run something
// else (a plugin, a configuration, another directory's files, a variable of a make file) are judged as ever.

// runsOther lists such options by program; those that are listed with their effect in the table are not repeated.
var runsOther = map[string]string{
	"pytest":  ofPytest + " --result-log --runpytest",
	"py.test": ofPytest,
	"go":      "-C -c -o -exec -toolexec -ldflags -gcflags -asmflags -gccgoflags -mod -modfile -overlay -pkgdir -compiler -installsuffix -modcacherw -workfile",
	"cargo":   "--manifest-path --target-dir --config -Z -C --lockfile-path --artifact-dir",
	"npm":     "--prefix -C --script-shell --node-options --userconfig --globalconfig --git --editor --shell --init-module",
	"pnpm":    "--prefix -C --dir --script-shell --node-options --config",
	"yarn":    "--cwd --script-shell --use-yarnrc",
	"mvn":     "-f --file -s --settings -gs -t --toolchains",
	"gradle":  "-I --init-script -b --build-file -c --settings-file -p --project-dir -g --gradle-user-home --include-build",
}

const ofPytest = "-p -c -o --rootdir --override-ini --confcutdir --pdb --pdbcls --trace --import-mode --pyargs --junitxml --junit-xml --log-file --basetemp --cache-clear --debug"

// otherFragments are parts of names of long options that bring in code, configuration or files in any runner.
var otherFragments = []string{
	"config", "plugin", "require", "import", "loader", "exec", "eval", "shell", "script", "hook", "parser", "resolver", "transform", "reporter", "interpreter", "command",
	"pdb", "debugger", "setup", "preset", "rulesdir", "rootdir", "root-dir", "prefix", "directory", "-dir", "file", "outdir", "output", "extension", "environment", "runner", "include-path", "library", "module-path", "bootstrap",
}

// otherCode reports an option behind a runner that makes it run or write something that the operator did not list.
func otherCode(prog, name string) bool {
	if name == "--fix" || name == "--write" || name == "--update" || name == "-u" || strings.HasPrefix(name, "--update-snapshot") || name == "--updateSnapshot" {
		return true
	}
	for o := range strings.FieldsSeq(runsOther[prog]) {
		if o == name {
			return true
		}
	}
	if !strings.HasPrefix(name, "--") {
		return prog != "go" && runsOther[prog] == "" && strings.Contains(" -c -C -f -I -o -r -p -e -R ", " "+name+" ")
	}
	low := strings.ToLower(name)
	if strings.Contains(low, "profile") && !strings.Contains(low, "profiler") || strings.HasPrefix(low, "--no-") || low == "--output-format" {
		return false
	}
	for _, f := range otherFragments {
		if strings.Contains(low, f) {
			return true
		}
	}
	return false
}

// takesVariables are runners that take variables of their recipes as words.
var takesVariables = map[string]bool{"make": true, "gmake": true, "bmake": true, "just": true, "task": true, "rake": true}

// behindRunner judges the words behind the n that the operator listed.
func (j *judge) behindRunner(sc *scope, prog string, ws []word, n int) {
	for i := n; i < len(ws); i++ {
		w := &ws[i]
		name, value, valued := strings.Cut(w.text, "=")
		other := valued && takesVariables[prog]
		if strings.HasPrefix(name, "-") && name != "-" && name != "--" {
			long := strings.HasPrefix(name, "--") || prog == "go"
			other = otherCode(prog, name) || !long && len(name) > 2 && otherCode(prog, name[:2]) || takesVariables[prog] && makesOther(name)
		}
		if !other {
			continue
		}
		j.fire(ruleOptRun, w.start, w.end)
		if valued {
			t := tail(w, len(name)+1)
			j.denyOnly(sc, value, &t)
		}
	}
}

// makesOther reports options of make that name another make file or directory, or hold recipes.
func makesOther(name string) bool {
	if !strings.HasPrefix(name, "--") {
		return strings.ContainsAny(name, "fCIEoW")
	}
	for _, o := range [...]string{"--file", "--makefile", "--directory", "--include-dir", "--eval", "--old-file", "--assume", "--what-if", "--new-file"} {
		if strings.HasPrefix(o, name) || strings.HasPrefix(name, o) {
			return true
		}
	}
	return false
}
