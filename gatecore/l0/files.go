package l0

// files are the programs that delete, move, overwrite and mount. GNU coreutils, findutils,
// util-linux and rsync manuals.
func files() Domain {
	return Domain{Name: "files", Programs: append(fileWriters(), diskTools()...), Rules: append(fileRules(), diskRules()...)}
}

func fileWriters() []Program {
	w := func(names, operands, why string, o Options) Program {
		return Program{Names: names, Command: Command{Is: Writer, Operands: operands, Options: o, Why: why}}
	}
	return []Program{
		w("rm grm", "delete*", "rm deletes files for good.", Options{
			Read:   "-v --verbose -i -I --interactive? -d --dir --one-file-system --preserve-root?",
			Change: "-f --force -r -R --recursive -P -W -x --no-preserve-root",
		}),
		w("rmdir unlink grmdir", "delete*", "This deletes a name.", Options{Read: "-v --verbose --ignore-fail-on-non-empty", Change: "-p --parents"}),
		w("shred wipe srm scrub secure-delete", "delete*", "This erases beyond recovery.", Options{Read: "-v --verbose -n= --iterations= -s= --size= --random-source= -x --exact -z --zero -f -l", Change: "-u --remove? --force -r -q"}),
		w("rimraf del-cli", "delete*", "This deletes whole trees.", Options{Read: "-v --verbose -g --glob --dot", Change: "-f --force", DryRun: "-d --dry-run"}),
		w("trash trash-put gio-trash rmtrash", "delete*", "This moves files to the trash.", Options{Read: "-v -f -r -i -d"}),
		w("mv gmv", "delete+ write", "mv moves and overwrites files.", Options{
			Read:   "-f --force -i --interactive -n --no-clobber -u --update? -v --verbose -b --backup? -S= --suffix= -T --no-target-directory -Z --strip-trailing-slashes --exchange --no-copy --debug -h",
			Change: "", Write: "-t= --target-directory=",
		}),
		w("cp gcp", "file+ write", "cp writes files.", Options{
			Read:  "-a --archive --attributes-only -b --backup? --copy-contents -d --debug -f --force -i --interactive -H -l --link -L --dereference -n --no-clobber -P --no-dereference -p --preserve? --no-preserve= --parents -R -r --recursive --reflink? --remove-destination --sparse= --strip-trailing-slashes -s --symbolic-link -S= --suffix= -T --no-target-directory -u --update? -v --verbose -x --one-file-system -Z --context? -c -X",
			Write: "-t= --target-directory=",
		}),
		w("install ginstall", "file* write", "install writes files.", Options{
			Read: "-b --backup? -c -C --compare -D -g= --group= -m= --mode= -o= --owner= -p --preserve-timestamps -s --strip -S= --suffix= -T -v --verbose -Z -d --directory", Run: "--strip-program=", Write: "-t= --target-directory=",
		}),
		w("ln link gln symlink", "name* write", "ln writes a name.", Options{
			Read: "-b --backup? -d -F --directory -f --force -i --interactive -L --logical -n --no-dereference -P --physical -r --relative -s --symbolic -S= --suffix= -T --no-target-directory -v --verbose -h -w", Write: "-t= --target-directory=",
		}),
		{Names: "tee gtee", Command: Command{Is: Reader, Operands: "write*", Options: Options{Read: "-i --ignore-interrupts -p --output-error? -a --append"}}},
		{Names: "sponge", Command: Command{Is: Writer, Operands: "write*", Options: Options{Read: "-a"}}},
		w("touch gtouch", "append*", "touch creates files or changes their times.", Options{Read: "-a -c --no-create -d= --date= -f -h --no-dereference -m -r= --reference= -t= --time= -A="}),
		w("mkdir gmkdir mkfifo mknod mktemp gmktemp", "word*", "This creates a name.", Options{Read: "-p --parents -m= --mode= -v --verbose -Z --context? -d --directory -q --quiet -t -u --dry-run --suffix= --tmpdir? -p"}),
		w("truncate gtruncate fallocate", "write*", "truncate cuts or extends a file.", Options{Read: "-c --no-create -o --io-blocks -r= --reference= -s= --size= -l= --length= -n --keep-size -p --punch-hole -z --zero-range -v -x"}),
		supplied("-r -w -x -X --reference", w("chmod gchmod", "word delete*", "chmod changes who may use files.", Options{Read: "-c --changes -f --silent --quiet -v --verbose -R --recursive --preserve-root --no-preserve-root -h -H -L -P -r -w -x -X -a -N", Change: "--reference="})),
		w("chown chgrp gchown gchgrp", "word delete*", "This changes the owner of files.", Options{Read: "-c --changes -f --silent --quiet -v --verbose -R --recursive -h --no-dereference --dereference --from= -H -L -P --preserve-root --no-preserve-root -x -n", Change: "--reference="}),
		w("setfacl chattr chflags xattr attr restorecon chcon setfattr", "delete*", "This changes attributes of files.", Options{Read: "-R -r -V -v -f -p= -m= -x= -b -k -n -L -P -d -w -l -h", Change: "--set= --restore= -M= -X= -c"}),
		{Names: "dd gdd dcfldd", Command: Command{Is: Reader, Operands: "-", Why: "dd writes raw data.", Special: Dd, Options: Options{Read: "bs= count= skip= seek= ibs= obs= cbs= conv= iflag= oflag= status=", File: "if=", Write: "of="}}},
		{Names: "rsync", Command: Command{Is: Writer, Operands: "file+ write", Why: "rsync writes files.", Options: Options{
			Read: "-# -v -q -a -r -R -b -u -l -L -k -K -H -p -E -A -X -o -g -D -t -U -O -J -S -W -x -C -c -h -P -z -I -i -m -s -y -8 -4 -6 -0 -F -B= -T= -f= --verbose --info= --debug= --stderr= --quiet --no-motd --checksum --archive --no-* --recursive --relative --backup --backup-dir= --suffix= --update --inplace --append --append-verify --dirs --mkpath --links --copy-links --copy-unsafe-links --safe-links --munge-links --copy-dirlinks --keep-dirlinks --hard-links --perms --executability --chmod= --acls --xattrs --owner --group --devices --specials --times --atimes --crtimes --omit-dir-times --super --fake-super --sparse --preallocate --whole-file --checksum-choice= --one-file-system --block-size= --existing --ignore-existing --remove-source-files --ignore-errors --force --max-delete= --max-size= --min-size= --partial --partial-dir= --delay-updates --prune-empty-dirs --numeric-ids --usermap= --groupmap= --chown= --timeout= --contimeout= --ignore-times --size-only --modify-window= --fuzzy --compare-dest= --copy-dest= --link-dest= --compress --compress-level= --skip-compress= --cvs-exclude --filter= --exclude= --include= --from0 --protect-args --stats --8-bit-output --human-readable --progress --itemize-changes --out-format= --bwlimit= --outbuf= --list-only --iconv= --ipv4 --ipv6",
			File: "--files-from= --include-from= --exclude-from= --password-file=", Write: "--log-file= --write-batch= --only-write-batch= --temp-dir=", Run: "-e= --rsh= --rsync-path= --early-input=", Config: "--config= --daemon", Endpoint: "--address= --port= --sockopts=",
			Change: "--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args --remove-source-files", DryRun: "-n --dry-run",
		}}, Network: false},
		w("patch", "file*", "patch changes files.", Options{Read: "-p= -N -R -s -b -d= -i= -u -c -n --forward --reverse --backup --silent --strip= --directory= --input= -l -E -t -f", Write: "-o= --output= -r=", DryRun: "--dry-run -C --check"}),
		w("rename prename", "word*", "This renames files, and runs the Perl it is given.", Options{Read: "-v -f -n --no-act --nono --dry-run"}),
		w("mmv vidir detox", "word*", "This renames files.", Options{Read: "-v -f", DryRun: "-n --no-act --nono --dry-run"}),
		w("dos2unix unix2dos perltidy", "write*", "This rewrites files.", Options{Read: "-q -k -f"}),
		w("open xdg-open code subl idea cursor", "word*", "This opens another program.", Options{Help: "--version -v --help --list-extensions"}),
	}
}

