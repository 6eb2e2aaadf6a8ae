package l0

// readersSystem are small programs that read or compute.
func readersSystem() Domain {
	r := func(names, operands, read string) Program {
		return Program{Names: names, Command: Command{Is: Reader, Operands: operands, Options: Options{Read: read}}}
	}
	date := r("date gdate", "set?", "-d= -I? -R -u -j -n -r= -v= -z= --date= --iso-8601? --rfc-email --rfc-3339= --reference= --utc --universal --debug --resolution --rfc-2822")
	date.Options.Change = "-s= --set="
	date.Options.File = "-f= --file="
	return Domain{Name: "readers", Programs: []Program{
		date,
		r("sleep gsleep usleep", "word+", ""),
		r("tput", "word*", "-T= -S -V"),
		r("clear", "-", "-T= -V -x"),
		r("printenv", "word*", "-0 --null").is(Secrets, "It prints the environment."),
		r("getopt", "word*", "-a -l= -n= -o= -q -Q -s= -T -u --alternative --longoptions= --name= --options= --quiet --quiet-output --shell= --test --unquoted"),
		r("envsubst", "word?", "-v --variables").is(Secrets, "It prints variables of the environment."),
		r("dircolors", "file?", "-b -c -p -z --sh --csh --print-database --print-ls-colors --sh"),
		r("pathchk", "word*", "-p -P --portability"),
		r("namei", "name*", "-x -m -o -l -n -v"),
		r("mountpoint", "name", "-d -x -q --quiet --fs-devno --devno --nofollow"),
		r("reset", "-", "-I -Q -V"),
		{Names: "stty", Command: Command{Is: Reader, Operands: "set*", Options: Options{Read: "-a -g -V", Config: "-F= --file="}}, Commands: []Command{{Path: "size, speed", Is: Reader, Operands: "-"}}},
		r("lesskey resize", "word*", "").is(Writer, ""),
		r("zipinfo lsar", "name*", "-1 -2 -s -m -l -v -h -t -T -z -M"),
		r("tzselect logger", "word*", "").is(Writer, ""),
		{Names: "tar gtar bsdtar", Command: Command{Is: Reader, Operands: "file*", Options: Options{
			Read:   "--checkpoint? -t -v -z -j -J -O -h -p -P -k -n -w -Z -a -C= -X= --list --verbose --gzip --bzip2 --xz --zstd --to-stdout --exclude= --strip-components= --wildcards --no-wildcards --directory= --numeric-owner --full-time --utc --totals --show-transformed-names --occurrence? --lzma --auto-compress --anchored --ignore-case --no-recursion --warning= --force-local --quoting-style=",
			Change: "-x -c -r -u -A -d --extract --get --create --append --update --delete --concatenate --diff --remove-files --overwrite --unlink-first -U -W --verify",
			Run:    "-I= --use-compress-program= --to-command= --checkpoint-action= -F= --info-script= --new-volume-script= --rsh-command= --rmt-command= -K=", File: "-f= --file=", Config: "-T= --files-from=", Write: "--index-file= -g= --listed-incremental= -G",
		}}},
		{Names: "unzip", Command: Command{Is: Writer, Operands: "name file*", Options: Options{Read: "-q -qq -C -1 -x= -o -n -u -j -a -b -L -X -K", DryRun: "-l -t -v -z -Z -p -c", Config: "-P=", Write: "-d="}, Why: "unzip writes the files of the archive.", Instead: "unzip -l lists them"}},
		{Names: "gzip bzip2 xz zstd lz4 lzma pigz pbzip2", Command: Command{
			Is: Writer, Operands: "file*", Decodes: "-d --decompress --decode --uncompress -c --stdout",
			Options: Options{Read: "-# -d -k -q -v -f -n -N -r -T= -S= -p= -e -z --decompress --uncompress --keep --quiet --verbose --force --best --fast --threads= --suffix= --long? --ultra", DryRun: "-c --stdout --to-stdout -l --list -t --test", Write: "-o="},
			Why:     "It replaces files by packed or unpacked ones.", Instead: "with -c it prints",
		}},
		{Names: "gunzip bunzip2 unxz unzstd unlz4 unlzma", Command: Command{
			Is: Writer, Operands: "file*", Decodes: "*",
			Options: Options{Read: "-# -d -k -q -v -f -n -N -r -T= -S= -p= -e -z --decompress --uncompress --keep --quiet --verbose --force --best --fast --threads= --suffix= --long? --ultra", DryRun: "-c --stdout --to-stdout -l --list -t --test", Write: "-o="},
			Why:     "It replaces files by packed or unpacked ones.", Instead: "with -c it prints",
		}},
		{Names: "dpkg-deb", Command: Command{Is: Writer, Operands: "file? write?", Options: Options{DryRun: "-c -I -f -W --contents --info --field --show", Write: "-x -X -e -R -b --extract --vextract --control --raw-extract --build", Help: "-V"}, Why: "It unpacks or builds a package."}},
		{Names: "cpio bsdcpio", Command: Command{Is: Writer, Operands: "word*", Decodes: "-i --extract", Why: "It writes or replaces files.", Options: Options{
			Read:   "-0 -a -A -B -c -C= -d -E= -f -H= -k -L -m -n -r -R= -s -S -u -v -V -b --block-size= --format= --make-directories --no-absolute-filenames --preserve-modification-time --quiet --unconditional --verbose --null",
			DryRun: "-t --list", Change: "-i --extract", Write: "-o -p --create --pass-through -D= --directory= -O=", File: "-F= -I= --file=",
		}}},
		{Names: "7z 7za 7zr unrar rar", Command: Command{Is: Writer, Why: "It writes or replaces files."}, Commands: []Command{
			{Path: "a", Is: Writer, Operands: "write? file*", Why: "It writes an archive.", Options: Options{Read: "-y -p? -r -t? -mx? -m? -x? -i? -ssw -spf -v?", Change: "-sdel"}},
			{Path: "x, e", Is: Writer, Operands: "file? write?", Why: "It writes or replaces files.", Options: Options{Read: "-y -p? -r -aoa -aos -aou -aot -bd -bb? -t? -x? -i? -mmt? -o+ -o- -idq -inul", Write: "-o= -op="}},
			{Path: "l, t, lb, v", Is: Reader, Operands: "word*", Options: Options{Read: "-ba -slt -r"}},
		}},
		{Names: "zip", Command: Command{Is: Writer, Operands: "write? file*", Options: Options{Read: "-# -r -R -q -v -j -m -u -f -d -g -y -9 -0 -X -D -l -e -T -x= -i= -n= -P= -s= -t= --encrypt --password=", Run: "-TT= --unzip-command="}, Why: "zip writes an archive."}},
		r("lzop compress uncompress brotli pixz pax unar zipsplit zipnote split csplit gsplit shar uudecode uuencode", "word*",
			"-# -c -d -k -q -v -t -f -l -n -r -T= -z -a -b= -e -o= -i -x -m -j -S= -P= --stdout --to-stdout --decompress --decode --uncompress --keep --quiet --verbose --test --force --list --best --fast --threads= --lines= --bytes= --suffix-length= --numeric-suffixes --additional-suffix=").is(Writer, "It writes or replaces files.").decodes("-d --decompress --decode --uncompress -dc -c --stdout"),
		r("pv", "file*", "-p -t -e -r -b -n -q -a -l -0 -w= -H= -N= -s= -i= -L= -B= -f -I").change("-d= -R="),
	}, Rules: nil}
}
