package l0

// Services, processes, accounts, kernel and firewall. Options as in the Linux manual pages, sections 1 and 8.

func system() Domain {
	var programs []Program
	for _, list := range [][]Program{services(), processes(), accounts(), machine(), firewalls(), macSystem()} {
		programs = append(programs, list...)
	}
	return Domain{Name: "system", Programs: programs, Rules: systemRules()}
}

const systemdRead = "--no-pager -l --full -n= --lines= -o= --output= -a --all -t= --type= --state= -p= --property= -P= --value --user --system --global -q --quiet --no-legend --legend= --plain --failed -r --recursive --reverse --after --before --no-ask-password --show-types --with-dependencies"

// protectionsStopped stop a service that protects or watches the machine.
const protectionsStopped = "firewalld stop, ufw stop, nftables stop, iptables stop, auditd stop, apparmor stop, fail2ban stop, rsyslog stop"

func services() []Program {
	return []Program{
		{Names: "systemctl", GlobalsAnywhere: true, Command: Command{Is: Reader, Operands: "-", Options: Options{
			Read: systemdRead, Endpoint: "-H= --host= -M= --machine=", Config: "--root= --image= --preset-mode= --kill-value=", Change: "--now -f --force --no-block --runtime -i --no-wall --signal= -s= --kill-whom=", Help: "-h",
		}}, Commands: []Command{
			{
				Path: "status, show, cat, list-units, list-unit-files, list-timers, list-sockets, list-paths, list-dependencies, list-jobs, list-machines, list-automounts, is-active, is-enabled, is-failed, is-system-running, get-default, whoami, help",
				Is:   Reader, Operands: "word*",
			},
			{Path: "show-environment", Is: Secrets},
			{
				Path: "start, stop, restart, reload, try-restart, reload-or-restart, try-reload-or-restart, kill, clean, freeze, thaw, set-property, bind, mount-image, service-log-level, service-log-target, reset-failed, enable, disable, reenable, preset, preset-all, mask, unmask, link, revert, add-wants, add-requires, edit, set-default, daemon-reload, daemon-reexec, log-level, import-environment, set-environment, unset-environment, cancel",
				Is:   Writer, Why: "It changes services.",
			},
			{
				Path: "poweroff, reboot, halt, kexec, soft-reboot, rescue, emergency, default, exit, suspend, hibernate, hybrid-sleep, suspend-then-hibernate, isolate, switch-root",
				Is:   Writer, Why: "It stops or replaces what the machine runs.",
			},
		}},
		{Names: "journalctl", Command: Command{Is: Reader, Operands: "word*", Options: Options{
			Read: systemdRead + " -# -u= --unit= --user-unit= -f --follow -e --pager-end -x --catalog -k --dmesg -b? --boot? -S= --since= -U= --until= -g= --grep= --case-sensitive? --priority= -t= --identifier= -F= --field= -N --fields --no-hostname --utc --no-tail --list-boots --disk-usage --header --no-full -c= --cursor= --after-cursor= --show-cursor -m --merge --facility= --list-namespaces --namespace= --output-fields= --truncate-newline",
			File: "--file= -D= --directory=", Change: "--vacuum-size= --vacuum-time= --vacuum-files= --rotate --flush --sync --relinquish-var --smart-relinquish-var --setup-keys --update-catalog", Write: "--cursor-file=",
			Config: "--root= --image= -M= --machine=", Help: "-h",
		}}},
		{Names: "service rc-service", Command: Command{Options: Options{Help: "-h --status-all"}}, Commands: []Command{
			{Path: "*/* status", Is: Writer, Why: "The name of the service leads to a script elsewhere."},
			{Path: "* status", Is: Reader, Operands: "-"},
			{Path: protectionsStopped, Is: Writer, Why: "It changes services."},
			{Path: "* start, * stop, * restart, * reload, * force-reload", Is: Writer, Why: "It changes services."},
		}},
		{Names: "supervisorctl pm2 launchd-ctl initctl rc-update update-rc.d chkconfig sv s6-svc runit", Command: Command{Options: Options{Help: "-h -v"}}, Commands: []Command{
			{Path: "status, list, ls, show, describe, info, version", Is: Reader, Operands: "word*"},
			{Path: "start, stop, restart, reload, delete, del, kill, add, remove, update, save, startup, unstartup, flush, shutdown, reread, logs", Is: Writer, Why: "It changes services."},
		}},
		{Names: "crontab", Command: Command{Is: Writer, Operands: "file*", Options: Options{DryRun: "-l", Read: "-u=", Change: "-r -i -s -x=", Interact: "-e", Help: "-V -h"}, Why: "crontab replaces the user's schedule.", Instead: "crontab -l"}},
		{Names: "atq", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-q= -o=", Help: "-V"}}},
		{Names: "atrm", Command: Command{Is: Writer, Operands: "word*"}},
		{
			Names: "hostnamectl timedatectl localectl loginctl resolvectl networkctl bootctl coredumpctl machinectl busctl systemd-analyze", GlobalsAnywhere: true,
			Command: Command{Is: Reader, Operands: "-", Options: Options{Read: systemdRead + " --json= -j --static --transient --pretty --man= -1", Endpoint: "-H= --host= -M= --machine=", Help: "-h"}}, Commands: []Command{
				{Path: "shell", Is: Remote, Operands: "word cmd", Options: Options{Read: "--uid= -E= --setenv= -q --quiet"}},
				{Path: "status, show, list, list-sessions, list-users, list-seats, list-timezones, list-locales, list-keymaps, show-session, show-user, timesync-status, statistics, lldp, dns, domain, session-status, user-status, blame, critical-chain, time, tree", Is: Reader, Operands: "word*"},
				{Path: "set-hostname, hostname, set-time, set-timezone, set-ntp, set-local-rtc, set-locale, set-keymap, terminate-session, kill-session, terminate-user, kill-user, lock-session, enable-linger, flush-caches, revert, up, down, reload, install, remove, poweroff, reboot, start, login, call, dump, debug, gdb, query", Is: Writer},
			},
		},
	}
}

func processes() []Program {
	return []Program{
		{Names: "ps", Command: Command{Is: Reader, Operands: "word*", Options: Options{
			Read:   "-A -a -d -e -f -F -l -L -H -j -y -M -Z -c -w -ww -T -x -X -v -r -m -S -h -k= -o= -O= -p= -q= -t= -u= -U= -g= -G= -C= -s= -n= -N --deselect --forest --no-headers --no-heading --headers --sort= --format= --pid= --ppid= --user= --User= --group= --cols= --columns= --width= --rows= --lines= --cumulative --tty= --sid= --info --context",
			Secret: "-E", Help: "-V",
		}}},
		{Names: "pgrep pidof pstree pmap pwdx pidwait", Command: Command{Is: Reader, Operands: "word*", Options: Options{
			Read: "-a -A -f -l -n -o -u= -U= -x -c -d= -g= -G= -i -P= -p -s -t= -v -w -F= -r= -L -q -h -S -T -H= -V= --list-name --list-full --full --exact --newest --oldest --parent= --user= --euid= --count --delimiter= --ignore-case --inverse --ns= --show-pids --arguments --ascii --unicode --long --numeric-sort --show-parents --quiet", Help: "-V",
		}}},
		{Names: "kill", Style: SingleDash, Command: Command{Is: Writer, Operands: "word*", Options: Options{Read: "-# -s= -signal= -n= -q= -queue= -timeout=", DryRun: "-l -L -list -table", Help: "-V -h"}, Why: "It ends a process or sends it a signal."}},
		{Names: "pkill", Style: SingleDash, Command: Command{Is: Writer, Operands: "word*", Options: Options{
			Read: "-# -signal= -f -full -u= -euid= -U= -uid= -g= -G= -n -o -x -P= -t= -v -i -c -e -q= -F= -9 -full -exact -newest -oldest -ignore-case -echo -count -parent= -terminal= -inverse -session= -pidfile= -H", Help: "-V -h -version -help",
		}, Why: "It ends every process whose name matches."}},
		{Names: "killall", Style: SingleDash, Command: Command{Is: Writer, Operands: "word*", Options: Options{
			Read: "-# -s= -signal= -e -exact -I -ignore-case -g -process-group -i -interactive -q -quiet -r -regexp -u= -user= -v -verbose -w -wait -y= -o= -n= -m -c= -d -t=", DryRun: "-l -list", Help: "-V -version -help",
		}, Why: "It ends every process of that name."}},
		{Names: "killall5 skill snice xkill", Command: Command{Is: Writer, Options: Options{Help: "-V"}}},
		{Names: "top", Command: Command{Is: Writer, Operands: "-", Options: Options{Read: "-# -n= -d= -p= -u= -U= -o= -c -H -i -s= -S -w? -E= -e= -1 -F -R -stats=", DryRun: "-b -l="}, Why: "top waits for a person at a terminal.", Instead: "top -b -n 1 prints once"}},
		{Names: "bmon nvtop", Command: Command{Is: Interactive, Options: Options{Read: "-b -n= -d= -p= -u= -o= -H -c", Help: "-v -h -V"}, Instead: "ps aux --sort=-%cpu"}},
		{Names: "uptime free logname whoami nproc arch tty uname", Command: Command{Is: Reader, Operands: "-", Options: Options{
			Read: "-a -b -g -h -k -l -m -n -o -p -r -s -t -v -w -i -c= -L --all --human --si --bytes --kibi --mebi --gibi --tera --total --wide --pretty --since --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system --ignore= --seconds= --count= --lohi --committed --silent --quiet",
			Help: "-V",
		}}},
		{Names: "pidstat", Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-d -h -H -I -l -R -r -s -t -u -v -w -C= -G= -p= -T= -U? -V --human --dec=", Run: "-e="}}},
		{Names: "lastlog", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-b= -t= -u= --before= --time= --user=", Change: "-C -S --clear --set", Config: "-R= --root="}}},
		{Names: "sensors", Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-A -f -u -j --no-adapter --fahrenheit --allow-no-busses", Config: "-c= --config-file=", Change: "-s --set", Help: "-v -h"}}},
		{
			Names: "vmstat iostat mpstat tload w who users last lastb groups lscpu lsmem lspci lsusb lsmod lsipc lslocks lslogins ipcs id",
			Command: Command{Is: Reader, Operands: "word*", Options: Options{
				Read: "-a -A -b -B -c -C -d -D -e -E -f -F -g -G -h -H -i -I -j -J -k -K -l -L -m -M -n -N -o -p -P -q -r -R -s -S -t -T -u -U -v -w -W -x -X -y -z -# --all --human --si --bytes --kibi --mebi --gibi --tera --total --wide --json --online --offline --extended? --parse? --pretty --since --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system --user --group --groups --name --real --zero --ignore= --physical --seconds= --count= --lohi --committed",
				Help: "-V",
			}},
		},
		{Names: "blkid", Command: Command{Is: Reader, Operands: "name*", Options: Options{Read: "-d -k -l -i -p -o= -O= -s= -S= -t= -L= -U= -n= -u= --list-one --output= --match-tag= --match-token= --label= --uuid= --probe --info", Write: "-c= --cache-file=", Change: "-g --garbage-collect"}}},
		{Names: "inxi hwinfo", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-b -F -A -C -D -G -I -M -N -R -S -s -z -x -c= -y= --short --cpu --disk --gfxcard --netcard --memory", Help: "-h"}}},
		{Names: "lsblk findmnt lshw dmidecode lsscsi lsattr getfacl", Command: Command{Is: Reader, Operands: "name*", Options: Options{
			Read: "-a -b -d -f -i -J -l -m -n -o= -O -p -P -r -s -S -t -T? -D -A -V -R -q -C= -c= -k -L= -U= -e= -I= -M= -x= --all --bytes --fs --json --list --noheadings --output= --output-all --paths --pairs --raw --tree? --topology --ascii --target= --source= --types= --df --real --short --class= --type= --quiet", Change: "-g --garbage-collect --poll?", File: "-F= --tab-file=", Help: "-v -h",
		}}},
		{Names: "lsof", Command: Command{Is: Reader, Operands: "name*", Options: Options{
			Read: "-a -b -c= -C -d= -E -F? -g? -h -i? -K? -l -L? -M -n -N -o? -O -p= -P -Q -R -s? -S? -t -T? -u= -U -v -V -w -W -x? -X -z? -Z? +c= +d= +D= +E +f +L? +M +r? -r? +w", Change: "-D=", Run: "-A= -k= -m=", Help: "-v",
		}}},
		{Names: "fuser", Command: Command{Is: Reader, Operands: "name*", Options: Options{Read: "-# -a --all -m --mount -n= --namespace= -v --verbose -u --user -c -f -s --silent -M --ismountpoint -4 --ipv4 -6 --ipv6", Change: "-k --kill -i --interactive -w -K"}}},
		{Names: "ss netstat", Command: Command{Is: Reader, Operands: "word*", Options: Options{
			Read: "-a --all -l --listening -t --tcp -u --udp -n --numeric -p --processes --programs -e --extended -i --info --interfaces? -s --summary --statistics -o --options --timers -r --resolve --route -m --memory -4 --ipv4 -6 --ipv6 -x --unix -w --raw -d --dccp -0 --packet -H --no-header -O --oneline -E --events -Z -z -b --bpf -g --groups -c --continuous -v --verbose -W --wide -f= --family= -A= --query= --socket= -I= -S -M -L -q", Change: "-K --kill",
			Config: "-F= --filter= -N= --net=", Write: "-D= --diag=", Help: "-V -h",
		}}},
		{Names: "nvidia-smi rocm-smi", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-L --list-gpus -q --query --query-gpu= --query-compute-apps= --format= -i= --id= -l= --loop= -d= --display= -x --xml-format --showmeminfo= --showuse", Write: "-f= --filename=", Help: "-h"}}},
		{Names: "dtruss ktrace valgrind perf gdb lldb bpftrace", Style: POSIX, Command: Command{Is: WritingRun, Operands: "cmd", Options: Options{
			Read: "-f -ff -c -C -e= -s= -t -tt -T -v -y -q -i -r -S= -a= --args --batch", Write: "-o= --output= --log-file=", Config: "-p= --pid= -E= -x=", Shell: "-ex= -eval-command=", Help: "-V -v -h",
		}, Why: "It runs a program under a tracer, which can change it."}},
	}
}

func accounts() []Program {
	return []Program{
		{Names: "useradd usermod adduser", Command: Command{Is: Writer, Operands: "word*", Options: Options{Read: "-a -m -M -N -o -r -s= -d= -c= -g= -e= -f= -k= -p= -l= -L -U --append --create-home --system --home= --shell= --gecos= --ingroup= --disabled-password --disabled-login --no-create-home --gid= --comment= --home-dir= --login=", Change: "-G= -u= --groups= --uid=", Config: "-R= -P= --root="}, Why: "It changes accounts of the machine."}},
		{Names: "groupadd addgroup groupmod gpasswd chage chsh chfn newgrp newusers chpasswd chgpasswd pwck grpck pwconv vipw vigr", Command: Command{Is: Writer, Options: Options{Help: "-h"}, Why: "It changes accounts of the machine."}},
		{Names: "userdel deluser groupdel delgroup", Command: Command{Is: Writer, Options: Options{Change: "-r --remove --remove-home --remove-all-files -f --force -Z", Help: "-h"}}},
		{Names: "passwd", Command: Command{Is: Interactive, Operands: "word?", Options: Options{Change: "-d --delete -l --lock -u --unlock -e --expire --stdin -n= -x= -w= -i=", Read: "-S --status -a --all -q", Help: "-h"}, Why: "It changes a password."}},
		{Names: "visudo", Command: Command{Is: Interactive, Operands: "-", Options: Options{Read: "-q -s", DryRun: "-c --check", Config: "-f=", Help: "-V -h"}, Why: "It changes who may become root."}},
		{Names: "getent", Command: Command{Is: Reader, Operands: "word+", Options: Options{Read: "-i --no-idn -A", Config: "-s= --service=", Help: "-V"}}},
	}
}

func machine() []Program {
	return []Program{
		{Names: "shutdown reboot halt poweroff", Command: Command{Is: Writer, Operands: "word*", Options: Options{Read: "-h -r -H -P -k -c --no-wall -f --force -n -w -p --halt --poweroff --reboot -t= -a", DryRun: "--show", Help: "--help"}}},
		{Names: "init telinit", Command: Command{Is: Writer, Operands: "word*"}},
		{Names: "sysctl", Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-a -A -X --all -n --values -N --names -b --binary -e --ignore -q --quiet -r= --pattern= -d", Change: "-w --write --system", CodeFile: "-p? --load? -f= --file=", Help: "-V -h"}}},
		{Names: "dmesg", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-H --human -T --ctime -t --notime -w --follow -W --follow-new -l= --level= -f= --facility= -k --kernel -u --userspace -x --decode -e --reltime -L? --color? -P --nopager -r --raw -s= -S --since= --until= --time-format= -J --json -p", File: "-F= --file=", Change: "-C --clear -c --read-clear -D --console-off -E --console-on -n= --console-level=", Help: "-V -h"}}},
		{Names: "modprobe insmod rmmod depmod kmod", Command: Command{Is: Writer, Operands: "word*", Options: Options{Change: "-r --remove -f --force -a --all", DryRun: "-n --dry-run --show --show-depends", Config: "-C= -d= -S=", Help: "-V -h"}, Why: "It changes the running kernel."}},
		{Names: "modinfo", Command: Command{Is: Reader, Operands: "word+", Options: Options{Read: "-a -d -l -p -n -F= --field= -k= -0", Config: "-b= --basedir=", Help: "-V -h"}}},
		{
			Names:   "swapoff swapon mkswap hwclock kexec update-grub grub-install grub-mkconfig efibootmgr update-initramfs dracut update-alternatives setcap setsebool semanage sethostname setterm chvt tuned-adm cpupower nmcli wpa_cli rfkill",
			Command: Command{Is: Writer, Options: Options{Help: "-V -h"}, Why: "It changes how the machine starts or runs."},
		},
		{Names: "ldconfig", Command: Command{Is: Writer, Options: Options{Help: "-p --print-cache -V -h"}, Why: "It rebuilds the cache of libraries."}},
		{Names: "lsb_release", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-a --all -i --id -d --description -r --release -c --codename -s --short -v"}}},
		{Names: "uuidgen", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-r --random -t --time -n= --namespace= -N= --name= -m --md5 -s --sha1 -x --hex", Help: "-V -h"}}},
		{Names: "nginx httpd apachectl apache2ctl apache2 haproxy caddy", Command: Command{Is: Writer, Operands: "word*", Options: Options{Help: "-v -V -h"}, Why: "It starts or controls a server."}},
		{Names: "hostname domainname", Command: Command{Is: Reader, Operands: "set?", Options: Options{Read: "-a --alias -A --all-fqdns -d --domain -f --fqdn --long -i --ip-address -I --all-ip-addresses -s --short -y", Change: "-b --boot -F= --file=", Help: "-V -h"}}},
		{Names: "ip", Command: Command{Options: Options{
			Read: "-4 -6 -0 -s -stats -statistics -d -details -br -brief -c -color -o -oneline -j -json -p -pretty -h -human -t -ts -a -all -f= -family= -r -resolve -N", Endpoint: "-n= -netns=", CodeFile: "-b= -batch=", Help: "-V -Version",
		}}, Style: SingleDash, Commands: ipCommands()},
		{Names: "ifconfig", Command: Command{Is: Reader, Operands: "word?", Options: Options{Read: "-a -s -v -l -L -m", Help: "-V -h"}, Why: "It changes a network interface."}},
		{Names: "route arp ethtool iwconfig brctl tc bridge", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-n -a -e -v -4 -6", Help: "-V -h"}, Why: "It may change the network of the machine."}},
	}
}

func ipCommands() []Command {
	const shows = "addr show, addr list, addr ls, addr s, addr sh, address show, address list, a show, a list, a s, a l, link show, link list, link ls, l show, route show, route list, route ls, route get, r show, r s, r get, neigh show, neigh list, n show, rule show, rule list, maddress show, netns list, -br addr show"
	return []Command{
		{Path: "addr, address, a, link, l, route, r, ro, neigh, neighbour, n, rule, maddress, netns, tunnel", Is: Reader, Operands: "-"},
		{Path: shows, Is: Reader, Operands: "word*"},
		{Path: "netns exec", Is: Remote, Operands: "word cmd", Why: "It runs a program in another network."},
		{
			Path: "addr add, addr del, addr flush, address add, address del, address flush, a add, a del, a flush, link set, link add, link delete, link del, link s, l set, l s, route add, route del, route delete, route flush, route change, route replace, r add, r del, r flush, neigh add, neigh del, neigh flush, rule add, rule del, rule flush, netns add, netns del, netns delete, tunnel add, tunnel del, xfrm",
			Is:   Writer, Why: "It changes the network of the machine.",
		},
	}
}

func firewalls() []Program {
	return []Program{
		{Names: "iptables ip6tables iptables-legacy iptables-nft ebtables arptables", Command: Command{Is: Reader, Operands: "word*", Options: Options{
			Read:   "-L --list -S --list-rules -n --numeric -v --verbose --line-numbers -x --exact -t= --table= -w?",
			Change: "-A= --append= -D= --delete= -I= --insert= -R= --replace= -F --flush -Z --zero -N= --new-chain= -X --delete-chain -P= --policy= -E= --rename-chain= -C= -j= --jump= -p= -s= -d= -i= -o= -m= --dport= --sport=",
			Run:    "-M= --modprobe=", Help: "-V -h",
		}}},
		{Names: "iptables-save ip6tables-save", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-c --counters -t= --table=", Run: "-M= --modprobe=", Write: "-f= --file=", Help: "-V -h"}}},
		{Names: "iptables-restore ip6tables-restore", Command: Command{Is: Writer, Options: Options{DryRun: "-t --test"}, Why: "It replaces the firewall's rules."}},
		{Names: "nft", Command: Command{Options: Options{Read: "-a --handle -n --numeric -s --stateless -j --json -y", CodeFile: "-f= --file=", DryRun: "-c --check", Interact: "-i --interactive", Help: "-v -V -h"}}, Commands: []Command{
			{Path: "list", Is: Reader, Operands: "word+"},
			{Path: "add, insert, delete, replace, create, rename, reset, destroy, import", Is: Writer, Why: "It changes the firewall."},
			{Path: "flush", Is: Writer},
		}},
		{Names: "ufw", Command: Command{Options: Options{Read: "--force", DryRun: "--dry-run", Help: "-h"}}, Commands: []Command{
			{Path: "status, show, app list, app info, version", Is: Reader, Operands: "word*"},
			{Path: "allow, deny, reject, limit, delete, enable, reload, default, logging, insert, prepend, route", Is: Writer, Why: "It changes the firewall."},
			{Path: "disable, reset", Is: Writer},
		}},
		{Names: "firewall-cmd", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "--state --list-all --list-ports --list-services --list-rich-rules --get-active-zones --get-zones --get-default-zone --get-services --zone= --list-all-zones --permanent", Change: "--reload --complete-reload --panic-on --panic-off --runtime-to-permanent", Help: "-V -h"}}},
		{Names: "setenforce auditctl aa-teardown aa-disable aa-complain", Command: Command{Is: Writer, Operands: "word*", Options: Options{Read: "-l -s -v", Change: "-D -e= -d= -a= -w= -W="}, Why: "It changes how the machine is protected."}},
		{Names: "getenforce sestatus aa-status", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-v -b --json --pretty-json --enabled"}}},
		{Names: "fail2ban-client", Command: Command{Options: Options{Help: "-V -h"}}, Commands: []Command{{Path: "status, ping, version", Is: Reader, Operands: "word*"}, {Path: "start, stop, restart, reload, set, unban", Is: Writer}}},
	}
}

func macSystem() []Program {
	return []Program{
		{Names: "launchctl", Command: Command{Options: Options{Help: "-h"}}, Commands: []Command{
			{Path: "list, print, print-disabled, blame, version, managername, manageruid, hostinfo, dumpstate", Is: Reader, Operands: "word*"},
			{Path: "load, unload, bootstrap, bootout, enable, disable, kickstart, kill, start, stop, remove, submit, setenv, unsetenv, limit, config, asuser, bsexec", Is: Writer, Options: Options{Change: "-w -F -k -p -s"}, Why: "It changes services of the Mac."},
			{Path: "getenv, export, print-cache", Is: Secrets},
			{Path: "reboot", Is: Writer},
		}},
		{Names: "sw_vers system_profiler vm_stat ioreg sysdiagnose-info machine hostinfo", Style: SingleDash, Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-productName -productVersion -buildVersion -json -xml -detailLevel= -listDataTypes -l -w= -c= -r -n= -p="}}},
		{Names: "xcode-select", Command: Command{Is: Reader, Operands: "-", Options: Options{Read: "-p --print-path", Change: "-s= --switch= -r --reset --install", Help: "-v -h"}, Why: "It chooses the developer tools of the Mac."}},
		{Names: "xcrun", Style: SingleDash, Command: Command{Is: PackageRunner, Operands: "cmd*", Options: Options{Read: "-sdk= -toolchain= -v -verbose -l -log -n -no-cache -k -kill-cache -r -run -f= -find=", Help: "-show-sdk-path -show-sdk-version -show-sdk-build-version -show-sdk-platform-path -show-sdk-platform-version -version -h"}, Why: "It runs a tool of the developer directory."}},
		{Names: "plutil", Style: SingleDash, Command: Command{Is: Reader, Operands: "file*", Options: Options{Read: "-p -lint -s", Write: "-o=", Change: "-convert= -insert= -replace= -remove= -create= -e= -r -extract=", Help: "-help"}, Why: "It changes property lists."}},
		{Names: "pmset", Style: SingleDash, Command: Command{Is: Writer, Options: Options{DryRun: "-g"}, Why: "It changes power settings."}},
		{Names: "defaults", Command: Command{Options: Options{Read: "-currentHost -globalDomain -g -app="}, Special: Plain}, Style: SingleDash, Commands: []Command{
			{Path: "read, read-type, domains, find, help", Is: Reader, Operands: "word*"},
			{Path: "write, delete, rename, import, export", Is: Writer, Why: "It changes settings."},
		}},
		{Names: "diskutil", Style: SingleDash, Command: Command{Options: Options{}}, Commands: []Command{
			{Path: "list, info, activity, listFilesystems, apfs list", Is: Reader, Operands: "word*", Options: Options{Read: "-plist -all internal= external="}},
			{Path: "mount, unmount, umount, eject, mountDisk, unmountDisk, rename, enableJournal, verifyVolume, verifyDisk, repairVolume, repairDisk, apfs create, apfs addVolume, resizeVolume", Is: Writer},
			{Path: "eraseDisk, eraseVolume, reformat, partitionDisk, secureErase, zeroDisk, randomDisk, eraseOptical, eraseCD, apfs deleteVolume, apfs deleteContainer, apfs delete, appleRAID delete, coreStorage delete, deleteVolume", Is: Writer},
		}},
		{Names: "csrutil spctl tmutil nvram sysadminctl asr networksetup systemsetup dscl fdesetup scutil security-profile softwareupdate", Style: SingleDash, Command: Command{Is: Writer, Options: Options{DryRun: "-status --status"}, Why: "It may change settings of the Mac."}},
	}
}
