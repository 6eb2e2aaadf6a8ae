package l0

// shells and interpreters of other languages, from their manuals.
func shells() Domain {
	const editorWaits = "It waits for a person at a terminal; use cat, head or sed -n instead."
	shell := Options{
		Read:   "-c -l -e -u -x -v -n -f -a -b -h -k -m -p -B -C -E -H -P -T -s --login --norc --noprofile --posix --noediting --verbose -o= +e +u +x +o= +O= --noprofile --restricted -r --no-rcs --no-globalrcs --emulate=",
		Run:    "--rcfile= --init-file= -O= -D --debugger --dump-strings",
		Change: "-t", Interact: "-i --interactive", Help: "--version --help",
	}
	denoOptions := Options{Read: "--quiet -q --allow-* -A -R? -W? -N? -E? -S? --no-* --watch? --ext= --reload? -r? --lock? --frozen? --unstable* --check? --seed= --location= --log-level= -L= -p --print -T", Run: "--preload= --require= --inspect? --inspect-brk?", Config: "--config= -c= --import-map= --env-file? --cert=", Help: "-v -V --version -h"}
	bunOptions := Options{Read: "--quiet -q --silent --bun -b --watch --hot --smol --if-present", Run: "-r= --preload= --require= --inspect?", Config: "--config= -c= --env-file= --import-map= --cwd=", Code: "-e= --eval= -p= --print=", Help: "-v -V --version -h"}
	interp := func(names string, lang Language, o Options) Program {
		return Program{Names: names, Style: POSIX, Language: lang, Command: Command{Is: Interpreter, Operands: "file word*", Options: o, Special: Plain}}
	}
	return Domain{Name: "shells", Programs: []Program{
		{Names: "sh bash dash ash zsh ksh mksh rbash", Style: POSIX, Language: ShellText, Command: Command{Is: Shell, Operands: "word*", Options: shell}},
		{Names: "fish csh tcsh elvish nu xonsh rc yash osh ysh", Style: POSIX, Language: OtherLanguage, Command: Command{
			Is: Shell, Operands: "word*",
			Options: Options{Read: "-c -l --login -n -f -e -N --no-config --private -P", Shell: "--command= -C= --init-command=", Interact: "-i --interactive", Help: "--version --help -v"},
			Why:     "This shell reads its text by other rules than bash.",
		}},
		interp("python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 ipython", Python, Options{
			Read: "-b -B -d -E -h -I -O -OO -P -q -R -s -S -u -v -x -bb -vv", Change: "-i", Run: "-m= -W= -X= --check-hash-based-pycs=", Code: "-c=", Help: "--version -V -VV -h --help-all --help-env --help-xoptions",
		}),
		interp("perl", Perl, Options{
			Read: "-n -p -l? -a -w -W -X -F= -0? -s -S -t -T -u -U -c -C? -g -f", Change: "-i?", Run: "-M= -m= -I= -x? -d? -D?", Code: "-e= -E=", Help: "-v -V --version -h",
		}),
		interp("ruby jruby irb", Ruby, Options{
			Prints: "-c", Read: "-n -p -l -a -w -W? -v -s -S -T? -U -y -0? -F= -K= -E= --encoding= --disable= --enable= --yjit --jit --verbose", Change: "-i?", Run: "-r= -I= -C= -x? --require=", Code: "-e=", Help: "--version -v -h --copyright",
		}),
		interp("node nodejs", JavaScript, Options{
			Prints: "-c --check", Read: "-i --interactive --no-warnings --trace-warnings --max-old-space-size= --input-type= --experimental-* --harmony* --stack-trace-limit= --enable-source-maps --test --watch --unhandled-rejections= --",
			Run: "-r= --require= --import= --loader= --experimental-loader= --experimental-config-file= --experimental-default-config-file --experimental-sea-config= --experimental-policy= --env-file= --inspect? --inspect-brk?", Code: "-e= --eval= -p= --print= -pe=", Help: "-v --version -h",
		}),
		{Names: "deno", Style: POSIX, Language: JavaScript, Command: Command{Is: Interpreter, Operands: "file word*", Options: denoOptions}, Commands: []Command{
			{Path: "run, serve, test, bench, compile", Is: Interpreter, Operands: "file word*", Options: denoOptions},
			{Path: "eval", Is: Interpreter, Operands: "code word*", Options: denoOptions},
			{Path: "fmt, lint, check, task, install, uninstall, add, remove, cache, doc, info, init, coverage, publish, upgrade, repl, jupyter, types, outdated, update, bundle, vendor, x", Is: Writer, Why: "It changes files or runs code of the workspace."},
		}},
		{Names: "bun", Style: POSIX, Language: JavaScript, Command: Command{Is: Interpreter, Operands: "file word*", Options: bunOptions}, Commands: []Command{
			{Path: "run, test, build", Is: Interpreter, Operands: "file word*", Options: bunOptions},
			{Path: "exec", Is: Interpreter, Language: ShellText, Operands: "shell", Options: bunOptions},
			{Path: "pm ls, pm bin, pm hash", Is: Reader, Operands: "-", Options: Options{Read: "-a --all -g --global"}},
			{Path: "x", Is: PackageRunner, Operands: "cmd", Options: Options{Read: "--bun --silent --verbose -y", Config: "-p= --package="}},
			{Path: "install, i, add, a, remove, rm, update, link, unlink, pm, pm cache, outdated, audit, publish, patch, upgrade, create, c, init, repl, info, why", Is: Writer, Why: "It changes installed packages or files."},
		}},
		interp("php", PHP, Options{Prints: "-l", Read: "-n -q -C -H -w", Run: "-z= -d= -c= -S= -t= -F= -R= -B= -E=", Code: "-r=", CodeFile: "-f=", Help: "-v --version -i -m -h --ini"}),
		interp("lua lua5.1 lua5.2 lua5.3 lua5.4 luajit", Lua, Options{Read: "-i -v -E -W", Run: "-l=", Code: "-e=", Help: "-v"}),
		interp("Rscript R r julia groovy scala elixir iex erl ghci runghc runhaskell ocaml swift kotlin kotlinc raku swipl octave gjs", OtherLanguage, Options{
			Read: "--vanilla --slave --no-save --quiet -q -s --no-restore", Run: "-l= -m=", Code: "-e= -E= --eval= -g= -c= --execute=", Help: "--version -version -v",
		}),
		interp("tclsh wish jimsh expect", Tcl, Options{Read: "-d -i -n -N -b -D=", Code: "-c=", CodeFile: "-f=", Help: "-v"}),
		interp("guile racket sbcl clojure clj csi gosh", Lisp, Options{Read: "-q -n --no-userinit --no-sysinit --non-interactive --noinform --quiet", Run: "-l= -m= --load=", Code: "-c= -e= --eval= --exec=", CodeFile: "-f= -s= --script=", Help: "-v"}),
		interp("osascript", AppleScript, Options{Read: "-l= -s= -i", Code: "-e="}),
		{Names: "emacs emacsclient", Language: Lisp, Command: Command{Is: Interactive, Operands: "file*", Why: editorWaits, Options: Options{
			Read: "-Q -q -nw -batch --batch --quick --no-init-file --no-site-file --no-splash -t -c -n --no-wait -a= --alternate-editor= -s= --socket-name=", Run: "-f= --funcall= -L= --directory= -eval= --eval= --execute= -e=", Code: "-eval= --eval= --execute= -e=", CodeFile: "-l= -load= --load= --script= -script= -x=",
		}}},
		{Names: "vi vim view nvim ex gvim rvim rview vimdiff", Language: Vim, Command: Command{Is: Interactive, Operands: "file*", Why: editorWaits, Options: Options{
			Read: "-e -E -s -n -N -R -b -d -m -M -A -H -l -L -y -Z -X -p? -o? -O? -i= -T= -t= -es -Es --clean --headless --not-a-term --noplugin", Run: "-c= --cmd= -u= -U=", Code: "-c= --cmd=", CodeFile: "-S=", Write: "-w= -W=",
		}}},
		{Names: "ed red", Language: Vim, Command: Command{Is: Interactive, Operands: "file?", Why: editorWaits, Options: Options{Read: "-s -l -r -E -G -v -p= --quiet --silent --restricted --prompt= --extended-regexp --loose-exit-status"}}},
		{Names: "pwsh powershell", Style: SingleDash, Language: PowerShellText, Command: Command{Is: Interpreter, Operands: "code*", Options: Options{
			Read: "-NoProfile -NonInteractive -NoLogo -NoExit -Sta -Mta -ExecutionPolicy= -ep= -exec= -WindowStyle= -w= -OutputFormat= -InputFormat= -Version= -Login -nop -noni -noprofile -noninteractive -nologo -executionpolicy= -windowstyle= -NoProfileLoadTime -EP=",
			Code: "-Command= -command= -c= -C=", CodeFile: "-File= -file= -f=", Run: "-EncodedCommand= -encodedcommand= -e= -ec= -enc= -Enc= -encodedarguments= -ConfigurationName= -CustomPipeName= -PSConsoleFile= -SettingsFile= -WorkingDirectory= -wd= -ENC= -EncodedArguments=",
		}, Why: "PowerShell text is not read for certain from here."}},
		{Names: "cmd", Style: Raw, Language: CmdText, Command: Command{Is: Interpreter, Operands: "word* ", Options: Options{}, Why: "Text of cmd is not read for certain from here."}},
	}, Rules: []Rule{
		{
			ID: "shell.encoded", Verdict: Deny, Why: "The command hides its text in an encoding.", Instead: "write the command in the clear",
			When: []Match{{Program: "pwsh powershell", Has: "-EncodedCommand|-encodedcommand|-e|-ec|-enc|-Enc|-ENC"}}, Yes: []string{"powershell -enc SQBFAFgA", "pwsh -NoProfile -EncodedCommand abcd"}, No: []string{"pwsh -NoProfile -Command ls"},
		},
	}}
}
