package l0

func files() Domain {
	return Domain{
		Name: "files",
		Programs: []Program{
			{Names: "rm", Command: Command{
				Is: Writer, Operands: "delete*",
				Options: Options{
					Read:   "-v --verbose -i -I --interactive? -d --dir --one-file-system --preserve-root? --no-preserve-root",
					Change: "-f --force -r -R --recursive -P -W -x",
				},
				Why:     "rm deletes files for good.",
				Instead: "move the files to a directory outside the work tree first",
			}},
		},
		Rules: []Rule{
			{
				ID: "fs.remove-tree", Verdict: Deny,
				Why:     "This recursive delete reaches the system, a home directory, the working directory or everything in it.",
				Instead: "name the one directory inside the work tree that should go, such as rm -r ./build",
				When:    []Match{{Program: "rm", Has: "-r|-R|--recursive", Paths: Tree}},
				Yes:     []string{"rm -rf /", "rm -r -f ~", "rm --recu *", "sudo rm -fr /etc", "rm -rf $x", "cd .. && rm -rf app"},
				No:      []string{"rm -rf ./build", "rm -rf /tmp/x", "rm -f /home/dev/x", "echo rm -rf /"},
			},
			{
				ID: "fs.remove-system", Verdict: Deny,
				Why:  "This deletes a file of the system.",
				When: []Match{{Program: "rm", Paths: Single}},
				Yes:  []string{"rm /etc/passwd", "rm -f /usr/bin/ls"},
				No:   []string{"rm a.txt", "rm /tmp/x"},
			},
		},
	}
}