// supplied says which options stand for the first operand.
func supplied(options string, p Program) Program {
	p.Supplied = options
	return p
}

func fileRules() []Rule {
	return []Rule{
		{
			ID: "fs.remove-tree", Verdict: Deny,
			Why:     "This recursive delete reaches the system, a home directory, the working directory or everything in it, or a place that is not known.",
			Instead: "name the one directory inside the work tree that should go, such as rm -r ./build",
			When:    []Match{{Program: "rm grm srm trash rmtrash", Has: "-r|-R|--recursive", Paths: Tree}, {Program: "rimraf del-cli", Paths: Tree}, {Program: "tar gtar bsdtar", Has: "--remove-files", Paths: Tree}, {Program: "zip", Has: "-m|--move", Paths: Tree}, {Program: "rsync", Has: "--remove-source-files", Paths: Tree}, {Program: "7z 7za 7zr", Command: "a", Has: "-sdel", Paths: Tree}},
			Yes:     []string{"rm -rf /", "rm -r -f ~", "rm --recu *", "sudo rm -fr /etc", "rm -rf $x", "cd .. && rm -rf app", "rm -rf -- ..", "rm -rf /home/*", "tar cf /tmp/b.tar --remove-files /home/dev", "zip -rm b.zip ~", "rsync -a --remove-source-files ~/ /tmp/x", "7z a -sdel b.7z /home/dev", "rm -rf \"$HOME/x\""},
			No:      []string{"rm -rf ./build", "rm -rf /tmp/x", "rm -f /home/dev/x", "echo rm -rf /", "rm -rf build/$x", "rm -r /data/x"},
		},
		{
			ID: "fs.remove-system", Verdict: Deny, Why: "This deletes a file of the system.",
			When: []Match{{Program: "rm grm rmdir unlink shred wipe srm trash", Paths: Single}},
			Yes:  []string{"rm /etc/passwd", "rm -f /usr/bin/ls", "rm -f /*"}, No: []string{"rm a.txt", "rm /tmp/x", "rmdir x"},
		},
		{
			ID: "fs.remove-root-guard", Verdict: Deny, Why: "This switches off the protection of the root directory.",
			When: []Match{{Program: "rm chmod chown chgrp", Has: "--no-preserve-root"}}, Yes: []string{"rm -rf --no-preserve-root /"}, No: []string{"rm -r --preserve-root x"},
		},
		{
			ID: "fs.find-delete", Verdict: Deny, Why: "This find deletes everything below a directory, or below a place of the system.",
			Instead: "narrow it with -name, -mtime or -size, and run it with -print first",
			Yes:     []string{"find . -delete", "find / -name x -delete", "find ~ -exec rm -f {} +", "find . -type f -exec rm {} \\;"}, No: []string{"find . -name '*.pyc' -delete", "find ./build -delete"},
		},
		{
			ID: "fs.erase", Verdict: Deny, Why: "This erases data beyond recovery.", Instead: "rm the one file, or move it away",
			When: []Match{{Program: "shred wipe srm scrub", Paths: Tree}, {Program: "shred wipe srm scrub", Has: "-u|--remove|-z|--zero", Min: 1}, {Program: "shred wipe scrub", Paths: Device}, {Program: "shred wipe scrub", Min: 1}},
			Yes:  []string{"shred -u notes.txt", "shred /dev/sda", "shred -n 3 /home/dev/x"}, No: []string{"shred --help"},
		},
		{
			ID: "fs.move-tree", Verdict: Deny, Why: "This moves a system, home or parent directory away.",
			When: []Match{{Program: "mv gmv", Paths: Tree, If: MovesTree}}, Yes: []string{"mv / /tmp/x", "mv ~ /tmp/x", "mv * /tmp", "mv /etc /tmp/etc"}, No: []string{"mv a b", "mv ./build /tmp/build", "mv a ~/x"},
		},
		{
			ID: "fs.mode-tree", Verdict: Deny, Why: "This changes modes or owners of a whole system, home or parent tree.", Instead: "name the one directory that needs it",
			When: []Match{{Program: "chmod gchmod chown chgrp gchown gchgrp", Has: "-R|--recursive", Paths: Tree}, {Program: "setfacl chattr chflags", Has: "-R", Paths: Tree}},
			Yes:  []string{"chmod -R 777 /", "chown -R dev ~", "chmod -R 755 .", "chgrp --rec staff /usr"}, No: []string{"chmod 755 x.sh", "chmod -R 755 ./dist", "chown dev x"},
		},
		{
			ID: "fs.mode-system", Verdict: Deny, Why: "This changes modes or owners of a system file.",
			When: []Match{{Program: "chmod gchmod chown chgrp gchown gchgrp setfacl chattr chflags", Paths: Single}}, Yes: []string{"chmod 777 /etc/passwd", "chown dev /usr/bin/sudo", "chattr +i /", "sudo chattr -i /etc/passwd"}, No: []string{"chmod +x run.sh"},
		},
		{
			ID: "fs.mode-credential", Verdict: Deny, Why: "This lets everybody read or change a credential.",
			When: []Match{{Program: "chmod gchmod", Paths: Secret, If: WorldWritable}}, Yes: []string{"chmod 777 ~/.ssh/id_rsa"}, No: []string{"chmod 600 ~/.ssh/id_rsa"},
		},
		{
			ID: "fs.mode-setuid", Verdict: Deny, Why: "This lets everybody run a program with its owner's rights.",
			When: []Match{{Program: "chmod gchmod", If: SetuidMode}}, Yes: []string{"chmod u+s /tmp/x", "chmod 4755 x"}, No: []string{"chmod 755 x", "chmod 0644 x"},
		},
		{
			ID: "fs.truncate", Verdict: Deny, Why: "This empties a protected file.",
			When: []Match{{Program: "truncate gtruncate fallocate", Paths: Written}}, Yes: []string{"truncate -s 0 /etc/hosts", "truncate -s0 ~/.bash_history"}, No: []string{"truncate -s 0 app.log"},
		},
		{
			ID: "fs.sync-delete", Verdict: Deny, Why: "rsync --delete removes everything at the destination that the source does not have.", Instead: "run it with --dry-run first and name a destination in the work tree",
			When: []Match{
				{Program: "rsync", Has: "--delete|--del|--delete-before|--delete-during|--delete-delay|--delete-after|--delete-excluded", Last: "*:* /* ~* .. ../* . ./"},
				{Program: "rsync", Has: "--delete|--del|--delete-before|--delete-during|--delete-delay|--delete-after|--delete-excluded", Paths: Tree, If: WritesTree},
			},
			Yes: []string{"rsync -a --delete /empty/ user@host:/srv/data/", "rsync -a --delete x/ /home/dev"}, No: []string{"rsync -a --delete src/ dest/", "rsync -an --delete src/ host:/x"},
		},
		{
			ID: "fs.link-protected", Verdict: Deny, Why: "This replaces a protected file by a link.",
			When: []Match{{Program: "ln gln link", Paths: Written}}, Yes: []string{"ln -sf /tmp/x /etc/passwd", "ln -s x ~/.bashrc"}, No: []string{"ln -s a b"},
		},
		{
			ID: "fs.history", Verdict: Deny, Why: "This removes the shell's history.",
			When: []Match{{Program: "rm unlink shred mv truncate", Paths: HistoryFile}}, Yes: []string{"rm ~/.bash_history", "mv ~/.zsh_history /tmp/x"}, No: []string{"rm history.md"},
		},
		{
			ID: "fs.immutable", Verdict: Undecided, Why: "This changes file attributes.", When: []Match{{Program: "chattr chflags"}}, Yes: []string{"chattr +i x"}, No: []string{"lsattr x"},
		},
	}
}

