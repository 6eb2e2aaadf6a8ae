package l0

// git knows the subcommands that change something and the rules about them. git manual
// pages 2.47; GATE, "Git".
func git() Domain {
	return Domain{
		Name: "git",
		Programs: []Program{
			{Names: "git", Style: GNU, Command: Command{
				Options: Options{
					Read:   "--no-pager -P",
					Dir:    "-C=",
					Run:    "-c= --config-env= --exec-path? -p --paginate",
					Config: "--git-dir= --work-tree= --namespace= --bare --attr-source= --list-cmds= --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --super-prefix= --no-lazy-fetch --no-advice --shallow-file=",
					Help:   "-v -h --html-path --man-path --info-path --exec-path",
				},
			}, Commands: append(gitReading(), gitWriting()...)},
			{Names: "jj", Command: Command{Is: Writer, Operands: "word*", Why: "Even its reading commands record the work tree.", Options: Options{Read: "-q -v", Change: "-r= -f --force", Help: "--version"}}},
			mercurial(), subversion(),
			{Names: "git-lfs git-annex git-crypt git-flow gh-dash hub bzr fossil sl pijul darcs cvs p4", Command: Command{Is: Writer, Operands: "word*", Why: "This version control program is not read in detail."}},
			{Names: "gitleaks trufflehog", Command: Command{Is: Writer, Operands: "word*", Why: "It searches for secrets."}},
		},
		Rules: append(gitTreeRules(), gitRemoteRules()...),
	}
}

