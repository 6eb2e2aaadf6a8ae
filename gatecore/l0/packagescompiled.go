package l0

const cargoShared = "-q --quiet -v --verbose -vv --color= --offline --locked --frozen"

func compiledPackages() []Program {
	return []Program{
		{
			Names: "cargo", GlobalsAnywhere: true,
			Command: Command{Options: Options{
				Read: cargoShared + " --list", File: "--manifest-path=", Config: "--config= -Z=", Dir: "-C=", Endpoint: "--registry= --index= --token=", Help: "-V -h --list",
			}},
			Commands: []Command{
				{Path: "tree", Is: Reader, Operands: "-", Options: Options{
					Read: "-i= --invert= -p= --package= --workspace --exclude= --depth= -e= --edges= --prefix= --no-dedupe -d --duplicates --charset= -f= --format= --target= -F= --features= --all-features --no-default-features --prune=",
				}},
				{Path: "metadata", Is: Reader, Operands: "-", Options: Options{Read: "--no-deps --format-version= --filter-platform= -F= --features= --all-features --no-default-features"}},
				{Path: "pkgid, locate-project, read-manifest, verify-project, help, version", Is: Reader, Operands: "word*", Options: Options{Read: "-p= --package= --workspace --message-format="}},
				{Path: "install", Is: Writer, Options: Options{DryRun: "--list"}, Why: "It builds and installs a program."},
				{Path: "fmt", Is: Writer, Options: Options{DryRun: "--check", Read: "-q --quiet -v --verbose", Change: "--all -p= --package= --manifest-path="}, Why: "cargo fmt rewrites source files."},
				{Path: "build, b, check, c, test, t, run, r, bench, doc, d, rustc, rustdoc, clippy, fix, nextest, miri", Is: Writer, Why: "Building runs build scripts and code of the workspace."},
				{Path: "add, remove, rm, update, fetch, vendor, generate-lockfile, init, new, uninstall, clean, package", Is: Writer},
				{Path: "publish, yank, owner", Is: Network, Why: "It changes what others install.", Options: Options{DryRun: "-n --dry-run"}},
				{Path: "search, info", Is: Network},
				{Path: "login, logout", Is: Interactive},
			},
		},
		{Names: "rustup", Command: Command{Options: Options{Help: "-V -h"}}, Commands: []Command{
			{Path: "show, toolchain list, target list, component list, which, show active-toolchain, show home, override list", Is: Reader, Operands: "word*", Options: Options{Read: "-v --verbose --installed --toolchain= --path -q --quiet"}},
			{Path: "check", Is: Network},
			{Path: "update, default, install, uninstall, toolchain install, toolchain uninstall, toolchain link, target add, target remove, component add, component remove, override set, override unset, self, set", Is: Writer},
			{Path: "run", Is: PackageRunner, Operands: "word cmd"},
		}},
		goTool(),
		{Names: "gofmt goimports", Style: SingleDash, Command: Command{Is: Reader, Operands: "file*", Options: Options{
			Read: "-l -d -e -s -local= -srcdir= -v", Change: "-w", Code: "-r=", Write: "-cpuprofile= -memprofile= -memrate=", Help: "-h",
		}, Language: OtherLanguage}},
		{Names: "gem", GlobalsAnywhere: true, Command: Command{Options: Options{
			Read: "-q --quiet -V --verbose --silent -l --local", Config: "--config-file=", Endpoint: "-s= --source= -p= --http-proxy= -r --remote -b --both --host= -k= --key=", Help: "-v -h",
		}}, Commands: []Command{
			{Path: "list, query, contents, which, dependency", Is: Reader, Operands: "word*", Options: Options{Read: "-d --details -a --all -i --installed --versions --no-versions -n= --name-matches= -v= --version= --exact -e"}},
			{Path: "env, environment, help", Is: Reader, Operands: "word*"},
			{Path: "specification", Is: Reader, Operands: "word*", Options: Options{Read: "-v= --version= --all --ruby --yaml --marshal"}},
			{Path: "install, uninstall, update, cleanup, pristine, build, unpack, fetch, sources, cert, generate_index, setup, rdoc, lock, mirror, open", Is: Writer},
			{Path: "search, outdated, info, owner, signin, signout, stale", Is: Network},
			{Path: "push", Is: Network, Operands: "file+", Why: "It changes what others install."},
			{Path: "yank", Is: Network},
			{Path: "exec", Is: PackageRunner, Operands: "cmd"},
		}},
		{Names: "bundle bundler", Command: Command{Options: Options{Read: "--no-color --verbose -V", Help: "-v -h"}}, Commands: []Command{
			{Path: "help, version", Is: Reader, Operands: "word*"},
			{Path: "list, show, info, licenses, platform", Is: Writer, Why: "It runs the Gemfile, which is Ruby code of the workspace.", Options: Options{Read: "--name-only --paths --path --only-group= --without-group= --ruby"}},
			{Path: "check, install, update, add, remove, lock, cache, package, clean, config, init, open, gem, binstubs, pristine, doctor, plugin, outdated", Is: Writer},
			{Path: "exec, e", Is: PackageRunner, Operands: "cmd", Options: Options{Read: "--keep-file-descriptors"}},
		}},
		{Names: "composer", Command: Command{Options: Options{Help: "-V -h"}}, Commands: []Command{
			{
				Path: "install, i, update, u, upgrade, require, r, remove, dump-autoload, dumpautoload, create-project, init, config, global, self-update, clear-cache, run-script, run, reinstall, bump, show, info, licenses, depends, why, validate, status, diagnose",
				Is:   Writer, Why: "Composer loads plugins of the project, and most verbs install.",
			},
			{Path: "outdated, search, audit", Is: Network},
			{Path: "exec", Is: PackageRunner, Operands: "cmd"},
		}},
		{
			Names:   "mvn mvnw gradle gradlew sbt ant bazel bazelisk buck2 lein mix rebar3 stack cabal xcodebuild msbuild nuget dart flutter pub meson ninja scons just task tox nox hatch pdm rye lerna nx turbo",
			Command: Command{Is: Writer, Options: Options{Help: "-v -V -h -version"}, Why: "It builds, tests or installs: it runs code of the workspace."},
		},
		{Names: "dotnet", Command: Command{Options: Options{Help: "-h --info --list-sdks --list-runtimes"}}, Commands: []Command{
			{Path: "build, test, run, restore, publish, pack, clean, new, add, remove, watch, tool, workload, sln, format, msbuild, vstest, ef, exec, list", Is: Writer, Why: "It builds, tests or installs: it runs code of the workspace."},
			{Path: "nuget", Is: Network},
		}},
	}
}

