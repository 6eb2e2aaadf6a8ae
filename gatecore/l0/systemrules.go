package l0

func systemRules() []Rule {
	return []Rule{
		{
			ID: "system.stops-machine", Verdict: Deny,
			Why: "This shuts down, restarts or halts the machine.",
			When: []Match{
				{Program: "shutdown reboot halt poweroff"},
				{Program: "init telinit", First: "0 1 6 s S single"},
				{Program: "systemctl", Command: "poweroff, reboot, halt, kexec, soft-reboot, rescue, emergency, exit, suspend, hibernate, hybrid-sleep, suspend-then-hibernate, isolate, switch-root"},
				{Program: "launchctl", Command: "reboot"},
				{Program: "kexec", Has: "-e|--exec"},
			},
			Yes: []string{"shutdown -h now", "sudo reboot", "init 0", "systemctl poweroff", "sudo systemctl --force reboot", "/sbin/halt", "poweroff"},
			No:  []string{"shutdown -c", "systemctl status reboot.target", "systemctl restart nginx", "echo reboot", "grep shutdown log"},
		},
		{
			ID: "system.kill-everything", Verdict: Deny,
			Why:     "This ends every process, or the first one of the system.",
			Instead: "kill one process by its number, after ps -p NUMBER",
			When: []Match{
				{Program: "kill", If: KillsEverything},
				{Program: "killall5"},
				{Program: "killall pkill", Has: "-u|-user|-euid|-U|-uid", Max: -1},
				{Program: "pkill", First: ". .*"},
			},
			Yes: []string{"kill -9 -1", "kill -KILL 1", "kill -s TERM -- -1", "killall5 -9", "pkill -u dev", "kill 1"},
			No:  []string{"kill 4242", "kill -1 4242", "kill -l", "pkill -f vite", "killall node"},
		},
		{
			ID: "system.process-environment", Verdict: Undecided,
			Why:     "This prints the environment of processes, where secrets are.",
			Instead: "ps aux",
			When: []Match{
				{Program: "ps", First: "*e*"},
				{Program: "ps", Operand: "e ew eww ewww"},
			},
			Yes: []string{"ps auxe", "ps eww 123", "ps axe"},
			No:  []string{"ps aux", "ps -ef", "ps -eo pid,etime", "ps axo pid,etime"},
		},
		{
			ID: "system.crontab-remove", Verdict: Deny,
			Why:     "crontab -r removes all of the user's scheduled jobs at once.",
			Instead: "crontab -l > backup, then edit",
			When:    []Match{{Program: "crontab", Has: "-r"}},
			Yes:     []string{"crontab -r", "sudo crontab -u bob -r"},
			No:      []string{"crontab -l", "crontab -e"},
		},
		{
			ID: "system.crontab-replace", Verdict: Deny,
			Why:     "This replaces the user's scheduled jobs, which run later without anybody looking.",
			Instead: "show the wanted line and let a person run crontab -e",
			When: []Match{
				{Program: "crontab", Min: 1, Not: "-l -e"},
				{Program: "crontab", Not: "-l -e -r", If: ScheduleText},
			},
			Yes: []string{"crontab jobs.txt", "echo '* * * * * x' | crontab -", "(crontab -l; echo '@daily x') | crontab -"},
			No:  []string{"crontab -l", "crontab -e", "cat jobs.txt"},
		},
		{
			ID: "system.account-removed", Verdict: Deny,
			Why:     "This removes an account or a group, or takes its password away.",
			Instead: "usermod --lock keeps the account",
			When: []Match{
				{Program: "userdel deluser groupdel delgroup"},
				{Program: "passwd", Has: "-d|--delete"},
				{Program: "passwd", Has: "-l|--lock", Operand: "root"},
			},
			Yes: []string{"userdel -r bob", "sudo deluser bob", "passwd -d root", "passwd --lock root"},
			No:  []string{"useradd bob", "passwd -S bob", "id bob"},
		},
		{
			ID: "system.protection-off", Verdict: Deny,
			Why:     "This switches off a protection of the machine: its firewall, access control, audit or integrity check.",
			Instead: "add one rule for the one thing that is blocked",
			When: []Match{
				{Program: "iptables ip6tables iptables-legacy iptables-nft ebtables arptables", Has: "-F|--flush|-X|--delete-chain"},
				{Program: "nft", Command: "flush"},
				{Program: "ufw", Command: "disable, reset"},
				{Program: "setenforce", First: "0 Permissive permissive"},
				{Program: "auditctl", Has: "-D"},
				{Program: "auditctl", Has: "-e=0"},
				{Program: "aa-teardown aa-disable"},
				{Program: "csrutil", First: "disable"},
				{Program: "systemctl", Command: "stop, disable, mask", Operand: "firewalld* ufw* nftables* iptables* auditd* apparmor* fail2ban* sshd* ssh ssh.* systemd-journald* rsyslog*"},
			},
			Yes: []string{"iptables -F", "sudo nft flush ruleset", "ufw disable", "setenforce 0", "systemctl stop firewalld", "sudo systemctl disable --now auditd.service", "csrutil disable"},
			No:  []string{"iptables -L -n", "nft list ruleset", "ufw status", "getenforce", "systemctl status firewalld", "systemctl stop nginx"},
		},
		{
			ID: "system.logs-erased", Verdict: Deny,
			Why:     "This erases log entries.",
			Instead: "read them with journalctl or dmesg, and let logrotate do its work",
			When: []Match{
				{Program: "journalctl", Has: "--vacuum-size|--vacuum-time|--vacuum-files"},
				{Program: "dmesg", Has: "-C|--clear|-c|--read-clear"},
			},
			Yes: []string{"journalctl --vacuum-time=1s", "sudo journalctl --rotate --vacuum-size=1M", "dmesg -C"},
			No:  []string{"journalctl -u api -n 50", "dmesg -T", "journalctl --disk-usage"},
		},
		{
			ID: "system.kernel-setting", Verdict: Undecided,
			Why:  "This sets a kernel parameter.",
			When: []Match{{Program: "sysctl", Operand: "*=*"}},
			Yes:  []string{"sysctl vm.swappiness=10", "sudo sysctl -w kernel.sysrq=0"},
			No:   []string{"sysctl vm.swappiness", "sysctl -a"},
		},
		{
			ID: "system.disk-erased", Verdict: Deny,
			Why:  "This erases or repartitions a disk or volume.",
			When: []Match{{Program: "diskutil", Command: "eraseDisk, eraseVolume, reformat, partitionDisk, secureErase, zeroDisk, randomDisk, eraseOptical, eraseCD, apfs deleteVolume, apfs deleteContainer, apfs delete, appleRAID delete, coreStorage delete, deleteVolume"}},
			Yes:  []string{"diskutil eraseDisk JHFS+ Empty disk2", "diskutil secureErase 0 /dev/disk2"},
			No:   []string{"diskutil list", "diskutil info disk0"},
		},
		{
			ID: "system.kernel-module", Verdict: Undecided,
			Why:  "This loads code into the kernel or removes it.",
			When: []Match{{Program: "insmod rmmod modprobe"}},
			Yes:  []string{"sudo modprobe loop", "rmmod usb_storage", "insmod x.ko"},
			No:   []string{"lsmod", "modinfo loop"},
		},
	}
}
