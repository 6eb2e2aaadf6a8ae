package l0

// PathLists names the files that the gate treats as special. Every list is blank-separated
// globs (* is any text, slashes included).
type PathLists struct {
	SecretNames    string // base names that are credentials anywhere
	SecretPaths    string // path endings or fragments that are credentials
	NotSecretNames string // base names that look like credentials and are none
	Startup        string // base names of shell startup files, in a home directory or /etc
	StartupPaths   string // fragments of paths that run something at login or on a schedule
	AgentPaths     string // fragments of paths that configure agents, editors or hooks
	AgentScratch   string // fragments of paths below those that agents write in their work: no configuration
	HostPaths      string // fragments of paths of agent hosts' hooks and settings, through which the gate is called
	History        string // base names of shell history
}

// Paths returns the built-in path lists.
func Paths() PathLists {
	return PathLists{
		SecretNames: ".env .env.* *.env id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk *_rsa *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ppk " +
			".netrc _netrc .npmrc .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials .dockercfg .vault-token .htpasswd .s3cfg .boto .envrc " +
			"credentials credentials.json credentials.db credentials.toml credentials.yml credentials.yaml service-account*.json serviceaccount*.json " +
			"secrets.json secrets.yml secrets.yaml secrets.toml secrets.env client_secret*.json application_default_credentials.json access_tokens.db " +
			"accessTokens.json azureProfile.json msal_token_cache.* terraform.tfvars *.tfstate kubeconfig shadow shadow- gshadow master.key " +
			".password-store login.keychain* *.keychain-db key4.db logins.json .ssh .gnupg .age-key.txt .sops-age-key.txt hosts.yml.token .pulumi-credentials cookies.sqlite .bash_history .zsh_history .python_history .mysql_history .psql_history .node_repl_history",
		SecretPaths: "*/.ssh */.ssh/* */.aws */.aws/* */.gnupg */.gnupg/* */.kube/config */.kube/*config* */.docker/config.json */.config/gcloud */.config/gcloud/* " +
			"*/.azure */.azure/* */.config/gh/hosts.yml */.config/hub */.cargo/credentials* */.gem/credentials */.m2/settings.xml */.gradle/gradle.properties " +
			"*/.fly/config.yml */.config/doctl/* */.oci */.oci/* */.netlify/config.json */.config/netlify/* */.wrangler/config/* */.config/.wrangler/* */com.vercel.cli/auth.json */.railway/config.json */.supabase/access-token */.databrickscfg " +
			"*/.terraform.d/credentials* */.config/op/* */.password-store/* */.local/share/keyrings */.local/share/keyrings/* */Library/Keychains */Library/Keychains/* " +
			"*/.mozilla/firefox/*logins* */.config/google-chrome/*Login* *Login?Data* */.composer/auth.json */.nuget/*.config */.pip/pip.conf */.config/pip/pip.conf */.rclone.conf */.config/rclone/* " +
			"/etc/shadow* /etc/gshadow* /etc/sudoers* /etc/ssh/ssh_host_*_key /etc/ssl/private* /etc/kubernetes/*.conf /proc/*/environ /proc/*/mem /proc/*/maps.secret /proc/kcore /dev/mem /run/secrets* /var/run/secrets* " +
			"*/.claude/.credentials.json */.codex/auth.json */.gemini/oauth_creds.json */.config/github-copilot/* */.phocinae/*key* */.bash_history.secret */.git-credentials */.config/git/credentials",
		NotSecretNames: ".env.example .env.sample .env.template .env.dist .env.test.example .env.defaults .env.schema *.env.example *.env.sample *.env.template example.env sample.env template.env *.pub known_hosts known_hosts.old " +
			"authorized_keys.example authorized_keys *.pem.example *.tfvars.example",
		Startup: ".bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .xinitrc .xprofile .xsession " +
			".bash_aliases .zsh_aliases .aliases .screenrc .tmux.conf .vimrc .exrc .gitconfig .pam_environment .Xresources config.fish Microsoft.PowerShell_profile.ps1 profile.ps1",
		StartupPaths: "*/.ssh */.ssh/* */.config/fish/* */.config/autostart/* */.config/systemd/* */Library/LaunchAgents/* */Library/LaunchDaemons/* */cron.d/* */crontab* */crontabs/* */.config/environment.d/* */.config/git/config */Start?Menu/Programs/Startup/* */.oh-my-zsh/*",
		AgentPaths: "*/.git/hooks/* */.git/config */.claude/* */.claude.json */.cursor/* */.codex/* */.gemini/* " +
			"*/.vscode/tasks.json */.vscode/settings.json */.vscode/launch.json */.vscode/mcp.json */.vscode/extensions/* */.mcp.json */.husky/* */.github/hooks/* */.copilot/* */.config/goose/* */.config/opencode/* */opencode.json */.cline/* */.codeium/* */.windsurf/* */.config/zed/settings.json " +
			"*/.config/Code/User/* */.idea/workspace.xml */.envrc */.githooks/* */.claude */.cursor */.codex */.gemini */.husky */.git/hooks */.git",
		AgentScratch: "*/.claude/worktrees* */.claude/plans* */.claude/todos* */.claude/tmp* */.claude/cache* */.claude/logs* */.claude/projects/*/memory* */.cursor/plans* */.cursor/worktrees* */.cursor/tmp*",
		HostPaths:    "*/.claude */.claude/settings*.json */.claude/hooks* */.cursor */.cursor/hooks* */.cursor/mcp.json */.codex */.codex/config.toml */.codex/hooks* */.gemini */.gemini/settings.json */.gemini/hooks* */.github/hooks* */.copilot* */.mcp.json */.claude.json",
		History:      ".bash_history .zsh_history .histfile .history .sh_history .ksh_history fish_history .python_history .mysql_history .psql_history .node_repl_history .lesshst ConsoleHost_history.txt",
	}
}

