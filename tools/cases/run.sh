#!/usr/bin/env bash
# Runs the protocol cases from public bug reports (CASES.md) against a built program, over stdio and HTTP, with a mock
# service behind it that keeps undecided commands undecided and holds one of them for a while.
#
#   tools/cases/run.sh PROGRAM [CASE PATTERNS, as in A*,H09]
#
# Fails on any FAIL or SKIP, and on a WARN that is not in warn_allowed: the contract allows E21 (the text of a deny keeps
# its `decision`; the hook command is the barrier for hosts).
set -euo pipefail

program=$(realpath "$1")
only=${2:-*}
here=$(cd "$(dirname "$0")" && pwd)
warn_allowed=E21

work=$(mktemp -d)
mock=
trap '[ -z "$mock" ] || kill "$mock" 2>/dev/null || true; rm -rf "$work"' EXIT

"$(dirname "$program")/mockp0" --addr 127.0.0.1:0 --script "$here/mock.json" 2>"$work/mock.log" &
mock=$!
for _ in $(seq 100); do
	url=$(grep -oE 'http://[0-9.:]+' "$work/mock.log" | head -n 1 || true)
	[ -n "$url" ] && break
	sleep 0.05
done
[ -n "$url" ] || { echo "cases: the mock service did not start:" >&2; cat "$work/mock.log" >&2; exit 1; }

flags="--fail-closed ask --audit off --l1-enabled --server $url --timeout 10"
python3 "$here/mcpcase.py" --fixtures "$here/fixtures.json" --only "$only" --json "$work/result.json" \
	--stdio-cmd "$program $flags" --http-cmd "$program --transport http --port {port} $flags" || true

python3 - "$work/result.json" "$warn_allowed" <<'PY'
import json, sys
results, allowed = json.load(open(sys.argv[1])), set(sys.argv[2].split(","))
bad = [r for r in results if r["status"] in ("FAIL", "SKIP") or (r["status"] == "WARN" and r["id"] not in allowed)]
print("%d passed, %d failed" % (len(results) - len(bad), len(bad)))
for r in bad:
    print("  %s %s: %s" % (r["status"], r["id"], r["detail"][:300]))
sys.exit(1 if bad or not results else 0)
PY