func diskTools() []Program {
	d := func(names, why string) Program {
		return Program{Names: names, Command: Command{Is: Writer, Why: why, Options: Options{Help: "-V"}}}
	}
	return []Program{
		d("mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mke2fs mkdosfs newfs newfs_hfs newfs_apfs mkntfs zpool zfs btrfs pvcreate pvremove vgremove vgcreate lvremove lvcreate lvreduce wipefs blkdiscard sgdisk gdisk cfdisk sfdisk parted cryptsetup mdadm dmsetup hdparm nvme badblocks resize2fs tune2fs fsck fsck.ext4 e2fsck losetup cgdisk partprobe debugfs xfs_growfs xfs_repair swaplabel fstrim", "This changes disks or file systems."),
		{Names: "fdisk", Command: Command{Is: Writer, Operands: "name*", Options: Options{Read: "-u -b= -C= -H= -S= -o=", DryRun: "-l --list -s -x"}, Why: "fdisk changes partitions."}},
		{Names: "mount", Command: Command{Is: Reader, Operands: "set*", Why: "mount attaches a file system.", Options: Options{Read: "-t= --types= -v --verbose -l --show-labels", Change: "-o= --options= -O= -r -w -a --all -n -f --fake -B -R -M -L= -U= --bind --rbind --move --read-only --rw --source= --target= -T= --fstab= -N= --make-* -m? --mkdir? -F --fork", Help: "-V -h"}}},
		{Names: "umount fusermount fusermount3", Command: Command{Is: Writer, Operands: "name*", Why: "umount detaches a file system.", Options: Options{Read: "-l -f -a -r -v -n -t= -R -d -u -z --lazy --force --recursive --all"}}},
		{Names: "sync", Command: Command{Is: Reader, Operands: "name*", Options: Options{Read: "-d -f --data --file-system"}}},
	}
}