func gitWriting() []Command {
	w := func(path, why string, o Options) Command {
		return Command{Path: path, Is: Writer, Operands: "word*", Why: why, Options: o}
	}
	n := func(path, why string, o Options) Command {
		c := w(path, why, o)
		c.Is = Network
		return c
	}
	return []Command{
		w("add, stage", "git add changes the index.", Options{Read: "-v -f -i -p -e -u -A -N --verbose --force --interactive --patch --edit --update --all --no-all --intent-to-add --refresh --ignore-errors --ignore-missing --renormalize --chmod= --sparse", DryRun: "-n --dry-run", File: "--pathspec-from-file="}),
		w("commit", "git commit writes history and runs hooks.", Options{
			Read: "-a -p -m= -C= -c= -F= -s -n -e -v -q -u? -S? -i -o -t= --all --patch --message= --reuse-message= --reedit-message= --fixup= --squash= --amend --no-edit --edit --no-verify --verify --allow-empty --allow-empty-message --author= --date= --signoff --no-signoff --trailer= --quiet --verbose --short --branch --porcelain --long --null -z --cleanup= --reset-author --gpg-sign? --no-gpg-sign --file= --template= --include --only --untracked-files? --no-post-rewrite --status --no-status", DryRun: "--dry-run",
		}),
		w("mv", "git mv moves files.", Options{Read: "-f -k -v --force --verbose", DryRun: "-n --dry-run"}),
		w("rm", "git rm deletes files.", Options{Read: "-f -r -q --force --cached --quiet --ignore-unmatch --sparse", DryRun: "-n --dry-run"}),
		w("rebase", "git rebase rewrites commits.", Options{Read: "-s= -X= -i -v -q -r? -n -f -S? --continue --abort --quit --skip --edit-todo --show-current-patch --onto= --interactive --autosquash --no-autosquash --autostash --no-autostash --strategy= --strategy-option= --signoff --root --keep-base --update-refs --stat --no-stat --no-verify --rebase-merges? --committer-date-is-author-date --reset-author-date --empty= --no-ff --force-rebase --fork-point --no-fork-point --whitespace= --apply --merge --no-keep-empty --reapply-cherry-picks", Run: "-x= --exec="}),
		w("merge, cherry-pick, revert, am, rerere", "This rewrites or adds commits.", Options{Read: "-m= -s= -X= -x -n -e -i -v -q -S? -r? --continue --abort --quit --skip --edit --no-edit --no-commit --no-ff --ff --ff-only --squash --onto= --interactive --autosquash --autostash --no-autostash --strategy= --strategy-option= --allow-unrelated-histories --signoff --root --keep-base --update-refs --stat --no-stat --log? --commit --mainline= -3 --3way --keep --no-verify --message= -F= --rebase-merges? --committer-date-is-author-date --reset-author-date --empty= --allow-empty", Run: "-x= --exec=", Change: ""}),
		w("reset", "git reset moves the branch or changes the index.", Options{Read: "-q --quiet --soft --mixed --keep --merge -N --intent-to-add -p --patch --no-refresh --refresh --pathspec-file-nul", Change: "--hard", File: "--pathspec-from-file="}),
		w("checkout", "git checkout changes the work tree.", Options{Read: "-q -b= -B= -l -t? -d -m -p --quiet --progress --no-progress --detach --track? --no-track --guess --no-guess --orphan= --merge --conflict= --patch --ignore-skip-worktree-bits --overlay --no-overlay --recurse-submodules? --no-recurse-submodules --overwrite-ignore --no-overwrite-ignore --ignore-other-worktrees --ours --theirs -2 -3", Change: "-f --force"}),
		w("switch", "git switch changes the work tree.", Options{Read: "-q -c= -C= -d -m -t? --create= --force-create= --detach --guess --no-guess --merge --conflict= --quiet --progress --track? --no-track --orphan= --ignore-other-worktrees --recurse-submodules?", Change: "-f --force --discard-changes"}),
		w("restore", "git restore overwrites files.", Options{Read: "-s= -S -p -q -m -2 -3 --source= --staged --patch --quiet --progress --no-progress --ours --theirs --merge --conflict= --ignore-unmerged --ignore-skip-worktree-bits --recurse-submodules --overlay --no-overlay", Change: "-W --worktree", File: "--pathspec-from-file="}),
		w("clean", "git clean deletes untracked files.", Options{Read: "-d -q -x -X -e= --quiet --exclude=", Change: "-f --force -i --interactive", DryRun: "-n --dry-run"}),
		w("stash, stash push, stash save, stash pop, stash apply, stash create, stash store, stash branch", "git stash moves changes out of and into the work tree.", Options{Read: "-p -k -u -a -m= -q -S --patch --keep-index --no-keep-index --include-untracked --all --message= --quiet --index --staged"}),
		w("stash drop, stash clear", "This deletes stashed work.", Options{Read: "-q --quiet"}),
		w("worktree add, worktree remove, worktree move, worktree lock, worktree unlock, worktree repair, worktree prune", "This changes work trees.", Options{Read: "-b= -B= -d --detach --checkout --no-checkout --lock --reason= --orphan --guess-remote --track -q --quiet -v --verbose --expire=", Change: "-f --force", DryRun: "-n --dry-run"}),
		w("submodule add, submodule init, submodule deinit, submodule set-branch, submodule set-url, submodule absorbgitdirs, submodule sync", "This changes submodules.", Options{Read: "-q -b= -f --force --name= --all --recursive --depth="}),
		{Path: "submodule foreach", Is: Reader, Operands: "shell*", Options: Options{Read: "-q --quiet --recursive"}},
		n("submodule update", "This fetches submodules.", Options{Read: "--init --recursive -f --force --remote --checkout --merge --rebase --depth= --jobs= -j= --no-fetch"}),
		w("notes add, notes append, notes edit, notes remove, notes prune, notes copy, notes merge", "This changes notes.", Options{Read: "-f -m= -F= -C= -c="}),
		w("apply", "git apply changes files.", Options{Read: "-3 -R -N -z -p= -C= -v --index --cached --3way --reverse --reject --recount --whitespace= --directory= --include= --exclude= --unsafe-paths --verbose --allow-empty", DryRun: "--check --stat --numstat --summary", Config: "--apply"}),
		w("init, maintenance, gc, repack, pack-refs, prune-packed, sparse-checkout, replace, read-tree, write-tree, commit-tree, mktag, mktree, update-index, checkout-index, update-server-info, fast-import, filter-repo, subtree, bundle, mergetool, difftool, gui, citool, send-email, imap-send, instaweb, svn, p4, cvsimport, quiltimport, credential, credential-store, credential-cache, daemon, shell, upload-pack, receive-pack, http-backend, lfs, flow, bugreport, diagnose, multi-pack-index, index-pack, unpack-objects, pack-objects, commit-graph, refs, backfill, scalar, request-pull, mailinfo, mailsplit, merge-file, merge-index, merge-one-file, column, interpret-trailers, gitk, hook, replay, survey, last-modified",
			"This git command writes, runs programs or is rarely harmless.", Options{Read: "-q --quiet -v --verbose -f --force --bare -b= --initial-branch= --auto --aggressive --prune? --all -a -d -o= --output-directory= --stdout -1 -2 -3"}),
		n("clone", "git clone fetches a repository.", Options{Read: "-q -v -l -s -n -b= -o= -j= --quiet --verbose --progress --local --shared --no-checkout --bare --mirror --depth= --branch= --origin= --single-branch --no-single-branch --no-tags --tags --recurse-submodules? --recursive --shallow-submodules --filter= --sparse --jobs= --shallow-since= --shallow-exclude= --no-hardlinks --dissociate --reject-shallow --also-filter-submodules --remote-submodules --separate-git-dir= --reference= --reference-if-able=", Run: "-u= --upload-pack= --template= -c= --config= --bundle-uri= --server-option="}).target(),
		n("fetch, pull, remote update, remote prune, fetch-pack, send-pack, http-fetch, http-push", "This talks to a remote repository.", Options{
			Read: "-q -v -a -f -k -n -p -P -t -j= -o= -r? -s= -X= -h -u -l --quiet --verbose --all --append --atomic --depth= --deepen= --shallow-since= --unshallow --update-shallow --dry-run --force --keep --multiple --auto-maintenance --no-auto-maintenance --prune --prune-tags --no-tags --tags --refetch --recurse-submodules? --no-recurse-submodules --jobs= --set-upstream --update-head-ok --progress --ipv4 --ipv6 -4 -6 --rebase? --no-rebase --ff --no-ff --ff-only --squash --no-squash --autostash --no-autostash --commit --no-commit --edit --no-edit --stat --no-stat --allow-unrelated-histories --heads --branches --refs --symref --sort= --exit-code --get-url --format= --prefix= --list --no-verify --signoff --strategy= --strategy-option= --negotiation-tip= --filter= --stdin --porcelain --show-forced-updates --no-show-forced-updates --write-fetch-head --no-write-fetch-head --add-virtual-file= --worktree-attributes",
			Run:  "--upload-pack= --exec= --remote= -o= --server-option= --receive-pack=", Write: "--output=",
		}),
		n("ls-remote", "This talks to a remote repository.", Options{
			Read: "-q -h -b -t --quiet --heads --branches --tags --refs --symref --sort= --exit-code", Prints: "--get-url", Run: "--upload-pack= --exec= -o= --server-option=",
		}),
		n("push", "git push changes a remote repository.", Options{
			Read:   "-u -q -v -n -o= -4 -6 --all --branches --tags --follow-tags --no-follow-tags --set-upstream --signed? --no-signed --atomic --no-atomic --push-option= --no-verify --verify --thin --no-thin --quiet --verbose --progress --recurse-submodules= --no-recurse-submodules --ipv4 --ipv6 --repo= --porcelain --force-with-lease? --no-force-with-lease --force-if-includes --no-force-if-includes",
			Change: "-f --force --mirror -d --delete --prune", DryRun: "-n --dry-run", Run: "--receive-pack= --exec=",
		}),
		w("remote add, remote remove, remote rm, remote rename, remote set-head, remote set-branches, remote set-url", "This changes remotes.", Options{Read: "-t= -m= -f --tags --no-tags --mirror? --add --delete --push -a --auto -d --progress"}),
		w("config set, config unset, config rename-section, config remove-section, config edit", "This changes configuration, which can name programs.", Options{Read: "--global --system --local --worktree --all --append --type= --value= --fixed-value --comment= -f= --file= --blob="}),
		w("bisect, bisect start, bisect good, bisect bad, bisect old, bisect new, bisect skip, bisect reset, bisect replay", "git bisect checks out other commits.", Options{Read: "--term-old= --term-new= --no-checkout --first-parent"}),
		{Path: "bisect run", Is: WritingRun, Operands: "cmd+", Why: "git bisect run runs a command on every step."},
		w("reflog expire, reflog delete, update-ref, filter-branch, prune", "This changes references or objects.", Options{Read: "-q -v -n -m= -f --quiet --verbose --dry-run --stdin -z --no-deref --create-reflog --short --recurse --no-recurse --progress", Change: "-d --delete --expire= --expire-unreachable= --all --updateref --rewrite --stale-fix --updateref --msg-filter= --tree-filter= --index-filter= --env-filter="}),
	}
}

