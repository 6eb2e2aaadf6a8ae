package l0

// Compilers and language tools: printing a version or a listing reads, compiling runs code or writes.

func languages() Domain {
	const compiles = "It compiles or runs code of the workspace."
	return Domain{
		Name: "languages",
		Programs: []Program{
			{
				Names: "gcc g++ cc c++ clang clang++ tcc icc nvcc emcc ld ld.lld lld gold as ranlib ghc ocamlc ocamlopt opam scalac groovyc javac javap jar jarsigner jlink jpackage jshell rustc rustdoc zig nim nimble crystal v vala valac gfortran fpc mono mcs csc fsc erlc elixirc gleam odin hare go-build dmd ldc2 gdc rdmd ecl swiftc solc forge cast anvil truffle hardhat wasm-pack wat2wasm wasmtime wasmer protoc buf thrift flatc antlr4 bison yacc flex lex",
				Style: SingleDash, Command: Command{Is: Writer, Operands: "word*", Why: compiles, Options: Options{
					Read: "-c -E -S -g -v -w -pipe", Write: "-o= -output=", Run: "-B= -fplugin= -wrapper= -specs= -Xlinker=",
					Help: "-version -v -V -vv --version -dumpversion -dumpmachine -print-search-dirs -print-sysroot -numeric-version -help -h -vV -Vv --print=sysroot --print=cfg --print=target-list --print=host-tuple --print=target-libdir",
				}},
			},
			{
				Names:   "make gmake",
				Command: Command{Is: Writer, Why: "It runs recipes of the workspace.", Options: Options{Help: "-v -h"}},
			},
			{
				Names:   "bmake cmake ctest cpack autoconf automake configure qmake xmake premake waf invoke fab doit mage earthly dagger bake pre-commit husky lint-staged commitlint semantic-release changeset release-it lefthook",
				Command: Command{Is: Writer, Why: "It runs recipes of the workspace.", Options: Options{Help: "-h"}},
			},
			{
				Names:   "mocha jest vitest rspec bats cypress playwright tap",
				Command: Command{Is: Writer, Why: "A test runner runs code of the workspace.", Instead: "list the runner in the operator's table", Options: Options{Help: "-V -v -h"}},
			},
			{
				Names:   "pytest py.test unittest ava karma minitest phpunit pest ctest3 gtest shellspec nose2 behave cucumber robot coverage c8 nyc hypothesis stryker mutmut", // with -v most of them run, and say more
				Command: Command{Is: Writer, Why: "A test runner runs code of the workspace.", Instead: "list the runner in the operator's table", Options: Options{Help: "-h"}},
			},
			{
				Names:   "eslint prettier stylelint tsc rubocop webpack vite rollup babel next tflint trivy hadolint yamllint checkov hlint phpstan jekyll",
				Command: Command{Is: Writer, Why: "It loads configuration and plugins of the workspace.", Instead: "list the linter in the operator's table", Options: Options{Help: "-v -V -h"}},
			},
			{
				Names:   "biome standard xo tslint markdownlint markdownlint-cli2 ruff black isort flake8 pylint mypy pyright pyre bandit pydocstyle autopep8 yapf standardrb phpcs phpcbf php-cs-fixer psalm golangci-lint staticcheck govulncheck revive gofumpt errcheck ktlint detekt checkstyle spotbugs swiftlint swiftformat clang-format clang-tidy cppcheck actionlint tfsec grype syft semgrep snyk sonar-scanner shfmt luacheck stylua credo dialyzer tsx ts-node swc esbuild parcel nuxt astro remix gatsby ng vue-cli expo react-native storybook typedoc jsdoc sphinx-build mkdocs hugo",
				Command: Command{Is: Writer, Why: "It loads configuration and plugins of the workspace.", Instead: "list the linter in the operator's table", Options: Options{Help: "-h"}},
			},
			{Names: "ar", Style: POSIX, Command: Command{Is: Writer, Operands: "word*", Why: "It writes an archive.", Options: Options{Help: "-V"}}, Commands: []Command{
				{Path: "t, tv, -t, -tv, p, pv", Is: Reader, Operands: "file word*"},
			}},
			{Names: "rustfmt", Command: Command{Is: Writer, Operands: "file*", Why: "rustfmt rewrites source files.", Options: Options{DryRun: "--check", Read: "-l --files-with-diff -q --quiet -v --verbose --edition= --style-edition= --color=", Config: "--config= --config-path=", Write: "--print-config=", Change: "--emit= --backup", Help: "-V -h"}}},
			{Names: "shellcheck", Command: Command{Is: Reader, Operands: "file+", Options: Options{Read: "-a --check-sourced -C? --color? -i= --include= -e= --exclude= --extended-analysis= -f= --format= --norc -o= --enable= -s= --shell= -S= --severity= -W= --wiki-link-count= -x --external-sources", Config: "--rcfile= -P= --source-path=", Help: "-V"}}},
			{Names: "java", Style: SingleDash, Command: Command{Is: Interpreter, Operands: "word*", Language: OtherLanguage, Why: compiles, Options: Options{Help: "-version --version -showversion -help", Run: "-jar= -cp= -classpath= -javaagent= -agentpath= -agentlib="}}},
			{Names: "ldd", Command: Command{Is: Writer, Operands: "file*", Options: Options{Read: "-v --verbose -u --unused -d --data-relocs -r --function-relocs"}, Why: "ldd may run the program it is asked about (ldd(1), Security).", Instead: "objdump -p FILE | grep NEEDED"}},
			{Names: "nm objdump readelf size otool dwarfdump addr2line c++filt lipo-info", Command: Command{Is: Reader, Operands: "file*", Options: Options{
				Read: "-a -A -B -C -d -D -e -f -g -h -H -i -j= -l -L -n -o -p -P -r -R -s -S -t -T -u -v -V -w -W -x -z --demangle? --defined-only --dynamic --undefined-only --all --headers --sections --segments --symbols --syms --dyn-syms --relocs --notes --version-info --wide --file-headers --disassemble --source --line-numbers --format= --radix= --sort= --size-sort",
				Run:  "--plugin=",
			}}},
			{Names: "pkg-config pkgconf", Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "--modversion --libs --cflags --exists --list-all --variable= --print-variables --atleast-version= --exact-version= --static --libs-only-l --libs-only-L --cflags-only-I --print-errors --silence-errors", Config: "--with-path= --define-variable="}}},
			{Names: "locale localedef-list getconf", Command: Command{Is: Reader, Operands: "word*", Options: Options{Read: "-a -k -c -m -v= --all-locales --keyword-name --charmaps"}}},
		},
		Rules: []Rule{
			{
				ID: "languages.compiler-plugin", Verdict: Undecided,
				Why:  "This option makes the compiler load or run a program of its own.",
				When: []Match{{Program: "gcc g++ cc c++ clang clang++", Has: "-wrapper|-fplugin|-B|-specs"}},
				Yes:  []string{"gcc -wrapper ./x a.c", "clang -fplugin=./p.so a.c"},
				No:   []string{"gcc --version", "gcc -c a.c"},
			},
		},
	}
}
