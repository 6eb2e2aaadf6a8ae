package l0

// wrappers run another command. GNU coreutils, util-linux, procps and findutils manuals.
func wrappers() Domain {
	w := func(names string, is Class, operands string, o Options) Program {
		return Program{Names: names, Style: POSIX, Command: Command{Is: is, Operands: operands, Options: o}}
	}
	sp := func(p Program, s Special) Program {
		p.Special = s
		return p
	}
	return Domain{Name: "wrappers", Programs: []Program{
		sp(w("sudo", Elevated, "cmd*", Options{
			Read: "-A -b -E -e -H -i -K -k -l -n -P -S -s -v -B --preserve-env? --set-home --login --non-interactive --stdin --background --shell --list --validate --edit " +
				"--reset-timestamp --remove-timestamp -u= --user= -g= --group= -p= --prompt= -C= --close-from= -D= --chdir= -h= --host= -R= --chroot= -T= --command-timeout= -U= --other-user= -r= --role= -t= --type= -c= -a= --askpass --bell -N --no-update",
			Help: "-V",
		}), Sudo),
		w("doas", Elevated, "cmd*", Options{Read: "-L -n -s -u= -a=", Config: "-C="}),
		w("run0 pkexec", Elevated, "cmd*", Options{Read: "--user= -u= --disable-internal-agent --keep-cwd --unit= --property= --description= --slice= -g= --group= --nice= -D= --chdir= --setenv= --background="}),
		w("runuser setpriv gosu su-exec", Elevated, "word cmd*", Options{Read: "-l --login -m -p -f -s= --shell= -g= -G= -w= -P --reuid= --regid= --init-groups --clear-groups --reset-env --no-new-privs --inh-caps= --ambient-caps= --bounding-set=", Shell: "-c= --command=", Change: "-u="}),
		{Names: "su", Style: GNU, Command: Command{Is: Elevated, Special: Su, Operands: "word*", Options: Options{
			Read: "- -l --login -m -p --preserve-environment -f --fast -g= --group= -G= -s= --shell= -P --pty -w= -T --no-pty", Shell: "-c= --command= --session-command=", Help: "-V",
		}}},
		sp(w("env", Builtin, "cmd*", Options{
			Read: "-i --ignore-environment -0 --null -v --debug -u= --unset= - --list-signal-handling --block-signal? --default-signal? --ignore-signal? -a= --argv0=", Shell: "-S= --split-string=", Dir: "-C= --chdir=", Run: "-P=",
		}), Env),
		w("nice", Wrapper, "cmd+", Options{Read: "-n= --adjustment= -#"}),
		w("ionice", Wrapper, "cmd+", Options{Read: "-c= --class= -n= --classdata= -t --ignore", Change: "-p= --pid= -P= -u="}),
		w("chrt", Wrapper, "word cmd*", Options{Read: "-b --batch -d --deadline -f --fifo -i --idle -o --other -r --rr -m --max -v --verbose -R -T= -P= -D= -a", Change: "-p --pid"}),
		w("taskset", Wrapper, "word cmd*", Options{Read: "-c --cpu-list -a --all-tasks", Change: "-p --pid"}),
		w("numactl", Wrapper, "cmd*", Options{Read: "--interleave= -i= --membind= -m= --cpunodebind= -N= --physcpubind= -C= --localalloc -l --preferred= -H --hardware -s --show"}),
		w("timeout gtimeout", Wrapper, "word cmd+", Options{Read: "-f -k= --kill-after= -s= --signal= --foreground --preserve-status -v --verbose -p"}),
		w("time gtime", Wrapper, "cmd*", Options{Read: "-p -v --verbose -f= --format= --portability -q --quiet -l -h", Write: "-o= --output=", Change: "-a --append"}),
		w("stdbuf unbuffer", Wrapper, "cmd+", Options{Read: "-i= -o= -e= --input= --output= --error= -p"}),
		w("setsid", Wrapper, "cmd+", Options{Read: "-c --ctty -f --fork -w --wait"}),
		w("setarch linux32 linux64 i386 x86_64 arch64", Wrapper, "cmd*", Options{Read: "-R -v -B -F -I -L -S -T -X -Z --addr-no-randomize -3"}),
		w("caffeinate", Wrapper, "cmd*", Options{Read: "-d -i -m -s -u -t= -w="}),
		w("nohup", WritingRun, "cmd+", Options{}),
		sp(w("watch", Wrapper, "cmd+", Options{Read: "-n= --interval= -d? --differences? -t --no-title -b --beep -e --errexit -g --chgexit -c --color -x --exec -p --precise -q= --equexit= -w --no-wrap -C -r"}), Watch),
		w("chronic ts ifne", Wrapper, "cmd*", Options{Read: "-v -e -n"}),
		w("catchsegv errno pv-run torsocks torify proxychains proxychains4 tsocks", WritingRun, "cmd*", Options{Config: "-f=", Read: "-q"}),
		w("strace ltrace", WritingRun, "cmd*", Options{Read: "-f -e= -s= -c -C -q -r -t -T -v -x -y -i -k -u= -E= -a= -S= -I= -P= -n -w -ff -tt -yy -qq", Write: "-o= --output=", Change: "-p= --attach="}),
		w("flock", WritingRun, "write cmd*", Options{Read: "-s -x -e -n -w= -o -u -F -E= --shared --exclusive --nonblock --nb --timeout= --wait= --close --unlock --no-fork --verbose --conflict-exit-code=", Shell: "-c= --command="}),
		{Names: "script scriptreplay", Style: GNU, Command: Command{Is: WritingRun, Operands: "write?", Options: Options{
			Read: "-a -e -f -q -t? -E= --append --return --flush --quiet --echo= --force", Shell: "-c= --command=", Write: "-O= -I= -B= -T= -m= --log-out= --log-in= --log-io= --log-timing=", Help: "-V",
		}}},
		sp(w("xargs gxargs", Wrapper, "cmd*", Options{
			Read: "-0 --null -d= --delimiter= -E= -e? --eof? -I= -i? --replace? -J= -L= -l? --max-lines? -n= --max-args= -P= --max-procs= -r --no-run-if-empty -s= --max-chars= -t --verbose -x --exit -S= -R= --show-limits",
			Run:  "--process-slot-var=", // sets any variable, PATH among them
			File: "-a= --arg-file=", Interact: "-p --interactive -o --open-tty",
		}), Xargs),
		sp(w("parallel", WritingRun, "cmd*", Options{
			Read: "-0 --null -j= --jobs= -k --keep-order -N= -n= -X -m -I= -q --quote -r --no-run-if-empty -t --verbose --bar --progress --eta --halt= --dry-run --tag --will-cite --line-buffer --lb --ungroup -u --colsep= -C= --delay= --timeout= --max-args= --retries= --pipe --block= -L= -P=",
			File: "-a= --arg-file=", Endpoint: "-S= --sshlogin= --slf=", Write: "--joblog= --results= --tmpdir=", Run: "--tmux --wd=",
		}), Parallel),
		w("chroot", Remote, "word cmd*", Options{Read: "--userspec= --groups= --skip-chdir -u= -g= -G="}),
		w("nsenter", Remote, "cmd*", Options{Read: "-a --all -t= --target= -m? --mount? -u? --uts? -i? --ipc? -n? --net? -p? --pid? -C? --cgroup? -U? --user? -T? --time? -S= --setuid= -G= --setgid= -r? --root? -w? --wd? -W? -F --no-fork -Z --preserve-credentials"}),
		w("unshare", Remote, "cmd*", Options{Read: "-m? -u? -i? -n? -p? -U? -C? -T? --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? -f --fork --map-root-user -r -c --map-user= --map-group= --map-auto --map-current-user --mount-proc? --kill-child? --propagation= --setgroups= -R= --root= -w= --wd= -S= -G="}),
		w("bwrap firejail systemd-nspawn proot fakeroot fakechroot", Remote, "cmd*", Options{Read: "-r -b= -w= -q --quiet -D= --directory=", Config: "--profile="}),
		w("systemd-run", WritingRun, "cmd*", Options{Read: "--user --scope -p= --property= --unit= -u= --wait -P --pipe -t --pty -q --quiet -G --collect -d --same-dir --description= --slice= --uid= --gid= --nice= --working-directory= -E= --setenv= -r --remain-after-exit --no-block -S --shell --on-active= --on-calendar="}),
		w("at batch", WritingRun, "word*", Options{Read: "-l -m -q= -t= -V -v -c=", Change: "-d= -r=", CodeFile: "-f=", Help: "-l"}),
		{Names: "busybox toybox", Style: POSIX, Command: Command{Is: Wrapper, Special: Busybox, Operands: "cmd*", Options: Options{Read: "--list --list-full", Change: "--install?", Help: "--list --list-full"}}},
		w("wsl", Remote, "cmd*", Options{Read: "-d= --distribution= -u= --user= --cd= -e --exec --", Help: "-l --list --status --version -v"}),
		w("noglob nocorrect", WritingRun, "cmd+", Options{}), // zsh's precommand modifiers
		w("hyperfine concurrently", WritingRun, "shell*", Options{Read: "-w= -r= -m= -M= -n= -N -i -c= -k -g -s= --warmup= --runs= --min-runs= --max-runs= --names= --kill-others --raw --success=", Shell: "-p= --prepare= -S= --setup= --cleanup=", Write: "--export-json= --export-markdown= --export-csv="}),
		w("nodemon", WritingRun, "word*", Options{Read: "-e= -w= --ext= --watch= -q --delay= -L -V --ignore= --signal=", Shell: "-x= --exec="}),
		{Names: "sg", Style: GNU, Command: Command{Is: WritingRun, Operands: "word shell?", Options: Options{Shell: "-c="}}},
		w("nix-shell", WritingRun, "word*", Options{Read: "--pure -p= --packages= -Q --verbose -v", Shell: "--run= --command=", Config: "-A= -I= -E= --arg= --argstr="}),
		w("nix flatpak snap", WritingRun, "word*", Options{Help: "-v"}),
		w("screen", WritingRun, "cmd*", Options{Read: "-d -m -D -R -r? -x -A -a -L -S= -t= -h= -p= -T= -e= -q -U -X -Q", Run: "-s=", Config: "-c=", Help: "-v -ls -list"}),
		{Names: "tmux", Style: POSIX, Command: Command{Is: Interactive, Why: "It waits for a person at a terminal.", Options: Options{Read: "-L= -S= -2 -u", Config: "-f= -c=", Help: "-V"}}, Commands: []Command{
			{Path: "send-keys, send, new-session, new, split-window, splitw, new-window, neww, respawn-pane, respawn-window, run-shell, run, if-shell, if, pipe-pane, display-popup, popup", Is: WritingRun, Operands: "shell*", Options: Options{
				Read: "-d -A -D -P -X -E -h -v -b -f -l -k -t= -s= -n= -c= -x= -y= -e= -F= -p= -N= -H -R", Interact: "-a",
			}, Why: "It runs its text in a terminal of its own."},
		}},
		w("direnv-exec asdf-exec mise-exec dotenv aws-vault op-run doppler-run chamber", WritingRun, "cmd*", Options{Read: "-f= -e="}),
	}, Rules: []Rule{
		{ID: "wrap.root-shell", Verdict: Undecided, Why: "This opens a shell with another user's rights.", When: []Match{{Program: "sudo", Has: "-i|-s|--login|--shell", Max: -1}}, Yes: []string{"sudo -i", "sudo -s"}, No: []string{"sudo ls"}},
	}}
}
