package l0

// builtins are the shell builtins. Bash manual, "Shell Builtin Commands".
func builtins() Domain {
	sp := func(names string, s Special, operands string, o Options) Program {
		return Program{Names: names, Style: POSIX, Command: Command{Is: Builtin, Special: s, Operands: operands, Options: o}}
	}
	return Domain{Name: "builtins", Programs: []Program{
		{Names: ": true false", Style: Raw, Command: Command{Is: Reader, Operands: "word*"}},
		{Names: "break continue return exit logout", Style: Raw, Command: Command{Is: Reader, Operands: "word?"}},
		{Names: "shift", Style: Raw, Command: Command{Is: Reader, Special: Shift, Operands: "word?"}},
		sp("echo", Echo, "word*", Options{Read: "-n -e -E"}).raw(),
		sp("printf", Printf, "word*", Options{Read: "-v="}).raw(),
		sp("test", Test, "word*", Options{}).raw(),
		sp("[", Bracket, "word*", Options{}).raw(),
		sp("cd chdir pushd popd", ChangeDir, "name?", Options{Read: "-L -P -e -@ -n"}),
		{Names: "dirs", Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-l -p -v -#", Change: "-c"}}},
		{Names: "pwd", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-L -P --logical --physical"}}},
		{Names: "type", Style: POSIX, Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-a -f -t -p -P"}}},
		{Names: "which where", Style: POSIX, Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-a --all -s -i --read-alias --skip-alias --skip-dot --skip-tilde --show-dot --show-tilde --tty-only"}}},
		{Names: "whereis", Style: SingleDash, Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-b -m -s -u -B= -M= -S= -f -l -g"}}},
		{Names: "hash", Style: POSIX, Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-t -l", Change: "-p= -d -r"}}},
		{Names: "times", Style: POSIX, Command: Command{Is: Reader, Operands: "-"}},
		{Names: "jobs", Style: POSIX, Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-l -p -n -r -s", Run: "-x"}}},
		{Names: "wait", Style: POSIX, Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-n -f", Change: "-p="}}},
		{Names: "umask", Style: POSIX, Command: Command{Is: Reader, Operands: "set?", Options: Options{Read: "-S -p"}}},
		{Names: "ulimit", Style: POSIX, Command: Command{Is: Reader, Operands: "set?", Options: Options{Read: "-a -S -H -b -c -d -e -f -i -k -l -m -n -p -q -r -s -t -u -v -x -P -R -T"}}},
		{Names: "help", Style: POSIX, Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-d -m -s"}}},
		{Names: "shopt", Style: POSIX, Command: Command{Is: Reader, Operands: "set*", Options: Options{Read: "-p -q -o", Change: "-s -u"}}},
		{Names: "caller", Style: POSIX, Command: Command{Is: Reader, Operands: "word?"}},
		{Names: "compgen", Style: POSIX, Command: Command{Is: Reader, Special: CompGen, Operands: "word?", Options: Options{
			Read: "-a -b -c -d -e -f -g -j -k -s -u -v -A= -P= -S= -X= -o=", Run: "-C= -W= -F= -G=",
		}}},
		sp("eval", Eval, "word*", Options{}),
		sp("source .", Source, "file*", Options{}),
		sp("trap", Trap, "word*", Options{Read: "-l -p"}),
		sp("alias unalias", Alias, "word*", Options{Read: "-p", Change: "-a"}),
		sp("export declare local typeset readonly", Declare, "word*", Options{}).raw(),
		sp("set", SetOptions, "word*", Options{}).raw(),
		sp("read getopts", Read, "word*", Options{Read: "-r -s -e -a= -d= -i= -n= -N= -p= -t= -u="}),
		sp("mapfile readarray", Read, "word*", Options{Read: "-t -d= -n= -O= -s= -u= -c=", Run: "-C="}),
		sp("unset", Unset, "word*", Options{Read: "-v", Change: "-f -n"}),
		sp("let", Let, "word*", Options{}).raw(),
		{Names: "exec", Style: POSIX, Command: Command{Is: Wrapper, Special: Exec, Operands: "cmd*", Options: Options{Read: "-c -l -a="}}},
		{Names: "command", Style: POSIX, Command: Command{Is: Wrapper, Special: CommandName, Operands: "cmd*", Options: Options{Read: "-p -v -V"}}},
		{Names: "builtin", Style: POSIX, Command: Command{Is: Wrapper, Operands: "cmd*"}},
		{Names: "history", Command: Command{Is: Secrets, Operands: "word?", Options: Options{Change: "-c -d= -a -n -r -w -p -s"}, Why: "Earlier commands can hold secrets."}},
		{Names: "enable complete compopt bind fc suspend disown bg fg", Style: POSIX, Command: Command{Is: Writer, Operands: "word*", Why: "This changes the state of the shell."}},
	}, Rules: []Rule{
		{
			ID: "shell.history", Verdict: Deny, Why: "This rewrites the shell's history.", When: []Match{{Program: "history", Has: "-c|-w|-d"}},
			Yes: []string{"history -c", "history -cw"}, No: []string{"history", "history 5"},
		},
		{
			ID: "shell.history-off", Verdict: Deny, Why: "This keeps the commands that follow out of the shell's history.", Instead: "leave the history on: it shows what was done",
			Yes: []string{"unset HISTFILE", "HISTFILE=/dev/null", "export HISTFILE=", "HISTSIZE=0", "export HISTFILESIZE=0", "set +o history"}, No: []string{"HISTSIZE=5000", "echo $HISTFILE", "set -o pipefail"},
		},
		{ID: "shell.remote-endless", Verdict: Undecided, Why: "This changes an earlier command and runs it again.", When: []Match{{Program: "fc", Has: "-s|-e"}}, Yes: []string{"fc -s ls=rm"}, No: []string{"fc -l"}},
	}}
}

// raw makes every word an operand, leading listed options aside.
func (p Program) raw() Program {
	p.Style = Raw
	return p
}