func goTool() Program {
	const build = "-C= -v -x -n -a -race -msan -asan -cover -trimpath -buildvcs= -mod= -modcacherw -tags= -gcflags= -asmflags= -ldflags= -p= -compiler= -buildmode= -installsuffix= -work"
	return Program{Names: "go", Style: SingleDash, Command: Command{Options: Options{Dir: "-C=", Help: "-h"}}, Commands: []Command{
		{Path: "version", Is: Reader, Operands: "name*", Options: Options{Read: "-m -v -json"}},
		{Path: "env", Is: Reader, Operands: "word*", Options: Options{Read: "-json -changed", Change: "-w -u"}, Why: "go env -w and -u change Go's settings."},
		{Path: "list", Is: Reader, Operands: "word*", Options: Options{
			Read:     "-m -f= -json? -deps -test -e -find -retracted -reuse= -tags= -mod=readonly -mod=vendor -race -C=",
			Change:   "-export -compiled -mod=", // these build, and -mod=mod writes go.mod
			Endpoint: "-u -versions",
			Run:      "-toolexec= -overlay= -modfile=",
		}},
		{Path: "doc", Is: Reader, Operands: "word*", Options: Options{Read: "-all -c -cmd -short -src -u -C=", Interact: "-http -ex"}},
		{Path: "help", Is: Reader, Operands: "word*"},
		{Path: "mod graph, mod why, mod verify", Is: Reader, Operands: "word*", Options: Options{Read: "-m -vendor -go= -x"}},
		{Path: "mod edit", Is: Writer, Options: Options{DryRun: "-print -json", Change: "-fmt"}},
		{
			Path: "mod tidy, mod download, mod init, mod vendor, get, install, generate, fix, clean, work, telemetry", Is: Writer, Options: Options{Change: "-cache -modcache -testcache -fuzzcache -i -r"},
			Why: "It changes modules, caches or installed programs.",
		},
		{Path: "fmt", Is: Writer, Options: Options{Read: "-n -x"}, Why: "go fmt rewrites source files."},
		{
			Path: "build, test, vet, tool, bug", Is: Writer, Options: Options{Read: build, Write: "-o= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= -trace= -outputdir=", Run: "-exec= -toolexec= -vettool= -overlay= -modfile="},
			Why: "It compiles the workspace, and tests run its code.",
		},
		{Path: "run", Is: PackageRunner, Operands: "word*", Options: Options{Read: build, Run: "-exec= -toolexec= -overlay= -modfile="}},
	}}
}

