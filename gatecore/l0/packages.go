package l0

// Package managers: listing what is installed reads, installing runs code of the
// package, asking a registry goes over the network. Options and verbs as in the managers'
// own manuals (docs.npmjs.com, pip.pypa.io, doc.rust-lang.org/cargo, go help, man apt).

const (
	npmShared = "-l --long --json -p --parseable -a --all --depth= --omit= --include= --link -w= --workspace= -ws --workspaces -g --global " +
		"-s --silent -q --quiet -d --verbose --loglevel= --color? --no-color --unicode --package-lock-only --offline"
	runsScripts = "It runs scripts of packages, which are programs nobody has read yet."
)

func packages() Domain {
	var programs []Program
	for _, list := range [][]Program{nodePackages(), pythonPackages(), compiledPackages(), systemPackages()} {
		programs = append(programs, list...)
	}
	return Domain{Name: "packages", Programs: programs, Rules: packageRules()}
}

func nodePackages() []Program {
	return []Program{
		{
			Names: "npm", GlobalsAnywhere: true,
			Command: Command{Options: Options{
				Read:     npmShared,
				Endpoint: "--registry= --otp= --proxy= --https-proxy= --cafile= --cert= --key=",
				Config:   "--userconfig= --globalconfig= --prefix= -C= --cache=",
				Run:      "--script-shell= --node-options= --git= --shell= --editor= --viewer= --browser=",
				Help:     "-v -h",
			}},
			Commands: []Command{
				{Path: "ls, list, ll, la, explain, why, fund", Is: Reader, Operands: "word*"},
				{Path: "root, prefix, bin", Is: Reader, Operands: "-"},
				{
					Path: "run, run-script", Is: Reader, Operands: "-", Options: Options{Change: "--if-present --ignore-scripts"},
					Why: "npm run starts a script of the package.", Instead: "list the script among the operator's runners",
				},
				{Path: "pkg get, config list, config ls, config get, get", Is: Reader, Operands: "word*"},
				{Path: "pkg set, pkg delete, pkg fix, config set, config delete, config edit, set, cache clean, cache add, cache verify", Is: Writer},
				{Path: "help, help-search", Is: Reader, Operands: "word*"},
				{Path: "test, t, tst, start, stop, restart", Is: Writer, Why: "It starts a script of the package.", Instead: "list the runner in the operator's table"},
				{
					Path: "install, i, in, add, ci, clean-install, install-test, it, uninstall, un, rm, remove, r, unlink, update, up, upgrade, link, ln, dedupe, ddp, prune, rebuild, rb, init, create, version, shrinkwrap, pack",
					Is:   Writer, Why: runsScripts,
				},
				{
					Path: "view, info, show, v, search, find, outdated, audit, ping, whoami, owner, dist-tag, dist-tags, access, docs, home, repo, bugs, stars, star, unstar, team, org, hook, profile, doctor, diff, query, sbom",
					Is:   Network,
				},
				{Path: "publish, deprecate, undeprecate", Is: Writer, Why: "It changes what others install."},
				{Path: "unpublish", Is: Writer, Options: Options{Change: "-f --force"}},
				{Path: "login, adduser, logout", Is: Interactive},
				{Path: "token", Is: Secrets, Why: "It lists or makes access tokens."},
				{Path: "exec, x", Is: PackageRunner, Operands: "cmd", Options: Options{Read: "-y --yes --no", Config: "-p= --package=", Shell: "-c= --call="}},
			},
		},
		{Names: "npx bunx pnpx", Style: POSIX, Command: Command{
			Is: PackageRunner, Operands: "cmd",
			Options: Options{Read: "-y --yes --no --no-install --bun --verbose --silent -q --quiet", Config: "-p= --package= -w= --workspace=", Shell: "-c= --call="},
		}},
		{
			Names: "pnpm", GlobalsAnywhere: true,
			Command: Command{Options: Options{
				Read: "--json --long --parseable --depth= -r --recursive -P --prod -D --dev --no-optional -g --global --filter= -F= -w --workspace-root --silent -s --reporter= --color --no-color",
				Dir:  "-C= --dir=", Endpoint: "--registry=", Config: "--config? --use-node-version=", Run: "--script-shell= --node-options=", Help: "-v -h",
			}},
			Commands: []Command{
				{Path: "list, ls, ll, la, why", Is: Reader, Operands: "word*"},
				{Path: "root, bin, store path, config list, config get, licenses list, licenses ls", Is: Reader, Operands: "word*"},
				{Path: "run", Is: Reader, Operands: "-", Why: "pnpm run starts a script of the package."},
				{
					Path: "install, i, add, remove, rm, uninstall, un, update, up, upgrade, link, ln, unlink, import, rebuild, rb, prune, fetch, patch, patch-commit, patch-remove, init, create, setup, env, self-update, dedupe, deploy, approve-builds, store prune, test, t, start, config set, config delete",
					Is:   Writer, Why: runsScripts,
				},
				{Path: "outdated, audit, view, info, search, ping, whoami", Is: Network},
				{Path: "publish", Is: Writer, Why: "It changes what others install."},
				{Path: "dlx, exec", Is: PackageRunner, Operands: "cmd", Options: Options{Read: "--silent -s", Config: "--package=", Change: "-c --shell-mode"}},
			},
		},
		{
			Names: "yarn yarnpkg", GlobalsAnywhere: true,
			Command: Command{Options: Options{
				Read: "--json --depth= --pattern= -A --all -R --recursive --silent -s --no-progress --production --prod",
				Dir:  "--cwd=", Endpoint: "--registry=", Config: "--use-yarnrc=", Run: "--script-shell=", Help: "-v -h",
			}},
			Commands: []Command{
				{Path: "list, why, versions", Is: Reader, Operands: "word*"},
				{Path: "workspaces info, workspaces list, licenses list, cache dir, bin", Is: Reader, Operands: "word*"},
				{Path: "run", Is: Reader, Operands: "-", Why: "yarn run starts a script of the package."},
				{
					Path: "install, add, remove, upgrade, up, upgrade-interactive, link, unlink, init, create, dedupe, set, plugin, cache clean, cache clear, import, pack, rebuild, test, start, build, config, patch, patch-commit, workspace, workspaces, global",
					Is:   Writer, Why: runsScripts,
				},
				{Path: "info, outdated, audit, npm info, npm audit, npm whoami, owner, tag, team", Is: Network},
				{Path: "publish, npm publish", Is: Writer, Why: "It changes what others install."},
				{Path: "dlx, exec", Is: PackageRunner, Operands: "cmd", Options: Options{Read: "-q --quiet", Config: "-p= --package="}},
			},
		},
		{Names: "nvm fnm volta", Command: Command{Options: Options{Help: "-v -h"}, Why: "It changes which Node.js runs."}, Commands: []Command{
			{Path: "ls, list, current, which, version, dir", Is: Reader, Operands: "word*", Options: Options{Read: "--no-colors --no-alias --format= -c --current -d --default"}},
			{Path: "install, i, uninstall, use, alias, unalias, default, pin, fetch, setup, env, deactivate, unload, set-colors, reinstall-packages, install-latest-npm, cache", Is: Writer, Why: "It changes which Node.js runs."},
			{Path: "exec, run", Is: PackageRunner, Operands: "word cmd", Options: Options{Read: "--silent", Config: "--using="}},
			{Path: "ls-remote, list-remote, version-remote, list-all", Is: Network},
		}},
		{Names: "corepack n", Command: Command{Is: Writer, Options: Options{Help: "-v -h"}, Why: "It changes which Node.js runs."}},
	}
}