// target makes the second operand a path that is written.
func (c Command) target() Command {
	c.Operands = "word write?"
	return c
}

func gitTreeRules() []Rule {
	return []Rule{
		{
			ID: "git.reset-hard", Verdict: Deny,
			Why:     "git reset --hard discards uncommitted work that cannot be brought back.",
			Instead: "git stash push -u, or git reset --keep",
			When:    []Match{{Program: "git", Command: "reset", Has: "--hard"}},
			Yes:     []string{"git reset --hard", "sudo git -C /x reset -q --har HEAD~2", "git -c x=y reset --hard"},
			No:      []string{"git reset --soft HEAD~1", "echo git reset --hard", "git reset HEAD x"},
		},
		{
			ID: "git.clean", Verdict: Deny, Why: "git clean deletes untracked files for good.", Instead: "git clean -n first; git stash push -u keeps them",
			When: []Match{{Program: "git", Command: "clean"}}, Yes: []string{"git clean -fd", "git clean -fdx", "git clean --force", "git clean -i"}, No: []string{"git clean -nd", "git clean --dry-run"},
		},
		{
			ID: "git.checkout-discard", Verdict: Deny, Why: "This overwrites uncommitted changes in the work tree.", Instead: "git stash push, or git diff first",
			When: []Match{
				{Program: "git", Command: "checkout", Has: "-f|--force"},
				{Program: "git", Command: "checkout", If: CheckoutPathspec},
				{Program: "git", Command: "switch", Has: "-f|--force|--discard-changes"},
				{Program: "git", Command: "read-tree", Has: "--reset -u"},
				{Program: "git", Command: "checkout-index", Has: "-f|--force"},
			},
			Yes: []string{"git checkout -- .", "git checkout -f main", "git checkout .", "git checkout HEAD -- a.go", "git read-tree -u --reset HEAD", "git checkout-index -f -a", "git switch --discard main", "git checkout ./x"},
			No:  []string{"git checkout main", "git checkout -b topic", "git switch main", "git checkout main --"},
		},
		{
			ID: "git.restore", Verdict: Deny, Why: "git restore overwrites uncommitted changes in the work tree.", Instead: "git stash push, or git restore --staged to unstage only",
			When: []Match{{Program: "git", Command: "restore", If: RestoreWorktree}}, Yes: []string{"git restore a.go", "git restore --staged --worktree a.go", "git restore -W ."}, No: []string{"git restore --staged .", "git restore -S a"},
		},
		{
			ID: "git.secret-history", Verdict: Undecided, Why: "This prints the content of a file that holds credentials.",
			When: []Match{{Program: "git", Command: "log, whatchanged, reflog", Has: "-p|-u|-c|-m|-U|-L|-G|-S|--patch|--cc|--unified|--patch-with-stat|--patch-with-raw|--word-diff|--full-diff", Paths: Secret}, {Program: "git", Command: "whatchanged", Paths: Secret}},
			Yes:  []string{"git log -p -- .env", "git log -p --all -- config/server.pem"}, No: []string{"git log --oneline -- .env", "git log -p -- src"},
		},
		{
			ID: "vcs.discard", Verdict: Deny, Why: "This discards uncommitted work or commits that cannot be brought back.",
			When: []Match{{Program: "hg", First: "update up checkout co merge", Has: "-C|--clean"}, {Program: "hg", First: "strip purge rollback"}, {Program: "svn", First: "revert", Has: "-R|--recursive"}, {Program: "hg", First: "revert", Operand: "--all -a"}},
			Yes:  []string{"hg update -C", "hg purge", "svn revert -R ."}, No: []string{"hg update", "svn revert a.c", "hg status"},
		},
		{
			ID: "git.stash-drop", Verdict: Deny, Why: "This deletes stashed work.", Instead: "git stash list and git stash show -p first",
			When: []Match{{Program: "git", Command: "stash drop, stash clear"}}, Yes: []string{"git stash drop", "git stash clear"}, No: []string{"git stash list", "git stash pop"},
		},
		{
			ID: "git.worktree-remove", Verdict: Deny, Why: "A forced removal deletes a work tree with its uncommitted changes.",
			When: []Match{{Program: "git", Command: "worktree remove", Has: "-f|--force"}}, Yes: []string{"git worktree remove --force /srv/wt"}, No: []string{"git worktree remove x", "git worktree list"},
		},
		{
			ID: "git.submodule-deinit", Verdict: Deny, Why: "A forced deinit deletes submodule work trees with their changes.",
			When: []Match{{Program: "git", Command: "submodule deinit", Has: "-f|--force"}}, Yes: []string{"git submodule deinit -f --all"}, No: []string{"git submodule status"},
		},
		{
			ID: "git.remove-forced", Verdict: Deny, Why: "A forced git rm deletes files with their uncommitted changes.",
			When: []Match{{Program: "git", Command: "rm", Has: "-f|--force -r", Not: "--cached", Operand: ". * :/ ./"}}, Yes: []string{"git rm -rf ."}, No: []string{"git rm a.go", "git rm -r --cached ."},
		},
		{
			ID: "git.config-program", Verdict: Deny, Why: "This makes git run another program, hook or filter from now on.",
			When: []Match{{Program: "git", Command: "config, config set", First: "core.hooksPath core.hookspath core.fsmonitor core.sshCommand core.sshcommand core.gitProxy core.askPass *.textconv filter.* diff.external gpg.program uploadpack.* include.path includeIf.*", Min: 2}, {Program: "git", Command: "config, config set", First: "alias.* core.editor core.pager credential.helper *.cmd", Last: "!* rm* sh* bash* *;* *|* *$(* *`*", Min: 2}},
			Yes:  []string{"git config core.hooksPath /tmp/x", "git config --global core.sshCommand 'sh x'", "git config alias.st '!sh x'", "git config core.pager 'rm -rf /'"}, No: []string{"git config user.name x", "git config core.editor vim", "git config alias.co checkout", "git config core.pager", "git config --get core.hooksPath"},
		},
	}
}

