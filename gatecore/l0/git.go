package l0

func git() Domain {
	return Domain{
		Name: "git",
		Programs: []Program{
			{Names: "git", Style: GNU, Command: Command{
				Operands: "-",
				Options: Options{
					Read:   "--no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs",
					Dir:    "-C=",
					Run:    "-c= --config-env= --exec-path=",
					Config: "--git-dir= --work-tree= --namespace= --bare --attr-source= -p --paginate",
					Help:   "-v -h --html-path --man-path --info-path --exec-path",
				},
			}, Commands: []Command{
				{Path: "log", Is: Reader, Operands: "word*", Options: Options{
					Read:  "-# -p -n= --oneline --stat? --graph --format= --pretty?",
					Write: "--output=",
				}},
				{Path: "reset", Is: Writer, Operands: "word*", Why: "git reset moves the branch or changes the index."},
			}},
		},
		Rules: []Rule{
			{
				ID: "git.reset-hard", Verdict: Deny,
				Why:     "git reset --hard discards uncommitted work that cannot be brought back.",
				Instead: "git stash push -u, or git reset --keep",
				When:    []Match{{Program: "git", Command: "reset", Has: "--hard"}},
				Yes:     []string{"git reset --hard", "sudo git -C /x reset -q --har HEAD~2"},
				No:      []string{"git reset --soft HEAD~1", "echo git reset --hard"},
			},
		},
	}
}
