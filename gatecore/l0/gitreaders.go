package l0

// diffOptions are the reading options of git's diff machinery.
const diffOptions = "-p -u -s -U= -W -R -a -b -w -z -B? -C? -D -M? -O= -S= -G= -l= -X? -I= " +
	"--patch --no-patch --unified= --raw --patch-with-raw --minimal --patience --histogram --anchored= --diff-algorithm= --stat? --compact-summary --numstat --shortstat --dirstat? --cumulative --dirstat-by-file? " +
	"--summary --patch-with-stat --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws= --no-color-moved-ws --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --no-rename-empty " +
	"--check --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete --diff-filter= --find-object= --pickaxe-all --pickaxe-regex --relative? --no-relative " +
	"--text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? " +
	"--src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --ita-visible-in-index --skip-to= --rotate-to= --output-indicator-new= --output-indicator-old= --output-indicator-context= --stat-width= --stat-name-width= --stat-count= --stat-graph-width= --no-indent-heuristic --indent-heuristic --no-exit-code"

// revOptions are those of git's revision walk and of pretty printing.
const revOptions = "-# -n= -i -E -F -P -g -c -m -t -r -L= -1 --max-count= --skip= --since= --after= --until= --before= --since-as-filter= --author= --committer= --grep= --grep-reflog= --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp " +
	"--remove-empty --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude= --exclude-hidden= --reflog --alternate-refs --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick " +
	"--left-only --right-only --cherry --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --objects --objects-edge --unpacked --object-names --filter= --filter-print-omitted --no-filter --missing= --no-walk? --do-walk --disk-usage? --count --timestamp --header " +
	"--pretty? --format= --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --standard-notes --show-signature --no-show-signature --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break? --follow --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --mailmap --no-mailmap --use-mailmap --full-diff --log-size " +
	"--cc --combined-all-paths --dd --diff-merges= --no-diff-merges --remerge-diff --show-all --quiet --always --root --stdin --no-commit-id --merge-base --commit-header --no-commit-header --in-commit-order --progress= --use-bitmap-index --maximal-only --end-of-options --name-only --full-index --dense-combined --no-object-names --exclude-promisor-objects --indexed-objects --basic"