func gitRemoteRules() []Rule {
	return []Rule{
		{
			ID: "git.push-force", Verdict: Deny, Why: "A forced push overwrites history that others may have.", Instead: "git push --force-with-lease to your own branch, or git revert",
			When: []Match{{Program: "git", Command: "push", Has: "-f|--force|--mirror"}, {Program: "git", Command: "push", Operand: "+*"}, {Program: "git", Command: "send-pack, http-push", Has: "--force|-f|--mirror"}, {Program: "gh", Command: "repo sync", Has: "--force"}},
			Yes:  []string{"git push -f", "git push origin main --force", "git push origin +main", "git push --mirror", "git push -uf origin x", "git push --force$X origin main", "git -c alias.p='push -f' p", "git send-pack --force origin main"}, No: []string{"git push origin main", "git push --force-with-lease origin topic"},
		},
		{
			ID: "git.push-delete", Verdict: Deny, Why: "This deletes branches or tags at the remote.",
			When: []Match{{Program: "git", Command: "push", Has: "-d|--delete|--prune"}, {Program: "git", Command: "push", If: RefspecForces}},
			Yes:  []string{"git push origin --delete main", "git push origin :main", "git push --prune origin"}, No: []string{"git push origin HEAD:main", "git push origin a:b"},
		},
		{
			ID: "git.expire", Verdict: Deny, Why: "This removes the records that bring lost commits back.",
			When: []Match{{Program: "git", Command: "reflog expire, reflog delete, reflog drop"}, {Program: "git", Command: "update-ref", Has: "-d|--delete|--stdin"}, {Program: "git", Command: "symbolic-ref", Has: "-d|--delete"}, {Program: "git", Command: "prune", Not: "-n --dry-run"}, {Program: "git", Command: "gc", Has: "--prune=now"}, {Program: "git", Command: "gc", Has: "--prune=all"}},
			Yes:  []string{"git reflog expire --expire=now --all", "git update-ref -d refs/heads/main", "git gc --prune=now", "git prune"}, No: []string{"git reflog", "git gc", "git prune -n"},
		},
		{
			ID: "git.rewrite", Verdict: Deny, Why: "This rewrites the whole history.", Instead: "work on a fresh clone",
			When: []Match{{Program: "git", Command: "filter-branch, filter-repo"}}, Yes: []string{"git filter-branch --tree-filter 'rm x' HEAD", "git filter-repo --path x"}, No: []string{"git log"},
		},
	}
}

