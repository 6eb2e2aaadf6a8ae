#!/usr/bin/env bash
# Runs the official MCP conformance suite against a server that is already up.
#
#   run-conformance.sh [-b BASELINE] URL [SPEC_VERSION] [SCENARIO...]
#
# SPEC_VERSION (default 2026-07-28) picks the frozen requirement set that ships
# with the suite, and the wire its scenarios use; 2025-11-25 is the other set.
# Naming scenarios runs just those. Prints a line per scenario and a tally.
#
# -b names a file of expected failures, a line each: SCENARIO or SCENARIO:CHECK.
# "#" starts a comment; the suite's own YAML form ("server:", "- name") is read
# too. An expected failure is printed and not counted; one that passes is an
# error, so that the file cannot outlive its reason.
#
#   MCP_CONFORMANCE_DIR         where node and the suite are installed
#   MCP_CONFORMANCE_OUT         keep the log and every checks.json below here
#   MCP_CONFORMANCE_TIMEOUT_MS  limit for one scenario (default 30000)
#   MCP_CONFORMANCE_STRICT=1    unmet SHOULDs (warnings) fail a scenario too
#
# Exit: 0 all passed, 1 something failed, 2 the run could not be set up.
set -euo pipefail

suite=0.2.0-alpha.12 # not under npm's "latest" tag, so it has to be named
runtime=24           # the suite does not load on Node 20

die() { echo "run-conformance: $*" >&2; exit 2; }
usage="usage: run-conformance.sh [-b BASELINE] URL [SPEC_VERSION] [SCENARIO...]"

baseline=
if [ "${1:-}" = -b ]; then
	baseline=${2:-}
	[ -f "$baseline" ] || die "no such baseline: '$baseline'"
	shift 2
fi
case ${1:-} in
http://* | https://*) url=$1 ;;
*) die "$usage" ;;
esac
version=${2:-2026-07-28}
shift $(($# < 2 ? $# : 2))

root=${MCP_CONFORMANCE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/mcp-conformance}/$suite
node=$root/node_modules/node/bin/node
package=$root/node_modules/@modelcontextprotocol/conformance
if [ ! -x "$node" ] || [ ! -f "$package/dist/index.js" ]; then
	command -v npm >/dev/null || die "npm is needed to install the suite"
	mkdir -p "${root%/*}"
	stage=$(mktemp -d "${root%/*}/stage.XXXXXX")
	npm install --prefix "$stage" --no-audit --no-fund --loglevel=error \
		"node@$runtime" "@modelcontextprotocol/conformance@$suite" >&2 ||
		{ rm -rf "$stage"; die "npm install failed"; }
	rm -rf "$root" && mv "$stage" "$root"
fi
[ "$("$node" "$package/dist/index.js" --version)" = "$suite" ] || die "broken install in $root"
required=$package/requirements/$version.yaml
[ -f "$required" ] || die "the suite has no requirement set for '$version'"

if [ -n "${MCP_CONFORMANCE_OUT:-}" ]; then
	mkdir -p "$MCP_CONFORMANCE_OUT" && out=$(mktemp -d "$MCP_CONFORMANCE_OUT/run.XXXXXX")
else
	out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
fi
run() { # the verdict comes from checks.json, so the exit status is not needed
	"$node" "$package/dist/index.js" server --url "$url" -o "$out" "$@" \
		--timeout "${MCP_CONFORMANCE_TIMEOUT_MS:-30000}" </dev/null >>"$out/log" 2>&1 || true
}
for name; do run --spec-version "$version" --scenario "$name"; done
if [ $# -eq 0 ]; then
	run --requirements "$version" # also runs unscored scenarios; these are dropped here
	# shellcheck disable=SC2046 # a list of names, to be split
	set -- $(awk '/^[^ #]/ {on = /^server:/} on && $1 == "-" {print $2}' "$required")
fi

# A probe that got no answer says "Failed: ...", if only as a warning: no pass.
"$node" - "$out" "${MCP_CONFORMANCE_STRICT:-}" "$baseline" "$@" <<'JS'
const fs = require("fs"), [out, strict, baseline, ...names] = process.argv.slice(2);
const expected = new Set(!baseline ? [] : fs.readFileSync(baseline, "utf8").split("\n")
  .map(l => l.replace(/(^|\s)#.*/, "").trim().replace(/^-\s+/, "")).filter(l => l && !/^\w+:$/.test(l)));
const met = new Set();
let failed = 0;
for (const name of names) {
  const dir = fs.readdirSync(out).find(d => d.replace(/-\d{4}-\d\d-\d\dT.*/, "") === "server-" + name);
  const file = out + "/" + dir + "/checks.json", all = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file)) : [];
  const is = s => all.filter(c => c.status === s);
  const bad = is("FAILURE").concat(is("WARNING").filter(c => strict === "1" || /^Failed: /.test(c.errorMessage)));
  const known = c => [name, name + ":" + c.id].filter(k => expected.has(k));
  const excused = bad.filter(c => known(c).length > 0), hard = bad.filter(c => !excused.includes(c));
  excused.forEach(c => known(c).forEach(k => met.add(k)));
  const soft = is("WARNING").filter(c => !bad.includes(c));
  const empty = all.length === 0, good = hard.length === 0 && (!empty || expected.has(name));
  if (empty && expected.has(name)) met.add(name);
  console.log(`${good ? "PASS" : "FAIL"} ${name}: ` + (empty ? "no checks were made" :
    `${is("SUCCESS").length} ok, ${hard.length} failed, ${soft.length} warnings`) +
    (excused.length > 0 ? `, ${excused.length} expected` : ""));
  for (const [label, list] of [["", hard], ["", soft], ["expected ", excused]])
    for (const c of list)
      console.log(`     ${label}${c.status} ${c.id}: ${String(c.errorMessage || c.description).split("\n")[0].slice(0, 300)}`);
  if (!good) failed++;
}
for (const k of expected)
  if (names.includes(k.split(":")[0]) && !met.has(k)) {
    console.log(`FAIL ${k}: expected to fail, but passed; remove it from the baseline`);
    failed++;
  }
console.log(`${Math.max(names.length - failed, 0)} passed, ${failed} failed`);
process.exitCode = failed > 0 || names.length === 0 ? 1 : 0;
JS