func systemPackages() []Program {
	return []Program{
		{Names: "apt", GlobalsAnywhere: true, Command: Command{Options: Options{
			Read: "-q -qq --quiet -a --all-versions --installed --upgradable --manual-installed -V -f --no-pager", Config: "-o= --option= -c= --config-file=", Help: "-v -h",
			DryRun: "-s --simulate --dry-run --just-print --no-act --recon",
		}}, Commands: []Command{
			{Path: "list, show, policy, search, depends, rdepends, showsrc, madison", Is: Reader, Operands: "word*", Options: Options{Read: "-n --names-only --full"}},
			{Path: "install, remove, purge, autoremove, autopurge, reinstall, upgrade, full-upgrade, dist-upgrade, update, clean, autoclean, satisfy, build-dep, source, download, edit-sources", Is: Writer, Why: "It changes the system's packages."},
			{Path: "changelog", Is: Network},
		}},
		{Names: "apt-get apt-mark aptitude add-apt-repository apt-key dpkg-reconfigure unattended-upgrade", Command: Command{Is: Writer, Why: "It changes the system's packages.", Options: Options{
			Config: "-o= --option= -c= --config-file=", Change: "-y --yes -q -qq --purge --allow-unauthenticated --force-yes", DryRun: "-s --simulate --dry-run --just-print --no-act --recon", Help: "-v -h",
		}}},
		{Names: "apt-cache", GlobalsAnywhere: true, Command: Command{Options: Options{Read: "-a -n --names-only --installed -q -f", Config: "-o= --option= -c= --config-file= -p= -s=", Help: "-v -h"}}, Commands: []Command{
			{Path: "show, showpkg, search, policy, depends, rdepends, pkgnames, stats, madison, dump, unmet", Is: Reader, Operands: "word*"},
		}},
		{Names: "dpkg", Command: Command{Is: Reader, Operands: "word*", Options: Options{
			Read:   "-l --list -L --listfiles -s --status -S --search -p --print-avail -I --info -c --contents -C --audit --get-selections --print-architecture --print-foreign-architectures -V --verify --no-pager",
			Change: "-i --install --unpack --configure --triggers-only -r --remove -P --purge --set-selections --clear-selections --add-architecture --remove-architecture --clear-avail --force-*",
			Config: "--admindir= --root= --instdir= -D=", Write: "--log=", Run: "--pre-invoke= --post-invoke=", Help: "-?",
		}}},
		{Names: "dpkg-query", Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-l --list -L --listfiles -s --status -S --search -W --show -f= --showformat= --no-pager", Config: "--admindir=", Help: "-?"}}},
		{Names: "rpm", Command: Command{Is: Writer, Operands: "word*", Options: Options{
			DryRun: "-q --query -V --verify",
			Read:   "-a --all --info -l --list -f --file -R --requires --provides --whatrequires --whatprovides --changelog --scripts -d --docfiles -c --configfiles --last --qf= --queryformat=",
			Change: "-i -U --upgrade -F --freshen -e --erase --install --reinstall --import --rebuilddb --initdb --restore --setperms --setugids --nodeps --force -h --hash -v",
			Run:    "-E= --eval= -D= --define= --load= --pipe= --macros= --rcfile=", Config: "-r= --root= --dbpath= -p= --package=",
		}}},
		{
			Names:   "zypper yay paru apk emerge portage pkg pkg_add port nix-env guix xbps-install swupd",
			Command: Command{Is: Writer, Why: "It changes the system's packages.", Options: Options{Change: "-y --yes", Help: "-h"}},
		},
		{Names: "yum dnf microdnf", Command: Command{Is: Writer, Why: "It changes the system's packages.", Options: Options{Change: "-y --yes", Help: "-h"}}, Commands: []Command{
			{Path: "list installed", Is: Reader, Operands: "word*", Options: Options{Read: "-q --quiet -C --cacheonly"}},
		}},
		{Names: "pacman", Command: Command{Is: Reader, Operands: "word*", Why: "It changes the system's packages.", Options: Options{
			Read:   "-Q --query -i --info -l --list -s --search= -e --explicit -m --foreign -n --native -o --owns= -k --check -q --quiet -t --unrequired -d --deps -g --groups -c --changelog --color=",
			Change: "-S --sync -R --remove -U --upgrade -D --database -F --files -T --deptest -y --refresh -u --sysupgrade -w --downloadonly -p --print --noconfirm --asdeps --asexplicit --overwrite= --needed -r= --root= -b= --dbpath= --hookdir= --config= --cachedir= --gpgdir=", Help: "-V -h",
		}}},
		{Names: "brew", GlobalsAnywhere: true, Command: Command{Options: Options{Read: "-q --quiet -v --verbose -d --debug", Help: "-h", Prints: "--cellar --prefix --repository --repo --cache --caskroom"}}, Commands: []Command{
			{Path: "list, ls", Is: Reader, Operands: "word*", Options: Options{Read: "--versions --formula --formulae --cask --casks --pinned --full-name -1 -l -r -t --multiple"}},
			{Path: "info, abv", Is: Reader, Operands: "word*", Options: Options{Read: "--json? --installed --formula --cask", Endpoint: "--github --analytics"}},
			{Path: "deps, uses, leaves, config, commands, desc, missing", Is: Reader, Operands: "word*", Options: Options{Read: "--tree --installed -1 --include-build -r --recursive --topological --direct"}},
			{Path: "services list, services info", Is: Reader, Operands: "word*"},
			{Path: "install, reinstall, upgrade, uninstall, remove, rm, update, cleanup, autoremove, link, unlink, pin, unpin, tap, untap, services, bundle, postinstall, edit, create, doctor, fetch, migrate", Is: Writer, Why: "It changes installed packages."},
			{Path: "search, outdated, home, log, livecheck", Is: Network},
		}},
	}
}

func packageRules() []Rule {
	return []Rule{
		{
			ID: "packages.essential-removed", Verdict: Deny,
			Why:     "The machine does not start, log in or install anything any more without this package.",
			Instead: "simulate it first (apt-get -s remove NAME) and let a person decide",
			When: []Match{
				{Program: "apt", Command: "remove, purge, autoremove, autopurge", Operand: essentialPackages},
				{Program: "apt-get aptitude yum dnf microdnf zypper apk pkg", First: "remove purge erase del delete rm autoremove", Operand: essentialPackages},
				{Program: "dpkg", Has: "-r|--remove|-P|--purge", Operand: essentialPackages},
				{Program: "rpm", Has: "-e|--erase", Operand: essentialPackages},
				{Program: "pacman", Has: "-R|--remove", Operand: essentialPackages},
			},
			Yes: []string{"sudo apt-get purge -y libc6", "apt remove --purge linux-image-generic", "yum remove glibc", "pacman -Rns linux", "rpm -e --nodeps glibc", "dpkg --purge --force-all bash"},
			No:  []string{"apt-get remove jq", "apt show bash", "apt-get install linux-image-generic", "dnf remove nginx", "pacman -Q linux"},
		},
		{
			ID: "packages.unpublish", Verdict: Deny,
			Why:     "Unpublishing removes a release that others depend on and that cannot be published again.",
			Instead: "npm deprecate PACKAGE@VERSION \"reason\"",
			When: []Match{
				{Program: "npm", Command: "unpublish"},
				{Program: "gem", Command: "yank"},
			},
			Yes: []string{"npm unpublish left-pad --force", "sudo npm unpublish x@1.0.0", "gem yank mygem -v 1.0.0"},
			No:  []string{"npm publish", "npm deprecate x 'use y'", "echo npm unpublish", "gem list"},
		},
	}
}

// essentialPackages are the names, in several distributions, of what a machine cannot be without.
const essentialPackages = "linux linux-image* linux-generic* linux-lts kernel kernel-core* libc6* glibc* musl systemd* sysvinit* init bash dash coreutils util-linux login sudo openssh-server* dpkg apt rpm pacman grub* base base-files filesystem python3 python3-minimal"