func pythonPackages() []Program {
	pip := []Command{
		{Path: "list", Is: Reader, Operands: "-", Options: Options{
			Read:     "-l --local --user -e --editable --format= --not-required --exclude-editable --include-editable --exclude= --path= --pre",
			Endpoint: "-o --outdated -u --uptodate -i= --index-url= --extra-index-url= -f= --find-links=",
		}},
		{Path: "show", Is: Reader, Operands: "word+", Options: Options{Read: "-f --files"}},
		{Path: "freeze", Is: Reader, Operands: "-", Options: Options{Read: "-l --local --user --all --exclude-editable --exclude= --path=", File: "-r= --requirement="}},
		{Path: "check, debug, help, cache dir, cache info, cache list", Is: Reader, Operands: "word*"},
		{Path: "inspect", Is: Reader, Operands: "-", Options: Options{Read: "-l --local --user --path="}},
		{Path: "config list, config get", Is: Secrets, Why: "pip's configuration may hold a password in an index URL."},
		{Path: "config set, config unset, config edit, cache purge, cache remove", Is: Writer},
		{Path: "install, uninstall, wheel, download, lock", Is: Writer, Why: "Installing a Python package runs its build code."},
		{Path: "index, search", Is: Network},
		{Path: "hash", Is: Reader, Operands: "file*", Options: Options{Read: "-a= --algorithm="}},
	}
	pipShared := Options{
		Read:     "-q --quiet -v --verbose --no-color --no-input --disable-pip-version-check --isolated --no-python-version-warning",
		Write:    "--log=",
		Endpoint: "--proxy= --cert= --client-cert= --trusted-host= --index-url=",
		Run:      "--python=",
		Config:   "--cache-dir= --keyring-provider=",
		Help:     "-V -h",
	}
	return []Program{
		{Names: "pip pip3", GlobalsAnywhere: true, Command: Command{Options: pipShared}, Commands: pip},
		{
			Names: "uv", GlobalsAnywhere: true,
			Command: Command{Options: Options{
				Read: "-q --quiet -v --verbose --no-progress --color= --offline --no-config -n --no-cache", Dir: "--directory=",
				Config: "--config-file= --project= --cache-dir=", Run: "-p= --python=", Endpoint: "--index= --index-url= --default-index= --allow-insecure-host=", Help: "-V -h",
			}},
			Commands: []Command{
				{Path: "pip list", Is: Reader, Operands: "-", Options: Options{Read: "--format= --exclude-editable --editable -e --exclude=", Endpoint: "--outdated"}},
				{Path: "pip show, pip check", Is: Reader, Operands: "word*", Options: Options{Read: "-f --files"}},
				{Path: "pip freeze", Is: Reader, Operands: "-", Options: Options{Read: "--exclude-editable"}},
				{Path: "pip tree", Is: Reader, Operands: "-", Options: Options{Read: "-d= --depth= --package= --prune= --invert --no-dedupe --show-version-specifiers", Endpoint: "--outdated"}},
				{Path: "python find, python dir, cache dir, tool dir, tool list, self version, version, help", Is: Reader, Operands: "-"},
				{
					Path: "pip install, pip uninstall, pip sync, pip compile, sync, lock, add, remove, init, venv, build, tree, export, tool install, tool upgrade, tool uninstall, python install, python uninstall, python pin, python list, cache clean, cache prune, self update, format",
					Is:   Writer, Why: "It installs packages or writes the project's files.",
				},
				{Path: "publish", Is: Writer},
				{Path: "run, tool run, x", Is: PackageRunner, Operands: "cmd", Options: Options{
					Read:   "--isolated --no-sync --frozen --locked --active --all-extras --no-dev --dev -m --module -s --script",
					Config: "--with= --with-editable= --with-requirements= --extra= --group= --from= --env-file=",
				}},
				{Path: "auth", Is: Secrets},
			},
		},
		{Names: "uvx pipx-run", Style: POSIX, Command: Command{Is: PackageRunner, Operands: "cmd", Options: Options{
			Read: "-q --quiet -v --verbose --isolated --offline -n --no-cache", Config: "--from= --with= --index= --index-url=", Run: "-p= --python=", Help: "-V -h",
		}}},
		{Names: "pipx", Command: Command{Options: Options{Help: "-h"}}, Commands: []Command{
			{Path: "list", Is: Reader, Operands: "-", Options: Options{Read: "--json --short --include-injected --skip-maintenance"}},
			{Path: "environment", Is: Reader, Operands: "-", Options: Options{Read: "-V= --value="}},
			{Path: "run, runpip", Is: PackageRunner, Operands: "cmd", Options: Options{Read: "--no-cache", Config: "--spec=", Run: "--python="}},
			{Path: "install, install-all, inject, uninject, upgrade, upgrade-all, upgrade-shared, uninstall, uninstall-all, reinstall, reinstall-all, ensurepath, pin, unpin", Is: Writer},
		}},
		{Names: "poetry", GlobalsAnywhere: true, Command: Command{Options: Options{
			Read: "-q --quiet -v -vv -vvv --verbose --ansi --no-ansi -n --no-interaction --no-plugins --no-cache", Dir: "-C= --directory= -P= --project=", Help: "-V -h",
		}}, Commands: []Command{
			{Path: "show", Is: Reader, Operands: "word*", Options: Options{
				Read: "-t --tree -a --all --why -T --top-level --without= --with= --only= --no-truncate", Endpoint: "-l --latest -o --outdated",
			}},
			{Path: "env info, env list, check, about, help, list, version", Is: Reader, Operands: "-", Options: Options{Read: "-p --path -e --executable --full-path -s --short --lock --strict"}},
			{Path: "install, add, remove, update, lock, sync, init, new, build, env use, env remove, env activate, cache, self, source, export", Is: Writer, Why: "It installs packages or writes the project's files."},
			{Path: "config", Is: Writer, Why: "It may print or change credentials."},
			{Path: "publish", Is: Writer, Why: "It changes what others install."},
			{Path: "search", Is: Network},
			{Path: "run, shell", Is: PackageRunner, Operands: "cmd"},
		}},
		{Names: "pipenv", Command: Command{Options: Options{Help: "-h", Read: "-q --quiet -v --verbose", Run: "--python="}}, Commands: []Command{
			{Path: "graph", Is: Reader, Operands: "-", Options: Options{Read: "--bare --json --json-tree --reverse"}},
			{Path: "install, uninstall, update, upgrade, lock, sync, clean", Is: Writer},
			{Path: "run, shell", Is: PackageRunner, Operands: "cmd"},
		}},
		{Names: "conda mamba micromamba", Command: Command{Options: Options{Help: "-V -h"}}, Commands: []Command{
			{Path: "list", Is: Reader, Operands: "word*", Options: Options{Read: "-n= --name= -p= --prefix= -e --export --json -f --full-name --explicit --md5 -r --revisions -c --canonical --show-channel-urls --no-pip"}},
			{Path: "info", Is: Reader, Operands: "-", Options: Options{Read: "-e --envs -a --all --base -s --system --json"}},
			{Path: "env list", Is: Reader, Operands: "-", Options: Options{Read: "--json"}},
			{Path: "install, create, update, upgrade, remove, uninstall, clean, config, init, activate, deactivate, env create, env update, env remove, env export, build, develop", Is: Writer},
			{Path: "search", Is: Network},
			{Path: "run", Is: PackageRunner, Operands: "cmd", Options: Options{Read: "-n= --name= -p= --prefix= --no-capture-output --live-stream -v", Dir: "--cwd="}},
		}},
		{Names: "twine", Command: Command{Options: Options{Help: "-h"}}, Network: true, Commands: []Command{
			{Path: "check", Is: Reader, Operands: "name+", Options: Options{Read: "--strict"}},
			{Path: "upload, register", Is: Network, Operands: "file+", Why: "It changes what others install."},
		}},
		{Names: "pyenv rbenv nodenv goenv tfenv", Command: Command{Options: Options{Help: "-v -h"}}, Commands: []Command{
			{Path: "versions, version, version-name, root, which, whence, shims", Is: Reader, Operands: "word*", Options: Options{Read: "--bare --path --skip-aliases"}},
			{Path: "install, uninstall, global, local, shell, rehash, init, virtualenv, activate, update, use", Is: Writer},
			{Path: "exec", Is: PackageRunner, Operands: "cmd"},
		}},
		{Names: "asdf mise", Command: Command{Options: Options{Help: "-v -h"}}, Commands: []Command{
			{Path: "list, ls, current, which, where, info", Is: Reader, Operands: "word*"},
			{Path: "list all, list-all, latest, ls-remote", Is: Network},
			{Path: "install, uninstall, global, local, shell, set, use, plugin, plugins, reshim, update, activate, trust, run, upgrade", Is: Writer},
			{Path: "exec, x", Is: PackageRunner, Operands: "word cmd"},
			{Path: "env", Is: Secrets},
		}},
	}
}