// Variables lists variables that name programs, libraries, module paths, configurations or endpoints.
// Globs; Inert wins over Risky. Suffixes count only for variables that reach a program (in front
// of a command, or exported).
type Variables struct {
	Risky    string
	Suffixes string
	Inert    string
	Keys     string // variables whose value is a secret
}

// EnvNames returns the built-in variable lists.
func EnvNames() Variables {
	return Variables{
		Risky: "PATH LD_* DYLD_* GIT_* BASH_ENV ENV SHELLOPTS BASHOPTS BASH_FUNC_* PS4 PROMPT_COMMAND PS0 PS1 PS2 IFS CDPATH GLOBIGNORE EXECIGNORE HISTFILE HISTSIZE HISTFILESIZE HISTCONTROL HISTIGNORE FCEDIT INPUTRC " +
			"PAGER *PAGER EDITOR VISUAL *_EDITOR BROWSER SHELL MANPATH MANOPT MANROFFOPT LESS LESSOPEN LESSCLOSE LESSKEY* LESSEDIT MORE " +
			"PYTHON* PERL5* PERL_* RUBYLIB RUBYOPT RUBY* GEM_* BUNDLE_* NODE_* npm_config_* NPM_CONFIG_* YARN_* JAVA_* _JAVA_OPTIONS JDK_* CLASSPATH MAVEN_* GRADLE_* LUA_* PHPRC PHP_INI* R_* JULIA_* " +
			"*_OPTIONS *_OPTS *FLAGS TAR_OPTIONS GREP_OPTIONS RIPGREP_CONFIG_PATH FD_* FZF_* BAT_* ACK_* RUSTC* RUSTUP_* CARGO_* GO* CC CXX CPP LD AR AS NM MAKE CMAKE_* PKG_CONFIG* " +
			"SSH_* SUDO_* GPG_* GNUPGHOME DOCKER_* CONTAINER_HOST BUILDKIT_* COMPOSE_* KUBECONFIG KUBE_* HELM_* AWS_* GOOGLE_* CLOUDSDK_* AZURE_* ARM_* TF_* VAULT_* CONSUL_* PULUMI_* ANSIBLE_* GH_* GITHUB_* GITLAB_* " +
			"http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY SSL_* CURL_* WGETRC REQUESTS_CA_BUNDLE PIP_* UV_* POETRY_* CONDA_* VIRTUAL_ENV OPENSSL_* PG* MYSQL_* REDISCLI_* MONGO* SQLITE_* " +
			"POSIXLY_CORRECT TAPE RSH RMT ACKRC RUSTFMT RUSTDOC FFREPORT MAGIC UNZIP UNZIPOPT ZIPINFO ZIPINFOOPT ZIPOPT ZSTD_* GZIP BZIP BZIP2 XZ_* LZOP LZMA_* HG* TZDIR " +
			"HOME XDG_* TERMINFO* TERMCAP LOCPATH NLSPATH GCONV_PATH GETCONF_DIR MALLOC_* GLIBC_TUNABLES HOSTALIASES RESOLV_HOST_CONF RES_OPTIONS LOCALDOMAIN TMPPREFIX ZDOTDIR FPATH fpath path MODULE_PATH NULLCMD READNULLCMD TMUX DISPLAY WAYLAND_DISPLAY DBUS_* ZSH* BASH_* COMSPEC PATHEXT PSMODULEPATH PHOCINAE_*",
		Suffixes: "*PATH *_CONFIG *_CONF *_CONFIG_FILE *CONFIG_DIR *_HOME *_PROXY *_proxy *PRELOAD *_SHELL *_CMD *_COMMAND *_HOOK *_HOOKS *_RC *RCFILE *_PROGRAM *_EXEC *_WRAPPER *_HELPER *ASKPASS *_LAUNCHER *_RUNNER *_PLUGIN *_PLUGINS *_LOADER *_INTERPRETER *_LIB *_LIBS *_INCLUDE *_ENDPOINT *_HOST *_URL",
		Inert: "GOOS GOARCH GOARM GOAMD64 GOMAXPROCS GOGC GOTRACEBACK CARGO_TERM_COLOR CARGO_TERM_PROGRESS_WHEN GIT_PAGER_IN_USE GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT NODE_ENV PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED RUST_BACKTRACE RUST_LOG " +
			"BASH_SILENCE_DEPRECATION_WARNING NODE_NO_WARNINGS HGPLAIN",
		Keys: "*SSH_KEY *_ACCESS_KEY *_SIGNING_KEY *_ENCRYPTION_KEY *_MASTER_KEY *_TOKEN TOKEN *_SECRET SECRET *_SECRET_KEY SECRET_KEY *SECRET_ACCESS_KEY *PASSWORD *PASSWD PGPASSWORD *_API_KEY API_KEY *APIKEY *_PRIVATE_KEY PRIVATE_KEY *_CREDENTIALS *_PAT *_PASSPHRASE",
	}
}
