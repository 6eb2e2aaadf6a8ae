# `make` prints this list. Every target works on every module: ./... says nothing at the root of a workspace.
SHELL := /bin/sh
.SHELLFLAGS := -eu -c
.DEFAULT_GOAL := help

LIBRARIES := gatecore mcpproto mockp0 p0client
MODULES := $(LIBRARIES) phocinae-mcp tools
TOOLS := $(CURDIR)/.tools
FUZZTIME ?= 10s
BENCHTIME ?= 1s
BASE ?= HEAD~1
VULNDB ?= ../shared/vulndb
LOADTIME ?= 60s

export NO_COLOR := 1

.PHONY: help
help: ## print this list
	@grep -hE '^[a-z%/-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z%\/-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

.PHONY: demo
demo: ## a whole conversation: the real binary, driven as an agent would, against a mock service
	@mkdir -p bin
	@cd phocinae-mcp && go build -o ../bin/phocinae-mcp .
	@bin/phocinae-mcp demo

.PHONY: build
build: ## build the program and the mock service into bin/
	@mkdir -p bin
	cd phocinae-mcp && CGO_ENABLED=0 go build -trimpath -o ../bin/phocinae-mcp .
	cd mockp0 && CGO_ENABLED=0 go build -trimpath -o ../bin/mockp0 ./cmd/mockp0

.PHONY: test
test: $(MODULES:%=test/%) ## every module's tests; needs Go and make, nothing else
test/%:
	@echo "== test $*"
	@cd $* && go test -timeout 20m ./...

.PHONY: race
race: $(MODULES:%=race/%) ## every module's tests under the race detector (needs a C compiler)
race/%:
	@command -v "$$(go env CC)" >/dev/null || { echo "race: no C compiler ($$(go env CC)) on PATH; install gcc" >&2; exit 1; }
	@echo "== race $*"
	@cd $* && CGO_ENABLED=1 go test -race -short -timeout 30m ./...

.PHONY: check
check: fmt vet lint test alone ## what to run before a commit

.PHONY: fmt
fmt: tools-gofumpt ## formatting (fails and lists files that gofumpt would change)
	@out=$$($(TOOLS)/gofumpt -l $(MODULES)); if [ -n "$$out" ]; then echo "gofumpt would change:"; echo "$$out"; exit 1; fi

.PHONY: vet
vet: $(MODULES:%=vet/%) ## go vet
vet/%:
	@cd $* && go vet ./...

.PHONY: lint
lint: tools-golangci-lint tools-staticcheck $(MODULES:%=lint/%) shell ## golangci-lint and staticcheck, module by module
lint/%: tools-golangci-lint tools-staticcheck
	@echo "== lint $*"
	@cd $* && GOWORK=off $(TOOLS)/golangci-lint run --config ../.golangci.yml ./...
	@cd $* && GOWORK=off $(TOOLS)/staticcheck ./...

.PHONY: shell
shell: ## shellcheck over our scripts
	@command -v shellcheck >/dev/null || { echo "shell: shellcheck is not on PATH; install it (Debian: apt-get install shellcheck)" >&2; exit 1; }
	@git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck

.PHONY: vuln
vuln: tools-govulncheck ## govulncheck with the records in VULNDB (skipped, and said so, without them)
	@if [ ! -d "$(VULNDB)" ]; then echo "vuln: skipped: no database at $(VULNDB); set VULNDB to a folder of OSV records"; exit 0; fi; \
	for m in $(MODULES); do echo "== vuln $$m"; (cd $$m && GOWORK=off $(TOOLS)/govulncheck -db "file://$$(cd $(CURDIR)/$(VULNDB) && pwd)" ./...); done

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (default 10s)
	@cd tools && go run ./fuzz -time $(FUZZTIME) ..

.PHONY: bench
bench: ## every benchmark for BENCHTIME (default 1s)
	@for m in $(MODULES); do echo "== bench $$m"; (cd $$m && go test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) ./...); done

.PHONY: bench-goals
bench-goals: ## the client's benchmarks that have a goal; fails where one is missed
	@cd phocinae-mcp && GOALS=1 go test -run '^$$' -bench Against -benchtime 3s ./internal/contract

.PHONY: bench-compare
bench-compare: tools-benchstat ## benchmarks of this tree against revision BASE, with benchstat
	@tools/benchcompare.sh $(BASE)

.PHONY: peers
peers: build ## our server against others: cold start, latency, throughput, memory
	@cd tools && go run ./bench -ours ../bin/phocinae-mcp

.PHONY: alone
alone: ## every module built, vetted and tested by itself, GOWORK=off, in a copy that holds only its folder
	@cd tools && go run ./alone ..

.PHONY: rehearse
rehearse: ## pack every module as it would be published; import and install each outside the repository
	@cd tools && go run ./rehearse ..

.PHONY: release-check
release-check: tools-apidiff ## versions, changelogs, tags, replace lines, API changes, licences, reproducible binary
	@cd tools && go run ./releasecheck -apidiff $(TOOLS)/apidiff ..

.PHONY: oracle
oracle: ## our reading of shell text against bash and dash (needs both)
	@for s in bash dash; do command -v $$s >/dev/null || { echo "oracle: $$s is not on PATH; install it" >&2; exit 1; }; done
	@cd gatecore && GATECORE_ORACLE=1 go test -timeout 20m -run 'Oracle' -count=1 .

.PHONY: conformance
conformance: ## the official MCP conformance suite, both revisions, fixture and product (needs npm)
	@command -v npm >/dev/null || { echo "conformance: npm is not on PATH; install Node.js" >&2; exit 1; }
	@cd tools && go run ./conformance

.PHONY: interop
interop: ## the official TypeScript client against the product (needs npm); the Go SDK's client runs in `make test`
	@command -v npm >/dev/null || { echo "interop: npm is not on PATH; install Node.js" >&2; exit 1; }
	@tools/interop/typescript/run.sh

.PHONY: cases
cases: build ## protocol cases from public bug reports, over stdio and HTTP (needs python3)
	@command -v python3 >/dev/null || { echo "cases: python3 is not on PATH; install it" >&2; exit 1; }
	@tools/cases/run.sh bin/phocinae-mcp

.PHONY: shots
shots: ## screenshot of the audit report, light and dark (needs Chromium)
	@tools/shots/run.sh

.PHONY: mutate
mutate: ## flip conditions in the decisive code; every mutant must be killed or be listed as equivalent
	@cd tools && go run ./mutate ..

.PHONY: cover
cover: ## statement coverage of each library package; fails under 90 %
	@cd tools && go run ./cover -min 90 ..

.PHONY: load
load: build ## 64 HTTP clients and a pipelined stdio client with faults, for LOADTIME (default 60s)
	@cd tools && go run ./load -time $(LOADTIME) -binary ../bin/phocinae-mcp

.PHONY: golden
golden: ## rewrite golden files from what the code does now; read the diff before you commit
	@for m in $(MODULES); do (cd $$m && go test ./... -update >/dev/null 2>&1 || true); done; git status --short

.PHONY: tools
tools: ## install the pinned development programs into .tools/
	@tools/pins/install.sh
tools-%:
	@tools/pins/install.sh $*
