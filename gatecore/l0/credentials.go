package l0

// credentials are programs that keep or print secrets.
func credentials() Domain {
	s := func(names, why string) Program {
		return Program{Names: names, Command: Command{Is: Secrets, Operands: "word*", Why: why, Options: Options{Help: "--version --help -v -h"}}}
	}
	return Domain{Name: "credentials", Programs: []Program{
		s("pass gopass secret-tool security keyctl kwallet-query bw op lpass rbw keepassxc-cli chezmoi age sops gpg gpg2 gpgv ssh-keyscan-secret mkpasswd doppler infisical", "It keeps or prints secrets."),
		s("git-credential git-credential-store git-credential-cache git-credential-manager docker-credential-desktop docker-credential-osxkeychain aws-vault-export", "It prints stored credentials."),
	}, Rules: []Rule{
		{
			ID: "credential.delete", Verdict: Deny, Why: "This deletes stored keys or passwords.",
			When: []Match{{Program: "gpg gpg2", Has: "--delete-secret-keys|--delete-secret-key|--delete-secret-and-public-key|--delete-keys|--delete-key"}, {Program: "security", First: "delete-keychain delete-generic-password delete-internet-password delete-identity delete-certificate"}, {Program: "pass gopass", First: "rm remove delete"}, {Program: "secret-tool", First: "clear"}, {Program: "op bw", Operand: "delete"}, {Program: "doppler infisical", First: "secrets projects environments configs", Operand: "delete"}, {Program: "gh", Command: "secret delete"}},
			Yes:  []string{"gpg --delete-secret-keys ABCD", "security delete-keychain x", "pass rm -r mail", "op item delete x", "doppler secrets delete X", "gh secret delete X"}, No: []string{"gpg --version"},
		},
		{
			ID: "credential.dump", Verdict: Undecided, Why: "This prints stored secrets.",
			When: []Match{{Program: "security", First: "dump-keychain find-generic-password find-internet-password export"}, {Program: "gpg gpg2", Has: "--export-secret-keys|--export-secret-key|-d|--decrypt"}},
			Yes:  []string{"security find-generic-password -w x", "gpg --export-secret-keys"}, No: []string{"gpg --version"},
		},
	}}
}