// mercurial lists the commands of hg that only read. hg help; templates and revision sets run nothing.
func mercurial() Program {
	const (
		files    = "-I= --include= -X= --exclude= "
		template = "-T= --template=" // or a file with one
	)
	return Program{
		Names: "hg", Command: Command{Why: "This command of hg is not read in detail.", Options: Options{Read: "-q -v --quiet --verbose --debug", Change: "-C --clean -r= --recursive -f --force", Run: "--config= -R= --repository= --cwd=", Help: "--version"}},
		Commands: []Command{
			{Path: "status, st", Is: Reader, Operands: "name*", Options: Options{Read: files + "-A --all -m --modified -a --added -r --removed -d --deleted -c --clean -u --unknown -i --ignored -n --no-status -C --copies -0 --print0 --rev= --change= -t --terse= -S --subrepos", File: template, Run: "--config="}},
			{Path: "log, history", Is: Reader, Operands: "file*", Options: Options{Read: files + "-f --follow -d= --date= -k= --keyword= -r= --rev= -u= --user= -b= --branch= -P= --prune= -p --patch -g --git -l= --limit= -M --no-merges --stat -G --graph", File: template + " --style=", Run: "--config="}},
			{Path: "diff", Is: Reader, Operands: "file*", Options: Options{Read: files + "-r= --rev= --from= --to= -c= --change= -a --text -g --git --nodates -p --show-function --reverse -w --ignore-all-space -b --ignore-space-change -B --ignore-blank-lines -U= --unified= --stat -S --subrepos", Run: "--config="}},
			{Path: "annotate, blame, cat", Is: Reader, Operands: "file+", Options: Options{Read: files + "-r= --rev= -u --user -d --date -n --number -c --changeset -l --line-number -f --file", File: template, Write: "-o= --output=", Run: "--config="}},
			{Path: "branches, tags, heads, parents, tip, root, files, manifest, paths, version, help", Is: Reader, Operands: "word*", Options: Options{Read: "-r= --rev= -a --active -c --closed -t --topo --all", File: template, Run: "--config="}},
			{Path: "branch", Is: Reader, Operands: "set*", Options: Options{Change: "-f --force -C --clean -r= --rev="}},
			{Path: "summary, sum, identify, id", Is: Reader, Operands: "-", Options: Options{Read: "-n --num -i --id -b --branch -t --tags -B --bookmarks -r= --rev=", Endpoint: "--remote"}},
		},
	}
}

// subversion lists the commands of svn that stay on this machine. Subversion manual; with a revision or a URL they ask the server.
func subversion() Program {
	return Program{
		Names: "svn", Command: Command{Why: "This command of svn is not read in detail.", Options: Options{Read: "-q -v", Change: "-R --recursive -r= -f --force", Help: "--version"}},
		Commands: []Command{
			{Path: "status, stat, st", Is: Reader, Operands: "name*", Options: Options{Read: "-v --verbose -N -q --quiet --depth= --no-ignore --ignore-externals --xml --cl=", Endpoint: "-u --show-updates", Config: "--config-dir= --config-option="}},
			{Path: "info", Is: Reader, Operands: "name*", Options: Options{Read: "-R --recursive --depth= --xml --show-item= --no-newline", Endpoint: "-r= --revision=", Config: "--config-dir= --config-option="}},
			{Path: "diff, di", Is: Reader, Operands: "file*", Options: Options{Read: "-N --depth= --summarize --xml --git --show-copies-as-adds --ignore-properties --properties-only", Endpoint: "-r= --revision= -c= --change= --old= --new=", Run: "--diff-cmd= -x= --extensions=", Config: "--config-dir= --config-option="}},
		},
	}
}
