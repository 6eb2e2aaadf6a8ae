#!/usr/bin/env bash
# Calls the product with the official TypeScript client, once per era and transport. Needs node (20 or newer) and npm.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
client=2.4.0 # @modelcontextprotocol/client

for program in node npm; do
	command -v "$program" >/dev/null || { echo "interop: $program is not on PATH; install Node.js 20 or newer" >&2; exit 1; }
done

cache=${XDG_CACHE_HOME:-$HOME/.cache}/phocinae-interop/$client
if [ ! -f "$cache/node_modules/@modelcontextprotocol/client/package.json" ]; then
	mkdir -p "$cache"
	npm install --prefix "$cache" --no-audit --no-fund --loglevel=error "@modelcontextprotocol/client@$client" >&2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root/phocinae-mcp" && go build -trimpath -o "$work/phocinae-mcp" .)
(cd "$root/mockp0" && go build -trimpath -o "$work/mockp0" ./cmd/mockp0)
cp "$here/client.mjs" "$work/client.mjs"
ln -s "$cache/node_modules" "$work/node_modules"
node "$work/client.mjs" "$work/phocinae-mcp" "$work/mockp0"
