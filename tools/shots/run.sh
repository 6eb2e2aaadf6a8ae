#!/usr/bin/env bash
# Pictures of the audit report, light and dark; fails when one is blank or when there is no Chromium. Arguments go to the program.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go run ./shots "$@"
