#!/usr/bin/env bash
# Benchmarks of this tree against another revision, with benchstat.
#
#   tools/benchcompare.sh REVISION [MODULE...]
#
# COUNT (default 6) runs of each benchmark; BENCH (default .) picks benchmarks.
set -euo pipefail

base=${1:?usage: benchcompare.sh REVISION [MODULE...]}
shift
root=$(cd "$(dirname "$0")/.." && pwd)
modules=("${@:-}")
[ -n "${modules[0]}" ] || modules=(gatecore mcpproto mockp0 p0client phocinae-mcp)

work=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$work/base" 2>/dev/null || true; rm -rf "$work"' EXIT
git -C "$root" worktree add --quiet --detach "$work/base" "$base"

measure() { # measure TREE FILE
	local m
	for m in "${modules[@]}"; do
		[ -d "$1/$m" ] || continue
		(cd "$1/$m" && GOWORK=off go test -run '^$' -bench "${BENCH:-.}" -benchmem -count "${COUNT:-6}" ./...) >>"$2"
	done
}
measure "$work/base" "$work/old.txt"
measure "$root" "$work/new.txt"
"$root/.tools/benchstat" "$work/old.txt" "$work/new.txt"
