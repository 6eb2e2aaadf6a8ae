#!/usr/bin/env bash
# Installs the pinned development programs into .tools/ at the root of the checkout; a program whose pin did not change is
# left alone, so a second run takes no time.
#
#   tools/pins/install.sh [NAME...]        only the programs whose package path ends in NAME; default: all
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$here/../.." && pwd)/.tools
mkdir -p "$bin"

wanted() { # wanted NAME LIST...
	local name=$1 one
	shift
	[ $# -eq 0 ] && return 0
	for one; do [ "$one" = "$name" ] && return 0; done
	return 1
}

grep -v '^#' "$here/pins.txt" | while read -r pin; do
	[ -n "$pin" ] || continue
	package=${pin%@*}
	name=${package##*/}
	wanted "$name" "$@" || continue
	stamp=$bin/.$name.pin
	if [ -x "$bin/$name" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$pin" ]; then
		continue
	fi
	echo "install: $pin" >&2
	# Outside the checkout, so that neither go.work nor a go.mod here takes part in the choice of versions.
	(cd / && GOBIN=$bin GOWORK=off GOFLAGS=-mod=mod go install "$pin")
	echo "$pin" >"$stamp"
done