// gitReading are the subcommands that only read, with the numbers of operands that do.
func gitReading() []Command {
	run := "--ext-diff --textconv" // they run programs that configuration names
	log := Options{Read: diffOptions + " " + revOptions, Write: "--output=", Run: run}
	c := func(path, operands, read string) Command {
		return Command{Path: path, Is: Reader, Operands: operands, Options: Options{Read: read}}
	}
	diff := Options{Read: diffOptions + " -0 -1 -2 -3 -c --cached --staged --merge-base --no-index --base --ours --theirs --cc --ignore-submodules? --end-of-options", Write: "--output=", Run: run}
	blame := "-b -c -C? -e -f -h -k -l -L= -M? -n -p -s -S= -t -w --abbrev= --age --color-by-age --color-lines --date= --encoding= --first-parent --ignore-rev= --incremental --line-porcelain --porcelain --progress --no-progress --reverse= --root --score-debug --show-email --show-name --show-number --show-stats --since= --minimal"
	return []Command{
		c("status", "word*", "-s -b -u? -v -z -M? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --null --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?"),
		{Path: "log, whatchanged, rev-list, reflog show, reflog list, reflog exists, reflog", Is: Reader, Operands: "name*", Options: log},
		{Path: "show, stash show", Is: Reader, Operands: "file*", Options: log},
		{Path: "reflog drop, reflog write", Is: Writer, Why: "This changes the records that bring lost commits back."},
		{Path: "diff, diff-files, diff-index, diff-tree, diff-pairs, range-diff, cherry", Is: Reader, Operands: "file*", Options: Options{Read: diff.Read + " -m -r -t -v --root --stdin --pretty? --format= --no-commit-id --creation-factor= --left-only --right-only --no-dual-color --notes? --always --abbrev?", Write: diff.Write, Run: run}},
		c("shortlog", "word*", "-n -s -e -c -w? -# --numbered --summary --email --format= --committer --group= --date= --since= --until= --all --author= --no-merges --merges"),
		{Path: "blame, annotate", Is: Reader, Operands: "file*", Options: Options{Read: blame, File: "--ignore-revs-file= --contents="}},
		{Path: "grep", Is: Reader, Operands: "word file*", Supplied: "-e -f", Options: Options{
			Read: "-# -a -A= -B= -C= -c -e= -E -F -G -h -H -i -I -l -L -m= -n -o -p -P -q -r -s -v -w -W -z -x --after-context= --all-match --and --or --not --basic-regexp --before-context= --break --cached --color? --column --context= --count --exclude-standard --no-exclude-standard --extended-regexp --files-with-matches --files-without-match --fixed-strings --full-name --function-context --heading --ignore-case --invert-match --line-number --max-count= --max-depth= --name-only --no-color --no-index --no-recursive --null --only-matching --perl-regexp --quiet --recurse-submodules --recursive --show-function --text --threads= --untracked --word-regexp --no-textconv",
			File: "-f=", Run: "-O? --open-files-in-pager? --textconv --ext-grep",
		}},
		c("ls-files", "word*", "-c -d -i -k -m -o -s -t -u -v -f -x= -z --abbrev? --cached --deduplicate --deleted --directory --empty-directory --no-empty-directory --eol --error-unmatch --exclude= --exclude-standard --exclude-per-directory= --format= --full-name --ignored --killed --modified --others --recurse-submodules --resolve-undo --sparse --stage --unmerged --with-tree= --debug").readsFile("-X= --exclude-from="),
		c("ls-tree", "word*", "-d -l -r -t -z --abbrev? --format= --full-name --full-tree --long --name-only --name-status --object-only"),
		{Path: "cat-file", Is: Reader, Operands: "file*", Options: Options{Read: "-e -p -s -t -z -Z --allow-unknown-type --batch? --batch-all-objects --batch-check? --batch-command? --buffer --follow-symlinks --path= --unordered --use-mailmap --no-use-mailmap --mailmap --filter=", Run: "--textconv --filters"}},
		c("rev-parse", "word*", "-q --abbrev-ref? --absolute-git-dir --all --branches? --default= --disambiguate= --exclude= --flags --git-common-dir --git-dir --git-path= --glob= --is-bare-repository --is-inside-git-dir --is-inside-work-tree --is-shallow-repository --local-env-vars --no-flags --no-revs --not --path-format= --prefix= --quiet --remotes? --resolve-git-dir= --revs-only --shared-index-path --short? --show-cdup --show-object-format? --show-prefix --show-superproject-working-tree --show-toplevel --since= --sq --sq-quote --symbolic --symbolic-full-name --tags? --until= --verify --end-of-options --show-ref-format"),
		c("describe, name-rev", "word*", "-l --abbrev= --all --always --broken? --candidates= --contains --debug --dirty? --exact-match --exclude= --first-parent --long --match= --tags --name-only --refs= --no-undefined --annotate-stdin --stdin --no-abbrev"),
		c("merge-base, merge-tree", "word+", "-a -z --all --fork-point --independent --is-ancestor --octopus --name-only --messages --no-messages"),
		c("for-each-ref, show-ref", "word*", "-d -q -s? -h --abbrev? --color? --contains? --count= --dereference --exclude-existing? --exclude= --format= --hash? --head --heads --branches --ignore-case --include-root-refs --merged? --no-contains? --no-merged? --omit-empty --perl --points-at= --python --quiet --shell --sort= --start-after= --stdin --tags --tcl --verify --exists"),
		c("branch", "set*", "-a -r -l -v -vv -q -i --all --remotes --list --verbose --quiet --abbrev? --no-abbrev --color? --no-color --column? --no-column --contains? --no-contains? --merged? --no-merged? --points-at= --format= --sort= --ignore-case --show-current --omit-empty").changes("-d -D -m -M -c -C -f -t? -u= --delete --move --copy --force --track? --no-track --set-upstream-to= --unset-upstream --edit-description --set-upstream --create-reflog --recurse-submodules"),
		c("tag", "set*", "-l -n? -i --list --contains? --no-contains? --merged? --no-merged? --points-at= --format= --sort= --color? --column? --no-column --ignore-case --omit-empty").changes("-a -s -d -f -m= -F= -u= -e -v --annotate --sign --no-sign --delete --force --message= --file= --local-user= --edit --verify --cleanup= --create-reflog --trailer="),
		c("remote", "-", "-v --verbose"),
		c("remote get-url", "word", "--push --all"),
		{Path: "archive", Is: Reader, Operands: "word file*", Options: Options{Read: "-# -l -v --list --verbose --format= --prefix= --mtime= --worktree-attributes", File: "--add-file=", Write: "-o= --output=", Endpoint: "--remote=", Run: "--exec="}},
		{Path: "hash-object", Is: Reader, Operands: "file*", Options: Options{Read: "-t= --stdin --no-filters --literally", Change: "-w", Config: "--stdin-paths --path="}},
		{Path: "format-patch", Is: Writer, Operands: "word*", Why: "git format-patch writes files.", Options: Options{Read: log.Read + " -k -n -N -s --signoff --no-signature --signature= --subject-prefix= --cover-letter -v= --numbered --no-numbered --keep-subject --attach --inline --thread? --base= --zero-commit", Prints: "--stdout", Write: "-o= --output-directory= --output=", Run: run}},
		{Path: "remote show", Is: Reader, Operands: "host*", Options: Options{Read: "-v --verbose", Prints: "-n"}, Why: "This talks to a remote repository."},
		{Path: "submodule", Is: Reader, Operands: "set*", Options: Options{Read: "-q --quiet --cached --recursive"}},
		c("stash list", "word*", "").diffLike(log),
		c("worktree list", "-", "-v -z --porcelain --verbose --expire="),
		c("submodule status, submodule summary", "word*", "-q --quiet --cached --recursive --files -n= --summary-limit="),
		c("config", "word", "-l -z --list --get --get-all --get-regexp --get-urlmatch --global --system --local --worktree --show-origin --show-scope --name-only --null --type= --bool --int --bool-or-int --path --expiry-date --includes --no-includes --default= --get-color --get-colorbool").changes("-e --edit --add --replace-all --unset --unset-all --rename-section --remove-section -f= --file= --blob= --fixed-value --no-type --comment="),
		c("config get, config list", "word*", "-z --global --system --local --worktree --show-origin --show-scope --name-only --null --type= --bool --int --path --includes --no-includes --all --regexp --default= --url= --value= --show-names"),
		c("symbolic-ref", "word?", "-q --quiet --short --recurse --no-recurse").changes("-d --delete -m="),
		c("count-objects", "-", "-v -H --verbose --human-readable"),
		c("check-ignore, check-attr, check-mailmap, check-ref-format", "word*", "-a -q -v -n -z --all --cached --no-index --non-matching --quiet --verbose --stdin --source= --branch --normalize --allow-onelevel --refspec-pattern"),
		c("fsck, verify-commit, verify-tag, verify-pack", "word*", "-v -s --full --no-full --strict --unreachable --dangling --no-dangling --root --tags --cache --no-reflogs --connectivity-only --progress --no-progress --name-objects --verbose --raw --stat-only").changes("--lost-found"),
		c("notes, notes list, notes show", "word*", "--ref="),
		c("bisect log, bisect terms", "word*", ""),
		{Path: "bisect view, bisect visualize", Is: Interactive, Why: "It runs the program or the git command that it is given."},
		c("help, version", "word*", "-a -c -g -i -m -w --all --guides --config --info --man --build-options --verbose --no-external-commands --no-aliases --user-interfaces --developer-interfaces").opens("-w --web -i --info"),
		c("var", "word", "-l"),
		c("patch-id, fmt-merge-msg, show-index, get-tar-commit-id, stripspace", "-", "--stable --unstable --verbatim -s -c --strip-comments --comment-lines"),
		c("show-branch", "word*", "-a -r -g? --all --remotes --current --topo-order --date-order --sparse --more= --list --merge-base --independent --no-name --sha1-name --topics --reflog? --color? --no-color"),
		c("sparse-checkout list", "-", ""),
		c("bundle verify, bundle list-heads", "name", "-q --quiet"),
		c("rerere status, rerere diff, rerere remaining", "-", ""),
		c("lfs ls-files, lfs status, lfs env, lfs version", "word*", "-a -l -s -n -d --all --long --size --name-only --debug --json --porcelain"),
	}
}

func (c Command) changes(opts string) Command {
	c.Options.Change = opts
	return c
}

func (c Command) readsFile(opts string) Command {
	c.Options.File = opts
	return c
}

func (c Command) opens(opts string) Command {
	c.Options.Interact = opts
	return c
}

func (c Command) diffLike(o Options) Command {
	c.Options = o
	return c
}
