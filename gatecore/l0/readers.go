package l0

// grepOptions are GNU and BSD grep's.
const grepOptions = "-# -A= -B= -C= -D= -E -F -G -H -I -J -L -M -O -P -R -S -T -U -V -Z -a -b -c -d= -e= -h -i -l -m= -n -o -p -q -r -s -u -v -w -x -y -z " +
	"--after-context= --basic-regexp --before-context= --binary --binary-files= --byte-offset --color? --colour? --context? --count --dereference-recursive --devices= " +
	"--directories= --exclude= --exclude-dir= --extended-regexp --files-with-matches --files-without-match --fixed-strings --ignore-case --no-ignore-case --include= --include-dir= --initial-tab --invert-match " +
	"--label= --line-buffered --line-number --line-regexp --max-count= --no-filename --no-messages --null --null-data --only-matching --perl-regexp --quiet --silent --recursive --regexp= --text " +
	"--unix-byte-offsets --with-filename --word-regexp --group-separator= --no-group-separator --decompress --bz2decompress --mmap --null"

// rgOptions are ripgrep's reading options.
const rgOptions = "-# -A= -B= -C= -E= -F -H -I -L -M= -N -P -S -T= -U -V -a -b -c -d= -e= -g= -h -i -j= -l -m= -n -o -p -q -r= -s -t= -u -v -w -x -. -0 " +
	"--after-context= --auto-hybrid-regex --before-context= --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator= --count --count-matches --crlf --debug --dfa-size-limit= " +
	"--encoding= --engine= --field-context-separator= --field-match-separator= --files --files-with-matches --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --hidden --hyperlink-format= " +
	"--iglob= --ignore-case --ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --maxdepth= " +
	"--max-filesize= --mmap --multiline --multiline-dotall --no-* --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --pcre2-version --pretty --quiet --regex-size-limit= --regexp= --replace= " +
	"--search-zip.never --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trace --trim --type= --type-add= --type-clear= --type-list --type-not= --unicode --unrestricted --vimgrep --with-filename --word-regexp --require-git --messages --ignore --passthrough --generate="

// readers are the programs that view, search and transform text. Options as in the GNU,
// BSD, ripgrep, fd, jq and yq manuals.
func readers() Domain {
	r := func(names, operands, read string) Program {
		return Program{Names: names, Command: Command{Is: Reader, Operands: operands, Options: Options{Read: read}}}
	}
	with := func(p Program, f func(*Options)) Program {
		f(&p.Options)
		return p
	}
	ps := append(viewers(r, with), searchers(r, with)...)
	return Domain{Name: "readers", Programs: append(ps, transformers(r)...), Rules: []Rule{{
		ID: "readers.url", Verdict: Undecided, Why: "It fetches the address it is given, or asks about a name on the network.",
		When: []Match{
			{Program: "xmllint glow mdcat exiftool svn ffprobe xmlstarlet", Operand: "http://* https://* ftp://* *://*"},
			{Program: "openssl", Has: "-in=*://*|-CAfile=*://*|-CAstore=*://*|-CApath=*://*|-untrusted=*://*|-trusted=*://*|-CRLfile=*://*"},
			{Program: "openssl", Operand: "*://*"},
			{Program: "getent", First: "hosts ahosts ahostsv4 ahostsv6 networks netgroup"}, // a name server is asked
			{Program: "glow", Operand: "github.com/* gitlab.com/*"},
			{Program: "ffprobe", Operand: "*:*"}, // a protocol
			{Program: "xmlstarlet", Command: "sel", Has: "-v=*document(*|--value-of=*document(*|-c=*document(*|--copy-of=*document(*|-m=*document(*|--match=*document(*"},
			{Program: "svn", Operand: "^/* *@*"}, // the repository itself, a revision that it alone has
		},
		Yes: []string{"openssl x509 -noout -in http://example.com/a.pem", "getent ahosts example.com", "glow github.com/a/b", "ffprobe tcp:host", "svn diff ^/trunk", "svn info a@12", "xmllint https://example.com/a.xml", "glow https://example.com/README.md", "svn info https://example.com/r"}, No: []string{"xmllint --noout a.xml", "echo https://example.com"},
	}}}
}