func diskRules() []Rule {
	return []Rule{
		{
			ID: "disk.format", Verdict: Deny, Why: "This makes a new file system and destroys what the device holds.",
			When: []Match{{Program: "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mke2fs mkdosfs newfs newfs_hfs newfs_apfs mkntfs", Min: 1}},
			Yes:  []string{"mkfs.ext4 /dev/sda1", "mkfs -t xfs /dev/sdb"}, No: []string{"mkfs.ext4 -V"},
		},
		{
			ID: "disk.partition", Verdict: Deny, Why: "This changes or wipes partitions, volumes or devices.",
			When: []Match{
				{Program: "wipefs blkdiscard sgdisk gdisk cfdisk cgdisk sfdisk parted pvremove vgremove lvremove lvreduce badblocks", Paths: Device, Not: "-l --list -p --print -n --no-act --dump -d"},
				{Program: "wipefs sgdisk", Has: "-a|--all|-Z|--zap-all"},
				{Program: "fdisk", Paths: Device},
				{Program: "zpool zfs", First: "destroy labelclear rollback"},
				{Program: "btrfs", Operand: "delete"},
				{Program: "pvremove vgremove lvremove", Min: 1},
				{Program: "cryptsetup", First: "luksFormat luksErase erase reencrypt luksKillSlot"},
				{Program: "mdadm", Has: "--zero-superblock"},
				{Program: "nvme", First: "format sanitize"},
				{Program: "hdparm", Has: "--security-erase"},
				{Program: "dmsetup", First: "remove_all wipe_table"},
				{Program: "xfs_repair", Has: "-L"},
			},
			Yes: []string{"wipefs -a /dev/sda", "fdisk /dev/sda", "zpool destroy tank", "parted /dev/sda mklabel gpt", "cryptsetup luksFormat /dev/sdb1", "xfs_repair -L /dev/sda1"}, No: []string{"fdisk -l /dev/sda", "zpool status"},
		},
		{
			ID: "disk.unmount-all", Verdict: Deny, Why: "This detaches every file system.", When: []Match{{Program: "umount", Has: "-a|--all"}, {Program: "umount", Operand: "/ /home /usr /var /boot /etc /opt /proc /sys /dev"}},
			Yes: []string{"umount -a", "umount /"}, No: []string{"umount /mnt/usb"},
		},
		{
			ID: "fs.unpack-over", Verdict: Deny, Why: "This unpacks an archive over system, start-up or key files.", Instead: "unpack it into an empty directory and look at it",
			When: []Match{
				{Program: "tar gtar bsdtar", Has: "-x|--extract|--get", Paths: Written},
				{Program: "tar gtar bsdtar", Has: "-x|--extract|--get", Not: "-C --directory -O --to-stdout", If: UnpacksHere},
				{Program: "unzip", Not: "-d -l -t -v -z -Z -p -c", If: UnpacksHere},
				{Program: "unzip 7z 7za 7zr unrar rar cpio dpkg-deb bsdcpio", Paths: Written},
				{Program: "7z 7za 7zr", Command: "x, e", Not: "-o", If: UnpacksHere},
				{Program: "cpio", Has: "-i|--extract", Not: "-D --directory", If: UnpacksHere},
			},
			Yes: []string{"cd / && tar xzf /tmp/b.tgz", "cd /etc && unzip -o x.zip", "7z x a.7z -o/etc", "unrar x a.rar /etc/", "dpkg-deb -x a.deb /", "cpio -idm -D / < a.cpio", "cd / && cpio -id < a", "unzip x.zip -d /usr", "tar xf a.tar -C /etc", "tar -xzf a.tgz --directory /usr/bin", "sudo tar -C / -xf a.tar"}, No: []string{"tar tf a.tar", "tar xf a.tar", "tar xf a.tar -C build", "tar -C /etc -cf a.tar hosts"},
		},
		{
			ID: "disk.mount-over", Verdict: Deny, Why: "This mounts over a system directory.", When: []Match{{Program: "mount", Last: "/ /etc /usr /bin /boot /home /var /lib /sbin /root /etc/* /usr/* /bin/* /lib/*", Min: 2}},
			Yes: []string{"mount --bind /tmp/x /etc", "mount --bind /dev/null /etc/passwd"}, No: []string{"mount /dev/sdb1 /mnt"},
		},
	}
}