func viewers(r func(string, string, string) Program, with func(Program, func(*Options)) Program) []Program {
	cat := r("cat gcat", "file*", "-A -b -e -E -n -s -t -T -u -v -l --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting")
	cat.Special = Cat
	return []Program{
		cat,
		r("ls dir vdir gls", "name*", "-# -a -A -b -B -c -C -d -D -e -f -F -g -G -h -H -i -I= -k -l -L -m -n -N -o -O -p -P -q -Q -r -R -s -S -t -T= -u -U -v -w= -W -x -X -y -Z -1 -@ -% -, "+
			"--all --almost-all --author --escape --block-size= --ignore-backups --color? --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si "+
			"--dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars "+
			"--show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero"),
		r("exa eza lsd", "name*", "-1 -a -A -d -D -f -F -g -G -h -H -i -I= -l -L= -m -o -r -R -s= -S -t= -T -u -U -x -X -b -B -n -Z -@ -M -O --all --almost-all --long --tree --level= --git --git-ignore --git-repos --icons? --no-icons --color? --colour? --sort= --reverse --group --group-directories-first "+
			"--header --inode --links --blocks --blocksize --classify? --oneline --across --recurse --list-dirs --only-dirs --only-files --ignore-glob= --time= --time-style= --modified --created --accessed --changed --binary --bytes --numeric --no-permissions --no-filesize --no-user --no-time --octal-permissions --extended --hyperlink --width= --color-scale? --grid --total-size --depth= --date= --size= --permission= --blocks? --icon= --icon-theme= --dereference --mounts --absolute? --follow-symlinks"),
		r("head ghead", "file*", "-# -c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated"),
		with(r("tail gtail", "file*", "-f -F --follow? -# -c= -n= -q -r -v -z -b= --bytes= --lines= --quiet --silent --verbose --zero-terminated --max-unchanged-stats= -s= --sleep-interval= --pid= --retry"), func(o *Options) {
		}),
		r("rev", "file*", "-0 --zero").decodes("*"),
		r("tac nl gnl expand unexpand fold fmt column colrm pr col ul gtac", "file*", "-# -a -b -B -c -d= -e= -f= -h= -i= -l= -n= -o= -p -r -s= -t= -u -v= -w= -x -z -O= -N= -R= -T= -W= -J -H= -L -E= -A -S -C -D -F -G -M -P "+
			"--before --regex --separator= --body-numbering= --section-delimiter= --footer-numbering= --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator= --starting-line-number= --number-width= "+
			"--all --tabs= --initial --first-only --bytes --spaces --width= --characters --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --goal= --table --separator= --output-separator= --table-columns= --json --table-right= --table-truncate= --fillrows --keep-empty-lines --output-width= --tree= --across --columns= --double-space --header= --length= --omit-header --zero"),
		with(r("sort gsort", "file*", "-b -d -f -g -h -i -k= -m -M -n -r -R -s -S= -t= -u -V -z -c -C --check? --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort "+
			"--random-sort --random-source= --reverse --sort= --version-sort --batch-size= --debug --key= --merge --stable --buffer-size= --field-separator= --parallel= --unique --zero-terminated --mmap --radixsort --qsort --mergesort --heapsort"), func(o *Options) {
			o.Config, o.Write, o.Run, o.Change = "--files0-from=", "-o= --output=", "--compress-program=", "-T= --temporary-directory="
		}),
		with(r("uniq guniq", "file? write?", "-# -c -d -D -f= -i -s= -u -w= -z --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique --check-chars= --zero-terminated"), func(*Options) {}),
		r("wc gwc", "file*", "-c -m -l -L -w --bytes --chars --lines --max-line-length --words --total= --libxo?"),
		r("cut gcut", "file*", "-b= -c= -d= -f= -n -s -w -z --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated"),
		r("paste join comm look", "file*", "-# -a= -d= -e= -i -j= -o= -s -t= -v= -1 -2 -3 -z -w= -f -b -1= -2= --delimiters= --serial --zero-terminated --check-order --nocheck-order --header --ignore-case --output-delimiter= --total"),
		{Names: "tr gtr", Style: POSIX, Command: Command{Is: Reader, Operands: "word*", Decodes: "*", Options: Options{Read: "-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1"}}},
		with(r("diff gdiff colordiff icdiff", "file*", "-# -a -b -B -c -C= -d -D= -e -E -F= -h -H -i -I= -l -L= -n -N -p -P -q -r -s -S= -t -T -u -U= -v -w -W= -x= -X= -y -Z "+
			"--normal --brief --report-identical-files --context? --unified? --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty "+
			"--recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --starting-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change "+
			"--ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --line-format= --old-line-format= --new-line-format= --unchanged-line-format= --old-group-format= --new-group-format= --changed-group-format= --unchanged-group-format= --minimal --horizon-lines= --speed-large-files --color? --palette="), func(o *Options) {
			o.File, o.Run = "--exclude-from= --from-file= --to-file=", "--paginate"
		}),
		r("diff3 sdiff cmp gcmp", "file*", "-# -a -A -b -B -c -d -e -E -H -i -I -l -L= -m -n= -N -s -t -T -v -w= -x -X -3 -W -Z --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent --text --show-overlap --easy-only --merge --show-all --label= --strip-trailing-cr --suppress-common-lines --left-column --width="),
		{Names: "file", Command: Command{Is: Reader, Operands: "name*", Options: Options{
			Read: "-0 -b -c -d -D -E -h -i -I -k -l -L -n -N -p -P= -r -R= -s -S -v -z -Z -e= -F= -a --apple --brief --checking-printout --dereference --exclude= --exclude-quiet= --extension --separator= --no-dereference --mime --mime-type --mime-encoding --keep-going --list --no-buffer --no-pad --preserve-date --parameter= --print0 --raw --special-files --no-sandbox --uncompress --uncompress-noreport",
			File: "-f= --files-from=", Run: "-m= --magic-file=", Change: "-C --compile",
		}}},
		r("stat gstat", "name*", "-c= -f? -F -l -L -n -N -q -r -s -t -x -t= --dereference --file-system --cached= --format= --printf= --terse"),
		{Names: "tree", Command: Command{Is: Reader, Operands: "name*", Options: Options{
			Read: "-a -A -c -C -d -D -f -F -g -h -H= -i -I= -J -l -L= -n -N -p -P= -q -Q -r -s -S -t -T= -u -U -v -x -X --charset= --device --dirsfirst --du --filelimit= --filesfirst --filesync --gitignore --hintro= --houtro= --ignore-case --info --inodes --matchdirs --metafirst --nolinks --noreport --prune --si --sort? --timefmt= --hyperlink --scheme= --authority= --opt-toggle --compress=",
			// -R with -H and -L writes 00Tree.html files.
			Write: "-o= --output=", Change: "-R", Config: "--fromfile --fromtabfile", File: "--gitfile= --infofile=",
		}}},
		r("du gdu df gdf dust duf", "name*", "-# -0 -a -A -b -B= -c -d= -D -g -h -H -i -I= -k -l -L -m -n -P -r -s -S -t= -T= -x -X= -y -Y -Z --all --apparent-size --block-size= --bytes --total --dereference-args --max-depth= --human-readable --inodes --count-links --no-dereference --dereference --null --separate-dirs --si --summarize --threshold= --time? --time-style= --exclude= --one-file-system --local --no-sync --sync --output? --portability --print-type --type= --exclude-type= --depth= --reverse --no-percent-bars --only= --hide= --json").file("--exclude-from="),
		r("basename dirname gbasename", "word*", "-a -s= -z --multiple --suffix= --zero"),
		r("realpath readlink greadlink grealpath", "name*", "-e -f -m -n -q -s -v -z -L -P --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero --logical --physical --relative-to= --relative-base= --strip --no-symlinks"),
		{Names: "xxd", Command: Command{Is: Reader, Operands: "file? write?", Decodes: "-r -revert --revert", Options: Options{Read: "-a -autoskip -b -bits -c= -cols= -C -capitalize -d -e -E -EBCDIC -g= -groupsize= -i -include -l= -len= -n= -name= -o= -offset= -p -ps -postscript -plain -r -revert -R= -s= -seek= -u -uppercase", Help: "-v -h"}}},
		r("od god hexdump hd", "file*", "-a -A= -b -B -c -C -d -D -e= -f -F -h -H -i -I -j= -l -L -n= -N= -o -O -s= -S= -t= -v -w? -x -X --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format= --output-duplicates --width? --traditional --canonical --length= --skip= --one-byte-octal --one-byte-char --no-squeezing").file("-f= --format-file="),
		{Names: "strings", Command: Command{Is: Reader, Operands: "file*", Options: Options{Read: "-# -a -d -e= -f -n= -o -s= -t= -T= -w -U= --all --data --print-file-name --bytes= --radix= --include-all-whitespace --encoding= --target= --output-separator= --unicode="}}},
		{Names: "base64 base32 basenc gbase64", Command: Command{Is: Reader, Operands: "file?", Decodes: "-d -D --decode", Options: Options{Read: "-b= -d -D -h -i -w= --break= --decode --ignore-garbage --wrap= --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 --base58", File: "--input=", Write: "-o= --output="}}},
		r("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum sum cksum gsha256sum b3sum xxhsum xxh64sum crc32", "file*", "-a= -b -c -l= -p -q -r -s= -t -w -x -z -0 -1 -h -U --algorithm= --binary --check --length= --tag --text --zero --ignore-missing --quiet --status --strict --warn --untagged --raw --base64 --debug --portable --no-names"),
		r("seq gseq", "word*", "-# -f= -s= -t= -w --format= --separator= --equal-width"),
		r("numfmt factor expr units cal ncal gcal", "word*", "-d= -z -j -y -m -3 -1 -s -M -w -A= -B= -b -h --debug --delimiter= --field= --format= --from= --from-unit= --grouping --header? --invalid= --padding= --round= --suffix= --to= --to-unit= --zero-terminated --exponents"),
		{Names: "yes", Style: Raw, Command: Command{Is: Reader, Operands: "word*"}},
		r("iconv", "file*", "-c -f= -l -s -t= --from-code= --to-code= --list --silent --verbose").write("-o= --output="),
		{Names: "bat batcat", Command: Command{Is: Reader, Operands: "file*", Options: Options{
			Read: "-A -H= -L -P -S -V -d -f -h -l= -m= -n -p -pp -r= -s -u --show-all --nonprintable-notation= --plain --language= --highlight-line= --file-name= --diff --diff-context= --tabs= --wrap= --chop-long-lines --terminal-width= --number --color= --italic-text= --decorations= --force-colorization --map-syntax= --ignored-suffix= --theme= --theme-dark= --theme-light= --list-themes --squeeze-blank --squeeze-limit= --strip-ansi= --style= --line-range= --list-languages --unbuffered --no-custom-assets --no-config --completion= --config-file --config-dir --cache-dir --diagnostic --binary= --paging=never --paging=auto -P --no-pager --set-terminal-title --no-paging",
			Run:  "--pager= --paging=", Change: "--generate-config-file",
		}}},
		r("zcat bzcat xzcat zstdcat lz4cat gzcat lzcat", "file*", "-c -f -h -k -l -n -q -r -s -t -v -w -d").decodes("*").write("-o="),
		r("zgrep zegrep zfgrep bzgrep xzgrep", "word file*", "-# -A= -B= -C= -E -F -H -c -e= -h -i -l -L -n -o -q -r -s -v -w -x -m= --color? --include= --exclude=").decodes("*").file("-f="),
		r("less more most pg nano pico joe micro helix hx kak htop btop atop iotop iftop nethogs nmon glances ncdu ranger mc nnn lf vifm fzf sk peco dialog whiptail mutt tig lazygit gitui k9s lazydocker", "file*", "").is(Interactive, "It waits for a person at a terminal; use cat, head or sed -n instead.").run("-c= --cmd= -e= --eval= --execute="),
		{Names: "man apropos whatis info", Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-# -a -f -k -K -w -W -d -s= -S= -e -r -i -I -L= --all --where --path --location --whatis --apropos --regex --wildcard --names-only --sections= --exact --and --long", Run: "-P= --pager= -H? --html? -C= --config-file= -M= --manpath= -l --local-file -m= -X? -p= --preprocessor= -T? -t -R= -E=", Change: "-c -u --update --catman"}, Why: "man opens a pager."}},
		{Names: "tldr cheat", Command: Command{Is: Network, Operands: "word*", Why: "It fetches pages and keeps them."}},
	}
}

func searchers(r func(string, string, string) Program, with func(Program, func(*Options)) Program) []Program {
	grep := with(r("grep egrep fgrep ggrep rgrep", "word file*", grepOptions), func(o *Options) { o.File = "-f= --file= --exclude-from=" })
	grep.Supplied = "-e --regexp -f --file"
	rg := with(r("rg ripgrep", "word file*", rgOptions), func(o *Options) {
		o.File = "-f= --file= --ignore-file="
		o.Run = "--pre= --pre-glob= --hostname-bin= -z --search-zip"
	})
	rg.Supplied = "-e --regexp -f --file --files --type-list"
	ag := with(r("ag ack pt ugrep", "word file*", "-# -a -A= -B= -C= -c -D -d= -E= -F -f -g -G= -H -h -i -l -L -m= -n -o -p= -Q -r -R -s -S -t -u -U -v -w -x -0 -e= -P --ackmate --after= --before= --break --nobreak --color? --nocolor --color-line-number= --column --count --context? --debug --depth= --nofilename --filename --files-with-matches --files-without-matches --fixed-strings --follow --group --nogroup --heading --noheading --hidden --ignore= --ignore-dir= --ignore-case --invert-match --line-numbers --literal --max-count= --numbers --nonumbers --null --one-device --only-matching --passthrough --print-long-lines --print-all-files --recurse --norecurse --search-binary --silent --skip-vcs-ignores --smart-case --stats --stats-only --unrestricted --vimgrep --width= --word-regexp --workers= --type= --noenv --nofollow --sort-files --known-types --cc --cpp --java --js --python --ruby --go --rust --php --html --css --json --yaml --perl --shell --sql --xml"), func(o *Options) {
		o.Run = "--pager= -z --search-zip --filter= --config? --ackrc= --output= --create-ackrc --view= --save-config?"
		o.Interact = "--query?"
		o.File = "--path-to-ignore= --files-from="
	})
	fd := Program{Names: "fd fdfind", Style: GNU, Command: Command{Is: Reader, Operands: "word? name*", Options: Options{
		Read: "-0 -1 -a -d= -e= -E= -F -g -h -H -i -I -j= -L -l -o= -p -q -s -S= -t= -u -V -c= --absolute-path --and= --base-directory= --batch-size= --case-sensitive --changed-before= --changed-within= --newer= --older= --color= --color-always --exact-depth= --exclude= --extension= --fixed-strings --follow --format= --full-path --glob --hidden --hyperlink? --ignore --ignore-case --ignore-file= --ignore-vcs --list-details --max-buffer-time= --max-depth= --max-results= --min-depth= --no-* --one-file-system --owner= --path-separator= --print0 --prune --quiet --regex --relative-path --require-git --search-path= --show-errors --size= --strip-cwd-prefix? --threads= --type= --unrestricted",
		Run:  "-x= -X= --exec= --exec-batch=",
	}}}
	return []Program{
		grep, rg, ag, fd, find(),
		r("locate mlocate plocate mdfind", "word*", "-0 -A -b -c -e -i -l= -L -m -n= -P -p -q -r= -s -S -w --all --basename --count --existing --ignore-case --limit= --null --regex --regexp= --statistics --wholename -name= -onlyin= -count").change("-d= --database="),
		r("tokei cloc scc sloccount loc onefetch", "name*", "-C -c -f -h -i -l -s= -t= -e= -V --files --sort= --exclude= --hidden --no-ignore --by-file --json --yaml --csv --md --exclude-dir= --include-lang= --exclude-lang= --quiet --streaming= --types= --compact --num-format= --format= --no-cocomo --no-complexity --by-file-by-lang --not-match-f= --match-f= --fullpath --skip-uniqueness").write("-o= --output= --out= --report-file=").run("--vcs= --extract-with= --git --diff").change("--strip-comments= --strip-code="),
	}
}

func find() Program {
	return Program{Names: "find gfind", Style: SingleDash, Command: Command{Is: Reader, Special: Find, Operands: "name*", Options: Options{
		Read: "-H -L -P -E -X -d -s -x -O? -D= -O0 -O1 -O2 -O3 -amin= -anewer= -atime= -cmin= -cnewer= -context= -ctime= -daystart -depth -empty -executable -false -follow -fstype= -gid= -group= -help -ignore_readdir_race -ilname= -iname= -inum= -ipath= -iregex= -iwholename= -links= -lname= -ls " +
			"-maxdepth= -mindepth= -mmin= -mount -mtime= -name= -newer= -newerXY= -neweraa= -newerac= -neweram= -newerat= -newerca= -newercc= -newercm= -newerct= -newerma= -newermc= -newermm= -newermt= -newerBm= -newerBt= -nogroup -noignore_readdir_race -noleaf -nouser -nowarn -path= -perm= -print -print0 -printf= -prune -quit -readable -regex= -regextype= -samefile= -size= -true -type= -uid= -used= -user= -version -warn -wholename= -writable -xdev -xtype= -flags= -Bmin= -Btime=",
		Write: "-fprint= -fprint0= -fls= -fprintf=", Change: "-delete -exec -execdir -ok -okdir",
	}}}
}

func transformers(r func(string, string, string) Program) []Program {
	awk := Program{Names: "awk gawk mawk nawk original-awk goawk", Style: POSIX, Language: Awk, Command: Command{Is: Reader, Operands: "code file*", Supplied: "-f --file -e --source", Options: Options{
		Read: "-F= -v= --field-separator= --assign= -b -c -C -g -h -k -M -n -N -O -P -r -s -S -t -V -L? --characters-as-bytes --traditional --csv --lint? --bignum --non-decimal-data --use-lc-numeric --posix --re-interval --sandbox --safe --version",
		Code: "-e= --source=", CodeFile: "-f= --file= -E= --exec=", Run: "-i= --include= -l= --load= -D? --debug? -W=", Write: "-d? --dump-variables? -o? --pretty-print? -p? --profile?",
	}}}
	sed := Program{Names: "sed gsed", Language: Sed, Command: Command{Is: Reader, Operands: "code file*", Supplied: "-e --expression -f --file", Options: Options{
		Read: "-a -b -E -l= -n -r -s -u -z --binary --debug --follow-symlinks --line-length= --null-data --posix --quiet --silent --regexp-extended --sandbox --separate --unbuffered",
		Code: "-e= --expression=", CodeFile: "-f= --file=", Change: "-i? -I? --in-place?",
	}}}
	jq := Program{Names: "jq gojq jaq", Style: GNU, Language: JQ, Command: Command{Is: Reader, Operands: "code file*", Supplied: "-f --from-file", Options: Options{
		Read: "-a -c -C -e -j -M -n -r -R -s -S -V -h --arg== --argjson== --args --ascii-output --binary --color-output --compact-output --exit-status --indent= --join-output --jsonargs --monochrome-output --null-input --raw-input --raw-output --raw-output0 --seq --slurp --sort-keys --stream --stream-errors --tab --unbuffered --yaml-input --yaml-output -b",
		File: "--slurpfile== --rawfile==", CodeFile: "-f= --from-file=", Run: "-L= --library-path=",
	}}}
	yq := Program{Names: "yq tomlq xq", Style: GNU, Language: JQ, Command: Command{Is: Reader, Operands: "code? file*", Options: Options{
		Read:     "-0 -C -c -e -h -I= -j -M -n -N -o= -p= -P -r -s -S -v -V -y -Y -t -w= -f= --colors --exit-status --front-matter= --indent= --input-format= --output-format= --no-colors --no-doc --null-input --nul-output --prettyPrint --tojson --unwrapScalar --unwrapScalar? --verbose --header-preprocess --string-interpolation --csv-auto-parse --yaml-output --yml-output --width= --raw-output --slurp --compact-output -R --arg== --argjson== -x --xml-output --xml-attribute-prefix= --xml-content-name=",
		CodeFile: "--from-file=", Change: "-i -s --inplace --in-place --split-exp= --split-exp-file=", Run: "-L=",
	}}}

	return []Program{
		awk, sed, jq, yq,
		r("csvlook csvcut csvgrep csvstat csvsort csvjson", "file*", "-c= -d= -H -i= -l -m= -n -r= -s= -t -v --columns= --delimiter=").file("-f= --file="),
		r("xmllint", "file*", "--xpath= --noout --format --nonet --html").write("-o= --output=").change("--shell --dtdattr --load-trace"),
		{Names: "xmlstarlet", Style: POSIX, Command: Command{Is: Writer, Options: Options{Help: "-h"}}, Commands: []Command{
			{Path: "sel", Is: Reader, Operands: "file*", Options: Options{Read: "-t -m= -v= -o= -n -c= -N= -T -B -I -D -e= -a= -i= -b --template --match= --value-of= --copy-of= --text", Endpoint: "--net"}},
			{Path: "el, val", Is: Reader, Operands: "file*", Options: Options{Read: "-a -v -u -w -e -b -g -q"}},
			{Path: "ed, tr, fo, c14n, ls, esc, unesc, pyx, p2x", Is: Writer, Operands: "file*"},
		}},
		r("dasel fx xsv qsv mlr miller", "word*", "").is(Writer, "Its expressions and verbs can write files or run programs."),
		r("hexyl glow mdcat", "file*", "-# -n= -c= -s= -p -w= --length= --skip= --border= --color= --plain --width= --style=").interact("--pager -p"),
		r("shuf gshuf", "file*", "-e -i= -n= -r -z --echo --input-range= --head-count= --repeat --zero-terminated --random-source=").write("-o= --output="),
		r("tsort ptx", "file*", ""),
		r("dc", "word*", "").is(Interpreter, "A program of dc can start a shell command."),
		r("bc", "file*", "-c -e= -h -i -l -q -s -w -v --mathlib --quiet --standard --warn --expression=").file("-f="),
		r("pdftotext exiftool identify mediainfo", "file*", "").is(Writer, "It may write a file."),
		r("pdfinfo", "file", "-f= -l= -box -meta -custom -js -struct -struct-text -isodates -rawdates -dests -enc= -listenc -opw= -upw="),
		{Names: "ffprobe", Style: SingleDash, Command: Command{Is: Reader, Operands: "file?", Options: Options{
			Read: "-v= -loglevel= -hide_banner -show_format -show_streams -show_entries= -show_packets -show_frames -show_chapters -show_programs -show_error -select_streams= -of= -output_format= -print_format= -pretty -unit -sexagesimal -count_frames -count_packets -read_intervals= -probesize= -analyzeduration= -bitexact -sections -show_versions -show_program_version", Write: "-o=", Help: "-version -h",
		}}},
	}
}

func (p Program) file(opts string) Program {
	p.Options.File = opts
	return p
}

func (p Program) write(opts string) Program {
	p.Options.Write = opts
	return p
}

func (p Program) change(opts string) Program {
	p.Options.Change = opts
	return p
}

func (p Program) run(opts string) Program {
	p.Options.Run = opts
	return p
}

func (p Program) interact(opts string) Program {
	p.Options.Interact = opts
	return p
}

func (p Program) decodes(opts string) Program {
	p.Decodes = opts
	return p
}

func (p Program) is(c Class, why string) Program {
	p.Is, p.Why = c, why
	return p
}
